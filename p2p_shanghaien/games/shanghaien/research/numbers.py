"""Shanghaien in numbers: its actions and chance outcomes enumerated, a position as a vector."""

from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.games.shanghaien.cards import DECK_TRICKS, NATIONALITIES, WILD, strength
from p2p_shanghaien.games.shanghaien.rules import DICE, ROLL, ROUNDS, ROW, SHANGHAI, State
from p2p_shanghaien.research.numbers import Numbers, one_of

TRICKS: Final = DECK_TRICKS + WILD
_ENDS: Final = ("", "<", ">")
_FACES: Final = range(1, DICE + 1)
_PHASES: Final = 7

ACTIONS: Final[tuple[Action, ...]] = (
    ROLL,
    SHANGHAI,
    *(f"-{die}{end}" for die in _FACES for end in _ENDS),
    *(f"!p+{die}" for die in _FACES if die < DICE),
    *(f"!p-{die}" for die in _FACES if die > 1),
    *(f"!b{end}" for end in _ENDS),
    "!r",
    *(f"!{letter}={nationality}" for letter in TRICKS for nationality in NATIONALITIES),
)
"""Every action that can ever be legal; its number is its place here."""

CARDS: Final = (
    *(f"{nationality}{value}" for nationality in NATIONALITIES for value in range(1, 5)),
    *(f"X{letter}" for letter in DECK_TRICKS),
)
"""Every distinct card of the tavern."""

ROLLS: Final = tuple(combinations_with_replacement(_FACES, 2))
"""Every roll of two dice, ascending."""

MOST_OF_A_CARD: Final = 8
MOST_TRICKS: Final = 9
STRONGEST: Final = 31
"""The greatest strength of a nationality: five sailors with 13, and nine jokers."""

_ROW_CARD: Final = len(NATIONALITIES) + 1 + len(DECK_TRICKS)

SIZE: Final = (
    1 + _PHASES + 2 * DICE + len(_ENDS) + 2 * DICE + 2 + 2 * len(TRICKS) + 2 * len(NATIONALITIES) + ROUNDS + 1
) + (ROW * _ROW_CARD + len(CARDS))
"""Length of an observation."""


def observation(state: State, player: int) -> NDArray[np.float32]:
    """Return the position from the point of view of `player`, own seat first: SIZE numbers from 0 to 1.

    In order: whether it is the player's turn; the phase; the lower die and the higher, by face; the direction; dice
    placed, own and the opponent's, in sixths; who has played a trick; tricks held, in ninths; strengths of the crews,
    as parts of the greatest there can be; the round; whether the player began it; each card of the row from the left
    (nationality, value in quarters, kind of trick); how many of each card are in the pile, in eighths.
    """
    sides = (player, 1 - player)
    parts: list[list[float]] = [[state.player == player], one_of(_PHASES, state.phase)]
    parts += [one_of(DICE, state.dice[place] - 1 if state.dice else None) for place in (0, 1)]
    parts.append(one_of(len(_ENDS), _ENDS.index(state.direction)))
    parts += [[count / DICE for count in state.placed[side]] for side in sides]
    parts.append([float(state.tricked[side]) for side in sides])
    parts += [[state.tricks[side].count(letter) / MOST_TRICKS for letter in TRICKS] for side in sides]
    parts += [_strengths(state.crews[side]) for side in sides]
    parts += [one_of(ROUNDS, state.round - 1), [state.starter == player]]
    parts += [_row_card(state.row[place] if state.row else None) for place in range(ROW)]
    parts.append([state.pile.count(card) / MOST_OF_A_CARD for card in CARDS])
    return np.array([value for part in parts for value in part], np.float32)


def _strengths(crew: tuple[str, ...]) -> list[float]:
    return [sum(strength(card) for card in crew if card[0] == own) / STRONGEST for own in NATIONALITIES]


def _row_card(card: str | None) -> list[float]:
    if card is None:
        return [0.0] * _ROW_CARD
    if card[0] == "X":
        return [0.0] * (_ROW_CARD - len(DECK_TRICKS)) + one_of(len(DECK_TRICKS), DECK_TRICKS.index(card[1]))
    sailor = one_of(len(NATIONALITIES), NATIONALITIES.index(card[0]))
    return [*sailor, int(card[1]) / 4, *([0.0] * len(DECK_TRICKS))]


NUMBERS: Final = Numbers(ACTIONS, SIZE, observation)
