"""The default gateway, by what each system says."""

import sys
from ipaddress import IPv4Address

import pytest

from p2p_shanghaien.net.gateway import default_gateway, from_linux, from_macos, from_windows

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


async def test_this_machine() -> None:
    gateway = await default_gateway()
    assert gateway is None or IPv4Address(gateway)


async def test_a_system_that_is_not_known() -> None:
    assert await default_gateway("plan9") is None
