"""Computing in threads, so that no connection, user or end of the program ever waits for it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

_T = TypeVar("_T")


class Worker:
    """A worker that runs one function after the other, each in a thread for which the program does not wait to end."""

    def __init__(self) -> None:
        self._busy = threading.Lock()

    async def run(self, thought: Callable[[], _T]) -> _T:
        """Run `thought` in a thread and return its result, which is dropped if the call is cancelled."""
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        found: list[_T] = []
        failed: list[BaseException] = []

        def end() -> None:
            if not over.done():
                over.set_result(None)

        def have() -> None:
            with self._busy:
                if over.cancelled():
                    return
                try:
                    found.append(thought())
                except BaseException as error:  # noqa: BLE001 - it is raised where the thought is waited for
                    failed.append(error)
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(end)

        threading.Thread(target=have, name="thinking", daemon=True).start()
        await over
        if failed:
            raise failed[0]
        return found[0]
