"""Noticing that the other side, which owes the next entry, has said nothing for a long time."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

SILENCES: Final = (60, 300, 900)
"""Seconds after which our person is told, since the other side was last heard of."""


class Timer(Protocol):
    """Something that will happen later."""

    def cancel(self) -> None:
        """It will not."""


Later: TypeAlias = Callable[[float, Callable[[], None]], Timer]
"""Does something so many seconds from now, unless it is cancelled."""


def later(seconds: float, action: Callable[[], None]) -> Timer:
    """By the clock of the running event loop."""
    return asyncio.get_running_loop().call_later(seconds, action)


class Silence:
    """Calls `tell` with the length of a silence in seconds, once for each of `SILENCES` that it lasts."""

    def __init__(self, tell: Callable[[int], None], later: Later) -> None:
        self._tell = tell
        self._later = later
        self._timer: Timer | None = None

    def begin(self) -> None:
        """The other side has just been heard, or only now has to say something."""
        self.end()
        self._wait(0)

    def end(self) -> None:
        """Nothing is waited for."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _wait(self, which: int) -> None:
        so_far = SILENCES[which - 1] if which else 0
        self._timer = self._later(SILENCES[which] - so_far, lambda: self._lasted(which))

    def _lasted(self, which: int) -> None:
        self._timer = None
        self._tell(SILENCES[which])
        if which + 1 < len(SILENCES):
            self._wait(which + 1)
