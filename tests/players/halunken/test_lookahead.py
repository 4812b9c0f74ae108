"""The look ahead before a round: its margins are those of the rules, and both players see the same."""

from collections.abc import Callable, Iterator
from random import Random
from statistics import fmean

import numpy as np
import pytest

from p2p_shanghaien.games.api import Chance, Terminal
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players import lookahead
from p2p_shanghaien.games.halunken.players.courses import Rows, hands, row
from p2p_shanghaien.games.halunken.rogues import score
from p2p_shanghaien.games.halunken.rules import JACK, PASS, Phase, State
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


def auctioned(state: State, hirer: int | None) -> State:
    """Return the position after an auction in which `hirer` alone bids, the rogue that costs least."""
    while state.phase == Phase.AUCTION:
        crew, bids = state.crews[state.player], state.player == hirer and not state.bid
        cheapest = max(crew, key=lambda paid: without(crew, paid)) if bids else ""
        state = state.apply(f"bid:{cheapest}" if bids else PASS)
    return state


def played(state: State, cards: tuple[str, str], jack: str = "") -> Iterator[State]:
    """Yield the positions after a round by the rules, in which everybody does what is best at once, or as good.

    `jack` is Black Jack's card, which the hirer plays, or which comes up.
    """
    number, hirer = state.round, state.hirer
    first, second = (f"{card}+{jack}" if player == hirer else card for player, card in enumerate(cards))
    yield from _followed(state.apply_joint((first, second)), number, jack)


def _followed(state: State, number: int, jack: str) -> Iterator[State]:
    if state.round != number or isinstance(state.node, Terminal):
        yield state
    elif isinstance(state.node, Chance):
        yield from _followed(state.apply_chance((state.cards[JACK].index(jack),)), number, jack)
    else:
        gains = {action: at_once(state, action) for action in state.legal(state.player)}
        for action, gain in gains.items():
            if gain == max(gains.values()):
                yield from _followed(state.apply(action), number, jack)


def at_once(state: State, action: str) -> int:
    """Return the margin of whoever decides right after a theft or a loss, before anything else happens."""
    rogue = action.partition(":")[2]
    own, other = state.crews[state.player], state.crews[1 - state.player]
    if state.phase == Phase.LOSE:
        return without(own, rogue) - score(other).points
    return score((*own, rogue) if rogue else own).points - without(other, rogue)


def without(crew: tuple[str, ...], rogue: str) -> int:
    """Return what a crew is worth without a rogue."""
    return score([each for each in crew if each != rogue]).points


def results(state: State, cards: tuple[str, str], jack: str = "") -> set[int]:
    """Return the margins at the end if these cards are played, and then those that are left, when nobody bids."""
    return {
        margin(over)
        for after in played(state, cards, jack)
        for last in [auctioned(after, None)]
        for over in played(last, (last.cards[0], last.cards[1]), last.cards[JACK])
    }


def summary(pairs: np.ndarray) -> np.ndarray:
    """Return the features of the margins of each pair of cards; none falls where a margin rises."""
    means = pairs.mean(), pairs.mean(axis=1).max(), pairs.mean(axis=0).min()
    return np.array([*means, pairs.min(axis=1).max(), pairs.max(axis=0).min()])


@pytest.mark.thorough
@pytest.mark.parametrize("blackjack", ["on", "off"])
def test_margins_are_those_of_the_rules_where_nothing_is_drawn(blackjack: str) -> None:
    """Nobody has hired Black Jack, player 0 has, or player 1, who then plays the best of his cards."""
    ways: list[tuple[int | None, Callable[[list[int]], float]]] = [(None, fmean), (0, max), (1, min)]
    hirers = ways if blackjack == "on" else ways[:1]
    states = [shallow(state) for state in before(7, 120, blackjack=blackjack)]
    states = [state for state in states if "r" not in "".join(state.cards) and all(state.crews)]
    assert len(states) > 20
    exact = 0
    for state, found in zip(states, features(states)[0], strict=True):
        for way, (hirer, best) in enumerate(hirers):
            begun = auctioned(state, hirer)
            least, most = (
                np.array(
                    [
                        [
                            best([bound(results(begun, (own, other), jack)) for jack in state.cards[JACK] or [""]])
                            for other in state.cards[1]
                        ]
                        for own in state.cards[0]
                    ]
                )
                for bound in (min, max)
            )
            own = found[SUMMARY * way :][:SUMMARY]
            assert (summary(least) - 1e-9 <= own).all()
            assert (own <= summary(most) + 1e-9).all()
            exact += np.array_equal(least, most)
    assert exact > 0.9 * len(hirers) * len(states), "hardly anything is as good as something else"
