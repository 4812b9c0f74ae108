"""Every sentence a person reads, made from a code and its details.

The templates stand in tables: what every game shares in `ui.sentences`, the command line's in `ui.commands`, what goes
wrong in `ui.faults` and `ui.repairs`, the full screen's in `ui.full.words`, analysed games' in `ui.review.words`. A
game's own are in the `words` of its GameSpec; their codes have the game's name in front wherever they are said, as in
`pig:rolled`. Nothing else in the program holds text for people, so a translation (`ui.language`) replaces templates and
touches no code.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias, cast
from unicodedata import combining, normalize

from p2p_shanghaien.errors import LocalError, RecordError, ShanghaienError
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui import language

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["Template", "clause", "describe", "listed", "say"]

Template: TypeAlias = str | tuple[str, str]
"""Text with `{detail}` in it; a pair is the singular and the plural, chosen by the detail `count`."""

_TABLES: Final = ("sentences", "commands", "faults", "repairs", "full.words", "review.words")


class _Shared(Iterable[Mapping[str, Template]]):
    """The words of each of `_TABLES`, imported when they are come to: most commands need the first few alone."""

    def __iter__(self) -> Iterator[Mapping[str, Template]]:
        return (import_module(f"p2p_shanghaien.ui.{table}").WORDS for table in _TABLES)


SHARED: Final[Iterable[Mapping[str, Template]]] = _Shared()
"""The tables that belong to no game. No code stands in two of them."""

MAX_TOKEN: Final = 40
"""Characters of a record's token that are shown; a broken tag reaches to the end of its line."""


def say(code: str, /, **details: object) -> str:
    """Return the sentence that `code` stands for. Raises LookupError for a code, or a detail, that has no words.

    A game's own code has the game's name in front, `pig:rolled`; raises LocalError instead where that game's words
    cannot be loaded, or lack the code, or the details do not fit them. Whatever a detail holds, the result is
    printable: peers and files supply many of them. The detail `game` may be a game's name.
    """
    owner, _, own = code.rpartition(":")
    try:
        return _said(owner, own, details)
    except ShanghaienError:
        raise
    except Exception as error:
        games = _tables().GAMES
        if owner not in games:
            raise
        raise games.failed(owner, error) from error


def _said(owner: str, own: str, details: dict[str, object]) -> str:
    english = template(f"{owner}:{own}" if owner else own)
    domain = _tables().domain(owner) if owner else language.PROGRAM
    if isinstance(english, str):
        words = language.translated(own, english, domain)
    else:
        words = language.translated_plural(own, english, cast(int, details["count"]), domain)
    if isinstance(game := details.get("game"), str):
        details["game"] = called(game)
    reason = details.get("reason")
    if isinstance(reason, str):
        details["reason"] = language.of_system(reason)
    return words.format_map({name: shown(value) for name, value in details.items()})


def called(game: str) -> str:
    """Return what people call the game of that name; one that is not installed, or has no words, keeps its name."""
    try:
        return say(f"{game}:name")
    except (LookupError, LocalError):
        # the words of other people's games; that they are missing is told where the game is played
        return game


def typed(code: str) -> tuple[str, ...]:
    """The words that a person may type for `code`, in small letters: the language's own first, then English's."""
    english = template(code)
    assert isinstance(english, str)
    return tuple(dict.fromkeys(f"{say(code)} {english}".split()))


def is_typed(text: str, code: str, /) -> bool:
    """Whether `text` is one of the words for `code`, in capital or small letters, with its accents or without."""
    return _plain(text) in map(_plain, typed(code))


def template(code: str) -> Template:
    """Return the English words for `code`, wherever they stand. Raises LookupError, and LocalError as `say`."""
    owner, _, own = code.rpartition(":")
    for words in [_tables().words(owner)] if owner else SHARED:
        if own in words:
            return words[own]
    raise LookupError(f"no words for the code {code!r}")


def describe(error: ShanghaienError) -> str:
    """What is wrong, where, and what to do: a whole message."""
    text = clause(error)
    return text if text.endswith((".", "?", "!")) else say("sentence", start=text[:1].upper(), rest=text[1:])


def clause(error: ShanghaienError) -> str:
    """What is wrong, as it stands within a sentence: the words of most faults of files and entries are no sentence yet.

    An error without words (which tests rule out) is shown as its code rather than as a second error.
    """
    try:
        reason = say(error.sentence, **error.details)
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
    except (LookupError, LocalError):
        return printable(error)


def listed(items: Iterable[object]) -> str:
    """`a, b and c`, or the word for nothing."""
    parts = [str(item) for item in items]
    if len(parts) < 2:
        return parts[0] if parts else say("nothing")
    return say("and", first=", ".join(parts[:-1]), last=parts[-1])


def _tables() -> "ModuleType":
    # whoever needs no game's words need not look for games
    return import_module("p2p_shanghaien.ui.tables")


def _plain(text: str) -> str:
    return "".join(letter for letter in normalize("NFKD", text.casefold()) if not combining(letter))


@singledispatch
def shown(value: object) -> str:
    """Return a detail in words. Those who can put further kinds of values into words register a function here."""
    return printable(value)


@shown.register
def _(value: ShanghaienError) -> str:
    return clause(value)


@shown.register(Mapping)
def _(value: Mapping[object, object]) -> str:
    return ", ".join(f"{shown(name)} {shown(each)}" for name, each in value.items())


@shown.register(tuple)
@shown.register(list)
def _(value: Iterable[object]) -> str:
    return ", ".join(map(shown, value))
