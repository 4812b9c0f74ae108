"""A person's place at a table, however it is shown: line mode's and the full screen's are of this kind."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol, runtime_checkable

from p2p_shanghaien.games.api import State
from p2p_shanghaien.session.participant import Remark, Watcher

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


@runtime_checkable
class Place(Watcher, Protocol):
    """What a session and the commands find at every kind of table, besides somebody who looks on."""

    @property
    def attended(self) -> bool:
        """Whether somebody sits there and sees a question before answering it."""
        ...

    def thinks(self, name: str | None) -> None:
        """Show that `name` takes long over a decision; None: no longer."""

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str:
        """Return the action, one of `legal`, that the person chooses for `player`. Raises Quit. May be cancelled."""
        ...

    async def confirm(self, code: str, /, **details: object) -> bool:
        """Return whether the person says yes to the question of `code`. Raises Quit. May be cancelled."""
        ...

    async def ask(self, code: str, /, offers: Sequence[str] = (), **details: object) -> str:
        """Return the line that is typed when asked `code`; empty where the person would rather not. Raises Quit."""
        ...

    async def remark(self) -> Remark:
        """Return what the person says besides deciding, in a game in which they play. Raises Quit. May be cancelled."""
        ...

    async def attend(self, session: Coroutine[Any, Any, int]) -> int:
        """Run `session` at this table and return its exit code."""
        ...
