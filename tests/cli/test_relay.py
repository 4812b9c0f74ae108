"""`shanghaien relay`, as an operator runs it, and its log."""

import asyncio
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from websockets.sync.client import connect

from p2p_shanghaien.cli.relay import MINUTE, Journal, affordable
from p2p_shanghaien.net.relay import Happening, Limits, Notice
from tests.cli.program import PATIENCE, PROGRAM, environment, shanghaien
from tests.net import raw
from tests.net.flooders import FLOODS, flooders, many_files

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

ROOM = bytes(range(16))


@pytest.fixture
def running(tmp_path: Path) -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen(
        [*PROGRAM, "relay", "--port", "0", "--bind", "127.0.0.1", "--log-addresses"],
        env=environment(tmp_path / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("request_", ["SIGTERM", "SIGINT"])
def test_it_says_where_it_is_relays_and_ends_when_asked(
    running: "subprocess.Popen[str]", tmp_path: Path, request_: str
) -> None:
    assert running.stdout
    first = running.stdout.readline()
    found = re.fullmatch(r"The relay is open on port (\d+), for this machine only\. .*\n", first)
    assert found, first
    assert running.stdout.readline() == "    shanghaien host --relay relay.example.org\n"
    uri = f"ws://127.0.0.1:{found[1]}/1"
    with connect(uri, proxy=None) as host, connect(uri, proxy=None) as guest:
        host.send(b"\0" + ROOM)
        host.ping().wait(PATIENCE)
        guest.send(b"\1" + ROOM)
        assert host.recv(PATIENCE) == guest.recv(PATIENCE) == b"\1"
        host.send(b"from the host")
        assert guest.recv(PATIENCE) == b"from the host"
        assert running.stdout.readline().endswith(" 127.0.0.1: connected\n")
        asked = time.monotonic()
        running.send_signal(getattr(signal, request_))
        _, errors = running.communicate(timeout=PATIENCE)
        assert time.monotonic() - asked < 5
    assert (running.returncode, errors) == (0, "")
    home = tmp_path / "home"
    assert not home.exists() or not os.listdir(home)


@pytest.mark.thorough
@pytest.mark.parametrize("flood", ["long messages", "empty messages"])
async def test_a_flood_takes_less_than_300_megabytes(running: "subprocess.Popen[str]", flood: str) -> None:
    """There are as many pairs as there may be, of which nobody reads, and as many others."""
    assert running.stdout
    found = re.search(r"port (\d+)", running.stdout.readline())
    assert found
    port = int(found[1])
    process, most = psutil.Process(running.pid), 0
    with many_files():
        ends = [end for number in range(Limits().pipes) for end in await flooders(port, number.to_bytes(16, "big"))]
        request = raw.request("X-Long: " + "y" * 7000, path="/1")
        silent = [await raw.visit(port, request) for _ in range(Limits().arriving)]
        _, frames = FLOODS[flood]
        flooding = asyncio.gather(*(end.flood(frames, 10) for end in ends), return_exceptions=True)
        while not flooding.done():
            most = max(most, process.memory_info().rss)
            await asyncio.sleep(0.2)
        for end in ends:
            end.close()
        await raw.leave(*silent)
    assert most < 300 << 20


def test_what_it_refuses(tmp_path: Path) -> None:
    named = shanghaien(tmp_path, "relay", "--trust-proxy", "proxy.example.org")
    assert named.returncode == 2
    assert "proxy.example.org is not an IP address." in named.stderr
    elsewhere = shanghaien(tmp_path, "relay", "--bind", "192.0.2.1", "--port", "0")
    assert elsewhere.returncode == 1
    assert "192.0.2.1 is not an address of this machine." in elsewhere.stderr


def test_the_log_sums_up_each_minute() -> None:
    journal = Journal(0, addresses=False)
    for happening in (Happening.OPENED, Happening.NO_HOST, Happening.OPENED):
        journal.note(Notice(happening, "192.0.2.1", 7), 1)
    assert list(journal.lines(MINUTE - 1)) == []
    (line,) = journal.lines(MINUTE)
    assert line.endswith(" Connected pairs: 7. In the last minute: connected: 2, refused (no host waits): 1.")
    assert "192.0.2.1" not in line
    assert list(journal.lines(3 * MINUTE)) == [], "nothing has happened"


def test_the_log_names_addresses_if_asked_and_is_no_longer_than_can_be_read() -> None:
    journal = Journal(0, addresses=True)
    journal.note(Notice(Happening.CROWDED, "2001:db8::1", 0), 1)
    (line,) = journal.lines(1)
    assert line.endswith(" 2001:db8::1: dropped (all places taken)")
    for _ in range(5000):
        journal.note(Notice(Happening.CROWDED, "2001:db8::1", 0), 1)
    assert len(list(journal.lines(2))) == 1000
    assert list(journal.lines(2)) == []


def test_every_event_has_words() -> None:
    journal = Journal(0, addresses=True)
    for happening in Happening:
        journal.note(Notice(happening, "192.0.2.1", 0), 1)
    assert not [line for line in journal.lines(2 * MINUTE) if "relay_" in line]


def test_fewer_files_make_a_smaller_relay() -> None:
    assert affordable(None) == affordable(10_000) == Limits()
    small = affordable(1024)
    assert 300 < small.arriving + small.waiting < 400
    assert small.arriving + small.waiting + 2 * small.pipes < 1024
    assert affordable(10) == Limits(arriving=1, waiting=1, pipes=1)
