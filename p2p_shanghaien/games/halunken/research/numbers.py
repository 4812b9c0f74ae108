"""Halunken & Spelunken in numbers: its actions enumerated, a position as a vector."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Action, Simultaneous, Turn
from p2p_shanghaien.games.halunken.rogues import COLOURS, DECK, VALUE, Rogue
from p2p_shanghaien.games.halunken.rules import CARDS, DEPTH, JACK, LEAVE, NUMBERS, PASS, ROUNDS, SPACES, Phase, State
from p2p_shanghaien.research.numbers import Numbers, one_of

_SPACES: Final = range(1, SPACES + 1)
_NUMBERS: Final = range(1, NUMBERS + 1)
_HANDS: Final = 3
_PHASES: Final = Phase.OVER + 1

ACTIONS: Final[tuple[Action, ...]] = (
    *(f"at:{space}" for space in _SPACES),
    *(f"bid:{rogue}" for rogue in DECK),
    PASS,
    *CARDS,
    *(f"{card}+{his}" for card in CARDS for his in CARDS),
    *(f"={number}" for number in _NUMBERS),
    *(f"J={number}" for number in _NUMBERS),
    *(f"take:{rogue}" for rogue in DECK),
    LEAVE,
    *(f"lose:{rogue}" for rogue in DECK),
)
"""Every action that can ever be legal; its number is its place here."""

MOST_POINTS: Final = _HANDS * (sum(VALUE.values()) + max(sum(VALUE[r] for r in DECK if r[0] == c) for c in COLOURS))
"""No crews score more: those of all rogues, in all hands."""
HIGHEST: Final = max(VALUE.values())

SIZE: Final = (
    (1 + _PHASES + _HANDS + ROUNDS + 2 + 2 + 1)
    + 3 * (2 * len(CARDS) + 1 + SPACES)
    + 4 * len(DECK)
    + SPACES * (len(COLOURS) + 2)
    + (2 + 1 + 2 + 1)
)
"""Length of an observation."""


def observation(state: State, player: int) -> NDArray[np.float32]:
    """Return the position from the point of view of `player`, own side first: SIZE numbers from 0 to 1.

    In order: whether the player is to decide; the phase; the hand; the round (none in the setup); who opens, and who
    has hired Black Jack; the standing bid. Then for the player, the opponent and Black Jack: cards left, the card
    shown, the number of spaces in sevenths, the space. Then by rogue, in deck order: the own crew, the opponent's,
    beside the boat, not yet seen. Then for each den its top rogue (colour, and value in fifteenths) and its rogues, in
    thirds. Then the scores, as parts of the most there can be, and the options: Black Jack, one hand or three, thieves
    may leave a rogue. A secret choice is in no position before it is shown.
    """
    sides = (player, 1 - player)
    node = state.node
    parts: list[Sequence[float]] = [[isinstance(node, Simultaneous) or node == Turn(player)]]
    parts += [one_of(_PHASES, state.phase), one_of(_HANDS, state.hand - 1), one_of(ROUNDS, state.round - 1)]
    parts += [[float(side == who) for side in sides] for who in (state.opener, state.hirer)]
    parts.append([VALUE[state.bid] / HIGHEST if state.bid else 0.0])
    for owner, space in (
        (player, state.captains[player]),
        (1 - player, state.captains[1 - player]),
        (JACK, state.jack),
    ):
        parts.append([float(card in state.cards[owner]) for card in CARDS])
        parts.append(one_of(len(CARDS), CARDS.index(state.shown[owner]) if state.shown[owner] else None))
        parts += [[state.numbers[owner] / NUMBERS], one_of(SPACES, space - 1)]
    for rogues in (*(state.crews[side] for side in sides), state.boat, state.pile):
        held = frozenset(rogues)
        parts.append([float(rogue in held) for rogue in DECK])
    parts += [_den(top, left) for top, left in zip(state.tops, state.left, strict=True)]
    parts.append([state.scores[side] / MOST_POINTS for side in sides])
    options = state.options
    parts.append([options.blackjack, *one_of(2, int(options.hands > 1)), options.may])
    return np.array([value for part in parts for value in part], np.float32)


def _den(top: Rogue, left: int) -> list[float]:
    colour = one_of(len(COLOURS), COLOURS.index(top[0]) if top else None)
    return [*colour, VALUE[top] / HIGHEST if top else 0.0, left / DEPTH]


NUMBERED: Final = Numbers(ACTIONS, SIZE, observation)
