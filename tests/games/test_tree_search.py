"""The benchmark's tree search: its rules in C are the engine's, and it finds what an exact search finds."""

import ctypes
from functools import cache
from random import Random
from typing import Any

import pytest

from benchmarks import mcts
from p2p_shanghaien.games.api import Acted, Chosen, Terminal, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from tests.games.playing import play

GAMES = 300
SIMULATIONS = 1_000_000
"""Means over a tree, the moves it tried and gave up included, come near the exact value slowly."""
VARIANTS = [
    Shanghaien(),
    Shanghaien("extra-wild"),
    Shanghaien("extra-wild", (8, 0, 0)),
    Shanghaien("standard", (0, 8, 0)),
    Shanghaien("extra-wild", (0, 0, 8)),
    Shanghaien("standard", (1, 2, 5)),
]


def same(position: mcts.Position, state: State) -> bool:
    return bytes(position) == bytes(mcts.position(state))


@pytest.mark.parametrize("game", VARIANTS, ids=lambda game: f"{game.variant} {game.tricks}")
def test_the_rules_in_c_are_the_engines(game: Shanghaien, thorough: bool) -> None:
    """Each step of random games, every second of which plays every trick that it can."""
    for seed in range(GAMES if thorough else 24):
        at = mcts.position(game.start())
        for before, step, after in play(game, Random(seed), "!" if seed % 2 else ""):
            match step:
                case Acted(player, action):
                    legal = mcts.legal(at)
                    assert len(legal) == len(set(legal))
                    assert set(legal) == set(before.legal(player))
                    mcts.act(at, action)
                case Chosen():
                    raise AssertionError(step)
                case _:
                    mcts.draw(at, step.indices)
            assert same(at, after), (before, step)
        over = after.node
        assert isinstance(over, Terminal)
        assert mcts.library().score(ctypes.byref(at)) == over.scores[0] - over.scores[1]


def test_positions_that_differ_differ_in_c() -> None:
    """The comparison above could not see what the translation leaves out."""
    seen: dict[bytes, State] = {}
    for seed in range(20):
        for before, _, _ in play(Shanghaien("extra-wild"), Random(seed), "!"):
            known = seen.setdefault(bytes(mcts.position(before)), before)
            # which cards a crew is made of is left out: only what they come to is ever asked
            assert known._replace(crews=((), ())) == before._replace(crews=((), ()))


def late(**changes: Any) -> State:
    """Round 8, four dice placed on either side: each can roll once more."""
    state = (
        Shanghaien()
        .start()
        ._replace(
            phase=Phase.TURN,
            round=8,
            pile=(),
            row=("F4", "I2", "Xp", "A2", "F3", "D1"),
            direction="<",
            placed=((1, 1, 1, 1, 0, 0), (0, 1, 0, 1, 1, 1)),
            crews=(("F2", "I3", "A1"), ("F1", "I4", "D2")),
            tricks=("b", "p"),
        )
    )
    return state._replace(**changes)


@cache
def chance(state: State) -> float:
    """Return player 0's win probability if both play perfectly, by trying out everything."""
    node = state.node
    if isinstance(node, Terminal):
        return 0.5 if node.winner is None else 1.0 - node.winner
    if isinstance(node, Turn):
        return (min if node.player else max)(chance(state.apply(a)) for a in state.legal(node.player))
    return sum(chance(state.apply_chance((a, b))) for a in range(6) for b in range(6)) / 36


@pytest.mark.parametrize(
    "state", [late(), late(player=1), late(phase=Phase.ROLLED, dice=(3, 5)), late(crews=(("F2",), ("F1", "I4")))]
)
def test_finds_what_an_exact_search_finds(state: State) -> None:
    player = state.player
    exact = {action: chance(state.apply(action)) for action in state.legal(player)}
    best = (min if player else max)(exact.values())
    searcher = mcts.MonteCarlo(SIMULATIONS)
    action = searcher(state, player, Random(1))
    assert exact[action] == pytest.approx(best, abs=0.01)
    found = {choice.action: choice for choice in searcher.choices(state, 1)}
    assert set(found) == set(exact)
    assert sum(choice.visits for choice in found.values()) <= SIMULATIONS
    won = found[action].wins / found[action].visits
    assert won == pytest.approx(1 - best if player else best, abs=0.03)


def test_the_generator_decides() -> None:
    state = late()._replace(round=7, pile=("A3", "A4", "F3", "G1", "G2", "G3"))
    searcher = mcts.MonteCarlo(300)
    assert searcher.choices(state, 1) == searcher.choices(state, 1)
    assert searcher.choices(state, 1) != searcher.choices(state, 2)
    assert searcher(state, 0, Random(1)) in state.legal(0)


def test_plays_whole_games_by_the_rules() -> None:
    for seed in range(3):
        for before, step, _ in play(Shanghaien("extra-wild"), Random(seed), "!"):
            if isinstance(step, Acted):
                assert mcts.MonteCarlo(20)(before, step.player, Random(1)) in before.legal(step.player)
