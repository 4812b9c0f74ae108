"""The fitting of Macao's network: positions are those of games, gradients are right, and fitting learns."""

from random import Random

import numpy as np
import pytest

from fitting.macao import AtOnce, Played, fit, generations, played, slope
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.players.features import Features
from p2p_shanghaien.games.macao.players.network import POINTS, Network, network, squashed
from p2p_shanghaien.games.macao.rules import Phase
from tests.games.playing import play
from tests.players.test_levels import AtOnce as Executor


@pytest.mark.thorough
def test_games_are_played_by_greedy_and_then_by_a_network() -> None:
    first, later = played(None, "1", range(2)), played(network(), "1", range(2))
    for games in (first, later):
        _, count, size = games.seen.shape
        assert games.wanted.shape == (count, 2)
        assert size == network().hidden.shape[0]
    # without a network, every position of a game is fitted to its result
    assert len(np.unique(first.wanted, axis=0)) <= 2
    assert len(np.unique(later.wanted, axis=0)) > 20
    assert (later.wanted[:, 0] >= 0).all()
    assert (later.wanted[:, 0] <= 1).all()


def test_a_network_takes_what_it_values_most() -> None:
    player = AtOnce(network(), Features(reconstruction()))
    for moment in list(play(Macao(), Random(1), "recruit"))[1::9]:
        state = moment.before
        if state.phase != Phase.ACTION:
            continue
        after = player.chances([state.apply(action) for action in state.legal(state.player)])
        chosen = player.choose(state, state.player, Random(1))
        assert after[state.legal(state.player).index(chosen)] == (after.min() if state.player else after.max())


def some(rng: np.random.Generator, count: int, size: int) -> np.ndarray:
    return rng.normal(size=(2, count, size))


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    rng = np.random.default_rng(1)
    weights = [rng.normal(size=(6, 5)), rng.normal(size=5), rng.normal(size=(5, 2)), rng.normal(size=(6, 2))]
    seen, wanted = some(rng, 30, 6), rng.uniform(size=(30, 2))

    def loss() -> float:
        hidden, bias, out, direct = weights
        found = np.maximum(seen @ hidden + bias, 0) @ out + seen @ direct
        both = (found[0] - found[1]) / 2
        chance = squashed(both[:, 0])
        entropy = -wanted[:, 0] * np.log(chance) - (1 - wanted[:, 0]) * np.log(1 - chance)
        return float(np.mean(entropy + 0.5 * (both[:, 1] - wanted[:, 1]) ** 2 / 2))

    for each, down in zip(weights, slope(weights, seen, wanted), strict=True):
        flat = each.reshape(-1)
        for place in range(0, flat.size, 4):
            kept, step = flat[place], 1e-5
            flat[place] = kept + step
            above = loss()
            flat[place] = kept - step
            below = loss()
            flat[place] = kept
            assert (above - below) / (2 * step) == pytest.approx(down.reshape(-1)[place], abs=1e-6)


def test_fitting_learns_what_a_network_can_know() -> None:
    rng = np.random.default_rng(2)
    seen = some(rng, 1200, 8).astype(np.float32)
    side = seen[..., 0] + 0.6 * np.abs(seen[..., 1])
    margins = np.asarray(side[0] - side[1], np.float64)
    wanted = np.stack([squashed(margins), margins], axis=1).astype(np.float32)
    found, (chance, margin) = fit(Played(seen, wanted), (1,), 150)
    assert chance < 0.3 * wanted[:, 0].std()
    assert margin < 0.3 * POINTS * margins.std()
    again, _ = fit(Played(seen, wanted), (1,), 150)
    assert all((one == other).all() for one, other in zip(found, again, strict=True))


@pytest.mark.thorough
def test_generations_follow_each_other() -> None:
    found = generations((2, 2), 1, Executor())
    assert isinstance(found, Network)
    assert found.hidden.shape == network().hidden.shape
