"""The level `master`: takes the action with the best win probability by the evaluator's look ahead."""

from random import Random
from typing import Final

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.macao.players.evaluator import LookaheadEvaluator
from p2p_shanghaien.games.macao.rules import State

_DIGITS: Final = 9
"""Win probabilities that agree to so many decimal places are equal; the margin then decides."""


def choose(state: State, player: int, rng: Random) -> Action:  # noqa: ARG001
    """Return the choice with the best win probability for `player`; of equals the best margin, then the first."""
    legal = state.legal(player)
    if len(legal) == 1:
        return legal[0]
    options = ((option.action, option.value.to_player(player)) for option in LookaheadEvaluator().options(state))
    return max(options, key=lambda option: (round(option[1].chance, _DIGITS), option[1].points))[0]
