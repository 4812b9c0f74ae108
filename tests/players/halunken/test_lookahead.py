"""The look ahead before a round: its margins are those of the rules, and both players see the same."""

from random import Random

import numpy as np
import pytest

from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players import lookahead
from p2p_shanghaien.games.halunken.players.courses import Rows, hands, row
from p2p_shanghaien.games.halunken.rogues import score
from p2p_shanghaien.games.halunken.rules import Phase, State
from tests.games.playing import play

SUMMARY = 5
"""Features of one way to hire Black Jack."""


def before(number: int, count: int, **options: str) -> list[State]:
    """Return positions before a round, one of each of so many random games."""
    found = []
    for seed in range(count):
        for moment in play(Halunken(**options), Random(seed)):
            state = moment.after
            if state.round == number and state.phase in (Phase.AUCTION, Phase.CHOICE):
                found.append(state)
                break
    assert len(found) == count
    return found


def features(states: list[State]) -> np.ndarray:
    rows = Rows.joined([row(state) for state in states])
    return lookahead.features(rows, np.array([hands(state) for state in states]), may=states[0].options.may)


def mirrored(state: State) -> State:
    """Return the position with the players exchanged."""
    cards = state.cards
    return state._replace(
        crews=state.crews[::-1], captains=state.captains[::-1], cards=(cards[1], cards[0], cards[2]), hirer=None
    )


@pytest.mark.parametrize("number", [6, 7])
@pytest.mark.parametrize("blackjack", ["on", "off"])
def test_each_player_sees_what_the_other_would_in_the_same_place(number: int, blackjack: str) -> None:
    states = before(number, 12, blackjack=blackjack)
    ours, theirs = features(states), features([mirrored(state) for state in states])
    np.testing.assert_allclose(ours[0], theirs[1])
    np.testing.assert_allclose(ours[1], theirs[0])


def test_features_are_those_of_near_rounds_and_of_the_ways_to_hire() -> None:
    for blackjack, number, ways in (("on", 5, 0), ("on", 6, 1), ("on", 7, 3), ("off", 7, 1)):
        assert features(before(number, 3, blackjack=blackjack)).shape == (2, 3, SUMMARY * ways)


def shallow(state: State) -> State:
    """Return the position with nothing below the rogues on top, so that nothing is drawn any more."""
    return state._replace(left=tuple(int(bool(top)) for top in state.tops))


def margin(state: State) -> int:
    return score(state.crews[0]).points - score(state.crews[1]).points


def played(state: State, cards: tuple[str, str]) -> State:
    """Return the position after a round by the rules, in which thieves take what is best at once."""
    number = state.round
    state = state.apply_joint(cards)
    while state.round == number and isinstance(state.node, Turn):
        after = [state.apply(action) for action in state.legal(state.player)]
        state = (max, min)[state.player](after, key=margin)
    return state


def result(state: State, own: str, other: str, rests: tuple[dict[str, str], dict[str, str]]) -> int:
    """Return the margin at the end if these cards are played, and then those that are left."""
    return margin(played(played(state, (own, other)), (rests[0][own], rests[1][other])))


def test_margins_are_those_of_the_rules_where_nothing_is_drawn() -> None:
    states = [shallow(state) for state in before(7, 60, blackjack="off") if "r" not in state.cards[0] + state.cards[1]]
    assert len(states) > 20
    for state, found in zip(states, features(states)[0], strict=True):
        (first, second), (third, fourth) = (tuple(cards) for cards in state.cards[:2])
        rests = {first: second, second: first}, {third: fourth, fourth: third}
        pairs = np.array([[result(state, own, other, rests) for other in (third, fourth)] for own in (first, second)])
        means = pairs.mean(), pairs.mean(axis=1).max(), pairs.mean(axis=0).min()
        assert found == pytest.approx([*means, pairs.min(axis=1).max(), pairs.max(axis=0).min()])
