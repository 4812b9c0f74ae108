"""Whole programs on machines of their own with a real cable between them (network namespaces)."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.program import RANDOM, Running, check_finished, logs, take_guest
from tests.net.machines import Machine
from tests.net.test_networks import pytestmark as needs_networks

pytestmark = needs_networks


def running(machine: Machine, home: Path, *arguments: object) -> Running:
    """Return the program on `machine`."""
    return Running(home, *arguments, within=machine.inside())


class Lan:
    """A host and a guest on one cable, and the host's person at its first choice."""

    def __init__(self, tmp_path: Path, stack: ExitStack) -> None:
        self.here, self.there = tmp_path / "here", tmp_path / "there"
        self.machines = stack.enter_context(Machine()), stack.enter_context(Machine())
        self.machines[0].cable("eth0", self.machines[1], "lan7")
        self.machines[0].ip("address add 192.168.77.1/24 dev eth0")
        self.machines[1].ip("address add 192.168.77.2/24 dev lan7")
        self.host = stack.enter_context(running(self.machines[0], self.here, "host", "--name", "Hanna"))
        self.host.wait_for("shanghaien join 192.168.77.1\n")
        self.guest = stack.enter_context(running(self.machines[1], self.there, "join", "192.168.77.1", *RANDOM))
        take_guest(self.host)


@pytest.fixture
def lan(tmp_path: Path) -> Iterator[Lan]:
    with ExitStack() as stack:
        yield Lan(tmp_path, stack)


@pytest.mark.thorough
def test_a_cable_pulled_and_put_back_costs_nothing(lan: Lan) -> None:
    lan.machines[0].ip("link set eth0 down")
    lan.host.type("roll")
    time.sleep(1)
    lan.machines[0].ip("link set eth0 up")
    lan.host.wait_for(r"You rolled \d and \d")
    lan.host.stop()
    with running(lan.machines[0], lan.here, "resume", *RANDOM) as host:
        assert host.exit_code() == lan.guest.exit_code() == 0
    check_finished(lan.here, lan.there)


@pytest.mark.thorough
def test_the_host_comes_back_under_another_address(lan: Lan) -> None:
    lan.host.stop()
    lan.guest.stop()
    lan.machines[0].ip("address flush dev eth0")
    lan.machines[0].ip("address add 192.168.77.9/24 dev eth0")
    (log,) = logs(lan.there)
    with (
        running(lan.machines[0], lan.here, "resume", *RANDOM) as host,
        running(lan.machines[1], lan.there, "resume", log, "192.168.77.9", *RANDOM) as guest,
    ):
        host.wait_for(f"shanghaien resume {log.name[:8]} 192.168.77.9\n")
        assert host.exit_code() == guest.exit_code() == 0, host.output + guest.output
    check_finished(lan.here, lan.there)


@pytest.mark.thorough
def test_whoever_has_met_nobody_is_told_once_how_a_guest_comes_from_elsewhere(tmp_path: Path) -> None:
    """A private address leads here from one's own network alone, a public one from everywhere."""
    with ExitStack() as stack:
        machine, _ = cabled(stack)

        def told() -> bool:
            with running(machine, tmp_path / "home", "host", "--no-announce", "--port", 0, *RANDOM) as host:
                host.wait_for("Waiting for a guest")
                return "host --relay" in " ".join(host.output.split())

        assert told()
        (tmp_path / "home" / "players.json").write_text(
            json.dumps({"00" * 32: {"name": "Ben", "since": "2026-11-29", "games": 1}})
        )
        assert not told()
        (tmp_path / "home" / "players.json").unlink()
        machine.ip("address add 5.9.8.7/24 dev eth0")
        assert not told()


def cabled(stack: ExitStack) -> tuple[Machine, Machine]:
    """Two laptops with one cable, on which multicast goes out."""
    machines = stack.enter_context(Machine()), stack.enter_context(Machine())
    machines[0].cable("eth0", machines[1], "lan7")
    for number, (machine, card) in enumerate(zip(machines, ("eth0", "lan7"), strict=True), start=1):
        machine.ip(f"address add 192.168.77.{number}/24 dev {card}")
        machine.ip(f"route add 224.0.0.0/4 dev {card}")
    return machines


@pytest.mark.thorough
def test_an_open_table_is_found_without_an_address(tmp_path: Path) -> None:
    with ExitStack() as stack:
        here, there = cabled(stack)
        host = stack.enter_context(running(here, tmp_path / "here", "host", "--name", "Hanna", *RANDOM))
        host.wait_for("Waiting for a guest")
        time.sleep(1)
        guest = stack.enter_context(running(there, tmp_path / "there", "join"))
        guest.wait_for("1. Hanna offers a game of Shanghaien, at 192.168.77.1")
        guest.type("2")
        guest.wait_for("There is no table 2")
        guest.type("1")
        guest.wait_for("Hanna proposes a game")


@pytest.mark.thorough
def test_a_table_that_can_be_watched_is_found_while_it_is_taken(tmp_path: Path) -> None:
    """Watchers see it then, and guests no longer."""
    with ExitStack() as stack:
        here, there = cabled(stack)
        watched = ("host", "--name", "Hanna", "--watchers", 2)
        host = stack.enter_context(running(here, tmp_path / "here", *watched))
        host.wait_for("Waiting for a guest")
        time.sleep(1)
        stack.enter_context(running(there, tmp_path / "there", "join", *RANDOM))
        take_guest(host)
        time.sleep(1)
        late = stack.enter_context(running(there, tmp_path / "late", "join", *RANDOM))
        assert late.exit_code() == 4
        assert "No open table was found" in late.output
        watcher = stack.enter_context(running(there, tmp_path / "away", "watch"))
        watcher.wait_for("1. Hanna hosts Shanghaien, at 192.168.77.1")
        watcher.wait_for("This game is being played")


@pytest.mark.thorough
def test_a_table_that_is_not_announced_is_not_found(tmp_path: Path) -> None:
    with ExitStack() as stack:
        here, there = cabled(stack)
        host = stack.enter_context(running(here, tmp_path / "here", "host", "--no-announce", *RANDOM))
        private = stack.enter_context(running(here, tmp_path / "two", "host", "--private", "--port", 0, *RANDOM))
        for program in (host, private):
            program.wait_for("Waiting for a guest")
        time.sleep(1)
        guest = stack.enter_context(running(there, tmp_path / "there", "join", *RANDOM))
        assert guest.exit_code() == 4
        assert "No open table was found" in guest.output
