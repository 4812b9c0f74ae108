"""A game that has just ended at a table, to look back on: its log, and its analysis where there can be one."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import Advise, has_evaluator
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.view import Viewpoint


class FinishedGame(NamedTuple):
    """An ended game; `name` is what a command calls it. `analysis` is None if nothing evaluates its positions."""

    name: str
    record: Record
    analysis: Analysis | None

    def review(self, viewpoint: Viewpoint) -> Review | None:
        """Return the review of the game as `viewpoint` calls its players, if it has been analysed."""
        return Review.of(self.record, self.analysis, viewpoint) if self.analysis else None


class PostGame(NamedTuple):
    """Access to the game that has ended last at this table.

    `report` verifies its log, and gives what a command calls it; `analyse` analyses it. Neither holds up the event
    loop. `advise` gives hints on games of that name: there is nothing left to be decided.
    `step_through` lets the person step through a record at a `ui.plain.PlainTable`.
    """

    report: Callable[[], Awaitable[tuple[str, Report]]]
    analyse: Callable[[Record], Awaitable[Analysis]]
    advise: Callable[[str], Advise]
    step_through: Callable[[Record, Any], Awaitable[None]]

    async def game(self) -> FinishedGame:
        """Return the game with its analysis. Raises LocalError."""
        name, report = await self.report()
        record = report.record()
        return FinishedGame(name, record, await self.analyse(record) if has_evaluator(record.game.NAME) else None)
