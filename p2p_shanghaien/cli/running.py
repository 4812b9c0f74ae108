"""Running a session so that the terminal is left as it was found, however the session ends."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from p2p_shanghaien.ui.place import Place

ENDING = ("SIGTERM", "SIGHUP")
"""Requests to end that would otherwise leave the terminal in the middle of a prompt."""


def run(session: Coroutine[Any, Any, int], table: Place) -> int:
    """The exit code of `session` at `table`. A request to end from the system is taken as the person's leaving."""
    return asyncio.run(_attended(session, table))


async def _attended(session: Coroutine[Any, Any, int], table: Place) -> int:
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()
    for name in ENDING:
        # not every system has these signals, or lets a loop wait for them
        with suppress(AttributeError, NotImplementedError, RuntimeError):
            loop.add_signal_handler(getattr(signal, name), task.cancel)
    return await table.attend(session)
