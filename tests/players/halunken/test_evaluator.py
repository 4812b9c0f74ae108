"""Values of positions: exact in the last round, without a mean of luck, and the same for either player."""

from collections.abc import Callable
from functools import cache
from random import Random
from statistics import fmean
from typing import Any

import pytest

from p2p_shanghaien.analysis.annotate import GAME, annotate
from p2p_shanghaien.games.api import Chance, Simultaneous, Terminal, Turn
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players.evaluator import RoundEvaluator
from p2p_shanghaien.games.halunken.rules import Phase, State
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import PositionValue, simultaneous
from tests.games.playing import play
from tests.sweeps import sweep

GAMES = [Halunken(), Halunken("off"), Halunken("on", "1", "may"), Halunken("on", "3")]


def close(value: PositionValue, other: PositionValue) -> bool:
    return abs(value.chance - other.chance) < 1e-6 and abs(value.points - other.points) < 1e-4


def result(state: State) -> PositionValue:
    over = state.node
    assert isinstance(over, Terminal)
    margin = over.scores[0] - over.scores[1]
    return PositionValue((1 + (margin > 0) - (margin < 0)) / 2, margin)


@cache
def brute_force(state: State) -> PositionValue:
    """Return the value of a position of the last round by the rules, everything tried."""
    match state.node:
        case Terminal():
            return result(state)
        case Turn(player):
            values = [brute_force(state.apply(action)) for action in state.legal(player)]
            best: Callable[..., Any] = min if player else max
            return PositionValue(best(each.chance for each in values), best(each.points for each in values))
        case Simultaneous():
            ((first,), (second,)) = state.legal(0), state.legal(1)
            return brute_force(state.apply_joint((first, second)))
        case Chance(bounds):
            if len(bounds) > 1:
                # nobody takes what is turned up under cancelled cards
                return brute_force(state.apply_chance([0 for _ in bounds]))
            values = [brute_force(state.apply_chance((index,))) for index in range(bounds[0])]
            return PositionValue(fmean(each.chance for each in values), fmean(each.points for each in values))


def last_rounds(game: Halunken, count: int) -> list[State]:
    found = []
    for seed in range(count):
        for moment in play(game, Random(seed)):
            state = moment.before
            if state.round == 8 and (state.phase != Phase.AUCTION or min(map(len, state.crews)) < 4):
                found.append(state)
    return found


@pytest.mark.parametrize("game", GAMES[:3], ids=str)
def test_values_of_the_last_round_are_exact(game: Halunken, thorough: bool) -> None:
    evaluator = RoundEvaluator()
    for state in last_rounds(game, 25 if thorough else 4):
        assert close(evaluator.value(state), brute_force(state)), state
        for option in evaluator.options(state):
            assert close(option.value, brute_force(state.apply(option.action))), (state, option)


def moments(game: Halunken, seed: int) -> list[State]:
    return [moment.before for moment in play(game, Random(seed))]


@sweep("game", GAMES, every=4, ids=str)
def test_luck_is_zero_in_the_mean_over_all_draws(game: Halunken) -> None:
    evaluator, seen = RoundEvaluator(), set()
    for state in moments(game, 2):
        node = state.node
        if not isinstance(node, Chance) or state.phase == Phase.FIRST:
            continue
        seen.add(state.phase)
        first, *second = node.bounds
        draws = [(a, *b) for a in range(first) for b in ([(c,) for c in range(second[0])] if second else [()])]
        if len(draws) > 60:
            continue
        luck = [evaluator.luck(state, state.apply_chance(draw)) for draw in draws]
        assert fmean(each.chance for each in luck) == pytest.approx(0, abs=1e-9)
        assert fmean(each.points for each in luck) == pytest.approx(0, abs=1e-6)
    assert Phase.TURN_UP in seen


def test_the_luck_of_a_setup_is_not_counted() -> None:
    state = Halunken().start().apply("at:1")
    assert RoundEvaluator().luck(state, state.apply_chance((3,))) == PositionValue(0.0, 0.0)


def exchanged(state: State) -> State:
    """Return the same position with the players' names exchanged."""
    player = state.player
    if state.phase != Phase.CHOICE and isinstance(state.node, Turn):
        player = 1 - player
    return state._replace(
        player=player,
        opener=None if state.opener is None else 1 - state.opener,
        hirer=None if state.hirer is None else 1 - state.hirer,
        shown=(state.shown[1], state.shown[0], state.shown[2]),
        numbers=(state.numbers[1], state.numbers[0], state.numbers[2]),
        captains=state.captains[::-1],
        cards=(state.cards[1], state.cards[0], state.cards[2]),
        crews=state.crews[::-1],
        scores=state.scores[::-1],
    )


def test_both_players_are_treated_alike() -> None:
    evaluator = RoundEvaluator()
    for state in moments(Halunken(), 3)[::4]:
        if state.round and not (isinstance(state.node, Chance) and state.phase == Phase.TURN_UP):
            chance, points = evaluator.value(state)
            other = evaluator.value(exchanged(state))
            assert other.chance == pytest.approx(1 - chance, abs=1e-5)
            assert other.points == pytest.approx(-points, abs=1e-3)


@pytest.mark.parametrize("game", GAMES[:2], ids=str)
def test_mixtures_are_equilibria_of_the_choices(game: Halunken) -> None:
    evaluator = RoundEvaluator()
    for state in moments(game, 4):
        if not isinstance(state.node, Simultaneous):
            assert evaluator.mixture(state, 0) == ()
            continue
        value = evaluator.value(state)
        for player, options in enumerate(simultaneous.options(state, evaluator)):
            weights = evaluator.mixture(state, player)
            assert tuple(weight.action for weight in weights) == state.legal(player)
            assert sum(weight.to_win for weight in weights) == pytest.approx(1)
            assert sum(weight.for_points for weight in weights) == pytest.approx(1)
            best = (max, min)[player]
            assert best(option.value.chance for option in options) == pytest.approx(value.chance, abs=1e-6)
            assert best(option.value.points for option in options) == pytest.approx(value.points, abs=1e-4)


@sweep("game", GAMES[:2], every=2, ids=str)
def test_the_parts_of_an_analysis_add_up_to_the_result(game: Halunken) -> None:
    steps = tuple(moment.step for moment in play(game, Random(5)))
    found = annotate(Record(game, steps=steps), RoundEvaluator())
    for player in (0, 1):
        parts = [found.luck(player), found.skill(player), found.matchup(player)]
        start = found.start.to_player(player)
        total = [start.chance + sum(p.chance for p in parts), start.points + sum(p.points for p in parts)]
        assert total == list(found.result.to_player(player))
    assert found.result.chance in (0, GAME // 2, GAME)
    assert all(decision.cost.chance >= 0 for step in found.steps for decision in step.decisions)
