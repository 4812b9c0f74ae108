"""Shadows of Macao in numbers: its actions, paid card by card, and a position as a vector."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Action, Turn
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.research.steps import PAY, Stepwise
from p2p_shanghaien.games.macao.rules import LAST_ROUND, PILES, Phase
from p2p_shanghaien.research.numbers import Numbers, one_of

CARDS: Final = tuple(reconstruction().card)
TILES: Final = reconstruction().tile_ids
_IN_PILES: Final = Counter(reconstruction().face_down)
_WIDOWS: Final = 3
"""One before each player, and one in the piles."""
COPIES: Final = {card: _WIDOWS if card == "widow" else count for card, count in _IN_PILES.items()}
"""The copies of each card in a game."""
_PHASES: Final = Phase.OVER + 1
_HIGHEST: Final = max(PILES)

ACTIONS: Final[tuple[Action, ...]] = (
    *(f"take:{pile}" for pile in range(1, len(PILES) + 1)),
    *(f"recruit:{card}" for card in CARDS),
    *(f"open:{tile}" for tile in TILES),
    *(f"{PAY}{card}" for card in CARDS),
    *(f"discard:{card}" for card in CARDS),
    *(f"reserve:{tile}" for tile in TILES),
)
"""Every action that can ever be legal; its number is its place here."""

SIZE: Final = (
    (1 + _PHASES + 2 + 1)
    + 2 * (2 * len(CARDS) + 1 + 2 * len(TILES))
    + len(TILES)
    + len(PILES) * (2 * len(CARDS) + 1)
    + len(CARDS)
    + (2 * len(CARDS) + len(TILES))
)
"""Length of an observation."""


def observation(state: Stepwise, player: int) -> NDArray[np.float32]:
    """Return the position from the point of view of `player`, own side first: SIZE numbers from 0 to 1.

    In order: whether the player is to decide; the phase; whose turn it is; the round, in fortieths. Then for the player
    and the opponent: blue cards, dead widows in thirds, red cards, reserved and opened tiles. Then the tiles in the
    centre. Then for each pile: its top card, the number of its unseen cards in twelfths, and the known cards below
    these, but not in which order. Then the cards that nobody has seen. Then what is begun: the card to be recruited,
    the cards paid so far, the tile to be opened. Cards are by id in file order, each as the part of its copies.
    """
    position = state.position
    order = (player, 1 - player)
    parts: list[Sequence[float]] = [[float(state.node == Turn(player))], one_of(_PHASES, position.phase)]
    parts += [[float(side == position.player) for side in order], [position.round / LAST_ROUND]]
    for side in (position.sides[each] for each in order):
        parts += [_cards(side.blue), [side.dead / _WIDOWS], _cards(side.red), _tiles(side.reserved)]
        parts.append(_tiles(side.opened))
    parts.append(_tiles(position.centre))
    for pile in position.piles:
        parts += [one_of(len(CARDS), CARDS.index(pile.top) if pile.top else None), [pile.unseen / _HIGHEST]]
        parts.append(_cards(pile.known))
    parts.append(_cards(position.unseen))
    begun, _, paid = state.begun.partition("=")
    verb, _, name = begun.partition(":")
    parts += [_cards([name] if verb == "recruit" else []), _cards(paid.split("+") if paid else [])]
    parts.append(_tiles([name] if verb == "open" else []))
    return np.array([value for part in parts for value in part], np.float32)


def _cards(held: Iterable[str]) -> list[float]:
    counts = Counter(held)
    return [counts[card] / COPIES[card] for card in CARDS]


def _tiles(held: Iterable[str]) -> list[float]:
    names = frozenset(held)
    return [float(tile in names) for tile in TILES]


NUMBERED: Final = Numbers(ACTIONS, SIZE, observation)
