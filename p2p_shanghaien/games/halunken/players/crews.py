"""Crews as bits, many at a time: their points, and what each rogue more or less is worth.

A crew is an integer with the bit of each rogue's place in the deck. Counts and sums of a colour together are one
number, its key: of two colours the one with the higher key is doubled.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.halunken.rogues import COLOURS, DECK, VALUE, Rogue

Bits: TypeAlias = NDArray[np.uint64]
Ints: TypeAlias = NDArray[np.int64]

ROGUES: Final = len(DECK)
PLACE: Final = {rogue: place for place, rogue in enumerate(DECK)}
BIT: Final = np.array([1 << place for place in range(ROGUES)], np.uint64)
VALUES: Final = np.array([VALUE[rogue] for rogue in DECK], np.int64)
COLOUR: Final = np.array([COLOURS.index(rogue[0]) for rogue in DECK])

_ONE: Final = 1000
"""The part of a key that counts one rogue, above all sums."""
_DEAR: Final = 10**6
"""More than any rogue costs."""


def bits(rogues: Iterable[Rogue]) -> int:
    """Return a crew as bits."""
    return sum(1 << PLACE[rogue] for rogue in rogues)


def _keys_of_colour(colour: int) -> tuple[np.uint64, np.uint64, Ints]:
    """Return the shift and mask of a colour's bits, and the key by these bits."""
    places = np.flatnonzero(colour == COLOUR)
    sets = np.arange(1 << len(places))
    keys = sum((sets >> at & 1) * (_ONE + VALUES[place]) for at, place in enumerate(places))
    return np.uint64(places[0]), np.uint64(len(sets) - 1), np.asarray(keys, np.int64)


_KEYS: Final = tuple(_keys_of_colour(colour) for colour in range(len(COLOURS)))


def keys(crews: Bits) -> Ints:
    """Return the key of each colour in each crew: (crews, 4)."""
    return np.stack([table[(crews >> shift) & mask] for shift, mask, table in _KEYS], axis=-1)


def points(crews: Bits) -> Ints:
    """Return what each crew is worth."""
    found = keys(crews)
    doubled: Ints = (found % _ONE).sum(axis=-1) + found.max(axis=-1) % _ONE
    return doubled


def sizes(crews: Bits) -> Ints:
    """Return the number of rogues in each crew."""
    return np.bitwise_count(crews).astype(np.int64)


def _others(found: Ints) -> Ints:
    """Return the highest key of the other colours, for each colour: (crews, 4)."""
    first, second, third, fourth = (found[:, colour] for colour in range(4))
    low, high = np.maximum(first, second), np.maximum(third, fourth)
    return np.stack(
        [np.maximum(second, high), np.maximum(first, high), np.maximum(low, fourth), np.maximum(low, third)], axis=-1
    )


def gains(crews: Bits) -> Ints:
    """Return by how many points each rogue would enrich each crew: (crews, 42)."""
    found = keys(crews)
    now = found.max(axis=-1, keepdims=True) % _ONE
    more = np.maximum(_others(found)[:, COLOUR], found[:, COLOUR] + (_ONE + VALUES))
    gained: Ints = VALUES + more % _ONE - now
    return gained


def losses(crews: Bits) -> Ints:
    """Return by how many points each crew would be poorer without each of its rogues: (crews, 42).

    That may be negative. Where the crew has no such rogue, the number means nothing.
    """
    found = keys(crews)
    now = found.max(axis=-1, keepdims=True) % _ONE
    fewer = np.maximum(_others(found)[:, COLOUR], found[:, COLOUR] - (_ONE + VALUES))
    lost: Ints = VALUES + now - fewer % _ONE
    return lost


def cheapest(crews: Bits) -> Bits:
    """Return the rogue of each crew that costs least, the first of equals, as its bit; 0 for an empty crew."""
    known, of = np.unique(crews, return_inverse=True)
    rogue: Bits = BIT[np.where(members(known), losses(known), _DEAR).argmin(axis=1)]
    return np.where(known == 0, np.uint64(0), rogue)[of]


def members(crews: Bits) -> NDArray[np.bool_]:
    """Return for each crew which rogues are in it: (crews, 42)."""
    found: NDArray[np.bool_] = (crews[:, None] & BIT) != 0
    return found
