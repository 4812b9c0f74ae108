"""The person at the table as the one who decides."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

from p2p_shanghaien.app.place import Place
from p2p_shanghaien.errors import Quit
from p2p_shanghaien.fairplay.notes import NO_MORE, ONE_MORE
from p2p_shanghaien.games.api import State
from p2p_shanghaien.session.participant import Remark
from p2p_shanghaien.waiting import LONG


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
        await asyncio.sleep(LONG)
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
