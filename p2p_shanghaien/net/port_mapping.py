"""A port of the router that leads to a host: opened, renewed while it is needed, and closed again (RFC 6887).

Only the default gateway is asked, and only of a table whose host wants that.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from typing import Final

from p2p_shanghaien.errors import CannotConnect, NetCode
from p2p_shanghaien.net import pcp
from p2p_shanghaien.net.addresses import Address, listening, reachable
from p2p_shanghaien.net.gateway import default_gateway, default_gateway_ipv6
from p2p_shanghaien.net.pcp import External, MapAnswer, MapRequest, PcpRouter

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


Find = Callable[[], Awaitable[PcpRouter | None]]
"""Finds a router, if there is one; called before each request, since the machine may have moved."""


def ways(bind: str | None, port: int) -> Sequence[Find]:
    """Return how to find the router for each address of a host that listens on `bind` (None: everywhere).

    The first is for IPv4; then comes each global IPv6 address. Raises LocalError as `addresses.listening`.
    """
    own = (ip_address(address.host) for address in reachable(bind, port))
    return [
        partial(gateway, bind),
        *(partial(_gateway_ipv6, str(ip)) for ip in own if ip.version == 6 and ip.is_global),
    ]


async def _gateway_ipv6(own: str) -> PcpRouter | None:
    """Return the default gateway, asked from the address that is to be opened: this machine's `own`."""
    address = await default_gateway_ipv6()
    return PcpRouter(address, own) if address else None


async def gateway(bind: str | None) -> PcpRouter | None:
    """Return the default gateway by IPv4 of a host that listens on `bind` (None: everywhere); None if there is none.

    Raises LocalError as `addresses.listening`.
    """
    ip = listening(bind) if bind else None
    if ip is not None and not ip.is_unspecified and (ip.version == 6 or ip.is_loopback):
        return None
    address = await default_gateway()
    return PcpRouter(address, None if ip is None or ip.is_unspecified else str(ip)) if address else None


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
        raise CannotConnect(NetCode.ROUTER_BEHIND_ANOTHER, router=router, port=port)
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

    async def _ask(self, lifetime: int, within: float) -> tuple[PcpRouter | None, MapAnswer | None]:
        # a renewal suggests what there is; a deletion suggests nothing (section 15.1)
        wanted = self._shown or External(pcp.ANY, self._port)
        request = MapRequest(self._port, self._nonce, lifetime, wanted if lifetime else External(pcp.ANY, 0))
        router = answer = None
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                router = await self._find()
                answer = await router.ask(request) if router else None
        return router, answer
