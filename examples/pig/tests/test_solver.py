"""The solution, against the literature and against its own equations."""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
import pytest

from shanghaien_pig.rules import SIDES
from shanghaien_pig.solver import End, lead, solve, turn, win

FACES = range(2, SIDES + 1)


def chance(mine: int, theirs: int, total: int = 0) -> float:
    """Return the win probability of a player to act, in a game to 100."""
    return float(1 + turn(100, win, mine, theirs)[total]) / 2


def test_the_first_player_wins_53_of_100_games() -> None:
    assert chance(0, 0) == pytest.approx(0.5306, abs=5e-5)  # Neller and Presser, 2004


def test_where_to_hold_is_no_simple_limit() -> None:
    """At 41 to 49 one rolls up to 22 points, and again where one has come to 27 (possiblywrong.wordpress.com, 2014)."""
    holds = optimal(41, 49, 100)
    assert [total for total in range(1, 28) if holds[total]] == [22, 23, 24, 25, 26]


@pytest.mark.parametrize("end", [win, lead])
@pytest.mark.parametrize("goal", [10, 31, 60])
def test_every_position_keeps_bellmans_equation(goal: int, end: End) -> None:
    """A position is worth the better one of rolling and holding, everywhere."""
    start = [[turn(goal, end, mine, theirs)[0] for theirs in range(goal)] for mine in range(goal)]
    for mine in range(goal):
        for theirs in range(goal):
            values = turn(goal, end, mine, theirs)
            for total in range(goal - mine + SIDES):
                reached = mine + total
                if reached >= goal:
                    expected = float(end(np.array(reached), np.array(theirs)))
                else:
                    expected = (-start[theirs][mine] + sum(values[total + face] for face in FACES)) / SIDES
                    if total:
                        expected = max(expected, -start[theirs][reached])
                assert values[total] == pytest.approx(expected, abs=1e-9)


def test_chances_are_chances_and_points_help() -> None:
    starts = np.array([[chance(mine, theirs) for theirs in range(100)] for mine in range(100)])
    assert ((starts > 0) & (starts < 1)).all()
    assert (np.diff(starts, axis=0) > -1e-12).all(), "the more points, the better"
    assert (np.diff(starts, axis=1) < 1e-12).all(), "the more points the opponent has, the worse"
    for mine, theirs in ((0, 0), (41, 49), (99, 0), (0, 99), (80, 85)):
        assert (np.diff(turn(100, win, mine, theirs)) >= 0).all(), "the more points in this turn, the better"


@pytest.mark.parametrize("goal", [11, 47, 150, 200])
@pytest.mark.parametrize("end", [win, lead])
def test_any_goal_is_solved(goal: int, end: End) -> None:
    values = solve(goal, end)
    assert np.isfinite(values).all()
    assert 0 < turn(goal, end, 0, 0)[0] < (1 if end is win else goal), "to begin is an advantage"


def test_optimal_beats_hold_at_20_by_four_games_in_a_hundred() -> None:
    first, second = chances_of(optimal, hold_at(20), goal=100)
    assert (first + second) / 2 == pytest.approx(0.54, abs=2e-3)


def test_the_solution_is_what_optimal_play_comes_to() -> None:
    first, second = chances_of(optimal, optimal, goal=50)
    assert first == pytest.approx((1 + turn(50, win, 0, 0)[0]) / 2, abs=1e-9)
    assert first + second == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("limit", [2, 10, 18, 20, 22, 25, 30, 50])
def test_nobody_does_better_against_optimal_play(limit: int) -> None:
    best, _ = chances_of(optimal, optimal, goal=50)
    first, second = chances_of(optimal, hold_at(limit), goal=50)
    assert first >= best - 1e-9
    assert second >= 1 - best - 1e-9


Policy: TypeAlias = Callable[[int, int, int], tuple[bool, ...]]
"""Returns for each turn total whether a player holds, by the own score, the other's, and the goal."""


def optimal(mine: int, theirs: int, goal: int) -> tuple[bool, ...]:
    values, banked = turn(goal, win, mine, theirs), solve(goal, win)
    return tuple(bool(total and values[total] == banked[mine + total, theirs]) for total in range(goal - mine))


def hold_at(limit: int) -> Policy:
    return lambda mine, _, goal: tuple(total >= limit for total in range(goal - mine))


def chances_of(policy: Policy, opponent: Policy, goal: int) -> tuple[float, float]:
    """Return the policy's win probability if it begins, and if the opponent does.

    Computed from the distribution of each turn, with none of the solver's equations.
    """
    begins: dict[tuple[int, int], float] = {}
    follows: dict[tuple[int, int], float] = {}
    for both in reversed(range(2 * goal - 1)):
        for mine in range(max(0, both - goal + 1), min(both, goal - 1) + 1):
            theirs = both - mine
            lost, ours = banked_in_turn(goal, mine, policy(mine, theirs, goal))
            other_lost, other = banked_in_turn(goal, theirs, opponent(theirs, mine, goal))
            # begins is `won + lost * follows`, and follows is `rest + other_lost * begins`
            won = sum(p if mine + n >= goal else p * follows[mine + n, theirs] for n, p in ours)
            rest = sum(p * begins[mine, theirs + n] for n, p in other if theirs + n < goal)
            begins[mine, theirs] = (won + lost * rest) / (1 - lost * other_lost)
            follows[mine, theirs] = rest + other_lost * begins[mine, theirs]
    return begins[0, 0], follows[0, 0]


@cache
def banked_in_turn(goal: int, score: int, holds: tuple[bool, ...]) -> tuple[float, list[tuple[int, float]]]:
    """Return the chance of losing a turn to a 1, and those of banking so many points."""
    reached = [1.0] + [0.0] * (goal - score + SIDES)
    lost, banked = 0.0, []
    for total, p in enumerate(reached):  # what is added to stands further on
        if score + total >= goal or holds[total]:
            banked.append((total, p))
            continue
        lost += p / SIDES
        for face in FACES:
            reached[total + face] += p / SIDES
    return lost, [(total, p) for total, p in banked if p]
