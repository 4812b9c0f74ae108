"""Standard streams that are closed or full, for every command: no traceback, and no exit code that changes."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pexpect
import pytest
from prompt_toolkit.application import create_app_session

from p2p_shanghaien.cli.main import COMMANDS
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.reading import PlainReader
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.streams import reader
from tests import needs
from tests.cli.program import PATIENCE, PROGRAM, RANDOM, environment, logs, shanghaien
from tests.spawned import Spawned
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

LOG = str(Path("examples/sample.shlog").resolve())
GAMES = ("--games", "2", "--cores", "1", "--seed", "1")

CALLS: Final[Sequence[tuple[str, ...]]] = (
    ("--help",),
    ("--version",),
    ("nonsense",),
    ("play", *RANDOM),
    ("play",),
    ("learn", "shanghaien"),
    ("host", "--port", "0", "--bind", "192.0.2.1"),
    ("join", "127.0.0.1:9"),
    ("resume",),
    ("games",),
    ("players",),
    ("players", "forget", "nobody"),
    ("identity",),
    ("identity", "name", "Ada"),
    ("replay", LOG, "--plain"),
    ("replay", LOG, "--at", "3"),
    ("replay", LOG, "--svg", "/dev/full"),
    ("replay", LOG, "--html", "/dev/full"),
    ("verify", LOG),
    ("verify", LOG, "--json"),
    ("export", LOG),
    ("import", "nothing.shgame"),
    ("rules",),
    ("tournament", "random", "random", *GAMES, "--json"),
    ("dice", LOG),
    ("analyse", LOG, "--json"),
    ("stats",),
    ("engine",),
    ("relay", "--port", "0", "--bind", "192.0.2.1"),
    ("watch", "127.0.0.1:1"),
)

LOST: Final = (">&-", "2>&-", "<&- >&- 2>/dev/full")
"""Nobody is to be told anything by these, and so nothing else changes."""


def called(folder: Path, call: Sequence[str], redirected: str) -> tuple[int, str, str]:
    """Return how the call ends in a new home, and what it says."""
    home = folder / f"home-{len(list(folder.iterdir()))}"
    home.mkdir()
    ended = subprocess.run(
        ["/bin/sh", "-c", f"exec {shlex.join((*PROGRAM, *call))} {redirected}"],
        env=environment(home),
        input="engine\nquit\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    for log in logs(home):
        assert verify(log.read_bytes(), RULES).verdict in (Verdict.COMPLETE, Verdict.INCOMPLETE)
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr
    return ended.returncode, ended.stdout, ended.stderr


def test_every_command_is_among_them() -> None:
    assert {call[0] for call in CALLS} >= set(COMMANDS)


@sweep("call", CALLS, every=18, ids=" ".join)
def test_no_command_minds_what_its_streams_are(tmp_path: Path, call: Sequence[str]) -> None:
    needs.file("/dev/full")
    code, printed, _ = called(tmp_path, call, "")
    for redirected in LOST:
        assert called(tmp_path, call, redirected)[0] == code, redirected
    full, _, said = called(tmp_path, call, ">/dev/full")
    assert full == (1 if printed else code)
    if printed:
        assert "The output could not be written: No space left on device." in " ".join(said.split())


@pytest.mark.thorough
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_python_may_buffer_or_not(tmp_path: Path, unbuffered: str) -> None:
    needs.file("/dev/full")
    for command in ("rules", "--help", "engine"):
        for redirected, status in ((">/dev/full", 1), (">&-", 0)):
            ended = subprocess.run(
                ["/bin/sh", "-c", f"exec {shlex.join((*PROGRAM, command))} {redirected}"],
                env=environment(tmp_path, PYTHONUNBUFFERED=unbuffered),
                input=b"engine\n",
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
            assert (ended.returncode, b"Traceback" in ended.stderr) == (status, False)


@pytest.mark.thorough
def test_no_file_of_ours_becomes_the_standard_output(tmp_path: Path) -> None:
    """The first file that is opened gets the lowest number that is free: that of the closed stream."""
    code, _, _ = called(tmp_path, ("play", *RANDOM), ">&- 2>&- <&-")
    assert code == 0
    found = [log for home in tmp_path.iterdir() for log in logs(home)]
    assert [verify(log.read_bytes(), RULES).verdict for log in found] == [Verdict.COMPLETE] * 2


class NoConsoleScreenBufferError(Exception):
    """The library's own, which exists on Windows alone."""


def refuse(*_: object, **__: object) -> None:
    raise NoConsoleScreenBufferError


class Console:
    """A standard stream that says that it is a terminal."""

    encoding = "utf-8"

    def fileno(self) -> int:
        return 0

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("made", ["input", "output"])
def test_a_terminal_without_a_console_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch, made: str) -> None:
    """To the library that edits lines, mintty on Windows is such a terminal."""
    screen = Screen()
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(sys, name, Console())
    monkeypatch.setenv("TERM", "xterm")
    with create_app_session():
        monkeypatch.setattr(f"prompt_toolkit.{made}.defaults.create_{made}", refuse)
        assert isinstance(reader(screen), PlainReader)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_written_to_and_stays_what_it_is(tmp_path: Path) -> None:
    """`-o /dev/full` as root must not put a file in its place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reading:
        assert shanghaien(tmp_path / "home", "export", LOG, "-o", pipe).returncode == 0
        assert reading.communicate(timeout=PATIENCE)[0].startswith(b'[Game "shanghaien"]')
    assert pipe.is_fifo()


def test_a_game_is_played_in_a_terminal_without_a_console(tmp_path: Path) -> None:
    script = tmp_path / "mintty.py"
    script.write_text(
        "import prompt_toolkit.output.defaults as defaults\n"
        "from p2p_shanghaien.cli.launcher import main\n"
        "def refuse(*_, **__): raise Exception('no console')\n"
        "defaults.create_output = refuse\n"
        "main()\n"
    )
    variables = environment(tmp_path, TERM="xterm-256color", PYTHONPATH=os.getcwd())
    child = Spawned([sys.executable, str(script), "play", "--plain"], variables)
    child.expect("Your choice")
    child.send("roll\r")
    child.expect("You rolled")
    child.send("leave\r")
    child.expect("shanghaien resume")
    child.expect(pexpect.EOF)
    assert child.wait() == 5
