"""The structure of a round of Shanghaien, whatever its cards: placements, turns, and who takes which number.

A placement is the number of one player's dice on each of the cards number 1 to 6. Placements of equally many dice are
in one fixed order (`PLACEMENTS`); tables are indexed by a placement's place in that order. An allotment says for each
of the row's six cards who takes it, and is one number below 729 (`TAKERS`).
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.shanghaien.rules import DICE, ROW
from p2p_shanghaien.games.shanghaien.scoring import Placed

NOBODY: Final = 2
"""The taker of a card that leaves the game; players are 0 and 1."""

ALLOTMENTS: Final = 3**ROW
_WEIGHTS: Final[NDArray[np.intp]] = 3 ** np.arange(ROW)

TAKERS: Final[NDArray[np.int8]] = (np.arange(ALLOTMENTS)[:, None] // _WEIGHTS % 3).astype(np.int8)
"""The taker of each card of the row in each allotment, (729, 6), cards from left to right."""

MIRRORED: Final[NDArray[np.intp]] = TAKERS[:, ::-1].astype(np.intp) @ _WEIGHTS
"""The allotment of the reversed row."""


def allotment(takers: Sequence[int]) -> int:
    """Return the allotment in which these take the cards, from left to right."""
    return int(_WEIGHTS @ takers)


def _of(dice: int) -> tuple[tuple[int, ...], ...]:
    chosen = combinations_with_replacement(range(ROW), dice)
    return tuple(tuple(numbers.count(number) for number in range(ROW)) for numbers in chosen)


PLACEMENTS: Final = tuple(_of(dice) for dice in range(DICE + 1))
"""Every placement, by number of dice: 1, 6, 21, 56, 126, 252 and 462 of them."""

PLACE: Final = tuple({placement: place for place, placement in enumerate(row)} for row in PLACEMENTS)
"""The place of each placement in PLACEMENTS, by number of dice."""

PAIRS: Final = tuple((a, b) for a in range(ROW) for b in range(a + 1, ROW))
"""The fifteen rolls of two different dice, less one each, in the order of the tables."""

ROLLS: Final = PAIRS + tuple((a, a) for a in range(ROW))
"""All 21 rolls: PAIRS, each with a probability of 2/36, then the doubles, each with 1/36."""


def _with(dice: int, added: tuple[int, ...]) -> list[int]:
    """Return the places, among placements of more dice, of each of `dice` dice with `added` (numbers less one)."""
    more = np.bincount(added, minlength=ROW)
    return [PLACE[dice + len(added)][tuple(int(n) for n in more + placement)] for placement in PLACEMENTS[dice]]


ONE_MORE: Final = tuple(np.array([_with(dice, (die,)) for die in range(ROW)]) for dice in range(DICE))
"""The places of (6, placements of n) among those of n + 1, with a die on each number, by number of dice n."""

TWO_MORE: Final = tuple(np.array([_with(dice, roll) for roll in ROLLS]) for dice in range(DICE - 1))
"""The places of (21, placements of n) among those of n + 2, with both dice of each of ROLLS, by number of dice n."""


class Layer(NamedTuple):
    """The positions after a number of turns, under one pattern of tricks: all before the same player's turn.

    `added` are the dice that each player has placed since the position at which the tables begin. `ends` is how
    Shanghai ends the round, None where it may not be called: (placements of who waits, placements of who moves) places
    in the values (2, 729) of each player's call and each allotment after it.
    """

    mover: int
    added: tuple[int, int]
    may_roll: bool
    ends: NDArray[np.intp] | None

    @property
    def positions(self) -> int:
        return len(PLACEMENTS[self.added[0]]) * len(PLACEMENTS[self.added[1]])


@lru_cache(maxsize=256)
def layers(placed: Placed, mover: int, both: tuple[int, int]) -> tuple[Layer | None, ...]:
    """Return the layers of a round from `placed` with `mover` to move, by the number of turns since.

    `both` says for each player whether one of those turns placed both dice (0 or 1); a layer in which there cannot have
    been such a turn yet is None. Number 1 is the row's left end. The tables are cached.
    """
    found: list[Layer | None] = []
    while True:
        turns = _shared(len(found), mover)
        if any(turns[side] > max(0, DICE - 1 - sum(placed[side])) for side in (0, 1)):
            return tuple(found)
        added = (turns[0] + both[0], turns[1] + both[1])
        if any(turns[side] < both[side] for side in (0, 1)):
            found.append(None)
            continue
        moves = mover if len(found) % 2 == 0 else 1 - mover
        used = sum(placed[moves]) + added[moves]
        ends = moves * ALLOTMENTS + _takes(placed, added, moves) if used >= 2 else None
        found.append(Layer(moves, added, used <= DICE - 2, ends))


def _shared(turns: int, mover: int) -> tuple[int, int]:
    """Return the number of turns of each player among so many."""
    first, second = (turns + 1) // 2, turns // 2
    return (first, second) if mover == 0 else (second, first)


def _takes(placed: Placed, added: tuple[int, int], mover: int) -> NDArray[np.intp]:
    """Return the allotment of each pair of placements, (placements of who waits, placements of who moves)."""
    claims = [
        _claims(np.array(PLACEMENTS[added[side]], np.int16) + np.array(placed[side], np.int16)) for side in (0, 1)
    ]
    takes = np.zeros((len(claims[1 - mover]), len(claims[mover])), np.int16)
    for number, weight in enumerate(_WEIGHTS.astype(np.int16)):
        waits, moves = claims[1 - mover][:, number, None], claims[mover][:, number]
        takes += np.where(waits > moves, (1 - mover) * weight, np.where(waits < moves, mover * weight, NOBODY * weight))
    return takes.astype(np.intp)


def _claims(counts: NDArray[np.signedinteger]) -> NDArray[np.int16]:
    """Return each player's claim to a card, by placement and number: the greater claim takes it.

    The dice on the card come first; then the sum of the dice on its neighbours, which is at most 36 (rules, "Shanghai
    ends the round").
    """
    sums = counts * np.arange(1, ROW + 1)
    claims = counts * 64
    claims[:, 1:] += sums[:, :-1]
    claims[:, :-1] += sums[:, 1:]
    return np.where(counts > 0, claims, 0).astype(np.int16)
