"""Open tables on the local network, announced and found by multicast DNS (RFC 6762 and 6763).

Announcements are public on that network, and found ones prove nothing: names must be escaped, and the handshake shows
who answers at an address.
"""

import asyncio
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from zeroconf import Error, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p_shanghaien.errors import CannotConnect, NetCode, UsageError
from p2p_shanghaien.net.addresses import Address, is_nearby, parse
from p2p_shanghaien.text import MAX_NAME, cleaned

SERVICE: Final = "_shanghaien._tcp.local."
SEARCH: Final = 3.0
"""Seconds that a search takes; hosts answer within one or two."""

_YES: Final = "yes"
_ANSWER: Final = 1500  # milliseconds for the details of one table
_MAX_VALUE: Final = 100  # bytes of a value that is announced; a name is shorter
_MOST: Final = 100  # announcements that are examined: thousands of forged ones must not keep us busy
_ATTEMPTS: Final = 3  # interfaces come and go while they are opened
_MULTICAST: Final = ("224.0.0.251", 5353)
_REFUSED: Final = (OSError, Error, RuntimeError)  # RuntimeError: zeroconf's, for an IPv6 address that has gone


class OpenTable(NamedTuple):
    """An announced table: its host's name and game, and its addresses, nearby ones first.

    The texts are cleaned; the addresses are valid for `join`, and there is at least one. A table is announced while a
    guest can join, and as long as others can watch.
    """

    name: str
    game: str
    addresses: tuple[Address, ...]
    is_free: bool = True
    is_watchable: bool = False


class Sign:
    """The announcement of a host's table while it is open; of one that is `watchable`, while it is taken, too.

    It is made on the interfaces that `addresses` belong to, and on no others; without addresses there is none. A
    network that refuses multicast is no error: guests can still join by the address.
    """

    def __init__(self, name: str, game: str, addresses: Sequence[Address], *, watchable: bool = False) -> None:
        self._texts = {"name": name, "game": game, **({"watch": _YES} if watchable else {})}
        self._watchable = watchable
        self._addresses = [address for address in addresses if not address.link_local]
        self._zeroconf: AsyncZeroconf | None = None
        self._info: AsyncServiceInfo | None = None
        self._shown: dict[str, str] | None = None
        self._wanted: dict[str, str] | None = None
        """The texts that are announced, and those that are to be; None: there is no announcement."""
        self._turning: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._addresses:
            self._zeroconf = _opened(self._addresses)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._announce(None)
        if self._turning:
            await self._turning
        if self._zeroconf:
            await self._zeroconf.async_close()

    @property
    def can_be_seen(self) -> bool:
        """Return whether there is an interface on which the table can be announced."""
        return self._zeroconf is not None

    def turn(self, is_open: bool) -> None:
        """Announce that the table is open, or no longer; the network hears of it a little later."""
        taken = {**self._texts, "taken": _YES} if self._watchable else None
        self._announce(self._texts if is_open else taken)

    def _announce(self, texts: dict[str, str] | None) -> None:
        self._wanted = texts
        if self._zeroconf and (self._turning is None or self._turning.done()):
            self._turning = asyncio.create_task(self._turn(self._zeroconf))

    async def _turn(self, zeroconf: AsyncZeroconf) -> None:
        with suppress(*_REFUSED):
            while self._shown != self._wanted:
                self._shown = texts = self._wanted
                if self._info:
                    info, self._info = self._info, None
                    await zeroconf.async_unregister_service(info)
                if texts:
                    self._info = self._new_info(texts)
                    await zeroconf.async_register_service(self._info, allow_name_change=True)

    def _new_info(self, texts: dict[str, str]) -> AsyncServiceInfo:
        """Return an announcement under a label of its own, so that two hosts of one name do not collide."""
        label = f"table-{secrets.token_hex(4)}"
        return AsyncServiceInfo(
            SERVICE,
            f"{label}.{SERVICE}",
            port=self._addresses[0].port,
            properties={key: value.encode()[:_MAX_VALUE] for key, value in texts.items()},
            server=f"{label}.local.",
            parsed_addresses=[address.host for address in self._addresses if _takes_multicast(address.host)],
        )


async def find(addresses: Sequence[Address], seconds: float = SEARCH) -> list[OpenTable]:
    """Return the tables that are announced within `seconds` on the interfaces that `addresses` belong to.

    Nearby addresses come first, then the order of arrival: the announcements themselves do not affect it. There is one
    table for each address, of the first _MOST announcements. Raises CannotConnect cannot_search if no interface takes
    multicast.
    """
    names: dict[str, None] = {}

    def heard(*, name: str, state_change: ServiceStateChange, **_: Any) -> None:
        if state_change is ServiceStateChange.Removed:
            names.pop(name, None)
        else:
            names[name] = None

    zeroconf = _opened([address for address in addresses if not address.link_local])
    if zeroconf is None:
        raise CannotConnect(NetCode.CANNOT_SEARCH)
    nearby = is_nearby()
    try:
        browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[heard])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        found = await asyncio.gather(*(_details(zeroconf.zeroconf, name, nearby) for name in list(names)[:_MOST]))
    finally:
        await zeroconf.async_close()
    one_each: dict[Address, OpenTable] = {}
    for table in filter(None, found):
        one_each.setdefault(table.addresses[0], table)
    return sorted(one_each.values(), key=lambda table: not nearby(table.addresses[0]))


def _opened(addresses: Sequence[Address]) -> AsyncZeroconf | None:
    """Return multicast DNS on the existing ones of the interfaces, None if there is none.

    An interface that vanishes after it was listed makes the library fail for all of them, or do nothing at all.
    """
    for _ in range(_ATTEMPTS):
        hosts = [address.host for address in addresses if _takes_multicast(address.host)]
        if not hosts:
            break
        with suppress(*_REFUSED):
            return AsyncZeroconf(interfaces=hosts)
    return None


def _takes_multicast(host: str) -> bool:
    version6 = ":" in host
    with socket.socket(socket.AF_INET6 if version6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((host, 0))
            if not version6:
                probe.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
        except OSError:
            return False
    return True


async def _details(zeroconf: Zeroconf, name: str, nearby: Callable[[Address], bool]) -> OpenTable | None:
    info = AsyncServiceInfo(SERVICE, name)
    if not await info.async_request(zeroconf, _ANSWER) or not info.port:
        return None
    texts = {
        key.decode("ascii", "replace"): (value or b"").decode("utf-8", "replace")
        for key, value in info.properties.items()
    }
    host, game = (cleaned(texts.get(key, ""), MAX_NAME, "?") for key in ("name", "game"))
    addresses = filter(None, (_checked(Address(each, info.port)) for each in info.parsed_addresses()))
    ordered = tuple(sorted(addresses, key=lambda address: not nearby(address)))
    is_free, is_watchable = "taken" not in texts, "watch" in texts
    return OpenTable(host, game, ordered, is_free, is_watchable) if ordered else None


def _checked(address: Address) -> Address | None:
    """Return an announced address if it is a valid one, and leads to another machine."""
    with suppress(UsageError):
        checked = parse(str(address))
        return None if checked.is_loopback else checked
    return None
