"""Two processes over loopback, of which some are killed, or stopped for a while, at a chosen step."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import psutil
import pytest

from p2p_shanghaien.fairplay.verify import Verdict
from tests.faults.mortal import Player
from tests.faults.program import KILLED
from tests.faults.sitting import MINUTE
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

ROOT = Path(__file__).parents[2]
PATIENCE = 30
"""Seconds until a test gives a process up; far more than any needs."""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the program of a seat, on one port and with homes of its own."""
    running: list[subprocess.Popen[str]] = []
    with socket.socket() as placeholder:
        placeholder.bind(("127.0.0.1", 0))
        port = placeholder.getsockname()[1]

    def begin(seat: int, fate: str = "live", step: int = 0) -> "subprocess.Popen[str]":
        words = map(str, (seat, tmp_path, port, fate, step))
        command = [sys.executable, "-m", "tests.faults.program", *words]
        program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        running.append(program)
        return program

    yield begin
    for program in running:
        program.kill()
        program.communicate(timeout=PATIENCE)


def ended(program: "subprocess.Popen[str]") -> str:
    """Return what was told to a program that has come to a good end."""
    output, errors = program.communicate(timeout=PATIENCE)
    assert (program.returncode, errors) == (0, "")
    return output


def check_finished(homes: Path) -> None:
    players = [Player(seat, homes, seed=0) for seat in (0, 1)]
    (ours,), (theirs,) = (player.paths for player in players)
    assert ours.read_bytes() == theirs.read_bytes()
    report = players[0].report()
    assert report is not None
    assert report.verdict == Verdict.COMPLETE


@sweep(
    "host_step, guest_step",
    [(10, 0), (13, 0), (34, 0), (0, 6), (0, 10), (0, 12), (0, 47), (12, 15), (20, 34), (41, 44)],
    every=40,
)
def test_killed_processes_go_on_with_the_same_game(
    tmp_path: Path, start: Start, host_step: int, guest_step: int
) -> None:
    steps = (host_step, guest_step)
    first = [start(seat, "die" if steps[seat] else "live", steps[seat]) for seat in (0, 1)]
    last = []
    for seat in (0, 1):
        if steps[seat]:
            assert first[seat].wait(PATIENCE) == KILLED
            last.append(start(seat))
        else:
            last.append(first[seat])
    for program in last:
        ended(program)
    check_finished(tmp_path)


def is_stopped(program: "subprocess.Popen[str]") -> bool:
    return psutil.Process(program.pid).status() == psutil.STATUS_STOPPED


@pytest.mark.thorough
@sweep("seat, step", product([0, 1], [14, 30]), every=3)
def test_a_stopped_process_goes_on_with_the_same_game(tmp_path: Path, start: Start, seat: int, step: int) -> None:
    """Its system goes on taking what is sent; that it does not answer pings shows that nobody is there."""
    programs = [start(each, *(("stop", step) if each == seat else ())) for each in (0, 1)]
    deadline = time.monotonic() + PATIENCE
    while not is_stopped(programs[seat]):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(1 + 2 * MINUTE)
    os.kill(programs[seat].pid, signal.SIGCONT)
    told = [ended(program) for program in programs]
    assert "interrupted_game" in told[1 - seat]
    check_finished(tmp_path)
