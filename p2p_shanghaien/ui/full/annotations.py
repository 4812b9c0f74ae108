"""The results of an analysis along the moves of a game: costly decisions, and the curve of win probabilities."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import Advise
from p2p_shanghaien.ui.full.cursor import Cursor
from p2p_shanghaien.ui.full.drawing import Canvas, Drawing, HitRegion
from p2p_shanghaien.ui.review.lines import chances_title, marks, signs
from p2p_shanghaien.ui.review.plot import MARGIN, ROWS, Scale, plot
from p2p_shanghaien.ui.snapshots import move_numbers

HERE: Final = "^"
"""Stands under the curve at the place shown."""


class Annotator(NamedTuple):
    """The functions that evaluate decisions: `advise` a single one, `analyse` a whole game."""

    advise: Advise
    analyse: Callable[[Record], Awaitable[Analysis]]


class Annotations:
    """`analysis` is of the game that `cursor` goes through."""

    def __init__(self, analysis: Analysis, cursor: Cursor) -> None:
        self.analysis = analysis
        self._cursor = cursor
        self._where = list(move_numbers(cursor.record))
        self._remarks: dict[int, list[str]] = defaultdict(list)
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what was found as the players are called now."""
        cursor = self._cursor
        self._remarks.clear()
        for mark in marks(cursor.record, self.analysis, cursor.game.seating):
            self._remarks[cursor.shown_after(mark.step)].append(mark.sentence)

    def remarks(self, at: int) -> Sequence[str]:
        """Return the sentences on the decisions at the place `at`."""
        return self._remarks.get(at, ())

    def mistake(self, *, before: bool) -> int | None:
        """The nearest costly decision's place, before or behind the one shown; None where there is none."""
        found = sorted(at for at in self._remarks if (at < self._cursor.at if before else at > self._cursor.at))
        return found[-1 if before else 0] if found else None

    def curve(self, canvas: Canvas) -> Drawing:
        """The chance of winning over the game. A click goes to the place that lies there."""
        cursor, seats = self._cursor, self._cursor.game.seating
        scale = Scale(len(self.analysis.steps), canvas.width)
        title = chances_title(cursor.record, self._where, seats)
        head = canvas.lines(title, canvas.text_styles.strong)
        lines = [Text(line) for line in plot(self.analysis, self._where, seats, canvas.width)]
        lines.insert(ROWS, Text(" " * (MARGIN + scale.column(cursor.steps)) + HERE, canvas.text_styles.picked))
        foot = canvas.lines(signs(), canvas.text_styles.quiet)
        regions = [
            HitRegion(MARGIN + column, len(head), 1, len(lines), (str(cursor.shown_after(scale.step(column))),))
            for column in range(scale.columns)
        ]
        return Drawing([*head, *lines, Text(), *foot], regions)
