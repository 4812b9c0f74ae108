"""A small network that evaluates a position: its function and its weights.

It sees a position twice, from either player's point of view, and half the difference is the value: the players are
symmetric by construction. Weights and features are multiples of small powers of two, so that every sum is exact in 64
bits, in whatever order it is made, and roots and quotients are correctly rounded: values are the same on every machine,
to the last bit. `python -m fitting.macao` makes value.npz.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.macao.players.features import Floats

STEP: Final = 1 / 2048
"""Weights are multiples of it."""
POINTS: Final = 10.0
"""The margin that the network counts as 1."""


class Network(NamedTuple):
    """Weights that define the network's function; F features, H units."""

    hidden: Floats
    """(F, H)"""
    bias: Floats
    """(H)"""
    out: Floats
    """(H, 2): to the chance, before `squashed`, and to the margin."""
    direct: Floats
    """(F, 2): from the features to the same."""

    def values(self, seen: Floats) -> Floats:
        """Return player 0's win probability and expected margin, (N, 2), for positions seen by both, (2, N, F)."""
        found = np.maximum(seen @ self.hidden + self.bias, 0) @ self.out + seen @ self.direct
        both: Floats = (found[0] - found[1]) / 2
        return np.stack([squashed(both[:, 0]), both[:, 1] * POINTS], axis=1)


def squashed(value: Floats) -> Floats:
    """Return a number as a probability. It has no exponential, whose last bit depends on the machine."""
    found: Floats = (1 + value / np.sqrt(1 + value * value)) / 2
    return found


@cache
def network() -> Network:
    """Return the network of value.npz."""
    with files(__package__).joinpath("value.npz").open("rb") as file, np.load(file) as stored:
        return unpacked(stored)


def packed(found: Network) -> dict[str, NDArray[np.int32]]:
    """Return a network as named arrays of integers, its weights rounded."""
    return {name: np.rint(weights / STEP).astype(np.int32) for name, weights in found._asdict().items()}


def unpacked(arrays: Mapping[str, NDArray[np.integer]]) -> Network:
    """Return the network in named arrays, which must be complete."""
    return Network(*(arrays[name].astype(np.float64) * STEP for name in Network._fields))
