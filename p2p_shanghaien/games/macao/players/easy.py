"""The level `easy`: a beginner.

It opens a tile as soon as it can, recruits the card with most coins, pays with as few coins as possible, and otherwise
takes any card. It keeps no card for a plan, and some of its decisions are mere whims.
"""

from random import Random
from typing import Final

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.macao.deck import Deck
from p2p_shanghaien.games.macao.rules import State

WHIM: Final = 0.2
"""The probability of a random decision."""
_TILE: Final = 100


def choose(state: State, player: int, rng: Random) -> Action:
    """Return the choice of a beginner."""
    legal = state.legal(player)
    if rng.random() < WHIM:
        return rng.choice(legal)
    values = [_appeal(state.deck, action) for action in legal]
    most = max(values)
    return rng.choice([action for action, value in zip(legal, values, strict=True) if value == most])


def _appeal(deck: Deck, action: Action) -> int:
    """Return a beginner's preference for an action: coins gained, less those on the cards that are given away."""
    verb, _, rest = action.partition(":")
    thing, _, paid = rest.partition("=")
    given = sum(deck.card[card].coins for card in paid.split("+")) if paid else 0
    match verb:
        case "open":
            return _TILE - given
        case "recruit":
            # ten for doing it at all
            return 10 + 10 * deck.card[thing].coins - given
        case "discard":
            return -deck.card[thing].coins
        case _:
            return 0
