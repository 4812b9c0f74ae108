"""The level `easy`: a beginner.

It goes for high cards, whatever the crews need; never looks at the neighbours of a card that is level; mostly forgets
the tricks; and calls Shanghai by the number of cards, often too soon or too late.
"""

from random import Random
from typing import Final

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.shanghaien.rules import ROLL, SHANGHAI, State

REMEMBERS_A_TRICK: Final = 0.15
CALLS_AHEAD: Final = 0.5
"""The probability of calling Shanghai with more cards than the opponent."""
CALLS_TOO_SOON: Final = 0.1
"""The probability of calling Shanghai otherwise."""

TRICK_VALUE: Final = 2
"""The value of a trick in the tavern to a beginner, beside sailors at their face value."""


def choose(state: State, player: int, rng: Random) -> Action:
    """Return the choice of a beginner."""
    legal = state.legal(player)
    if SHANGHAI in legal and ROLL in legal:
        calls = CALLS_AHEAD if _cards(state, player) > _cards(state, 1 - player) else CALLS_TOO_SOON
        return SHANGHAI if rng.random() < calls else ROLL
    tricks = [action for action in legal if action[0] == "!"]
    if tricks and rng.random() < REMEMBERS_A_TRICK:
        return rng.choice(tricks)
    others = [action for action in legal if action[0] != "!"]
    return max(others, key=lambda action: _appeal(state, player, action)) if len(others) > 1 else others[0]


def _cards(state: State, player: int) -> int:
    """Return the cards on which `player` has more dice."""
    return sum(own > other for own, other in zip(state.placed[player], state.placed[1 - player], strict=True))


def _appeal(state: State, player: int, action: Action) -> float:
    """Return a beginner's preference for placing a die: on a high card, where it makes a difference."""
    index = int(action[1]) - 1
    row = state.row[::-1] if (action[2:] or state.direction) == ">" else state.row
    ahead = state.placed[player][index] + 1 - state.placed[1 - player][index]
    difference = 1.0 if ahead == 1 else 0.5 if ahead < 1 else 0.25
    card = row[index]
    return difference * (TRICK_VALUE if card[0] == "X" else int(card[1]))
