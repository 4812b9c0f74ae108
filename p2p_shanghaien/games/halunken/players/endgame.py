"""The last round of many positions at once, solved: everybody has one card left, so that only the auction is a game.

Thefts are those that are best at once, which may miss by a little what a later theft or loss makes of them.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.halunken.players.courses import (
    NOBODY,
    Courses,
    Flags,
    Ints,
    Rows,
)
from p2p_shanghaien.games.halunken.players.crews import BIT, ROGUES, VALUES, Bits, losses, members, sizes
from p2p_shanghaien.games.halunken.rules import Options

Values = NDArray[np.float64]

_HIGHEST: Final = int(VALUES.max())
_BEST: Final = (np.maximum, np.minimum)
_WORST: Final = (-np.inf, np.inf)


class LastRound:
    """Positions before round 8, played out for every end of their auctions."""

    def __init__(self, rows: Rows, left: Flags, opener: Ints, options: Options, draws: int) -> None:
        """Prepare N positions with the cards left, (N, 3, 8), one of each figure.

        `draws` is the most rogues that are tried where a captain takes one that is unknown.
        """
        self._size, self._opener, self._blackjack = len(rows), opener, options.blackjack
        cards = left.argmax(axis=-1)
        bids = _bids(rows.crews, every=draws == ROGUES) if options.blackjack else np.zeros_like(rows.crews)
        own = sizes(bids)
        count = 1 + own.sum(axis=1)
        self._origin: Ints = np.repeat(np.arange(len(rows)), count)
        number = np.arange(len(self._origin)) - np.repeat(np.cumsum(count) - count, count)
        begin = rows.take(self._origin)
        self._hirer, self._rogue = _hire(begin, number, bids[self._origin])
        self._courses = courses = Courses(begin, may=options.may, thorough=False, draws=draws)
        courses.play(cards[self._origin])

    @property
    def rows(self) -> Rows:
        """The positions at the end."""
        return self._courses.rows

    def values(self, results: Values) -> Values:
        """Return the values before the round, (N, 2), from those of `rows`."""
        values = self._courses.fold(results)
        none: Values = values[self._hirer == NOBODY]
        if not self._blackjack:
            return none
        hired = []
        for player in (0, 1):
            table = np.full((self._size, _HIGHEST + 1, values.shape[1]), _WORST[player])
            at = np.flatnonzero(self._hirer == player)
            _BEST[player].at(table, (self._origin[at], VALUES[self._rogue[at]]), values[at])
            hired.append(table)
        return auctions(none, hired, self._opener)


def auctions(none: Values, hired: list[Values], opener: Ints) -> Values:
    """Return the values of N auctions, (N, K), by backward induction.

    `none` has the values if nobody hires, and `hired` for each player those of hiring for a rogue of each value,
    (N, 16, K), infinitely bad for its player where there is no such rogue.
    """
    higher = [np.full(none.shape, worst) for worst in _WORST]
    for value in range(_HIGHEST, 0, -1):
        # the other has to answer a bid of this value: by a pass, or by a higher one
        answers = [_BEST[1 - player](hired[player][:, value], higher[1 - player]) for player in (0, 1)]
        for player in (0, 1):
            there = np.isfinite(hired[player][:, value])
            higher[player] = np.where(there, _BEST[player](higher[player], answers[player]), higher[player])
    found = []
    for player in (0, 1):
        passed = _BEST[1 - player](none, _BEST[1 - player].reduce(hired[1 - player], axis=1))
        found.append(_BEST[player](passed, higher[player]))
    values: Values = np.where((opener == 0)[:, None], found[0], found[1])
    return values


def _bids(crews: Bits, *, every: bool) -> Bits:
    """Return the rogues with which each player may bid; unless `every`, those that no other beats.

    One beats another that is not higher and costs more points.
    """
    if every:
        return crews
    known, of = np.unique(crews, return_inverse=True)
    there, cost = members(known), losses(known)
    beaten = there[:, :, None] & (VALUES[:, None] >= VALUES) & (cost[:, :, None] < cost[:, None, :])
    worth: Bits = (there & ~beaten.any(axis=1)) @ BIT
    return worth[of].reshape(crews.shape)


def _hire(rows: Rows, number: Ints, bids: Bits) -> tuple[Ints, Ints]:
    """Let Black Jack be hired in the way of that number: 0 by nobody, then for each bid of player 0, then of 1.

    Return the hirers and the rogues.
    """
    first = sizes(bids[:, 0])
    hirer = np.where(number == 0, NOBODY, np.where(number <= first, 0, 1))
    at = np.flatnonzero(number)
    own = bids[at, hirer[at]]
    wanted = np.where(hirer[at] == 0, number[at], number[at] - first[at])
    rogue = np.zeros(len(number), np.int64)
    rogue[at] = (np.cumsum(members(own), axis=1) == wanted[:, None]).argmax(axis=1)
    rows.crews[at, hirer[at]] &= ~BIT[rogue[at]]
    rows.boat[at] |= BIT[rogue[at]]
    rows.hirer[:] = hirer
    return hirer, rogue
