"""Reading of typed lines, which never blocks the event loop.

Plain lines are read here: from a pipe, a file, or a terminal that cannot move its cursor. At other terminals
prompt_toolkit reads (`ui.terminal`), and output meanwhile appears above the line being typed.
"""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple, Protocol

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.ui.screen import Screen

MAX_LINE: Final = 4096
"""The limit of bytes of a line; the rest is ignored."""

READ_AHEAD: Final = 64
"""The limit of lines taken from a pipe before they are asked for."""


class InputEnded(Quit):
    """The end of the input."""


class Reader(Protocol):
    """A source of typed lines."""

    @property
    def is_interactive(self) -> bool:
        """Return whether a person sits at a terminal and sees each line before typing the next."""
        ...

    @property
    def draft(self) -> str:
        """Return what has been typed of a line so far, as far as that can be known."""
        ...

    def forget(self) -> None:
        """Drop everything typed before the question, so that no impatient key answers it unseen."""
        ...

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> None:
        """Show another prompt for the line being read; half-typed text stays."""
        ...

    async def read(self, prompt: str, completions: Sequence[str] = ()) -> str:
        """Return the next line, without white space at its ends; `completions` complete it.

        Raises Quit. May be cancelled.
        """
        ...


class Line(NamedTuple):
    """A typed line (None: an interrupt, or the end of the input) and the number of questions asked before it."""

    text: str | None
    question: int


class PlainReader:
    """A reader with a thread of its own, which may stay blocked: no file, pipe or terminal is then a special case."""

    def __init__(self, screen: Screen, descriptor: int, *, interactive: bool) -> None:
        self.is_interactive = interactive
        self._screen = screen
        self._descriptor = descriptor
        self._lines: asyncio.Queue[Line] = asyncio.Queue()
        self._questions = 0
        self._room = threading.Semaphore(READ_AHEAD)
        self._ended = False
        self._thread: threading.Thread | None = None

    @property
    def draft(self) -> str:
        return ""  # the system keeps a line to itself until it is complete

    def forget(self) -> None:
        if self.is_interactive:
            self._questions += 1
            discard(self._descriptor)

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> None:  # noqa: ARG002 - nothing completes here
        if prompt:
            self._screen.show(prompt)

    async def read(self, prompt: str, completions: Sequence[str] = ()) -> str:
        loop = asyncio.get_running_loop()
        if not self._thread:
            self._thread = threading.Thread(target=self._pump, args=(loop,), name="typed lines", daemon=True)
            self._thread.start()
        with _interrupting(lambda: loop.call_soon_threadsafe(self._lines.put_nowait, Line(None, self._questions))):
            self.ask(prompt, completions)
            while not (self._ended and self._lines.empty()):
                line = await self._lines.get()
                if line.text is not None:
                    self._room.release()
                if line.question != self._questions:
                    continue
                if line.text is None:
                    break
                return line.text.strip()
        raise InputEnded if self._ended else Quit

    def _pump(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass each line to the event loop, then the end."""
        try:
            for raw in self._raw_lines():
                line = Line(raw.decode("utf-8", "replace"), self._questions)
                self._room.acquire()
                loop.call_soon_threadsafe(self._lines.put_nowait, line)
            loop.call_soon_threadsafe(self._end)
        except RuntimeError:
            return  # the event loop is closed: nobody listens any more

    def _raw_lines(self) -> Iterator[bytes]:
        rest = b""
        try:
            while chunk := os.read(self._descriptor, 4096):
                *lines, rest = (rest + chunk).split(b"\n")
                yield from lines
                rest = rest[:MAX_LINE]
        except OSError:
            pass  # the terminal is gone
        if rest:
            yield rest

    def _end(self) -> None:
        self._ended = True
        self._lines.put_nowait(Line(None, self._questions))


def discard(descriptor: int) -> None:
    """Drop everything typed at the terminal and not read yet, if the system can."""
    with suppress(ImportError, OSError):
        import termios  # noqa: PLC0415 - not on every system

        termios.tcflush(descriptor, termios.TCIFLUSH)


@contextmanager
def _interrupting(interrupt: Callable[[], object]) -> Iterator[None]:
    """Let Ctrl-C call `interrupt` instead of ending the program; only the main thread can arrange that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: interrupt())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
