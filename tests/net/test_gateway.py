"""The default gateway, by what each system says."""

import sys
from ipaddress import IPv4Address, IPv6Address

import pytest

from p2p_shanghaien.net.gateway import (
    default_gateway,
    default_gateway_ipv6,
    from_linux,
    from_linux_ipv6,
    from_macos,
    from_macos_ipv6,
    from_windows,
    from_windows_ipv6,
)

pytestmark = pytest.mark.skipif(sys.byteorder == "big", reason="the tables were captured on little-endian machines")

TITLE = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
ETHERNET = "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
WIFI = "wlan0\t00000000\tFE01A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
LAN = "eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
VPN = "wg0\t00000000\t00000000\t0001\t0\t0\t50\t00000000\t0\t0\t0\n"
HALF = "tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n"
DOWN = "eth1\t00000000\t0102A8C0\t0002\t0\t0\t0\t00000000\t0\t0\t0\n"


@pytest.mark.parametrize(
    ("routes", "gateway"),
    [
        ("", None),
        (LAN, None),
        (LAN + ETHERNET, "192.168.1.1"),
        (WIFI + ETHERNET + LAN, "192.168.1.1"),
        (WIFI + HALF + DOWN, "192.168.1.254"),
        (ETHERNET + VPN, None),
    ],
    ids=["none", "local", "one", "best", "usable", "vpn"],
)
def test_linux(routes: str, gateway: str | None) -> None:
    assert from_linux(TITLE + routes) == gateway


TO_LAN_6 = (
    f"2a0104f8000100020000000000000000 40 {'0' * 32} 00 {'0' * 32} 00000100 00000001 00000000 00000001     eth0\n"
)
VIA_6 = f"{'0' * 32} 00 {'0' * 32} 00 fe800000000000006052bafffe99677f 00000400 00000001 00000000 00450003     eth0\n"
VPN_6 = f"{'0' * 32} 00 {'0' * 32} 00 {'0' * 32} 00000040 00000001 00000000 00000001     wg0\n"
NOWHERE_6 = f"{'0' * 32} 00 {'0' * 32} 00 {'0' * 32} ffffffff 00000001 00000000 00200200       lo\n"
GLOBAL_6 = VIA_6.replace("fe80", "2a01")


@pytest.mark.parametrize(
    ("routes", "gateway"),
    [
        ("", None),
        (TO_LAN_6 + NOWHERE_6, None),
        (TO_LAN_6 + VIA_6 + NOWHERE_6, "fe80::6052:baff:fe99:677f%eth0"),
        (GLOBAL_6, "2a01::6052:baff:fe99:677f"),
        (VIA_6 + VPN_6, None),
    ],
    ids=["none", "local", "usual", "global", "vpn"],
)
def test_linux_ipv6(routes: str, gateway: str | None) -> None:
    assert from_linux_ipv6(routes) == gateway


MACOS = """\
   route to: default
destination: default
       mask: default
    gateway: 192.168.1.1
  interface: en0
      flags: <UP,GATEWAY,DONE,STATIC,PRCLONING,GLOBAL>
 recvpipe  sendpipe  ssthresh  rtt,msec    rttvar  hopcount      mtu     expire
       0         0         0         0         0         0      1500         0
"""


def test_macos() -> None:
    assert from_macos(MACOS) == "192.168.1.1"
    assert from_macos("") is None
    with pytest.raises(ValueError, match="utun4"):
        from_macos(MACOS.replace("192.168.1.1", "utun4"))


def test_macos_ipv6() -> None:
    assert from_macos_ipv6(MACOS.replace("192.168.1.1", "fe80::1%en0")) == "fe80::1%en0"
    assert from_macos_ipv6("") is None


WINDOWS = """\
===========================================================================
IPv4-Routentabelle
===========================================================================
Aktive Routen:
     Netzwerkziel    Netzwerkmaske          Gateway    Schnittstelle Metrik
          0.0.0.0          0.0.0.0    192.168.1.254     192.168.1.30     50
          0.0.0.0          0.0.0.0      192.168.1.1     192.168.1.20     25
===========================================================================
St\ufffdndige Routen:
  Keine
"""


def test_windows() -> None:
    assert from_windows(WINDOWS) == "192.168.1.1"
    on_link = WINDOWS.replace("192.168.1.254", "Auf Verbindung").replace("192.168.1.1 ", "Auf Verbindung ")
    assert from_windows(on_link) is None
    assert from_windows("") is None


WINDOWS_6 = """\
IPv6-Routentabelle
===========================================================================
Aktive Routen:
 If Metrik Netzwerkziel             Gateway
 25    281 ::/0                     fe80::1
 12     50 ::/0                     fe80::2
  1    331 ::1/128                  Auf Verbindung
"""


def test_windows_ipv6() -> None:
    assert from_windows_ipv6(WINDOWS_6) == "fe80::2%12"
    assert from_windows_ipv6("") is None


async def test_this_machine() -> None:
    gateway, gateway_ipv6 = await default_gateway(), await default_gateway_ipv6()
    assert gateway is None or IPv4Address(gateway)
    assert gateway_ipv6 is None or IPv6Address(gateway_ipv6)


async def test_a_system_that_is_not_known() -> None:
    assert await default_gateway("plan9") is None
    assert await default_gateway_ipv6("plan9") is None
