"""Addresses that a guest types after `shanghaien join`, and that a host prints for its guest."""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from p2p_shanghaien.errors import LocalError, NetCode, UsageError

DEFAULT_PORT: Final = 48126
RELAY_PATH: Final = "/1"
RELAY_PORT: Final = 48127
"""The port of a relay that no web server stands before."""
MAX_PORT: Final = 65535

IP = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_ZONE = re.compile(r"[A-Za-z0-9._~-]+")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"  # the underscore is in no standard, but in many a machine's name
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")
_LOOKS_NUMERIC = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?")

_BROADCAST: Final = ipaddress.IPv4Address("255.255.255.255")

_LAN: Final = tuple(ipaddress.IPv4Network(network) for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
"""The private networks of RFC 1918. (`is_private` of the standard library holds many more.)"""

_WITHIN = re.compile(
    r"docker\d+|docker_gwbridge|br-[0-9a-f]{12}|veth.*|vethernet \(.*|virbr.*|vnet\d+|lxc.*|lxdbr.*|incusbr.*"
    r"|cni.*|podman.*|flannel.*|cali.*|cilium.*|weave.*|kube-.*|nodelocaldns|mpqemubr.*|waydroid.*|dummy.*"
    r"|vmnet.*|vmware.*|vboxnet.*|virtualbox.*|vmenet.*|bridge1\d\d",
    re.IGNORECASE,
)
"""Interfaces to containers and virtual machines on this machine, behind which there is no other machine."""

_IF_INET6 = Path("/proc/net/if_inet6")
_OSRELEASE = Path("/proc/sys/kernel/osrelease")
_PASSING: Final = 0x01 | 0x08 | 0x20 | 0x40  # IFA_F_TEMPORARY, _DADFAILED, _DEPRECATED, _TENTATIVE of linux/if_addr.h


@dataclass(frozen=True)
class Address:
    """An address at which a host can be reached.

    `host` is an IP address in its shortest form, with a zone only where it needs one (`fe80::1%eth0`), or a name in
    lower case; `port` is 1 to 65535. `str` gives the shortest text that `parse` turns into the same address.
    """

    host: str
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        return self.host if self.port == DEFAULT_PORT else f"{_bracketed(self.host)}:{self.port}"

    @property
    def uri(self) -> str:
        """The WebSocket URI. It contains no zone (which has a meaning on this machine only) and only ASCII letters."""
        host = self.host.partition("%")[0].encode("idna").decode("ascii")
        return f"ws://{_bracketed(host)}:{self.port}/"

    @property
    def link_local(self) -> bool:
        """Return whether it is a link-local IPv6 address, with a zone that each machine names itself."""
        ip = _ip(self.host)
        return ip is not None and ip.version == 6 and ip.is_link_local

    @property
    def is_private(self) -> bool:
        """Return whether it is an IP address that means nothing outside of its own network."""
        ip = _ip(self.host)
        return ip is not None and not ip.is_global

    @property
    def is_loopback(self) -> bool:
        """Return whether it is an IP address of this machine, whichever that is."""
        ip = _ip(self.host)
        return ip is not None and ip.is_loopback


def parse(text: str) -> Address:
    """The address meant by `text`: `192.168.1.20`, `name.local:5000`, `[fe80::1%eth0]:5000`, `::1`, `ws://name:5000/`.

    The port is DEFAULT_PORT where none is named, in a URI too. Raises UsageError: address_empty, address_scheme
    (`scheme`), address_user, address_path, address_brackets, address_port (`port`), address_name, address_ipv4,
    address_ipv6, address_zone, address_zone_missing, address_nobody; each with the `address` as it was typed.
    """
    rest = text.strip()
    scheme, separator, authority = rest.partition("://")
    if separator:
        if scheme.lower() != "ws":
            raise UsageError(NetCode.ADDRESS_SCHEME, address=text, scheme=scheme)
        # RFC 6874: in a URI, the sign before the zone is itself written %25.
        rest = re.sub(r"%25(?=[^\]])", "%", authority.removesuffix("/"))
    if "@" in rest:
        raise UsageError(NetCode.ADDRESS_USER, address=text)
    if re.search(r"[/?#]", rest):
        raise UsageError(NetCode.ADDRESS_PATH, address=text)

    port: str | None
    if rest.startswith("["):
        host, bracket, after = rest[1:].partition("]")
        if not bracket or ":" not in host or (after and not after.startswith(":")):
            raise UsageError(NetCode.ADDRESS_BRACKETS, address=text)
        port = after[1:] if after else None
    elif rest.count(":") > 1:
        host, port = rest, None
    else:
        host, colon, after = rest.partition(":")
        port = after if colon else None
    if not host:
        raise UsageError(NetCode.ADDRESS_EMPTY, address=text)
    return Address(_ipv6(host, text) if ":" in host else _name(host, text), _port(port, text))


@dataclass(frozen=True)
class RelayAddress:
    """The address of a relay: `text` as it was given, which leads there again, and its WebSocket URI."""

    text: str
    uri: str

    def __str__(self) -> str:
        return self.text


def parse_relay(text: str) -> RelayAddress:
    """Return the relay meant by `text`: a name, which is called by `wss`; `ws://NAME`; a private or loopback address.

    The port is 443 for `wss`, RELAY_PORT for `ws`, unless one is named. Raises UsageError as `parse`.
    """
    given = text.strip()
    scheme, separator, rest = given.partition("://")
    if separator and scheme.lower() not in ("ws", "wss"):
        raise UsageError(NetCode.RELAY_SCHEME, address=text, scheme=scheme)
    authority = (rest if separator else given).removesuffix("/")
    where = parse(authority)
    ip = _ip(where.host)
    is_plain = scheme.lower() == "ws" if separator else ip is not None and (ip.is_private or ip.is_loopback)
    names_port = bool(re.search(r"\]:|^[^:]*:[^:]*$", authority))
    port = where.port if names_port else RELAY_PORT if is_plain else 443
    host = where.host.partition("%")[0].encode("idna").decode("ascii")
    return RelayAddress(given, f"{'ws' if is_plain else 'wss'}://{_bracketed(host)}:{port}{RELAY_PATH}")


def reachable(bind: str | None, port: int) -> list[Address]:
    """The addresses at which another machine may reach a host that listens on `bind` (None: everywhere) and `port`.

    The private IPv4 addresses of the local network come first, then other IPv4, then IPv6. Empty where only this
    machine gets through. Link-local IPv6 addresses are given only where there is no other, for they cannot be printed
    as they are: the zone in them is ours, and the other machine must put its own. Raises LocalError as `listening`.
    """
    bound = None if bind is None else listening(bind)
    if bound is not None and not bound.is_unspecified:
        return [] if bound.is_loopback else [Address(str(bound), port)]
    found = [(rank, ip) for rank, ip, _ in _outward() if bound is None or ip.version == bound.version]
    found = [(rank, ip) for rank, ip in found if ip.version == 4 or not ip.is_link_local] or found
    ranked = sorted(found, key=lambda entry: entry[0])
    return [Address(str(ip), port) for ip in dict.fromkeys(ip for _, ip in ranked)]


def is_within_wsl() -> bool:
    """Return whether this is Linux within Windows, whose addresses are not reachable unless Windows shares its own."""
    try:
        return "microsoft" in _OSRELEASE.read_text(encoding="ascii").lower()
    except (OSError, UnicodeError):
        return False


def is_nearby() -> Callable[[Address], bool]:
    """Return a test for IP addresses: those in a network that an interface of this machine belongs to."""
    networks = [network for _, _, network in _outward()]

    def nearby(address: Address) -> bool:
        ip = _ip(address.host)
        return ip is not None and any(ip in network for network in networks if network.version == ip.version)

    return nearby


def listening(bind: str) -> IP:
    """The IP address to listen on for `bind`: that address, or the first one of this machine's name.

    Raises LocalError bind_unknown (`bind`) where it is neither.
    """
    ip = _ip(bind)
    if ip is None:
        try:
            ip = _ip(str(socket.getaddrinfo(bind, None, type=socket.SOCK_STREAM)[0][4][0]))
        except (OSError, ValueError):  # ValueError: not even the form of a name
            ip = None
    if ip is None:
        raise LocalError(NetCode.BIND_UNKNOWN, bind=bind)
    return ip


def plain(host: str) -> str:
    """Return a socket's address as we show it: an IPv4 address seen through an IPv6 socket as IPv4."""
    ip = _ip(host)
    return host if ip is None else str(ip)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _ip(text: str) -> IP | None:
    """`text` as an IP address, an IPv4 address in an IPv6 one taken out, a zone kept only where it means something."""
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return None
    if ip.version == 4:
        return ip
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    # getaddrinfo refuses a zone on anything else.
    return ip if ip.is_link_local else ipaddress.IPv6Address(int(ip))


def _ipv6(host: str, text: str) -> str:
    _, percent, zone = host.partition("%")
    if percent and not _ZONE.fullmatch(zone):
        raise UsageError(NetCode.ADDRESS_ZONE, address=text)
    ip = _ip(host)
    if ip is None:
        raise UsageError(NetCode.ADDRESS_IPV6, address=text)
    if ip.version == 6 and ip.is_link_local and not ip.scope_id:
        raise UsageError(NetCode.ADDRESS_ZONE_MISSING, address=text)
    return _somebodys(ip, text)


def _name(host: str, text: str) -> str:
    try:
        ascii_form = host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise UsageError(NetCode.ADDRESS_NAME, address=text) from None
    # resolvers take 10.1 for 10.0.0.1 and 010 for 8; a mistyped address must not lead to another machine
    if _LOOKS_NUMERIC.fullmatch(ascii_form):
        ip = _ip(ascii_form)
        if ip is None:
            raise UsageError(NetCode.ADDRESS_IPV4, address=text)
        return _somebodys(ip, text)
    if len(ascii_form) > 253 or not _NAME.fullmatch(ascii_form):
        raise UsageError(NetCode.ADDRESS_NAME, address=text)
    return host.lower()


def _somebodys(ip: IP, text: str) -> str:
    if ip.is_unspecified or ip.is_multicast or ip == _BROADCAST:
        raise UsageError(NetCode.ADDRESS_NOBODY, address=text)
    return str(ip)


def _port(digits: str | None, text: str) -> int:
    if digits is None:
        return DEFAULT_PORT
    if not re.fullmatch(r"[0-9]{1,5}", digits) or not 1 <= int(digits) <= MAX_PORT:
        raise UsageError(NetCode.ADDRESS_PORT, address=text, port=digits)
    return int(digits)


def _outward() -> Iterator[tuple[int, IP, Network]]:
    """Yield the permanent addresses of the interfaces to other machines.

    Each comes with its rank (the lowest is best) and with its network.
    """
    cards = psutil.net_if_stats()
    passing = _passing()
    for name, entries in psutil.net_if_addrs().items():
        card = cards.get(name) or cards.get(name.partition(":")[0])  # eth0:1 is a second address of eth0
        if card is None or not card.isup or _WITHIN.fullmatch(name):
            continue
        flags = card.flags.split(",")
        if "loopback" in flags:
            continue
        for entry in entries:
            ip = _ip(entry.address) if entry.family in (socket.AF_INET, socket.AF_INET6) else None
            if ip is None or ip.is_loopback:
                continue
            if ip.version == 6:
                if int(ip) not in passing:
                    yield 2, ip, _network(ip, entry.netmask)
            elif "pointopoint" not in flags and any(ip in network for network in _LAN):
                yield 0, ip, _network(ip, entry.netmask)
            else:  # among them the private address of a VPN, which is point to point
                yield 1, ip, _network(ip, entry.netmask)


def _network(ip: IP, netmask: str | None) -> Network:
    """Return the network of an interface with this address; only the address if the system gives no mask."""
    mask = netmask and _ip(netmask)
    length = int(mask).bit_count() if mask else ip.max_prefixlen
    kind = ipaddress.IPv4Network if ip.version == 4 else ipaddress.IPv6Network
    return kind((int(ip), length), strict=False)


def _passing() -> frozenset[int]:
    """Return the deprecated and tentative IPv6 addresses, as integers; none if the system does not say."""
    try:
        lines = _IF_INET6.read_text(encoding="ascii").splitlines()
    except OSError:
        return frozenset()
    fields = [line.split() for line in lines]
    return frozenset(int(address, 16) for address, _, _, _, flags, _ in fields if int(flags, 16) & _PASSING)
