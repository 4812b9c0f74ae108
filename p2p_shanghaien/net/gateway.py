"""The default gateways of this machine: the routers through which it reaches the internet, by IPv4 and by IPv6."""

import asyncio
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final

_ROUTES: Final = Path("/proc/net/route")
_ROUTES_IPV6: Final = Path("/proc/net/ipv6_route")
_UP_BY_GATEWAY: Final = 0x1 | 0x2  # RTF_UP and RTF_GATEWAY of linux/route.h
_SECONDS: Final = 5.0


async def default_gateway(system: str = sys.platform) -> str | None:
    """Return its IPv4 address; None if there is none, or if the system does not say."""
    with suppress(OSError, ValueError):  # OSError: among them TimeoutError
        if system == "linux":
            return from_linux(_ROUTES.read_text(encoding="ascii"))
        if system == "darwin":
            return from_macos(await _output("/sbin/route", "-n", "get", "default"))
        if system == "win32":
            return from_windows(await _output(_windows_route(), "print", "-4", "0.0.0.0"))  # noqa: S104 - not listened on
    return None


async def default_gateway_ipv6(system: str = sys.platform) -> str | None:
    """Return its IPv6 address, with a zone if it is link-local, as it usually is; None as `default_gateway`."""
    with suppress(OSError, ValueError):
        if system == "linux":
            return from_linux_ipv6(_ROUTES_IPV6.read_text(encoding="ascii"))
        if system == "darwin":
            return from_macos_ipv6(await _output("/sbin/route", "-n", "get", "-inet6", "default"))
        if system == "win32":
            return from_windows_ipv6(await _output(_windows_route(), "print", "-6"))
    return None


def from_linux(table: str) -> str | None:
    """Return the gateway by /proc/net/route; None if the best default route has none, as that of a VPN.

    Raises ValueError for another text.
    """
    best: tuple[int, str | None] | None = None
    for line in table.splitlines()[1:]:
        _, destination, gateway, flags, _, _, metric, mask, *_ = line.split()
        if int(destination, 16) or int(mask, 16) or not int(flags, 16) & 1:
            continue
        is_by_gateway = int(flags, 16) & _UP_BY_GATEWAY == _UP_BY_GATEWAY
        # the kernel prints a number of network byte order as one of its own
        router = str(IPv4Address(int(gateway, 16).to_bytes(4, sys.byteorder))) if is_by_gateway else None
        if best is None or int(metric) < best[0]:
            best = int(metric), router
    return best and best[1]


def from_linux_ipv6(table: str) -> str | None:
    """Return the gateway by /proc/net/ipv6_route, as `from_linux`. Raises ValueError for another text."""
    best: tuple[int, str | None] | None = None
    for line in table.splitlines():
        destination, length, _, _, gateway, metric, _, _, flags, interface = line.split()
        # the kernel keeps a route of its own to nowhere, at the loopback interface
        if int(destination, 16) or int(length, 16) or not int(flags, 16) & 1 or interface == "lo":
            continue
        is_by_gateway = int(flags, 16) & _UP_BY_GATEWAY == _UP_BY_GATEWAY
        router = _zoned(IPv6Address(int(gateway, 16)), interface) if is_by_gateway else None
        if best is None or int(metric, 16) < best[0]:
            best = int(metric, 16), router
    return best and best[1]


def from_macos(output: str) -> str | None:
    """Return the gateway by the output of `route -n get default`. Raises ValueError for an address of another kind."""
    found = re.search(r"^\s*gateway:\s*(\S+)", output, re.MULTILINE)
    return str(IPv4Address(found[1])) if found else None


def from_windows(output: str) -> str | None:
    """Return the gateway by the output of `route print -4 0.0.0.0`, whose words are in the system's language."""
    address = r"(\d+\.\d+\.\d+\.\d+)"
    routes = re.findall(rf"^\s*0\.0\.0\.0\s+0\.0\.0\.0\s+{address}\s+{address}\s+(\d+)\s*$", output, re.MULTILINE)
    best: Sequence[str] = min(routes, key=lambda route: int(route[2]), default=())
    return str(IPv4Address(best[0])) if best else None


def from_macos_ipv6(output: str) -> str | None:
    """Return the gateway by the output of `route -n get -inet6 default`, as `from_macos`."""
    found = re.search(r"^\s*gateway:\s*(\S+)", output, re.MULTILINE)
    return str(IPv6Address(found[1])) if found else None


def from_windows_ipv6(output: str) -> str | None:
    """Return the gateway by the output of `route print -6`, whose rows name interface, metric, network and gateway."""
    routes = re.findall(r"^\s*(\d+)\s+(\d+)\s+::/0\s+([0-9a-f:]+)\s*$", output, re.MULTILINE)
    best: Sequence[str] = min(routes, key=lambda route: int(route[1]), default=())
    return _zoned(IPv6Address(best[2]), best[0]) if best else None


def _zoned(address: IPv6Address, interface: str) -> str:
    return f"{address}%{interface}" if address.is_link_local else str(address)


def _windows_route() -> str:
    return str(Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "System32" / "route.exe")


async def _output(*command: str) -> str:
    """Return the output of a program of the system. Raises OSError."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(_SECONDS):
            output, _ = await process.communicate()
    except BaseException:
        with suppress(ProcessLookupError):
            process.kill()
        raise
    return output.decode("ascii", "replace")
