"""A short look ahead from a position before a round: what each pair of the captains' cards would bring.

It sees the next round, with typical draws, and nobody hires Black Jack. Before the last two rounds it sees both of
them, and also that one of the players hires him for the rogue that costs least, and then plays the best of his cards. A
network makes values out of it.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.halunken.players.courses import NOBODY, Courses, Flags, Ints, Rows
from p2p_shanghaien.games.halunken.players.crews import cheapest, points
from p2p_shanghaien.games.halunken.rules import JACK

Floats: TypeAlias = NDArray[np.float64]

FARTHEST: Final = 3
"""The most cards in a hand for which there is a look ahead: with more, it takes too long."""
TWO_ROUNDS: Final = 2
"""The cards in a hand before the last two rounds."""
_BEST: Final = (np.max, np.min)
"""The choice of player 0, and of player 1."""
_MIRRORED: Final = [0, 2, 1, 4, 3]
"""The order of the features of a matrix if the other player's are to come first."""


def features(rows: Rows, hands: Flags, *, may: bool) -> Floats:
    """Return what is found for N positions with the cards left, (N, 3, 8), as either player sees it: (2, N, F).

    F is 5 for each way to hire Black Jack that is seen: the expected margins in points if both play any card, if either
    plays the best one against that, and if either plays the safest one. It is 0 if too many cards are left.
    """
    if len(rows) == 0 or hands[0, 0].sum() > FARTHEST:
        return np.zeros((2, len(rows), 0))
    hired = hands[0, JACK].any() and hands[0, 0].sum() == TWO_ROUNDS
    found = [_summary(_margins(rows, hands, NOBODY, may=may))]
    if hired:
        found += [_summary(_margins(rows, hands, player, may=may)) for player in (0, 1)]
    mirrored = [-each[:, _MIRRORED] for each in (found[0], *found[:0:-1])]
    return np.stack([np.concatenate(found, axis=1), np.concatenate(mirrored, axis=1)])


def _summary(margins: Floats) -> Floats:
    """Return the features of matrices, (N, own, other)."""
    own, other = margins.mean(axis=2), margins.mean(axis=1)
    safe = margins.min(axis=2).max(axis=1), margins.max(axis=1).min(axis=1)
    return np.stack([margins.mean(axis=(1, 2)), own.max(axis=1), other.min(axis=1), *safe], axis=1)


def _margins(rows: Rows, hands: Flags, hirer: int, *, may: bool) -> Floats:
    """Return the margins for each pair of cards, (N, own, other)."""
    size, count = len(rows), int(hands[0, 0].sum())
    figures = JACK + 1 if hands[0, JACK].any() else JACK
    ways = np.indices((count,) * figures).reshape(figures, -1)
    own = [np.nonzero(hands[:, figure])[1].reshape(size, count) for figure in range(figures)]
    begin = rows.take(np.repeat(np.arange(size), ways.shape[1]))
    begin.hirer[:] = hirer
    if hirer != NOBODY:
        paid = np.repeat(cheapest(rows.crews[:, hirer]), ways.shape[1])
        begin.crews[:, hirer] &= ~paid
        begin.boat |= paid
    courses = Courses(begin, may=may, thorough=False, draws=1)
    courses.play(_cards(own, ways))
    if count == TWO_ROUNDS:
        courses.rows.hirer[:] = NOBODY
        courses.play(_cards(own, 1 - ways))
    crews = courses.rows.crews
    margins = courses.fold((points(crews[:, 0]) - points(crews[:, 1])).astype(np.float64)[:, None])
    by_pair = margins.reshape(size, count, count, -1)
    best: Floats = by_pair.mean(axis=3) if hirer == NOBODY else _BEST[hirer](by_pair, axis=3)
    return best


def _cards(own: list[Ints], ways: Ints) -> Ints:
    """Return the cards of all figures for each position and each way to choose among their hands: (N * ways, 3)."""
    cards = np.stack([each[:, way] for each, way in zip(own, ways, strict=True)], axis=-1)
    return cards.reshape(-1, len(own))
