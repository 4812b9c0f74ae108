"""Computer players: pure functions of a position, a player and a random generator, found by the names of their levels.

A game's own levels stand in a folder of its name. A game that has none is played by `random`.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from random import Random
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

from p2p_shanghaien.games.api import Action, Game, State, Step

ComputerPlayer: TypeAlias = Callable[[State, int, Random], Action]
"""What `player` does in a position: one of `state.legal(player)`. All chance in it comes from the generator."""


@runtime_checkable
class Historian(Protocol):
    """Whoever plays as the game goes, not by the position alone."""

    def informed(self, game: Game, steps: Sequence[Step]) -> ComputerPlayer:
        """The player for the position that `steps` lead to."""
        ...


class Outlook(NamedTuple):
    """What a position is worth to player 0, if both play as well as they can."""

    chance: float
    """Of winning, a draw counting half."""
    points: float
    """The lead at the end, where both play for points alone."""


class Option(NamedTuple):
    """Something that may be done, and what the position after it is worth."""

    action: Action
    outlook: Outlook


class Valuation(Protocol):
    """What positions of one game are worth. Keeps what it has reckoned: quick where it is asked in a game's order."""

    def outlook(self, state: State) -> Outlook:
        """What a position is worth, whatever it waits for; the result, once the game is over."""
        ...

    def options(self, state: State) -> tuple[Option, ...]:
        """What everything is worth that may be done, in the order of `legal`; nothing where no player decides alone."""
        ...

    def luck(self, before: State, after: State) -> Outlook:
        """Player 0's luck in a draw that led from one position to the next: zero in the mean over what may be drawn.

        Where that mean is not known exactly, no luck is counted.
        """
        ...


RANDOM: Final = "random"

_ANY_GAME: Final = {RANDOM: "p2p_shanghaien.players.uniform:choose"}
_LEVELS: Final = {
    "shanghaien": {
        **_ANY_GAME,
        "easy": "p2p_shanghaien.players.shanghaien.easy:choose",
        "greedy": "p2p_shanghaien.players.shanghaien.greedy:choose",
        "master": "p2p_shanghaien.players.shanghaien.master:choose",
    },
}
"""Each game's levels, the weakest first, and where they are; a module is imported when its level first plays."""

_VALUATION: Final = {"shanghaien": "p2p_shanghaien.players.shanghaien.valuation:RoundByRound"}

NAMES: Final = tuple(dict.fromkeys(name for levels in _LEVELS.values() for name in levels))
"""The levels there are in any game."""


def levels(game: str) -> tuple[str, ...]:
    """The names of the game's computer players, the weakest first."""
    return tuple(_LEVELS.get(game, _ANY_GAME))


def computer_player(name: str) -> ComputerPlayer:
    """The computer player called `name`, one of NAMES, at any game: it sees by the position which game is played.

    A game that has no such level is played by `random`. Can be sent to other processes.
    """
    if name not in NAMES:
        raise KeyError(name)
    return partial(_play, name)


def valuation(game: str) -> Valuation | None:
    """A new valuation of the game's positions; None where there is none."""
    if game not in _VALUATION:
        return None
    found: Valuation = _found(_VALUATION[game])()
    return found


def _play(name: str, state: State, player: int, rng: Random) -> Action:
    return _level(name, type(state))(state, player, rng)


@cache
def _level(name: str, position: type[State]) -> ComputerPlayer:
    """The player at the game whose positions are of that type: a game is a folder of its name."""
    game = position.__module__.removeprefix("p2p_shanghaien.games.").split(".")[0]
    own = _LEVELS.get(game, _ANY_GAME)
    player: ComputerPlayer = _found(own.get(name, own[RANDOM]))
    return player


def _found(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
