"""The machines that other tests are made of: they hold whatever the system's tools say besides, and leave nothing."""

import os
import shutil
from pathlib import Path

import pytest

from tests.net.machines import Machine
from tests.net.test_networks import pytestmark as needs_networks

pytestmark = needs_networks

COMPLAINT = "Error: Peer netns reference is invalid."
"""An error message of `ip`, which then exits with 0, if namespaces of other programs have come and gone."""


def wrapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    """Have `ip` complain before it does `then`."""
    wrapper = tmp_path / "ip"
    wrapper.write_text(f"#!/bin/sh\necho '{COMPLAINT}' >&2\n{then}\n")
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")


def test_what_a_tool_says_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped(tmp_path, monkeypatch, f'exec {shutil.which("ip")} "$@"')
    with Machine() as host, Machine() as guest:
        host.cable("eth0", guest, "lan7")
        host.ip("address add 192.168.77.1/24 dev eth0")
        assert host.ask("addresses", "") == [["192.168.77.1:5000", False]]


def test_a_tool_that_fails_is_a_failure_and_leaves_no_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped(tmp_path, monkeypatch, "exit 2")
    made: list[Machine] = []
    start = Machine.set

    def noted(self: Machine, name: str, value: int) -> None:
        made.append(self)
        start(self, name, value)

    monkeypatch.setattr(Machine, "set", noted)
    with pytest.raises(AssertionError, match=COMPLAINT):
        Machine()
    assert made[0].holder.poll() is not None
    assert not Path(f"/proc/{made[0].pid}/ns").exists()
