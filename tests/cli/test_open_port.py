"""A host whose router opens a port, and a guest behind another router: miniupnpd in network namespaces."""

import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from p2p_shanghaien.net.upnp import is_installed
from tests import needs
from tests.cli.program import RANDOM, Running, check_finished, take_guest
from tests.net.machines import SECONDS, Machine
from tests.net.test_networks import link_local
from tests.net.test_networks import pytestmark as needs_networks

MINIUPNPD: Final = shutil.which("miniupnpd", path="/usr/sbin:/usr/local/sbin")

pytestmark = [
    *needs_networks,
    pytest.mark.skipif(
        not (MINIUPNPD and shutil.which("nft")) and not needs.COMPLETE, reason="needs nftables and miniupnpd"
    ),
]

OPENED: Final = r"The router lets guests in from the internet\. They type:\n    shanghaien join (\S+)"
INVITATION: Final = r"\n((?:[0-9A-Z]{5}-){12}[0-9A-Z]{5})\n"

HOUSEHOLD: Final = """
table inet router {
  chain opened { }
  chain opened_nat { }
  chain opened_back { }
  chain prerouting { type nat hook prerouting priority -100; jump opened_nat; }
  chain postrouting { type nat hook postrouting priority 100; jump opened_back;
    meta nfproto ipv4 oifname "wan" masquerade; }
  chain forward { type filter hook forward priority 0; policy drop;
    iifname "lan" accept; ct state established,related accept; jump opened; }
  chain input { type filter hook input priority 0; policy drop;
    iifname "lan" accept; iifname "lo" accept; ct state established,related accept; meta l4proto ipv6-icmp accept; }
}
"""
"""A router of a household, which miniupnpd tells what else may come in."""

SETTINGS: Final = """
ext_ifname=wan
listening_ip=lan
enable_natpmp={pcp}
enable_upnp={upnp}
ipv6_disable=no
secure_mode=yes
upnp_table_name=router
upnp_nat_table_name=router
upnp_forward_chain=opened
upnp_nat_chain=opened_nat
upnp_nat_postrouting_chain=opened_back
min_lifetime=1
max_lifetime=86400
allow 1024-65535 0.0.0.0/0 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
"""


class Internet:
    """A host's and a guest's machine, each behind a router of its own; the address `outside` is the host's router's."""

    def __init__(self, stack: ExitStack, outside: str) -> None:
        self.router, self.other, self.here, self.there = (stack.enter_context(Machine()) for _ in range(4))
        self.router.cable("wan", self.other, "wan")
        for router, machine, address in ((self.router, self.here, outside), (self.other, self.there, "5.9.8.1")):
            router.cable("lan", machine, "eth0")
            router.ip(f"address add {address}/24 dev wan")
            router.ip("address add 192.168.1.1/24 dev lan")
            machine.ip("address add 192.168.1.2/24 dev eth0")
            machine.ip("route add default via 192.168.1.1")
            router.set("net.ipv4.ip_forward", 1)
            router.run("nft", "-f", "-", said=HOUSEHOLD)

    def add_ipv6(self) -> None:
        """Give each machine a global IPv6 address, to which its router lets nobody come by itself."""
        households = (self.router, self.here, 1, 2), (self.other, self.there, 2, 1)
        for router, machine, number, others in households:
            router.set("net.ipv6.conf.all.forwarding", 1)
            router.ip(f"address add 2a01:4f8:1:{number}::1/64 dev lan")
            router.ip(f"address add 2a01:4f8:1:3::{number}/64 dev wan")
            router.ip(f"route add 2a01:4f8:1:{others}::/64 via 2a01:4f8:1:3::{others}")
            machine.ip(f"address add 2a01:4f8:1:{number}::2/64 dev eth0")
            machine.ip(f"route add default via {link_local(router, 'lan')} dev eth0")

    def mappings(self) -> str:
        """Return what the host's router leads to machines behind it, as its rules have it."""
        return self._rules("opened_nat", "dnat")

    def pinholes(self) -> str:
        """Return what the host's router lets pass, as its rules have it."""
        return self._rules("opened", "accept")

    def _rules(self, chain: str, verdict: str) -> str:
        rules = self.router.run("nft", "list", "chain", "inet", "router", chain).splitlines()
        return "".join(rule for rule in rules if verdict in rule)


class Household:
    """The programs of a host and a guest, and the program of the host's router."""

    def __init__(self, folder: Path, stack: ExitStack, outside: str = "5.9.8.7", *, speaks_upnp: bool = False) -> None:
        self.internet = Internet(stack, outside)
        self.here, self.there = folder / "here", folder / "there"
        self.map_port = "map_port_by_upnp" if speaks_upnp else "map_port"
        self._stack = stack
        settings = folder / "miniupnpd.conf"
        speaks = {"pcp": "no", "upnp": "yes"} if speaks_upnp else {"pcp": "yes", "upnp": "no"}
        settings.write_text(SETTINGS.format_map(speaks))
        assert MINIUPNPD
        command = self.internet.router.inside(MINIUPNPD, "-d", "-f", str(settings), "-P", str(folder / "pid"))
        said = folder / "miniupnpd.log"
        with said.open("w") as log:
            self.program = subprocess.Popen(command, stdout=log, stderr=log)
        stack.callback(self.program.wait, SECONDS)
        stack.callback(self.program.terminate)
        end = time.monotonic() + SECONDS
        while ("HTTP listening on port" if speaks_upnp else "Listening for NAT-PMP/PCP") not in said.read_text():
            assert self.program.poll() is None, said.read_text()
            assert time.monotonic() < end, said.read_text()
            time.sleep(0.02)

    def host(self, *arguments: object) -> Running:
        words = arguments if "resume" in arguments else ("host", *arguments)
        within = self.internet.here.inside()
        return self._stack.enter_context(Running(self.here, *words, "--open-port", within=within))

    def guest(self, address: str, invitation: str) -> Running:
        within = self.internet.there.inside()
        return self._stack.enter_context(
            Running(self.there, "join", address, *RANDOM, within=within, SHANGHAIEN_INVITATION=invitation)
        )


BY_UPNP: Final = pytest.param(
    True,
    id="UPnP",
    marks=[
        pytest.mark.thorough,
        pytest.mark.skipif(not is_installed(), reason="needs miniupnpc, the extra upnp"),
    ],
)


@pytest.fixture(params=[pytest.param(False, id="PCP"), BY_UPNP])
def household(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Household]:
    with ExitStack() as stack:
        yield Household(tmp_path, stack, speaks_upnp=request.param)


def test_a_guest_comes_through_the_port_that_the_router_opened(household: Household) -> None:
    host = household.host("--name", "Hanna", *RANDOM)
    address = host.wait_for(OPENED)[1]
    assert address == "5.9.8.7"
    guest = household.guest(address, host.wait_for(INVITATION)[1])
    assert host.exit_code() == guest.exit_code() == 0, host.output + guest.output
    check_finished(household.here, household.there)
    assert not household.internet.mappings()


@pytest.mark.thorough
def test_the_port_is_closed_when_the_host_leaves(household: Household) -> None:
    host = household.host()
    host.wait_for(OPENED)
    assert "48126" in household.internet.mappings()
    host.process.send_signal(signal.SIGINT)
    host.exit_code()
    assert not household.internet.mappings()


@pytest.mark.thorough
def test_after_a_kill_the_same_port_is_opened_again_and_closed(household: Household) -> None:
    host = household.host()
    host.wait_for(OPENED)
    host.stop()
    assert "48126" in household.internet.mappings()
    host = household.host()
    assert host.wait_for(OPENED)[1] == "5.9.8.7"
    host.process.send_signal(signal.SIGINT)
    host.exit_code()
    assert not household.internet.mappings()


@pytest.mark.thorough
def test_a_game_is_resumed_through_the_port(household: Household) -> None:
    host = household.host("--name", "Hanna")
    guest = household.guest(host.wait_for(OPENED)[1], host.wait_for(INVITATION)[1])
    take_guest(host)
    host.stop()
    host = household.host("resume", *RANDOM)
    assert host.exit_code() == guest.exit_code() == 0, host.output + guest.output
    check_finished(household.here, household.there)
    assert not household.internet.mappings()


@pytest.mark.thorough
def test_a_port_that_is_taken_stays_whose_it_is(household: Household) -> None:
    household.internet.here.ask(household.map_port, "192.168.1.1", 5000, 48126)
    host = household.host()
    address = host.wait_for(OPENED)[1]
    assert address.startswith("5.9.8.7:")
    assert address != "5.9.8.7:48126"
    before = household.internet.mappings()
    assert before.count("dnat") == 2
    host.process.send_signal(signal.SIGINT)
    host.exit_code()
    assert household.internet.mappings() in before
    assert ":5000" in household.internet.mappings()


@pytest.mark.thorough
@pytest.mark.parametrize("outside", ["192.168.7.2", "100.64.7.2"])
@pytest.mark.parametrize("speaks_upnp", [pytest.param(False, id="PCP"), BY_UPNP])
def test_a_router_behind_another_is_told(tmp_path: Path, outside: str, speaks_upnp: bool) -> None:
    with ExitStack() as stack:
        household = Household(tmp_path, stack, outside, speaks_upnp=speaks_upnp)
        host = household.host()
        host.wait_for(r"(?s)the router\s+192\.168\.1\.1\s+gives\s+no.*--relay")
        host.process.send_signal(signal.SIGINT)
        host.exit_code()
        assert not household.internet.mappings()


@pytest.mark.thorough
def test_ipv6_leads_to_a_host_whose_router_is_behind_another(tmp_path: Path) -> None:
    with ExitStack() as stack:
        household = Household(tmp_path, stack, "100.64.7.2")
        household.internet.add_ipv6()
        host = household.host("--name", "Hanna", *RANDOM)
        address = host.wait_for(OPENED)[1]
        assert address == "2a01:4f8:1:1::2"
        assert "48126" in household.internet.pinholes()
        guest = household.guest(address, host.wait_for(INVITATION)[1])
        assert host.exit_code() == guest.exit_code() == 0, host.output + guest.output
        check_finished(household.here, household.there)
        assert "No port was opened" not in host.output
        assert not household.internet.pinholes()


@pytest.mark.thorough
@pytest.mark.parametrize("household", [False], ids=["PCP"], indirect=True)
def test_a_router_that_does_not_answer_and_none_at_all(household: Household) -> None:
    household.program.terminate()
    household.program.wait(SECONDS)
    for expected in (r"192\.168\.1\.1\s+does\s+not\s+answer", r"no\s+router\s+was\s+found"):
        host = household.host()
        host.wait_for(f"(?s){expected}.*--relay")
        host.process.send_signal(signal.SIGINT)
        host.exit_code()
        household.internet.here.run("ip", "route", "flush", "0/0")
