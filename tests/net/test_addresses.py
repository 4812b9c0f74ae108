"""Addresses that users type, and those that are printed for the other player."""

import ipaddress
import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from websockets.uri import parse_uri

from p2p_shanghaien.errors import LocalError, UsageError
from p2p_shanghaien.net import addresses
from p2p_shanghaien.net.addresses import DEFAULT_PORT, Address, parse, parse_relay, plain, reachable
from p2p_shanghaien.ui.words import say
from tests.sweeps import together

ACCEPTED = {
    "192.168.1.20": ("192.168.1.20", DEFAULT_PORT),
    "192.168.1.20:5000": ("192.168.1.20", 5000),
    "  192.168.1.20\n": ("192.168.1.20", DEFAULT_PORT),
    "name.local:5000": ("name.local", 5000),
    "NAME.local": ("name.local", DEFAULT_PORT),
    "name.example.": ("name.example.", DEFAULT_PORT),
    "my_pc": ("my_pc", DEFAULT_PORT),
    "4you.example": ("4you.example", DEFAULT_PORT),
    "köln.local": ("köln.local", DEFAULT_PORT),
    "上海.example:1": ("上海.example", 1),
    "xn--kln-sna.local:65535": ("xn--kln-sna.local", 65535),
    "::1": ("::1", DEFAULT_PORT),
    "[::1]": ("::1", DEFAULT_PORT),
    "[::1]:5000": ("::1", 5000),
    "2001:DB8:0:0::20": ("2001:db8::20", DEFAULT_PORT),
    "fe80::1%eth0": ("fe80::1%eth0", DEFAULT_PORT),
    "[FE80::1%eth0]:5000": ("fe80::1%eth0", 5000),
    "fe80::1%7": ("fe80::1%7", DEFAULT_PORT),
    "::ffff:192.168.1.20": ("192.168.1.20", DEFAULT_PORT),
    "::1%lo": ("::1", DEFAULT_PORT),  # getaddrinfo refuses a zone where none is needed
    "ws://192.168.1.20:5000": ("192.168.1.20", 5000),
    "ws://192.168.1.20:5000/": ("192.168.1.20", 5000),
    "WS://name.local": ("name.local", DEFAULT_PORT),
    "ws://[::1]:5000/": ("::1", 5000),
    "ws://[fe80::1%eth0]:5000/": ("fe80::1%eth0", 5000),
    "ws://[fe80::1%25eth0]:5000/": ("fe80::1%eth0", 5000),  # RFC 6874
    "ws://[fe80::1%25]": ("fe80::1%25", DEFAULT_PORT),
    "192。168。1。20": ("192.168.1.20", DEFAULT_PORT),
}

REFUSED = {
    "address_empty": ["", " \t", ":5000", "ws://", "ws:///", "ws://:5000"],
    "address_scheme": ["wss://name.local", "http://name.local/", "tcp://192.168.1.20", "://name.local"],
    "address_user": ["me@name.local", "ws://me:secret@name.local:5000/"],
    "address_path": ["name.local/", "192.168.1.0/24", "ws://name.local/game", "ws://name.local//", "ws://name.local?x=1",
                     "ws://name.local:5000/#x"],
    "address_brackets": ["[::1", "[::1]5000", "[::1]x:5000", "[192.168.1.20]:5000", "[name.local]", "[]:5000"],
    "address_port": ["name.local:", "name.local:0", "name.local:65536", "name.local:-1", "name.local:5e3",
                     "name.local:٣٣", "name.local: 5", "[::1]:", "[::1]:x", "name.local:00000000005000"],
    "address_name": ["a b", "name..local", "-name", "name-", ".local", ".", "!", "a" * 64, "a." * 127 + "a",
                     "name\x1b[2J", "name\x00", "℀.example", "192.168.1.20%eth0", "name.local%eth0", "*", "\ud800"],
    "address_ipv4": ["192.168.1", "192.168.1.256", "192.168.001.20", "1.2.3.4.5", "5000", "0x7f000001", "127.0x1",
                     "name.1", "1.2.3.4."],
    "address_ipv6": ["1:2:3", "::1::", "12345::", "name:local:5000", "192.168.1.20:5000:1", ":::", "[::g]:5000"],
    "address_zone": ["fe80::1%", "fe80::1%eth0:5000", "fe80::1%a b", "fe80::1%eth0%eth1", "[fe80::1%eth\x00]:5000"],
    "address_zone_missing": ["fe80::1", "[fe80::1]:5000", "febf::9"],
    "address_nobody": ["0.0.0.0", "::", "[::]:5000", "224.0.0.251", "ff02::1%eth0", "255.255.255.255"],
}  # fmt: skip


@together(("text", "expected"), ACCEPTED.items())
def test_an_address_is_understood(text: str, expected: tuple[str, int]) -> None:
    assert parse(text) == Address(*expected)


@together(("code", "text"), [(code, text) for code, texts in REFUSED.items() for text in texts])
def test_nonsense_is_refused_for_what_is_wrong_with_it(code: str, text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse(text)
    assert refused.value.code == code
    assert refused.value.details["address"] == text


def test_what_is_wrong_is_quoted() -> None:
    with pytest.raises(UsageError) as refused:
        parse("wss://name.local")
    assert refused.value.details["scheme"] == "wss"
    with pytest.raises(UsageError) as refused:
        parse("name.local:99999")
    assert refused.value.details["port"] == "99999"


@pytest.mark.parametrize(
    ("address", "text", "uri"),
    [
        (Address("192.168.1.20"), "192.168.1.20", "ws://192.168.1.20:48126/"),
        (Address("192.168.1.20", 5000), "192.168.1.20:5000", "ws://192.168.1.20:5000/"),
        (Address("::1"), "::1", "ws://[::1]:48126/"),
        (Address("::1", 5000), "[::1]:5000", "ws://[::1]:5000/"),
        (Address("fe80::1%eth0"), "fe80::1%eth0", "ws://[fe80::1]:48126/"),
        (Address("fe80::1%eth0", 80), "[fe80::1%eth0]:80", "ws://[fe80::1]:80/"),
        (Address("köln.local"), "köln.local", "ws://xn--kln-sna.local:48126/"),
    ],
)
def test_an_address_is_written_as_short_as_it_can_be_typed(address: Address, text: str, uri: str) -> None:
    assert str(address) == text
    assert address.uri == uri


ports = st.integers(1, 65535) | st.just(DEFAULT_PORT)
zones = st.from_regex(r"[A-Za-z0-9._~-]{1,15}", fullmatch=True)
ipv4 = st.ip_addresses(v=4).map(str)
ipv6 = st.ip_addresses(v=6).map(str) | st.ip_addresses(network="fe80::/10").map(str)
names = st.lists(st.text("aZ09-_äßİςΣ上ー", min_size=1, max_size=12), min_size=1, max_size=4).map(".".join)
hosts = ipv4 | names | st.builds(lambda ip, zone: ip + zone, ipv6, st.just("") | zones.map("%".__add__))


def typed(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@given(st.builds(typed, hosts, ports) | hosts | st.text())
@example("İ.Example:1")
@example("fe80::%250")
def test_what_is_understood_is_understood_again_as_it_is_written(text: str) -> None:
    try:
        address = parse(text)
    except UsageError:
        return
    assert parse(str(address)) == address
    assert parse(f"ws://{typed(address.host.replace('%', '%25'), address.port)}/") == address  # RFC 6874
    assert len(str(address)) <= len(typed(address.host, address.port))
    uri = parse_uri(address.uri)
    assert (uri.port, uri.path, uri.secure) == (address.port, "/", False)
    assert address.uri.isascii()
    assert "%" not in address.uri


@given(ipv4 | st.ip_addresses(v=6).map(str), ports)
def test_every_ip_address_that_one_machine_can_have_is_understood(host: str, port: int) -> None:
    ip = ipaddress.ip_address(plain(host))
    assume(not ip.is_unspecified and not ip.is_multicast and str(ip) != "255.255.255.255")
    assume(ip.version == 4 or not ip.is_link_local)
    assert parse(typed(host, port)) == Address(plain(host), port)


@pytest.mark.parametrize(
    ("address", "link_local"),
    [
        ("fe80::1%eth0", True),
        ("febf::1%2", True),
        ("fec0::1", False),
        ("::1", False),
        ("169.254.1.1", False),
        ("a", False),
    ],
)
def test_a_link_local_address_is_known_as_one(address: str, link_local: bool) -> None:
    assert parse(address).link_local is link_local


def test_a_sockets_own_word_is_made_plain() -> None:
    assert plain("::ffff:192.168.1.20") == "192.168.1.20"
    assert plain("2001:db8::1") == "2001:db8::1"


# --- what to print for the other person ------------------------------------------------------------------------------

UP = "up,broadcast,running,multicast"
TUNNEL = "up,pointopoint,running,noarp,multicast"


class Machine:
    """A machine with the interfaces that a test gives it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.addresses: dict[str, list[Any]] = {}
        self.cards: dict[str, Any] = {}
        self.if_inet6 = tmp_path / "if_inet6"
        monkeypatch.setattr(psutil, "net_if_addrs", lambda: self.addresses)
        monkeypatch.setattr(psutil, "net_if_stats", lambda: self.cards)
        monkeypatch.setattr(addresses, "_IF_INET6", self.if_inet6)
        self.has("lo", "127.0.0.1", "::1", flags="up,loopback,running")

    def has(self, name: str, *ips: str, up: bool = True, flags: str = UP) -> None:
        self.addresses[name] = [SimpleNamespace(family=psutil.AF_LINK, address="02:00:00:00:00:01", netmask=None)]
        for ip in ips:
            family = socket.AF_INET6 if ":" in ip else socket.AF_INET
            self.addresses[name].append(SimpleNamespace(family=family, address=ip, netmask=None))
        self.cards[name] = SimpleNamespace(isup=up, flags=flags)

    def tells(self, *lines: str) -> None:
        self.if_inet6.write_text("".join(line + "\n" for line in lines))

    def prints(self, bind: str | None = None) -> list[str]:
        return [str(address) for address in reachable(bind, DEFAULT_PORT)]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    return Machine(monkeypatch, tmp_path)


def test_a_machine_on_a_home_network(machine: Machine) -> None:
    machine.has("wlan0", "192.168.1.20", "2001:db8::20", "fe80::20%wlan0")
    assert machine.prints() == ["192.168.1.20", "2001:db8::20"]
    assert reachable(None, 5000) == [Address("192.168.1.20", 5000), Address("2001:db8::20", 5000)]


def test_a_machine_without_a_network(machine: Machine) -> None:
    assert machine.prints() == []


@pytest.mark.parametrize(
    "name",
    ["docker0", "docker_gwbridge", "br-0123456789ab", "vethab12cd3", "virbr0", "lxcbr0", "lxdbr0", "cni0", "podman1",
     "vmnet8", "vboxnet0", "cali12345678901", "flannel.1", "vEthernet (Default Switch)",
     "VMware Network Adapter VMnet1", "vmenet0", "bridge100"],
)  # fmt: skip
def test_no_address_towards_containers_and_virtual_machines(machine: Machine, name: str) -> None:
    machine.has(name, "172.17.0.1", "fd00:17::1")
    machine.has("eth0", "192.168.1.20")
    assert machine.prints() == ["192.168.1.20"]


@pytest.mark.parametrize(
    "name", ["br0", "br-lan", "bridge0", "bond0", "eth0.100", "Ethernet 2", "wlp0s20f3", "en0", "ap0"]
)
def test_bridges_and_cards_to_the_outside_count(machine: Machine, name: str) -> None:
    machine.has(name, "192.168.1.20")
    assert machine.prints() == ["192.168.1.20"]


def test_no_address_of_an_interface_that_is_down_or_without_carrier_or_unknown(machine: Machine) -> None:
    machine.has("eth0", "192.168.1.20", up=False, flags="up,broadcast,multicast")
    machine.has("eth1", "192.168.2.20")
    del machine.cards["eth1"]
    assert machine.prints() == []


def test_no_address_of_the_loopback_interface(machine: Machine) -> None:
    machine.has("lo", "127.0.0.1", "10.99.0.1", "fd99::1", flags="up,loopback,running")
    assert machine.prints() == []


def test_a_second_address_under_an_alias_counts(machine: Machine) -> None:
    machine.has("eth0", "192.168.1.20")
    machine.has("eth0:1", "192.168.1.21")
    del machine.cards["eth0:1"]
    assert machine.prints() == ["192.168.1.20", "192.168.1.21"]


def test_the_local_network_first_then_other_ipv4_then_ipv6(machine: Machine) -> None:
    machine.has("wg0", "10.8.0.2", flags=TUNNEL)
    machine.has("tailscale0", "100.101.102.103", "fd7a:115c:a1e0::1", flags=TUNNEL)
    machine.has("eth1", "203.0.113.5", "2001:db8::5")
    machine.has("eth0", "169.254.7.7")
    machine.has("wlan0", "192.168.1.20")
    machine.has("eth2", "10.1.2.3")
    machine.has("eth3", "172.31.2.3")
    found = machine.prints()
    assert found[:3] == ["192.168.1.20", "10.1.2.3", "172.31.2.3"]
    assert set(found[3:7]) == {"10.8.0.2", "100.101.102.103", "203.0.113.5", "169.254.7.7"}
    assert set(found[7:]) == {"fd7a:115c:a1e0::1", "2001:db8::5"}


def test_link_local_only_where_there_is_nothing_else(machine: Machine) -> None:
    machine.has("eth0", "fe80::20%eth0")
    (address,) = reachable(None, DEFAULT_PORT)
    assert str(address) == "fe80::20%eth0"
    assert address.link_local
    machine.has("eth1", "169.254.7.7")
    assert machine.prints() == ["169.254.7.7"]
    assert machine.prints("::") == ["fe80::20%eth0"]


@pytest.mark.parametrize(("flags", "lasts"), [("00", True), ("80", True), ("82", True), ("01", False), ("21", False),
                                              ("20", False), ("40", False), ("08", False), ("c0", False)])  # fmt: skip
def test_no_ipv6_address_that_is_temporary_deprecated_or_not_yet_sure(
    machine: Machine, flags: str, lasts: bool
) -> None:
    machine.has("eth0", "2001:db8::20", "2001:db8::21")
    machine.tells(
        f"20010db8000000000000000000000020 02 40 00 {flags}     eth0",
        "20010db8000000000000000000000021 02 40 00 80     eth0",
    )
    assert machine.prints() == (["2001:db8::20"] if lasts else []) + ["2001:db8::21"]


def test_an_address_on_two_interfaces_is_printed_once(machine: Machine) -> None:
    machine.has("eth0", "192.168.1.20")
    machine.has("wlan0", "192.168.1.20")
    assert machine.prints() == ["192.168.1.20"]


@pytest.mark.parametrize(
    ("bind", "expected"),
    [
        ("0.0.0.0", ["192.168.1.20"]),
        ("::", ["2001:db8::20"]),
        ("192.168.1.20", ["192.168.1.20"]),
        ("172.17.0.1", ["172.17.0.1"]),  # asked for, so it is meant
        ("2001:db8:0::20", ["2001:db8::20"]),
        ("fe80::20%eth0", ["fe80::20%eth0"]),
        ("::ffff:192.168.1.20", ["192.168.1.20"]),
        ("127.0.0.1", []),
        ("127.8.8.8", []),
        ("::1", []),
        pytest.param("localhost", [], marks=pytest.mark.enable_socket),  # looked up in the machine's own table
    ],
)
def test_what_is_bound_is_what_can_be_reached(machine: Machine, bind: str, expected: list[str]) -> None:
    machine.has("eth0", "192.168.1.20", "2001:db8::20", "fe80::20%eth0")
    machine.has("docker0", "172.17.0.1")
    assert machine.prints(bind) == expected


@pytest.mark.enable_socket
@pytest.mark.parametrize("bind", ["a..b", "\x00", "192.168.1.20%eth0"])
def test_what_is_no_address_of_ours_cannot_be_bound(bind: str) -> None:
    with pytest.raises(LocalError) as refused:
        reachable(bind, DEFAULT_PORT)
    assert (refused.value.code, refused.value.details) == ("bind_unknown", {"bind": bind})


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("relay.example.org", "wss://relay.example.org:443/1"),
        ("relay.example.org/", "wss://relay.example.org:443/1"),
        ("relay.example.org:8443", "wss://relay.example.org:8443/1"),
        ("wss://relay.example.org", "wss://relay.example.org:443/1"),
        ("WSS://relay.example.org:9", "wss://relay.example.org:9/1"),
        ("ws://relay.example.org", "ws://relay.example.org:48127/1"),
        ("ws://relay.example.org:80/", "ws://relay.example.org:80/1"),
        ("5.9.8.7", "wss://5.9.8.7:443/1"),
        ("127.0.0.1", "ws://127.0.0.1:48127/1"),
        ("192.168.1.20:5000", "ws://192.168.1.20:5000/1"),
        ("wss://192.168.1.20", "wss://192.168.1.20:443/1"),
        ("::1", "ws://[::1]:48127/1"),
        ("[::1]:5000", "ws://[::1]:5000/1"),
        ("[2a01:4f8::1]", "wss://[2a01:4f8::1]:443/1"),
        ("bücher.example", "wss://xn--bcher-kva.example:443/1"),
    ],
)
def test_relays(text: str, uri: str) -> None:
    relay = parse_relay(text)
    assert (str(relay), relay.uri) == (text, uri)
    assert parse_relay(str(relay)) == relay


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("https://relay.example.org", "relay_scheme"),
        ("relay.example.org/room", "address_path"),
        ("me@relay.example.org", "address_user"),
        ("relay.example.org:0", "address_port"),
        ("", "address_empty"),
        ("0.0.0.0", "address_nobody"),
        ("relay example", "address_name"),
    ],
)
def test_what_is_no_relay(text: str, code: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_relay(text)
    assert caught.value.code == code
    assert say(code, **caught.value.details)
