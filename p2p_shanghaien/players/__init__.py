"""Computer players: pure functions of a position, a player and a random generator, found by game and level.

A game declares its own levels (`games.api.GameSpec`); `random` plays every game.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

from p2p_shanghaien.errors import GameCode, LocalError, UsageError
from p2p_shanghaien.games.api import RANDOM, Action, Game, Part, S, State, Step
from p2p_shanghaien.games.registry import GAMES

__all__ = [
    "Advise",
    "ComputerPlayer",
    "Evaluator",
    "Historian",
    "Option",
    "PositionValue",
    "Weight",
    "computer_player",
    "evaluator",
    "has_evaluator",
    "levels",
]

ComputerPlayer: TypeAlias = Callable[[S, int, Random], Action]
"""A function that returns the action of a player in a position: one of `state.legal(player)`.

All randomness in it comes from the generator.
"""


@runtime_checkable
class Historian(Protocol):
    """A player that decides by the course of the game, not by the position alone."""

    def informed(self, game: Game[Any], steps: Sequence[Step]) -> ComputerPlayer[Any]:
        """Return the player for the position that `steps` lead to."""
        ...


class PositionValue(NamedTuple):
    """The value of a position, to player 0 unless said otherwise, if both play as well as they can."""

    chance: float
    """The win probability, a draw counting half."""
    points: float
    """The expected margin at the end, if both play for points alone."""

    @classmethod
    def best(cls, values: Iterable["PositionValue"], player: int) -> "PositionValue":
        """Return the best win probability for `player`, and the best margin, among values to player 0."""
        better = min if player else max
        return cls(*map(better, zip(*values, strict=True)))

    def to_player(self, player: int) -> "PositionValue":
        """Return this value to player 0 as the value to `player`."""
        return PositionValue(1 - self.chance, -self.points) if player else self


class Option(NamedTuple):
    """A legal action, and the value of the position after it.

    If both choose at once, that is the mean over the other player's choices.
    """

    action: Action
    value: PositionValue
    share: float | None = None
    """The probability with which to take it if both choose at once; None if that is not known."""


Advise: TypeAlias = Callable[[State, int], Awaitable[Sequence[Option]]]
"""A function that returns the options of a player who decides in a position, from their point of view, in any order.

It raises LocalError if the evaluation fails.
"""


class Weight(NamedTuple):
    """An action in a mixed strategy: its probabilities for a player who plays to win, or for points alone."""

    action: Action
    to_win: float
    for_points: float


class Evaluator(Protocol[S]):
    """The evaluator of one game's positions. It caches results: it is fast if asked in a game's order.

    Subclasses need the first three methods; the others are for games with simultaneous choices, and for slow ones.
    """

    def value(self, state: S) -> PositionValue:
        """Return the value of a position with any node; the result, once the game is over."""
        ...

    def options(self, state: S) -> tuple[Option, ...]:
        """Return the value of every legal action, in the order of `legal`; nothing if no player decides alone."""
        ...

    def luck(self, before: S, after: S) -> PositionValue:
        """Return player 0's luck in a draw from one position to the next: zero in the mean over all draws.

        If that mean is not known exactly, no luck is counted. Tournaments subtract it from their results.
        """
        ...

    def mixture(self, state: S, player: int) -> Sequence[Weight]:  # noqa: ARG002
        """Return the best mixed strategy of `player` for a simultaneous choice, or nothing if it is not known.

        The probabilities of each kind sum to 1; an action that is never taken may be left out.
        """
        return ()

    def payoffs(self, state: S) -> Sequence[Sequence[PositionValue]]:
        """Return the value of each pair of simultaneous choices.

        There is a row for each of player 0's actions, in the order of `legal`.
        """
        return [
            [self.value(state.apply_joint((first, second))) for second in state.legal(1)] for first in state.legal(0)
        ]

    def quick(self) -> "Evaluator[S]":
        """Return an evaluator with which stages can be played out many times."""
        return self


UNIFORM: Final = Part("p2p_shanghaien.players.uniform:choose")


def levels(game: str) -> tuple[str, ...]:
    """Return the names of the game's computer players, the weakest first. Raises KeyError for an unknown game."""
    return (RANDOM, *GAMES[game].levels)


def all_levels() -> tuple[str, ...]:
    """Return the names of all levels of any game."""
    return tuple(dict.fromkeys(level for game in GAMES for level in levels(game)))


def computer_player(game: str, level: str) -> ComputerPlayer[Any]:
    """Return the computer player of that level at the game of that name. It is picklable.

    Raises UsageError for a level that the game lacks, naming those that it has, and KeyError for an unknown game.
    """
    if level not in levels(game):
        raise UsageError(GameCode.NO_SUCH_LEVEL, level=level, game=game, known=", ".join(levels(game)))
    return partial(_play, game, level)


def has_evaluator(game: str) -> bool:
    """Return whether positions of the game of that name can be evaluated, so that there are hints and analyses."""
    spec = GAMES.get(game)
    return spec is not None and spec.evaluator is not None


@GAMES.named_in_errors()
def evaluator(game: str) -> Evaluator[Any]:
    """Return a new evaluator of the game's positions. Raises LocalError, also if there is none (`has_evaluator`)."""
    spec = GAMES.get(game)
    if spec is None or spec.evaluator is None:
        raise LocalError(GameCode.NO_EVALUATOR, game=game)
    found: Evaluator[Any] = spec.evaluator.load()()
    return found


def _play(game: str, level: str, state: State, player: int, rng: Random) -> Action:
    return _level(game, level)(state, player, rng)


@cache
def _level(game: str, level: str) -> ComputerPlayer[Any]:
    player: ComputerPlayer[Any] = GAMES[game].levels.get(level, UNIFORM).load()
    return player
