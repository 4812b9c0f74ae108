"""Placements, and who takes what, against the rules."""

from random import Random

import numpy as np
import pytest

from p2p_shanghaien.games.shanghaien.players.geometry import (
    ALLOTMENTS,
    MIRRORED,
    ONE_MORE,
    PLACE,
    PLACEMENTS,
    ROLLS,
    TAKERS,
    TWO_MORE,
    allotment,
    layers,
)
from p2p_shanghaien.games.shanghaien.rules import NO_DICE
from p2p_shanghaien.games.shanghaien.scoring import contests


def test_placements() -> None:
    assert [len(placements) for placements in PLACEMENTS] == [1, 6, 21, 56, 126, 252, 462]
    for dice, placements in enumerate(PLACEMENTS):
        assert len(set(placements)) == len(placements)
        for place, placement in enumerate(placements):
            assert sum(placement) == dice
            assert PLACE[dice][placement] == place


def test_more_dice() -> None:
    for dice, places in enumerate(ONE_MORE):
        for die in range(6):
            for place, placement in enumerate(PLACEMENTS[dice]):
                after = PLACEMENTS[dice + 1][places[die, place]]
                assert np.subtract(after, placement).tolist() == [int(number == die) for number in range(6)]
    for dice, places in enumerate(TWO_MORE):
        for index, roll in enumerate(ROLLS):
            for place, placement in enumerate(PLACEMENTS[dice]):
                after = PLACEMENTS[dice + 2][places[index, place]]
                assert np.subtract(after, placement).tolist() == [roll.count(number) for number in range(6)]


def test_allotments() -> None:
    assert len({tuple(takers) for takers in TAKERS.tolist()}) == 729
    for index, takers in enumerate(TAKERS.tolist()):
        assert allotment(takers) == index
        assert allotment(takers[::-1]) == MIRRORED[index]


@pytest.mark.parametrize("both", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("mover", [0, 1])
def test_how_shanghai_ends_a_round(both: tuple[int, int], mover: int) -> None:
    """In every layer, sampled: as the rules distribute the cards."""
    rng = Random(f"{both}{mover}")
    for placed in (NO_DICE, ((1, 0, 0, 1, 0, 0), (0, 0, 0, 0, 2, 1))):
        for layer in layers(placed, mover, both):
            if layer is None or layer.ends is None:
                continue
            for _ in range(100):
                added = [rng.choice(PLACEMENTS[layer.added[side]]) for side in (0, 1)]
                there = [tuple(map(sum, zip(placed[side], added[side], strict=True))) for side in (0, 1)]
                taken = [2 if contest.taker is None else contest.taker for contest in contests((there[0], there[1]))]
                moves, node = layer.mover, 1 - layer.mover
                places = PLACE[sum(added[node])][added[node]], PLACE[sum(added[moves])][added[moves]]
                assert divmod(layer.ends[places], ALLOTMENTS) == (moves, allotment(taken))


def test_positions_of_a_round_without_tricks() -> None:
    """123,110 of them, 59,606 with a roll; every layer's dice are as the players alternate."""
    found = [layer for layer in layers(NO_DICE, 0, (0, 0)) if layer]
    assert [layer.added for layer in found] == [((turn + 1) // 2, turn // 2) for turn in range(11)]
    assert sum(layer.positions for layer in found) == 123_110
    assert sum(layer.positions for layer in found if layer.may_roll) == 59_606
