"""The level `master`: plays an equilibrium of the round, with the win probability by the network at each of its ends.

In the auction it bids by backward induction, and a secret choice is drawn from its mixture.
"""

from collections.abc import Mapping
from random import Random

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.halunken.players.evaluator import estimate, solution
from p2p_shanghaien.games.halunken.players.rounds import CHANCE
from p2p_shanghaien.games.halunken.rules import Phase, State

_DIGITS = 9
"""Values that agree to so many decimal places are equal."""


def choose(state: State, player: int, rng: Random) -> Action:
    """Return the choice with the best win probability for `player`, the first of equals; one of a mixture if secret."""
    legal = state.legal(player)
    if len(legal) == 1:
        return legal[0]
    if state.phase == Phase.PLACE:
        return rng.choice(legal)
    if state.phase == Phase.CHOICE:
        return rng.choices(legal, solution(state).equilibrium(CHANCE).of(player))[0]
    if state.phase == Phase.AUCTION:
        values = solution(state).bids(state, CHANCE)
    else:
        values = {action: float(estimate(state.apply(action))[CHANCE]) for action in legal}
    return best(values, player)


def best(values: Mapping[Action, float], player: int) -> Action:
    """Return the action with the best of these win probabilities of player 0 for `player`, the first of equals."""
    return max(values, key=lambda action: round((1 - 2 * player) * values[action], _DIGITS))
