"""Watching a game that is being played, by its log: what is appended is verified first, and then told."""

import asyncio
from typing import Final

from p2p_shanghaien.app.library import UNFINISHED, GameFile, Growing, watch
from p2p_shanghaien.cli.lifecycle import attended
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.api import State, Terminal, advance
from p2p_shanghaien.ui.line import LineTable
from p2p_shanghaien.ui.stepper import tell_end
from p2p_shanghaien.ui.verdicts import summary

PAUSE: Final = 0.2
"""Seconds between two looks at the log."""


class _Telling:
    """How far a growing game has been told."""

    def __init__(self, line: LineTable) -> None:
        self._line = line
        self._steps = 0
        self._state: State | None = None

    def tell(self, report: Report) -> None:
        """Tell what `report` has that has not been told. Who is who is known once the opening draw is."""
        record = report.record()
        state = self._state
        if report.steps and state is None:
            self._line.begun(record.game, record.names, None)
        for step in report.steps[self._steps :]:
            before = record.game.start() if state is None else state
            state = advance(before, step)
            self._line.stepped(before, step, state)
        self._state, self._steps = state, len(report.steps)
        if record.ended:
            tell_end(record, self._line)

    def show(self) -> None:
        """Draw the table as it lies now, if anything does."""
        if self._state and not isinstance(self._state.node, Terminal):
            self._line.show_position(self._state)


async def _tell_on(log: Growing, telling: _Telling) -> bool:
    """Tell the rest of the game as its log grows, until that is over; True."""
    while not log.is_over():
        await asyncio.sleep(PAUSE)
        if log.look():
            telling.tell(log.report)
    return True


def follow(file: str, game: GameFile, ascii_only: bool, *, forever: bool) -> GameFile:
    """Tell the game from its beginning, then on as it goes; what has become of it when that ends.

    It ends as `Growing` does, or by Ctrl-C. Raises UsageError, LocalError, InvalidFile.
    """
    log = watch(game, forever=forever)
    line = LineTable(ascii_only=ascii_only or None)
    line.told("verdict_line", file=file, verdict=summary(log.report))
    telling = _Telling(line)
    telling.tell(log.report)
    if log.is_over():
        return game
    telling.show()
    line.told("following")
    if attended(_tell_on(log, telling)) is None:
        line.told("following_stopped")
    elif log.report.verdict in UNFINISHED:
        line.told("following_over")
    line.told("verdict_line", file=file, verdict=summary(log.report))
    return game.grown(log.report)
