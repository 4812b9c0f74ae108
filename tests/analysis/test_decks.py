"""Cards of games that shuffle more than once, and deal as far as it comes: Halunken, whose hands are decks."""

from collections import Counter
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from p2p_shanghaien.analysis.dedupe import Counted
from p2p_shanghaien.analysis.draws import Dealt, Draws, draws
from p2p_shanghaien.analysis.fairness import LEVEL, findings
from p2p_shanghaien.games.api import Chance, Drawn
from p2p_shanghaien.games.chance import Die
from p2p_shanghaien.games.halunken.chance import CHANCE
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import State
from p2p_shanghaien.games.record import Record, write
from tests.games.playing import Moment, play

SETUP = 16
"""The rogues that come up while a hand is set up."""


def played(game: Halunken, seed: int, length: int | None = None) -> tuple[Counted, list[Moment[State]]]:
    moments = [*play(game, Random(seed))][:length]
    return Counted("", Record(game, ("Ada", "Ben"), tuple(step for _, step, _ in moments))), moments


def turned_up(moments: list[Moment[State]]) -> dict[int, list[str]]:
    """Return the rogues that come up in each hand, in order: each index takes one out of those not yet seen."""
    found: dict[int, list[str]] = {}
    for before, step, _ in moments:
        # of Black Jack's cards, and of the numbers of his rum, there are fewer
        if isinstance(node := before.node, Chance) and node.bounds[0] > 8:
            pile = [*before.pile]
            assert isinstance(step, Drawn)
            found.setdefault(before.hand, []).extend(pile.pop(index) for index in step.indices)
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("blackjack", ["on", "off"])
def test_each_hand_is_a_deck_with_two_deals(seed: int, blackjack: str) -> None:
    counted, moments = played(Halunken(blackjack, "3"), seed)
    found = draws([counted], CHANCE).dealt
    assert [[*deck.deals[0], *deck.deals[1]] for deck in found] == [*turned_up(moments).values()]
    assert [(len(deck.deals), len(deck.deals[0]), len(deck.deck)) for deck in found] == [(2, SETUP, 42)] * 3


@pytest.mark.parametrize(("length", "deals"), [(0, []), (1, []), (2, [1]), (3, [1]), (4, [SETUP]), (7, [SETUP])])
def test_a_hand_may_break_off_anywhere(length: int, deals: list[int]) -> None:
    counted, _ = played(Halunken(), 1, length)
    assert [len(deal) for deck in draws([counted], CHANCE).dealt for deal in deck.deals] == deals


def test_the_deck_is_every_rogue_the_weakest_value_first() -> None:
    deck = CHANCE.deck(Halunken())
    assert deck[:3] == ("y1", "g2", "y2")
    assert deck[-3:] == ("g13", "v14", "r15")
    assert Counter(map(CHANCE.groupings["colour"], deck)) == {"r": 9, "v": 10, "g": 11, "y": 12}
    assert Counter(map(CHANCE.groupings["value"], deck))["4"] == 4


def test_the_number_of_rum_is_a_die_and_his_card_is_nothing() -> None:
    """In a record, `J=N` right after a drawn `J:r` is a die; `J:` alone is none, and neither is the hirer's `J=N`."""
    rolled = 0
    for seed in range(12):
        counted, _ = played(Halunken(hands="3"), seed)
        words = write(counted.record).split()
        expected = [Die(7, int(word[2:])) for last, word in pairwise(words) if last == "J:r"]
        assert sum(word.startswith("J=") for word in words) >= len(expected)
        found = draws([counted], CHANCE)
        assert sorted(die for dice in found.thrown().elements() for die in dice) == sorted(expected)
        assert found.thrown(seat=0) == found.thrown(seat=1) == Counter()
        rolled += len(expected)
    assert rolled


def findings_of(decks: list[Dealt]) -> dict[str, float]:
    (found,) = findings([Draws(CHANCE, len(decks), dealt=decks)])
    return {test.code: test.adjusted for test in found.tests}


def test_random_hands_are_fair_and_those_with_good_rogues_first_are_not() -> None:
    fair = draws([played(Halunken(hands="3"), seed)[0] for seed in range(20)], CHANCE)
    found = findings_of(fair.dealt)
    assert set(found) == {"cards_colour", "cards_value"}
    assert min(found.values()) > LEVEL
    rng = np.random.default_rng(1)
    deck = CHANCE.deck(Halunken())
    stacked = []
    for _ in range(60):
        cards = sorted(deck, key=lambda rogue: rng.random() - 0.3 * (int(rogue[1:]) > 9))
        stacked.append(Dealt(deck, [tuple(cards[:SETUP]), tuple(cards[SETUP : SETUP + 13])]))
    assert findings_of(stacked)["cards_value"] < LEVEL
