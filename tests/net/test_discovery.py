"""Tables that are found on the local network, by machines of their own with real cables between them."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tests.net.machines import ROOT, Machine
from tests.net.test_networks import pytestmark as needs_networks

pytestmark = needs_networks

SIGN = """
import asyncio, sys
from p2p_shanghaien.net.addresses import reachable
from p2p_shanghaien.net.discovery import Sign

async def main(name, bind):
    async with Sign(name, "shanghaien", reachable(bind or None, 5000)) as sign:
        sign.turn(True)
        print("up", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            sign.turn(line.strip() == "open")
            print(line.strip(), flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
def pair() -> Iterator[tuple[Machine, Machine]]:
    """Two laptops with one cable."""
    with ExitStack() as machines:
        host, guest = machines.enter_context(Machine()), machines.enter_context(Machine())
        host.cable("eth0", guest, "lan7")
        host.ip("address add 192.168.77.1/24 dev eth0")
        guest.ip("address add 192.168.77.2/24 dev lan7")
        for machine in (host, guest):
            machine.ip("route add 224.0.0.0/4 dev " + ("eth0" if machine is host else "lan7"))
        yield host, guest


@contextmanager
def sign(machine: Machine, name: str, bind: str = "") -> Iterator[Callable[[str], None]]:
    """An open table on `machine`; calling it with "open" or "taken" turns the sign."""
    program = subprocess.Popen(
        machine.inside(sys.executable, "-W", "error", "-c", SIGN, name, bind),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    stdin, stdout = program.stdin, program.stdout
    assert stdout.readline() == "up\n"
    time.sleep(1.5)

    def turn(word: str) -> None:
        stdin.write(word + "\n")
        stdin.flush()
        assert stdout.readline().strip() == word
        time.sleep(1.5)

    try:
        yield turn
    finally:
        program.communicate(timeout=20)
        assert program.returncode == 0


def found(machine: Machine) -> list[list[object]]:
    tables: list[list[object]] = machine.ask("look", 2.0)
    return tables


def test_an_open_table_is_found_and_a_taken_one_is_not(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    assert found(guest) == []
    with sign(host, "Hanna") as turn:
        assert found(guest) == [["Hanna", "shanghaien", ["192.168.77.1:5000"]]]
        turn("taken")
        assert found(guest) == []
        turn("open")
        assert found(guest) == [["Hanna", "shanghaien", ["192.168.77.1:5000"]]]
    assert found(guest) == []


def test_two_hosts_of_one_name_are_two_tables(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    with sign(host, "Ada"), sign(host, "Ada"):
        assert [name for name, _, _ in found(guest)] == ["Ada", "Ada"]


def test_a_table_is_announced_on_the_chosen_interface_alone(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    with ExitStack() as machines:
        other = machines.enter_context(Machine())
        host.cable("eth1", other, "lan9")
        host.ip("address add 192.168.99.1/24 dev eth1")
        other.ip("address add 192.168.99.2/24 dev lan9")
        other.ip("route add 224.0.0.0/4 dev lan9")
        with sign(host, "Hanna", "192.168.77.1"):
            assert [name for name, _, _ in found(guest)] == ["Hanna"]
            assert found(other) == []


def test_a_hostile_name_is_only_text(pair: tuple[Machine, Machine]) -> None:
    host, guest = pair
    name = "a\x1b]52;c;x\x07\u202e" + "é" * 200
    with sign(host, name):
        ((seen, _, _),) = found(guest)
        assert isinstance(seen, str)
        assert seen.startswith("a\x1b]52"), "it is escaped where it is shown"


def test_without_a_network_nothing_is_found_and_nothing_fails() -> None:
    with Machine() as alone:
        assert found(alone) == []
        with sign(alone, "Hanna"):
            pass
