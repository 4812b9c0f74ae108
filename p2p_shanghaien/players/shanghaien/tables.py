"""Backward induction over one round: the tables that `solver` makes and reads.

Every array is over several games at once, which differ in what their endings are worth: the leading axis. A table of
positions after some number of turns (`geometry.Layer`) is kept as (games, placements of who waits, placements of who
moves), because whoever moved there gathers whole rows of it. Player 0 wants the highest values, player 1 the lowest.
"""

import threading
from collections.abc import Sequence
from math import prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, PLUS_MINUS
from p2p_shanghaien.games.shanghaien.rules import ROW
from p2p_shanghaien.players.shanghaien.geometry import ONE_MORE, PAIRS, PLACEMENTS, ROLLS, TWO_MORE, Layer

Values: TypeAlias = NDArray[np.floating]

Played: TypeAlias = str
"""The trick that a player plays in a round: "" none, "b" for its own effect, "b=F" as a joker for the nationality F."""

BLOCK: Final = 16384
"""So many positions are rolled for at a time: what is worked on must fit into the processor's cache."""

FEW: Final = 4096
"""Up to so many values, the number of calls matters more than what they do."""

BEST: Final = (np.maximum, np.minimum)
"""What each player makes of several values."""

LOWER: Final = np.array([a for a, _ in ROLLS])
HIGHER: Final = np.array([b for _, b in ROLLS])
CHANCES: Final = np.array([2] * len(PAIRS) + [1] * ROW) / ROW**2
"""Of each of ROLLS, its dice and how likely it is."""


class Tables(NamedTuple):
    """The values of every position, by number of turns; None where there are none.

    `turn` is before a turn, (games, placements of who waits, of who moves); `roll` is once rolling is chosen, (games,
    placements of who moves, of who waits).
    """

    turn: tuple[Values | None, ...]
    roll: tuple[Values | None, ...]


class Tricks:
    """What one player's tricks would lead to, in some games in which it has played none yet.

    Everything is by number of turns. `joker`: the best that any joker makes of the positions that it leads to;
    `plus_minus` and `both`: the positions after those; `again`: what rolling is worth after that.
    """

    def __init__(self, side: int, games: int, turns: int) -> None:
        self._side = side
        self._games = games
        nothing: list[Values | None] = [None] * turns
        self.joker, self.plus_minus, self.both, self.again = (nothing.copy() for _ in range(4))

    def add(self, played: Sequence[Played], tables: Tables, layers: Sequence[Layer | None], games: slice) -> None:
        """Take in what follows once any of `played` is; for `games` of those here.

        The tables are of the games of each pair of tricks, player 0's counting first. Jokers stand together.
        """
        jokers = [index for index, trick in enumerate(played) if "=" in trick]
        for at, layer in enumerate(layers):
            if layer is None:
                continue
            if layer.mover != self._side:
                after = self._by_trick(tables.turn[at], len(played))
                if jokers:
                    self._fold(at, after[jokers[0] : jokers[-1] + 1], games)
                for trick, kept in (PLUS_MINUS, self.plus_minus), (BOTH, self.both):
                    if trick in played:
                        self._put(kept, at, after[played.index(trick)], games)
            elif layer.may_roll and AGAIN in played:
                rolling = self._by_trick(tables.roll[at], len(played))
                self._put(self.again, at, rolling[played.index(AGAIN)], games)

    def _by_trick(self, values: Values | None, tricks: int) -> Values:
        """The values with this player's tricks as the leading axis, the other's as the next."""
        assert values is not None
        if self._side == 0:
            return values.reshape(tricks, -1, *values.shape[1:])
        return values.reshape(-1, tricks, *values.shape[1:]).swapaxes(0, 1)

    def _fold(self, at: int, after: Values, games: slice) -> None:
        """Keep the best of what is known and of all these, the leading axis."""
        best = BEST[self._side]
        first, *others = after
        for other in others:
            first = best(first, other)
        if self.joker[at] is None and len(first) < self._games:
            worst = -np.inf if self._side == 0 else np.inf
            self.joker[at] = np.full((self._games, *first.shape[1:]), worst, first.dtype)
        known = self.joker[at]
        if known is not None:
            first = best(known[games], first)
        self._put(self.joker, at, first, games)

    def _put(self, kept: list[Values | None], at: int, values: Values, games: slice) -> None:
        whole = kept[at]
        if len(values) == self._games:
            kept[at] = values
            return
        if whole is None:
            whole = kept[at] = np.empty((self._games, *values.shape[1:]), values.dtype)
        whole[games] = values


def solve(layers: Sequence[Layer | None], endings: Values, tricks: tuple[Tricks | None, Tricks | None]) -> Tables:
    """The tables of games that lie in `layers`.

    `endings` are the values (games, 2, 729) of each allotment after Shanghai by player 0 and by player 1. `tricks`
    are what each player can still play, None for nothing.
    """
    turn: list[Values | None] = [None] * len(layers)
    roll: list[Values | None] = [None] * len(layers)
    for at in reversed(range(len(layers))):
        layer = layers[at]
        if layer is None:
            continue
        if layer.may_roll:
            after = turn[at + 1]
            assert after is not None
            roll[at] = _roll(layer, at, after, tricks[layer.mover])
        turn[at] = _turn(layer, endings, roll[at])
    return Tables(tuple(turn), tuple(roll))


def _turn(layer: Layer, endings: Values, roll: Values | None) -> Values:
    """The better of Shanghai and a roll."""
    if layer.takes is None:
        assert roll is not None
        return np.ascontiguousarray(roll.swapaxes(1, 2))
    values = endings[:, layer.mover].take(layer.takes, axis=1)
    if roll is not None:
        BEST[layer.mover](values, roll.swapaxes(1, 2), out=values)
    return values


def _roll(layer: Layer, at: int, after: Values, tricks: Tricks | None) -> Values:
    """The mean over all rolls of the best that can be made of each.

    With everything but both dice at once, what a roll is worth is the better of what each of its dice is worth: to
    turn a die is to place one beside it, and rolling again is worth the same whatever was rolled.
    """
    best = BEST[layer.mover]
    dice = layer.added[layer.mover]
    beside = both = again = None
    if tricks:
        beside, both, again = tricks.plus_minus[at + 1], tricks.both[at + 1], tricks.again[at]
        for other in (tricks.joker[at + 1], beside):
            after = after if other is None else best(after, other)
    games, _, waiting = after.shape
    moving = len(PLACEMENTS[dice])
    result = np.empty((games, moving, waiting), after.dtype)
    some_games = max(1, BLOCK // (moving * waiting))
    some_rows = max(1, BLOCK // waiting)
    for first in range(0, games, some_games):
        here = slice(first, first + some_games)
        for row in range(0, moving, some_rows):
            rows = slice(row, row + some_rows)
            one = _SCRATCH.gather("one", after[here], ONE_MORE[dice][:, rows])
            if beside is not None:
                turned = _SCRATCH.gather("turned", beside[here], ONE_MORE[dice][:, rows])
                best(one[:, :-1], turned[:, 1:], out=one[:, :-1])
                best(one[:, 1:], turned[:, :-1], out=one[:, 1:])
            if again is not None:
                best(one, again[here, None, rows], out=one)
            two = None if both is None else _SCRATCH.gather("two", both[here], TWO_MORE[dice][:, rows])
            mean = _mean_of_few if one.size <= FEW else _mean_of_many
            mean(one, two, best, result[here, rows])
    return result


def _mean_of_few(one: Values, two: Values | None, best: np.ufunc, mean: Values) -> None:
    """Put into `mean` what a roll is worth: the better of each of its dice alone, or both together. In few calls."""
    rolls = best(one.take(LOWER, axis=1), one.take(HIGHER, axis=1))
    if two is not None:
        best(rolls, two, out=rolls)
    mean[:] = (CHANCES @ rolls.reshape(len(rolls), len(ROLLS), -1)).reshape(mean.shape)


def _mean_of_many(one: Values, two: Values | None, best: np.ufunc, mean: Values) -> None:
    """The same with little memory moved. It overwrites `one`."""
    pairs = _SCRATCH.room("pairs", (one.shape[0], len(PAIRS), *one.shape[2:]), one.dtype)
    start = 0
    for die in range(ROW - 1):
        stop = start + ROW - 1 - die
        best(one[:, die : die + 1], one[:, die + 1 :], out=pairs[:, start:stop])
        start = stop
    if two is not None:
        best(pairs, two[:, : len(PAIRS)], out=pairs)
        best(one, two[:, len(PAIRS) :], out=one)
    pairs.sum(axis=1, out=mean)
    mean *= 2
    mean += one.sum(axis=1)
    mean *= 1 / ROW**2


class _Scratch(threading.local):
    """Room to work in, each thread its own: getting fresh memory takes longer than what is done in it."""

    def __init__(self) -> None:
        self._memory: dict[str, NDArray[np.float64]] = {}

    def room(self, use: str, shape: tuple[int, ...], dtype: np.dtype[np.floating]) -> Values:
        """An array with anything in it, until the same use comes again: `shape[1]` for each of a BLOCK."""
        if use not in self._memory:
            self._memory[use] = np.empty(shape[1] * BLOCK)
        return self._memory[use].view(dtype)[: prod(shape)].reshape(shape)

    def gather(self, use: str, values: Values, rows: NDArray[np.intp]) -> Values:
        """These rows of each game."""
        if len(values) * rows.size * values.shape[2] <= FEW:
            return values.take(rows, axis=1)
        room = self.room(use, (len(values), *rows.shape, values.shape[2]), values.dtype)
        return values.take(rows, axis=1, out=room, mode="clip")


_SCRATCH: Final = _Scratch()
