"""Notices about a peer whose entry is expected and that has been silent for a long time."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

IDLE_NOTICES: Final = (60, 300, 900)
"""Seconds since the last frame of the peer after which the user is notified."""


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call."""


Schedule: TypeAlias = Callable[[float, Callable[[], None]], Timer]
"""A scheduler, which calls something after so many seconds unless it is cancelled."""


def schedule(seconds: float, action: Callable[[], None]) -> Timer:
    """Schedule a call by the clock of the running event loop."""
    return asyncio.get_running_loop().call_later(seconds, action)


class IdleTimer:
    """A timer that calls `notify` with the length of a silence in seconds, for each of `IDLE_NOTICES` that it lasts."""

    def __init__(self, notify: Callable[[int], None], schedule: Schedule) -> None:
        self._notify = notify
        self._schedule = schedule
        self._timer: Timer | None = None

    def begin(self) -> None:
        """Start again: the peer has just sent something, or only now has to."""
        self.end()
        self._wait(0)

    def end(self) -> None:
        """Stop: nothing is expected."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _wait(self, which: int) -> None:
        so_far = IDLE_NOTICES[which - 1] if which else 0
        self._timer = self._schedule(IDLE_NOTICES[which] - so_far, lambda: self._elapsed(which))

    def _elapsed(self, which: int) -> None:
        self._timer = None
        self._notify(IDLE_NOTICES[which])
        if which + 1 < len(IDLE_NOTICES):
            self._wait(which + 1)
