"""The host's listener: many may connect, one guest is admitted, and only it returns (protocol/SPEC.md, 4 and 11.1)."""

import asyncio
from collections.abc import Callable

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, Malformed, SessionCode
from p2p_shanghaien.fairplay.channel import NO_KEY, Secured
from p2p_shanghaien.fairplay.handshake import Bye, Handshake, Refused, is_commitment
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.watching import Visit, parse_visit
from p2p_shanghaien.session.deadlines import HANDSHAKE
from p2p_shanghaien.session.gallery import Gallery
from p2p_shanghaien.session.negotiation import authenticate, begin_handshake, established, say_bye
from p2p_shanghaien.session.participant import Observer
from p2p_shanghaien.session.ports import Connected, Link, Resumption, Secure, SecureLink
from p2p_shanghaien.session.series import Series
from p2p_shanghaien.session.visitors import BUSY, Notify, Visitors, nobody


class Listener:
    """The connector of a host. `secure` opens the channel over a link, `handshake` makes our end of one for a new game.

    Every connection is answered, and counts once its other end has proved a key: the first that does, then (after
    `expect`) those of the same opponent, each of which replaces the one before. All others receive "busy". `notify` is
    told of those that were turned away. Visitors who come to watch go to the `gallery`.
    """

    def __init__(
        self,
        secure: Secure,
        handshake: Callable[[Secured], Handshake],
        deadline: float = HANDSHAKE,
        *,
        notify: Notify = nobody,
        gallery: Gallery | None = None,
    ) -> None:
        self._secure = secure
        self._gallery = gallery
        self._handshake = handshake
        self._deadline = deadline
        self._visitors = Visitors(notify)
        self._resumption: Resumption | None = None
        self._taken = False
        self._arrived: asyncio.Queue[tuple[SecureLink, Handshake]] = asyncio.Queue()
        """The guest's latest connection, until it is taken up."""
        self._begun: tuple[SecureLink, Handshake]
        """The connection over which our own proof is expected."""
        self._current: SecureLink | None = None
        self._left = asyncio.Event()
        """The signal that the current connection is of no more use."""
        self.sign: Callable[[bool], None] = lambda _: None
        """A callback for whenever the seat is taken (False) or free again (True)."""

    async def receive(self, raw: Link) -> None:
        """Handle one connection, until it is of no more use."""
        visit = arrival = None
        try:
            async with asyncio.timeout(self._deadline):
                link, first = await self._opened(raw)
                visit = await self._visit(link, first)
                arrival = None if visit else await self._greet(link, first)
        except (CannotConnect, ConnectionLost, TimeoutError):
            pass
        if visit and self._gallery:
            await self._gallery.admit(link, visit.place)
        if arrival is None:
            await raw.close()
            return
        # the older connection is given up now: until its end is noticed our own proof is not made (SPEC 11.1)
        self._left.set()
        left = self._left = asyncio.Event()
        self._current, self._taken = link, True
        self.sign(False)
        self._forget_arrival()
        self._arrived.put_nowait(arrival)
        await left.wait()
        await link.close()

    async def _opened(self, raw: Link) -> tuple[SecureLink, bytes]:
        """Return the link through the channel, and its first frame. Raises CannotConnect and ConnectionLost."""
        try:
            link = await self._secure(raw)
        except CannotConnect as error:
            self._visitors.failed(raw.remote, error, taken=self._resumption is not None)
            raise
        return link, await link.receive()

    async def _visit(self, link: SecureLink, first: bytes) -> Visit | None:
        """Return the visit of a watcher, who may come in; None if it is a guest. Raises CannotConnect for others."""
        try:
            visit = parse_visit(first)
        except Malformed as error:
            await say_bye(link, Bye.MALFORMED)
            raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None
        if visit and self._gallery is None:
            refusal = Bye.NOT_WATCHABLE
        elif self._gallery and visit is None and link.secured.key == self._gallery.key != NO_KEY:
            refusal = Bye.WRONG_INVITATION
        else:
            return visit
        await say_bye(link, refusal)
        raise Refused(refusal)

    async def _greet(self, link: SecureLink, first: bytes) -> tuple[SecureLink, Handshake] | None:
        """Return the link to a guest that has proved its key and may come in, and our end of the handshake."""
        resumption = self._resumption
        if self._taken and resumption is None:
            if is_commitment(first):
                await say_bye(link, Bye.BUSY)
                self._visitors.turned_away(link.remote, BUSY)
            return None
        handshake = (resumption.handshake if resumption else self._handshake)(link.secured)
        frames = [first]

        async def receive() -> bytes:
            return frames.pop() if frames else await link.receive()

        try:
            hellos = await begin_handshake(
                link, receive, handshake, stranger=Bye.BUSY if resumption else Bye.OTHER_SESSION
            )
        except CannotConnect as error:
            self._visitors.failed(link.remote, error, taken=resumption is not None)
            raise
        if resumption is None:
            refusal = Bye.BUSY if self._taken else None
            is_stranger = self._taken
        else:
            is_stranger = not resumption.accepts(hellos)
            refusal = Bye.OTHER_SESSION if is_stranger or resumption is not self._resumption else None
        if is_stranger:
            self._visitors.turned_away(link.remote, BUSY)
        if refusal:
            await say_bye(link, refusal)
            return None
        link.settled()
        return link, handshake

    async def first(self) -> Connected:
        """Return the next guest that has proved a key; the seat is taken until `release`."""
        link, handshake = await self._arrived.get()
        return Connected(link, established(link, handshake))

    def expect(self, resumption: Resumption | None) -> None:
        """Admit only this game's opponent from now on, or nobody with None."""
        self._resumption = resumption
        self._forget_arrival()

    async def reconnect(self) -> None:
        """Wait for the opponent's next connection."""
        self._begun = await self._arrived.get()

    async def authenticate(self, head: Head) -> Connected | None:
        """Prove our log head to the opponent that has connected; None if it has left meanwhile."""
        link, handshake = self._begun
        try:
            async with asyncio.timeout(self._deadline):
                return Connected(link, await authenticate(link, handshake, head))
        except (CannotConnect, TimeoutError):
            await link.close()
            return None

    async def release(self) -> None:
        """Free the seat of a guest that has left."""
        if self._current:
            await say_bye(self._current, Bye.LEAVING)
        self.expect(None)
        self._current, self._taken = None, False
        self._left.set()
        self.sign(True)

    def _forget_arrival(self) -> None:
        if not self._arrived.empty():
            self._arrived.get_nowait()


async def host_games(door: Listener, series: Callable[[], Series], observer: Observer) -> None:
    """Wait for a guest and play; wait again as long as no guest has started a game.

    Raises ConnectionLost or Violation from a game that had begun.
    """
    while True:
        playing = series()
        try:
            await playing.play()
        except (CannotConnect, ConnectionLost) as error:
            if playing.started:
                raise
            observer.notify(error.code, **error.details)
            observer.notify("waiting_again")
        else:
            return
        finally:
            await door.release()
