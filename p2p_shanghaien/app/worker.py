"""Computing in threads, so that no connection, user or end of the program ever waits for it."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from p2p_shanghaien.games.record import Record

if TYPE_CHECKING:
    from p2p_shanghaien.analysis.annotate import Analysis

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


async def analysed_aside(record: Record) -> "Analysis":
    """Return the analysis of the game on `record`, computed in a thread. Raises as `app.analysis.analyse`."""
    # this brings numpy, which opening a screen must not wait for
    from p2p_shanghaien.app.analysis import analyse  # noqa: PLC0415

    return await Worker().run(partial(analyse, record))
