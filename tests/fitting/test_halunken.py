"""The fitting of Halunken's networks: positions are possible ones, gradients are right, and fitting learns."""

from random import Random

import numpy as np
import pytest

from fitting.halunken import Solved, backwards, fit, positions, slope, varied
from p2p_shanghaien.games.halunken.players.network import Network, packed, unpacked
from p2p_shanghaien.games.halunken.rules import ROUNDS, Phase
from tests.players.test_levels import AtOnce

GAMES = {"on": True, "off": False}


@pytest.mark.parametrize("blackjack", GAMES)
def test_positions_are_before_rounds_and_variations_are_possible(blackjack: str) -> None:
    rng = Random(1)
    for states in positions(blackjack, 1, range(4)):
        assert [state.round for state in states] == list(range(1, ROUNDS))
        for state in (*states, *(varied(state, rng) for state in states)):
            assert state.phase == (Phase.AUCTION if GAMES[blackjack] else Phase.CHOICE)
            assert [len(cards) for cards in state.cards[:2]] == [ROUNDS + 1 - state.round] * 2
            figures = [*state.captains, *([state.jack] if GAMES[blackjack] else [])]
            assert len(set(figures)) == len(figures)
            if GAMES[blackjack]:
                assert state.player == state.opener


def some(rng: np.random.Generator, count: int, size: int) -> np.ndarray:
    return rng.normal(size=(2, count, size))


def test_the_gradient_is_the_slope_of_the_error() -> None:
    rng = np.random.default_rng(1)
    weights = [rng.normal(size=(6, 5)), rng.normal(size=5), rng.normal(size=5), rng.normal(size=6)]
    seen, wanted = some(rng, 30, 6), rng.normal(size=30)

    def error() -> float:
        hidden, bias, out, direct = weights
        found = np.maximum(seen @ hidden + bias, 0) @ out + seen @ direct
        return float(np.mean(((found[0] - found[1]) / 2 - wanted) ** 2) / 2)

    for each, down in zip(weights, slope(weights, seen, wanted), strict=True):
        flat = each.reshape(-1)
        for place in range(0, flat.size, 4):
            kept, step = flat[place], 1e-5
            flat[place] = kept + step
            above = error()
            flat[place] = kept - step
            below = error()
            flat[place] = kept
            assert (above - below) / (2 * step) == pytest.approx(down.reshape(-1)[place], abs=1e-6)


def test_fitting_learns_what_a_network_can_know() -> None:
    rng = np.random.default_rng(2)
    seen = some(rng, 1200, 8).astype(np.float32)
    side = 10 * seen[..., 0] + 6 * np.abs(seen[..., 1])
    margins = np.asarray(side[0] - side[1], np.float64)
    chances = 1 / (1 + np.exp(-margins / 9))
    network, off = fit(Solved(seen, np.stack([chances, margins], axis=1)), (1,), 150)
    assert off < 0.2 * margins.std()
    assert network.spread[0] == pytest.approx(9, abs=1)
    # whoever sees it from the other side sees the opposite
    assert network.margins(seen[::-1]) == pytest.approx(-network.margins(seen))


def test_fitting_goes_on_from_a_network() -> None:
    """Without a pass it is the same, whatever positions it has been fitted to."""
    rng = np.random.default_rng(3)
    first, second = (some(rng, 1200, 8).astype(np.float32) + shift for shift in (0, 3))
    margins = np.asarray(10 * first[0, :, 0] - 10 * first[1, :, 0], np.float64)
    values = np.stack([1 / (1 + np.exp(-margins / 9)), margins], axis=1)
    network, _ = fit(Solved(first, values), (1,), 20)
    again, _ = fit(Solved(second, values), (1,), 1, network)
    assert again.margins(second) == pytest.approx(network.margins(second), abs=1e-3)
    _, off = fit(Solved(first, values), (1,), 20, network)
    assert off <= fit(Solved(first, values), (1,), 20)[1]


@pytest.mark.thorough
def test_networks_are_fitted_backwards_and_kept() -> None:
    told: list[str] = []
    by_round = [list(states) for states in zip(*positions("off", 2, range(30)), strict=True)]
    networks = backwards(by_round, 1, AtOnce(), told.append)
    assert len(networks) == len(told) == ROUNDS - 1
    by_use = {(blackjack, number + 1): each for blackjack in (False, True) for number, each in enumerate(networks)}
    again = unpacked(packed(by_use))
    for use, network in by_use.items():
        for name in Network._fields:
            assert getattr(again[use], name) == pytest.approx(getattr(network, name), rel=1e-3, abs=1e-4)
