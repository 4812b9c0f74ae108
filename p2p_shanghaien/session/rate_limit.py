"""Rate limits, and the cost of a peer that sends without end (protocol/SPEC.md, 7.4)."""

from collections.abc import Callable


class RateLimit:
    """A limit that allows `burst` things at once, and `rate` more each second."""

    def __init__(self, burst: int, rate: float, clock: Callable[[], float]) -> None:
        self._burst = burst
        self._rate = rate
        self._clock = clock
        self._left = float(burst)
        self._since = clock()

    def allows(self) -> bool:
        """Return whether one more is allowed now, and count it if so."""
        now = self._clock()
        self._left = min(self._left + (now - self._since) * self._rate, self._burst)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
