"""The view model: points of view, news, choices, and the interface of a game's table.

A game has a view of its own (for Shanghaien `games.shanghaien.display.view`): frozen values that come from a position
alone, so that plain mode, a full screen, a picture and a web page can all be drawn from the same values.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.api import S, S_contra, Step, Terminal
from p2p_shanghaien.games.record import UNKNOWN_NAME
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.lookalikes import look_alike
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.characters import ASCII, UNICODE, Charset
from p2p_shanghaien.ui.language import in_every_language
from p2p_shanghaien.ui.words import is_typed, say, template, unaccented

if TYPE_CHECKING:
    from p2p_shanghaien.ui.picture import Picture

__all__ = [
    "ASCII",
    "UNICODE",
    "Charset",
    "Choice",
    "News",
    "Question",
    "Table",
    "Viewpoint",
    "columns",
    "flowed",
    "meant_player",
    "of_players",
    "outcome",
    "rules_of",
    "viewpoint",
]

_WORD: Final = re.compile(r"\w\S*")
MAX_NAME: Final = 64
"""The cells of a name: 32 characters of two cells."""
MAX_LABEL: Final = 20
"""The cells of a player's label; whole names would crowd every sentence."""


class News(NamedTuple):
    """A sentence to be looked up: `ui.words.say(code, **details)`."""

    code: str
    details: Mapping[str, object] = {}

    def __str__(self) -> str:
        return say(self.code, **self.details)


@dataclass(frozen=True)
class Viewpoint:
    """The point of view of one screen. Pairs are indexed by player.

    `names` are printable; `labels` are also short and differ from each other; `near` is the player on the near side;
    `me` is the one addressed as "you", None for a mere observer.
    """

    names: tuple[str, str]
    labels: tuple[str, str]
    near: int
    me: int | None
    charset: Charset = UNICODE

    @property
    def far(self) -> int:
        """The player on the far side."""
        return 1 - self.near

    def who(self, player: int) -> str:
        """Return the name of `player` outside a sentence."""
        return self.charset.say("you") if player == self.me else self.labels[player]

    def mark(self, player: int) -> str:
        """Return the sign that points to the side of `player`."""
        return self.charset.near if player == self.near else self.charset.far

    def news(self, code: str, player: int, /, **details: object) -> News:
        """Return news about `player`: the words of `code`, or of `code_you` if that is the user."""
        return News(f"{code}_you" if player == self.me else code, {"who": self.labels[player], **details})


class Choice(NamedTuple):
    """A legal action: its notation, and its meaning in words."""

    action: str
    words: str
    key: str = ""
    """The text before it in a list, which may be typed for it; empty: its number in the list.

    Where actions are numbers themselves, each has a key: its number in the list would be another.
    """
    spellings: tuple[str, ...] = ()
    """Other texts that may be typed for it."""


class Question(NamedTuple):
    """A question about the table, which may be typed in plain mode at any time.

    `code` is that of the words that are typed for it, and `code` with `_help` that of a line of help that begins with
    the first of them.
    """

    code: str
    answer: "Callable[[Any, str, Viewpoint], Iterable[str]] | None" = None
    """Yields the answer in full sentences, from a position and what was typed after the word.

    None for a question that is the same in all games (`ui.questions`).
    """
    takes: bool = False
    """True if a number or a name may follow the word."""


class Table(Protocol[S_contra]):
    """The table of one game on a screen; `S_contra` is the type of its positions."""

    def news(self, before: S_contra, step: Step, after: S_contra, viewpoint: Viewpoint) -> Iterator[News]:
        """Yield the effects of `step`, as sentences; none if they are not known yet (a roll without its dice)."""
        ...

    @property
    def depth(self) -> int:
        """The number of numbers that name a place in the game, its parts apart: 2 for rounds and turns in them."""
        ...

    @property
    def first(self) -> int:
        """The last number of a step that opens a stage: 0 if that only lays it out, 1 if it is the first in it."""
        return 0

    def opens(self, before: S_contra, step: Step) -> int | None:
        """Return which of those numbers counts `step`, from 0, the outermost; None if it opens nothing.

        What the last but one counts, or the only one, is a stage of the game: a place to look around, and to step to.
        """
        ...

    def position(self, state: S_contra, viewpoint: Viewpoint) -> Sequence[Text]:
        """Return the table, line by line; at most 80 cells wide."""
        ...

    def overview(self, before: S_contra, step: Step, viewpoint: Viewpoint) -> Sequence[Text]:  # noqa: ARG002
        """Return the outcome of the stage that `step` ended, line by line; empty if it ended none.

        A game with such overviews names them: the words `overview`, `overview_key` and `overview_none`.
        """
        return ()

    def ending(self, state: S_contra, viewpoint: Viewpoint) -> Sequence[Text]:
        """Return the sources of the scores of a finished game, line by line."""
        ...

    def picture(
        self, state: S_contra, viewpoint: Viewpoint, before: S_contra | None = None, *, ended: bool = False
    ) -> "Picture":
        """Return the table, drawn and in words; nobody is to act if the game has `ended`, in whatever way.

        `before` is the position a step earlier, if there was one: a stage that ended by that step is shown with its
        outcome, and a finished game with the reasons for its scores.
        """
        ...

    def choices(self, state: S_contra, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:
        """Return the legal actions of `player` in words, in the order in which they are offered."""
        ...

    def summary(self, state: S_contra, player: int, viewpoint: Viewpoint) -> Sequence[str]:  # noqa: ARG002
        """Return lines in place of the list of choices, where that would be too long; elsewhere nothing."""
        return ()

    def task(self, state: S_contra, player: int, viewpoint: Viewpoint) -> str:  # noqa: ARG002
        """Return what `player` is to decide, in a sentence, where the choices alone do not say it; else nothing."""
        return ""

    def is_untold(self, before: S_contra, step: Step, after: S_contra) -> bool:  # noqa: ARG002
        """Return whether `step` changed more than its news says, so that plain mode shows the whole table again."""
        return opens_stage(self, before, step)

    @property
    def questions(self) -> Sequence[Question]:
        """The game's own questions about the table; every game has those of `ui.questions` as well."""
        return ()

    def points(self, state: S_contra) -> tuple[int, int] | None:  # noqa: ARG002
        """Return what each player would score if the game ended now, or None if the game does not know."""
        return None

    def refusal(self, state: S_contra, player: int, text: str) -> News:
        """Return why `text`, typed by `player`, is none of the legal actions."""
        ...

    def legend(self, viewpoint: Viewpoint) -> Sequence[str]:
        """Return an explanation of a position: a sentence or two for each part that needs one."""
        ...

    @property
    def rules(self) -> Iterable[str]:
        """The codes of the paragraphs of the rules help, each at most 80 columns wide; the last says what to type."""
        ...


def table_of(game: str) -> Table[Any]:
    """Return the table of the game of that name. Raises KeyError for an unknown one, LocalError for a broken one."""
    found: Table[Any] = GAMES[game].table.load()
    return found


def rules_of(game: str) -> str:
    """Return the rules help of the game of that name, and at its end how to learn them. Raises as `table_of`."""
    paragraphs = "\n\n".join(say(f"{game}:{code}") for code in table_of(game).rules)
    rules = f"{paragraphs}\n{say('rules_commands')}\n"
    return f"{rules}\n\n{say('rules_learn', name=game)}" if GAMES[game].lesson else rules


def told(table: Table[S], before: S, step: Step, after: S, viewpoint: Viewpoint) -> str:
    """Return the effects of `step` in sentences; empty if nothing can be said yet."""
    return " ".join(map(str, table.news(before, step, after, viewpoint)))


def columns(
    cells: Iterable[str | Text], widths: Sequence[int], align: Literal["left", "center", "right"] = "right"
) -> Text:
    """Return cells beside each other: the first at the left of its column, the others aligned as asked."""
    line = Text()
    for index, (cell, width) in enumerate(zip(cells, widths, strict=True)):
        text = Text(cell) if isinstance(cell, str) else cell
        text.align(align if index else "left", width)
        line.append_text(text)
    # a coloured margin must not be trimmed
    seen = max([len(line.plain.rstrip()), *(span.end for span in line.spans)])
    return line[:seen]


def flowed(start: str, pieces: Iterable[str | Text], width: int, between: str = " ") -> Iterator[Text]:
    """Yield pieces beside each other behind `start`, in lines of at most `width` cells; further lines are indented."""
    line, empty = Text(start), True
    for piece in pieces:
        text = Text(piece) if isinstance(piece, str) else piece
        if not empty and line.cell_len + cell_len(between) + text.cell_len > width:
            yield line
            line, empty = Text(" " * cell_len(start)), True
        line.append("" if empty else between).append_text(text)
        empty = False
    yield line


def opens_stage(table: Table[S], before: S, step: Step) -> bool:
    """Return whether a stage of the game begins with `step`."""
    opened = table.opens(before, step)
    return opened is not None and opened <= max(table.depth - 2, 0)


def viewpoint(names: tuple[str, str], me: int | None, charset: Charset = UNICODE) -> Viewpoint:
    """Return the point of view of `me` on players called `names`, whatever a peer or a record has put there."""
    first, second = (charset.cut(charset.transliterate(printable(" ".join(name.split()))), MAX_NAME) for name in names)
    labels = [charset.cut(name, MAX_LABEL) for name in (first, second)]
    taken = (UNKNOWN_NAME, *in_every_language("you", template("you")))
    labels = [
        say("player_number", number=number)
        if not cell_len(label) or any(look_alike(label, word) for word in taken)
        else label
        for number, label in enumerate(labels, start=1)
    ]
    if look_alike(*labels):
        labels = [f"{charset.cut(label, MAX_LABEL - 4)} ({i})" for i, label in enumerate(labels, start=1)]
    return Viewpoint((first, second), (labels[0], labels[1]), me or 0, me, charset)


def meant_player(text: str, viewpoint: Viewpoint) -> "int | News":
    """Return the player that `text` means: the user, or whose name it is or begins; or why it means nobody."""
    if viewpoint.me is not None and is_typed(text, "word_me"):
        return viewpoint.me
    folded = unaccented(text)
    called = [{unaccented(name[player]) for name in (viewpoint.names, viewpoint.labels)} for player in (0, 1)]
    # a doubtful name is quoted behind another word
    words = [{word for name in names for word in _WORD.findall(name)} for names in called]
    found: list[int] = []
    for known, whole in ((called, True), (called, False), (words, False)):
        fits = [player for player in (0, 1) if any(_fits(folded, name, whole=whole) for name in known[player])]
        found = found or fits
    if len(found) == 1:
        return found[0]
    details = {"text": text, "first": viewpoint.labels[viewpoint.near], "second": viewpoint.labels[viewpoint.far]}
    return News("name_of_both" if found else "name_of_neither", details)


def of_players(about: str, viewpoint: Viewpoint, tell: Callable[[int], Iterable[str]]) -> Iterator[str]:
    """Yield what `tell` says of the player whom `about` means, or why that is nobody; of both if it is empty."""
    meant = meant_player(about, viewpoint) if about else None
    if isinstance(meant, News):
        yield str(meant)
        return
    for player in (viewpoint.far, viewpoint.near) if meant is None else (meant,):
        yield " ".join(tell(player))


def _fits(text: str, name: str, *, whole: bool) -> bool:
    return name == text if whole else bool(text) and name.startswith(text)


def outcome(over: Terminal, viewpoint: Viewpoint) -> News:
    """Return the outcome of a game, the near side's score first."""
    near, far = over.scores[viewpoint.near], over.scores[viewpoint.far]
    if over.winner is None:
        return News("game_drawn", {"near": near, "far": far})
    return viewpoint.news("game_won", over.winner, near=near, far=far)
