"""Processes that compute, and end when they are told to."""

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context

from p2p_shanghaien.errors import LocalError


@contextmanager
def workers(cores: int) -> Iterator[ProcessPoolExecutor]:
    """Run so many processes. Ctrl-C is for this one; it ends the others at once, in the middle of a game.

    Raises LocalError worker_died where one of them ends by itself.
    """
    executor = ProcessPoolExecutor(cores, get_context("spawn"))
    try:
        # a process that is started while interrupts are ignored ignores them from its first moment
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            list(executor.map(abs, range(cores)))
        finally:
            signal.signal(signal.SIGINT, before)
        yield executor
    except BaseException as error:
        for worker in active_children():
            worker.terminate()
        executor.shutdown(cancel_futures=True)
        # with a cause, no process has died: what it sent could not be unpickled, which is a bug of ours
        if isinstance(error, BrokenProcessPool) and not error.__cause__:
            raise LocalError("worker_died") from None
        raise
    executor.shutdown()
