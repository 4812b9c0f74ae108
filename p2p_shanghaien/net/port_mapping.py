"""A port of the router that leads to a host: opened, renewed while it is needed, and closed again.

Only the default gateway is asked, and only of a table whose host wants that: by PCP (RFC 6887) and, if that opens
nothing, by UPnP.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import Final, Protocol

from p2p_shanghaien.errors import CannotConnect, NetCode
from p2p_shanghaien.net import pcp
from p2p_shanghaien.net.addresses import Address, listening, reachable
from p2p_shanghaien.net.gateway import default_gateway, default_gateway_ipv6
from p2p_shanghaien.net.pcp import External, MapAnswer, MapRequest, PcpRouter
from p2p_shanghaien.net.upnp import UpnpRouter, is_installed

_BEHIND_ANOTHER: Final = frozenset((pcp.NETWORK_FAILURE, pcp.NO_RESOURCES, pcp.ADDRESS_MISMATCH))
"""Results of a router that has no address on the internet, or another one towards this machine than is asked."""


@dataclass(frozen=True)
class Timing:
    """Seconds for which the port is asked for, for the router to answer, to close the port, and to a second renewal.

    The port closes by itself at the end of the lease, if the program was killed. `soonest` is the least time before a
    renewal, however short a lease the router grants (RFC 6887, section 11.2.1). `clock`, in seconds, is looked at once
    in a `glance`; unlike the event loop's, it goes on while the machine is suspended.
    """

    lease: int = 3600
    answer: float = 10.0
    closing: float = 1.0
    again: float = 60.0
    soonest: float = 4.0
    glance: float = 10.0
    clock: Callable[[], float] = time.time


class BehindAnother(CannotConnect):
    """The error of a router that has no address on the internet, so that a port of it leads nowhere."""


class Router(Protocol):
    """A router that can lead a port of its own to one of this machine; `str` is its address."""

    async def ask(self, request: MapRequest) -> MapAnswer | None:
        """Return the answer, in the terms of PCP, for which this may wait for ever; None if nothing answers there.

        Raises CannotConnect for a refusal that PCP has no result for.
        """


Find = Callable[[], Awaitable[Router | None]]
"""Finds a router, if there is one; called before each request, since the machine may have moved."""


def ways(bind: str | None, port: int) -> Sequence[Find]:
    """Return how to find the router for each address of a host that listens on `bind` (None: everywhere).

    The first is for IPv4; then comes each global IPv6 address. Raises LocalError as `addresses.listening`.
    """
    own = (ip_address(address.host) for address in reachable(bind, port))
    return [
        DefaultGateway(bind).find,
        *(partial(_gateway_ipv6, str(ip)) for ip in own if ip.version == 6 and ip.is_global),
    ]


async def _gateway_ipv6(own: str) -> PcpRouter | None:
    """Return the default gateway, asked from the address that is to be opened: this machine's `own`."""
    address = await default_gateway_ipv6()
    return PcpRouter(address, own) if address else None


class DefaultGateway:
    """The default gateway by IPv4 of a host that listens on `bind` (None: everywhere), whichever it is at the time."""

    def __init__(self, bind: str | None) -> None:
        self._bind = bind
        self._upnp: UpnpRouter | None = None

    async def find(self) -> Router | None:
        """Return the gateway; None if there is none. Raises LocalError as `addresses.listening`."""
        ip = listening(self._bind) if self._bind else None
        if ip is not None and not ip.is_unspecified and (ip.version == 6 or ip.is_loopback):
            return None
        address = await default_gateway()
        if address is None:
            return None
        own = None if ip is None or ip.is_unspecified else str(ip)
        if is_installed() and (self._upnp is None or str(self._upnp) != address):
            # kept, since it knows where to renew and to close
            self._upnp = UpnpRouter(address, own)
        return EitherRouter(PcpRouter(address, own), self._upnp)


class EitherRouter:
    """A router that is asked by PCP and, if that opens nothing within `patience` seconds, by UPnP (None: not there)."""

    def __init__(self, pcp: Router, upnp: UpnpRouter | None, patience: float = 4.0) -> None:
        self._pcp = pcp
        self._upnp = upnp
        self._patience = patience

    def __str__(self) -> str:
        return str(self._pcp)

    async def ask(self, request: MapRequest) -> MapAnswer | None:
        """Return the answer by UPnP if a port is open by it, or if PCP opens none."""
        if not request.lifetime:
            await self._close(request)
            return None
        if self._upnp and self._upnp.is_open:
            return await self._upnp.ask(request)
        answer = None
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                answer = await self._pcp.ask(request)
        try:
            return granted(answer, str(self), request.port)
        except BehindAnother:
            raise
        except CannotConnect as error:
            if self._upnp is None:
                raise CannotConnect(NetCode.UPNP_NOT_INSTALLED, reason=error) from None
            return await self._upnp.ask(request) or answer

    async def _close(self, request: MapRequest) -> None:
        if self._upnp and self._upnp.is_open:
            await self._upnp.ask(request)
        else:
            # a port may be open though the answer was lost
            await asyncio.gather(*(router.ask(request) for router in (self._pcp, self._upnp) if router))


@asynccontextmanager
async def port_opened(
    port: int,
    nonce: bytes,
    ways: Sequence[Find],
    notify: Callable[..., object],
    timing: Timing = Timing(),
) -> AsyncIterator[None]:
    """Have the router lead a port of its own to TCP `port` of this machine while the block runs, in each of the `ways`.

    `nonce`, of `pcp.NONCE` bytes, is the same each time: a router knows its mapping by it. `notify` is told each new
    address, that a port cannot be renewed, which is tried again, and, for good, why none can be opened in any way.
    """
    errors: dict[int, CannotConnect] = {}

    def failed(way: int, error: CannotConnect) -> None:
        errors[way] = error
        if len(errors) == len(ways):
            notify(errors[0].code, **errors[0].details)

    mappings = [_Mapping(port, nonce, find, timing) for find in ways]
    tasks = [asyncio.create_task(each.keep(notify, partial(failed, way))) for way, each in enumerate(mappings)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def granted(answer: MapAnswer | None, router: str, port: int) -> MapAnswer:
    """Return the answer of `router` if it grants a mapping of `port` (None: there is no answer).

    Raises CannotConnect if it grants none, or one that leads nowhere.
    """
    if answer is None or answer.result == pcp.UNSUPPORTED_VERSION:
        raise CannotConnect(NetCode.ROUTER_SILENT, router=router, port=port)
    address, is_granted = answer.external.address, answer.result == pcp.SUCCESS
    if answer.result in _BEHIND_ANOTHER or (is_granted and (not address.is_global or address.is_multicast)):
        raise BehindAnother(NetCode.ROUTER_BEHIND_ANOTHER, router=router, port=port)
    if not is_granted or not answer.lifetime or not answer.external.port:
        raise CannotConnect(NetCode.ROUTER_REFUSES, router=router, port=port, result=answer.result)
    return answer


class _Mapping:
    """A mapping of the port, from the first request on."""

    def __init__(self, port: int, nonce: bytes, find: Find, timing: Timing) -> None:
        self._port = port
        self._nonce = nonce
        self._find = find
        self._timing = timing
        self._shown: External | None = None
        self._is_lost = False

    async def keep(self, notify: Callable[..., object], failed: Callable[[CannotConnect], None]) -> None:
        """Open the port and renew it; close it when this is cancelled, or when it has `failed` to open."""
        try:
            while True:
                await self._sleep(await self._renew(notify))
        except CannotConnect as error:
            failed(error)
        finally:
            await self._ask(0, self._timing.closing)

    async def _sleep(self, pause: float) -> None:
        """Sleep for so many seconds, of which those count in which the machine is suspended: the lease goes on."""
        clocks = self._timing.clock, asyncio.get_running_loop().time
        ends = [clock() + pause for clock in clocks]
        # either may stand still or be set back, and no event says so
        while (left := min(end - clock() for end, clock in zip(ends, clocks, strict=True))) > 0:  # noqa: ASYNC110
            await asyncio.sleep(min(left, self._timing.glance))

    async def _renew(self, notify: Callable[..., object]) -> float:
        """Ask for the mapping, and return for how many seconds that is enough.

        Raises CannotConnect if it cannot be had and never could.
        """
        try:
            answer = await self._obtain()
        except CannotConnect as error:
            if self._shown is None:
                raise
            if not self._is_lost:
                notify("port_not_renewed", reason=error)
            self._is_lost = True
            return self._timing.again
        if self._is_lost or answer.external != self._shown:
            code = "port_opened" if self._shown is None else "port_opened_again"
            notify(code, address=Address(str(answer.external.address), answer.external.port))
        self._shown, self._is_lost = answer.external, False
        return max(min(answer.lifetime, self._timing.lease) / 2, self._timing.soonest)

    async def _obtain(self) -> MapAnswer:
        """Return the answer that grants the mapping. Raises CannotConnect."""
        router, answer = await self._ask(self._timing.lease, self._timing.answer)
        if router is None:
            raise CannotConnect(NetCode.NO_ROUTER, port=self._port)
        return granted(answer, str(router), self._port)

    async def _ask(self, lifetime: int, within: float) -> tuple[Router | None, MapAnswer | None]:
        # a renewal suggests what there is; a deletion suggests nothing (section 15.1)
        wanted = self._shown or External(pcp.ANY, self._port)
        request = MapRequest(self._port, self._nonce, lifetime, wanted if lifetime else External(pcp.ANY, 0))
        router = answer = None
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                router = await self._find()
                answer = await router.ask(request) if router else None
        return router, answer
