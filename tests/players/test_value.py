"""The chance of winning between rounds: exact after the last, and sensible before."""

from itertools import product
from math import erf, sqrt
from random import Random

import numpy as np
import pytest

from p2p_shanghaien.games.api import Over
from p2p_shanghaien.games.shanghaien import State
from p2p_shanghaien.players.shanghaien import value
from p2p_shanghaien.players.shanghaien.geometry import TAKERS, allotment
from p2p_shanghaien.players.shanghaien.rounds import options
from p2p_shanghaien.players.shanghaien.value import chances
from tests.players.rounds import end, margin, some_round

NOTHING = [("", "")]
NOBODY = (2,) * 6


def some_state(seed: int, number: int) -> State:
    """A position of round `number`, as many cards left to come as there are then."""
    state = some_round(Random(seed), left=(6, 6), tricks=("bp", "r"), crew=6)
    return state._replace(round=number, pile=state.pile[: 48 - 6 * number])


@pytest.mark.parametrize("seed", range(3))
def test_after_the_last_round_it_is_the_result(seed: int) -> None:
    state = some_state(seed, 8)
    pairs = list(product(options(state, 0), options(state, 1)))
    found = chances(state, pairs)
    assert found.shape == (len(pairs), 2, 729)
    rng = Random(seed)
    for _ in range(300):
        pair, caller, taken = rng.randrange(len(pairs)), rng.randrange(2), rng.randrange(729)
        over = end(state, pairs[pair], caller, TAKERS[taken]).waits
        assert isinstance(over, Over)
        assert found[pair, caller, taken] == {0: 1, 1: 0, None: 0.5}[over.winner]


def exact_round_seven(state: State, seed: int) -> float:
    """The mean and variance by trying fates: how often player 0's margin is what it may be."""
    rng = np.random.default_rng(seed)
    margins = []
    for fates in rng.choice(3, size=(4000, len(state.pile)), p=value.FATES):
        crews = [
            (*state.crews[side], *(card for card, fate in zip(state.pile, fates, strict=True) if fate == side))
            for side in (0, 1)
        ]
        margins.append(margin(state._replace(crews=(crews[0], crews[1]))))
    return float(np.mean(margins) / np.std(margins))


@pytest.mark.parametrize("seed", range(3))
def test_expects_what_fates_bring(seed: int) -> None:
    """The expected margin over its spread is what many random fates of the unseen sailors give."""
    state = some_state(seed, 7)
    state = state._replace(tricks=("", ""), pile=tuple(card for card in state.pile if card[0] != "X"))
    even = chances(state, NOTHING)[0, :, allotment(NOBODY)].mean()
    deviations = exact_round_seven(state, seed)
    assert even == pytest.approx((1 + erf(deviations / sqrt(2))) / 2, abs=0.03)


def test_all_are_chances() -> None:
    for number in range(1, 9):
        state = some_state(number, number)
        pairs = list(product(options(state, 0), options(state, 1)))
        found = chances(state, pairs)
        assert found.dtype == np.float32
        assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("number", range(1, 9))
def test_players_are_alike(number: int) -> None:
    state = some_state(number, number)
    other = state._replace(tricks=state.tricks[::-1], crews=state.crews[::-1])
    pairs = list(product(options(state, 0), options(state, 1)))
    swapped = np.array([allotment([(1, 0, 2)[taker] for taker in takers]) for takers in TAKERS])
    found = chances(other, [(second, first) for first, second in pairs])
    np.testing.assert_allclose(found[:, ::-1, swapped], 1 - chances(state, pairs), atol=1e-6)


def test_what_is_good_is_better() -> None:
    """To keep a trick, to start next, and to win one's first card of what is only one's own."""
    state = some_state(1, 4)._replace(crews=((), ()), row=("A4", "F1", "G2", "C3", "Xp", "D3"))
    nothing, spent = chances(state, [("", ""), ("p", "")])
    assert (nothing > spent).all()
    assert (nothing[1] > nothing[0]).all()
    won = [allotment([side if place == 0 else 2 for place in range(6)]) for side in (0, 1, 2)]
    assert nothing[0, won[0]] > nothing[0, won[2]] > nothing[0, won[1]]
    trick = [allotment([side if place == 4 else 2 for place in range(6)]) for side in (0, 1, 2)]
    assert nothing[0, trick[0]] > nothing[0, trick[2]] > nothing[0, trick[1]]


def test_normal_curve() -> None:
    deviations = np.linspace(-8, 8, 321)
    exact = [(1 + erf(deviation / sqrt(2))) / 2 for deviation in deviations]
    np.testing.assert_allclose(value._normal(deviations), exact, atol=2e-4)
