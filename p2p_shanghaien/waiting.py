"""What is done while something takes its time."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

LONG: Final = 0.3
"""Seconds after which whoever waits wants to know that something is being done."""


@contextmanager
def if_long(show: Callable[[], None]) -> Iterator[None]:
    """Do `show` if what is done meanwhile takes long."""
    due = asyncio.get_running_loop().call_later(LONG, show)
    try:
        yield
    finally:
        due.cancel()


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Wait until all of the tasks have ended, and do not be cancelled at it."""
    while pending := [task for task in tasks if not task.done()]:
        with suppress(asyncio.CancelledError):
            await asyncio.wait(pending)
