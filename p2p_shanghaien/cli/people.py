"""Who decides on our side: the person at the table, or a computer player."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from random import Random
from typing import Any

from p2p_shanghaien.cli.thinking import Mind
from p2p_shanghaien.errors import LocalError, ShanghaienError
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, NO_MORE, ONE_MORE
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import ComputerPlayer, computer_player
from p2p_shanghaien.session.participant import Remark
from p2p_shanghaien.ui.place import Place, if_long
from p2p_shanghaien.ui.reading import Quit
from p2p_shanghaien.ui.talk import SOON


class Person:
    """Asks the person at `table`."""

    def __init__(self, table: Place) -> None:
        self._table = table

    async def agrees(self, code: str, /, **details: object) -> bool:
        if "minutes" in details:
            self._table.told("answer_within", name=details["name"], count=details["minutes"])
        return await self._table.confirm(code, **details)

    def stop_waiting(self, code: str, /, **details: object) -> Coroutine[Any, Any, None] | None:
        return self._wearied(code, **details) if self._table.attended else None

    async def _wearied(self, code: str, /, **details: object) -> None:
        await asyncio.sleep(SOON)
        while await self._table.confirm(code, **details):
            pass

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:
        return await self._table.decide(state, player, tuple(legal))

    async def remark(self) -> Remark:
        return await self._table.remark()

    async def again(self) -> int:
        try:
            return ONE_MORE if await self._table.confirm("play_again") else NO_MORE
        except Quit:
            return NO_MORE


class AtHome(Person):
    """A person who has asked for a game against the computer, and so need not be asked whether to take it."""

    async def agrees(self, code: str, /, **details: object) -> bool:  # noqa: ARG002
        return True

    def stop_waiting(self, code: str, /, **details: object) -> None:  # noqa: ARG002
        return None


class Computer:
    """Plays as `player` does, in a thread, so that thinking never holds up the connection.

    Where a decision takes long, `thinks` is told so under `name`, and (None) when it is over.
    """

    def __init__(self, player: ComputerPlayer, rng: Random, name: str, thinks: Callable[[str | None], None]) -> None:
        self._player = player
        self._rng = rng
        self._name = name
        self._thinks = thinks
        self._mind = Mind()

    async def agrees(self, code: str, /, **details: object) -> bool:  # noqa: ARG002
        return True

    def stop_waiting(self, code: str, /, **details: object) -> None:  # noqa: ARG002
        return None

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:  # noqa: ARG002
        try:
            with if_long(partial(self._thinks, self._name)), GAMES.named_in_errors():
                return await self._mind.think(partial(self._player, state, player, self._rng))
        except ShanghaienError:
            raise
        except Exception as error:
            raise LocalError("player_failed", name=self._name, reason=repr(error)) from error
        finally:
            self._thinks(None)

    def remark(self) -> None:
        return None

    async def again(self) -> int:
        return IF_YOU_LIKE


def _unknown_game(*_: object) -> str:
    raise AssertionError("a guest agrees before it plays")


class VisitingComputer(Computer):
    """A computer player that learns which game it plays from the terms of its host."""

    def __init__(self, level: str, rng: Random, name: str, thinks: Callable[[str | None], None]) -> None:
        super().__init__(_unknown_game, rng, name, thinks)
        self._level = level

    async def agrees(self, code: str, /, **details: object) -> bool:
        """Agree to any game that has the level. Raises UsageError for one that lacks it."""
        self._player = computer_player(str(details["game"]), self._level)
        return await super().agrees(code, **details)


class Silent:
    """Watches and says nothing: the computer's side of the table."""

    def begun(self, *_: object) -> None: ...

    def drew(self, *_: object) -> None: ...

    def stepped(self, *_: object) -> None: ...

    def told(self, *_: object, **__: object) -> None: ...
