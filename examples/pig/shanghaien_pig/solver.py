"""Optimal play of Pig, solved as Neller and Presser did ("Optimal Play of the Dice Game Pig", 2004).

A position is worth what the player to act expects of the end of the game. What a turn leads to has a greater sum of
scores, and is solved before it; except that after a 1 the opponent acts at the same scores, from where the game may
come back here. So all pairs of scores with one sum are solved together, by Newton's method: the value of a turn is a
convex function, linear piece by piece, of what the position is worth after a 1.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shanghaien_pig.rules import SIDES

Numbers: TypeAlias = NDArray[np.float64]
Scores: TypeAlias = NDArray[np.int64]

End: TypeAlias = Callable[[Scores, Scores], Scores]
"""The worth of a finished game to its winner, by both scores, the winner's first; to the loser it is the negative."""

PRECISION: Final = 1e-13
"""The error allowed, as a share of the largest value."""
ITERATIONS: Final = 50
"""Newton's method takes about four."""


def win(mine: Scores, theirs: Scores) -> Scores:  # noqa: ARG001 - by whatever scores
    """Return 1: every victory is worth the same."""
    return np.ones_like(mine)


def lead(mine: Scores, theirs: Scores) -> Scores:
    """Return the points by which the winner is ahead."""
    return mine - theirs


@lru_cache(maxsize=4096)
def turn(goal: int, end: End, mine: int, theirs: int) -> Numbers:
    """Return the values of a turn's positions, by turn total, to the player to act, who has banked `mine` points."""
    banked = solve(goal, end)
    at = np.array([mine]), np.array([theirs])
    return _turns(banked, *at, banked[at])[:, 0, 0]


@lru_cache(maxsize=4)
def solve(goal: int, end: End) -> Numbers:
    """Return the value of each pair of scores to the player who has just ended a turn; theirs is the first score."""
    mine, theirs = np.indices((goal + SIDES, goal))
    banked = np.where(mine < goal, 0, end(mine, theirs)).astype(np.float64)
    error = PRECISION * banked.max()
    for both in reversed(range(2 * goal - 1)):
        mine = np.arange(max(0, both - goal + 1), min(both, goal - 1) + 1)
        banked[mine, both - mine] = _solve_sum(banked, mine, both - mine, error)
    return banked


def _solve_sum(banked: Numbers, mine: Scores, theirs: Scores, error: float) -> Numbers:
    """Return `banked` where the scores have one sum; `theirs` is `mine` reversed."""
    bust: Numbers = banked[mine + 1, theirs]
    for _ in range(ITERATIONS):
        value, slope = _turns(banked, mine, theirs, bust)[0]
        # a turn's value is `base + slope * bust`, and `bust` the negative of the value of the opponent's turn
        base = value - slope * bust
        value = (base - slope * base[::-1]) / (1 - slope * slope[::-1])
        before, bust = bust, -value[::-1]
        if np.abs(bust - before).max() <= error:
            return bust
    raise ArithmeticError(f"no solution at scores {mine[0]} to {theirs[0]}")


def _turns(banked: Numbers, mine: Scores, theirs: Scores, bust: Numbers) -> Numbers:
    """Return by turn total, for each pair of scores, the value of a turn, and its slope: how it changes with `bust`.

    `mine` ascends; `bust` is the worth of a turn that a 1 has ended.
    """
    reach, goal = banked.shape
    scores = mine + np.arange(reach - mine[0])[:, np.newaxis]
    hold = banked[np.minimum(scores, reach - 1), theirs]
    turns = np.stack([hold, np.zeros_like(hold)], axis=1)
    turns[0, 0] = -np.inf  # a turn begins with a roll
    ones = np.stack([bust, np.ones_like(bust)])
    for total in reversed(range(goal - mine[0])):
        free = slice(goal - total - mine[0])  # the others have reached the goal, and must hold
        now = turns[total, :, free]
        roll = (ones[:, free] + turns[total + 2 : total + SIDES + 1, :, free].sum(axis=0)) / SIDES
        turns[total, :, free] = np.where(roll[0] > now[0], roll, now)
    return turns
