"""The fitting of the networks: the solver values positions, gradients are right, and fitting learns."""

from random import Random

import numpy as np
import pytest

from fitting import regress
from fitting.backwards import backwards
from fitting.positions import Seen, drawn, games, opening, seen
from p2p_shanghaien.games.shanghaien.players.network import AIMS, Aim, Network, packed, tabulated, unpacked
from p2p_shanghaien.games.shanghaien.players.solver import solve
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.games.shanghaien.scoring import scores
from tests.players.rounds import Fancy, judge_by
from tests.players.test_levels import AtOnce

LITTLE, PASSES = 60, 200
"""Positions of a round, and how often they are looked at: enough to learn something from in seconds."""


def some_positions(count: int, seed: int) -> list[list[State]]:
    """Positions before each round, by round."""
    return [list(states) for states in zip(*games(count, Random(seed)), strict=True)]


def some_seen(count: int, seed: int) -> Seen:
    rng = Random(seed)
    return seen([rng.choice(states) for states in games(count, rng)])


def test_positions_are_between_rounds_and_some_of_other_rules() -> None:
    by_round = some_positions(40, 1)
    for number, states in enumerate(by_round, start=1):
        assert all(
            (state.round, state.phase, len(state.pile)) == (number, Phase.ROW, 54 - 6 * number) for state in states
        )
    assert any("w" in state.tricks[0] for state in by_round[0])
    assert any("w" not in state.tricks[0] for state in by_round[0])
    assert len({state.pile for state in by_round[0]}) > 3


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2))
def test_a_round_is_worth_what_the_solver_says(seed: int) -> None:
    evaluate = judge_by(Fancy(seed))
    for states in some_positions(1, seed):
        state = drawn(states[0], Random(seed))
        if len(state.tricks[0]) + len(state.tricks[1]) < 5:
            assert opening(state, evaluate) == pytest.approx(solve(state, evaluate).value(state), abs=1e-9)


@pytest.mark.parametrize("aim", AIMS)
def test_slopes_are_those_of_the_loss(aim: Aim) -> None:
    looked = some_seen(20, 3)
    rng = np.random.default_rng(3)
    value = rng.random(20)
    network = Network(*(weights.astype(np.float64) for weights in regress.ignorant(looked, rng)))
    slopes = regress.slope(aim, network, looked, value)
    step = 1e-6
    for weights, slope in zip(network, slopes, strict=True):
        for place in rng.integers(weights.size, size=8):
            before = weights.flat[place]
            losses = []
            for moved in (before + step, before - step):
                weights.flat[place] = moved
                losses.append(regress.loss(aim, network, looked, value))
            weights.flat[place] = before
            assert slope.flat[place] == pytest.approx((losses[0] - losses[1]) / (2 * step), rel=1e-3, abs=1e-6)


def round_seven(aim: Aim, count: int = LITTLE, passes: int = PASSES) -> Network:
    """Return what the last two rounds teach from few positions: the network for round 7."""
    for done in backwards(aim, some_positions(count, 5), passes, 5, AtOnce()):
        if done.number == 7:
            return done.fit.network
    raise AssertionError


@pytest.fixture(scope="module")
def learnt(thorough: bool) -> dict[Aim, Network]:
    """A network for each aim; a plain run needs none that has learnt much."""
    return {aim: round_seven(aim) if thorough else round_seven(aim, 6, 5) for aim in AIMS}


@pytest.mark.thorough
def test_learns_something_from_little(learnt: dict[Aim, Network]) -> None:
    """On games it has not seen, it is far better at telling the lead at the end than whoever says that all are even."""
    others = some_positions(60, 6)[6]
    leads = np.array([_lead(state) for state in others])
    for aim, network in learnt.items():
        said = regress.evaluated(network, seen(others))
        assert np.corrcoef(said, leads)[0, 1] > 0.7, aim


def _lead(state: State) -> float:
    """Return the lead if no card more were won: not what a network says, but no stranger to it."""
    first, second = scores(state.crews, state.tricks)
    return float(first - second)


@pytest.mark.thorough
def test_players_are_alike(learnt: dict[Aim, Network]) -> None:
    looked = some_seen(30, 7)
    swapped = Seen(looked.nations[::-1], looked.rest[::-1])
    for network in learnt.values():
        np.testing.assert_allclose(
            regress.evaluated(network, looked), -regress.evaluated(network, swapped), rtol=1e-5, atol=1e-6
        )


@pytest.mark.thorough
def test_the_same_seed_makes_the_same_network(learnt: dict[Aim, Network]) -> None:
    for weights, others in zip(learnt["chance"], round_seven("chance"), strict=True):
        np.testing.assert_array_equal(weights, others)


@pytest.mark.thorough
def test_what_is_stored_comes_back(learnt: dict[Aim, Network]) -> None:
    stored = packed({(aim, number): network for aim, network in learnt.items() for number in range(1, 9)})
    back = unpacked(stored)
    for aim, network in learnt.items():
        for weights, others in zip(network, back[aim, 3], strict=True):
            np.testing.assert_allclose(weights, others, rtol=1e-3, atol=1e-4)
        assert np.isfinite(tabulated(network).nations).all()
