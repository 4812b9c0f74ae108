"""Sample games of Halunken & Spelunken, step by step with their events, and what the lines of a position say."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from p2p_shanghaien.games.api import Step, advance
from p2p_shanghaien.games.halunken.rules import State
from p2p_shanghaien.games.record import Record, read
from p2p_shanghaien.games.registry import RULES

_ROOT = Path(__file__).parents[1] / "records" / "halunken"
RECORDS = [*sorted((_ROOT / "records").glob("*.shrec")), *sorted((_ROOT / "corners").glob("*.shrec"))]
COLOURS = {"r": "red", "v": "violet", "g": "grey", "y": "yellow"}
RING = ((1, 2, 3, 4, 5), (14, 6), (13, 7), (12, 11, 10, 9, 8))
"""The spaces as they lie on the screen, row by row."""


class Moment(NamedTuple):
    """A step, and the events that it brings about, decisions aside."""

    before: State
    step: Step
    after: State
    events: Sequence[dict[str, Any]]


def load(path: Path) -> Record:
    return read(path.read_bytes(), RULES)


def moments(path: Path) -> Iterator[Moment]:
    record = load(path)
    state: Any = record.game.start()
    earlier: list[dict[str, Any]] = []
    for step in record.steps:
        after = advance(state, step)
        events = list(record.game.events(state, step, after, earlier))
        yield Moment(state, step, after, events)
        earlier += events
        state = after


def named(rogue: str) -> str:
    """Return a rogue as a sentence names it."""
    return f"{rogue} ({COLOURS[rogue[0]]})"


def crew_words(crew: Sequence[str], doubled: str) -> list[str]:
    """Return what a crew's line says, word by word: each colour, its values, and which one counts twice."""
    words: list[str] = []
    for colour in COLOURS:
        if values := sorted(int(rogue[1:]) for rogue in crew if rogue[0] == colour):
            words += [colour, *map(str, values), *["twice"] * (colour == doubled)]
    return words or ["no", "rogues"]


def points(crew: Sequence[str]) -> tuple[int, set[str]]:
    """Return what a crew scores, and the colours that may count twice for it."""
    values = {colour: [int(rogue[1:]) for rogue in crew if rogue[0] == colour] for colour in COLOURS}
    most = max(map(len, values.values()))
    best = max((sum(each) for each in values.values() if len(each) == most), default=0)
    doubled = {colour for colour, each in values.items() if each and len(each) == most and sum(each) == best}
    return sum(map(sum, values.values())) + best, doubled


class Drawn(NamedTuple):
    """A position as its lines say it: for each space the top rogue, how many lie below, and the figures' words."""

    heading: str
    far: str
    far_crew: list[str]
    tops: dict[int, str]
    below: dict[int, int]
    figures: dict[int, str]
    middle: str
    near: str
    near_crew: list[str]


def parse(lines: Sequence[str]) -> Drawn:
    """Return what the lines of a position say. Each crew has one line."""
    heading, far, far_crew, empty, *ring, near, near_crew = lines
    assert empty == ""
    assert len(ring) == 8
    tops, below, figures, middle = {}, {}, {}, []
    for row, spaces in enumerate(RING):
        dens, people = (line.ljust(80) for line in ring[2 * row : 2 * row + 2])
        columns = range(0, 80, 16) if len(spaces) == 5 else (0, 64)
        if len(spaces) == 2:
            middle += [dens[16:64].strip(), people[16:64].strip()]
        for space, column in zip(spaces, columns, strict=True):
            number, *rest = dens[column : column + 16].split()
            assert number == str(space)
            below[space] = int(rest.pop().removeprefix("+")) if rest and rest[-1].startswith("+") else 0
            tops[space] = "".join(rest)
            figures[space] = people[column : column + 16].strip()
    words = [line.split() for line in (far_crew, near_crew)]
    return Drawn(heading, far, words[0], tops, below, figures, " ".join(filter(None, middle)), near, words[1])
