"""Whatever a program is doing, it ends soon once its terminal is gone or the system asks it to, and loses no game."""

import json
import os
import shlex
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, product
from pathlib import Path
from typing import Final

import psutil
import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import (
    PROGRAM,
    RANDOM,
    Host,
    Running,
    environment,
    experienced,
    logs,
    shanghaien,
    take_guest,
)
from tests.cli.tmux import CHIP, CHOOSE, PICKED
from tests.sweeps import sweep
from tests.ui.terminal import Terminal

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

SOON: Final = 15.0
"""Seconds that a busy machine may take over what takes less than two. Without a bound it would be for ever."""

ENDLESS = (sys.executable, "-m", "tests.cli.thinkers", "endless")
REQUESTS = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)

STUBBORN = """
import signal, sys, time
for line in sys.stdin:
    if line == "engine\\n": print("protocol 1\\nengineok", flush=True)
    if line == "isready\\n": print("readyok", flush=True)
    if line.startswith("go"): break
print("asked", file=sys.stderr)
while True: time.sleep(1)
"""
"""An engine that thinks for ever, whatever becomes of its input."""


def at(home: Path, command: Sequence[str], **more: str) -> Terminal:
    """Return a terminal in which the command runs."""
    experienced(home)
    settings = home / "settings.json"
    settings.write_text(json.dumps({"speed": "off", "bell": False, "game": "shanghaien"}))
    return Terminal("", program=command, **environment(home, TERM="xterm-256color", **more))


@contextmanager
def all_gone(process: int) -> Iterator[None]:
    """Nothing that the process has started outlives the block for long."""
    started = psutil.Process(process).children(recursive=True)
    yield
    _, left = psutil.wait_procs(started, SOON)
    assert not left


def check_sound(home: Path) -> None:
    """Nothing that was played is lost."""
    for log in logs(home):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


@pytest.fixture(scope="session")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the log of a game that nobody plays any more."""
    home = tmp_path_factory.mktemp("unfinished")
    shanghaien(home, "play", "--plain", stdin="roll\n")
    return logs(home)[0]


# What is open when the terminal goes: the command, what stands there then, and what is typed until the next does.
OPEN: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...], int]]] = {
    "a choice": ((*PROGRAM, "play"), (CHOOSE,), 5),
    "a choice, plain": ((*PROGRAM, "play", "--plain"), ("Your choice",), 5),
    "a choice, dumb": ((*PROGRAM, "play"), ("Your choice",), 5),
    "help": ((*PROGRAM, "play"), (CHOOSE, "?", "[Esc] closes"), 5),
    "a menu": ((*PROGRAM, "play"), (CHOOSE, "m", "[Esc] closes"), 5),
    "a line half typed": ((*PROGRAM, "play"), (CHOOSE, "/", "Say to", "half a line", "half a line"), 5),
    "leaving": ((*PROGRAM, "play"), (CHOOSE, "q", "[y] Yes"), 5),
    "waiting": ((*PROGRAM, "host", "--port", "0", "--bind", "127.0.0.1"), ("aiting for a guest",), 1),
    "waiting, plain": ((*PROGRAM, "host", "--port", "0", "--bind", "127.0.0.1", "--plain"), ("aiting for a guest",), 1),
    "a computer that thinks, plain": ((*ENDLESS, "play", *RANDOM), ("thinks for ever",), 5),
    "a replay": ((*PROGRAM, "replay", "examples/sample.shlog"), ("COMPLETE",), 0),
    "a replay, plain": ((*PROGRAM, "replay", "--plain", "examples/sample.shlog"), ("next",), 0),
    "a replay that follows": ((*PROGRAM, "replay", "--follow", "LOG"), ("INCOMPLETE",), 0),
    "a replay that follows, plain": ((*PROGRAM, "replay", "--follow", "--plain", "LOG"), ("Ctrl-C stops",), 0),
    "the name of a table": ((*PROGRAM, "join", "--plain"), ("ooking",), 1),
}


@sweep("what, told", product(OPEN, ["by SIGHUP", "by nobody"]), every=16)
def test_a_program_ends_with_its_terminal(tmp_path: Path, unfinished: Path, what: str, told: str) -> None:
    """If SIGHUP is ignored, only the terminal shows that it is gone."""
    command, (shown, *typing), code = OPEN[what]
    command = tuple(str(unfinished) if word == "LOG" else word for word in command)
    if told == "by nobody":
        command = ("/bin/sh", "-c", f"trap '' HUP; exec {shlex.join(command)}")
    dumb = {"TERM": "dumb"} if "dumb" in what else {}
    with at(tmp_path, command) if not dumb else Terminal("", program=command, **environment(tmp_path)) as terminal:
        terminal.until(shown)
        for keys, answer in zip(typing[::2], typing[1::2], strict=True):
            terminal.type(keys)
            terminal.until(answer)
        with all_gone(terminal.pid):
            terminal.vanish()
            assert terminal.status(SOON) == code
    check_sound(tmp_path)


@sweep("key", ["?", "m", "/", "k", "l", "q"], every=3)
def test_a_program_ends_with_its_terminal_while_something_opens(tmp_path: Path, key: str) -> None:
    with at(tmp_path, (*PROGRAM, "play")) as terminal:
        terminal.until(CHOOSE)
        terminal.type(key)
        terminal.vanish()
        assert terminal.status(SOON) == 5
    check_sound(tmp_path)


def make_it_think(terminal: Terminal) -> None:
    """Play at the full screen until the computer has to decide."""
    while "is thinking" not in (text := terminal.until(lambda text: "is thinking" in text or CHOOSE in text)):
        chip = CHIP.search(text)
        assert chip
        terminal.type(chip[1])
        terminal.until(PICKED)
        terminal.type("\r")
        terminal.until(lambda text: PICKED not in text)


@pytest.fixture
def stubborn(tmp_path: Path) -> str:
    """Return what plays as an engine that nothing but force ends, and has started another program with it."""
    path = tmp_path / "stubborn.py"
    path.write_text(STUBBORN)
    return f"engine:/bin/sh -c '{shlex.join((sys.executable, str(path)))}; true'"


@sweep("who", ["easy", "engine"], every=2)
def test_a_program_whose_computer_thinks_ends_with_its_terminal(tmp_path: Path, stubborn: str, who: str) -> None:
    command = (*ENDLESS, "play", "--against", stubborn if who == "engine" else who)
    with at(tmp_path / "home", command) as terminal:
        make_it_think(terminal)
        with all_gone(terminal.pid):
            terminal.vanish()
            assert terminal.status(SOON) == 5
    check_sound(tmp_path / "home")


@pytest.mark.thorough
@sweep("plain", [(), ("--plain",)], every=2)
def test_a_suspended_program_ends_with_its_terminal(tmp_path: Path, plain: Sequence[str]) -> None:
    """Its shell is then gone as well, which had to wake it."""
    play = shlex.join((*PROGRAM, "play", *plain))
    with at(tmp_path, ("/bin/sh", "-c", f"set -m; {play}; echo Suspended.; read _")) as terminal:
        terminal.until("Your choice" if plain else CHOOSE)
        terminal.type("\x1a")
        terminal.until("Suspended.")
        with all_gone(terminal.pid):
            terminal.vanish()
    check_sound(tmp_path)


def storm(process: int, first: signal.Signals, second: signal.Signals) -> None:
    """Send one signal, then the other, then both again and again as long as there is anybody."""
    os.kill(process, first)
    deadline = time.monotonic() + SOON
    for number in cycle((second, first)):
        assert time.monotonic() < deadline, "still running"
        try:
            os.kill(process, number)
        except ProcessLookupError:
            return
        if psutil.Process(process).status() == psutil.STATUS_ZOMBIE:
            return
        time.sleep(0.01)


@sweep("first, second", product(REQUESTS, REQUESTS), every=9)
def test_signals_in_any_order_end_a_program_once(tmp_path: Path, first: signal.Signals, second: signal.Signals) -> None:
    """At a host with a guest at its table and a visitor at its door; then at a full screen."""
    here, there = tmp_path / "here", tmp_path / "there"
    with (
        Host(here) as host,
        socket.create_connection(("127.0.0.1", host.port)),
        Running(there, "join", host.address, *RANDOM),
    ):
        take_guest(host)
        storm(host.process.pid, first, second)
        assert host.exit_code() == 5
        assert "Traceback" not in host.output
        assert "shanghaien resume" in host.output
    with at(here, (*PROGRAM, "play")) as terminal:
        terminal.until(CHOOSE)
        os.kill(terminal.pid, first)
        os.kill(terminal.pid, second)
        screen = terminal.finish(5)
        assert terminal.is_plain()
        assert "shanghaien resume" in screen
        assert "Traceback" not in screen
    check_sound(here)
    check_sound(there)


@pytest.mark.thorough
@sweep("number", REQUESTS, every=4)
def test_a_terminal_that_takes_nothing_holds_no_program(tmp_path: Path, number: signal.Signals) -> None:
    """So does one whose Ctrl-S was pressed, or whose machine is asleep."""
    with at(tmp_path, (*PROGRAM, "play")) as terminal:
        terminal.until(CHOOSE)
        for _ in range(200):
            terminal.type("?")  # each draws a whole screen, which nobody reads
        time.sleep(0.5)
        os.kill(terminal.pid, number)
        assert terminal.status(SOON) == 5
    check_sound(tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_tournament_leaves_nothing_behind(tmp_path: Path, stubborn: str, number: signal.Signals) -> None:
    with Running(tmp_path / "home", "tournament", stubborn, "random", "--cores", 2) as running:
        process = psutil.Process(running.process.pid)
        while sum("stubborn.py" in " ".join(child.cmdline()) for child in process.children(recursive=True)) < 4:
            time.sleep(0.05)
        with all_gone(running.process.pid):
            running.process.send_signal(number)
            assert running.exit_code() == (1 if number == signal.SIGTERM else -number)


@pytest.mark.thorough
def test_who_is_to_outlive_the_terminal_does(tmp_path: Path) -> None:
    """`nohup` has SIGHUP ignored, and means it."""
    with Host(tmp_path / "here", *RANDOM, within=("nohup",)) as host:
        host.process.send_signal(signal.SIGHUP)
        guest = shanghaien(tmp_path / "there", "join", host.address, *RANDOM)
        assert guest.returncode == 0, guest.stdout + guest.stderr
        assert host.exit_code() == 0


@pytest.mark.thorough
def test_a_program_that_does_not_come_to_an_end_is_ended(tmp_path: Path) -> None:
    """Something holds up its last farewell for ever: here the one that it sends to its guest."""
    (tmp_path / "held.py").write_text(
        "import time\n"
        "from p2p_shanghaien.cli.launcher import main\n"
        "from p2p_shanghaien.session import listener\n"
        "async def never(*_): time.sleep(3600)\n"
        "listener.say_bye = never\n"
        "main()\n"
    )
    with at(tmp_path / "home", (sys.executable, str(tmp_path / "held.py"), "play"), PYTHONPATH=os.getcwd()) as terminal:
        terminal.until(CHOOSE)
        os.kill(terminal.pid, signal.SIGTERM)
        terminal.finish(5)
        assert terminal.is_plain()
        assert terminal.echoes
    check_sound(tmp_path / "home")
