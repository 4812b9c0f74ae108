"""Computing in threads, so that no connection, user or end of the program ever waits for it."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from p2p_shanghaien.errors import AppCode, LocalError, ShanghaienError
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import GAMES

if TYPE_CHECKING:
    from p2p_shanghaien.analysis.annotate import Analysis

_T = TypeVar("_T")


class Worker:
    """A worker that runs one function after the other, each in a thread for which the program does not wait to end."""

    def __init__(self) -> None:
        self._busy = threading.Lock()

    async def run(self, func: Callable[[], _T]) -> _T:
        """Run `func` in a thread and return its result, which is dropped if the call is cancelled."""
        future: Future[_T] = Future()

        def work() -> None:
            with self._busy:
                if not future.set_running_or_notify_cancel():
                    return
                try:
                    future.set_result(func())
                except StopIteration as error:  # which no future takes
                    future.set_exception(RuntimeError(repr(error)))
                except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
                    future.set_exception(error)

        threading.Thread(target=work, name="thinking", daemon=True).start()
        return await asyncio.wrap_future(future)

    async def evaluate(self, func: Callable[[], _T], failed: AppCode, **details: object) -> _T:
        """Run `func`, which calls a game's own code, as `run`.

        Raises ShanghaienError: any other exception becomes a GameFailed, or else a LocalError of the code `failed` with
        these details and the `reason`.
        """
        try:
            with GAMES.named_in_errors():
                return await self.run(func)
        except ShanghaienError:
            raise
        except Exception as error:
            raise LocalError(failed, reason=repr(error), **details) from error


async def analysed_aside(record: Record) -> "Analysis":
    """Return the analysis of the game on `record`, computed in a thread. Raises as `app.analysis.analyse`."""
    # this brings numpy, which opening a screen must not wait for
    from p2p_shanghaien.app.analysis import analyse  # noqa: PLC0415

    return await Worker().run(partial(analyse, record))
