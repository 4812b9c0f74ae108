"""The means of both players, the end in sight, and the payments of a thing, the least wasteful first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.macao.deck import BLUE, IDENTICAL, VARIED, WIDOW, Deck, Tile
from p2p_shanghaien.games.macao.payments import means, shortage
from p2p_shanghaien.games.macao.rules import CROWD, MEMBERS, SAME, VARIETY, Phase, State
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say

_GROUPS: Final = 4
"""The number of things that the Black Market demands: a blue card, a red one, a reserved and an opened tile."""


class Reach(NamedTuple):
    """The part that a player has of a card's cost, or of a tile's cost or condition; `has` is at most `needs`."""

    has: int
    needs: int

    @property
    def is_met(self) -> bool:
        """True if the player can recruit the card or open the tile."""
        return self.has == self.needs

    def __str__(self) -> str:
        return f"{self.has}/{self.needs}"


def card_reach(state: State, player: int, card: str) -> Reach:
    """Return what a player could pay of the cost of one of their blue cards; what croupiers take off counts as paid."""
    side, deck = state.sides[player], state.deck
    others = list(side.blue)
    others.remove(card)
    red = means(deck, side.red)
    cost = deck.card[card].cost
    missing = shortage(cost, red, (deck.card[each] for each in others), croupiers=red.croupiers)
    return Reach(len(cost) - missing, len(cost))


def tile_reach(state: State, player: int, tile: Tile) -> Reach:
    """Return what a player could pay of a tile, or has of what it demands."""
    side, deck = state.sides[player], state.deck
    if tile.cost:
        missing = shortage(tile.cost, means(deck, side.red), (deck.card[each] for each in side.blue))
        return Reach(len(tile.cost) - missing, len(tile.cost))
    kinds = Counter(deck.card[card].kind for card in (*side.blue, *side.red))
    has, needs = {
        IDENTICAL: (max(kinds.values(), default=0), SAME),
        BLUE: (side.crowd, CROWD),
        VARIED: (len(kinds), VARIETY),
    }.get(tile.condition, (sum(map(bool, (side.crowd, side.red, side.reserved, side.opened))), _GROUPS))
    return Reach(min(has, needs), needs)


def payable(state: State, player: int) -> Iterator[str]:
    """Yield the ids of the cards and tiles that a player could recruit and open in a turn of theirs, each once."""
    side, deck = state.sides[player], state.deck
    yield from (card for card in dict.fromkeys(side.blue) if card_reach(state, player, card).is_met)
    tiles = deck.in_order((*state.centre, *side.reserved))
    yield from (tile for tile in tiles if tile_reach(state, player, deck.tile[tile]).is_met)


def end_in_sight(state: State, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield what is about to end the game, each in a few words."""
    if state.phase in (Phase.SET_UP, Phase.OVER):
        return
    if state.is_last_round:
        yield say("macao:end_last_round")
        return
    for player in (viewpoint.near, viewpoint.far):
        if len(state.sides[player].red) == MEMBERS - 1:
            yield str(viewpoint.news("macao:end_red", player))
    if len(state.centre) == 1:
        yield say("macao:end_tile")


# --- payments


def parts(action: Action) -> tuple[str, str, tuple[str, ...]]:
    """Return the verb of an action, what it is about, and the cards that pay."""
    verb, _, rest = action.partition(":")
    thing, _, paid = rest.partition("=")
    return verb, thing, tuple(paid.split("+")) if paid else ()


def waste(deck: Deck, action: Action) -> tuple[int, int, int]:
    """Return how much a payment wastes: a widow, who dies, most; then cards, and the coins that they would bring."""
    *_, paid = parts(action)
    return paid.count(WIDOW), len(paid), sum(deck.card[card].coins for card in paid)


def ways(deck: Deck, legal: Iterable[Action]) -> dict[tuple[str, str], Sequence[Action]]:
    """Return the actions of each verb and thing, in the order of `legal`; of its payments the least wasteful first."""
    found: dict[tuple[str, str], list[Action]] = {}
    for action in legal:
        verb, thing, _ = parts(action)
        found.setdefault((verb, thing), []).append(action)
    return {key: sorted(actions, key=lambda action: waste(deck, action)) for key, actions in found.items()}


def settled(actions: Sequence[Action]) -> Counter[str]:
    """Return the cards that all these payments have in common."""
    first, *others = (Counter(parts(action)[2]) for action in actions)
    for other in others:
        first &= other
    return first


def steps(actions: Sequence[Action]) -> Sequence[tuple[tuple[str, ...], Sequence[Action]]]:
    """Return how a payment among several can be narrowed down by a step: the cards added, and the payments left then.

    Cards that leave the same payments are added together. The first of `actions` is left out where it alone is left.
    """
    common = settled(actions)
    found: dict[tuple[Action, ...], None] = {}
    for card in dict.fromkeys(card for action in actions for card in parts(action)[2]):
        left = tuple(action for action in actions if parts(action)[2].count(card) > common[card])
        if left and left != (actions[0],):
            found[left] = None
    return [(tuple((settled(left) - common).elements()), left) for left in found]
