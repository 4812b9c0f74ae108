"""From the last round to the first: each round's network is fitted to what the next one makes of solved rounds."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import repeat
from random import Random
from typing import Final, NamedTuple

import numpy as np

from fitting.positions import drawn, opening, seen
from fitting.regress import Fit, fit
from p2p_shanghaien.games.shanghaien.players import value
from p2p_shanghaien.games.shanghaien.players.network import Aim, Floats, Network, Table, tabulated
from p2p_shanghaien.games.shanghaien.players.solver import Evaluate
from p2p_shanghaien.games.shanghaien.players.tables import Played, Values
from p2p_shanghaien.games.shanghaien.rules import ROUNDS, State

SHARE: Final = 50
"""Positions that a process is given at a time."""
STARTS: Final = 3
"""The number of fits from random weights: some get stuck, and the best is kept."""


class Done(NamedTuple):
    """A round's network, its loss on positions held out, and the seconds that solving and fitting took."""

    number: int
    fit: Fit
    solving: float
    fitting: float


def backwards(
    aim: Aim, by_round: Sequence[Sequence[State]], passes: int, seed: int, executor: Executor
) -> Iterator[Done]:
    """Yield the networks for positions before each round, the last round's first; `by_round` begins with round 1."""
    later: Network | None = None
    for number in range(ROUNDS, 0, -1):
        began = time.monotonic()
        states = by_round[number - 1]
        parts = [states[at : at + SHARE] for at in range(0, len(states), SHARE)]
        seeds = [f"{seed} {number} {place}" for place in range(len(parts))]
        worth = np.concatenate(list(executor.map(_worth, repeat(aim), repeat(later), parts, seeds)))
        solved = time.monotonic()
        starts = [(seed, start) for start in range(STARTS)]
        fits = executor.map(fit, repeat(aim), repeat(seen(states)), repeat(worth), repeat(passes), starts)
        best = min(fits, key=lambda found: found.loss)
        yield Done(number, best, solved - began, time.monotonic() - solved)
        later = best.network


def _worth(aim: Aim, later: Network | None, states: Sequence[State], seed: str) -> Floats:
    """Return what positions before a round are worth with some row each, where `later` judges what comes after it."""
    rng = Random(seed)
    evaluate = _evaluate(aim, later and tabulated(later))
    return np.array([opening(drawn(state, rng), evaluate) for state in states], np.float32)


def _evaluate(aim: Aim, later: Table | None) -> Evaluate:
    """Return what judges the ends of a round: the network for the round after it, or the result."""
    if later is None:
        return value.chances if aim == "chance" else value.points
    return partial(_evaluate_by, aim, later)


def _evaluate_by(aim: Aim, later: Table, state: State, pairs: Sequence[tuple[Played, Played]]) -> Values:
    found = value.evaluated(state, pairs, later)
    return value.chance(found) if aim == "chance" else found
