"""Every level plays every position by the rules, the same way twice, and better than the one below it."""

import subprocess
import sys
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from p2p_shanghaien.analysis.tournament import Contest, play_pair, summarise
from p2p_shanghaien.games.api import Part, deciders
from p2p_shanghaien.games.macao import SPEC
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.rules import Phase, Pile, Side, State, start
from p2p_shanghaien.players import UNIFORM, ComputerPlayer
from tests.games.playing import play

LEVELS = {"random": UNIFORM, **SPEC.levels}
SLOW = ("master",)
"""The levels that think long: only a thorough run lets them play whole games."""


def thorough_if(slow: bool) -> list[pytest.MarkDecorator]:
    return [pytest.mark.thorough] if slow else []


def player(level: str) -> ComputerPlayer[Any]:
    loaded: ComputerPlayer[Any] = Part(LEVELS[level].place).load()
    return loaded


def position(own: Side, **changes: Any) -> State:
    """Return a position in which player 0 is to act."""
    return start(reconstruction())._replace(
        phase=Phase.ACTION,
        round=9,
        sides=(own, Side()),
        centre=("casino", "gallery"),
        piles=tuple(Pile(top, 0, ()) for top in ("sailor-j", "killer-a", "politician-a", "widow")),
        unseen=(),
        **changes,
    )


@pytest.mark.parametrize("level", [pytest.param(level, marks=thorough_if(level in SLOW)) for level in LEVELS])
def test_plays_by_the_rules_and_the_same_way_twice(level: str) -> None:
    choose, asked = player(level), set()
    for seed in range(4):
        for number, moment in enumerate(play(Macao(), Random(seed), "recruit")):
            if level in SLOW and number % 5 and moment.before.phase == Phase.ACTION:
                continue
            for who in deciders(moment.before.node):
                action = choose(moment.before, who, Random(seed))
                assert action in moment.before.legal(who)
                assert choose(moment.before, who, Random(seed)) == action
                asked.add(moment.before.phase)
    assert asked == {Phase.ACTION, Phase.LIMIT, Phase.DANCER, Phase.POLICEMAN, Phase.KILLER}


@pytest.mark.parametrize(
    ("weaker", "stronger"), [pytest.param(*pair, marks=thorough_if(pair[1] in SLOW)) for pair in pairwise(LEVELS)]
)
def test_beats_the_level_below(weaker: str, stronger: str, thorough: bool) -> None:
    contest = Contest(Macao(), (player(stronger), player(weaker)), 2019)
    pairs = 60 if thorough and stronger not in SLOW else 8
    assert summarise(play_pair(contest, number) for number in range(pairs)).win_rate.mean > 0.6


def test_greedy_and_easy_come_without_numpy() -> None:
    modules = ", ".join(LEVELS[level].module for level in ("easy", "greedy"))
    code = f"import sys, {modules}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_both_open_a_tile_for_nothing() -> None:
    own = Side(blue=(), red=("dancer-w", "dancer-m", "sailor-j", "croupier-j"))
    assert player("greedy")(position(own), 0, Random(1)) == "open:gallery"
    assert {player("easy")(position(own), 0, Random(seed)) for seed in range(20)} >= {"open:gallery"}


def test_greedy_ends_the_game_when_ahead() -> None:
    red = ("killer-a", "killer-w", "killer-m", "innkeeper-a", "innkeeper-w", "sailor-a")
    state = position(Side(blue=("dancer-j", "killer-j"), red=red))
    assert player("greedy")(state, 0, Random(1)) in ("recruit:dancer-j", "recruit:killer-j")


def test_greedy_keeps_what_its_plan_needs() -> None:
    """Money and jade, of which there is one each, are in almost every cost here; weapons there are enough of."""
    own = Side(blue=("dancer-w", "killer-m", "trader-j", "politician-w", "sailor-w", "sailor-w"), red=())
    state = position(own)._replace(phase=Phase.LIMIT, centre=())
    assert player("greedy")(state, 0, Random(1)) not in ("discard:killer-m", "discard:trader-j")
