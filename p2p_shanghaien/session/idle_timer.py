"""Notices about a peer whose entry is expected and that has been silent for a long time."""

from collections.abc import Callable
from typing import Final, Protocol

IDLE_NOTICES: Final = (60, 300, 900)
"""Seconds since the last frame of the peer after which the user is notified."""


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock(Protocol):
    """A clock that can be set to call something; an event loop is one."""

    def time(self) -> float:
        """Return the time in seconds."""
        ...

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Timer:
        """Schedule a call after `delay` seconds."""
        ...


class IdleTimer:
    """A timer that calls `notify` with the length of a silence in seconds, for each of `IDLE_NOTICES` that it lasts.

    Nearly every silence is short, so the clock is not set anew for each: when it calls, the timer looks how long the
    last one has lasted.
    """

    def __init__(self, notify: Callable[[int], None], clock: Clock) -> None:
        self._notify = notify
        self._clock = clock
        self._since: float | None = None
        """The time at which the silence began; None while nothing is expected."""
        self._notified = 0
        """The number of notices about this silence."""
        self._timer: Timer | None = None

    def begin(self) -> None:
        """Start again: the peer has just sent something, or only now has to."""
        self._since, self._notified = self._clock.time(), 0
        if self._timer is None:
            self._set(self._since)

    def pause(self) -> None:
        """Stop until `begin`: nothing is expected."""
        self._since = None

    def end(self) -> None:
        """Stop, and leave no call scheduled."""
        self._since = None
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _set(self, since: float) -> None:
        """Have the clock call when the next notice is due about the silence since then, if there is another."""
        if self._notified < len(IDLE_NOTICES):
            due = since + IDLE_NOTICES[self._notified]
            self._timer = self._clock.call_later(due - self._clock.time(), self._look)

    def _look(self) -> None:
        self._timer = None
        if self._since is None:
            return
        seconds = IDLE_NOTICES[self._notified]
        if self._clock.time() - self._since >= seconds:
            self._notified += 1
            self._notify(seconds)
        self._set(self._since)
