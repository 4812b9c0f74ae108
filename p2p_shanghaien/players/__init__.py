"""Computer players: pure functions of a position, a player and a random generator, found by game and level.

A game declares its own levels (`games.api.GameSpec`); `random` plays every game.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

from p2p_shanghaien.errors import GameCode, UsageError
from p2p_shanghaien.games.api import RANDOM, Action, Game, Part, S, S_contra, State, Step
from p2p_shanghaien.games.registry import GAMES

__all__ = [
    "Advise",
    "ComputerPlayer",
    "Evaluator",
    "Historian",
    "Mixer",
    "Option",
    "PayoffEvaluator",
    "PositionValue",
    "SlowEvaluator",
    "Weight",
    "computer_player",
    "evaluator",
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

    def seen_by(self, player: int) -> "PositionValue":
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


class Evaluator(Protocol[S_contra]):
    """The evaluator of one game's positions. It caches results: it is fast if asked in a game's order."""

    def value(self, state: S_contra) -> PositionValue:
        """Return the value of a position with any node; the result, once the game is over."""
        ...

    def options(self, state: S_contra) -> tuple[Option, ...]:
        """Return the value of every legal action, in the order of `legal`; nothing if no player decides alone."""
        ...

    def luck(self, before: S_contra, after: S_contra) -> PositionValue:
        """Return player 0's luck in a draw from one position to the next: zero in the mean over all draws.

        If that mean is not known exactly, no luck is counted.
        """
        ...


class Weight(NamedTuple):
    """An action in a mixed strategy: its probabilities for a player who plays to win, or for points alone."""

    action: Action
    to_win: float
    for_points: float


@runtime_checkable
class Mixer(Protocol[S_contra]):
    """An evaluator that knows mixed strategies for simultaneous choices."""

    def mixture(self, state: S_contra, player: int) -> Sequence[Weight]:
        """Return the best mixed strategy of `player`, or nothing if it is not known.

        The probabilities of each kind sum to 1; an action that is never taken may be left out.
        """
        ...


@runtime_checkable
class PayoffEvaluator(Evaluator[S_contra], Protocol[S_contra]):
    """An evaluator that knows the values of all pairs of simultaneous choices at once."""

    def payoffs(self, state: S_contra) -> Sequence[Sequence[PositionValue]]:
        """Return the value of each pair: a row for each of player 0's actions, in the order of `legal`."""
        ...


@runtime_checkable
class SlowEvaluator(Evaluator[S_contra], Protocol[S_contra]):
    """An evaluator that looks far ahead, and knows a quicker one with which stages are played out many times."""

    def quick(self) -> Evaluator[S_contra]:
        """Return the quicker one."""
        ...


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


@GAMES.named_in_errors()
def evaluator(game: str) -> Evaluator[Any] | None:
    """Return a new evaluator of the game's positions, or None if none is installed. Raises LocalError."""
    spec = GAMES.get(game)
    if spec is None or spec.evaluator is None:
        return None
    found: Evaluator[Any] = spec.evaluator.load()()
    return found


def _play(game: str, level: str, state: State, player: int, rng: Random) -> Action:
    return _level(game, level)(state, player, rng)


@cache
def _level(game: str, level: str) -> ComputerPlayer[Any]:
    player: ComputerPlayer[Any] = GAMES[game].levels.get(level, UNIFORM).load()
    return player
