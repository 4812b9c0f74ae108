"""Positions, actions and outcomes in numbers, against the engine's own."""

from random import Random

import numpy as np
import pytest

from p2p_shanghaien.games.api import Acted
from p2p_shanghaien.games.shanghaien.cards import deck
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.research.numbers import ACTIONS, CARDS, ROLLS, SIZE, observation
from p2p_shanghaien.games.shanghaien.rules import State
from tests.games.playing import play

GAMES = [Shanghaien(), Shanghaien("extra-wild", (8, 0, 0)), Shanghaien("extra-wild", (0, 8, 0))]


def test_every_action_card_and_roll_once() -> None:
    assert len(set(ACTIONS)) == len(ACTIONS) == 2 + 18 + 5 + 5 + 3 + 1 + 32
    assert set(CARDS) == set(deck((3, 3, 2)))
    assert len(set(CARDS)) == len(CARDS)
    assert len(set(ROLLS)) == len(ROLLS) == 21


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_whatever_is_legal_has_a_number(game: Shanghaien) -> None:
    for seed in range(20):
        for before, step, _ in play(game, Random(seed), "!"):
            if isinstance(step, Acted):
                assert set(before.legal(step.player)) <= set(ACTIONS)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_observations_are_what_the_space_promises_and_tell_positions_apart(game: Shanghaien) -> None:
    seen: dict[bytes, State] = {}
    for seed in range(3):
        for before, _, _ in play(game, Random(seed), "!"):
            for player in (0, 1):
                found = observation(before, player)
                assert found.shape == (SIZE,)
                assert found.dtype == np.float32
                assert found.min() >= 0
                assert found.max() <= 1
            # jokers and sailors of a crew count alike, and only their sum is seen
            known = seen.setdefault(observation(before, 0).tobytes(), before)
            assert known._replace(crews=((), ())) == before._replace(crews=((), ()))


def test_either_player_sees_the_own_side_first() -> None:
    for before, _, _ in play(Shanghaien("extra-wild"), Random(3), "!"):
        swapped = before._replace(
            player=1 - before.player,
            starter=1 - before.starter,
            placed=before.placed[::-1],
            tricked=before.tricked[::-1],
            tricks=before.tricks[::-1],
            crews=before.crews[::-1],
        )
        assert np.array_equal(observation(before, 0), observation(swapped, 1))
