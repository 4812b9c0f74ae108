"""A whole round with its tricks: which may be played, which need no thought, and the tables of each way to play them.

A player plays at most one trick a round, so a round is a small web of games without tricks: one for each pair of tricks
that have been played. Each leads only to games in which more has been played, and is solved after them. Of the
games in which both have played, only what the others need of them is kept: there are up to 729 of them.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.games.shanghaien.cards import BOTH, DECK_TRICKS
from p2p_shanghaien.games.shanghaien.rules import DICE, State
from p2p_shanghaien.games.shanghaien.scoring import Placed
from p2p_shanghaien.players.shanghaien.geometry import ALLOTMENTS, PLACE, Layer, layers
from p2p_shanghaien.players.shanghaien.tables import Played, Tables, Tricks, Values, solve

Options: TypeAlias = tuple[Played, ...]
"""What a player may play in a round: nothing ("") first, both dice ("b") last, jokers side by side."""

AT_ONCE: Final = 1 << 19
"""So many positions are solved at a time, where they are not kept."""


class Game(NamedTuple):
    """One of the games that `tables` hold; `both` counts each player's turns that placed both dice."""

    tables: Tables
    layers: Sequence[Layer | None]
    both: tuple[int, int]
    place: int

    def value(self, added: Placed, mover: int, *, rolling: bool) -> float:
        """What it is worth before a turn of `mover`, or once rolling is chosen, with `added` dice on the cards by now.

        Raises ValueError where the game cannot come to that.
        """
        dice = (sum(added[0]), sum(added[1]))
        at = sum(dice) - sum(self.both)
        layer = self.layers[at] if 0 <= at < len(self.layers) else None
        values = (self.tables.roll if rolling else self.tables.turn)[at] if layer else None
        if layer is None or values is None or (layer.mover, layer.added) != (mover, dice):
            raise ValueError("not a later position of this round")
        moves, waits = (PLACE[dice[side]][added[side]] for side in (mover, 1 - mover))
        return float(values[(self.place, moves, waits) if rolling else (self.place, waits, moves)])


Kept: TypeAlias = dict[tuple[Played, Played], Game]
"""Games by what the players have played in them."""


def options(state: State, side: int) -> Options:
    """What `side` may play from here to the end of the round."""
    if state.tricked[side] or sum(state.placed[side]) > DICE - 2:
        return ("",)
    hand = sorted(set(state.tricks[side]))
    effects = [letter for letter in hand if letter in DECK_TRICKS and letter != BOTH]
    nationalities = dict.fromkeys(card[0] for card in state.crews[side])
    jokers = [f"{letter}={nationality}" for letter in hand for nationality in nationalities]
    return ("", *effects, *jokers, *(BOTH for letter in hand if letter == BOTH))


def worth_playing(both: tuple[Options, Options], endings: Values) -> tuple[list[int], list[int]]:
    """The indices of the options that need thought: all but jokers that end no better than another, whatever happens.

    `endings` are the values (player 0's options, player 1's options, 2, 729).
    """
    gains = (endings, -endings.swapaxes(0, 1))
    return _undominated(both[0], gains[0]), _undominated(both[1], gains[1])


def _undominated(played: Options, gains: Values) -> list[int]:
    left: list[int] = []
    for index in range(len(played)):
        if "=" in played[index]:
            if any((gains[other] >= gains[index]).all() for other in left if "=" in played[other]):
                continue
            worse = {other for other in left if "=" in played[other] and (gains[index] >= gains[other]).all()}
            left = [other for other in left if other not in worse]
        left.append(index)
    return left


class _Group(NamedTuple):
    """Neighbouring options of one player after which equally many dice have been placed in as many turns."""

    both: int
    start: int
    stop: int

    @property
    def size(self) -> int:
        return self.stop - self.start

    @property
    def all(self) -> range:
        return range(self.start, self.stop)


_NOTHING: Final = _Group(0, 0, 1)


def _groups(played: Options) -> list[_Group]:
    last = len(played) - (played[-1] == BOTH)
    groups = [_Group(0, 1, last), _Group(1, last, len(played))]
    return [group for group in groups if group.size]


def solve_round(placed: Placed, mover: int, played: tuple[Options, Options], endings: Values) -> Kept:
    """Every game in which one of the players, or neither, has played one of the options.

    `endings` are the values (player 0's options, player 1's options, 2, 729); the row's left end is number 1.
    """
    web = _Web(placed, mover, played, endings)
    mine, others = (_groups(side) for side in played)
    for first, second in product(mine, others):
        for parts in _parts(first, second, web.positions):
            web.solve(first, second, *parts)
    kept: Kept = {}
    for first, second in (*product(mine, [_NOTHING]), *product([_NOTHING], others), (_NOTHING, _NOTHING)):
        kept |= web.solve(first, second, first.all, second.all)
    return kept


def _parts(first: _Group, second: _Group, positions: int) -> Iterator[tuple[range, range]]:
    """The pairs of options of two groups, so many at a time as can be solved AT_ONCE."""
    games = max(1, AT_ONCE // positions)
    columns = min(second.size, games)
    rows = max(1, games // columns)
    for row in range(first.start, first.stop, rows):
        for column in range(second.start, second.stop, columns):
            yield range(row, min(row + rows, first.stop)), range(column, min(column + columns, second.stop))


class _Web:
    """The games of a round, and what is known of each player's tricks where the other has played one of a group."""

    def __init__(self, placed: Placed, mover: int, played: tuple[Options, Options], endings: Values) -> None:
        self._placed = placed
        self._mover = mover
        self._played = played
        self._endings = endings
        self._tricks: tuple[dict[_Group, Tricks], dict[_Group, Tricks]] = ({}, {})
        self.positions = sum(layer.positions for layer in self._layers(0, 0) if layer)

    def _layers(self, *both: int) -> Sequence[Layer | None]:
        return layers(self._placed, self._mover, (both[0], both[1]))

    def solve(self, first: _Group, second: _Group, mine: range, others: range) -> Kept:
        """Solve the games in which `mine` of the options of `first` meet `others` of `second`, for what leads there."""
        these = self._layers(first.both, second.both)
        endings = self._endings[mine.start : mine.stop, others.start : others.stop].reshape(-1, 2, ALLOTMENTS)
        left = (
            self._tricks[0].get(second) if first is _NOTHING else None,
            self._tricks[1].get(first) if second is _NOTHING else None,
        )
        tables = solve(these, endings, left)
        played = (self._played[0][mine.start : mine.stop], self._played[1][others.start : others.stop])
        for side, group, other, part in ((0, first, second, others), (1, second, first, mine)):
            if group is not _NOTHING:
                if other not in self._tricks[side]:
                    self._tricks[side][other] = Tricks(side, other.size, len(these))
                self._tricks[side][other].add(
                    played[side], tables, these, slice(part.start - other.start, part.stop - other.start)
                )
        both = (first.both, second.both)
        return {pair: Game(tables, these, both, place) for place, pair in enumerate(product(*played))}
