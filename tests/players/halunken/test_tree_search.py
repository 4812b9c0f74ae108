"""The benchmark's tree search: its rules in C are the engine's, and it finds what wins."""

from itertools import product
from random import Random

import pytest

from benchmarks import halunken as c
from p2p_shanghaien.games.api import Acted, Chosen, Terminal
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import Phase, State
from tests.games.playing import play

GAMES = [Halunken(blackjack, "1", theft) for blackjack, theft in product(("on", "off"), ("takes", "may"))]


def numbers(state: State, player: int) -> set[int]:
    return {c.number(action) for action in state.legal(player)}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.blackjack} {game.theft}")
def test_the_rules_in_c_are_the_engines(game: Halunken, thorough: bool) -> None:
    for seed in range(500 if thorough else 100):
        at = c.position(game.start())
        for before, step, after in play(game, Random(seed), ("", "take", "pass", "bid")[seed % 4]):
            for player in (0, 1):
                found = c.legal(at, player) if before.phase == Phase.CHOICE or before.player == player else []
                if not before.legal(player):
                    continue
                assert len(found) == len(set(found))
                assert set(found) == numbers(before, player)
            match step:
                case Acted(_, action):
                    c.act(at, action)
                case Chosen(actions):
                    c.reveal(at, actions)
                case _:
                    c.draw(at, step.indices)
            assert bytes(at) == bytes(c.position(after)), (before, step)
        assert isinstance(after.node, Terminal)


def test_the_search_takes_what_wins() -> None:
    """In the last round, with one theft to come, only one rogue turns the game."""
    found = 0
    for seed in range(60):
        for moment in play(Halunken(), Random(seed)):
            state = moment.before
            if state.phase != Phase.JACK_ROB or state.round != 8:
                continue
            sign = 1 - 2 * state.player
            margins = {a: sign * _margin(state.apply(a)) for a in state.legal(state.player)}
            if any(margin > 0 for margin in margins.values()) and not all(margin > 0 for margin in margins.values()):
                action = c.DecoupledSearch(2000)(state, state.player, Random(seed))
                assert margins[action] > 0
                found += 1
    assert found


def _margin(state: State) -> int:
    return state.scores[0] - state.scores[1]


def test_the_search_is_reproducible() -> None:
    search = c.DecoupledSearch(200)
    (state, *_) = [moment.before for moment in play(Halunken(), Random(3)) if moment.before.phase == Phase.CHOICE]
    first, second = (search.choices(state, 0, 5) for _ in range(2))
    assert first == second
    assert [choice.action for choice in first] == list(state.legal(0))
    assert sum(choice.visits for choice in first) == 200
