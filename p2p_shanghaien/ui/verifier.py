"""A second verifier, for browsers: a page that verifies logs which are dropped on it, and the check of a replay.

`protocol/verifier` has the sources. Built from them, `pages/verifier-*.js` are the scripts of both pages and the worker
that verifies, which a page carries as text and starts from there: nothing is loaded.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from importlib.metadata import version
from typing import Any, Final, NamedTuple, TypeAlias

from p2p_shanghaien.errors import Code, FairplayCode, GameCode
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.ui.assets import asset, digest_source, filled
from p2p_shanghaien.ui.language import LANGUAGES, speaking
from p2p_shanghaien.ui.verdicts import fields
from p2p_shanghaien.ui.verifier_sentences import WORDS
from p2p_shanghaien.ui.words import game_name, raw, say, template

_Words: TypeAlias = dict[str, str | dict[str, str]]

_CATEGORIES: Final[Mapping[str, int]] = {"one": 1, "many": 1_000_000, "other": 2}
"""An example of each plural category of our languages, as a browser's `Intl.PluralRules` names them."""

_REASONS: Final[tuple[Code, ...]] = (
    FairplayCode.TOO_LONG, FairplayCode.NOT_CANONICAL, FairplayCode.NOT_A_HELLO, FairplayCode.WRONG_ROLE,
    FairplayCode.BAD_HASH_SIZE, FairplayCode.REFUSED_KEY, FairplayCode.BAD_NAME, FairplayCode.BAD_SETTING,
    FairplayCode.REFLECTED_NONCE, FairplayCode.NOT_A_PROOF, FairplayCode.BAD_PROOF, FairplayCode.NOT_AN_ENTRY,
    FairplayCode.NOT_AN_ENVELOPE, FairplayCode.BAD_NUMBER, FairplayCode.ENTRY_AFTER_THE_END,
    FairplayCode.WRONG_SESSION, FairplayCode.WRONG_NUMBER, FairplayCode.WRONG_PARENT, FairplayCode.WRONG_SEAT,
    FairplayCode.BAD_SIGNATURE, FairplayCode.FORK_REBUTTED, FairplayCode.MALFORMED_CONTENT, FairplayCode.WRONG_KIND,
    FairplayCode.WRONG_STATE, GameCode.ILLEGAL_ACTION, FairplayCode.SHARE_NOT_COMMITTED,
    FairplayCode.CHOICE_NOT_COMMITTED, FairplayCode.NO_COMMITMENT, FairplayCode.IDLE_COMMITMENT,
    FairplayCode.ALREADY_ENDED, FairplayCode.FALSE_RESIGNATION, FairplayCode.FALSE_OFFER,
    FairplayCode.ABANDONED_INSTEAD_OF_REVEAL, FairplayCode.WRONG_RESULT, FairplayCode.FORK, FairplayCode.NOT_A_LOG,
    FairplayCode.LOG_WITHOUT_OPENING, FairplayCode.BAD_OPENING, FairplayCode.BAD_RECORD_LENGTH,
)  # fmt: skip
"""The errors in files (SPEC 14) for which the page has the program's words, if it knows every detail in them."""

_SHARED: Final = (
    *("and", "nothing", "game_with_options", "page_log", "page_title", "verify_record"),
    *("verdict_complete", "verdict_decided", "verdict_incomplete", "verdict_violation", "verdict_invalid_file"),
    *("verdict_invalid_entry", "verdict_unsupported", "outcome_score", "outcome_resigned", "outcome_abandoned"),
    *("details_host", "details_guest", "details_one_key", "details_game", "details_entries", "details_truncated"),
)
"""The sentences of the program that the scripts say as well."""


class Check(NamedTuple):
    """All that a replay needs to verify its own log: the bytes, data that its settings name, and the verdict on it.

    `file` is the name of the log.
    """

    file: str
    log: bytes
    outside: tuple[bytes, ...]
    report: Report


def verifier_page() -> str:
    """Return the page that verifies logs in any browser, in every language: no server, no other file, no network."""
    made = {"version": version("p2p-shanghaien"), "digest": sources()}
    words = {}
    for language in LANGUAGES:
        with speaking(language):
            words[language] = _words((*_SHARED, *WORDS))
    style = asset("base.css") + asset("verify.css")
    script = asset("verifier-page.js")
    return filled(
        "verify.html",
        policy=policy(style, (script,)),
        style=style,
        script=script,
        worker=asset("verifier-worker.js"),
        sentences=data_block(words),
        languages="".join(f'<option value="{code}" lang="{code}">{name}</option>' for code, name in LANGUAGES.items()),
        origin=escape(say("verifier_origin", **made)),
        **made,
    )


def check_blocks(check: Check) -> str:
    """Return the data blocks of a replay that verifies its own log, for `check_script`."""
    claimed = fields("", check.report)
    del claimed["file"]
    claimed["digest"] = sha256(check.log).hexdigest()
    checking = tuple(code for code in WORDS if code.startswith(("check_", "verifier_")))
    outside = [b64encode(data).decode() for data in check.outside]
    blocks = (
        f'<script type="text/plain" id="log">{b64encode(check.log).decode()}</script>',
        *(
            f'<script type="application/json" id="{name}">{data_block(value)}</script>'
            for name, value in (
                ("outside", outside),
                ("claimed", claimed),
                ("sentences", _words((*_SHARED, *checking))),
            )
        ),
        f'<script type="text/plain" id="verifier">{asset("verifier-worker.js")}</script>',
    )
    return "\n".join(blocks)


def check_script() -> str:
    """Return the script that checks the replay in which it stands."""
    return asset("verifier-check.js")


def policy(style: str, scripts: Iterable[str]) -> str:
    """Return the content security policy of a page with this style and these scripts, and the worker that verifies."""
    allowed = " ".join(map(digest_source, scripts))
    return escape(
        f"default-src 'none'; img-src data:; style-src {digest_source(style)}; script-src {allowed}; worker-src blob:; "
        "base-uri 'none'; form-action 'none'; trusted-types verifier; require-trusted-types-for 'script'"
    )


def sources() -> str:
    """Return the SHA-256 of the sources that the verifier was built from, as its first line says."""
    return asset("verifier-worker.js").split(maxsplit=3)[2]


def data_block(value: Any) -> str:
    """Return `value` as JSON within a script element, where nothing may look like markup."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def _words(codes: Iterable[str]) -> _Words:
    """Return the sentences of these codes, of errors and of the names of games in the language in use."""
    found: _Words = {code: _templates(code) for code in codes}
    found |= {reason.unqualified: _templates(reason) for reason in _REASONS}
    found |= {f"{game}:name": game_name(game) for game in GAMES}
    return found


def _templates(code: str) -> str | dict[str, str]:
    """Return the template for `code`, or the one for each plural category."""
    if isinstance(template(code), str):
        return raw(code)
    return {category: raw(code, count) for category, count in _CATEGORIES.items()}
