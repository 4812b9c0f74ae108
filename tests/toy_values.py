"""The values of the toy game, by backward induction through a round, and solutions of its bids.

At the end of a round the lead stands for the rounds to come: for points that is exact, since both players have the same
bids; a chance of winning is estimated from it, and exact after the last round.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Part, Simultaneous, Turn
from p2p_shanghaien.players import Evaluator, Option, PositionValue, Weight
from tests.matrix_games import Solution, solve
from tests.toy import BID, CHANCES, DARE, DRAW, OVER, PASS, SPEC, STORM, TURN, State

BOARD_VIEW = 100.0
"""The lead in points at which the estimated win probability is e/(e + 1)."""

_, FINDS = CHANCES[DRAW].bounds
_, BLOWN, _ = CHANCES[STORM].bounds

Array: TypeAlias = NDArray[np.float64]
End: TypeAlias = Callable[[Array], Array]
"""The value of leads at the end of a round."""


def points(leads: Array) -> Array:
    return leads


def estimated(leads: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(leads / BOARD_VIEW, -50, 50)))


def decided(leads: Array) -> Array:
    return (1 + np.sign(leads)) / 2


class Round(NamedTuple):
    """The values to player 0 of what is left of a round that began with this lead of theirs."""

    lead: float
    end: End

    def kept(self, player: int, treasure: Array) -> Array:
        """Return the value of `player` having each treasure."""
        return self.end(self.lead - treasure if player else self.lead + treasure)

    def drawing(self, player: int, decisions: tuple[str, ...]) -> float:
        """Return the value of a draw by `player`: one die in six is a storm, on two they keep the treasure, on three
        they decide.
        """
        treasure = np.arange(FINDS, dtype=float)
        kept, chosen = self.kept(player, treasure), self.deciding(player, decisions, treasure)
        return self.storm(player, decisions) / 6 + float(kept.mean()) / 3 + float(chosen.mean()) / 2

    def storm(self, player: int, decisions: tuple[str, ...]) -> float:
        """Return the value of a storm after a draw by `player`: half of them sink the treasure, half blow one to the
        other.
        """
        blown = self.deciding(1 - player, decisions, np.arange(BLOWN, dtype=float))
        return (float(self.kept(player, np.zeros(1))[0]) + float(blown.mean())) / 2

    def deciding(self, player: int, decisions: tuple[str, ...], treasure: Array) -> Array:
        """Return the value of a decision of `player` about each treasure."""
        better = np.minimum if player else np.maximum
        best = self.kept(player, treasure)
        if PASS in decisions:
            best = better(best, self.deciding(1 - player, _without(decisions, PASS), treasure))
        if DARE in decisions:
            best = better(best, _drawing(self, player, _without(decisions, DARE)))
        return best


@cache
def _drawing(of: Round, player: int, decisions: tuple[str, ...]) -> float:
    return of.drawing(player, decisions)


def _without(decisions: tuple[str, ...], used: str) -> tuple[str, ...]:
    return tuple(each for each in decisions if each != used)


class AverageValues(Evaluator[State]):
    """The evaluator of the toy, which says nothing of how to bid."""

    def __init__(self) -> None:
        self._values: dict[State, PositionValue] = {}

    def value(self, state: State) -> PositionValue:
        if state not in self._values:
            if state.phase == BID:
                self._values[state] = PositionValue(*(each.value for each in self._solved(state)))
            else:
                chance = decided if state.left <= 1 else estimated
                self._values[state] = PositionValue(self._value(state, chance), self._value(state, points))
        return self._values[state]

    def options(self, state: State) -> tuple[Option, ...]:
        if not isinstance(state.node, Turn):
            return ()
        return tuple(Option(action, self.value(state.apply(action))) for action in state.legal(state.node.player))

    def luck(self, before: State, after: State) -> PositionValue:
        """Return the luck in points; the mean of an estimated probability is not known exactly."""
        return PositionValue(0.0, self.value(after).points - self.value(before).points)

    def _value(self, state: State, end: End) -> float:
        of = Round(float(state.scores[0] - state.scores[1]), end)
        if state.phase == OVER:
            return float(end(np.array([of.lead]))[0])
        assert state.player is not None
        if state.phase == TURN:
            return float(of.deciding(state.player, state.decisions, np.array([float(state.treasure)]))[0])
        return (of.drawing if state.phase == DRAW else of.storm)(state.player, state.decisions)

    def _solved(self, state: State) -> tuple[Solution, Solution]:
        """Return the bids by win probability, and by points."""
        values = [
            [self.value(state.apply_joint((first, second))) for second in state.legal(1)] for first in state.legal(0)
        ]
        return (
            solve([[each.chance for each in row] for row in values]),
            solve([[each.points for each in row] for row in values]),
        )


class Values(AverageValues):
    """The same, and how to bid."""

    def mixture(self, state: State, player: int) -> tuple[Weight, ...]:
        assert state.node == Simultaneous()
        shares = zip(*((each.columns if player else each.rows) for each in self._solved(state)), strict=True)
        return tuple(Weight(action, *pair) for action, pair in zip(state.legal(player), shares, strict=True))


WITHOUT_MIXTURES = replace(SPEC, evaluator=Part("tests.toy_values:AverageValues"))
"""The toy game with values that say nothing of how to bid."""
WITHOUT_VALUES = replace(SPEC, evaluator=None)
