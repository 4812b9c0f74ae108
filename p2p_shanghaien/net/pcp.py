"""The Port Control Protocol, as far as it maps one TCP port: requests, answers and their exchange (RFC 6887)."""

import asyncio
import struct
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple

PORT: Final = 5351
"""The UDP port of a router that speaks the protocol (RFC 6887, section 19.1)."""
NONCE: Final = 12
"""Bytes of the nonce, by which a router tells who may renew or delete a mapping."""

SUCCESS: Final = 0
UNSUPPORTED_VERSION: Final = 1
NETWORK_FAILURE: Final = 7
NO_RESOURCES: Final = 8
ADDRESS_MISMATCH: Final = 12
"""Results of which a client makes something (RFC 6887, section 7.4)."""

_VERSION: Final = 2
_MAP: Final = 1
_ANSWER: Final = 0x80
_TCP: Final = 6
_LARGEST: Final = 1100  # bytes (section 7)

_REQUEST_HEADER: Final = struct.Struct("!BB2xI16s")
_ANSWER_HEADER: Final = struct.Struct("!BBxBII12x")
_MAPPING: Final = struct.Struct("!12sB3xHH16s")

ANY: Final = IPv4Address(0)
"""The suggestion of a client that takes any external address."""


class External(NamedTuple):
    """The outer side of a mapping: an address and a port of the router."""

    address: IPv4Address | IPv6Address
    port: int


class MapRequest(NamedTuple):
    """A request to lead TCP connections to `port` of the machine that sends it, for `lifetime` seconds (0: no more).

    `nonce` has NONCE bytes; `suggested` is what the client would like, and the router need not give it.
    """

    port: int
    nonce: bytes
    lifetime: int
    suggested: External

    def encode(self, client: str) -> bytes:
        """Return the packet, 60 bytes, as the machine with the address `client` sends it (sections 7.1 and 11.1)."""
        sender = ip_address(client)
        header = _REQUEST_HEADER.pack(_VERSION, _MAP, self.lifetime, _in_ipv6(sender))
        is_any_ipv6 = sender.version == 6 and self.suggested.address == ANY
        outside = bytes(16) if is_any_ipv6 else _in_ipv6(self.suggested.address)
        return header + _MAPPING.pack(self.nonce, _TCP, self.port, self.suggested.port, outside)


class MapAnswer(NamedTuple):
    """An answer: a result, and for how many seconds it holds; with SUCCESS, which mapping there is.

    `epoch` is for how many seconds the router has known its mappings. Other versions have no more than a result.
    """

    result: int
    lifetime: int = 0
    epoch: int = 0
    nonce: bytes = b""
    port: int = 0
    external: External = External(ANY, 0)

    def is_to(self, request: MapRequest) -> bool:
        """Return whether this answers `request`."""
        return self.result == UNSUPPORTED_VERSION or (self.nonce, self.port) == (request.nonce, request.port)


def parse_answer(data: bytes) -> MapAnswer | None:
    """Return the answer that `data` is (sections 7.2 and 11.1); None for anything else, which a client ignores.

    An answer by another version, such as NAT-PMP's, becomes UNSUPPORTED_VERSION (section 9 and appendix A).
    """
    if len(data) < 4 or not data[1] & _ANSWER:
        return None
    if data[0] != _VERSION or data[3] == UNSUPPORTED_VERSION:
        return MapAnswer(UNSUPPORTED_VERSION)
    if not _ANSWER_HEADER.size + _MAPPING.size <= len(data) <= _LARGEST or len(data) % 4:
        return None
    _, operation, result, lifetime, epoch = _ANSWER_HEADER.unpack_from(data)
    nonce, protocol, port, external_port, outside = _MAPPING.unpack_from(data, _ANSWER_HEADER.size)
    if operation != _ANSWER | _MAP or protocol != _TCP:
        return None
    address = IPv6Address(outside)
    return MapAnswer(result, lifetime, epoch, nonce, port, External(address.ipv4_mapped or address, external_port))


def _in_ipv6(address: IPv4Address | IPv6Address) -> bytes:
    """Return the 16 bytes of an address, an IPv4 address within an IPv6 one (section 5)."""
    return address.packed if address.version == 6 else bytes(10) + b"\xff\xff" + address.packed


class PcpRouter:
    """The router at an IP address, asked over UDP from the address `bind` (None: the one that leads there).

    A request is sent again after `pause` seconds, then after twice as many, and so on.
    """

    def __init__(self, address: str, bind: str | None = None, *, port: int = PORT, pause: float = 0.5) -> None:
        self._remote = address, port
        self._local = (bind, 0) if bind else None
        self._pause = pause

    def __str__(self) -> str:
        return self._remote[0]

    async def ask(self, request: MapRequest) -> MapAnswer | None:
        """Return the answer, for which this waits for ever; None if nothing listens there, or no way leads there."""
        try:
            # a socket of its own for each request, connected: the system drops what others send
            transport, exchange = await asyncio.get_running_loop().create_datagram_endpoint(
                lambda: _Exchange(request), local_addr=self._local, remote_addr=self._remote
            )
        except OSError:
            return None
        try:
            packet = request.encode(transport.get_extra_info("sockname")[0])
            pause = self._pause
            while not exchange.answer.done():
                transport.sendto(packet)
                await asyncio.wait({exchange.answer}, timeout=pause)
                pause *= 2
            return exchange.answer.result()
        finally:
            transport.close()


class _Exchange(asyncio.DatagramProtocol):
    """One request on its way; `answer` becomes None if nothing listens at the router."""

    def __init__(self, request: MapRequest) -> None:
        self._request = request
        self.answer: asyncio.Future[MapAnswer | None] = asyncio.get_running_loop().create_future()

    def datagram_received(self, data: bytes, _: object) -> None:
        answer = parse_answer(data)
        if answer and answer.is_to(self._request) and not self.answer.done():
            self.answer.set_result(answer)

    def error_received(self, _: Exception) -> None:
        if not self.answer.done():
            self.answer.set_result(None)
