"""The win probability between rounds: exact after the last, and before it as the rules let one expect."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest

from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.shanghaien.cards import ordered
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.players.geometry import TAKERS, allotment
from p2p_shanghaien.games.shanghaien.players.rounds import options
from p2p_shanghaien.games.shanghaien.players.tables import Values
from p2p_shanghaien.games.shanghaien.players.value import between, chances, points
from p2p_shanghaien.games.shanghaien.rules import State
from tests.players.rounds import end, some_round

NOTHING = [("", "")]


def some_state(seed: int, number: int) -> State:
    """Return a position of round `number`, as many cards left to come as there are then."""
    state = some_round(Random(seed), left=(6, 6), tricks=("bp", "r"), crew=6)
    return state._replace(round=number, pile=state.pile[: 48 - 6 * number])


@pytest.mark.parametrize("seed", range(3))
def test_after_the_last_round_it_is_the_result(seed: int) -> None:
    state = some_state(seed, 8)
    pairs = list(product(options(state, 0), options(state, 1)))
    found = chances(state, pairs)
    assert found.shape == (len(pairs), 2, 729)
    rng = Random(seed)
    for _ in range(300):
        pair, caller, taken = rng.randrange(len(pairs)), rng.randrange(2), rng.randrange(729)
        over = end(state, pairs[pair], caller, TAKERS[taken]).node
        assert isinstance(over, Terminal)
        assert found[pair, caller, taken] == {0: 1, 1: 0, None: 0.5}[over.winner]


def test_all_are_chances() -> None:
    for number in range(1, 9):
        state = some_state(number, number)
        pairs = list(product(options(state, 0), options(state, 1)))
        found = chances(state, pairs)
        assert found.dtype == np.float32
        assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("number", range(1, 9))
def test_players_are_alike(number: int) -> None:
    state = some_state(number, number)
    other = state._replace(tricks=state.tricks[::-1], crews=state.crews[::-1])
    pairs = list(product(options(state, 0), options(state, 1)))
    swapped = np.array([allotment([(1, 0, 2)[taker] for taker in takers]) for takers in TAKERS])
    found = chances(other, [(second, first) for first, second in pairs])
    np.testing.assert_allclose(found[:, ::-1, swapped], 1 - chances(state, pairs), atol=1e-6)


def test_what_is_good_is_better() -> None:
    """To keep a trick, to start the last round, and to win one's first card of what is only one's own."""
    state = some_state(1, 4)._replace(crews=((), ()), row=("A4", "F1", "G2", "C3", "Xp", "D3"))
    nothing, spent = chances(state, [("", ""), ("p", "")])
    assert (nothing > spent).all()
    last = chances(state._replace(round=7, pile=state.pile[:6]), NOTHING)[0]
    assert (last[1] > last[0]).all()  # the player who calls Shanghai does not start
    won = [allotment([side if place == 0 else 2 for place in range(6)]) for side in (0, 1, 2)]
    assert nothing[0, won[0]] > nothing[0, won[2]] > nothing[0, won[1]]
    trick = [allotment([side if place == 4 else 2 for place in range(6)]) for side in (0, 1, 2)]
    assert nothing[0, trick[0]] > nothing[0, trick[2]] > nothing[0, trick[1]]


LATE = range(4, 8)
"""Rounds after which the cards of the positions below can have been seen, and some are still to come."""

EVALUATIONS = pytest.mark.parametrize("evaluate", [chances, points])


def taken(
    evaluate: Callable[..., Values], number: int, crews: tuple[str, str], row: str
) -> Callable[[str, int], float]:
    """Return player 0's value after a round, by who took one of the row's cards, all others having gone to nobody.

    Of the crews' nationalities no other sailors are to come; of the rest, some.
    """
    held = tuple(tuple(crew.split()) for crew in crews)
    cards = tuple(row.split())
    known = Counter((*held[0], *held[1], *cards))
    nations = {card[0] for crew in held for card in crew}
    pile = [card for card in (Counter(Shanghaien().start().pile) - known).elements() if card[0] not in nations]
    state = some_state(1, number)._replace(
        crews=(ordered(held[0]), ordered(held[1])), tricks=("", ""), row=cards, pile=tuple(pile[: 48 - 6 * number])
    )
    found = evaluate(state, NOTHING)[0].mean(axis=0)

    def by(card: str, taker: int) -> float:
        place = cards.index(card)
        return float(found[allotment([taker if at == place else 2 for at in range(6)])])

    return by


@EVALUATIONS
@pytest.mark.parametrize("number", LATE)
def test_the_weakest_rival_breaks_a_monopoly(evaluate: Callable[..., Values], number: int) -> None:
    """A French 1 leaves the opponent 1 point instead of 10; a Spanish 4, new to both, brings 4 at the most."""
    after = taken(evaluate, number, ("A1 A2", "F3 F3 F4"), "F1 S4 Xp Xb D1 D2")
    assert after("F1", 0) > after("S4", 0) > after("S4", 2)
    assert after("F1", 1) < after("F1", 2)


@EVALUATIONS
@pytest.mark.parametrize("number", LATE)
def test_more_of_what_leads_already_is_worth_less(evaluate: Callable[..., Values], number: int) -> None:
    """A Frenchman more scores the opponent's 1 as before; an American more scores 3 of one's own."""
    after = taken(evaluate, number, ("F3 F4 A1 A2", "F1"), "F3 A3 Xp Xb D1 D2")
    assert after("A3", 0) > after("F3", 0) + 0.01


@EVALUATIONS
@pytest.mark.parametrize("number", LATE)
def test_more_of_what_is_beaten_anyway_is_the_opponents_gain(evaluate: Callable[..., Values], number: int) -> None:
    """The weaker crew is what the stronger one scores: 3 instead of 1."""
    after = taken(evaluate, number, ("F1 A1 A4", "F3 F3 F4"), "F2 S1 Xp Xb D1 D2")
    assert after("F2", 0) < after("F2", 2)


@EVALUATIONS
@pytest.mark.parametrize("number", LATE)
def test_to_overtake_is_worth_more_than_a_new_nationality(evaluate: Callable[..., Values], number: int) -> None:
    """6 against 4 scores 4 instead of losing 3; a Spanish 4 scores 4 at the most."""
    after = taken(evaluate, number, ("F3", "F4"), "F3 S4 Xp Xb D1 D2")
    assert after("F3", 0) > after("S4", 0)


@EVALUATIONS
@pytest.mark.parametrize("number", LATE)
def test_to_draw_level_spoils_it_for_both(evaluate: Callable[..., Values], number: int) -> None:
    """4 against 3 scores 3; 4 against 4 scores nothing."""
    after = taken(evaluate, number, ("F4", "F3"), "F1 S4 Xp Xb D1 D2")
    assert after("F1", 0) > after("F1", 1)
    assert after("F1", 2) > after("F1", 1)


@pytest.mark.parametrize("number", range(1, 8))
def test_positions_are_worth_what_the_ends_that_lead_there_are(number: int) -> None:
    state = some_state(number, number)
    pairs = list(product(options(state, 0), options(state, 1)))
    chance, lead = chances(state, pairs), points(state, pairs)
    rng = Random(number)
    for _ in range(30):
        pair, caller, taken = rng.randrange(len(pairs)), rng.randrange(2), rng.randrange(729)
        found = between(end(state, pairs[pair], caller, TAKERS[taken]))
        assert found == pytest.approx((chance[pair, caller, taken], lead[pair, caller, taken]), abs=1e-4)
