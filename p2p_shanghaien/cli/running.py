"""Running a session, or a screen, so that the terminal is left as it was found, however it ends."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from p2p_shanghaien.ui.place import Place

_T = TypeVar("_T")


def run(session: Coroutine[Any, Any, int], table: Place) -> int:
    """The exit code of `session` at `table`. A request to end from the system is taken as the person's leaving."""
    return attended(table.attend(session))


def attended(screen: Coroutine[Any, Any, _T]) -> _T:
    """What `screen` gives, which is cancelled where the system asks us to end."""
    return asyncio.run(_attended(screen))


async def _attended(screen: Coroutine[Any, Any, _T]) -> _T:
    task = asyncio.current_task()
    assert task is not None
    terminals = [descriptor for descriptor in range(3) if _is_terminal(descriptor)]

    def hang_up() -> None:
        _let_go(terminals)
        task.cancel()

    # either would otherwise leave the terminal in the middle of a prompt
    _on("SIGTERM", task.cancel)
    _on("SIGHUP", hang_up)
    return await screen


def _on(name: str, do: Callable[[], object]) -> None:
    # not every system has these signals, or lets a loop wait for them
    with suppress(AttributeError, NotImplementedError, RuntimeError):
        asyncio.get_running_loop().add_signal_handler(getattr(signal, name), do)


def _is_terminal(descriptor: int) -> bool:
    with suppress(OSError):
        return os.isatty(descriptor)
    return False


def _let_go(terminals: list[int]) -> None:
    """What is still written to a terminal that is gone goes nowhere, and nobody waits for it."""
    with open(os.devnull, "r+b") as nowhere:
        for descriptor in terminals:
            if not _is_terminal(descriptor):
                os.dup2(nowhere.fileno(), descriptor)
