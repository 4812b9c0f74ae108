"""The guest's way to the host: calling it, and calling again (protocol/SPEC.md, 4 and 11.1)."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from p2p_shanghaien.errors import CannotConnect, SessionCode
from p2p_shanghaien.fairplay.handshake import Bye, Handshake, OtherSession, Refused
from p2p_shanghaien.fairplay.hello import NotOurGame, Position
from p2p_shanghaien.session.deadlines import HANDSHAKE
from p2p_shanghaien.session.meeting import approach, meet, prove, say_bye
from p2p_shanghaien.session.parts import Connected, Link, Resumption

_T = TypeVar("_T")

FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 10.0
"""Seconds between calls: doubled each time. The first call after a connection is lost is made at once."""


def _is_final(error: CannotConnect) -> bool:
    """Return whether calling again does not help."""
    match error:
        case NotOurGame() | Refused(reason=Bye.OTHER_SESSION):
            return True
    return False


class Call:
    """The gate of a guest. `dial` opens a connection, `handshake` makes our side of one for a new game."""

    def __init__(
        self,
        dial: Callable[[], Awaitable[Link]],
        handshake: Callable[[], Handshake],
        *,
        deadline: float = HANDSHAKE,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        self._dial = dial
        self._handshake = handshake
        self._deadline = deadline
        self._longest_pause = longest_pause
        self._resumption: Resumption | None = None
        self._link: Link | None = None
        """The last connection made."""
        self._approach: tuple[Link, Handshake]
        """The connection over which the host has answered for our game and our own proof is due."""
        self._pause = 0.0

    async def first(self) -> Connected:
        """The host, having proved its key. Raises CannotConnect."""
        link, handshake = await self._call(), self._handshake()
        try:
            return Connected(link, await self._in_time(link, meet(link, link.receive, handshake)))
        except OtherSession:
            # the host's hello names a game that has begun: its seat is taken
            raise Refused(Bye.BUSY) from None

    def expect(self, resumption: Resumption | None) -> None:
        """Call for this game from now on."""
        self._resumption = resumption

    async def again(self) -> None:
        """Call until the host answers for our game. Raises CannotConnect where that cannot come."""
        assert self._resumption is not None, "only a game can be taken up again"
        while True:
            await asyncio.sleep(self._pause)
            self._pause = min(max(FIRST_PAUSE, 2 * self._pause), self._longest_pause)
            try:
                self._approach = await self._approached(self._resumption)
            except CannotConnect as error:
                if _is_final(error):
                    raise
            else:
                return

    async def prove(self, position: Position) -> Connected | None:
        """Prove our position to the host that has answered; None if it is to be called again. Raises CannotConnect."""
        link, handshake = self._approach
        try:
            established = await self._in_time(link, prove(link, handshake, position))
        except CannotConnect as error:
            if _is_final(error):
                raise
            return None
        self._pause = 0
        return Connected(link, established)

    async def release(self) -> None:
        """Say good-bye and hang up."""
        if self._link:
            await say_bye(self._link, Bye.LEAVING)
            await self._link.close()

    async def _call(self) -> Link:
        self._link = link = await self._dial()
        return link

    async def _approached(self, resumption: Resumption) -> tuple[Link, Handshake]:
        """The connection to whoever answers, and says that it is our game's host. Raises CannotConnect."""
        link, handshake = await self._call(), resumption.handshake()
        if not resumption.accepts(await self._in_time(link, approach(link, link.receive, handshake))):
            await say_bye(link, Bye.OTHER_SESSION)
            await link.close()
            raise OtherSession
        return link, handshake

    async def _in_time(self, link: Link, meeting: Coroutine[Any, Any, _T]) -> _T:
        """What `meeting` over `link` comes to. Raises CannotConnect, and has hung up."""
        try:
            async with asyncio.timeout(self._deadline):
                return await meeting
        except TimeoutError:
            await link.close()
            raise CannotConnect(SessionCode.HANDSHAKE_TIMED_OUT) from None
        except BaseException:
            await link.close()
            raise
