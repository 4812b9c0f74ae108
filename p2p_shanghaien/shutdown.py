"""Shutdown when the system asks for it: properly if that is quick, and soon in any case.

A program at a table stops as it says (`stopping`); every other one is interrupted, as by Ctrl-C. Further requests, by
whatever signal, change nothing and do not disturb the cleanup. But there is a deadline.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any, Final

DEADLINE: Final = 1.5
"""Seconds for the cleanup."""

REQUESTS: Final = ("SIGHUP", "SIGQUIT", "SIGTERM")
"""Signals that ask a program to end.

SIGINT does so at a table alone: elsewhere it is Python's own, as often as it comes, as it may take long to sum up the
results so far.
"""


class Shutdown:
    """The only shutdown of this program."""

    def __init__(self) -> None:
        self.code: Callable[[], int] = lambda: 1
        """The exit code if the program has no time to find it."""
        self.last_resort: list[Callable[[], object]] = []
        """Callbacks before the program is ended by force; from another thread, and with no time to wait."""
        self._asked = False
        self._ending = Event()
        self._stop: Callable[[], object] | None = None
        self._heard: list[signal.Signals] = []

    def listen(self) -> None:
        """Handle the system's requests from now on. Call it from the main thread, once."""
        # started beforehand: a signal may come while the threads' own bookkeeping is locked
        Thread(target=self._insist, name="deadline", daemon=True).start()
        for name in (*REQUESTS, "SIGINT"):
            number = getattr(signal, name, None)  # not every system has them all
            # `nohup` and a shell's background ignore them on purpose
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._interrupted if name == "SIGINT" else self._requested)
                self._heard.append(number)

    @contextmanager
    def stopping(self, stop: Callable[[], object]) -> Iterator[None]:
        """Let `stop` end the program while the block runs. It may be called from a signal handler."""
        before, self._stop = self._stop, stop
        try:
            yield
        finally:
            self._stop = before

    def ask(self) -> None:
        """Ask the program to end. Call it from the main thread."""
        if self._asked:
            return
        self._asked = True  # first: the next signal may come while the event is locked
        self._ending.set()
        if self._stop is None:
            raise KeyboardInterrupt
        self._stop()

    def settle(self, code: int) -> None:
        """Let the program end with `code`, now that only the interpreter's own cleanup is left."""
        self.code = lambda: code
        # the interpreter removes the handlers at some point, and a signal would change the exit code
        for number in self._heard:
            signal.signal(number, signal.SIG_IGN)
        self._asked = True
        self._ending.set()

    def end_now(self) -> None:
        """End the program by force."""
        for do in self.last_resort:
            with suppress(Exception):
                do()
        os._exit(self.code())

    def _requested(self, *_: Any) -> None:
        self.ask()

    def _interrupted(self, *_: Any) -> None:
        if self._stop is not None:
            self.ask()
        elif not self._asked:
            raise KeyboardInterrupt

    def _insist(self) -> None:
        self._ending.wait()
        time.sleep(DEADLINE)
        self.end_now()


SHUTDOWN: Final = Shutdown()
