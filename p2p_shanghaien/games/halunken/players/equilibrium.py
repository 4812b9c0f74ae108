"""Equilibria of zero-sum matrix games, by the simplex method."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DIGITS: Final = 7
"""Payoffs are rounded to so many decimal places, so that machines whose last digits differ agree on the mixture."""
_PIVOTS: Final = 1000
_TINY: Final = 1e-11


class Equilibrium(NamedTuple):
    """The value to the row player, and the probabilities of the rows and of the columns."""

    value: float
    rows: Floats
    columns: Floats

    def of(self, player: int) -> list[float]:
        """Return the mixture of player 0, who has the rows, or of player 1."""
        shares: list[float] = (self.columns if player else self.rows).tolist()
        return shares


def solve(payoffs: Floats) -> Equilibrium:
    """Return an equilibrium of a game with these payoffs to the row player.

    With all payoffs positive, the column player's linear program, to maximise the sum of `y` where the payoffs times
    `y` are at most 1, begins at a feasible corner. Its solution divided by the sum is their mixture, and its dual, read
    off the last row of the same table, is the row player's (Dantzig 1951).
    """
    payoffs = np.round(payoffs, DIGITS)
    lowest, spread = float(payoffs.min()), float(payoffs.max() - payoffs.min())
    height, width = payoffs.shape
    if spread == 0:
        return Equilibrium(lowest, np.full(height, 1 / height), np.full(width, 1 / width))
    table = np.zeros((height + 1, width + 1))
    table[:height, :width] = (payoffs - lowest) / spread + 1
    table[:height, width] = 1
    table[height, :width] = -1
    outside, inside = np.arange(width), np.arange(width, width + height)
    for step in range(_PIVOTS):
        last = table[height, :width]
        if last.min() >= -_TINY:
            break
        # the steepest column; after many steps the first by name, which cannot go round in a circle (Bland 1977)
        falling = np.flatnonzero(last < -_TINY)
        column = int(last.argmin()) if step < _PIVOTS // 2 else int(falling[outside[falling].argmin()])
        entering = table[:height, column]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(entering > _TINY, table[:height, width] / entering, np.inf)
        nearest = np.flatnonzero(ratios <= ratios.min() + _TINY)
        row = int(nearest[inside[nearest].argmin()])
        _pivot(table, row, column)
        outside[column], inside[row] = inside[row], outside[column]
    total = float(table[height, width])
    rows, columns = np.zeros(height), np.zeros(width)
    slack = outside >= width
    rows[outside[slack] - width] = table[height, :width][slack]
    real = inside < width
    columns[inside[real]] = table[:height, width][real]
    value = lowest + spread * (1 / total - 1)
    return Equilibrium(value, _shares(rows), _shares(columns))


def _pivot(table: Floats, row: int, column: int) -> None:
    """Exchange a basic variable for another, in the condensed table."""
    pivot = table[row, column]
    table[row] /= pivot
    others = table[:, column].copy()
    others[row] = 0
    table -= others[:, None] * table[row]
    table[:, column] = -others / pivot
    table[row, column] = 1 / pivot


def _shares(found: Floats) -> Floats:
    positive: Floats = np.maximum(found, 0)
    return positive / float(positive.sum())
