"""Worker processes, which end when they are told to."""

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import Any, Final

from p2p_shanghaien.errors import AppCode, LocalError
from p2p_shanghaien.shutdown import SHUTDOWN

OURS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGQUIT") if hasattr(signal, name)]
"""Signals that a terminal sends to all its processes, and that are for this one alone."""


@contextmanager
def workers(cores: int) -> Iterator[ProcessPoolExecutor]:
    """Run so many processes. Ctrl-C is for this one; it ends the others at once, in the middle of a game.

    Raises LocalError worker_died if one of them ends by itself.
    """
    executor = ProcessPoolExecutor(cores, get_context("spawn"), initializer=_begin)
    try:
        with _held_back():
            list(executor.map(abs, range(cores)))
        yield executor
    except BaseException as error:
        for worker in active_children():
            worker.terminate()
        executor.shutdown(cancel_futures=True)
        # with a cause, no process has died: its result could not be unpickled, which is a bug of ours
        if isinstance(error, BrokenProcessPool) and not error.__cause__:
            raise LocalError(AppCode.WORKER_DIED) from None
        raise
    executor.shutdown()


@contextmanager
def _held_back() -> Iterator[None]:
    """Have processes that are started in the block hold back the terminal's signals, until they ignore them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, OURS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """Make this process, and what it has started, end when it is told to or its parent is gone."""

    def end(*_: Any) -> None:
        SHUTDOWN.end_now()

    def outlive() -> None:
        if parent := parent_process():
            parent.join()
            end()

    for number in OURS:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end)
    Thread(target=outlive, name="parent", daemon=True).start()
