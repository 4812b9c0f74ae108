"""Every level plays every position by the rules, the same way twice, and better than the one below it."""

import subprocess
import sys
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from p2p_shanghaien.analysis.tournament import Contest, play_pair, summarise
from p2p_shanghaien.games.api import Part, deciders
from p2p_shanghaien.games.halunken import SPEC
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rogues import ordered
from p2p_shanghaien.games.halunken.rules import Phase, State
from p2p_shanghaien.players import UNIFORM, ComputerPlayer
from tests.games.playing import play

LEVELS = {"random": UNIFORM, **SPEC.levels}
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


@pytest.mark.parametrize("level", LEVELS)
def test_plays_by_the_rules_and_the_same_way_twice(level: str) -> None:
    choose, asked = player(level), set()
    for seed, game in enumerate(GAMES):
        for moment in play(game, Random(seed)):
            for who in deciders(moment.before.node):
                action = choose(moment.before, who, Random(seed))
                assert action in moment.before.legal(who)
                assert choose(moment.before, who, Random(seed)) == action
                asked.add(moment.before.phase)
    assert asked >= {Phase.PLACE, Phase.AUCTION, Phase.CHOICE, Phase.NAME, Phase.ROB_JACK, Phase.LOSE, Phase.JACK_ROB}


@pytest.mark.parametrize("blackjack", ["on", "off"])
@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(LEVELS)))
def test_beats_the_level_below(weaker: str, stronger: str, blackjack: str) -> None:
    contest = Contest(Halunken(blackjack), (player(stronger), player(weaker)), 1997)
    assert summarise(play_pair(contest, number) for number in range(20)).win_rate.mean > 0.55


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
