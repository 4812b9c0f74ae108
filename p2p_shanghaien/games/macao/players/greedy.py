"""The level `greedy`: does what is best at once.

It values what lies before both players after each of its actions: coins and opened tiles, resources for later payments,
and the best plan that the cards allow. It looks no further than one action, and never at what the other may do.
"""

from collections.abc import Iterator
from random import Random
from typing import Final

from p2p_shanghaien.games.api import Action, Terminal
from p2p_shanghaien.games.macao.deck import Card
from p2p_shanghaien.games.macao.payments import Means, means, shortage
from p2p_shanghaien.games.macao.rules import MEMBERS, Phase, Side, State

BLUE: Final = 0.5
"""The value in points of a blue card, which pays once."""
RED: Final = 1.8
"""The value of a resource of a red card, which pays every time."""
DEAD: Final = -0.5
"""The value of a dead widow, which takes up a place."""
PATIENCE: Final = 0.6
"""The share of a plan's gain that is left for each card that it lacks."""
SHARED: Final = 0.6
"""The share of a plan for a tile that the other player can take as well."""
POWER: Final = 0.7
"""The value of a power that is still to be used."""
RIVAL: Final = 0.35
"""The weight of what the other player has."""
VICTORY: Final = 100.0


def choose(state: State, player: int, rng: Random) -> Action:
    """Return the action with the best value for `player`; any of equals."""
    legal = state.legal(player)
    if len(legal) == 1:
        return legal[0]
    values = [_value(state.apply(action), player) for action in legal]
    best = max(values)
    return rng.choice([action for action, value in zip(legal, values, strict=True) if value > best - 1e-9])


def _value(state: State, player: int) -> float:
    """Return the value of a position to `player`, in points."""
    if isinstance(over := state.node, Terminal):
        margin = over.scores[player] - over.scores[1 - player]
        return margin + (0 if over.winner is None else VICTORY if over.winner == player else -VICTORY)
    value = _worth(state, player) - RIVAL * _worth(state, 1 - player)
    if state.player == player and state.phase in (Phase.DANCER, Phase.POLICEMAN, Phase.KILLER):
        value += POWER
    own, other = state.scores[player], state.scores[1 - player]
    if len(state.sides[player].red) == MEMBERS or not state.centre:
        # the game is about to end
        value += VICTORY / 10 * ((own > other) - (own < other))
    return value


def _worth(state: State, player: int) -> float:
    side, deck = state.sides[player], state.deck
    reds = sum(len(deck.card[card].red) for card in side.red)
    plan = max(_plans(state, side), default=0.0)
    return side.score(deck) + RED * reds + BLUE * len(side.blue) + DEAD * side.dead + plan


def _plans(state: State, side: Side) -> Iterator[float]:
    """Yield the value of each plan: to recruit a blue card, or to open a tile."""
    deck = state.deck
    red = means(deck, side.red)
    blue = [deck.card[card] for card in side.blue]
    for card in dict.fromkeys(blue):
        others = [each for each in blue if each is not card]
        gain = card.coins + RED * len(card.red) - BLUE
        yield _plan(gain, card.cost, others, red, red.croupiers)
    for name in (*state.centre, *side.reserved):
        tile = deck.tile[name]
        share = SHARED if name in state.centre else 1
        if tile.cost:
            yield share * _plan(tile.value, tile.cost, blue, red, 0)
        elif side.meets(tile.condition, deck):
            yield share * tile.value * PATIENCE


def _plan(gain: float, cost: str, blue: list[Card], red: Means, croupiers: int) -> float:
    """Return the value of a plan that gains so much: less the cards to be paid, and less the longer it takes."""
    needed = shortage(cost, red, croupiers=croupiers)
    lacking = shortage(cost, red, blue, croupiers=croupiers)
    return max(gain - BLUE * needed, 0.0) * PATIENCE ** (lacking + 1)
