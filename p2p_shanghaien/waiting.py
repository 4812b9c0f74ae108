"""Notices for operations that take long."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

LONG: Final = 0.3
"""Seconds after which a user who waits wants a notice."""


@contextmanager
def if_long(show: Callable[[], None], after: float = LONG) -> Iterator[None]:
    """Call `show` if the block takes long, `after` so many seconds."""
    due = asyncio.get_running_loop().call_later(after, show)
    try:
        yield
    finally:
        due.cancel()


async def ended(*tasks: asyncio.Task[Any]) -> None:
    """Wait until all of the tasks have ended, even if cancelled."""
    while pending := [task for task in tasks if not task.done()]:
        with suppress(asyncio.CancelledError):
            await asyncio.wait(pending)
