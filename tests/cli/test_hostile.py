"""Whatever connects to a host's port, the host goes on waiting, says nothing to the terminal, and serves its guest."""

import random
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests import needs
from tests.cli.program import RANDOM, Host, shanghaien
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

IDLE = 300
BROWSER = (
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Origin: https://example.org\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def idle(port: int, stack: ExitStack) -> None:
    for _ in range(IDLE):
        stack.enter_context(connected(port))


def random_bytes(port: int, stack: ExitStack) -> None:
    rng = random.Random(5)
    for _ in range(50):
        visitor = stack.enter_context(connected(port))
        visitor.sendall(rng.randbytes(rng.randrange(1, 3000)))


def browser(port: int, stack: ExitStack) -> None:
    visitor = stack.enter_context(connected(port))
    visitor.sendall(BROWSER.encode())
    assert visitor.recv(4096).split(b" ")[1] == b"403", "a web page must not get in"


def curl(port: int, stack: ExitStack) -> None:
    program = needs.program("curl")
    for path in ("", "games", "../../etc/passwd"):
        fetched = subprocess.run(
            [program, "-sS", "--max-time", "10", f"http://127.0.0.1:{port}/{path}"],
            capture_output=True,
            check=False,
            timeout=30,
        )
        assert b"200 OK" not in fetched.stdout


def websocket_and_silence(port: int, stack: ExitStack) -> None:
    """Visitors that open a websocket properly, and then say nothing in it."""
    for _ in range(80):
        visitor = stack.enter_context(connected(port))
        visitor.sendall(BROWSER.replace("Origin: https://example.org\r\n", "").encode())


@sweep("nuisance", [idle, random_bytes, browser, curl, websocket_and_silence], every=5)
def test_a_nuisance_leaves_the_host_waiting_and_its_guest_served(
    tmp_path: Path, nuisance: Callable[[int, ExitStack], None]
) -> None:
    with Host(tmp_path / "here", *RANDOM) as host:
        before = host.output
        with ExitStack() as stack:
            nuisance(host.port, stack)
            time.sleep(0.2)
            assert host.process.poll() is None
            assert host.output == before, "nothing of it reaches the terminal"
            began = time.monotonic()
            guest = shanghaien(tmp_path / "there", "join", host.address, *RANDOM)
            assert guest.returncode == 0, guest.stderr
            assert time.monotonic() - began < 30
            assert host.exit_code() == 0
        assert "Traceback" not in host.output
