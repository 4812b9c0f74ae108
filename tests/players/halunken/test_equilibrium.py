"""Mixtures are equilibria."""

import numpy as np
import pytest

from p2p_shanghaien.games.halunken.players.equilibrium import solve
from tests.matrix_games import solve as solve_exactly


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 1), (2, 2), (3, 4), (5, 3)])
def test_small_games_have_the_value_that_square_submatrices_give(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        payoffs = rng.integers(-5, 6, shape).astype(float)
        assert solve(payoffs).value == pytest.approx(solve_exactly(payoffs.tolist()).value, abs=1e-6)


@pytest.mark.parametrize("shape", [(64, 8), (8, 64), (49, 7), (8, 8), (2, 16)])
def test_neither_player_gains_by_another_choice(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    for kind in range(30):
        payoffs = rng.random(shape)
        if kind % 3 == 1:
            payoffs = np.round(payoffs, 1)  # many ties
        elif kind % 3 == 2:
            payoffs = payoffs[rng.integers(0, shape[0], shape[0])]  # equal rows
        found = solve(payoffs)
        assert found.rows.sum() == pytest.approx(1)
        assert found.columns.sum() == pytest.approx(1)
        assert min(found.rows.min(), found.columns.min()) >= 0
        assert (payoffs @ found.columns).max() <= found.value + 1e-6
        assert (found.rows @ payoffs).min() >= found.value - 1e-6


def test_rock_paper_scissors() -> None:
    found = solve(np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]))
    assert found.value == pytest.approx(0)
    assert found.rows == pytest.approx([1 / 3] * 3)
    assert found.columns == pytest.approx([1 / 3] * 3)


def test_a_game_without_a_difference() -> None:
    found = solve(np.full((2, 3), 0.4))
    assert (found.value, list(found.rows)) == (0.4, [0.5, 0.5])
