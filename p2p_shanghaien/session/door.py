"""The host's door: many may knock, one sits down, and only that one comes back (protocol/SPEC.md, 4 and 11.1)."""

import asyncio
from collections.abc import Callable
from typing import Final

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.handshake import BUSY, LEAVING, OTHER_SESSION, Handshake
from p2p_shanghaien.fairplay.hello import preface
from p2p_shanghaien.session.meeting import meet, say_bye
from p2p_shanghaien.session.parts import Connected, Link, Resumption, Watcher
from p2p_shanghaien.session.play import Series

DEADLINE: Final = 10.0
"""Seconds for a handshake, which no person takes part in."""


class Door:
    """The gate of a host. `handshake` makes our side of one for a new game.

    Every connection is greeted, and handed over once it has proved a key: the first that does, then (after `expect`)
    those of the same opponent, each of which replaces the one before. All others are told "busy".
    """

    def __init__(self, handshake: Callable[[], Handshake], deadline: float = DEADLINE) -> None:
        self._handshake = handshake
        self._deadline = deadline
        self._resumption: Resumption | None = None
        self._taken = False
        self._arrived: asyncio.Queue[Connected] = asyncio.Queue()
        self._current: Link | None = None
        self._left = asyncio.Event()
        """That the current connection is of no more use."""
        self.sign: Callable[[bool], None] = lambda _: None
        """Hears whenever the seat is taken (False) or free again (True)."""

    async def receive(self, link: Link) -> None:
        """Deal with one connection, until it is of no more use."""
        try:
            async with asyncio.timeout(self._deadline):
                connected = await self._greet(link)
        except (CannotConnect, ConnectionLost, TimeoutError):
            connected = None
        if connected is None:
            await link.close()
            return
        self._left.set()
        left = self._left = asyncio.Event()
        self._current, self._taken = link, True
        self.sign(False)
        self._arrived.put_nowait(connected)
        await left.wait()
        await link.close()

    async def _greet(self, link: Link) -> Connected | None:
        """Whoever is at the other end, if it may come in."""
        resumption = self._resumption
        if self._taken and resumption is None:
            await self._turn_away(link)
            return None
        handshake = resumption.handshake() if resumption else self._handshake()
        established = await meet(link, link.receive, handshake, stranger=BUSY if resumption else OTHER_SESSION)
        if resumption is None:
            refusal = BUSY if self._taken else None
        else:
            refusal = None if resumption.accepts(established) else OTHER_SESSION
        if refusal:
            await say_bye(link, refusal)
            return None
        return Connected(link, established)

    async def first(self) -> Connected:
        """The next guest who has proved a key; the seat is taken until `release`."""
        return await self._arrived.get()

    def expect(self, resumption: Resumption | None) -> None:
        """From now on only this game's opponent is let in; None: nobody is."""
        self._resumption = resumption

    async def again(self) -> Connected:
        """The opponent's next connection."""
        return await self._arrived.get()

    async def release(self) -> None:
        """The guest has gone: let the next one in."""
        if self._current:
            await say_bye(self._current, LEAVING)
        self._resumption, self._current, self._taken = None, None, False
        self._left.set()
        self.sign(True)

    async def _turn_away(self, link: Link) -> None:
        """Answer in the form that every version understands, then say that the seat is taken."""
        await link.send(preface())
        await link.receive()
        await say_bye(link, BUSY)


async def host_games(door: Door, series: Callable[[], Series], watcher: Watcher) -> None:
    """Wait for a guest and play; go on waiting as long as none has sat down to a game.

    Raises ConnectionLost or Violation from a game that had begun.
    """
    while True:
        playing = series()
        try:
            await playing.play()
        except (CannotConnect, ConnectionLost) as error:
            if playing.started:
                raise
            watcher.told(error.code, **error.details)
            watcher.told("waiting_again")
        else:
            return
        finally:
            await door.release()
