"""Universal Plug and Play, as far as a router opens one TCP port by IPv4: an Internet Gateway Device (IGD).

The router is searched for here (UPnP Device Architecture 1.1, section 1.3), so that nothing that any other device
names is ever called; what it is asked then, the library miniupnpc asks (`upnp_worker`).
"""

import asyncio
import json
import re
import socket
import sys
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, Final

from p2p_shanghaien.errors import CannotConnect, NetCode
from p2p_shanghaien.net import pcp, upnp_worker
from p2p_shanghaien.net.pcp import External, MapAnswer, MapRequest

PORT: Final = 1900
"""The UDP port at which devices are searched for (UPnP Device Architecture 1.1, section 1.3.2)."""

_GROUP: Final = "239.255.255.250"
_TARGETS: Final = (
    "urn:schemas-upnp-org:device:InternetGatewayDevice:1",
    "urn:schemas-upnp-org:service:WANIPConnection:1",
    "urn:schemas-upnp-org:service:WANPPPConnection:1",
)
"""Searched for; devices of later versions answer to these as well (section 1.3)."""
_LARGEST: Final = 1400  # bytes of an answer: one packet
_LOCATION: Final = re.compile(rb"^location:[ \t]*([!-~]+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_TARGET: Final = re.compile(rb"^st:[ \t]*([!-~]+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_OK: Final = re.compile(rb"HTTP/1\.[01] 200 ")


def is_installed() -> bool:
    """Return whether miniupnpc is there, an extra of this package."""
    return find_spec("miniupnpc") is not None


def search(target: str) -> bytes:
    """Return the packet that searches for devices or services of a kind; they answer within a second."""
    return (
        f'M-SEARCH * HTTP/1.1\r\nHOST: {_GROUP}:{PORT}\r\nMAN: "ssdp:discover"\r\nMX: 1\r\nST: {target}\r\n\r\n'
    ).encode("ascii")


def parse_description(data: bytes, router: str) -> str | None:
    """Return the URL of the description of a gateway at the IPv4 address `router` by an answer to a search.

    None for anything else, which a client ignores: among them a URL that leads elsewhere.
    """
    if len(data) > _LARGEST or not _OK.match(data):
        return None
    location, target = _LOCATION.search(data), _TARGET.search(data)
    if not location or not target or target[1].decode("ascii") not in _TARGETS:
        return None
    url = location[1].decode("ascii")
    return url if upnp_worker.leads_to(url, router) else None


class UpnpRouter:
    """The router at an IPv4 address, for a host that listens on `bind` (None: on the address that leads there).

    A search is sent again after `pause` seconds, then after twice as many, and so on, for `patience` seconds in all.
    """

    def __init__(
        self, address: str, bind: str | None = None, *, port: int = PORT, pause: float = 0.5, patience: float = 2.5
    ) -> None:
        self._address = address
        self._bind = bind
        self._port = port
        self._pause = pause
        self._patience = patience
        self._description: str | None = None
        self._held = 0
        """The external port that the router has opened for us (0: none)."""

    def __str__(self) -> str:
        return self._address

    @property
    def is_open(self) -> bool:
        """Return whether the router has opened a port and, as far as is known, keeps it."""
        return bool(self._held)

    async def ask(self, request: MapRequest) -> MapAnswer | None:
        """Return the answer, in the terms of PCP; None if the router does not answer, or not as a gateway.

        Raises CannotConnect if the router refuses, or knows only leases that never end.
        """
        if not request.lifetime:
            await self._close(request.port)
            return None
        said, self._held = await self._open(request), 0
        if said is None:
            return None
        if error := said.get("error"):
            if error == upnp_worker.PERMANENT:
                raise CannotConnect(NetCode.ROUTER_PERMANENT, router=self._address, port=request.port)
            raise CannotConnect(NetCode.UPNP_REFUSES, router=self._address, port=request.port, error=error)
        if not said:
            return MapAnswer(pcp.NETWORK_FAILURE)
        external = External(IPv4Address(said["address"]), said["number"])
        self._held = external.port
        return MapAnswer(pcp.SUCCESS, said["lifetime"], port=request.port, external=external)

    async def _open(self, request: MapRequest) -> dict[str, Any] | None:
        held = self._held or (request.suggested.port if request.suggested.address != pcp.ANY else 0)
        said = await self._call("open", request.port, held, request.lifetime)
        if said is None:
            # never searched for, or no longer where it was
            self._description = await self._search()
            said = await self._call("open", request.port, held, request.lifetime)
        return said

    async def _close(self, port: int) -> None:
        held, self._held = self._held, 0
        await self._call("close", port, held, 0)

    async def _call(self, task: str, port: int, held: int, lease: int) -> dict[str, Any] | None:
        """Return the outcome of a task of the worker, which ends with this call; None if no router was found."""
        client = self._own_address() if self._description else None
        if self._description is None or client is None:
            return None
        arguments = self._description, self._address, client, str(port), str(held), str(lease)
        try:
            # -P: modules of this folder shall not stand in for others of the same name
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", str(Path(upnp_worker.__file__)), task, *arguments,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
        except OSError:
            return None
        try:
            output, _ = await process.communicate()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        with suppress(ValueError):  # it was ended, or has failed
            outcome = json.loads(output)
            return outcome if isinstance(outcome, dict) else None
        return None

    async def _search(self) -> str | None:
        """Return the URL of the router's description, if the router answers that it is a gateway."""
        own = self._own_address()
        if own is None:
            return None
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        try:
            transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
                lambda: _Search(self._address, answer), sock=_searching(own)
            )
        except OSError:
            return None
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._patience):
                    pause = self._pause
                    while not answer.done():
                        for target in _TARGETS:
                            # to the router as well: firewalls know its answer, and switches pass that on
                            transport.sendto(search(target), (_GROUP, PORT))
                            transport.sendto(search(target), (self._address, self._port))
                        await asyncio.wait({answer}, timeout=pause)
                        pause *= 2
            return answer.result() if answer.done() else None
        finally:
            transport.close()

    def _own_address(self) -> str | None:
        """Return the address of this machine that the router is to lead to; None if no way leads to the router."""
        if self._bind:
            return self._bind
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
                way.connect((self._address, self._port))
                return str(way.getsockname()[0])
        except OSError:
            return None


def _searching(own: str) -> socket.socket:
    """Return a socket that searches the network of the address `own`, and no further. Raises OSError."""
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        opened.setblocking(False)
        opened.bind((own, 0))
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
    except OSError:
        opened.close()
        raise
    return opened


class _Search(asyncio.DatagramProtocol):
    """A search on its way; `answer` becomes the URL of the description of the gateway at `router`."""

    def __init__(self, router: str, answer: "asyncio.Future[str]") -> None:
        self._router = router
        self._answer = answer

    def datagram_received(self, data: bytes, sender: tuple[str, int]) -> None:
        url = parse_description(data, self._router) if sender[0] == self._router else None
        if url and not self._answer.done():
            self._answer.set_result(url)
