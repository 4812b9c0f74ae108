"""The sentences for the user, made from codes and details.

The templates are in tables: what every game says in `ui.sentences`, and the rest in `ui.command_sentences`,
`ui.error_sentences`, `ui.full_screen_sentences`, `ui.verifier_sentences` and others. A game's own are
in the `words` of its GameSpec; elsewhere their codes are prefixed with the game's name, as in `pig:rolled`. Nothing
else in the program contains text for users, so a translation (`ui.language`) replaces templates and touches no code.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import singledispatch
from importlib import import_module
from pathlib import PurePath
from typing import Final, cast
from unicodedata import combining, normalize

from p2p_shanghaien.errors import LocalError, RecordError, ShanghaienError
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.short_name import ShortName, ShortNames
from p2p_shanghaien.text import Listed, printable
from p2p_shanghaien.ui import language
from p2p_shanghaien.ui.language import Template

__all__ = ["Later", "clause", "describe", "listed", "say"]

_TABLES: Final = (
    "sentences",
    "command_sentences",
    "error_sentences",
    "full_screen_sentences",
    "analysis_sentences",
    "practice_sentences",
    "lesson_sentences",
    "verifier_sentences",
)


class _Shared(Iterable[Mapping[str, Template]]):
    """The sentences of each of `_TABLES`, imported when needed: most commands need only the first few."""

    def __iter__(self) -> Iterator[Mapping[str, Template]]:
        return (import_module(f"p2p_shanghaien.ui.{table}").WORDS for table in _TABLES)


SHARED: Final[Iterable[Mapping[str, Template]]] = _Shared()
"""The tables that belong to no game. No code is in two of them."""

_TABLE_OF: Final[dict[str, Mapping[str, Template]]] = {}
"""The table of each code of SHARED that has been said."""

MAX_PLAYER: Final = 20
"""The limit of characters of a player in a game's short name."""

_SESSION: Final = re.compile("([0-9a-f]{8})[0-9a-f]{56}(?=-(?:host|guest)\\.)")
"""The digits of a session in the name of a game's files: people read the first of them, as in its short name."""

_DIGEST: Final = re.compile(r"\b([0-9a-f]{8})[0-9a-f]{56}\b")
"""The digest in a setting, such as that of a deck: people read the first of its digits, programs compare it."""

MAX_TOKEN: Final = 40
"""The limit of characters of a record's token that are shown; a broken tag reaches to the end of its line."""


def say(code: str, /, **details: object) -> str:
    """Return the sentence for `code`, in the current language.

    A game's own code is prefixed with the game's name, `pig:rolled`. A code without a sentence is shown as it is, and
    so is a missing detail: tests find those, and no game stops because of one. Raises LocalError if a game's sentences
    cannot be loaded, or are no templates. Whatever a detail contains, the result is printable: peers and files supply
    many of them. The detail `game` may be a game's name.
    """
    owner, _, own = code.rpartition(":")
    words, domain = _words(code)
    if own not in words:
        return printable(code)
    try:
        return _filled(_translated(own, words[own], domain, details.get("count")), details)
    except ShanghaienError:
        raise
    except Exception as error:
        if not owner:
            raise
        raise GAMES.failed(owner, error) from error


def _translated(code: str, english: Template, domain: language.Domain, count: object) -> str:
    if isinstance(english, str):
        return language.translated(code, english, domain)
    return language.translated_plural(code, english, cast(int, count), domain)


def _filled(words: str, details: dict[str, object]) -> str:
    if isinstance(game := details.get("game"), str):
        details["game"] = game_name(game)
    reason = details.get("reason")
    if isinstance(reason, str):
        details["reason"] = language.of_system(reason)
    return words.format_map(_Details({name: shown(value) for name, value in details.items()}))


class _Details(dict[str, str]):
    """The details of a sentence, as they are shown; one that is missing shows its name."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


class Later:
    """Text that is looked up whenever it is shown, in the language of that moment."""

    def __init__(self, words: Callable[[], object]) -> None:
        self._words = words

    def __str__(self) -> str:
        return str(self._words())


def later(code: str, /, **details: object) -> Later:
    """Return the sentence of `code`, as `say` does, but looked up when it is shown."""
    return Later(lambda: say(code, **details))


def has_words(code: str) -> bool:
    """Return whether there is a sentence for `code`; there is none if a game's sentences cannot be loaded."""
    try:
        return code.rpartition(":")[2] in _words(code)[0]
    except LocalError:
        return False


def game_name(game: str) -> str:
    """Return the game's name on the box; one that is not installed, or has no sentences, keeps its technical name."""
    code = f"{game}:name"
    try:
        return say(code) if has_words(code) else game
    except LocalError:
        # sentences of other people's games: that they are missing is reported where the game is played
        return game


def typed(code: str) -> tuple[str, ...]:
    """Return the words for `code` that a user may type, in lower case: the language's own first, then English."""
    english = template(code)
    assert isinstance(english, str)
    return tuple(dict.fromkeys(f"{say(code)} {english}".split()))


def is_typed(text: str, code: str, /) -> bool:
    """Return whether `text` is one of the words for `code`, in upper or lower case, with its accents or without."""
    return unaccented(text) in map(unaccented, typed(code))


def template(code: str) -> Template:
    """Return the English sentence for `code`, or the code itself if there is none. Raises LocalError as `say`."""
    return _words(code)[0].get(code.rpartition(":")[2], code)


def raw(code: str, count: int | None = None) -> str:
    """Return the template for `code` in the current language, as it agrees with `count` if it is one of a pair."""
    own, domain = _words(code)
    return _translated(code, own[code], domain, count)


def _words(code: str) -> tuple[Mapping[str, Template], language.Domain]:
    """Return the table that has the sentence for `code`, if any, and the domain of its translations.

    A game that is not installed has none.
    """
    owner, _, own = code.rpartition(":")
    if not owner:
        if own not in _TABLE_OF and (table := next((table for table in SHARED if own in table), None)):
            _TABLE_OF[own] = table
        return _TABLE_OF.get(own, {}), language.PROGRAM
    from p2p_shanghaien.ui import game_words  # noqa: PLC0415 - sentences of no game need none of it

    try:
        return game_words.words(owner), game_words.domain(owner)
    except KeyError:
        return {}, language.PROGRAM


def describe(error: ShanghaienError) -> str:
    """Return the whole message of an error: what is wrong, where, and what to do."""
    text = clause(error)
    return text if text.endswith((".", "?", "!")) else say("sentence", start=text[:1].upper(), rest=text[1:])


def clause(error: ShanghaienError) -> str:
    """Return the message of an error within a sentence: most errors of files and entries are clauses.

    An error without a message (which tests rule out) is shown as its code and details.
    """
    if not has_words(error.code):
        return printable(error)
    try:
        reason = say(error.code, **error.details)
        if "legal" in error.details:
            reason = say("reason_and_legal", reason=reason, legal=error.details["legal"])
        if error.details.get("nearest"):
            reason = say("did_you_mean", reason=reason, name=error.details["nearest"])
        if not isinstance(error, RecordError):
            return reason
        if not error.token:
            return say("record_place", line=error.line, reason=reason)
        token = error.token if len(error.token) <= MAX_TOKEN else error.token[:MAX_TOKEN] + "..."
        return say("record_token", line=error.line, column=error.column, token=token, reason=reason)
    except LocalError:
        return printable(error)


def listed(items: Iterable[object]) -> str:
    """Return `a, b and c`, or the word for nothing."""
    parts = [str(item) for item in items]
    if len(parts) < 2:
        return parts[0] if parts else say("nothing")
    return say("and", first=", ".join(parts[:-1]), last=parts[-1])


def unaccented(text: str) -> str:
    """Return `text` in small letters without accents, by which typed words and names are compared."""
    return "".join(letter for letter in normalize("NFKD", text.casefold()) if not combining(letter))


@singledispatch
def shown(value: object) -> str:
    """Return a detail in words. Modules that can show further types of values register a function here."""
    return printable(value)


@shown.register
def _(value: ShanghaienError) -> str:
    return clause(value)


@shown.register(Mapping)
def _(value: Mapping[object, object]) -> str:
    return ", ".join(_DIGEST.sub(r"\1…", f"{shown(name)} {shown(each)}") for name, each in value.items())


@shown.register(tuple)
@shown.register(list)
def _(value: Iterable[object]) -> str:
    return ", ".join(map(shown, value))


@shown.register
def _(value: datetime) -> str:
    return f"{value:%Y-%m-%d %H:%M}"


@shown.register
def _(value: PurePath) -> str:
    return printable(_SESSION.sub(r"\1…", str(value)))


@shown.register
def _(value: ShortName) -> str:
    players = "–".join(map(_within_name, value.players))
    return " ".join(filter(None, (value.day.isoformat(), players, printable(value.digits))))


def _within_name(player: str) -> str:
    text = printable(player)
    return text if len(text) <= MAX_PLAYER else text[: MAX_PLAYER - 1].rstrip() + "…"


@shown.register
def _(value: ShortNames) -> str:
    return "; ".join(map(shown, value))


@shown.register
def _(value: Listed) -> str:
    return printable(listed(value))
