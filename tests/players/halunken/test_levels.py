"""Every level plays every position by the rules, the same way twice, and better than the one below it."""

import subprocess
import sys
from collections import Counter
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from p2p_shanghaien.analysis.tournament import Contest, play_pair, summarise
from p2p_shanghaien.games.api import Part, deciders
from p2p_shanghaien.games.halunken import SPEC
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players.evaluator import RoundEvaluator
from p2p_shanghaien.games.halunken.rogues import ordered
from p2p_shanghaien.games.halunken.rules import Phase, State
from p2p_shanghaien.players import UNIFORM, ComputerPlayer
from tests.games.playing import play
from tests.sweeps import sweep

LEVELS = {"random": UNIFORM, **SPEC.levels}
SOME = {"master": 3}
"""Every so many positions are enough for a level that thinks long."""
PAIRS = {"master": 10}
"""Pairs of games that such a level plays; each takes seconds."""
GAMES = [Halunken(*values) for values in product(*(setting.choices for setting in SPEC.settings))]


def player(level: str) -> ComputerPlayer[Any]:
    loaded: ComputerPlayer[Any] = Part(LEVELS[level].place).load()
    return loaded


def reached(phase: int, seed: int = 0, **changes: Any) -> State:
    """Return the first position of that phase in some random game, with changes."""
    for number in range(seed, seed + 100):
        for moment in play(Halunken(), Random(number)):
            if moment.before.phase == phase:
                return moment.before._replace(**changes)
    raise AssertionError(phase)


@sweep("level", LEVELS, every=2)
def test_plays_by_the_rules_and_the_same_way_twice(level: str) -> None:
    choose, asked = player(level), set()
    for seed, game in enumerate(GAMES):
        for moment in list(play(game, Random(seed)))[seed % SOME.get(level, 1) :: SOME.get(level, 1)]:
            for who in deciders(moment.before.node):
                action = choose(moment.before, who, Random(seed))
                assert action in moment.before.legal(who)
                assert choose(moment.before, who, Random(seed)) == action
                asked.add(moment.before.phase)
    assert asked >= {Phase.PLACE, Phase.AUCTION, Phase.CHOICE, Phase.NAME, Phase.ROB_JACK}


@sweep("blackjack", ["on", "off"], every=2)
@sweep("weaker, stronger", list(pairwise(LEVELS)), every=3)
def test_beats_the_level_below(weaker: str, stronger: str, blackjack: str, thorough: bool) -> None:
    contest = Contest(Halunken(blackjack), (player(stronger), player(weaker)), 1997)
    pairs = (PAIRS.get(stronger, 20) if blackjack == "on" else 25) // (1 if thorough else 4)
    assert summarise(play_pair(contest, number) for number in range(pairs)).win_rate.mean > 0.55


def crews(*rogues: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return ordered(rogues[0].split()), ordered(rogues[1].split())


def test_greedy_steals_what_its_crew_doubles_and_easy_what_is_high() -> None:
    """With two greys, a third counts twice; the other's yellow is doubled with or without either."""
    state = reached(Phase.JACK_ROB, player=0, hirer=0, crews=crews("g10 g11", "y1 y2 y3 y4 g8 v9"))
    assert player("greedy")(state, 0, Random(1)) == "take:g8"
    assert {player("easy")(state, 0, Random(seed)) for seed in range(20)} >= {"take:v9"}


def test_greedy_loses_the_cheapest_rogue_by_points() -> None:
    """Without y1 violet is doubled instead of yellow: the loss is a gain."""
    state = reached(Phase.LOSE, player=1, crews=crews("r4", "v11 v14 y1 y2 y3"))
    assert player("greedy")(state, 1, Random(1)) == "lose:y1"


def test_greedy_bids_for_much_and_not_for_little() -> None:
    much = reached(Phase.AUCTION, player=0, opener=0, bid="", crews=crews("r15 y1", "v14 v11"))
    assert player("greedy")(much, 0, Random(1)) == "bid:y1"
    little = much._replace(crews=crews("r15 r11", "y1 y2 y3 y4"))
    assert player("greedy")(little, 0, Random(1)) == "pass"


def test_easy_never_bids() -> None:
    state = reached(Phase.AUCTION, player=0, opener=0, bid="", crews=crews("r15 y1", "v14 v11"))
    assert {player("easy")(state, 0, Random(seed)) for seed in range(20)} == {"pass"}


def test_greedy_and_easy_come_without_numpy() -> None:
    modules = ", ".join(LEVELS[level].module for level in ("easy", "greedy"))
    code = f"import sys, {modules}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_master_draws_a_secret_choice_from_the_mixture() -> None:
    state = next(moment.before for moment in play(Halunken(), Random(1)) if moment.before.phase == Phase.CHOICE)
    weights = RoundEvaluator().mixture(state, 0)
    drawn = Counter(player("master")(state, 0, Random(seed)) for seed in range(400))
    for weight in weights:
        assert drawn[weight.action] / 400 == pytest.approx(weight.to_win, abs=0.1)


def test_master_takes_what_wins_in_the_last_round() -> None:
    """A bid that hires Black Jack for the last theft, and then the rogue that turns the game."""
    state = reached(Phase.JACK_ROB, player=0, hirer=0, round=8, crews=crews("g10 g11", "y1 y2 y3 y4 g8 v9 v14 r15"))
    best = max(state.legal(0), key=lambda action: state.apply(action).scores[0] - state.apply(action).scores[1])
    after = state.apply(player("master")(state, 0, Random(1)))
    assert (after.scores[0] > after.scores[1]) == (state.apply(best).scores[0] > state.apply(best).scores[1])


def test_master_chooses_alike_whatever_it_was_asked_before() -> None:
    """Its kept solutions are a matter of speed: asked backwards, it chooses the same."""
    asked = [
        (moment.before, moment.before.player)
        for moment in play(Halunken(), Random(8), "bid")
        if moment.before.phase == Phase.AUCTION
    ][::3]
    forwards = [player("master")(state, who, Random(1)) for state, who in asked]
    assert [player("master")(state, who, Random(1)) for state, who in reversed(asked)] == forwards[::-1]
