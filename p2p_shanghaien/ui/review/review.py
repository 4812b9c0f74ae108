"""An analysed game as those at the table call its players, and the sentences about its steps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from p2p_shanghaien.analysis.annotate import GAME, POINT, Analysis, Annotated, Decision
from p2p_shanghaien.games.api import Acted, Chosen, State
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.snapshots import MoveNumber, move_numbers
from p2p_shanghaien.ui.view import Table, Viewpoint, table_of, told
from p2p_shanghaien.ui.words import say


class Mark(NamedTuple):
    """A decision with a cost, the number of its step, and a sentence about it."""

    step: int
    decision: Decision
    sentence: str


@dataclass(frozen=True)
class Review:
    """The game on `record` with its `analysis`.

    `places` has the place of each step, `positions` the position before the first and after each.
    """

    record: Record
    analysis: Analysis
    viewpoint: Viewpoint
    places: Sequence[MoveNumber]
    positions: Sequence[State]

    @classmethod
    def of(cls, record: Record, analysis: Analysis, viewpoint: Viewpoint) -> "Review":
        """Return the review of an analysed game."""
        return cls(record, analysis, viewpoint, tuple(move_numbers(record)), tuple(record.positions()))

    @property
    def table(self) -> Table[Any]:
        """The table of the game."""
        return table_of(self.record.game.NAME)

    def stages(self) -> Iterator[tuple[MoveNumber, Sequence[Annotated]]]:
        """Yield the steps of each stage of the game, and the place of the first."""
        for _, steps in groupby(self.analysis.steps, lambda each: self.places[each.step].stage):
            stage = tuple(steps)
            yield self.places[stage[0].step], stage

    def stage(self, place: MoveNumber) -> str:
        """Return the name of the stage in which this place is."""
        return say(f"{self.record.game.NAME}:stage_number", number=place.stage_number)

    def of_step(self, annotated: Annotated, *, everything: bool = True) -> Iterator[str]:
        """Yield the decisions of a step and their costs, and the luck of its draw or the matchup of its choices.

        Without `everything`, only the bad decisions.
        """
        for chosen in annotated.chosen:
            if everything or chosen.grade:
                yield self.decision(annotated.step, chosen)
        step = self.record.steps[annotated.step]
        if everything and not isinstance(step, Acted):
            player = self.viewpoint.near if annotated.player is None else annotated.player
            yield self.changed("review_matchup_had" if isinstance(step, Chosen) else "review_luck", annotated, player)

    def marks(self) -> Iterator[Mark]:
        """Yield the decisions with a grade."""
        for annotated in self.analysis.steps:
            for chosen in annotated.chosen:
                if chosen.grade:
                    yield Mark(annotated.step, chosen, self.decision(annotated.step, chosen))

    def decision(self, step: int, decided: Decision) -> str:
        """Return the action decided on in that step, the better one, and the cost."""
        choices = self.table.choices(self.positions[step], decided.player, self.viewpoint)
        meanings = {choice.action: choice.words for choice in choices}
        as_good = percent(decided.cost.chance) == percent(0)
        return say(
            f"review_{'decision' if as_good else decided.grade or 'cost'}",
            place=str(self.places[step]),
            who=self.viewpoint.who(decided.player),
            action=decided.action,
            words=meanings[decided.action],
            best=decided.best,
            better=meanings[decided.best],
            chance=percent(decided.cost.chance),
            points=points(decided.cost.points),
        )

    def changed(self, code: str, annotated: Annotated, player: int) -> str:
        """Return what a draw, or simultaneous choices, changed for `player`, in the sentence of `code`."""
        step = annotated.step
        before, after = self.positions[step : step + 2]
        chance, lead = annotated.change.change_to(annotated.player).change_to(player)
        return say(
            code,
            place=str(self.places[step]),
            told=told(self.table, before, self.record.steps[step], after, self.viewpoint),
            who=self.viewpoint.who(player),
            chance=percent(chance, sign="+"),
            points=points(lead, sign="+"),
        )


def percent(millionths: int, digits: int = 1, sign: str = "") -> str:
    """Return a probability, or a change of one, in percent; with `+` also for a rise."""
    return f"{100 * millionths / GAME:{sign}z.{digits}f}"


def points(thousandths: int, sign: str = "") -> str:
    """Return points, or a change of them."""
    return f"{thousandths / POINT:{sign}z.2f}"
