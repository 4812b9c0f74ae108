"""Reading a game from a file, be it a signed log or a text record."""

from pathlib import Path
from typing import NamedTuple

from p2p_shanghaien.cli.output import echo
from p2p_shanghaien.errors import InvalidFile, LocalError
from p2p_shanghaien.fairplay import transcript
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.files import STDIN, read_bytes, read_stdin
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import find
from p2p_shanghaien.ui.verdicts import summary
from p2p_shanghaien.ui.words import say


def named(name: str) -> Path | bytes:
    """Return the file that `name` means, a path or a kept game; for `-`, all of standard input. Raises LocalError."""
    return read_stdin(MAX_LOG) if name == str(STDIN) else find(Home.of_user().games, name)


def content(source: Path | bytes) -> bytes:
    """Return the bytes of a log or record, as `named` finds it. Raises LocalError."""
    return source if isinstance(source, bytes) else read_bytes(source, MAX_LOG)


class GameOnFile(NamedTuple):
    """A game, and the file that it was read from; `report` for signed logs only."""

    path: Path
    data: bytes
    record: record.Record
    report: Report | None = None

    @property
    def exit_code(self) -> int:
        """What a command that shows the game ends with."""
        return shown_code(self.report)

    @property
    def verdict(self) -> str:
        """What is proved, in a line."""
        return summary(self.report)

    def grown(self, report: Report) -> "GameOnFile":
        """The game as `report` has it, of the log as it is by now."""
        return self._replace(record=report.record(), report=report)


def read_game(name: str) -> GameOnFile:
    """The game in the log or record that `name` means. Raises LocalError, RecordError, InvalidFile."""
    source = named(name)
    path, data = (STDIN, source) if isinstance(source, bytes) else (source, content(source))
    if not data.startswith(transcript.MAGIC[:5]):
        return GameOnFile(path, data, record.read(data, RULES))
    report = verify(data, RULES)
    check_usable(report)
    if report.verdict == Verdict.INVALID_FILE:
        echo(say("damage_shown", file=path.name, reason=report.fault), err=True)
    return GameOnFile(path, data, report.record(), report)


def check_usable(report: Report) -> None:
    """Raise InvalidFile or LocalError where no game can be made of a log: not even its opening is sound."""
    if report.verdict == Verdict.INVALID_FILE and report.match is None:
        raise InvalidFile("log_unusable", reason=summary(report))
    if report.verdict == Verdict.UNSUPPORTED:
        raise LocalError("log_unusable", reason=summary(report))


def shown_code(report: Report | None) -> int:
    """Return the exit code of a command that has shown a game: 0 for what is valid as far as it goes."""
    if report is None or report.verdict not in (Verdict.VIOLATION, Verdict.INVALID_FILE):
        return 0
    return report.exit_code
