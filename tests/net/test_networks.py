"""Hosts and guests on machines of their own, with real cables between them: network namespaces made by each test."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests import needs
from tests.net.machines import Hosting, Machine
from tests.sweeps import sweep

HERE = sys.platform == "linux" and os.geteuid() == 0 and all(map(shutil.which, ("ip", "unshare", "nsenter")))

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.skipif(not HERE and not needs.COMPLETE, reason="needs Linux, root, and the ip command of iproute2"),
]


@pytest.fixture
def machine() -> Iterator[Callable[[], Machine]]:
    """Makes machines, and takes them away after the test."""
    with ExitStack() as machines:
        yield lambda: machines.enter_context(Machine())


@pytest.fixture
def pair(machine: Callable[[], Machine]) -> tuple[Machine, Machine]:
    """Two laptops with one cable, `eth0` at the host and `lan7` at the guest."""
    host, guest = machine(), machine()
    host.cable("eth0", guest, "lan7")
    host.ip("address add 192.168.77.1/24 dev eth0")
    guest.ip("address add 192.168.77.2/24 dev lan7")
    return host, guest


def link_local(machine: Machine, card: str) -> str:
    """Return the address that the kernel gave to `card` by itself."""
    return machine.ip(f"-6 -oneline address show dev {card} scope link").split()[3].partition("/")[0]


def printed(machine: Machine, bind: str = "") -> list[str]:
    return [address for address, _ in machine.ask("addresses", bind)]


def test_every_printed_address_serves_and_there_is_no_other(machine: Callable[[], Machine]) -> None:
    host, guest, container = machine(), machine(), machine()
    # A card with three addresses, one under an alias, and one that is not to be used any more.
    host.cable("eth0", guest, "lan7")
    for address in ("192.168.77.1/24", "10.77.0.1/24 label eth0:1", "203.0.113.1/24", "fd77::1/64"):
        host.ip(f"address add {address} dev eth0")
    host.ip("address add 2001:db8::dead/64 dev eth0 preferred_lft 0")
    # A bridge that leads out of the machine, as on many a server.
    host.ip("link add br0 type bridge")
    host.cable("eth1", guest, "lan8")
    host.ip("link set eth1 master br0")
    host.ip("link set br0 up")
    host.ip("address add 172.20.0.1/16 dev br0")
    # A VPN.
    host.cable("wg0", guest, "wg0")
    host.ip("address add 100.64.0.1/24 dev wg0")
    # Two laptops on one more cable, without any configuration.
    host.cable("eth2", guest, "lan9")
    host.ip("address add 169.254.9.1/16 dev eth2")
    # And what leads nowhere: containers, a card switched off, one without a cable, a tunnel that nobody has opened.
    for bridge, address in (
        ("docker0", "172.17.0.1/16"),
        ("br-0123456789ab", "172.18.0.1/16"),
        ("virbr0", "192.168.122.1/24"),
    ):
        host.ip(f"link add {bridge} type bridge")
        host.cable(f"veth{bridge[:8]}", container, f"in{bridge[:8]}")
        host.ip(f"link set veth{bridge[:8]} master {bridge}")
        host.ip(f"link set {bridge} up")
        host.ip(f"address add {address} dev {bridge}")
    host.cable("off0", guest, "off0")
    host.ip("address add 192.168.90.1/24 dev off0")
    host.ip("link set off0 down")
    host.cable("unplugged0", guest, "unplugged0")
    host.ip("address add 192.168.91.1/24 dev unplugged0")
    guest.ip("link set unplugged0 down")
    host.ip("address add 10.99.0.1/32 dev lo")
    host.ip("tuntap add tun0 mode tun")
    host.ip("link set tun0 up")
    host.ip("address add 10.9.0.1/24 dev tun0")
    for card, address in (
        ("lan7", "192.168.77.2/24"), ("lan7", "10.77.0.2/24"), ("lan7", "203.0.113.2/24"), ("lan7", "fd77::2/64"),
        ("lan8", "172.20.0.2/16"), ("wg0", "100.64.0.2/24"), ("lan9", "169.254.9.2/16"),
    ):  # fmt: skip
        guest.ip(f"address add {address} dev {card}")

    found = printed(host)
    assert sorted(found[:3]) == ["10.77.0.1:5000", "172.20.0.1:5000", "192.168.77.1:5000"]
    assert sorted(found[3:6]) == ["100.64.0.1:5000", "169.254.9.1:5000", "203.0.113.1:5000"]
    assert found[6:] == ["[fd77::1]:5000"]
    assert printed(host, "0.0.0.0") == found[:6]
    assert printed(host, "::") == found[6:]
    assert printed(host, "172.17.0.1") == ["172.17.0.1:5000"]
    assert printed(host, "127.0.0.1") == []

    with Hosting(host, "host", "", 5000):
        assert guest.ask("join", 5, *found) == ["served"] * 7
        decoys = [
            "172.17.0.1:5000",
            "172.18.0.1:5000",
            "192.168.122.1:5000",
            "192.168.90.1:5000",
            "10.9.0.1:5000",
            "10.99.0.1:5000",
        ]
        assert guest.ask("join", 5, *decoys) == [["unreachable", {"address": decoy}] for decoy in decoys]


@pytest.mark.thorough
def test_two_machines_with_nothing_but_link_local_addresses(machine: Callable[[], Machine]) -> None:
    host, guest = machine(), machine()
    host.cable("eth0", guest, "lan7")
    address = link_local(host, "eth0")
    assert host.ask("addresses", "") == [[f"[{address}%eth0]:5000", True]]
    assert host.ask("addresses", f"{address}%eth0") == [[f"[{address}%eth0]:5000", True]]
    for bind in ("", "::", f"{address}%eth0"):
        with Hosting(host, "host", bind, 0) as hosting:
            typed = [f"[{address}%lan7]:{hosting.port}", f"ws://[{address}%25lan7]:{hosting.port}/"]
            assert guest.ask("join", 5, *typed) == ["served", "served"]
            # The host's own word for its card means nothing on this side.
            wrong = f"[{address}%eth0]:{hosting.port}"
            assert guest.ask("join", 5, wrong) == [["zone_unknown", {"address": wrong}]]


def test_a_machine_without_any_network_has_no_address_for_others(machine: Callable[[], Machine]) -> None:
    alone = machine()
    assert printed(alone) == []
    with Hosting(alone, "host", "", 5000):
        assert alone.ask("join", 5, "127.0.0.1:5000", "[::1]:5000", "localhost:5000") == ["served"] * 3


@pytest.mark.thorough
def test_a_machine_with_ipv6_switched_off_hosts_on_ipv4(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    host.set("net.ipv6.conf.all.disable_ipv6", 1)
    assert printed(host) == ["192.168.77.1:5000"]
    with Hosting(host, "host", "", 5000):
        assert guest.ask("join", 5, "192.168.77.1:5000") == ["served"]


def test_a_host_bound_to_one_card_is_not_reached_through_another(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    host.ip("address add 192.168.77.8/24 dev eth0")
    with Hosting(host, "host", "192.168.77.8", 5000):
        assert guest.ask("join", 5, "192.168.77.8:5000", "192.168.77.1:5000") == [
            "served",
            ["connection_refused", {"address": "192.168.77.1:5000"}],
        ]


@pytest.mark.thorough
def test_what_stands_between_two_machines_is_told_apart(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    guest.ip("route add prohibit 192.168.99.0/24")
    said = dict(
        zip(
            typed := ["192.168.77.1:5000", "198.51.100.1", "192.168.77.66", "192.168.99.1", "nobody.invalid"],
            guest.ask("join", 10, *typed),
            strict=True,
        )
    )
    assert said["192.168.77.1:5000"][0] == "connection_refused"
    assert said["198.51.100.1"][0] == "unreachable"  # no way there
    assert said["192.168.77.66"][0] == "unreachable"  # a way, and no such machine at its end
    assert said["192.168.99.1"] == ["cannot_connect", {"address": "192.168.99.1", "reason": "Permission denied"}]
    assert said["nobody.invalid"][0] == "name_not_found"
    host.ip("link set eth0 down")
    assert guest.ask("join", 0.5, "192.168.77.1:5000")[0][0] in ("connection_timed_out", "unreachable")


def test_a_machine_that_swallows_everything_is_given_up_in_time(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    host.ip("route add blackhole 192.168.77.2/32")  # so its answers never leave
    started = time.monotonic()
    assert guest.ask("join", 1, "192.168.77.1:5000") == [["connection_timed_out", {"address": "192.168.77.1:5000"}]]
    assert time.monotonic() - started < 4


@pytest.mark.thorough
@sweep(
    "ping, user_timeout, expected",
    [(1, 0, ["ping_timeout", {}]), (10, 300, ["network_error", {"reason": "Connection timed out"}])],
    every=2,
)
def test_a_cut_cable_is_noticed(
    pair: tuple[Machine, Machine], ping: int, user_timeout: int, expected: list[object]
) -> None:
    host, guest = pair
    with (
        Hosting(host, "losing_host", ping, user_timeout) as hosting,
        Hosting(guest, "guest", f"192.168.77.1:{hosting.port}"),
    ):
        guest.ip("link set lan7 down")
        *lost, seconds = hosting.says()
    assert lost == expected
    assert seconds < 6


def test_a_port_that_only_root_may_use(machine: Callable[[], Machine]) -> None:
    assert machine().ask("listen", 65534, 80) == ["port_forbidden", {"port": 80}]
