"""A game in numbers."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Action

__all__ = ["Numbers", "Startable", "one_of"]


class Startable(Protocol):
    """A game, or another way to play one, as far as environments need it."""

    def start(self) -> Any:
        """Return the position before anything has been drawn or done."""
        ...


class Numbers(NamedTuple):
    """The actions of a game enumerated, and its positions as vectors."""

    actions: Sequence[Action]
    """Every action that can ever be legal; its number is its place here."""
    size: int
    """Length of an observation."""
    observation: Callable[[Any, int], NDArray[np.float32]]
    """Return a position from the point of view of a player, own seat first: `size` numbers from 0 to 1."""


def one_of(count: int, place: int | None) -> list[float]:
    """Return `count` numbers, 1 at `place` and else 0."""
    return [float(place == at) for at in range(count)]
