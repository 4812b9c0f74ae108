"""Watching a game that is being played, by its log: what is appended is verified first, and then told."""

import time
from typing import Final

from p2p_shanghaien.cli.reading import GameOnFile, check_usable
from p2p_shanghaien.cli.reports import UNFINISHED, summary
from p2p_shanghaien.errors import UsageError
from p2p_shanghaien.fairplay.verify import Report, extended
from p2p_shanghaien.games.api import Over, State, advance
from p2p_shanghaien.store.logs import is_played, read_on
from p2p_shanghaien.ui.line import LineTable
from p2p_shanghaien.ui.stepper import tell_end

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


def follow(file: str, game: GameOnFile, ascii_only: bool, *, forever: bool) -> GameOnFile:
    """Tell the game from its beginning, then on as it goes; what has become of it when that ends.

    It ends with the game, with the program that plays it (not if `forever`), or by Ctrl-C. Nothing but the log is read.
    Raises UsageError, LocalError, InvalidFile.
    """
    report = game.report
    if report is None:
        raise UsageError("record_does_not_grow")
    line = LineTable(ascii_only=ascii_only or None)
    line.told("verdict_line", file=file, verdict=game.verdict)
    telling = _Telling(line)
    telling.tell(report)
    if report.verdict not in UNFINISHED:
        return game
    telling.show()
    line.told("following")
    torn = game.data[len(game.data) - report.torn :]
    end = len(game.data) - report.torn
    quiet = 0
    try:
        while report.verdict in UNFINISHED:
            time.sleep(PAUSE)
            data = read_on(game.path, end)
            if data == torn:
                quiet += 1
                if not forever and quiet % QUIET == 0 and not is_played(game.path):
                    line.told("following_over")
                    break
                continue
            report, quiet = extended(report, data, end), 0
            check_usable(report)
            torn = data[len(data) - report.torn :]
            end += len(data) - report.torn
            telling.tell(report)
    except KeyboardInterrupt:
        line.told("following_stopped")
    line.told("verdict_line", file=file, verdict=summary(report))
    return game._replace(record=report.record(), report=report)
