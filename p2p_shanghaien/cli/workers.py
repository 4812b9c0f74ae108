"""Processes that reckon, and end when they are told to."""

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context


@contextmanager
def workers(cores: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes. Ctrl-C is for this one; it ends the others at once, in the middle of a game."""
    executor = ProcessPoolExecutor(cores, get_context("spawn"))
    # a process that is started while interrupts are ignored ignores them from its first moment
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        list(executor.map(abs, range(cores)))
    finally:
        signal.signal(signal.SIGINT, before)
    try:
        yield executor
    except BaseException:
        for worker in active_children():
            worker.terminate()
        executor.shutdown(cancel_futures=True)
        raise
    executor.shutdown()
