"""The level `easy`: a beginner.

It goes where the highest rogue lies, steals the highest, loses the lowest and never bids for Black Jack. Colours, the
other captain and Black Jack mean nothing to it, and some of its decisions are mere whims.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.halunken.rogues import VALUE
from p2p_shanghaien.games.halunken.rules import LEAVE, NUMBERS, PASS, RUM, Phase, State, ahead

WHIM: Final = 0.2
"""The probability of a random decision; in an auction there is none."""


def choose(state: State, player: int, rng: Random) -> Action:
    """Return the choice of a beginner."""
    legal = state.legal(player)
    if state.phase == Phase.AUCTION:
        return PASS
    if rng.random() < WHIM or state.phase in (Phase.PLACE, Phase.PLACE_JACK, Phase.JACK_NAME):
        return rng.choice(legal)
    if state.phase == Phase.CHOICE:
        return rng.choice(_best(legal, [_ahead(state, player, action[0]) for action in legal]))
    if state.phase == Phase.NAME:
        return rng.choice(_best(legal, [_ahead(state, player, action[1]) for action in legal]))
    values = [-1 if action == LEAVE else VALUE[action.partition(":")[2]] for action in legal]
    if state.phase == Phase.LOSE:
        values = [-value for value in values]
    return rng.choice(_best(legal, values))


def _best(actions: tuple[Action, ...], values: Sequence[float]) -> list[Action]:
    most = max(values)
    return [action for action, value in zip(actions, values, strict=True) if value == most]


def _ahead(state: State, player: int, card: str) -> float:
    """Return the value of the rogue to which a card leads; rum leads to all, but a number does as well."""
    numbers = range(1, NUMBERS + 1) if card == RUM else (int(card),)
    tops = [state.tops[ahead(state.captains[player], number) - 1] for number in numbers]
    return max(VALUE[top] if top else 0 for top in tops) - 0.5 * (card == RUM)
