"""Two players behind two routers that translate addresses, and a relay that both can reach (network namespaces)."""

import re
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from tests import needs
from tests.cli.program import RANDOM, Running, check_finished, logs, take_guest
from tests.net.machines import Machine
from tests.net.test_networks import pytestmark as needs_networks

pytestmark = [
    *needs_networks,
    pytest.mark.skipif(not shutil.which("nft") and not needs.COMPLETE, reason="needs the nft command of nftables"),
]

RELAY: Final = "ws://5.9.8.1"
INVITATION: Final = r"ws://5\.9\.8\.1/(?:[0-9A-Z]{5}-){12}[0-9A-Z]{5}"
BACK: Final = 45.0
"""Seconds until both are back in their game, at most."""

MET_AGAIN: Final = r"(?s)through\s+the\s+relay.*through\s+the\s+relay"
"""A screen on which the two have met for the second time."""

MASQUERADE: Final = """
table ip nat {
  chain postrouting { type nat hook postrouting priority 100; oifname "wan" masquerade; }
}
table ip filter {
  chain forward { type filter hook forward priority 0; policy drop;
    iifname "lan" accept; ct state established,related accept; }
  chain input { type filter hook input priority 0; policy drop;
    iifname "lan" accept; iifname "lo" accept; ct state established,related accept; }
}
"""
"""A router of a household: what is within may go out, and nothing comes in unless it is an answer."""


class Internet:
    """A host's and a guest's machine, each behind a router of its own, and a machine between them for the relay."""

    def __init__(self, stack: ExitStack) -> None:
        self.between, *routers, self.here, self.there = (stack.enter_context(Machine()) for _ in range(5))
        self.routers = routers
        self.between.set("net.ipv4.ip_forward", 1)
        for number, (router, machine) in enumerate(zip(routers, (self.here, self.there), strict=True), start=8):
            self.between.cable(f"eth{number}", router, "wan")
            router.cable("lan", machine, "eth0")
            self.between.ip(f"address add 5.9.{number}.1/24 dev eth{number}")
            router.ip(f"address add 5.9.{number}.2/24 dev wan")
            router.ip("address add 192.168.1.1/24 dev lan")
            machine.ip("address add 192.168.1.2/24 dev eth0")
            router.ip(f"route add default via 5.9.{number}.1")
            machine.ip("route add default via 192.168.1.1")
            router.set("net.ipv4.ip_forward", 1)
            router.run("nft", "-f", "-", said=MASQUERADE)


class Table:
    """A host and a guest at their machines, and a relay."""

    def __init__(self, tmp_path: Path, stack: ExitStack) -> None:
        self.internet = Internet(stack)
        self.here, self.there, self.relays = tmp_path / "here", tmp_path / "there", tmp_path / "relay"
        self._stack = stack
        self.relay = self.start_relay()

    def start_relay(self) -> Running:
        relay = self._stack.enter_context(
            Running(self.relays, "relay", "--bind", "5.9.8.1", within=self.internet.between.inside())
        )
        relay.wait_for("48127")
        return relay

    def host(self, *arguments: object) -> Running:
        within = self.internet.here.inside()
        return self._stack.enter_context(Running(self.here, *arguments, within=within))

    def guest(self, *arguments: object, invitation: str = "") -> Running:
        within = self.internet.there.inside()
        return self._stack.enter_context(
            Running(self.there, *arguments, within=within, SHANGHAIEN_INVITATION=invitation)
        )

    def check_played(self, host: Running, guest: Running) -> None:
        """Both programs end well, and keep the same whole game."""
        assert host.exit_code() == guest.exit_code() == 0, host.output + guest.output
        check_finished(self.here, self.there)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(tmp_path, stack)


def opened(host: Running) -> str:
    """Return the line that the host's program shows, to be pasted."""
    line = host.wait_for(INVITATION)[0]
    host.wait_for("Waiting for a guest")
    return line


def met(host: Running, guest: Running) -> None:
    """Both screens say by which way the two are connected."""
    for program in (host, guest):
        program.wait_for(r"through\s+the\s+relay\s+ws://5\.9\.8\.1")


@pytest.mark.thorough
def test_what_cannot_be_reached_directly_is_played_through_a_relay(table: Table) -> None:
    host = table.host("host", "--name", "Hanna", "--relay", RELAY, *RANDOM)
    line = opened(host)
    # the relay is reached, so the routers pass on what goes out; and nothing comes in
    direct = table.guest("join", "5.9.8.2", *RANDOM)
    assert direct.exit_code() == 4
    assert "5.9.8.2" in direct.output
    guest = table.guest("join", *RANDOM, invitation=line)
    met(host, guest)
    table.check_played(host, guest)
    for output in (table.relay.output, guest.output):
        assert line.rpartition("/")[2] not in output


@pytest.mark.thorough
def test_a_watcher_comes_by_the_same_relay_to_another_room(table: Table) -> None:
    host = table.host("host", "--name", "Hanna", "--relay", RELAY, "--watchers", 1)
    to_play = opened(host)
    to_watch = next(line for line in re.findall(INVITATION, host.output) if line != to_play)
    watcher = table.guest("watch", invitation=to_watch)
    watcher.wait_for("No game has begun at this table yet")
    guest = table.guest("join", *RANDOM, invitation=to_play)
    take_guest(host)
    watcher.wait_for("This game is being played")
    table.relay.stop()
    table.start_relay()
    watcher.wait_for("Connected again")
    host.wait_for(MET_AGAIN)
    host.stop()
    host = table.host("resume", *RANDOM)
    table.check_played(host, guest)
    assert watcher.exit_code() == 0
    (log,) = (table.there / "watched").iterdir()
    assert log.read_bytes() == logs(table.here)[0].read_bytes()
    for line in (to_play, to_watch):
        assert line.rpartition("/")[2] not in table.relay.output + watcher.output


@pytest.mark.thorough
def test_the_guest_may_be_there_first(table: Table) -> None:
    host = table.host("host", "--name", "Hanna", "--relay", RELAY)
    line = opened(host)
    guest = table.guest("join", *RANDOM, invitation=line)
    take_guest(host)
    host.stop()
    guest.stop()
    guest = table.guest("resume", *RANDOM)
    guest.wait_for("does not wait")
    host = table.host("resume", *RANDOM)
    host.wait_for("through the relay ws://5.9.8.1, without")
    table.check_played(host, guest)


@pytest.mark.thorough
@pytest.mark.parametrize("killed", ["host", "guest", "relay"])
def test_whoever_is_killed_comes_back_by_the_same_way(table: Table, killed: str) -> None:
    host = table.host("host", "--name", "Hanna", "--relay", RELAY)
    guest = table.guest("join", *RANDOM, invitation=opened(host))
    take_guest(host)
    began = time.monotonic()
    if killed == "relay":
        table.relay.stop()
        table.start_relay()
        host.wait_for(MET_AGAIN)
    elif killed == "guest":
        guest.stop()
        guest = table.guest("resume", *RANDOM)
        host.wait_for(MET_AGAIN)
    else:
        host.stop()
        host = table.host("resume")
        host.wait_for("Your choice")
    assert time.monotonic() - began < BACK
    host.stop()
    host = table.host("resume", *RANDOM)
    table.check_played(host, guest)


@pytest.mark.thorough
@pytest.mark.parametrize("lost", ["to the guest", "from the guest"])
def test_silent_drops_in_either_direction(table: Table, lost: str) -> None:
    """The guest's router forgets the connection: packets vanish, and neither end is told."""
    host = table.host("host", "--name", "Hanna", "--relay", RELAY)
    guest = table.guest("join", *RANDOM, invitation=opened(host))
    take_guest(host)
    began = time.monotonic()
    port = 'iifname "wan" tcp sport' if lost == "to the guest" else 'iifname "lan" tcp dport'
    connections = table.internet.there.run("ss", "-tnH", "dst", "5.9.8.1").split()
    own = next(word.rpartition(":")[2] for word in connections if word.startswith("192.168.1.2:"))
    other = f"tcp dport {own}" if lost == "to the guest" else f"tcp sport {own}"
    table.internet.routers[1].run(
        "nft", "insert", "rule", "ip", "filter", "forward", *f"{port} 48127 {other} drop".split()
    )
    guest.wait_for(MET_AGAIN)
    assert time.monotonic() - began < BACK
    host.stop()
    host = table.host("resume", *RANDOM)
    table.check_played(host, guest)


@pytest.mark.thorough
def test_a_host_that_sleeps_is_passed_over(table: Table) -> None:
    """A ghost waits in the room; the host's own program is started anew, and the guest meets that."""
    ghost = table.host("host", "--name", "Hanna", "--relay", RELAY)
    line = opened(ghost)
    guest = table.guest("join", *RANDOM, invitation=line)
    take_guest(ghost)
    ghost.process.send_signal(signal.SIGSTOP)
    guest.stop()
    guest = table.guest("resume", *RANDOM)
    time.sleep(1)
    ghost.process.send_signal(signal.SIGCONT)
    ghost.wait_for(MET_AGAIN)
    ghost.stop()
    host = table.host("resume", *RANDOM)
    table.check_played(host, guest)
    assert len(logs(table.here)) == 1
