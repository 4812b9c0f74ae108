"""A person's place at a table, however it is shown: line mode's and the full screen's are of this kind."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from p2p_shanghaien.games.api import Game, State, Step

if TYPE_CHECKING:
    from p2p_shanghaien.ui.talk import Remark

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
class Place(Protocol):
    """`ui.line.LineTable` says what each of these does."""

    @property
    def attended(self) -> bool: ...

    def begun(self, game: Game, names: tuple[str, str], me: int | None, state: State | None = None) -> None: ...

    def told(self, code: str, /, **details: object) -> None: ...

    def drew(self, draw: Any) -> None: ...

    def stepped(self, before: State, step: Step, after: State) -> None: ...

    def thinks(self, name: str | None) -> None: ...

    async def decide(self, state: State, player: int, legal: Sequence[str]) -> str: ...

    async def confirm(self, code: str, /, **details: object) -> bool: ...

    async def ask(self, code: str, /, offers: Sequence[str] = (), **details: object) -> str: ...

    async def remark(self) -> "Remark": ...

    async def attend(self, session: Coroutine[Any, Any, int]) -> int: ...
