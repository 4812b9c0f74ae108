"""Analyses of games, one or many, on all cores."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from os import cpu_count
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.analysis.annotate import Analysis, annotate
from p2p_shanghaien.analysis.dedupe import Found
from p2p_shanghaien.app.library import check_usable
from p2p_shanghaien.app.processes import workers
from p2p_shanghaien.errors import GameCode, LocalError, ShanghaienError
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import evaluator, has_evaluator

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
    return annotate(record.game, record.steps, record.ended, evaluator(record.game.NAME))


def analysed(files: Iterable[tuple[str, Found]], cores: int | None = None) -> Iterator[tuple[str, Outcome]]:
    """Yield the result for each file, in order, on so many cores; None: all of them.

    This process analyses a single one. Raises LocalError.
    """
    cores = cores or cpu_count() or 1
    ahead = iter(files)
    first = list(islice(ahead, 2))
    if len(first) < 2 or cores == 1:
        for name, found in chain(first, ahead):
            yield name, _begun(found, lambda record: partial(analyse, record))()
        return
    under_way: deque[tuple[str, Callable[[], Outcome]]] = deque()
    with workers(cores) as executor:
        for name, found in chain(first, ahead):
            under_way.append((name, _begun(found, lambda record: executor.submit(analyse, record).result)))
            if len(under_way) > AHEAD * cores:
                yield _finished(*under_way.popleft())
        while under_way:
            yield _finished(*under_way.popleft())


def _finished(name: str, outcome: Callable[[], Outcome]) -> tuple[str, Outcome]:
    return name, outcome()


def _begun(found: Found, begin: Callable[[Record], Callable[[], Analysis]]) -> Callable[[], Outcome]:
    """Begin the analysis of the game in a file, and return the function that returns its result."""
    game = _game(found)
    if isinstance(game, ShanghaienError):
        return lambda: game
    result = begin(game[0])

    def outcome() -> Outcome:
        try:
            return Analysed(*game, result())
        except ShanghaienError as error:
            return error

    return outcome


def _game(found: Found) -> tuple[Record, Report | None] | ShanghaienError:
    """Return the game in a file, as far as it is sound, if it can be analysed."""
    try:
        if isinstance(found, ShanghaienError):
            return found
        if isinstance(found, Report):
            check_usable(found)
        record = found.record() if isinstance(found, Report) else found
        if not has_evaluator(record.game.NAME):
            return LocalError(GameCode.NO_EVALUATOR, game=record.game.NAME)
    except ShanghaienError as error:
        return error
    return record, found if isinstance(found, Report) else None
