"""Distributions against printed tables, against counting, and against simulation."""

from fractions import Fraction
from itertools import pairwise
from math import comb, sqrt

import numpy as np
import pytest

from p2p_shanghaien.analysis.chances import binomial_tails, chi_square_tail, power, strength_needed
from tests.sweeps import together


@together(
    ("freedom", "chance", "statistic"),
    [
        # percentage points as every printed table has them
        (1, 0.05, 3.841),
        (1, 0.01, 6.635),
        (1, 0.95, 0.00393),
        (2, 0.05, 5.991),
        (5, 0.05, 11.070),
        (5, 0.95, 1.145),
        (5, 0.001, 20.515),
        (20, 0.05, 31.410),
        (20, 0.01, 37.566),
        (20, 0.99, 8.260),
        (50, 0.05, 67.505),
        (100, 0.95, 77.929),
    ],
)
def test_chi_square_as_tables_have_it(freedom: int, chance: float, statistic: float) -> None:
    assert chi_square_tail(statistic, freedom) == pytest.approx(chance, rel=2e-3)


def test_chi_square_ends_and_falls() -> None:
    assert chi_square_tail(0, 5) == 1
    # closed form for two degrees of freedom
    for x in (0.001, 0.5, 1.9, 2, 2.1, 40, 400):
        assert chi_square_tail(x, 2) == pytest.approx(np.exp(-x / 2), rel=1e-12)
    for freedom in (1, 25, 56, 400):
        tails = [chi_square_tail(x, freedom) for x in np.linspace(0, 3 * freedom, 200)]
        assert all(0 <= after <= before <= 1 for before, after in pairwise(tails))


def test_chi_square_against_simulation() -> None:
    rng = np.random.default_rng(1)
    count = 200_000
    for freedom in (3, 25):
        squares = (rng.standard_normal((count, freedom)) ** 2).sum(axis=1)
        for x in (freedom / 2, freedom, 2 * freedom):
            chance = chi_square_tail(x, freedom)
            assert abs((squares >= x).mean() - chance) < 4 * sqrt(chance * (1 - chance) / count)


@pytest.mark.parametrize(("total", "chance"), [(1, Fraction(1, 2)), (10, Fraction(1, 2)), (23, Fraction(1, 6))])
def test_binomial_by_counting(total: int, chance: Fraction) -> None:
    each = [comb(total, k) * chance**k * (1 - chance) ** (total - k) for k in range(total + 1)]
    for k in range(total + 1):
        rarer, likelier = binomial_tails(k, total, float(chance))
        assert rarer == pytest.approx(float(sum(p for p in each if p <= each[k])))
        assert likelier == pytest.approx(float(sum(p for p in each if p >= each[k])))


def test_binomial_of_many() -> None:
    assert binomial_tails(500_000, 1_000_000, 0.5)[0] == pytest.approx(1)
    # five standard deviations
    assert binomial_tails(502_500, 1_000_000, 0.5)[0] == pytest.approx(5.73e-7, rel=0.02)


@pytest.mark.parametrize(("freedom", "level", "wanted"), [(5, 0.05, 0.8), (5, 0.0005, 0.8), (20, 0.01, 0.5)])
def test_power_against_simulation(freedom: int, level: float, wanted: float) -> None:
    strength = strength_needed(freedom, level, wanted)
    assert power(strength, freedom, level) == pytest.approx(wanted, abs=1e-6)
    found = np.random.default_rng(2).noncentral_chisquare(freedom, strength, 20_000)
    share = np.mean([chi_square_tail(x, freedom) <= level for x in found])
    assert share == pytest.approx(wanted, abs=0.012)


def test_no_departure_is_found_as_often_as_the_level_says() -> None:
    assert power(0, 5, 0.01) == pytest.approx(0.01)
