"""The evaluator and the level `optimal`."""

from collections.abc import Iterator
from random import Random

import pytest

from p2p_shanghaien.games.api import Chance, Terminal, Turn
from p2p_shanghaien.players import PositionValue
from shanghaien_pig.players import PigEvaluator, optimal
from shanghaien_pig.rules import HOLD, ROLL, State

GOAL = 25


def positions(seed: int) -> Iterator[State]:
    """Yield the positions of a random game."""
    rng, state = Random(seed), State(GOAL)
    while True:
        yield state
        match state.node:
            case Turn(player):
                state = state.apply(rng.choice(state.legal(player)))
            case Chance((sides,)):
                state = state.apply_chance((rng.randrange(sides),))
            case _:
                return


@pytest.mark.parametrize("seed", range(5))
def test_a_position_is_worth_its_best_choice_or_its_mean(seed: int) -> None:
    evaluator = PigEvaluator()
    for state in positions(seed):
        now = evaluator.value(state)
        assert 0 <= now.chance <= 1
        match state.node:
            case Turn(player):
                options = evaluator.options(state)
                assert [option.action for option in options] == list(state.legal(player))
                best = min if player else max
                assert now.chance == pytest.approx(best(option.value.chance for option in options), abs=1e-9)
                assert now.points == pytest.approx(best(option.value.points for option in options), abs=1e-9)
            case Chance((sides,)):
                luck = [evaluator.luck(state, state.apply_chance((index,))) for index in range(sides)]
                assert sum(each.chance for each in luck) == pytest.approx(0, abs=1e-9)
                assert sum(each.points for each in luck) == pytest.approx(0, abs=1e-9)
                assert evaluator.options(state) == ()
            case Terminal(scores, winner):
                assert now == PositionValue(float(winner == 0), scores[0] - scores[1])
                assert evaluator.options(state) == ()


@pytest.mark.parametrize("seed", range(5))
def test_the_players_see_the_same_from_either_side(seed: int) -> None:
    evaluator = PigEvaluator()
    for state in positions(seed):
        other = state._replace(player=1 - state.player, scores=(state.scores[1], state.scores[0]))
        one, two = evaluator.value(state), evaluator.value(other)
        assert one.chance + two.chance == pytest.approx(1, abs=1e-12)
        assert one.points == pytest.approx(-two.points, abs=1e-12)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(("total", "action"), [(0, ROLL), (21, ROLL), (22, HOLD), (27, ROLL), (59, HOLD)])
def test_optimal_does_what_is_best(player: int, total: int, action: str) -> None:
    """At 41 points to 49, where the literature says so; with 59 more there is no choice."""
    scores = (49, 41) if player else (41, 49)
    assert optimal(State(100, scores, player, total), player, Random(0)) == action


def test_optimal_wins_against_chance() -> None:
    rng, won = Random(1), 0
    for game in range(60):
        state, ours = State(GOAL), game % 2
        while not isinstance(node := state.node, Terminal):
            if isinstance(node, Turn):
                legal = state.legal(node.player)
                mine = node.player == ours
                state = state.apply(optimal(state, ours, rng) if mine else rng.choice(legal))
            else:
                state = state.apply_chance((rng.randrange(6),))
        won += node.winner == ours
    assert won > 40
