"""Computer players as participants: our levels, and other programs that are named by their commands."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final

from p2p_shanghaien.app.lobby import Keeper, Silent
from p2p_shanghaien.app.participants.external_engine import ENGINE, PREFIX, EngineParticipant
from p2p_shanghaien.app.participants.machine import Machine
from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.errors import AppCode, UsageError
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.players import ComputerPlayer, computer_player, levels
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.participant import Decider
from p2p_shanghaien.store.home import COMPUTER, Home

PATIENCE: Final = 60.0
"""Seconds that a computer player waits for a lost opponent, unless told otherwise: a program must not wait for ever."""


class Computer(Machine):
    """A participant that decides as `player` does, in a thread, so that thinking never delays the connection."""

    def __init__(
        self, player: ComputerPlayer[Any], rng: Random, name: str, thinks: Callable[[str | None], None]
    ) -> None:
        super().__init__(name, thinks)
        self._player = player
        self._rng = rng
        self._worker = Worker()

    async def _decide(self, state: State, player: int) -> str:
        chosen = partial(self._player, state, player, self._rng)
        return await self._worker.evaluate(chosen, AppCode.PLAYER_FAILED, name=self._name)


def _unknown_game(*_: object) -> str:
    raise AssertionError("a guest agrees before it plays")


class VisitingComputer(Computer):
    """A computer player that learns which game it plays from its host's terms."""

    def __init__(self, level: str, rng: Random, name: str, thinks: Callable[[str | None], None]) -> None:
        super().__init__(_unknown_game, rng, name, thinks)
        self._level = level

    async def agrees(self, code: str, /, **details: object) -> bool:
        """Agree to any game that has the level. Raises UsageError for one that lacks it."""
        self._player = computer_player(str(details["game"]), self._level)
        return await super().agrees(code, **details)


def shown_level(player: str) -> str:
    """Return the public name of the computer player `player`: its level, but no command."""
    return ENGINE if player.startswith(PREFIX) else player


def machine(
    player: str, game: str | None, name: str, played: Callable[[], Record], thinks: Callable[[str | None], None]
) -> Decider:
    """Return the computer player `player`, a level or `engine:COMMAND`, which has the name `name` at the table.

    `game` is the name of the game, or None for a guest, which learns it from its host; `played` as for
    `EngineParticipant`, `thinks` as for `Machine`. Raises LocalError, and UsageError for a level that the game lacks.
    """
    if player.startswith(PREFIX):
        return EngineParticipant(player.removeprefix(PREFIX), played, name, thinks)
    if game is None:
        return VisitingComputer(player, SystemRandom(), name, thinks)
    return Computer(computer_player(game, player), SystemRandom(), name, thinks)


def computer_side(
    home: Home, player: str, game: str, name: str, thinks: Callable[[str | None], None], log: Path | None = None
) -> Side:
    """Return the side of a computer player that nobody watches, with a key of its own.

    `log` is that of a game that is resumed; the rest is as for `machine`.
    """
    keeper = Keeper(home, COMPUTER, log)
    return keeper.side(name, Silent(), machine(player, game, name, keeper.played, thinks))


def level_of(name: str, game: str, called: Callable[[str], frozenset[str]]) -> str:
    """Return the level of `game` with that name at the table: the name is all that a log has of it.

    `called` returns the words that the name may have for a level, in whatever language the game began.
    Raises UsageError if the name is no level of the game: an external player has only its command.
    """
    words = re.findall(r"\w+", name)
    if ENGINE in words:
        raise UsageError(AppCode.ENGINE_TO_BE_NAMED)
    found = [level for level in levels(game) if not called(level).isdisjoint(words)]
    if not found:
        raise UsageError(AppCode.LEVEL_TO_BE_NAMED, name=name, game=game, known=levels(game))
    return found[0]
