"""Reading many games at once: files, folders, or all that are kept."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Final, TypeAlias

from p2p_shanghaien.analysis.gathering import Found
from p2p_shanghaien.cli.reading import content, named
from p2p_shanghaien.errors import LocalError, ShanghaienError
from p2p_shanghaien.fairplay import transcript
from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import SUFFIX, all_logs
from p2p_shanghaien.store.place import expanded

RECORD_SUFFIX: Final = ".shrec"

Source: TypeAlias = Path | bytes | ShanghaienError
"""A file to read, what was read of standard input already, or the reason why there is neither."""


def read_many(names: Sequence[str]) -> Iterator[tuple[str, Found]]:
    """What each file holds that `names` mean: files, kept games, and folders with all below them; none: all games kept.

    A bar on standard error shows how far it is, where that is a terminal. What cannot be read is given as its error.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    meant = _each_once(names)
    console = Console(stderr=True)
    # signatures are checked outside the interpreter's lock, so threads will do
    pool = ThreadPoolExecutor(cpu_count())
    bar = Progress(
        *(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        console=console,
        transient=True,
        disable=not console.is_terminal or not meant,
        # what is printed meanwhile appears above the bar, unless it goes to a file: then it must get there
        redirect_stdout=sys.stdout.isatty(),
    )
    try:
        with bar:
            yield from bar.track(zip(meant, pool.map(_read, meant.values()), strict=True), len(meant))
    finally:
        pool.shutdown(cancel_futures=True)


def _each_once(names: Sequence[str]) -> dict[str, Source]:
    """Return what to read, each file once, under the names that they are told by."""
    if not names:
        return {path.name: path for path in all_logs(Home.of_user().games)}
    found: dict[str, Source] = {}
    seen: set[str] = set()
    for name, source in sources(names, (SUFFIX, RECORD_SUFFIX)):
        real = os.path.realpath(source) if isinstance(source, Path) else name
        if real not in seen:
            seen.add(real)
            found[name] = source
    return found


def sources(names: Iterable[str], suffixes: Sequence[str]) -> Iterator[tuple[str, Source]]:
    """Yield what to read, with the names it is told by: files, kept games, `-` for standard input, and, of folders,
    all below them whose names end with one of `suffixes`. What cannot be found or listed is given as its error.
    """
    for name in names:
        folder = expanded(name)
        if os.path.isdir(folder):  # unlike pathlib's, it never raises
            yield from _within(folder, tuple(suffixes))
            continue
        try:
            yield name, named(name)
        except ShanghaienError as error:
            yield name, error


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
        yield name, LocalError("file_trouble", path=name, reason=trouble.strerror)
    if not found and not troubles:
        code = "no_games_there" if RECORD_SUFFIX in suffixes else "no_logs_there"
        yield str(folder), LocalError(code, folder=folder)


def _read(source: Source) -> Found:
    if isinstance(source, ShanghaienError):
        return source
    try:
        return _held(source)
    except ShanghaienError as error:
        return error


@GAMES.named_in_errors()
def _held(source: Path | bytes) -> Found:
    data = content(source)
    if (isinstance(source, Path) and source.suffix == RECORD_SUFFIX) or not data.startswith(transcript.MAGIC[:5]):
        return record.read(data, RULES)
    # a thousand logs' entries would fill the memory
    return verify(data, RULES)._replace(entries=())
