"""A whole round with its tricks: the options to play them, those that need no analysis, and the tables of each.

All games of a round (`tables`) are solved together, turn by turn from the last, if they are not too many. Otherwise
player 1's options are taken some at a time, nothing last; of games in which both have played something, which may be
more than a thousand, only what the others need of them is kept then.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.games.shanghaien.cards import BOTH, DECK_TRICKS
from p2p_shanghaien.games.shanghaien.players.geometry import PLACE, layers
from p2p_shanghaien.games.shanghaien.players.tables import Induction, Options, Played, Tables, Tricks, Values
from p2p_shanghaien.games.shanghaien.rules import DICE, State
from p2p_shanghaien.games.shanghaien.scoring import Placed

AT_ONCE: Final = 1 << 19
"""The number of positions that are solved at a time, or those of one of player 1's options if they are more."""


class Game(NamedTuple):
    """One of the games that tables hold."""

    tables: Tables
    row: int
    column: int

    def value(self, added: Placed, mover: int, *, rolling: bool) -> float:
        """Return the value before a turn of `mover`, or once rolling is chosen, with `added` dice on the cards by now.

        Raises ValueError if the game cannot come to that.
        """
        tables = self.tables
        dice = (sum(added[0]), sum(added[1]))
        at = sum(dice) - sum(tables.both)
        layer = tables.layers[at] if 0 <= at < len(tables.layers) else None
        values = (tables.roll if rolling else tables.turn)[at] if layer else None
        if layer is None or values is None or (layer.mover, layer.added) != (mover, dice):
            raise ValueError("not a later position of this round")
        moves, waits = (PLACE[dice[side]][added[side]] for side in (mover, 1 - mover))
        place = (moves, waits) if rolling else (waits, moves)
        return float(values[(self.row, self.column, *place)])


class Round:
    """The games of a round by what the players have played in them: all in which one of them has played nothing.

    Those in which both have played something are kept if they are few.
    """

    def __init__(self, kept: Sequence[Tables]) -> None:
        self._kept = kept
        self._found: dict[tuple[Played, Played], Game | None] = {}

    def __contains__(self, played: tuple[Played, Played]) -> bool:
        return self._find(played) is not None

    def __getitem__(self, played: tuple[Played, Played]) -> Game:
        game = self._find(played)
        if game is None:
            raise KeyError(played)
        return game

    def _find(self, played: tuple[Played, Played]) -> Game | None:
        if played not in self._found:
            mine, other = played
            self._found[played] = next(
                (
                    Game(tables, tables.played[0].index(mine), tables.played[1].index(other))
                    for tables in self._kept
                    if mine in tables.played[0] and other in tables.played[1]
                ),
                None,
            )
        return self._found[played]


def options(state: State, side: int) -> Options:
    """Return the options of `side` from here to the end of the round."""
    if state.tricked[side] or sum(state.placed[side]) > DICE - 2:
        return ("",)
    hand = sorted(set(state.tricks[side]))
    effects = [letter for letter in hand if letter in DECK_TRICKS and letter != BOTH]
    nationalities = dict.fromkeys(card[0] for card in state.crews[side])
    jokers = [f"{letter}={nationality}" for letter in hand for nationality in nationalities]
    return ("", *effects, *jokers, *(BOTH for letter in hand if letter == BOTH))


def worth_playing(both: tuple[Options, Options], endings: Values) -> tuple[list[int], list[int]]:
    """Return the indices of the options that need analysis: all but jokers that never end better than another.

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


def solve_round(placed: Placed, mover: int, played: tuple[Options, Options], endings: Values) -> Round:
    """Solve a round from a position before a turn of `mover`, in which the players have these options.

    `endings` are the values (player 0's options, player 1's options, 2, 729); the row's left end is number 1.
    """
    bare = layers(placed, mover, (0, 0))
    positions = sum(layer.positions for layer in bare if layer)
    at_once = max(1, AT_ONCE // (len(played[0]) * positions))
    kept: list[Tables] = []
    others = (Tricks(1), Tricks(1))
    for stop in range(len(played[1]), 0, -at_once):
        start = max(0, stop - at_once)
        mine = (Tricks(0), Tricks(0))
        inductions = [
            Induction(
                (placed, mover),
                (played[0][rows], played[1][columns]),
                endings[rows, columns],
                (mine[second], others[first]),
            )
            for first, rows in _by_both(played[0], 0, len(played[0]))
            for second, columns in _by_both(played[1], start, stop)
        ]
        for at in reversed(range(len(bare))):
            for induction in inductions:
                induction.solve(at)
        solved = [induction.tables for induction in inductions]
        kept += solved if start == 0 else [tables.first_row() for tables in solved if "" in tables.played[0]]
    return Round(kept)


def _by_both(played: Options, start: int, stop: int) -> list[tuple[bool, slice]]:
    """Return the options from `start` to `stop` without and with both dice placed, if there are any."""
    last = len(played) - (played[-1] == BOTH)
    groups = ((False, slice(start, min(stop, last))), (True, slice(max(start, last), stop)))
    return [(both, part) for both, part in groups if part.start < part.stop]
