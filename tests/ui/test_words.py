"""Everything that can be said has words, and whatever is put into them is harmless."""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

import p2p_shanghaien
from p2p_shanghaien.errors import (
    Code,
    FairplayCode,
    GameCode,
    Illegal,
    LocalError,
    Malformed,
    NetCode,
    RecordError,
    SessionCode,
    StoreCode,
    UsageError,
    Violation,
)
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui import error_sentences, game_words
from p2p_shanghaien.ui.stepper import CODES
from p2p_shanghaien.ui.view import rules_of
from p2p_shanghaien.ui.words import SHARED, clause, describe, has_words, listed, say, template
from tests import kinds

PACKAGE = Path(p2p_shanghaien.__file__).parent
SOURCES = (*sorted(PACKAGE.rglob("*.py")), PACKAGE.parent / "tools" / "manual.py")
VERIFIER = PACKAGE.parent / "protocol" / "verifier"
"""The program, and the maker of its manual page."""

ERRORS = {kind.__name__ for kind in kinds.errors()}
ENUMS = {kind.__name__: kind for kind in kinds.codes()}
SAYING = {"say", "later", "told", "confirm", "agrees", "News"}
DECLARING = {"command", "group", "option", "argument", "Option"}
DECLARED = {"help", "metavar"}
"""The parameters that commands, options and arguments take as codes."""
METHODS = {"error", "news", "__init__"}

ADDED_ON_THE_WAY = {
    "not_a_host": {"address"},  # `connect` adds the address to what its protocol class raises
    "dropped_while_opening": {"address"},
}
"""Details that code other than the one that names the code puts in."""


class Unworded(Code):
    NEVER_WORDED = "never_worded"


class Use(NamedTuple):
    """A code in the source: the whole of it, or how it begins; `details` None where not all can be seen."""

    code: str
    whole: bool
    details: frozenset[str] | None
    where: str


@cache
def uses() -> tuple[Use, ...]:
    return tuple(_uses())


def _uses() -> Iterator[Use]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(PACKAGE.parent)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call) and _name(node.func) in DECLARING and path.parent.name == "cli":
                for keyword in node.keywords:
                    if keyword.arg in DECLARED:
                        yield from _codes(keyword.value, frozenset({"default"}), where)
            if isinstance(node, ast.Call) and node.args and _speaks(node.func):
                if _name(node.func) == "News":
                    details = _keys(node.args[1]) if len(node.args) > 1 else frozenset()
                else:
                    details = _keywords(node)
                if _name(node.func) == "news":
                    for use in _codes(node.args[0], None if details is None else details | {"who"}, where):
                        yield use
                        yield use._replace(code=use.code + "_you") if use.whole else use
                else:
                    yield from _codes(node.args[0], details, where)
            elif isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                yield from _codes(node.value.elts[0], _keys(node.value.elts[-1]), where)


def _speaks(function: ast.expr) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr in METHODS | SAYING and function.attr != "say"
    return _name(function) in ERRORS | SAYING


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def _codes(node: ast.expr, details: frozenset[str] | None, where: str) -> Iterator[Use]:
    match node:
        case ast.Constant(str(code)):
            yield Use(code, True, details, where)
        case ast.Attribute(ast.Name(enum), member) if enum in ENUMS:
            yield Use(ENUMS[enum][member], True, details, where)
        case ast.JoinedStr([ast.Constant(str(start)), *_]):
            yield Use(start, False, None, where)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _codes(body, details, where)
            yield from _codes(orelse, details, where)


def _keywords(node: ast.Call) -> frozenset[str] | None:
    names = [keyword.arg for keyword in node.keywords]
    return None if None in names else frozenset(name for name in names if name)


def _keys(node: ast.expr) -> frozenset[str] | None:
    if not isinstance(node, ast.Dict) or not all(isinstance(key, ast.Constant) for key in node.keys):
        return None
    return frozenset(str(key.value) for key in node.keys if isinstance(key, ast.Constant))


def known_codes() -> Counter[str]:
    own = (f"{domain.name}:{code}" for domain, words in game_words.installed_words() for code in words)
    return Counter(chain(*SHARED, own))


def fields(code: str) -> set[str]:
    found = template(code)
    parts = [found] if isinstance(found, str) else list(found)
    named = {name for part in parts for _, name, _, _ in Formatter().parse(part) if name is not None}
    return named | ({"count"} if len(parts) > 1 else set())


def test_the_collection_sees_the_source() -> None:
    found = {use.code for use in uses()}
    assert {"bad_tag", "illegal_action", "shanghaien:bad_tricks", "help_verify", "metavar_hex"} <= found
    assert {f"shanghaien:{code}" for code in ("round_begins", "round_begins_you", "refuse_tricked")} <= found


def test_every_code_has_words() -> None:
    known = known_codes()
    missing = sorted(
        {
            f"{use.code}{'' if use.whole else '*'} ({use.where})"
            for use in uses()
            if (use.code not in known if use.whole else not any(code.startswith(use.code) for code in known))
        }
    )
    assert not missing, "without words: " + ", ".join(missing)


def test_every_detail_that_the_words_need_is_given() -> None:
    known = known_codes()
    lacking = sorted(
        f"{use.code} lacks {sorted(absent)} ({use.where})"
        for use in uses()
        if use.whole and use.details is not None and use.code in known
        if (absent := fields(use.code) - use.details - ADDED_ON_THE_WAY.get(use.code, set()))
    )
    assert not lacking, "; ".join(lacking)


@cache
def mentioned() -> tuple[set[str], list[re.Pattern[str]]]:
    """Whatever may be a code outside the tables of words and the enums: whole strings, the members of the enums, and
    patterns of codes put together.
    """
    pages = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.html"))
    scripts = "".join(path.read_text(encoding="utf-8") for path in VERIFIER.glob("page/*.js"))
    whole = {*re.findall(r"\$(\w+)", pages), *re.findall(r'"([a-z]+(?:_[a-z]+)+)"', scripts)}
    composed = {f"{start}[a-z_]+" for start in re.findall(r"`([a-z_]+_)\$\{named\(", scripts)}
    # what the page says of an error in place of the program's words (`report.js`)
    whole |= {f"verifier_{code.unqualified}" for enum in kinds.codes() for code in enum}
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        keys = {id(key) for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys}
        defined = {id(node) for kind in ast.walk(tree) if _is_enum(kind) for node in ast.walk(kind)}
        is_table = path.name == "words.py" or path.parent.name == "ui"
        for node in ast.walk(tree):
            match node:
                # in a table of words a key is no mention
                case ast.Constant(str(code)) if id(node) not in defined and not (is_table and id(node) in keys):
                    whole.add(code.rpartition(":")[2])
                case ast.Attribute(ast.Name(enum), member) if enum in ENUMS and not (is_table and id(node) in keys):
                    whole.add(ENUMS[enum][member].unqualified)
                case ast.JoinedStr([ast.Constant(str(start)), *_]) if re.fullmatch(
                    r"([a-z]+:)?[a-z]+(_[a-z]*)*", start
                ):
                    composed.add(_pattern(node.values).rpartition(":")[2])
                case ast.JoinedStr([ast.FormattedValue(), ast.Constant(str(own)), *_]) if own.startswith(":"):
                    composed.add(_pattern(node.values[1:]).removeprefix(":"))
    return whole, [re.compile(pattern) for pattern in composed if re.match("[a-z]", pattern)]


def _is_enum(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and node.name in ENUMS


def _pattern(parts: list[ast.expr]) -> str:
    return "".join(str(part.value) if isinstance(part, ast.Constant) else r"[\w-]+" for part in parts)


def test_every_sentence_is_said_somewhere() -> None:
    whole, composed = mentioned()

    def is_said(code: str) -> bool:
        return code in whole or any(pattern.fullmatch(code) for pattern in composed)

    # `shanghaien:placed_first_you` is `placed_first` with `_you`, `heading_A` is `heading` with a letter
    own = (code.rpartition(":")[2] for code in known_codes() if not code.startswith("toy:"))
    assert not [code for code in own if not is_said(code) and not is_said(code.rpartition("_")[0])]


def test_every_error_is_raised_somewhere() -> None:
    whole, _ = mentioned()
    assert not [code for enum in ENUMS.values() for code in enum if code.unqualified not in whole]


def test_every_error_has_a_sentence() -> None:
    assert not [code for enum in ENUMS.values() for code in enum if not has_words(code)]


def test_the_table_of_errors_holds_no_other_sentences() -> None:
    ours = {code for enum in ENUMS.values() for code in enum if ":" not in code}
    assert set(error_sentences.WORDS) == ours


def test_codes_put_together_have_words() -> None:
    composed = {f"log_{code}" for code in (0, 1, 5, 6)}
    composed |= {f"{name}:name" for name in RULES}
    composed |= {f"{name}:help_{setting.name}" for name, game in RULES.items() for setting in game.SETTINGS}
    composed |= set(CODES)
    assert not composed - set(known_codes())


def test_no_code_stands_in_two_tables() -> None:
    assert [code for code, count in known_codes().items() if count > 1] == []


def test_every_game_has_a_table() -> None:
    for name in RULES:
        assert len(rules_of(name)) > 1000


@pytest.mark.parametrize("code", ["no_such_thing", "shanghaien:no_such_thing", "no-such-game:name"])
def test_a_code_without_a_sentence_is_shown_itself(code: str) -> None:
    assert say(code) == say(code, name="Ada") == template(code) == code
    assert not has_words(code)


def test_a_detail_that_is_not_given_is_shown_as_one() -> None:
    assert "{port}" in say("port_busy")
    assert say("chat", name="Ada") == "Ada: {text}"


def test_words_need_neither_screen_nor_keyboard() -> None:
    code = (
        "import sys; from p2p_shanghaien.ui.words import say; say('port_busy', port=1); say('shanghaien:trick_p');"
        "print([name for name in ('rich', 'prompt_toolkit', 'asyncio') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize(
    "evil",
    ["\x1b]52;c;aGk=\x07", "\x1b[6n", "\x9b6n", "\u202eabc", "a\u200bb", "two\nlines", "\ud800"],
    ids=["OSC 52", "CSI", "C1", "bidi", "zero width", "line end", "surrogate"],
)
def test_details_are_made_printable(evil: str) -> None:
    for text in (
        say("chat", name=evil, text=evil),
        say("playing", game="g", me=evil, other=evil, options={evil: evil}),
    ):
        assert text.isprintable()
        assert text.encode()
    assert describe(RecordError(GameCode.TAG_TWICE, line=1, column=1, token=evil, tag=evil)).isprintable()
    assert describe(LocalError(Unworded.NEVER_WORDED, path=evil)).isprintable()


def test_templates_are_no_way_in() -> None:
    assert say("chat", name="{text}", text="{name.__class__}") == "{text}: {name.__class__}"


def test_plural() -> None:
    assert say("shanghaien:supply", count=1) == "1 die left"
    assert say("shanghaien:supply", count=0) == "0 dice left"


def test_listed() -> None:
    assert [listed([]), listed("a"), listed("ab"), listed("abc")] == ["nothing", "a", "a and b", "a, b and c"]


def test_an_error_is_described_with_its_place_and_what_is_possible() -> None:
    error = RecordError(GameCode.ILLEGAL_ACTION, line=7, column=12, token="34-5", action="-5", legal="-3 -4")
    text = describe(error)
    assert "Line 7, column 12" in text
    assert '"34-5"' in text
    assert '"-5"' in text
    assert "-3 -4" in text


@pytest.mark.parametrize("path", ["games/{}-guest.private", "games/{}-host.shlog.damaged", "{}-host.shlog"])
def test_the_path_of_a_game_is_read_by_the_first_digits(path: str) -> None:
    error = LocalError(StoreCode.FILE_TROUBLE, path=Path(path.format("078865ab" * 8)), reason="gone")
    assert describe(error) == f"{Path(path.format('078865ab…'))}: gone."


def test_other_paths_are_shown_whole() -> None:
    for path in ("078865ab" * 8, f"{'ab' * 40}.shlog", "078865ab-host.shlog"):
        assert describe(LocalError(StoreCode.NOT_OVERWRITTEN, path=Path(path))).startswith(f"{path} exists")


def test_a_long_token_is_shortened_and_none_left_out() -> None:
    assert len(describe(RecordError(GameCode.BAD_TAG, line=1, column=1, token="[" * 5000))) < 300
    assert describe(RecordError(GameCode.NO_GAME_TAG, line=1, column=1, token="")).startswith("Line 1: ")


def test_a_fault_stands_alone_and_within_another() -> None:
    assert describe(Illegal(FairplayCode.WRONG_STATE)) == "The entry's state hash does not match the position."
    inner = Illegal(FairplayCode.WRONG_STATE)
    outer = describe(Violation(SessionCode.PEER_BROKE_RULES, name="Ben", number=57, reason=inner))
    assert "Ben" in outer
    assert f"entry 57, {clause(inner)}." in outer
    assert describe(UsageError(NetCode.ADDRESS_PORT, address="a:b", port="b")).endswith(".")


def test_an_error_without_words_is_still_described() -> None:
    assert describe(Malformed(Unworded.NEVER_WORDED, detail=3)) == "Never_worded(detail=3)."


@pytest.mark.parametrize(
    ("name", "called"), [("shanghaien", "Shanghaien"), ("goes_on", "goes_on"), ("Chess\n", "Chess")]
)
def test_games_are_called_as_people_do(name: str, called: str) -> None:
    """Also where a peer names them; `game_goes_on` is the code of another sentence."""
    sentence = say("take_terms", name="Mira", game=name, settings={"Variant": "standard"})
    assert sentence.startswith(f"Mira proposes a game of {called}")
    assert "\n" not in sentence
