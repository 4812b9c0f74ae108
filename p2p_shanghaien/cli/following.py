"""Watching a game that is being played, by its log: what is appended is verified first, and then told."""

import asyncio
from pathlib import Path
from typing import Final

from p2p_shanghaien.cli.reading import GameOnFile, check_usable
from p2p_shanghaien.cli.reports import UNFINISHED
from p2p_shanghaien.cli.running import attended
from p2p_shanghaien.errors import UsageError
from p2p_shanghaien.fairplay.verify import Report, extended
from p2p_shanghaien.games.api import Over, State, advance
from p2p_shanghaien.store.files import STDIN
from p2p_shanghaien.store.logs import is_played, read_on
from p2p_shanghaien.ui.line import LineTable
from p2p_shanghaien.ui.stepper import tell_end
from p2p_shanghaien.ui.verdicts import summary

PAUSE: Final = 0.2
"""Seconds between two looks at the log."""
QUIET: Final = 10
"""After so many looks without anything new it is asked whether anybody still plays."""


class _Telling:
    """How far a growing game has been told."""

    def __init__(self, line: LineTable) -> None:
        self._line = line
        self._steps = 0
        self._state: State | None = None

    def tell(self, report: Report) -> None:
        """Tell what `report` has that has not been told. Who is who is known once the opening draw is."""
        record = report.record()
        if self._state is None and report.steps:
            self._state = record.game.start()
            self._line.begun(record.game, record.names, None)
        for step in report.steps[self._steps :]:
            assert self._state is not None
            after = advance(self._state, step)
            self._line.stepped(self._state, step, after)
            self._state = after
        self._steps = len(report.steps)
        if record.ended:
            tell_end(record, self._line)

    def show(self) -> None:
        """Draw the table as it lies now, if anything does."""
        if self._state and not isinstance(self._state.waits, Over):
            self._line.show_position(self._state)


class Growing:
    """The log of a game that goes on: `report` is what it has proved so far. Nothing but the log is read.

    It is over with the game, or (not if `forever`) with the program that plays it.
    """

    def __init__(self, path: Path, data: bytes, report: Report, *, forever: bool) -> None:
        self.report = report
        self._path = path
        self._forever = forever
        self._torn = data[len(data) - report.torn :]
        self._end = len(data) - report.torn
        self._quiet = 0

    def is_over(self) -> bool:
        """Whether nothing more is to be expected of it."""
        return self.report.verdict not in UNFINISHED or self.is_left()

    def is_left(self) -> bool:
        """Whether nobody plays it any longer; asked for after some time without anything new."""
        asks = not self._forever and self._quiet and self._quiet % QUIET == 0
        return bool(asks) and not is_played(self._path)

    def look(self) -> bool:
        """Verify what has been added; whether anything was. Raises LocalError, InvalidFile."""
        data = read_on(self._path, self._end)
        if data == self._torn:
            self._quiet += 1
            return False
        self._quiet = 0
        self.report = extended(self.report, data, self._end)
        check_usable(self.report)
        self._torn = data[len(data) - self.report.torn :]
        self._end += len(data) - self.report.torn
        return True


def growing(game: GameOnFile, *, forever: bool) -> Growing:
    """The log of `game`. Raises UsageError where it is none that can grow."""
    if game.report is None:
        raise UsageError("record_does_not_grow")
    if game.path == STDIN:
        raise UsageError("input_does_not_grow")
    return Growing(game.path, game.data, game.report, forever=forever)


async def _tell_on(log: Growing, telling: _Telling) -> bool:
    """Tell the rest of the game as its log grows, until that is over; True."""
    while not log.is_over():
        await asyncio.sleep(PAUSE)
        if log.look():
            telling.tell(log.report)
    return True


def follow(file: str, game: GameOnFile, ascii_only: bool, *, forever: bool) -> GameOnFile:
    """Tell the game from its beginning, then on as it goes; what has become of it when that ends.

    It ends as `Growing` does, or by Ctrl-C. Raises UsageError, LocalError, InvalidFile.
    """
    log = growing(game, forever=forever)
    line = LineTable(ascii_only=ascii_only or None)
    line.told("verdict_line", file=file, verdict=game.verdict)
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
