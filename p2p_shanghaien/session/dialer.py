"""The guest's connections to the host: the first, and further ones (protocol/SPEC.md, 4 and 11.1)."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

from p2p_shanghaien.errors import CannotConnect, SessionCode
from p2p_shanghaien.fairplay.channel import Secured
from p2p_shanghaien.fairplay.handshake import Bye, Handshake, InvitationNeeded, OtherSession, Refused
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.preface import NotOurGame
from p2p_shanghaien.session.deadlines import HANDSHAKE
from p2p_shanghaien.session.negotiation import authenticate, begin_handshake, complete_handshake, say_bye
from p2p_shanghaien.session.ports import Connected, Link, Resumption, Secure, SecureLink

_T = TypeVar("_T")

FIRST_DELAY: Final = 0.25
MAX_DELAY: Final = 10.0
"""Seconds between attempts, doubled each time. The first attempt after a connection is lost is made at once."""


def _is_final(error: CannotConnect) -> bool:
    """Return whether another attempt does not help."""
    match error:
        case NotOurGame() | InvitationNeeded() | Refused(reason=Bye.OTHER_SESSION):
            return True
    return False


class Dialer:
    """The connector of a guest.

    `dial` opens a connection, `secure` the channel over it; `handshake` makes our end of one for a new game.
    """

    def __init__(
        self,
        dial: Callable[[], Awaitable[Link]],
        secure: Secure,
        handshake: Callable[[Secured], Handshake],
        *,
        deadline: float = HANDSHAKE,
        longest_pause: float = MAX_DELAY,
    ) -> None:
        self._dial = dial
        self._secure = secure
        self._handshake = handshake
        self._deadline = deadline
        self._longest_pause = longest_pause
        self._resumption: Resumption | None = None
        self._link: SecureLink | None = None
        """The last connection made."""
        self._begun: tuple[SecureLink, Handshake]
        """The connection over which the host has answered for our game and our own proof is expected."""
        self._pause = 0.0

    async def first(self) -> Connected:
        """Return the host, which has proved its key. Raises CannotConnect."""
        raw = await self._dial()
        try:
            return await self._in_time(raw, self._meet(raw))
        except OtherSession:
            # the host's hello names a game that has begun: its seat is taken
            raise Refused(Bye.BUSY) from None

    def expect(self, resumption: Resumption | None) -> None:
        """Connect for this game from now on."""
        self._resumption = resumption

    async def reconnect(self) -> None:
        """Try until the host answers for our game. Raises CannotConnect if that is impossible."""
        assert self._resumption is not None, "only a game can be taken up again"
        while True:
            await asyncio.sleep(self._pause)
            self._pause = min(max(FIRST_DELAY, 2 * self._pause), self._longest_pause)
            try:
                raw = await self._dial()
                self._begun = await self._in_time(raw, self._approach(raw, self._resumption))
            except CannotConnect as error:
                if _is_final(error):
                    raise
            else:
                return

    async def authenticate(self, head: Head) -> Connected | None:
        """Prove our log head to the host that has answered; None if it is to be tried again. Raises CannotConnect."""
        link, handshake = self._begun
        try:
            established = await self._in_time(link, authenticate(link, handshake, head))
        except CannotConnect as error:
            if _is_final(error):
                raise
            return None
        self._pause = 0
        return Connected(link, established)

    async def release(self) -> None:
        """Send `bye` and close the connection."""
        if self._link:
            await say_bye(self._link, Bye.LEAVING)
            await self._link.close()

    async def _meet(self, raw: Link) -> Connected:
        """Open the channel and exchange the hellos and proofs for a new game. Raises CannotConnect."""
        self._link = link = await self._secure(raw)
        return Connected(link, await complete_handshake(link, link.receive, self._handshake(link.secured)))

    async def _approach(self, raw: Link, resumption: Resumption) -> tuple[SecureLink, Handshake]:
        """Return the link to whoever answers, and says that it is our game's host. Raises CannotConnect."""
        self._link = link = await self._secure(raw)
        handshake = resumption.handshake(link.secured)
        if not resumption.accepts(await begin_handshake(link, link.receive, handshake)):
            await say_bye(link, Bye.OTHER_SESSION)
            raise OtherSession
        return link, handshake

    async def _in_time(self, link: Link, hellos: Coroutine[Any, Any, _T]) -> _T:
        """Return the outcome of `hellos` over `link`. Raises CannotConnect after closing the link."""
        try:
            async with asyncio.timeout(self._deadline):
                return await hellos
        except TimeoutError:
            await link.close()
            raise CannotConnect(SessionCode.HANDSHAKE_TIMED_OUT) from None
        except BaseException:
            await link.close()
            raise
