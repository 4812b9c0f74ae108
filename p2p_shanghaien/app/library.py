"""Game files: one way to load, scan and watch signed logs and text records, kept here or anywhere."""

import os
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar

from p2p_shanghaien.errors import AppCode, FairplayCode, InvalidFile, LocalError, ShanghaienError, StoreCode, UsageError
from p2p_shanghaien.fairplay import transcript
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.fairplay.verify import KeptHandshake, Report, Verdict, extended, verify
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Game, Reading
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.store.files import STDIN, read_bytes, read_stdin
from p2p_shanghaien.store.paths import (
    RECORD_SUFFIX,
    SUFFIX,
    all_logs,
    all_records,
    existing_file,
    expanded,
    practice_folder,
    watched_folder,
)

if TYPE_CHECKING:
    from p2p_shanghaien.analysis.dedupe import Found

__all__ = [
    "NOT_A_LOG",
    "GameFile",
    "Growing",
    "Name",
    "Source",
    "check_usable",
    "collect",
    "concurrently",
    "exit_code",
    "load",
    "read",
    "rules_beside",
    "scan",
    "shown_name",
    "sources",
    "verified",
]

_T = TypeVar("_T")

UNFINISHED: Final = (Verdict.INCOMPLETE, Verdict.DECIDED)
"""The verdicts on games that can continue."""

NOT_A_LOG: Final = Report(Verdict.INVALID_FILE, error=InvalidFile(FairplayCode.NOT_A_LOG))
"""The report on a text record."""

PAUSE: Final = 0.2
"""Seconds between two checks of a log that grows."""
QUIET: Final = 10
"""After this number of looks without anything new, check whether anybody still plays."""

Name: TypeAlias = str | ShortName
"""A file's name for people: as they named it, or the short name of a saved game."""

Source: TypeAlias = Path | bytes | ShanghaienError
"""A file to read, the bytes already read from standard input, or the error if there is neither."""


class GameFile(NamedTuple):
    """A game, and the file that it was read from, with its name for people; `report` for signed logs only."""

    path: Path
    name: "Name"
    data: bytes
    record: Record
    report: Report | None = None

    @property
    def exit_code(self) -> int:
        """The exit code of a command that shows the game."""
        return exit_code(self.report)

    @property
    def is_played(self) -> bool:
        """Return whether a program on this machine is playing the game now."""
        return self.report is not None and self.report.verdict in UNFINISHED and _is_played(self.path)

    def events(self) -> Iterator[dict[str, object]]:
        """Yield the replay's events; a violation, or damage, takes the place of the end."""
        report = self.report
        if report is None or report.error is None:
            yield from record.events(self.record)
            return
        yield from (event for event in record.events(self.record) if event["event"] not in ("unfinished", "ended"))
        where = {"entry": report.number, "reason": report.error.code}
        if report.match is None or report.violator is None:
            yield {"event": "damaged", **where}
        else:
            yield {"event": "violation", "player": report.match.player(report.violator), **where}

    def grown(self, report: Report) -> "GameFile":
        """Return the game of `report`, on the log as it is by now."""
        return self._replace(record=report.record(), report=report)


def _is_played(path: Path) -> bool:
    from p2p_shanghaien.store.logs import is_played  # noqa: PLC0415 - a game that has ended needs none of it

    return is_played(path)


def exit_code(report: Report | None) -> int:
    """Return the exit code of a command that has shown a game: 0 for what is valid as far as it goes."""
    if report is None or report.verdict not in (Verdict.VIOLATION, Verdict.INVALID_FILE):
        return 0
    return report.exit_code


def check_usable(report: Report) -> None:
    """Raise InvalidFile or LocalError if a log has no game: not even its opening is sound."""
    if report.verdict == Verdict.INVALID_FILE and report.match is None:
        raise InvalidFile(FairplayCode.LOG_UNUSABLE, reason=report)
    if report.verdict == Verdict.UNSUPPORTED:
        raise LocalError(FairplayCode.LOG_UNUSABLE, reason=report)


def load(name: str | Path, games: Path) -> GameFile:
    """Return the game in the log or record that `name` means: a path, `-`, or a saved game in the folder `games`.

    A `Path` is the log of a saved game. Of a damaged log it is the part before the damage. Raises LocalError,
    RecordError, InvalidFile.
    """
    source = _named(name, games)
    rules = rules_beside(source)
    path, data = (STDIN, source) if isinstance(source, bytes) else (source, _content(source))
    if not _is_log(data):
        return GameFile(path, shown_name(name, source), data, record.read(data, rules))
    report = verify(data, rules)
    check_usable(report)
    return GameFile(path, shown_name(name, source), data, report.record(), report)


def rules_beside(source: Path | bytes) -> Mapping[str, type[Game[Any]]]:
    """Return the rules of all games, which find data from outside beside the file `source` as well (`store.data`)."""
    if isinstance(source, bytes):
        return RULES
    folder = source.parent

    def data(digest: str) -> bytes | None:
        from p2p_shanghaien.store.data import kept_data  # noqa: PLC0415 - few games need any

        found = kept_data(folder, digest)
        return RULES.data(digest) if found is None else found

    return Reading(RULES, data)


def shown_name(name: str | Path, source: Source) -> Name:
    """Return the name for people of what `name` means: the short name of a saved game, and `name` for any other file.

    The record of a practice game is called by the name of its file.

    A saved game that is named by its path is any other file.
    """
    is_saved = isinstance(source, Path) and (isinstance(name, Path) or expanded(name) != source)
    if not (isinstance(source, Path) and is_saved):
        return str(name)
    from p2p_shanghaien.store.catalogue import short_name  # noqa: PLC0415 - a path needs none of it

    return source.stem if source.suffix == RECORD_SUFFIX else short_name(source)


@GAMES.named_in_errors()
def read(source: Path | bytes) -> Report | Record:
    """Return the verdict on a log, as `verified`, or the game of a record. Raises LocalError, RecordError."""
    data, rules = _content(source), rules_beside(source)
    if (isinstance(source, Path) and source.suffix == RECORD_SUFFIX) or not _is_log(data):
        return record.read(data, rules)
    return _verdict(data, rules)


def scan(files: Mapping[str, Source]) -> "Iterator[tuple[str, Found]]":
    """Yield the name of each file with its content."""
    yield from zip(files, concurrently(read, files.values()), strict=True)


def verified(logs: Iterable[Source], handshakes: Sequence[KeptHandshake] = ()) -> "Iterator[Found]":
    """Yield the report on each log, in order, without its entries: those of a thousand logs would fill the memory.

    The game of a text record is yielded in place of its report, which is `NOT_A_LOG`.
    """
    return concurrently(partial(_verify, handshakes=handshakes), logs)


@GAMES.named_in_errors()
def _verify(source: Path | bytes, handshakes: Sequence[KeptHandshake]) -> Report | Record:
    data, rules = _content(source), rules_beside(source)
    if not _is_log(data):
        with suppress(ShanghaienError), GAMES.named_in_errors():
            return record.read(data, rules)
    return _verdict(data, rules, handshakes)


def _verdict(data: bytes, rules: Mapping[str, type[Game[Any]]], handshakes: Sequence[KeptHandshake] = ()) -> Report:
    return verify(data, rules, handshakes)._replace(entries=())


def concurrently(read_one: Callable[[Path | bytes], _T], each: Iterable[Source]) -> Iterator[_T | ShanghaienError]:
    """Yield the result of `read_one` for each source, in order; its exceptions are results, too.

    Threads will do: signatures are verified outside the interpreter's lock.
    """

    def outcome(source: Source) -> _T | ShanghaienError:
        if isinstance(source, ShanghaienError):
            return source
        try:
            return read_one(source)
        except ShanghaienError as error:
            return error

    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        yield from pool.map(outcome, each)
    finally:
        pool.shutdown(cancel_futures=True)


def sources(names: Iterable[str | Path], suffixes: Sequence[str], games: Path) -> Iterator[tuple[str, Source]]:
    """Yield the files to read, each with its name for programs: files, saved games in the folder `games`, contents of
    folders, and `-` for standard input.

    In a folder these are all files below it whose names end with one of `suffixes`. For a file that cannot be found or
    listed, its error is yielded. A `Path` is the log of a saved game.
    """
    for name in names:
        if isinstance(name, Path):
            yield name.name, name
            continue
        folder = expanded(name)
        # unlike pathlib's, it never raises; an empty name is no folder
        if name and os.path.isdir(folder):
            yield from _within(folder, tuple(suffixes))
            continue
        try:
            yield name, _named(name, games)
        except ShanghaienError as error:
            yield name, error


def collect(names: Sequence[str | Path], games: Path) -> Mapping[str, Source]:
    """Return the logs and records that `names` mean, each once, under their names for programs, as `sources`.

    Without `names` they are all logs in the folder `games`.
    """
    if not names:
        return {path.name: path for path in all_logs(games)}
    found: dict[str, Source] = {}
    seen: set[str] = set()
    for name, source in sources(names, (SUFFIX, RECORD_SUFFIX), games):
        real = os.path.realpath(source) if isinstance(source, Path) else name
        if real not in seen:
            seen.add(real)
            found[name] = source
    return found


def _within(folder: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, Source]]:
    troubles: list[OSError] = []
    found = False
    for path, folders, files in os.walk(folder, onerror=troubles.append):
        folders.sort()
        for name in sorted(files):
            if name.endswith(suffixes):
                found = True
                yield os.path.join(path, name), Path(path, name)
    for trouble in troubles:
        name = os.fsdecode(trouble.filename)
        yield name, LocalError(StoreCode.FILE_TROUBLE, path=name, reason=trouble.strerror)
    if not found and not troubles:
        code = AppCode.NO_GAMES_THERE if RECORD_SUFFIX in suffixes else AppCode.NO_LOGS_THERE
        yield str(folder), LocalError(code, folder=folder)


def _named(name: str | Path, games: Path) -> Path | bytes:
    """Return the file that `name` means, a path or a saved game; for `-`, all of standard input. Raises LocalError.

    A saved game is a log in the folder `games`; in the folders beside it, the log of a watched game, or the record of a
    practice game.
    """
    if isinstance(name, Path):
        return name
    if name == str(STDIN):
        return read_stdin(MAX_LOG)
    if path := existing_file(name):
        return path
    from p2p_shanghaien.store.catalogue import find  # noqa: PLC0415 - a path needs none of it

    home = games.parent
    return find(games, name, all_records(practice_folder(home)), all_logs(watched_folder(home)))


def _content(source: Path | bytes) -> bytes:
    return source if isinstance(source, bytes) else read_bytes(source, MAX_LOG)


def _is_log(data: bytes) -> bool:
    return data.startswith(transcript.MAGIC[:5])


class Growing:
    """The log of a `game` as it grows: `report` is its verdict so far. Only the log is read.

    It is over with the game, or (not if `forever`) with the program that plays it. Raises UsageError if it cannot grow.
    """

    def __init__(self, game: GameFile, *, forever: bool) -> None:
        if game.report is None:
            raise UsageError(AppCode.RECORD_DOES_NOT_GROW)
        if game.path == STDIN:
            raise UsageError(AppCode.INPUT_DOES_NOT_GROW)
        self._path = game.path
        self._forever = forever
        self._end = 0
        self._take(game.report, game.data)

    @property
    def is_over(self) -> bool:
        """True if the game is: nothing more can come."""
        return self.report.verdict not in UNFINISHED

    async def reports(self) -> AsyncIterator[Report]:
        """Yield the verdict on the log, whenever it has grown, until it is over.

        Raises LocalError, InvalidFile.
        """
        import asyncio  # noqa: PLC0415 - a game that has ended needs none of it

        from p2p_shanghaien.store.logs import read_on  # noqa: PLC0415 - as in `_is_played`

        quiet = 0
        while not self.is_over:
            await asyncio.sleep(PAUSE)
            data = read_on(self._path, self._end)
            if data != self._truncated:
                quiet = 0
                self._take(extended(self.report, data, self._end), data)
                yield self.report
            elif (quiet := quiet + 1) % QUIET == 0 and not self._forever and not _is_played(self._path):
                return

    def _take(self, report: Report, data: bytes) -> None:
        """Take the report on the log with `data` at its end. Raises LocalError, InvalidFile if it has no game."""
        check_usable(report)
        self.report = report
        self._truncated = data[len(data) - report.truncated :]
        self._end += len(data) - report.truncated
