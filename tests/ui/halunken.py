"""Games of Halunken & Spelunken for what is drawn of them, beside the plain table that says what must be seen."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from p2p_shanghaien.games.api import Step
from p2p_shanghaien.games.halunken.rules import State
from p2p_shanghaien.games.record import Record, read
from p2p_shanghaien.games.registry import RULES
from tests.games.halunken.reading import RECORDS, follow
from tests.games.halunken.table import Table

GAMES = sorted((RECORDS / "records").glob("*.shrec"))
CORNERS = sorted((RECORDS / "corners").glob("*.shrec"))


@cache
def load(path: Path) -> Record:
    return read(path.read_bytes(), RULES)


def states(path: Path) -> Iterator[State]:
    """Yield each position of a record."""
    for state in load(path).positions():
        assert isinstance(state, State)
        yield state


def positions(path: Path) -> Iterator[tuple[State, Table]]:
    """Yield each position of a record with the plain table in it, which moves on with the next one."""
    yield from zip(states(path), follow(path.read_text("utf-8")), strict=True)


def moves(path: Path) -> Sequence[tuple[State, Step, State]]:
    """Return each step of a record, with the positions before and after it."""
    return [
        (before, step, after) for (before, after), step in zip(pairwise(states(path)), load(path).steps, strict=True)
    ]
