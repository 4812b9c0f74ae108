"""Running a session or a screen so that the terminal is left as it was found, however it ends."""

import asyncio
import os
import select
import signal
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, Final, TypeVar

try:
    import termios
except ImportError:  # not on every system
    termios = None  # type: ignore[assignment]

from p2p_shanghaien.shutdown import SHUTDOWN
from p2p_shanghaien.ui.standard_streams import is_terminal, to_nowhere

_T = TypeVar("_T")

_SANE: Final = b"\x1b[<u\x1b[?1000;1003;1004;1006;1015;2004;2048;1047l\x1b[?7;25h\r\n"
"""Control sequences that end all terminal modes of our screens, and have no effect on others."""


def run(screen: Coroutine[Any, Any, _T]) -> _T | None:
    """Return the result of `screen`, which is cancelled when we are asked to end or the terminal is gone.

    None if it has none for that reason.
    """
    cancel: list[Callable[[], object]] = []
    terminals = [descriptor for descriptor in range(3) if is_terminal(descriptor)]

    def leave() -> None:
        for descriptor in terminals:
            if not is_terminal(descriptor):  # it is gone, and takes no output any more
                to_nowhere(descriptor)
        for do in cancel:
            with suppress(RuntimeError):  # the event loop is closed: it has ended
                do()

    async def running() -> _T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        cancel.append(lambda: loop.call_soon_threadsafe(task.cancel))
        with _watched(terminals, lambda: loop.call_soon_threadsafe(SHUTDOWN.ask)):
            return await screen

    with SHUTDOWN.stopping(leave), _restoring(terminals), suppress(asyncio.CancelledError):
        return asyncio.run(running())
    return None


@contextmanager
def signals_kept() -> Iterator[None]:
    """Restore the handlers of Ctrl-Z after the block: each full screen sets its own."""
    numbers = [getattr(signal, name) for name in ("SIGTSTP", "SIGCONT") if hasattr(signal, name)]
    kept = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


@contextmanager
def _watched(terminals: Sequence[int], lost: Callable[[], object]) -> Iterator[None]:
    """Call `lost` from a thread when one of the terminals is gone. SIGHUP may be ignored, or go to others."""
    if not (terminals and hasattr(select, "poll")):
        yield
        return
    done, closing = os.pipe()
    poll = select.poll()
    for descriptor in (*terminals, done):
        poll.register(descriptor, 0)

    def wait() -> None:
        gone = {descriptor for descriptor, event in poll.poll() if event & select.POLLHUP}
        os.close(done)
        if gone - {done}:
            with suppress(RuntimeError):
                lost()

    watching = Thread(target=wait, name="terminal", daemon=True)
    watching.start()
    try:
        yield
    finally:
        os.close(closing)
        watching.join()


@contextmanager
def _restoring(terminals: Sequence[int]) -> Iterator[None]:
    """Restore the terminals if the program is ended by force while the block runs."""
    each = {os.fstat(descriptor).st_rdev: descriptor for descriptor in terminals}
    settings = {descriptor: _settings(descriptor) for descriptor in each.values()}

    def restore() -> None:
        for descriptor, found in settings.items():
            if found is not None:
                termios.tcsetattr(descriptor, termios.TCSANOW, found)
            # a terminal that nobody reads takes nothing
            writing = Thread(target=os.write, args=(descriptor, _SANE), daemon=True)
            writing.start()
            writing.join(0.1)

    SHUTDOWN.last_resort.append(restore)
    try:
        yield
    finally:
        SHUTDOWN.last_resort.remove(restore)


def _settings(terminal: int) -> list[Any] | None:
    """Return the settings of the terminal, if the system has any."""
    if termios:
        with suppress(termios.error):
            return termios.tcgetattr(terminal)
    return None
