"""Zero-sum matrix games, solved exactly but for rounding: by the square submatrices of Shapley and Snow (1950)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CLOSE = 1e-9


class Solution(NamedTuple):
    """The value to the row player, and how often each row and each column is played."""

    value: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]


def solve(matrix: Sequence[Sequence[float]]) -> Solution:
    """Return an equilibrium: neither player does better by any row or column of their own."""
    payoffs = np.array(matrix, dtype=float)
    close = CLOSE * max(1.0, float(np.abs(payoffs).max()))
    for found in _candidates(payoffs):
        rows, columns = np.array(found.rows), np.array(found.columns)
        if (
            min(found.rows + found.columns) >= -CLOSE
            and (payoffs @ columns).max() <= found.value + close
            and (rows @ payoffs).min() >= found.value - close
        ):
            return found
    raise AssertionError(f"no equilibrium found in {matrix}")


def _candidates(payoffs: NDArray[np.float64]) -> Iterator[Solution]:
    """Yield what makes both players indifferent, for each square submatrix, the smallest first."""
    height, width = payoffs.shape
    for size in range(1, min(height, width) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                part = payoffs[np.ix_(rows, columns)]
                by_rows, by_columns = _indifferent(part.T), _indifferent(part)
                if by_rows is not None and by_columns is not None:
                    value, row_shares = by_rows
                    _, column_shares = by_columns
                    yield Solution(value, _spread(row_shares, rows, height), _spread(column_shares, columns, width))


def _indifferent(part: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]] | None:
    """Return shares of the columns that make every row worth the same, and that value."""
    size = len(part)
    system = np.zeros((size + 1, size + 1))
    system[:size, :size] = part
    system[:size, size] = -1
    system[size, :size] = 1
    try:
        found = np.linalg.solve(system, np.eye(size + 1)[size])
    except np.linalg.LinAlgError:
        return None
    return float(found[size]), found[:size]


def _spread(shares: NDArray[np.float64], places: Sequence[int], length: int) -> tuple[float, ...]:
    spread = [0.0] * length
    for place, share in zip(places, shares, strict=True):
        spread[place] = max(float(share), 0.0) if share > -CLOSE else float(share)
    return tuple(spread)
