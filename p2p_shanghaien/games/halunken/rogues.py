"""The rogues, and what crews of them are worth (rules-halunken.md, sections 1 and 7)."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

Rogue = str
"""A colour's letter and a value, such as `r15`. Each is there once."""

COLOURS: Final = "rvgy"
"""Red, violet, grey, yellow: the order of the deck, and of strength between equal values, the weakest first."""

_VALUES: Final = {
    "r": (*range(4, 12), 15),
    "v": (*range(3, 12), 14),
    "g": (*range(2, 12), 13),
    "y": tuple(range(1, 13)),
}

DECK: Final[tuple[Rogue, ...]] = tuple(f"{colour}{value}" for colour in COLOURS for value in _VALUES[colour])
VALUE: Final = {rogue: int(rogue[1:]) for rogue in DECK}
_PLACE: Final = {rogue: place for place, rogue in enumerate(DECK)}


class Score(NamedTuple):
    """The points of a crew, and the colour that is counted twice: None in an empty crew."""

    points: int
    doubled: str | None


def ordered(rogues: Iterable[Rogue]) -> tuple[Rogue, ...]:
    """Return the rogues in deck order."""
    return tuple(sorted(rogues, key=_PLACE.__getitem__))


def stronger(rogues: Sequence[Rogue]) -> int:
    """Return the index of the stronger of two first rogues: of equal values the later colour's."""
    first, second = ((VALUE[rogue], COLOURS.index(rogue[0])) for rogue in rogues)
    return int(second > first)


def score(crew: Sequence[Rogue]) -> Score:
    """Return what a crew is worth: all values, and once more those of the colour with most rogues.

    Of several colours with most rogues it is the one that gives more points; of equally good ones, the first.
    """
    sums = dict.fromkeys(COLOURS, 0)
    counts = dict.fromkeys(COLOURS, 0)
    for rogue in crew:
        sums[rogue[0]] += VALUE[rogue]
        counts[rogue[0]] += 1
    if not crew:
        return Score(0, None)
    doubled = max(COLOURS, key=lambda colour: (counts[colour], sums[colour]))
    return Score(sum(sums.values()) + sums[doubled], doubled)
