"""A link through a secure channel (protocol/SPEC.md, 4.4)."""

import asyncio
from collections.abc import Callable, Sequence

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, Malformed, SessionCode
from p2p_shanghaien.fairplay.channel import EPHEMERAL_SIZE, NO_KEY, Channel, ChannelOpening, Secured, WrongInvitation
from p2p_shanghaien.fairplay.handshake import Bye, InvitationNeeded, bye
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.session.ports import Link, Secure, SecureLink


class ChannelLink:
    """A `SecureLink`: `link`, whose messages go through `channel`."""

    def __init__(self, link: Link, channel: Channel) -> None:
        self.remote = link.remote
        self.secured: Secured = channel.secured
        self.settled = link.settled
        self.close = link.close
        self._link = link
        self._channel = channel
        self._is_broken = False

    async def send(self, data: bytes) -> None:
        """Send a frame, unless the connection has ended (`Link.send`)."""
        if self._is_broken:
            return
        message = self._channel.seal(data)
        try:
            await self._link.send(message)
        except asyncio.CancelledError:
            # nobody knows whether the message was sent, and so which number the next one has
            self._is_broken = True
            await self.close()
            raise

    async def receive(self) -> bytes:
        """Return the next frame. Raises ConnectionLost. Cancelling it loses no frame."""
        message = await self._link.receive()
        try:
            return self._channel.open(message)
        except Malformed:
            self._is_broken = True
            await self.close()
            raise ConnectionLost(SessionCode.CHANNEL_BROKEN) from None


def calling(key: bytes, random_bytes: Callable[[int], bytes]) -> Secure:
    """Return a guest's way to secure a link, with this pre-shared key."""

    async def secure(link: Link) -> SecureLink:
        try:
            return await _opened(link, ChannelOpening(Role.GUEST, (key,), random_bytes(EPHEMERAL_SIZE)))
        except ConnectionLost:
            # a host says nothing to a guest whose key it does not know
            raise (WrongInvitation() if key != NO_KEY else CannotConnect(SessionCode.DROPPED_IN_HANDSHAKE)) from None

    return secure


def answering(keys: Sequence[bytes], random_bytes: Callable[[int], bytes]) -> Secure:
    """Return a host's way to secure a link, with one of these pre-shared keys.

    A visitor without an invitation, at a table that needs one, is told so.
    """

    async def secure(link: Link) -> SecureLink:
        tried = [*dict.fromkeys((*keys, NO_KEY))]
        secured = await _opened(link, ChannelOpening(Role.HOST, tried, random_bytes(EPHEMERAL_SIZE)))
        if secured.secured.key not in keys:
            await secured.send(bye(Bye.INVITATION_NEEDED))
            raise InvitationNeeded
        return secured

    return secure


async def _opened(link: Link, opening: ChannelOpening) -> ChannelLink:
    """Exchange messages until the channel is open. Raises CannotConnect and ConnectionLost."""
    messages = opening.start()
    try:
        while True:
            for message in messages:
                await link.send(message)
            if opening.channel:
                return ChannelLink(link, opening.channel)
            messages = opening.receive(await link.receive())
    except Malformed as error:
        raise CannotConnect(SessionCode.BAD_HANDSHAKE, reason=error) from None
