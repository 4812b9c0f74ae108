"""Analyses of games, one or many, on all cores."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from functools import partial
from itertools import chain, islice
from os import cpu_count
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.analysis.annotate import Analysis, annotate
from p2p_shanghaien.analysis.dedupe import Found
from p2p_shanghaien.app.library import check_usable
from p2p_shanghaien.app.processes import workers
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import evaluator

AHEAD: Final = 4
"""Games in progress for each core: no core is idle, and few games are held at once, however many there are."""


class Analysed(NamedTuple):
    """An analysed game; `report` for signed logs only."""

    record: Record
    report: Report | None
    analysis: Analysis


Outcome: TypeAlias = Analysed | ShanghaienError
"""The result for a file: an analysis, or the reason why there is none."""


@GAMES.named_in_errors()
def analyse(record: Record) -> Analysis:
    """Return the analysis of the game on `record`.

    Raises LocalError if its positions cannot be evaluated.
    """
    return annotate(record, evaluator(record.game.NAME))


def analysed(files: Iterable[tuple[str, Found]], cores: int | None) -> Iterator[tuple[str, Outcome]]:
    """Yield the result for each file, in order, on so many cores; None: all of them.

    This process analyses a single one. Raises LocalError.
    """
    cores = cores or cpu_count() or 1
    ahead = iter(files)
    first = list(islice(ahead, 2))
    under_way: deque[tuple[str, Callable[[], Outcome]]] = deque()
    with workers(cores) if cores > 1 and len(first) > 1 else nullcontext() as executor:
        for name, found in chain(first, ahead):
            under_way.append((name, _begun(found, executor)))
            if executor is None or len(under_way) > AHEAD * cores:
                done, outcome = under_way.popleft()
                yield done, outcome()
        for name, outcome in under_way:
            yield name, outcome()


def _begun(found: Found, executor: Executor | None) -> Callable[[], Outcome]:
    """Begin the analysis of the game in a file, and return the function that returns its result."""
    try:
        record, report = _game(found)
    except ShanghaienError as error:
        failed = error
        return lambda: failed
    result = executor.submit(analyse, record).result if executor else partial(analyse, record)

    def outcome() -> Outcome:
        try:
            return Analysed(record, report, result())
        except ShanghaienError as error:
            return error

    return outcome


def _game(found: Found) -> tuple[Record, Report | None]:
    """Return the game in a file, as far as it is sound. Raises ShanghaienError."""
    if isinstance(found, ShanghaienError):
        raise found
    if isinstance(found, Record):
        return found, None
    check_usable(found)
    return found.record(), found
