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
    "Historian",
    "Mixer",
    "Option",
    "Outlook",
    "Valuation",
    "Weight",
    "computer_player",
    "levels",
    "valuation",
]

ComputerPlayer: TypeAlias = Callable[[S, int, Random], Action]
"""What `player` does in a position: one of `state.legal(player)`. All chance in it comes from the generator."""


@runtime_checkable
class Historian(Protocol):
    """Whoever plays as the game goes, not by the position alone."""

    def informed(self, game: Game[Any], steps: Sequence[Step]) -> ComputerPlayer[Any]:
        """The player for the position that `steps` lead to."""
        ...


class Outlook(NamedTuple):
    """The value of a position, to player 0 unless said otherwise, if both play as well as they can."""

    chance: float
    """Of winning, a draw counting half."""
    points: float
    """The lead at the end, where both play for points alone."""

    def seen_by(self, player: int) -> "Outlook":
        """Return the value to `player` of what has this value to player 0."""
        return Outlook(1 - self.chance, -self.points) if player else self


class Option(NamedTuple):
    """Something that may be done, and the value of the position after it.

    Where both choose at once, that is the mean over what the other player may choose.
    """

    action: Action
    outlook: Outlook
    share: float | None = None
    """Where both choose at once, the probability with which to take it; None where that is not known."""


Advise: TypeAlias = Callable[[State, int], Awaitable[Sequence[Option]]]
"""What is known of the choices of a player who decides in a position, as that player sees it, in any order.

Raises LocalError where finding out has failed.
"""


class Valuation(Protocol[S_contra]):
    """What positions of one game are worth. Keeps what it has reckoned: quick where it is asked in a game's order."""

    def outlook(self, state: S_contra) -> Outlook:
        """What a position is worth, whatever it waits for; the result, once the game is over."""
        ...

    def options(self, state: S_contra) -> tuple[Option, ...]:
        """What everything is worth that may be done, in the order of `legal`; nothing where no player decides alone."""
        ...

    def luck(self, before: S_contra, after: S_contra) -> Outlook:
        """Player 0's luck in a draw that led from one position to the next: zero in the mean over what may be drawn.

        Where that mean is not known exactly, no luck is counted.
        """
        ...


class Weight(NamedTuple):
    """An action in a mixed strategy: its probability where one plays to win, and where one plays for points alone."""

    action: Action
    to_win: float
    for_points: float


@runtime_checkable
class Mixer(Protocol[S_contra]):
    """A valuation that knows how to choose where both players choose at once."""

    def mixture(self, state: S_contra, player: int) -> Sequence[Weight]:
        """Return the best mixed strategy of `player`, or nothing where it is not known.

        The probabilities of each kind sum to 1; an action that is never taken may be left out.
        """
        ...


UNIFORM: Final = Part("p2p_shanghaien.players.uniform:choose")


def levels(game: str) -> tuple[str, ...]:
    """Return the names of the game's computer players, the weakest first. Raises KeyError for an unknown game."""
    return (RANDOM, *GAMES[game].levels)


def all_levels() -> tuple[str, ...]:
    """Return the names of the levels there are in any game."""
    return tuple(dict.fromkeys(level for game in GAMES for level in levels(game)))


def computer_player(game: str, level: str) -> ComputerPlayer[Any]:
    """Return the computer player of that level at the game of that name. It can be sent to other processes.

    Raises UsageError for a level that the game lacks, naming those there are, and KeyError for an unknown game.
    """
    if level not in levels(game):
        raise UsageError(GameCode.NO_SUCH_LEVEL, level=level, game=game, known=", ".join(levels(game)))
    return partial(_play, game, level)


@GAMES.named_in_errors()
def valuation(game: str) -> Valuation[Any] | None:
    """Return a new valuation of the game's positions, or None where none is installed. Raises LocalError."""
    spec = GAMES.get(game)
    if spec is None or spec.evaluator is None:
        return None
    found: Valuation[Any] = spec.evaluator.load()()
    return found


def _play(game: str, level: str, state: State, player: int, rng: Random) -> Action:
    return _level(game, level)(state, player, rng)


@cache
def _level(game: str, level: str) -> ComputerPlayer[Any]:
    player: ComputerPlayer[Any] = GAMES[game].levels.get(level, UNIFORM).load()
    return player
