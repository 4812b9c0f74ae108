"""A router on loopback that answers requests of the Port Control Protocol in every way that routers are known to."""

import asyncio
import struct
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from ipaddress import IPv4Address
from typing import NamedTuple

from p2p_shanghaien.net.pcp import PcpRouter


class Asked(NamedTuple):
    """A request as a router reads it, by the layout of RFC 6887, figures 2 and 9."""

    version: int
    operation: int
    lifetime: int
    client: bytes
    nonce: bytes
    protocol: int
    port: int
    external_port: int
    external_address: bytes


def read(packet: bytes) -> Asked:
    assert len(packet) == 60
    version, operation, reserved, lifetime, client = struct.unpack_from("!BBHI16s", packet)
    nonce, protocol, more, port, external_port, external_address = struct.unpack_from("!12sB3sHH16s", packet, 24)
    assert (reserved, more) == (0, bytes(3))
    return Asked(version, operation, lifetime, client, nonce, protocol, port, external_port, external_address)


def answer(
    asked: Asked,
    address: str = "5.9.8.7",
    port: int = 48126,
    result: int = 0,
    lifetime: int | None = None,
    epoch: int = 9,
) -> bytes:
    """Return an answer by the layout of RFC 6887, figures 3 and 10."""
    lasts = asked.lifetime if lifetime is None else lifetime
    header = struct.pack("!BBBBII12x", 2, 0x80 | asked.operation, 0, result, lasts, epoch)
    outside = bytes(10) + b"\xff\xff" + IPv4Address(address).packed
    return header + struct.pack("!12sB3xHH16s", asked.nonce, asked.protocol, asked.port, port, outside)


Behaviour = Callable[[Asked], Sequence[bytes]]
"""The packets with which a router answers a request."""


class FakeRouter(asyncio.DatagramProtocol):
    """A router that behaves as `behaves` says, which may change; `asked` are the requests so far, `times` when."""

    def __init__(self, behaves: Behaviour) -> None:
        self.behaves = behaves
        self.asked: list[Asked] = []
        self.times: list[float] = []
        self.sends: asyncio.DatagramTransport | None = None
        """The socket that answers, if it is not the one that was asked."""

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self._transport = transport

    def datagram_received(self, packet: bytes, sender: tuple[str, int]) -> None:
        asked = read(packet)
        self.asked.append(asked)
        self.times.append(asyncio.get_running_loop().time())
        for data in self.behaves(asked):
            (self.sends or self._transport).sendto(data, sender)

    async def found(self) -> PcpRouter:
        """Return this router, as its client finds it."""
        return PcpRouter("127.0.0.1", port=self._transport.get_extra_info("sockname")[1], pause=0.02)


@asynccontextmanager
async def routing(behaves: Behaviour) -> AsyncIterator[FakeRouter]:
    router = FakeRouter(behaves)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: router, local_addr=("127.0.0.1", 0))
    try:
        yield router
    finally:
        transport.close()
