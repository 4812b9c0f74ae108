"""Running a session or a screen so that the terminal is left as it was found, however it ends."""

import asyncio
import os
import select
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, Final, TypeVar

try:
    import termios
except ImportError:  # not on every system
    termios = None  # type: ignore[assignment]

from p2p_shanghaien.ending import ENDING
from p2p_shanghaien.ui.standard import is_terminal, to_nowhere

_T = TypeVar("_T")

_SANE: Final = b"\x1b[<u\x1b[?1000;1003;1004;1006;1015;2004;2048;1047l\x1b[?7;25h\r\n"
"""Ends whatever our screens set at a terminal, and means nothing where it is not set."""


def attended(screen: Coroutine[Any, Any, _T]) -> _T | None:
    """Return the result of `screen`, which is cancelled when we are asked to end or when the terminal is gone.

    None where it has none for that reason.
    """
    cancel: list[Callable[[], object]] = []
    terminals = [descriptor for descriptor in range(3) if is_terminal(descriptor)]

    def leave() -> None:
        _let_go(terminals)
        for do in cancel:
            with suppress(RuntimeError):  # the event loop is closed: it has ended
                do()

    async def attend() -> _T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        cancel.append(lambda: loop.call_soon_threadsafe(task.cancel))
        with _watched(terminals, lambda: loop.call_soon_threadsafe(ENDING.ask)):
            return await screen

    with ENDING.stopping(leave), _restoring(terminals), suppress(asyncio.CancelledError):
        return asyncio.run(attend())
    return None


def _let_go(terminals: Sequence[int]) -> None:
    """What is still written to a terminal that is gone goes nowhere, and nobody waits for it."""
    for descriptor in terminals:
        if not is_terminal(descriptor):
            to_nowhere(descriptor)


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
    """Have the terminals put back as they are now if the program is ended by force while the block runs."""
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

    ENDING.last_resort.append(restore)
    try:
        yield
    finally:
        ENDING.last_resort.remove(restore)


def _settings(terminal: int) -> list[Any] | None:
    """The settings of the terminal, where the system has such things."""
    if termios:
        with suppress(termios.error):
            return termios.tcgetattr(terminal)
    return None
