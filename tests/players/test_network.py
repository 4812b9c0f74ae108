"""The network's input for a nationality follows from random draws of its unseen sailors; its short cuts are exact."""

from itertools import product
from random import Random

import numpy as np
import pytest

from fitting.positions import games, seen
from fitting.regress import evaluated
from p2p_shanghaien.games.shanghaien.players.network import FATES, UNSEEN, features, networks
from p2p_shanghaien.games.shanghaien.players.value import between
from p2p_shanghaien.games.shanghaien.scoring import nationality_points
from tests.sweeps import together


@together("kind", range(0, len(UNSEEN), 5))
@together(("mine", "other"), [(0, 0), (3, 0), (4, 3), (5, 5), (0, 9), (31, 31)])
def test_expects_what_fates_bring(kind: int, mine: int, other: int) -> None:
    values = [value for value, count in enumerate(UNSEEN[kind], start=1) for _ in range(count)]
    mean = square = ahead = level = 0.0
    for fates in product(range(3), repeat=len(values)):
        held = [mine, other, 0]
        chance = 1.0
        for value, fate in zip(values, fates, strict=True):
            held[fate] += value
            chance *= FATES[fate]
        margin = nationality_points(held[0], held[1]) - nationality_points(held[1], held[0])
        mean += chance * margin
        square += chance * margin**2
        ahead += chance * (held[0] > held[1])
        level += chance * (held[0] == held[1])
    found = features()[kind, mine, other]
    assert found[0] * 4 == pytest.approx(mean, abs=1e-5)
    assert (found[1] * 4) ** 2 == pytest.approx(square - mean**2, abs=1e-4)
    assert found[3:5] == pytest.approx((ahead, level), abs=1e-6)


def test_there_is_one_for_every_use() -> None:
    assert set(networks()) == set(product(("chance", "points"), range(1, 9)))


def test_is_reckoned_as_it_was_fitted() -> None:
    """Tables and array work in the game, plain sums in fitting: the same to rounding."""
    for states in zip(*games(5, Random(3)), strict=True):
        number = states[0].round
        chance, lead = (evaluated(networks()[aim, number], seen(list(states))) for aim in ("chance", "points"))
        expected = np.column_stack([1 / (1 + np.exp(-chance)), lead])
        np.testing.assert_allclose([between(state) for state in states], expected, atol=1e-3)
