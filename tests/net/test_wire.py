"""A dump of what two programs send each other: nobody who listens can read it (SPEC 4.4)."""

import asyncio
import random
from collections.abc import Iterator
from functools import partial

import pytest

from p2p_shanghaien.fairplay.channel import Secured
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import connect, serve
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.listener import Listener, host_games
from p2p_shanghaien.session.participant import Chat
from p2p_shanghaien.session.ports import Link, Secure, SecureLink
from p2p_shanghaien.session.series import Series
from tests.pair import SECURED
from tests.session.memory import Seat, seat

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

NAMES = ("Hanna Ahoi", "Gustav Grog")
CHAT = "The rum is gone"


class PlainLink:
    """A link without a channel, as if one had been opened."""

    def __init__(self, link: Link) -> None:
        self.remote = link.remote
        self.send, self.receive, self.close, self.settled = link.send, link.receive, link.close, link.settled
        self.secured: Secured = SECURED


async def in_plain_text(link: Link) -> SecureLink:
    return PlainLink(link)


class Dump:
    """Everything that passes between a guest and the host at `port`, in each direction."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sent: tuple[bytearray, bytearray] = (bytearray(), bytearray())
        """The bytes from the host and from the guest."""

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward, back = await asyncio.open_connection("127.0.0.1", self.port)

        async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter, kept: bytearray) -> None:
            while data := await source.read(65536):
                kept += data
                target.write(data)
            target.close()

        await asyncio.gather(carry(reader, back, self.sent[1]), carry(onward, writer, self.sent[0]))

    def messages(self) -> Iterator[bytes]:
        """Yield the payloads of the WebSocket frames, unmasked (RFC 6455, 5.2)."""
        for data in self.sent:
            at = data.index(b"\r\n\r\n") + 4
            while at + 2 <= len(data):
                masked, size = data[at + 1] >> 7, data[at + 1] & 127
                at += 2
                assert size < 127
                if size == 126:
                    size = int.from_bytes(data[at : at + 2], "big")
                    at += 2
                mask = data[at : at + 4] if masked else bytes(4)
                at += 4 * masked
                yield bytes(byte ^ mask[index % 4] for index, byte in enumerate(data[at : at + size]))
                at += size


async def dumped(secures: tuple[Secure, Secure] | None) -> tuple[Dump, Seat]:
    """Play a game in which the guest chats; what passed, and the host with its log."""
    host, guest = (seat(name, random.Random(name)) for name in NAMES)
    opening, calling = secures or (host.side.secure(Role.HOST), guest.side.secure(Role.GUEST))
    hello = partial(host.side.host_hello, Shanghaien())
    door = Listener(opening, partial(host.side.handshake, hello))
    guest.decider.commands.put_nowait(Chat(CHAT))
    async with serve(door.receive, "127.0.0.1", 0) as server:
        dump = Dump(server.port)
        between = await asyncio.start_server(dump.pass_on, "127.0.0.1", 0)
        address = Address("127.0.0.1", between.sockets[0].getsockname()[1])
        call = Dialer(partial(connect, address), calling, partial(guest.side.handshake, guest.side.guest_hello))
        hosting = asyncio.create_task(host_games(door, lambda: Series(host.side, door, hello), host.onlooker))
        async with between:
            await Series(guest.side, call, guest.side.guest_hello).play()
            await call.release()
            await asyncio.wait_for(hosting, 10)
    return dump, host


def secrets_of(host: Seat) -> set[bytes]:
    """Return what the two said to each other: names, chat, the settings, and every entry with its action."""
    report = verify(host.logs[0].data, RULES)
    assert len(report.entries) > 50
    words = {word.encode() for word in (*NAMES, CHAT, "variant", "standard")}
    return words | {entry.content for entry in report.entries if len(entry.content) > 5}


@pytest.mark.parametrize("secures", [None, (in_plain_text, in_plain_text)], ids=["channel", "plain text"])
async def test_a_dump_holds_no_name_no_action_and_no_chat(secures: tuple[Secure, Secure] | None) -> None:
    """Without the channel the same search finds them all."""
    dump, host = await dumped(secures)
    messages = list(dump.messages())
    passed = b"\0".join(messages)
    found = {secret for secret in secrets_of(host) if secret in passed}
    assert found == (secrets_of(host) if secures else set())
    if secures is None:
        sizes = {len(message) for message in messages}
        assert {size for size in sizes if size > 48 and size % 512 != 16} == set(), "no length tells what was said"
