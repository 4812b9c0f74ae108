"""The program as a person starts it: a process of its own, with a home of its own."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Self

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests import preloaded

PROGRAM = (sys.executable, "-m", "p2p_shanghaien")
RANDOM = ("--player", "random")
PATIENCE = 60.0
"""Seconds until a test gives a process up; far more than any needs."""


def experienced(home: Path) -> Path:
    """Make `home` one in which a lesson was offered: none is offered again."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "lessons.json").write_text('{"offered": true}\n')
    return home


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return the test's environment with another home and a plain terminal."""
    plain = {"SHANGHAIEN_HOME": str(home), "TERM": "dumb", "PYTHONWARNINGS": "error", "LANGUAGE": ""}
    return {**os.environ, **plain, **more}


def shanghaien(home: Path, *arguments: object, stdin: str = "", **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end."""
    words = [*map(str, arguments)]
    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        process = preloaded.start(words, environment(home, **more), output, errors)
        try:
            send(process, stdin)
            code = process.wait(PATIENCE)
        finally:
            process.kill()
            process.wait()
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(words, code, output.read(), errors.read())


def send(process: preloaded.Process, text: str) -> None:
    """Give `process` its whole standard input, as far as it reads it."""
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.write(text.encode())
        process.stdin.close()


class Running:
    """A command that goes on running, `within` another one, with its output in a file that grows."""

    def __init__(self, home: Path, *arguments: object, within: Sequence[str] = (), **more: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self._path = home / f"output-{arguments[0]}-{len(list(home.glob('output-*')))}.txt"
        words, env = [*map(str, arguments)], environment(home, **more)
        self.process: preloaded.Process
        with self._path.open("w") as output:
            if within:
                command = [*within, *PROGRAM, *words]
                self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=output, stderr=output)
            else:
                self.process = preloaded.start(words, env, output, output)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def output(self) -> str:
        return self._path.read_text()

    def wait_for(self, pattern: str) -> "re.Match[str]":
        """Return where `pattern` is found in the output, once it is."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := re.search(pattern, self.output):
                return found
            if self.process.poll() is not None and not re.search(pattern, self.output):
                break
            time.sleep(0.02)
        raise AssertionError(f"{pattern!r} does not come up in:\n{self.output}")

    def type(self, line: str) -> None:
        """Type a line. The standard input stays open until the end."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def exit_code(self) -> int:
        """Return what it ends with."""
        return self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Kill it, if it still runs: it gets no chance to say or write anything."""
        self.process.kill()
        self.process.wait(PATIENCE)
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()


class Host(Running):
    """A host on loopback, listening; `port` is where."""

    def __init__(self, home: Path, *arguments: object, within: Sequence[str] = (), **more: str) -> None:
        super().__init__(home, "host", "--bind", "127.0.0.1", "--port", 0, *arguments, within=within, **more)
        try:
            self.port = int(self.wait_for(r"shanghaien join '?127\.0\.0\.1:(\d+)")[1])
            self.wait_for("Waiting for a guest")
        except BaseException:
            self.stop()
            raise

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"


def take_guest(host: Running) -> None:
    """Let the person at `host` agree to the guest who has come, and think about the first choice."""
    host.wait_for("Play with")
    host.type("y")
    host.wait_for("Your choice")


def check_finished(here: Path, there: Path) -> None:
    """The homes of both sides hold one game each, the same, and it is complete."""
    (ours,), (theirs,) = logs(here), logs(there)
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify(ours.read_bytes(), RULES).verdict == Verdict.COMPLETE


def logs(home: Path) -> Sequence[Path]:
    """Return the signed logs kept under `home`."""
    return sorted((home / "games").glob("*.shlog"))
