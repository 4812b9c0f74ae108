"""The person at the table as a participant."""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.errors import Quit
from p2p_shanghaien.fairplay.notes import NO_MORE, ONE_MORE
from p2p_shanghaien.games.api import State
from p2p_shanghaien.session.participant import Command
from p2p_shanghaien.waiting import LONG

if TYPE_CHECKING:
    pass


class Person:
    """A participant that asks the person at `table`."""

    def __init__(self, table: UserInterface) -> None:
        self._table = table

    async def agrees(self, code: str, /, **details: object) -> bool:
        if "minutes" in details:
            self._table.notify("answer_within", name=details["name"], count=details["minutes"])
        return await self._table.confirm(code, **details)

    def stop_waiting(self, code: str, /, **details: object) -> Coroutine[Any, Any, None] | None:
        return self._wearied(code, **details) if self._table.is_interactive else None

    async def _wearied(self, code: str, /, **details: object) -> None:
        await asyncio.sleep(LONG)
        while await self._table.confirm(code, **details):
            pass

    async def decide(self, state: State, player: int) -> str:
        return await self._table.decide(state, player)

    async def command(self) -> Command:
        return await self._table.command()

    async def again(self) -> int:
        try:
            return ONE_MORE if await self._table.rematch() else NO_MORE
        except Quit:
            return NO_MORE

    async def challenges(self, name: str) -> bool:
        try:
            # a script has nothing to say to a question that comes up only if the other has been quicker
            return self._table.is_interactive and await self._table.confirm("challenge", name=name)
        except Quit:
            return False


class LocalPerson(Person):
    """A person who has chosen a game against the computer, and so need not be asked to agree."""

    async def agrees(self, code: str, /, **details: object) -> bool:  # noqa: ARG002
        return True

    def stop_waiting(self, code: str, /, **details: object) -> None:  # noqa: ARG002
        return None
