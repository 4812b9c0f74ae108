"""Every level plays every position by the rules, the same way twice, and better than the one below it."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from p2p_shanghaien.analysis.tournament import Contest, play, summarise
from p2p_shanghaien.errors import LocalError, UsageError
from p2p_shanghaien.games.api import Acted
from p2p_shanghaien.games.registry import GAMES as INSTALLED
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.players import all_levels, computer_player, evaluator, has_evaluator, levels
from tests.games.playing import play as play_randomly
from tests.sweeps import sweep
from tests.toy import Toy

LEVELS = levels("shanghaien")
SLOW = {"master": 20}
"""Pairs of games that levels play which take long over them."""
GAMES = [Shanghaien(), Shanghaien("extra-wild", (8, 0, 0)), Shanghaien("standard", (0, 0, 8))]


class AtOnce(Executor):
    """Does what it is given in this thread, when it is given it."""

    def submit(self, function: Any, /, *arguments: Any, **named: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **named))
        return future


@pytest.mark.usefixtures("_toy_is_installed")
def test_every_game_has_levels() -> None:
    for name in INSTALLED:
        assert levels(name)[0] == "random"
        assert set(levels(name)) <= set(all_levels())
        assert INSTALLED[name].opponent in levels(name)
    assert levels("toy") == ("random",)


def test_a_game_may_lack_values(toy_as: Callable[[str], None]) -> None:
    toy_as("tests.toy_values:WITHOUT_VALUES")
    assert not has_evaluator("toy")
    with pytest.raises(LocalError, match="no_evaluator"):
        evaluator("toy")


@pytest.mark.parametrize("name", LEVELS)
def test_plays_by_the_rules_and_the_same_way_twice(name: str, thorough: bool) -> None:
    player = computer_player("shanghaien", name)
    again = pickle.loads(pickle.dumps(player))
    for seed, game in enumerate(GAMES * (3 if thorough else 1)):
        for moment in play_randomly(game, Random(seed), "!"):
            if isinstance(moment.step, Acted):
                who = moment.step.player
                action = player(moment.before, who, Random(seed))
                assert action in moment.before.legal(who)
                assert again(moment.before, who, Random(seed)) == action


@pytest.mark.usefixtures("_toy_is_installed")
def test_random_plays_every_game_by_the_rules() -> None:
    player = computer_player("toy", "random")
    for moment in play_randomly(Toy(), Random(1)):
        for who in (0, 1):
            if legal := moment.before.legal(who):
                assert player(moment.before, who, Random(2)) in legal


@pytest.mark.usefixtures("_toy_is_installed")
@pytest.mark.parametrize(("game", "level"), [("shanghaien", "os"), ("toy", "master"), ("toy", "human")])
def test_a_level_that_a_game_lacks_is_refused_with_those_it_has(game: str, level: str) -> None:
    with pytest.raises(UsageError) as raised:
        computer_player(game, level)
    assert raised.value.code == "no_such_level"
    assert raised.value.details == {"level": level, "game": game, "known": ", ".join(levels(game))}


def test_an_unknown_game_has_no_players() -> None:
    with pytest.raises(KeyError):
        computer_player("os", "random")


@sweep("weaker, stronger", list(pairwise(LEVELS)), every=3)
def test_beats_the_level_below(weaker: str, stronger: str, thorough: bool) -> None:
    players = computer_player("shanghaien", stronger), computer_player("shanghaien", weaker)
    pairs = SLOW.get(stronger, 60) // (1 if thorough else 10)
    summary = summarise(play(Contest(Shanghaien(), players, 2008), range(pairs), AtOnce()))
    assert summary.win_rate.mean > 0.6


def at(state: State, **changes: Any) -> State:
    return state._replace(**changes)


def round_of(*row: str, crews: Any = ((), ()), placed: Any = None, **changes: Any) -> State:
    """Return a position of round 8, so that nothing is still to come."""
    start = Shanghaien().start()
    placed = placed or ((0,) * 6, (0,) * 6)
    direction = "<" if any(map(any, placed)) else ""
    state = at(start, row=row, pile=(), round=8, phase=Phase.TURN, crews=crews, placed=placed, direction=direction)
    return at(state, **changes)


def test_greedy_takes_what_the_crews_need_and_easy_what_is_high() -> None:
    """A French 4 that nobody else has scores 4; an Italian 1 leaves the opponent 1 point instead of 7."""
    crews = ((), ("I3", "I4"))
    rolled = round_of("F4", "I1", "A1", "A2", "A3", "D1", crews=crews, placed=((0,) * 6, (0, 0, 0, 0, 0, 1)))
    rolled = at(rolled, phase=Phase.ROLLED, dice=(1, 2), player=0)
    assert computer_player("shanghaien", "greedy")(rolled, 0, Random(1)) == "-2"
    assert computer_player("shanghaien", "easy")(rolled, 0, Random(1)) == "-1"


def test_greedy_calls_shanghai_rather_than_let_a_won_row_go() -> None:
    placed = ((1, 1, 1, 1, 0, 0), (0, 0, 0, 0, 1, 1))
    won = round_of("F4", "I4", "A4", "D4", "Xp", "Xp", placed=placed)
    assert computer_player("shanghaien", "greedy")(won, 0, Random(1)) == "#"
    assert computer_player("shanghaien", "greedy")(at(won, player=1), 1, Random(1)) == "roll"


def test_greedy_plays_a_trick_that_pays() -> None:
    """In the last round both dice win two cards, for a trick's one point."""
    rolled = round_of("F4", "I4", "A1", "A2", "A3", "D1", phase=Phase.ROLLED, dice=(1, 2), tricks=("b", ""))
    assert computer_player("shanghaien", "greedy")(rolled, 0, Random(1)) == "!b<"


def test_master_ends_a_won_game() -> None:
    """Six to three ahead in the last round, it leaves the high cards lying there; the loser plays on for them."""
    placed = ((1, 1, 0, 0, 0, 0), (0, 0, 1, 1, 0, 0))
    ahead = round_of("F1", "I1", "A1", "A2", "D4", "S4", crews=(("G4",), ()), placed=placed)
    assert computer_player("shanghaien", "master")(ahead, 0, Random(1)) == "#"
    assert computer_player("shanghaien", "master")(at(ahead, player=1), 1, Random(1)) == "roll"


def test_master_chooses_alike_whatever_it_was_asked_before() -> None:
    """Its kept solutions are a matter of speed: asked backwards, it chooses the same."""
    asked = [
        (moment.before, moment.step.player)
        for moment in play_randomly(Shanghaien(), Random(8), "!")
        if isinstance(moment.step, Acted)
    ]
    master = computer_player("shanghaien", "master")
    forwards = [master(state, who, Random(1)) for state, who in asked]
    assert [master(state, who, Random(1)) for state, who in reversed(asked)] == forwards[::-1]


def test_help_and_weaker_levels_come_without_numpy() -> None:
    modules = "sys, p2p_shanghaien.cli.main, p2p_shanghaien.games.shanghaien.players.greedy"
    code = f"import {modules}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
