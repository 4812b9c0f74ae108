"""The quick look at a position, against what the rules say of it."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.games.api import Acted, Terminal
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.players.estimate import lead, of_roll, of_rolls, placings
from p2p_shanghaien.games.shanghaien.rules import Phase
from p2p_shanghaien.games.shanghaien.rules import State as Position
from tests.games.playing import play

numbers = st.lists(st.floats(-50, 50), min_size=6, max_size=6)


@pytest.mark.parametrize("seed", range(12))
def test_where_nothing_is_to_come_the_lead_is_the_score(seed: int) -> None:
    for before, step, after in play(Shanghaien(), Random(seed)):
        assert isinstance(before, Position)
        if isinstance(over := after.node, Terminal):
            assert isinstance(after, Position)
            assert lead(after) == pytest.approx(over.scores[0] - over.scores[1])
            assert lead(before) == pytest.approx(over.scores[0] - over.scores[1])
            assert isinstance(step, Acted)


def test_the_lead_changes_sides_with_the_players() -> None:
    for before, _, _ in play(Shanghaien("extra-wild"), Random(5), "!"):
        assert isinstance(before, Position)
        swapped = before._replace(
            placed=before.placed[::-1], tricks=before.tricks[::-1], crews=before.crews[::-1], player=1 - before.player
        )
        assert lead(swapped) == pytest.approx(-lead(before))


def test_the_lead_after_placing_is_that_of_the_position_reached() -> None:
    seen = 0
    for before, _, _ in play(Shanghaien(), Random(7)):
        assert isinstance(before, Position)
        if before.phase == Phase.PLACE or (before.phase == Phase.ROLLED):
            player, values = before.player, placings(before, before.player)
            for die in before.dice:
                reached = [
                    lead(before.apply(action)) for action in before.legal(player) if action.startswith(f"-{die}")
                ]
                assert values[die - 1] == pytest.approx((min if player else max)(reached))
                seen += 1
    assert seen > 50


@given(numbers, st.integers(0, 1))
def test_the_mean_over_all_rolls(values: list[float], player: int) -> None:
    rolls = [of_roll(values, player, dice) for dice in product(range(1, 7), repeat=2)]
    assert of_rolls(values, player) == pytest.approx(sum(rolls) / 36, abs=1e-9)
