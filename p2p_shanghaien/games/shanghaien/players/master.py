"""The level `master`: solves the round exactly, with the win probability by `value` at each of its ends.

A solution is found from the turn's beginning, whichever of the turn's decisions is asked for, and cached: the choice
never depends on earlier requests, and a turn is solved once.
"""

from functools import lru_cache
from random import Random

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.shanghaien.players.solver import Solution, solve
from p2p_shanghaien.games.shanghaien.players.value import chances
from p2p_shanghaien.games.shanghaien.rules import Phase, State


def choose(state: State, player: int, rng: Random) -> Action:  # noqa: ARG001
    """Return the choice with the best win probability for `player`; the first of equals."""
    legal = state.legal(player)
    if len(legal) == 1:
        return legal[0]
    return _solution(state._replace(phase=Phase.TURN, dice=())).best(state).action


@lru_cache(maxsize=2)
def _solution(turn: State) -> Solution:
    """Return the solution from the beginning of a turn; few are cached, since one may take many megabytes."""
    return solve(turn, chances)
