"""Reading many games at once: files, folders, or all that are kept."""

import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Final

from p2p_shanghaien.analysis.gathering import Found
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay import transcript
from p2p_shanghaien.fairplay.verify import examine
from p2p_shanghaien.games import record
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.store.files import explained, read_bytes
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import SUFFIX, all_logs, find

RECORD_SUFFIX: Final = ".shrec"


def read_many(names: Sequence[str]) -> Iterator[tuple[str, Found]]:
    """What each file holds that `names` mean: files, kept games, and folders with all below them; none: all games kept.

    A bar on standard error shows how far it is, where that is a terminal. What cannot be read is given as its error.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    meant = _meant(names)
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


def _meant(names: Sequence[str]) -> dict[str, Path | ShanghaienError]:
    """The files, each once, under the names that they are told by."""
    games = Home.of_user().games
    if not names:
        return {path.name: path for path in all_logs(games)}
    found: dict[str, Path | ShanghaienError] = {}
    seen: set[Path] = set()
    for name in names:
        try:
            for path in _within(Path(name)) if Path(name).is_dir() else [find(games, name)]:
                if (real := path.resolve()) not in seen:
                    seen.add(real)
                    found[str(path)] = path
        except ShanghaienError as error:
            found[name] = error
    return found


def _within(folder: Path) -> Sequence[Path]:
    with explained(folder):
        return sorted(path for path in folder.rglob("*") if path.suffix in (SUFFIX, RECORD_SUFFIX) and path.is_file())


def _read(path: Path | ShanghaienError) -> Found:
    if isinstance(path, ShanghaienError):
        return path
    try:
        data = read_bytes(path)
        if path.suffix == RECORD_SUFFIX or not data.startswith(transcript.MAGIC[:5]):
            return record.read(data, CATALOGUE)
        # a thousand logs' entries would fill the memory
        return examine(data, CATALOGUE)._replace(entries=())
    except ShanghaienError as error:
        return error
