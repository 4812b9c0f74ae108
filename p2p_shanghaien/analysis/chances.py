"""Probabilities of counts: the distributions that tests need.

Sources: the regularised incomplete gamma function by its series and its continued fraction (Abramowitz and Stegun
6.5.29 and 6.5.31); the non-central chi-square distribution as a Poisson mixture of central ones (26.4.25).
"""

from collections.abc import Callable
from math import exp, inf, lgamma, log
from typing import Final

import numpy as np

_CLOSE: Final = 1e-15
"""The relative change at which a series has converged."""

TIE: Final = 1e-9
"""The relative difference up to which two statistics, computed in different orders, are the same."""


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the probability of at least `statistic` under the chi-square distribution with `freedom` degrees of
    freedom.
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    return 1 - _lower_gamma(a, x) if x < a + 1 else _upper_gamma(a, x)


def _lower_gamma(a: float, x: float) -> float:
    """Return P(a, x) by its series, which converges fast below a + 1."""
    term = total = 1 / a
    n = a
    while term > total * _CLOSE:
        n += 1
        term *= x / n
        total += term
    return total * exp(a * log(x) - x - lgamma(a))


def _upper_gamma(a: float, x: float) -> float:
    """Return Q(a, x) by its continued fraction (Lentz's method), which converges fast above a + 1."""
    b = x + 1 - a
    c, d = inf, 1 / b
    h, n, change = d, 0, 0.0
    while abs(change - 1) > _CLOSE and n < 10_000:
        n += 1
        numerator = n * (a - n)
        b += 2
        d = 1 / (numerator * d + b)
        c = b + numerator / c
        change = c * d
        h *= change
    return h * exp(a * log(x) - x - lgamma(a))


def binomial_tails(count: int, total: int, chance: float) -> tuple[float, float]:
    """Return the probabilities that a binomial count is at least as improbable as `count`, and at least as probable."""
    numbers = np.arange(total + 1)
    factorials = np.concatenate(([0.0], np.cumsum(np.log(numbers[1:]))))
    ways = factorials[total] - factorials - factorials[::-1]
    probabilities = np.exp(ways + numbers * log(chance) + (total - numbers) * log(1 - chance))
    seen = probabilities[count]
    rarer = probabilities[probabilities <= seen * (1 + TIE)].sum()
    likelier = probabilities[probabilities >= seen * (1 - TIE)].sum()
    return min(1.0, float(rarer)), min(1.0, float(likelier))


def power(strength: float, freedom: int, level: float) -> float:
    """Return the probability that a chi-square test at `level` finds a departure with the non-centrality `strength`."""
    limit = _root(lambda x: level - chi_square_tail(x, freedom), 0, 1000.0)
    weight, found, seen, j = exp(-strength / 2), 0.0, 0.0, 0
    while seen < 1 - 1e-12 and j < 10_000:
        found += weight * chi_square_tail(limit, freedom + 2 * j)
        seen += weight
        j += 1
        weight *= strength / 2 / j
    return found


def strength_needed(freedom: int, level: float, wanted: float) -> float:
    """Return the non-centrality that a chi-square test at `level` finds with the probability `wanted`."""
    return _root(lambda strength: power(strength, freedom, level) - wanted, 0, 500.0)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return the zero of a function that rises from below zero, by bisection."""
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high
