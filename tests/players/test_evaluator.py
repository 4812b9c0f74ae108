"""Values of positions over whole games: each follows from the next one's."""

from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random
from statistics import fmean

import pytest

from p2p_shanghaien.games.api import Chance, Terminal, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.players import computer_player, evaluator
from tests.sweeps import sweep

GAME = Shanghaien(variant="extra-wild")


def game(seed: int) -> Iterator[State]:
    """Yield the positions of a game in which all kinds of things are done."""
    rng = Random(seed)
    players = computer_player("shanghaien", "random"), computer_player("shanghaien", "greedy")
    state = GAME.start()
    yield state
    while not isinstance(state.node, Terminal):
        if isinstance(state.node, Chance):
            state = state.apply_chance([rng.randrange(bound) for bound in state.node.bounds])
        else:
            action = players[rng.random() < 0.7](state, state.player, rng)
            assert isinstance(action, str)
            state = state.apply(action)
        yield state


@sweep("seed", range(3), every=3)
def test_a_position_is_worth_what_follows(seed: int, thorough: bool) -> None:
    evaluated = evaluator(GAME.NAME)
    assert evaluated
    for state in islice(game(seed), 0, None, 1 if thorough else 4):
        here = evaluated.value(state)
        assert 0 <= here.chance <= 1
        options = evaluated.options(state)
        if isinstance(state.node, Turn):
            assert tuple(option.action for option in options) == state.legal(state.player)
            best = (max, min)[state.player]
            assert best(option.value.chance for option in options) == pytest.approx(here.chance, abs=1e-5)
            assert best(option.value.points for option in options) == pytest.approx(here.points, abs=1e-4)
        else:
            assert options == ()
        if state.phase in (Phase.DICE, Phase.REROLL):
            rolls = [evaluated.value(state.apply_chance((a, b))) for a in range(6) for b in range(6)]
            assert fmean(roll.chance for roll in rolls) == pytest.approx(here.chance, abs=1e-5)
            assert fmean(roll.points for roll in rolls) == pytest.approx(here.points, abs=1e-4)


@sweep("seed", range(3), every=3)
def test_an_option_is_worth_the_position_after_it(seed: int) -> None:
    evaluated = evaluator(GAME.NAME)
    assert evaluated
    for state in game(seed):
        for option in evaluated.options(state):
            after = evaluated.value(state.apply(option.action))
            assert option.value == pytest.approx(after, abs=1e-4)


def test_the_end_is_worth_the_result() -> None:
    evaluated = evaluator(GAME.NAME)
    assert evaluated
    for seed in range(6):
        *_, last = game(seed)
        assert isinstance(last.node, Terminal)
        lead = last.node.scores[0] - last.node.scores[1]
        assert evaluated.value(last) == ((1 + (lead > 0) - (lead < 0)) / 2, lead)


def test_players_are_alike_before_the_game_but_for_the_start() -> None:
    evaluated = evaluator(GAME.NAME)
    assert evaluated
    first = evaluated.value(GAME.start())
    second = evaluated.value(GAME.start()._replace(player=1, starter=1))
    assert first.chance == pytest.approx(1 - second.chance, abs=1e-6)
    assert first.points == pytest.approx(-second.points, abs=1e-5)


@sweep("seed", range(2), every=2)
def test_luck_is_what_a_roll_brings_beyond_its_mean(seed: int, thorough: bool) -> None:
    evaluated = evaluator(GAME.NAME)
    assert evaluated
    for before, after in islice(pairwise(game(seed)), 0, None, 1 if thorough else 4):
        luck = evaluated.luck(before, after)
        if before.phase not in (Phase.DICE, Phase.REROLL):
            assert not any(luck)
            continue
        rolls = [evaluated.luck(before, before.apply_chance((a, b))) for a in range(6) for b in range(6)]
        assert fmean(roll.chance for roll in rolls) == pytest.approx(0, abs=1e-5)
        assert fmean(roll.points for roll in rolls) == pytest.approx(0, abs=1e-4)
        assert any(roll.points == pytest.approx(luck.points, abs=1e-5) for roll in rolls)
