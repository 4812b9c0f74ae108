"""A terminal of 80 by 24 that a program runs in, and whose screen can be read."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

from tests.spawned import Spawned

ROOT = Path(__file__).parents[2]


SITTING = (sys.executable, "-m", "tests.ui.sitting")

UNUSUAL = {number << 5 for number in (1, 47, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004)}
"""Private modes that no shell expects, as pyte numbers them: other cursor keys, other screens, the mouse, pasting."""

DRAWN = 0.01
"""Seconds in which a program that has more to draw writes some of it: the system hands on 4 KB at a time."""


class Answering(pyte.Screen):
    """A screen that writes down what the terminal answers to what is put to it, as if somebody had typed it."""

    answers = ""

    def write_process_input(self, data: str) -> None:
        self.answers += data


class Terminal:
    """`scene` of `tests.ui.sitting`, in a pseudo-terminal. `raw` collects everything the program wrote.

    `program` may be another one; the words of `scene` are then what it is started with.
    """

    def __init__(self, scene: str, *, program: Sequence[str] = SITTING, **environment: str) -> None:
        self.screen = Answering(80, 24)
        self.raw = ""
        self.echoes = False
        """True if the terminal, once the program has ended, shows typed text: it had been told not to."""
        self._stream = pyte.Stream(self.screen)
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        usual = {"TERM": "xterm-256color", "LANGUAGE": "", "PYTHONWARNINGS": "error"}
        self._child = Spawned([*program, *scene.split()], {**plain, **usual, **environment}, cwd=ROOT)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close()

    def type(self, keys: str) -> None:
        self._child.send(keys)

    def write(self, data: bytes) -> None:
        """Send bytes that need not be text."""
        os.write(self._child.child_fd, data)

    def interrupt(self) -> None:
        self._child.sendintr()

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def until(self, *wanted: str | Callable[[str], object]) -> str:
        """Return the screen as soon as all that is `wanted` stands on it, or holds for it, and it is drawn whole.

        A program draws in as many steps as it likes: wait for whatever is asserted to be there.
        """
        deadline = time.monotonic() + 30
        while not all(text(self.text()) if callable(text) else text in self.text() for text in wanted):
            assert time.monotonic() < deadline, f"{wanted!r} never came:\n{self.text()}"
            self._read()
        whole = min(time.monotonic() + 0.5, deadline)
        while self._read(DRAWN) and time.monotonic() < whole:
            pass
        return self.text()

    def drain(self, within: float) -> bool:
        """Take what the program has written, and return whether anything came within so many seconds."""
        return bool(self._read(within))

    @property
    def pid(self) -> int:
        """The process of the program."""
        return self._child.pid

    def is_plain(self) -> bool:
        """Return whether the cursor is seen, and no mode is on that whoever types next would stumble over."""
        return not (self.screen.cursor.hidden or self.screen.mode & UNUSUAL)

    def vanish(self) -> None:
        """Be gone, as a terminal is whose window is closed. The program may go on."""
        self._child.close(force=False)

    def status(self, within: float) -> int:
        """Return the exit status of the program, which ends within so many seconds; below zero the signal that killed
        it.
        """
        deadline = time.monotonic() + within
        while self._child.isalive():
            assert time.monotonic() < deadline, "still running"
            time.sleep(0.02)
        return self._child.wait()

    def finish(self, status: int = 0) -> str:
        """Return the screen once the program has ended, with this exit status."""
        deadline = time.monotonic() + 30
        while self._read() is not None:
            assert time.monotonic() < deadline, f"still running:\n{self.text()}"
        self.echoes = self._child.getecho()
        assert self._child.wait() == status, self.text()
        self._child.close()
        return self.text()

    def _read(self, within: float = 0.05) -> int | None:
        """Return how many characters the program wrote, if any came within so many seconds; None once it has ended."""
        try:
            data = self._child.read_nonblocking(65536, timeout=within)
        except pexpect.TIMEOUT:
            return 0
        except pexpect.EOF:
            return None
        self.raw += data
        self._stream.feed(data)
        return len(data)
