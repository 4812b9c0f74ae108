"""A connection that looks alive and leads nowhere, between machines with real cables."""

import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from p2p_shanghaien.net.transport import KEEPALIVE
from tests.cli.program import RANDOM, logs, take_guest
from tests.cli.test_networks import running
from tests.net.machines import Machine
from tests.net.test_networks import pytestmark as needs_networks

pytestmark = needs_networks


@pytest.mark.thorough
def test_the_ghost_of_a_killed_guest_never_blocks_its_return(tmp_path: Path) -> None:
    """The guest's machine vanishes without a farewell, and it comes back from another one: the host's connection to
    the first looks alive for half a minute yet."""
    here, there = tmp_path / "here", tmp_path / "there"
    with ExitStack() as stack:
        ours, theirs, others = (stack.enter_context(Machine()) for _ in range(3))
        for number, (machine, card) in enumerate(((theirs, "eth0"), (others, "eth1"))):
            ours.cable(card, machine, "lan7")
            ours.ip(f"address add 192.168.{number}.1/24 dev {card}")
            machine.ip(f"address add 192.168.{number}.2/24 dev lan7")
        host = stack.enter_context(running(ours, here, "host", "--name", "Hanna"))
        host.wait_for("shanghaien join 192.168.0.1\n")
        guest = stack.enter_context(running(theirs, there, "join", "192.168.0.1", *RANDOM))
        take_guest(host)
        theirs.ip("link set lan7 down")
        guest.stop()
        (log,) = logs(there)
        assert "was lost" not in host.output
        began = time.monotonic()
        again = stack.enter_context(running(others, there, "resume", log, "192.168.1.1", *RANDOM))
        again.wait_for("Hanna is back")
        assert time.monotonic() - began < KEEPALIVE
        host.type("roll")
        host.wait_for(r"You rolled \d and \d")
