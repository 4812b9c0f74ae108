"""What an analysis has found, along a walk through the game: costly decisions, and the curve of chances."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import Advise
from p2p_shanghaien.ui.full.parts import Drawing, Ink, Spot
from p2p_shanghaien.ui.full.walk import Walk
from p2p_shanghaien.ui.review.lines import chances_title, decision, signs
from p2p_shanghaien.ui.review.plot import MARGIN, ROWS, Scale, plot
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.stops import places

HERE: Final = "^"
"""Stands under the curve at the place shown."""


class Critic(NamedTuple):
    """Who is asked about decisions: `advise` about a single one, `analyse` about a whole game."""

    advise: Advise
    analyse: Callable[[Record], Awaitable[Analysis]]


class Critique:
    """`analysis` is of the game that `walk` goes through."""

    def __init__(self, analysis: Analysis, walk: Walk) -> None:
        self._analysis = analysis
        self._walk = walk
        self._where = list(places(walk.record))
        self._remarks: dict[int, list[str]] = defaultdict(list)
        self.put_into_words()

    def put_into_words(self) -> None:
        """Say what was found as the players are called now."""
        walk, game = self._walk, self._walk.game
        positions = list(walk.record.positions())
        self._remarks.clear()
        for annotated, place in zip(self._analysis.steps, self._where, strict=True):
            for chosen in annotated.chosen:
                if chosen.grade:
                    sentence = decision(chosen, place, positions[annotated.step], game.table, game.seating)
                    self._remarks[walk.shown_after(annotated.step)].append(sentence)

    def remarks(self, at: int) -> Sequence[str]:
        """What is to be said of the decisions for which one stands at the place `at`."""
        return self._remarks.get(at, ())

    def mistake(self, *, before: bool) -> int | None:
        """The nearest costly decision's place, before or behind the one shown; None where there is none."""
        found = sorted(at for at in self._remarks if (at < self._walk.at if before else at > self._walk.at))
        return found[-1 if before else 0] if found else None

    def curve(self, width: int, ink: Ink) -> Drawing:
        """The chance of winning over the game. A click goes to the place that lies there."""
        walk, seats = self._walk, self._walk.game.seating
        scale = Scale(len(self._analysis.steps), width)
        title = chances_title(walk.record, self._where, seats)
        head = [Text(line, ink.strong) for line in folded(walk.presenter.fit(title), width)]
        lines = [Text(line) for line in plot(self._analysis, self._where, seats, width)]
        lines.insert(ROWS, Text(" " * (MARGIN + scale.column(walk.steps)) + HERE, ink.picked))
        foot = [Text(line, ink.quiet) for line in folded(walk.presenter.fit(signs()), width)]
        spots = [
            Spot(MARGIN + column, len(head), 1, len(lines), (str(walk.shown_after(scale.step(column))),))
            for column in range(scale.columns)
        ]
        return Drawing([*head, *lines, Text(), *foot], spots)
