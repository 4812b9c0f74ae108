"""Open tables on the local network, announced and found by multicast DNS (RFC 6762 and 6763).

What is announced is public on that network, and what is found there proves nothing: names are to be escaped, and who
really answers at an address shows in the handshake.
"""

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from zeroconf import Error, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p_shanghaien.net.addresses import Address, reachable

SERVICE: Final = "_shanghaien._tcp.local."
SEARCH: Final = 3.0
"""Seconds that a search takes; whoever is there answers within one or two."""

_ANSWER: Final = 1500  # milliseconds for the details of one table
_MAX_VALUE: Final = 100  # bytes of a value that is announced; a name is shorter


class OpenTable(NamedTuple):
    """A table that answered: what its host calls itself and the game, and where it can be reached, the best first."""

    name: str
    game: str
    addresses: tuple[Address, ...]


class Sign:
    """What the local network sees of a host's table while it is open.

    Announced on the interfaces that `addresses` belong to, and on no others; without addresses nothing is. A network
    that refuses multicast is no fault: the table can be joined by its address all the same.
    """

    def __init__(self, name: str, game: str, addresses: Sequence[Address]) -> None:
        self._texts = {"name": name, "game": game}
        self._addresses = [address for address in addresses if not address.link_local]
        self._zeroconf: AsyncZeroconf | None = None
        self._info: AsyncServiceInfo | None = None
        self._shown = False
        self._wanted = False
        self._turning: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._addresses:
            with suppress(OSError, Error):
                self._zeroconf = AsyncZeroconf(interfaces=[address.host for address in self._addresses])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.turn(False)
        if self._turning:
            await self._turning
        if self._zeroconf:
            await self._zeroconf.async_close()

    def turn(self, is_open: bool) -> None:
        """Show the sign, or take it down; the network hears of it a little later."""
        self._wanted = is_open
        if self._zeroconf and (self._turning is None or self._turning.done()):
            self._turning = asyncio.create_task(self._turn())

    async def _turn(self) -> None:
        assert self._zeroconf is not None
        with suppress(OSError, Error):
            while self._shown != self._wanted:
                self._shown = self._wanted
                if self._shown:
                    self._info = self._new_info()
                    await self._zeroconf.async_register_service(self._info, allow_name_change=True)
                elif self._info:
                    await self._zeroconf.async_unregister_service(self._info)

    def _new_info(self) -> AsyncServiceInfo:
        """An announcement under a label of its own, so that two hosts of one name do not meet in it."""
        label = f"table-{secrets.token_hex(4)}"
        return AsyncServiceInfo(
            SERVICE,
            f"{label}.{SERVICE}",
            port=self._addresses[0].port,
            properties={key: value.encode()[:_MAX_VALUE] for key, value in self._texts.items()},
            server=f"{label}.local.",
            parsed_addresses=[address.host for address in self._addresses],
        )


async def find(seconds: float = SEARCH) -> list[OpenTable]:
    """The open tables that answer within `seconds`, by name. Empty too where the network refuses multicast."""
    interfaces = [address.host for address in reachable(None, 1) if not address.link_local]
    names: set[str] = set()

    def heard(*, name: str, state_change: ServiceStateChange, **_: Any) -> None:
        if state_change is ServiceStateChange.Removed:
            names.discard(name)
        else:
            names.add(name)

    if not interfaces:
        return []
    try:
        zeroconf = AsyncZeroconf(interfaces=interfaces)
    except (OSError, Error):
        return []
    try:
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[heard])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        found = await asyncio.gather(*(_details(zeroconf.zeroconf, name) for name in sorted(names)))
    finally:
        await zeroconf.async_close()
    return sorted(table for table in found if table)


async def _details(zeroconf: Zeroconf, name: str) -> OpenTable | None:
    info = AsyncServiceInfo(SERVICE, name)
    if not await info.async_request(zeroconf, _ANSWER) or not info.port:
        return None
    texts = {
        key.decode("ascii", "replace"): (value or b"").decode("utf-8", "replace")
        for key, value in info.properties.items()
    }
    addresses = tuple(Address(host, info.port) for host in info.parsed_addresses())
    return OpenTable(texts.get("name", ""), texts.get("game", ""), addresses) if addresses else None
