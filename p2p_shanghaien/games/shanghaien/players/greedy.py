"""The level `greedy`: takes what is best at once.

It evaluates each choice as if the round ended right behind it, knows the value of a card to either crew, uses its
tricks when they pay, and goes on rolling while the next two dice, its own and the opponent's, promise more than they
threaten. It never looks further.
"""

from random import Random
from typing import Final

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.shanghaien.players.estimate import lead, of_roll, of_rolls, placings
from p2p_shanghaien.games.shanghaien.rules import DICE, ROLL, SHANGHAI, Phase, State

START: Final = 0.5
"""The value in points of starting a round, which the player who calls Shanghai gives away."""


def choose(state: State, player: int, rng: Random) -> Action:  # noqa: ARG001
    """Return the choice with the best value for `player`; the first of equals."""
    legal = state.legal(player)
    if len(legal) == 1:
        return legal[0]
    sign = -1 if player else 1
    if state.phase == Phase.TURN:
        return ROLL if sign * _prospect(state, player) > -START else SHANGHAI
    return max(legal, key=lambda action: sign * value(state.apply(action)))


def value(state: State) -> float:
    """Return player 0's lead once the die to be placed lies where its owner likes it best; a mean over rolls."""
    if state.phase in (Phase.DICE, Phase.REROLL):
        return of_rolls(placings(state, state.player), state.player)
    if state.phase in (Phase.ROLLED, Phase.PLACE):
        return of_roll(placings(state, state.player), state.player, state.dice)
    return lead(state)


def _prospect(state: State, player: int) -> float:
    """Return how much player 0's lead is likely to grow by `player`'s next die and the opponent's answer."""
    now = lead(state)
    growth = of_rolls(placings(state, player), player) - now
    if sum(state.placed[1 - player]) <= DICE - 2:
        growth += of_rolls(placings(state, 1 - player), 1 - player) - now
    return growth
