"""The host's door: many may knock, one sits down (protocol/SPEC.md, section 4)."""

import asyncio
from collections.abc import Callable
from typing import Final

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.handshake import BUSY, Established
from p2p_shanghaien.fairplay.hello import preface
from p2p_shanghaien.session.meeting import say_bye
from p2p_shanghaien.session.parts import Link, Watcher
from p2p_shanghaien.session.play import Series

DEADLINE: Final = 10.0
"""Seconds for a handshake, which no person takes part in."""


class Door:
    """Greets every connection and hands over those that prove a key, one at a time; the others are told "busy"."""

    def __init__(self, series: Callable[[Link], Series], deadline: float = DEADLINE) -> None:
        self._series = series
        self._deadline = deadline
        self._taken = False
        self._guests: asyncio.Queue[tuple[Series, Established]] = asyncio.Queue()
        self._left = asyncio.Event()

    async def receive(self, link: Link) -> None:
        """Deal with one connection, until it is of no more use."""
        series = self._series(link)
        try:
            async with asyncio.timeout(self._deadline):
                if self._taken:
                    await self._turn_away(link)
                    return
                established = await series.meet()
        except (CannotConnect, ConnectionLost, TimeoutError):
            await series.close()
            return
        if not self._seat(series, established):
            await series.close(BUSY)
            return
        await self._left.wait()

    def _seat(self, series: Series, established: Established) -> bool:
        """Give the seat to this guest, unless another one was quicker."""
        if self._taken:
            return False
        self._taken, self._left = True, asyncio.Event()
        self._guests.put_nowait((series, established))
        return True

    async def guest(self) -> tuple[Series, Established]:
        """The next guest who has proved a key; the seat is taken until `free`."""
        return await self._guests.get()

    def free(self) -> None:
        """The guest has gone: let the next one in."""
        self._taken = False
        self._left.set()

    async def _turn_away(self, link: Link) -> None:
        """Answer in the form that every version understands, then say that the seat is taken."""
        try:
            await link.send(preface())
            await link.receive()
        except ConnectionLost:
            return
        await say_bye(link, BUSY)
        await link.close()


async def host_games(door: Door, watcher: Watcher) -> None:
    """Wait for a guest and play; go on waiting as long as none has sat down to a game.

    Raises ConnectionLost or Violation from a game that had begun.
    """
    while True:
        series, established = await door.guest()
        try:
            await series.play(established)
        except (CannotConnect, ConnectionLost) as error:
            if series.started:
                raise
            watcher.told(error.code, **error.details)
            watcher.told("waiting_again")
        else:
            return
        finally:
            await series.close()
            door.free()
