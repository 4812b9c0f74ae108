"""What is shown, apart from how: who sits where, news, choices, and what a game's table must provide.

A game's own view (for Shanghaien `tables.shanghaien.view`) is made of frozen values that come from a position alone, so
that line mode, a full screen, a picture and a web page can all be drawn from the same view.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from rich.cells import cell_len

from p2p_shanghaien.games.api import S, S_contra, Step, Terminal
from p2p_shanghaien.games.record import UNKNOWN_NAME
from p2p_shanghaien.lookalikes import look_alike
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.characters import ASCII, UNICODE, Symbols, ascii_text, cut
from p2p_shanghaien.ui.language import in_every_language
from p2p_shanghaien.ui.words import say, template

if TYPE_CHECKING:
    from rich.text import Text

    from p2p_shanghaien.ui.picture import Picture

__all__ = [
    "ASCII",
    "UNICODE",
    "Choice",
    "News",
    "Seating",
    "Symbols",
    "Table",
    "ascii_text",
    "cut",
    "outcome",
    "seating",
]

MAX_NAME: Final = 64
"""Cells of a name: 32 characters of two cells."""
MAX_LABEL: Final = 20
"""Cells of a player's label; whole names would crowd every sentence."""


class News(NamedTuple):
    """A sentence to be: `ui.words.say(code, **details)`."""

    code: str
    details: Mapping[str, object] = {}

    def __str__(self) -> str:
        return say(self.code, **self.details)


@dataclass(frozen=True)
class Seating:
    """Who sits where, as one screen has it. Pairs are indexed by player.

    `names` are printable, `labels` are short as well and different from each other; `near` is the player on the near
    side; `me` is the one who is addressed as "you", None where somebody merely watches.
    """

    names: tuple[str, str]
    labels: tuple[str, str]
    near: int
    me: int | None
    symbols: Symbols = UNICODE
    fit: Callable[[str], str] = str
    """Puts words into the characters that can be shown."""

    @property
    def far(self) -> int:
        """The player on the far side."""
        return 1 - self.near

    def who(self, player: int) -> str:
        """What `player` is called outside a sentence."""
        return self.say("you") if player == self.me else self.labels[player]

    def say(self, code: str, /, **details: object) -> str:
        """The words for `code`, for a place in a drawing: lines of text are fitted as a whole."""
        return self.fit(say(code, **details))

    def news(self, code: str, player: int, /, **details: object) -> News:
        """News of what `player` did: the words of `code`, or of `code_you` where that is the person who looks."""
        return News(f"{code}_you" if player == self.me else code, {"who": self.labels[player], **details})

    def cut(self, text: str, cells: int) -> str:
        """`text`, shortened where it is wider than `cells`."""
        return cut(text, cells, self.symbols.cut)


class Choice(NamedTuple):
    """An action that is open: its notation, and what it means in words."""

    action: str
    words: str


class Table(Protocol[S_contra]):
    """What is particular to one game on a screen; `S_contra` is the type of its positions."""

    def news(self, before: S_contra, step: Step, after: S_contra, seating: Seating) -> Iterator[News]:
        """What `step` did, as sentences; none where nothing can be told yet (a roll whose dice are not known)."""
        ...

    @property
    def depth(self) -> int:
        """How many numbers name a place in the game, its parts apart: 2 where it has rounds, and turns in them."""
        ...

    def opens(self, before: S_contra, step: Step) -> int | None:
        """Return which of those numbers counts `step`, from 0, the outermost; None where it opens nothing.

        What the last but one counts, or the only one, is a stage of the game: a place to look around, and to step to.
        """
        ...

    def position(self, state: S_contra, seating: Seating) -> "Sequence[Text]":
        """The table as it lies, line by line; at most 80 cells wide."""
        ...

    def overview(self, before: S_contra, step: Step, seating: Seating) -> "Sequence[Text]":
        """How the stage that `step` ended came out, line by line; empty where it ended none.

        A game that has such overviews names them: the words `overview`, `overview_key` and `overview_none`.
        """
        ...

    def ending(self, state: S_contra, seating: Seating) -> "Sequence[Text]":
        """How the scores of a finished game come about, line by line."""
        ...

    def picture(
        self, state: S_contra, seating: Seating, before: S_contra | None = None, *, ended: bool = False
    ) -> "Picture":
        """The table as it lies, drawn and in words; nobody is to act where the game has `ended`, by whatever.

        `before` is the position a step earlier, where there was one: a stage that ended by that step is shown as it
        came out, and a finished game with the reasons for its scores.
        """
        ...

    def choices(self, state: S_contra, player: int, legal: Sequence[str], seating: Seating) -> Sequence[Choice]:
        """`legal` in words, in the order in which they are offered."""
        ...

    def refusal(self, state: S_contra, player: int, text: str) -> News:
        """Why `text`, typed by `player`, is none of the legal actions."""
        ...

    def legend(self, seating: Seating) -> Sequence[str]:
        """How to read a position: a sentence or two for each thing that needs one."""
        ...

    def rules(self) -> str:
        """The rules help, in paragraphs of at most 80 columns."""
        ...


def opens_stage(table: Table[S], before: S, step: Step) -> bool:
    """Return whether a stage of the game begins with `step`."""
    opened = table.opens(before, step)
    return opened is not None and opened <= max(table.depth - 2, 0)


def seating(
    names: tuple[str, str], me: int | None, symbols: Symbols = UNICODE, fit: Callable[[str], str] = str
) -> Seating:
    """The seating of players called `names`, whatever a peer or a record has put there.

    `fit` puts a name into the characters that can be shown.
    """
    first, second = (cut(fit(printable(" ".join(name.split()))), MAX_NAME, symbols.cut) for name in names)
    labels = [cut(name, MAX_LABEL, symbols.cut) for name in (first, second)]
    taken = (UNKNOWN_NAME, *in_every_language("you", template("you")))
    labels = [
        say("player_number", number=number)
        if not cell_len(label) or any(look_alike(label, word) for word in taken)
        else label
        for number, label in enumerate(labels, start=1)
    ]
    if look_alike(*labels):
        labels = [f"{cut(label, MAX_LABEL - 4, symbols.cut)} ({i})" for i, label in enumerate(labels, start=1)]
    return Seating((first, second), (labels[0], labels[1]), me or 0, me, symbols, fit)


def outcome(over: Terminal, seating: Seating) -> News:
    """How a game ended, the near side's score first."""
    near, far = over.scores[seating.near], over.scores[seating.far]
    if over.winner is None:
        return News("game_drawn", {"near": near, "far": far})
    return seating.news("game_won", over.winner, near=near, far=far)
