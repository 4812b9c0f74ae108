"""Backward induction over one round: the tables that `solver` makes and reads.

A player plays at most one trick each round, so a round is a small graph of games without tricks: one for each pair of
played options, each leading only to games in which more has been played. Every array is over many of them at once,
(option of player 0, option of player 1, ...), as the cost of an array is, for most rounds, the call. A table of
positions after some number of turns (`geometry.Layer`) continues with (placements of who waits, placements of who
moves), because a move there gathers whole rows of it. Player 0 wants the highest values, player 1 the lowest.
"""

import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from math import prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, PLUS_MINUS
from p2p_shanghaien.games.shanghaien.players.geometry import ONE_MORE, PAIRS, PLACEMENTS, ROLLS, TWO_MORE, Layer, layers
from p2p_shanghaien.games.shanghaien.rules import ROW
from p2p_shanghaien.games.shanghaien.scoring import Placed

Values: TypeAlias = NDArray[np.floating]

Played: TypeAlias = str
"""The trick that a player plays in a round: "" none, "b" for its own effect, "b=F" as a joker for the nationality F."""

Options: TypeAlias = tuple[Played, ...]
"""A player's options in a round: nothing ("") first, both dice ("b") last, jokers side by side."""

BLOCK: Final = 16384
"""The number of positions that are rolled for at a time: the working set must fit into the processor's cache."""

FEW: Final = 1 << 15
"""The number of values up to which the number of calls matters more than the work of each."""

BEST: Final = (np.maximum, np.minimum)
"""The function by which each player combines several values."""

LOWER: Final = np.array([a for a, _ in ROLLS])
HIGHER: Final = np.array([b for _, b in ROLLS])
CHANCES: Final = np.array([2] * len(PAIRS) + [1] * ROW) / ROW**2
"""The dice of each of ROLLS, and its probability."""

_CHANCES: Final = {np.dtype(kind): CHANCES.astype(kind) for kind in (np.float32, np.float64)}
"""The same in the type of the values that they multiply, which saves converting those."""


class Tables(NamedTuple):
    """The value of every position in the games of some of the players' options.

    `played` are the options of player 0 and player 1, the rows and columns of all tables; `both` says whose turns
    include one that placed both dice, in all of these games alike. By number of turns, None if there are no positions:
    `turn` is before a turn, (rows, columns, placements of who waits, of who moves); `roll` is once rolling is chosen,
    (rows, columns, placements of who moves, of who waits).
    """

    played: tuple[Options, Options]
    both: tuple[bool, bool]
    layers: tuple[Layer | None, ...]
    turn: list[Values | None]
    roll: list[Values | None]

    def first_row(self) -> "Tables":
        """Return the tables of the first row alone, which do not keep the memory of the others."""
        turn, roll = (
            [None if values is None else values[:1].copy() for values in tables] for tables in (self.turn, self.roll)
        )
        return self._replace(played=(self.played[0][:1], self.played[1]), turn=turn, roll=roll)


class Tricks:
    """The values after one player's tricks, by number of turns, in games in which it has played none yet.

    `joker` is the best value of the positions after any joker, `plus_minus` and `both` are the positions after those,
    `again` is the value of rolling after that.
    """

    def __init__(self, side: int) -> None:
        self._side = side
        self.joker: dict[int, Values] = {}
        self.plus_minus: dict[int, Values] = {}
        self.both: dict[int, Values] = {}
        self.again: dict[int, Values] = {}

    def lead_to(self, at: int, after: Values, where: "_Where") -> None:
        """Take in the positions after `at` turns of games in which this player has played something."""
        if where.joker:
            best = BEST[self._side]
            joker, known = best.reduce(after[where.joker], axis=self._side, keepdims=True), self.joker.get(at)
            self.joker[at] = joker if known is None else best(known, joker)
        if where.plus_minus:
            self.plus_minus[at] = after[where.plus_minus]
        if where.both:
            self.both[at] = after


class _Where(NamedTuple):
    """The places of one player's options in tables, None for those that are missing."""

    nothing: tuple[slice, ...] | None
    something: tuple[slice, ...] | None
    joker: tuple[slice, ...] | None
    plus_minus: tuple[slice, ...] | None
    again: tuple[slice, ...] | None
    both: tuple[slice, ...] | None


@lru_cache(maxsize=1024)
def _where(side: int, played: Options) -> _Where:
    def those(wanted: Callable[[Played], bool]) -> tuple[slice, ...] | None:
        places = [place for place, trick in enumerate(played) if wanted(trick)]
        return (slice(None),) * side + (slice(places[0], places[-1] + 1),) if places else None

    return _Where(
        nothing=those(lambda trick: trick == ""),
        something=those(lambda trick: trick != ""),
        joker=those(lambda trick: "=" in trick),
        plus_minus=those(lambda trick: trick == PLUS_MINUS),
        again=those(lambda trick: trick == AGAIN),
        both=those(lambda trick: trick == BOTH),
    )


class Induction:
    """The builder of the tables of some games, turn by turn from the last."""

    def __init__(
        self,
        begin: tuple[Placed, int],
        played: tuple[Options, Options],
        endings: Values,
        tricks: tuple[Tricks, Tricks],
    ) -> None:
        """Prepare games from a position before a turn: its dice and who is to move.

        `endings` are the values (rows, columns, 2, 729) of each allotment after Shanghai by player 0 and by player 1.
        `tricks` are the values after each player's, when the other has played any of these.
        """
        both = (BOTH in played[0], BOTH in played[1])
        there = layers(*begin, both)
        self.tables = Tables(played, both, there, [None] * len(there), [None] * len(there))
        self._endings = endings.reshape(*endings.shape[:2], -1)
        self._tricks = tricks
        self._where = (_where(0, played[0]), _where(1, played[1]))

    def solve(self, at: int) -> None:
        """Compute the values after `at` turns from those after one more."""
        layer = self.tables.layers[at]
        if layer is None:
            return
        best, other = BEST[layer.mover], 1 - layer.mover
        roll = self.tables.roll[at] = self._rolling(at, layer) if layer.may_roll else None
        if layer.ends is None:
            assert roll is not None
            turn = np.ascontiguousarray(roll.swapaxes(2, 3))
        else:
            turn = self._endings.take(layer.ends, axis=2)
            if roll is not None:
                best(turn, roll.swapaxes(2, 3), out=turn)
        self.tables.turn[at] = turn
        self._tricks[other].lead_to(at, turn, self._where[other])

    def _rolling(self, at: int, layer: Layer) -> Values:
        """Return the value of rolling; a player who has played nothing may do so once the dice are seen."""
        after = self.tables.turn[at + 1]
        assert after is not None
        rows, columns, _, waiting = after.shape
        result = np.empty((rows, columns, len(PLACEMENTS[layer.added[layer.mover]]), waiting), after.dtype)
        where, tricks = self._where[layer.mover], self._tricks[layer.mover]
        if where.something:
            _roll(layer, after[where.something], result[where.something])
        if where.again:
            tricks.again[at] = result[where.again]
        if where.nothing:
            after, best = after[where.nothing], BEST[layer.mover]
            beside = tricks.plus_minus.get(at + 1)
            for other in (tricks.joker.get(at + 1), beside):
                after = after if other is None else best(after, other)
            both, again = tricks.both.get(at + 1), tricks.again.get(at)
            _roll(layer, after, result[where.nothing], beside=beside, both=both, again=again)
        return result


def _roll(
    layer: Layer,
    after: Values,
    mean: Values,
    *,
    beside: Values | None = None,
    both: Values | None = None,
    again: Values | None = None,
) -> None:
    """Put into `mean` the mean over all rolls of the best value of each.

    With everything but both dice at once, the value of a roll is the better of its dice's: to turn a die is to place
    one beside it, and rolling again has the same value whatever was rolled.
    """
    best = BEST[layer.mover]
    dice = layer.added[layer.mover]
    for games, rows in _blocks(mean.shape):
        one = _SCRATCH.gather("one", after[games], ONE_MORE[dice][:, rows])
        if beside is not None:
            turned = _SCRATCH.gather("turned", beside[games], ONE_MORE[dice][:, rows])
            best(one[:, :, :-1], turned[:, :, 1:], out=one[:, :, :-1])
            best(one[:, :, 1:], turned[:, :, :-1], out=one[:, :, 1:])
        if again is not None:
            best(one, again[games][:, :, None, rows], out=one)
        two = None if both is None else _SCRATCH.gather("two", both[games], TWO_MORE[dice][:, rows])
        mean_of = _mean_of_few if one.size <= FEW else _mean_of_many
        mean_of(one, two, best, mean[games][:, :, rows])


def _blocks(shape: tuple[int, ...]) -> Iterator[tuple[tuple[slice, slice], slice]]:
    """Yield parts of the games, and of the placements of who moves, as many at a time as make a BLOCK."""
    rows, columns, moving, waiting = shape
    if prod(shape) <= BLOCK:
        yield (slice(rows), slice(columns)), slice(moving)
        return
    games = max(1, BLOCK // (moving * waiting))
    some_rows, some_columns, some_places = max(1, games // columns), min(games, columns), max(1, BLOCK // waiting)
    firsts = (range(0, rows, some_rows), range(0, columns, some_columns), range(0, moving, some_places))
    for row, column, place in product(*firsts):
        these = (slice(row, row + some_rows), slice(column, column + some_columns))
        yield these, slice(place, place + some_places)


def _mean_of_few(one: Values, two: Values | None, best: np.ufunc, mean: Values) -> None:
    """Put into `mean` the value of a roll: the better of each of its dice alone, or both together. In few calls."""
    rolls = best(one.take(LOWER, axis=2), one.take(HIGHER, axis=2))
    if two is not None:
        best(rolls, two, out=rolls)
    mean[:] = (_CHANCES[rolls.dtype] @ rolls.reshape(*rolls.shape[:3], -1)).reshape(mean.shape)


def _mean_of_many(one: Values, two: Values | None, best: np.ufunc, mean: Values) -> None:
    """The same with little memory moved. It overwrites `one`."""
    pairs = _SCRATCH.room("pairs", (*one.shape[:2], len(PAIRS), *one.shape[3:]), one.dtype)
    start = 0
    for die in range(ROW - 1):
        stop = start + ROW - 1 - die
        best(one[:, :, die : die + 1], one[:, :, die + 1 :], out=pairs[:, :, start:stop])
        start = stop
    if two is not None:
        best(pairs, two[:, :, : len(PAIRS)], out=pairs)
        best(one, two[:, :, len(PAIRS) :], out=one)
    pairs.sum(axis=2, out=mean)
    mean *= 2
    mean += one.sum(axis=2)
    mean *= 1 / ROW**2


class _Scratch(threading.local):
    """Working memory, for each thread its own: allocating it takes longer than the work in it."""

    def __init__(self) -> None:
        self._memory: dict[str, NDArray[np.float64]] = {}

    def room(self, use: str, shape: tuple[int, ...], dtype: np.dtype[np.floating]) -> Values:
        """Return an array with arbitrary content, valid until the next such use: `shape[2]` for each of a BLOCK."""
        if use not in self._memory:
            self._memory[use] = np.empty(shape[2] * BLOCK)
        return self._memory[use].view(dtype)[: prod(shape)].reshape(shape)

    def gather(self, use: str, values: Values, rows: NDArray[np.intp]) -> Values:
        """Return these rows of each game."""
        if values.shape[0] * values.shape[1] * rows.size * values.shape[3] <= FEW:
            return values.take(rows, axis=2)
        room = self.room(use, (*values.shape[:2], *rows.shape, values.shape[3]), values.dtype)
        return values.take(rows, axis=2, out=room, mode="clip")


_SCRATCH: Final = _Scratch()
