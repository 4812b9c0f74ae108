"""The results of an analysis along the moves of a game: costly decisions, and the curve of win probabilities."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rich.text import Text

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import Advise
from p2p_shanghaien.ui.full.cursor import Cursor
from p2p_shanghaien.ui.full.drawing import Canvas, clickable
from p2p_shanghaien.ui.review.lines import chances_title, signs, sums
from p2p_shanghaien.ui.review.plot import MARGIN, ROWS, Scale, plot
from p2p_shanghaien.ui.review.review import Review, percent, points
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.words import say

HERE: Final = "^"
"""Stands under the curve at the place shown."""


class Annotator(NamedTuple):
    """The functions that evaluate decisions: `advise` a single one, `analyse` a whole game."""

    advise: Advise
    analyse: Callable[[Record], Awaitable[Analysis]]


class Annotations:
    """`analysis` is of the game that `cursor` goes through."""

    def __init__(self, analysis: Analysis, cursor: Cursor) -> None:
        self.review = Review.of(cursor.record, analysis, cursor.game.viewpoint)
        self._cursor = cursor
        self._remarks: dict[int, list[str]] = defaultdict(list)
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what was found as the players are called now."""
        cursor = self._cursor
        self.review = replace(self.review, viewpoint=cursor.game.viewpoint)
        self._remarks.clear()
        for mark in self.review.marks():
            self._remarks[cursor.shown_after(mark.step)].append(mark.sentence)

    def remarks(self, at: int) -> Sequence[str]:
        """Return the sentences on the decisions at the place `at`."""
        return self._remarks.get(at, ())

    def mistake(self, *, before: bool) -> int | None:
        """The nearest costly decision's place, before or behind the one shown; None where there is none."""
        found = sorted(at for at in self._remarks if (at < self._cursor.at if before else at > self._cursor.at))
        return found[-1 if before else 0] if found else None

    def step(self, canvas: Canvas) -> Sequence[Text]:
        """Return the value of the position shown, what led there, and what was decided there."""
        cursor, charset, analysis = self._cursor, canvas.charset, self.review.analysis
        at, seats = cursor.at, self.review.viewpoint
        value = (analysis.steps[cursor.steps - 1].after if cursor.steps else analysis.start).to_player(seats.near)
        details = {"who": seats.who(seats.near), "chance": percent(value.chance), "points": points(value.points, "+")}
        lines = canvas.lines(say("review_here", **details), canvas.text_styles.strong)
        before = cursor.snapshots[at - 1].steps if at else 0
        after = cursor.snapshots[at + 1].steps if at + 1 < len(cursor.snapshots) else len(analysis.steps)
        decided = [each for each in analysis.steps[cursor.steps : after] if each.chosen]
        for code, steps in (
            ("review_led_here", analysis.steps[before : cursor.steps]),
            ("review_decided", decided),
        ):
            said = [sentence for each in steps for sentence in self.review.of_step(each)]
            if said:
                lines += canvas.lines(say(code), canvas.text_styles.quiet)
                lines += [
                    Text(f" {line}") for each in said for line in folded(charset.transliterate(each), canvas.width - 2)
                ]
        return lines

    def sums(self, canvas: Canvas) -> Sequence[Text]:
        """Return the sources of the result, and the quality of each player's decisions, as a table."""
        title, *table = sums(self.review, canvas.width)
        lines = [line for each in table for line in ([each] if isinstance(each, Text) else canvas.lines(each))]
        return [*canvas.lines(title, canvas.text_styles.strong), *lines]

    def curve(self, canvas: Canvas) -> Sequence[Text]:
        """Return the chance of winning over the game. A click goes to the place that lies there."""
        cursor = self._cursor
        scale = Scale(len(self.review.analysis.steps), canvas.width)
        head = canvas.lines(chances_title(self.review), canvas.text_styles.strong)
        lines = [Text(line) for line in plot(self.review, canvas.width)]
        lines.insert(ROWS, Text(" " * (MARGIN + scale.column(cursor.steps)) + HERE, canvas.text_styles.picked))
        foot = canvas.lines(signs(), canvas.text_styles.quiet)
        places = [str(cursor.shown_after(scale.step(column))) for column in range(scale.columns)]
        return [*head, *(self._leading(line, places) for line in lines), Text(), *foot]

    def _leading(self, line: Text, places: Sequence[str]) -> Text:
        """Return a line of the plot; a click on a column leads to its place."""
        row = Text.assemble(line, " " * (MARGIN + len(places) - line.cell_len))
        margin, *columns = row.divide(range(MARGIN, MARGIN + len(places)))
        return Text.assemble(margin, *map(clickable, columns, places))
