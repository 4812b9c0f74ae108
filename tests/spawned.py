"""Programs at pseudo-terminals, forked where that can be, with what tests use of `pexpect.spawn`."""

import os
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from pexpect.fdpexpect import fdspawn

from tests import preloaded

if TYPE_CHECKING:
    AtDescriptor = fdspawn[str]
else:
    AtDescriptor = fdspawn

BETWEEN = 0.05
"""Seconds before anything is typed, as pexpect waits for programs of its own."""
PATIENCE = 60.0
"""Seconds until a test gives a program up; far more than any needs."""


_open: "WeakSet[Spawned]" = WeakSet()


def end_all() -> None:
    """End what a test has left open that failed, or a later one would be blamed for it."""
    for each in list(_open):
        each.close()


class Spawned(AtDescriptor):
    """A command at a pseudo-terminal of its own, of `size` rows and columns."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        *,
        size: tuple[int, int] = (24, 80),
        cwd: Path | None = None,
        timeout: float = PATIENCE,
    ) -> None:
        ours, theirs = os.openpty()
        try:
            termios.tcsetwinsize(ours, size)
            self._process = preloaded.start_at_terminal(command, env, str(cwd or Path.cwd()), theirs)
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        super().__init__(ours, timeout=timeout, encoding="utf-8")
        self.pid: int = self._process.pid
        self._words = " ".join(command)
        _open.add(self)

    def __str__(self) -> str:
        return f"{self._words}:\n{self.before or ''}{self.buffer}"

    def send(self, s: str | bytes) -> int:
        """Type. A program that asks anew forgets what was typed before: it gets the time to ask."""
        time.sleep(BETWEEN)
        return super().send(s)

    def sendintr(self) -> None:
        """Press Ctrl-C."""
        self.send("\x03")

    def sendeof(self) -> None:
        """Press Ctrl-D."""
        self.send("\x04")

    def getecho(self) -> bool:
        """Return whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self.child_fd)[3] & termios.ECHO)

    def isalive(self) -> bool:
        """Return whether the program still runs."""
        return self._process.poll() is None

    def wait(self) -> int:
        """Return the exit status of the program, which ends in time; below zero the signal that killed it."""
        try:
            return self._process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running: {self}") from None

    def kill(self, number: int) -> None:
        """Send the program a signal, if it still runs."""
        self._process.send_signal(number)

    def close(self, *, force: bool = True) -> None:
        """End the program, if it still runs and that is to be forced."""
        _open.discard(self)
        if force:
            self._process.kill()
            self._process.wait()
        super().close()
