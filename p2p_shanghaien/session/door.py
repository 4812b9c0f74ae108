"""The host's door: many may knock, one sits down, and only that one comes back (protocol/SPEC.md, 4 and 11.1)."""

import asyncio
from collections.abc import Callable

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.handshake import Bye, Handshake
from p2p_shanghaien.fairplay.hello import Position, preface
from p2p_shanghaien.session.deadlines import HANDSHAKE
from p2p_shanghaien.session.meeting import approach, established, prove, say_bye
from p2p_shanghaien.session.participant import Watcher
from p2p_shanghaien.session.parts import Connected, Link, Resumption
from p2p_shanghaien.session.play import Series


class Door:
    """The gate of a host. `handshake` makes our side of one for a new game.

    Every connection is greeted, and counts once its other end has proved a key: the first that does, then (after
    `expect`) those of the same opponent, each of which replaces the one before. All others are told "busy".
    """

    def __init__(self, handshake: Callable[[], Handshake], deadline: float = HANDSHAKE) -> None:
        self._handshake = handshake
        self._deadline = deadline
        self._resumption: Resumption | None = None
        self._taken = False
        self._arrived: asyncio.Queue[tuple[Link, Handshake]] = asyncio.Queue()
        """The guest's latest connection, until it is taken note of."""
        self._approach: tuple[Link, Handshake]
        """The connection over which our own proof is due."""
        self._current: Link | None = None
        self._left = asyncio.Event()
        """That the current connection is of no more use."""
        self.sign: Callable[[bool], None] = lambda _: None
        """Hears whenever the seat is taken (False) or free again (True)."""

    async def receive(self, link: Link) -> None:
        """Deal with one connection, until it is of no more use."""
        try:
            async with asyncio.timeout(self._deadline):
                handshake = await self._greet(link)
        except (CannotConnect, ConnectionLost, TimeoutError):
            handshake = None
        if handshake is None:
            await link.close()
            return
        # the connection before is given up now: until that is noticed our own proof is not made (SPEC 11.1)
        self._left.set()
        left = self._left = asyncio.Event()
        self._current, self._taken = link, True
        self.sign(False)
        self._forget_arrival()
        self._arrived.put_nowait((link, handshake))
        await left.wait()
        await link.close()

    async def _greet(self, link: Link) -> Handshake | None:
        """Our side of the handshake with whoever is at the other end, has proved its key and may come in."""
        resumption = self._resumption
        if self._taken and resumption is None:
            await self._turn_away(link)
            return None
        handshake = resumption.handshake() if resumption else self._handshake()
        meeting = await approach(link, link.receive, handshake, stranger=Bye.BUSY if resumption else Bye.OTHER_SESSION)
        if resumption is None:
            refusal = Bye.BUSY if self._taken else None
        else:
            at_it = resumption is self._resumption and resumption.accepts(meeting)
            refusal = None if at_it else Bye.OTHER_SESSION
        if refusal:
            await say_bye(link, refusal)
            return None
        link.settled()
        return handshake

    async def first(self) -> Connected:
        """The next guest who has proved a key; the seat is taken until `release`."""
        link, handshake = await self._arrived.get()
        return Connected(link, established(link, handshake))

    def expect(self, resumption: Resumption | None) -> None:
        """From now on only this game's opponent is let in; None: nobody is."""
        self._resumption = resumption
        self._forget_arrival()

    async def again(self) -> None:
        """Wait for the opponent's next connection."""
        self._approach = await self._arrived.get()

    async def prove(self, position: Position) -> Connected | None:
        """Prove our position to the opponent that has come; None if it has gone meanwhile."""
        link, handshake = self._approach
        try:
            async with asyncio.timeout(self._deadline):
                return Connected(link, await prove(link, handshake, position))
        except (CannotConnect, TimeoutError):
            await link.close()
            return None

    async def release(self) -> None:
        """The guest has gone: let the next one in."""
        if self._current:
            await say_bye(self._current, Bye.LEAVING)
        self.expect(None)
        self._current, self._taken = None, False
        self._left.set()
        self.sign(True)

    def _forget_arrival(self) -> None:
        if not self._arrived.empty():
            self._arrived.get_nowait()

    async def _turn_away(self, link: Link) -> None:
        """Answer in the form that every version understands, then say that the seat is taken."""
        await link.send(preface())
        await link.receive()
        await say_bye(link, Bye.BUSY)


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
