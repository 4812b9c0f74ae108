"""The value of every position of a game: a round's choices by `rounds`, its course by `courses`.

An auction and secret choices are solved, with the network's values at the round's ends. Whatever comes later in a round
is followed to these ends as well: every decision that is next is tried, and those after it are what is best at once.
In the last round everything is tried, and all values are exact.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from p2p_shanghaien.games.api import Chance, Turn
from p2p_shanghaien.games.halunken.players.courses import NOBODY, Rows, finish, hands, row, turned_up
from p2p_shanghaien.games.halunken.players.rounds import (
    CAREFUL,
    CHANCE,
    POINTS,
    QUICK,
    THOROUGH,
    Effort,
    Judge,
    Solution,
    Values,
)
from p2p_shanghaien.games.halunken.rules import JACK, ROUNDS, Phase, State
from p2p_shanghaien.players import Evaluator, Option, PositionValue, Weight

KEPT: Final = 16
"""The number of latest rounds whose solutions are kept."""

_SETUP: Final = (Phase.PLACE, Phase.FIRST)
_SOLVED: Final = (Phase.AUCTION, Phase.CHOICE)


class RoundEvaluator(Evaluator[State]):
    """The evaluator of Halunken & Spelunken.

    In the setup of a hand, before all dens are turned up, nothing is known, and both players are taken for equal.
    """

    def value(self, state: State) -> PositionValue:
        if state.phase in _SOLVED:
            solved = solution(state)
            return PositionValue(solved.value(state, CHANCE), solved.value(state, POINTS))
        match state.node:
            case Turn(player) if state.phase not in _SETUP:
                return PositionValue.best((option.value for option in self.options(state)), player)
            case Chance() if state.phase not in _SETUP:
                return _value(drawn_values(state).mean(axis=0))
            case _:
                return _value(estimate(state))

    def options(self, state: State) -> tuple[Option, ...]:
        if not isinstance(state.node, Turn):
            return ()
        legal = state.legal(state.player)
        if state.phase == Phase.AUCTION:
            solved = solution(state)
            to_win, for_points = solved.bids(state, CHANCE), solved.bids(state, POINTS)
            return tuple(Option(action, PositionValue(to_win[action], for_points[action])) for action in legal)
        return tuple(Option(action, _value(estimate(state.apply(action)))) for action in legal)

    def payoffs(self, state: State) -> Sequence[Sequence[PositionValue]]:
        return [[_value(value) for value in values] for values in solution(state).choices.matrix]

    def mixture(self, state: State, player: int) -> tuple[Weight, ...]:
        if state.phase != Phase.CHOICE:
            return ()
        solved = solution(state)
        to_win, for_points = (solved.equilibrium(aim).of(player) for aim in (CHANCE, POINTS))
        return tuple(Weight(*each) for each in zip(state.legal(player), to_win, for_points, strict=True))

    def luck(self, before: State, after: State) -> PositionValue:
        """Return the luck of a draw; that of the setup is not counted, as nothing is known of its mean."""
        if before.phase in _SETUP:
            return PositionValue(0.0, 0.0)
        values = drawn_values(before)
        # after a hand there is no pile to be looked at, and nothing left to be estimated either
        same = before.phase == Phase.TURN_UP and before.hand == after.hand
        got = values[_drawn(before, after)] if same else estimate(after)
        return _value(got - values.mean(axis=0))


def solution(state: State) -> Solution:
    """Return the solution of a position before an auction's end or the secret choices.

    An auction is solved from its beginning, whichever of its positions is asked for, and kept: the values never depend
    on earlier requests.
    """
    if state.phase == Phase.AUCTION:
        assert state.opener is not None
        return _solution(state._replace(player=state.opener, bid=""))
    return _solution(state)


@lru_cache(maxsize=KEPT)
def _solution(state: State) -> Solution:
    return Solution(Judge(state, effort=_effort(state)))


def _effort(state: State) -> Effort:
    """Return how much there is time for."""
    if state.round < ROUNDS - 1:
        return QUICK
    # before its auction, round 7 has many more ways to go than once it is known who has hired Black Jack
    return CAREFUL if state.phase == Phase.AUCTION and state.round < ROUNDS else THOROUGH


def estimate(state: State) -> Values:
    """Return the values of a position to player 0, (2), without solving a round.

    A rogue that is about to be turned up is taken for the mean of those not yet seen.
    """
    if state.phase in (*_SETUP, Phase.OVER):
        return _row(Judge(state).standing(state)[0])
    if state.phase == Phase.PLACE_JACK:
        found = np.array([estimate(state.apply(action)) for action in state.legal(state.player)])
        return _row(found.min(axis=0) if state.player else found.max(axis=0))
    if state.phase in _SOLVED:
        opener = NOBODY if state.opener is None else state.opener
        found = Judge(state).before(state.round, row(state), hands(state)[None], np.array([opener]))
    else:
        found = _finished(state, row(state))
    return _row(found[0])


def drawn_values(state: State) -> Values:
    """Return the values after each possible draw, (draws, 2): `turned_up` or the indices in order."""
    if state.phase == Phase.TURN_UP:
        return _finished(state, turned_up(state))
    assert isinstance(state.node, Chance)
    (bound,) = state.node.bounds
    return np.array([estimate(state.apply_chance((index,))) for index in range(bound)])


def _finished(state: State, rows: Rows) -> Values:
    courses = finish(state, rows, thorough=state.round == ROUNDS)
    ends = courses.rows
    left = np.repeat(hands(state)[None], len(ends), axis=0)
    drawn = np.flatnonzero(ends.drawn >= 0)
    left[drawn, JACK, ends.drawn[drawn]] = False
    opener = np.where(ends.hirer == NOBODY, NOBODY if state.opener is None else state.opener, ends.hirer)
    return courses.fold(Judge(state).ends(ends, left, opener))


def _drawn(before: State, after: State) -> int:
    """Return the place in `turned_up` of the draw that led from one position to the next."""
    pile, count = list(before.pile), len(before.hidden)
    if count == 2:
        # nobody takes what is turned up under cancelled cards
        indices = [pile.index(after.tops[den - 1]) for den in before.hidden]
        return indices[0] * (len(pile) - 1) + indices[1] - (indices[1] > indices[0])
    (index,) = [place for place, rogue in enumerate(pile) if rogue not in after.pile]
    return index


def _row(values: Values) -> Values:
    return values


def _value(values: Values) -> PositionValue:
    return PositionValue(float(values[CHANCE]), float(values[POINTS]))
