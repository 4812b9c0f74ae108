"""The gallery of a host's table: everybody who watches (protocol/SPEC.md, 4.16)."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.handshake import Bye, bye
from p2p_shanghaien.fairplay.transcript import read
from p2p_shanghaien.fairplay.watching import Place, ShownLog
from p2p_shanghaien.session.ports import SecureLink

PACE: Final = 0.1
"""Seconds between two lots of entries for one watcher."""
STALLED: Final = 40.0
"""Seconds after which a watcher that takes nothing is dropped."""
CLOSING: Final = 1.0
"""Seconds for all watchers to take the last of it when the host leaves."""
COUNTED: Final = 10.0
"""Seconds between two statements of how many watch."""


class Gallery:
    """Room for `limit` watchers, who reach it by channels with the pre-shared `key`.

    They are shown one log at a time, each from its own place on.
    """

    def __init__(self, limit: int, key: bytes = NO_KEY, *, pace: float = PACE, stalled: float = STALLED) -> None:
        self.key = key
        self._limit = limit
        self._pace = pace
        self._stalled = stalled
        self._log: ShownLog | None = None
        self._grown = asyncio.Event()
        self._links: set[SecureLink] = set()
        self._recounted = asyncio.Event()
        self.told = 0
        """The number of watchers that the players were told last."""
        self._told_at = float("-inf")
        self._closing = asyncio.Event()
        self._shows: set[asyncio.Future[None]] = set()

    @property
    def count(self) -> int:
        """The number of people who watch."""
        return len(self._links)

    def begin(self, log: bytes, data: Iterable[bytes] = ()) -> None:
        """Show the log of which these are the bytes so far, from now on in place of the former one.

        `data` are those that its settings name.
        """
        self._log = ShownLog(read(log), data)
        self._signal()

    def append(self, entry: bytes) -> None:
        """Take the next entry of the log."""
        assert self._log is not None, "it has begun"
        before = self._log.length
        self._log.append(entry)
        if self._log.length > before:
            self._signal()

    async def admit(self, link: SecureLink, place: Place | None) -> None:
        """Show the game to a watcher at `place`, until it leaves, or takes nothing for too long."""
        if self.count >= self._limit:
            await link.send(bye(Bye.BUSY))
            return
        link.settled()
        self._links.add(link)
        self._recounted.set()
        leaving = asyncio.ensure_future(link.receive())  # it has nothing more to say
        showing = asyncio.ensure_future(self._show(link, place))
        self._shows.add(showing)
        showing.add_done_callback(self._shows.discard)
        try:
            await asyncio.wait({leaving, showing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._links.discard(link)
            self._recounted.set()
            for task in (leaving, showing):
                task.cancel()
            await asyncio.gather(leaving, showing, return_exceptions=True)

    async def recount(self) -> int:
        """Return how many watch, as soon as that differs from what was returned last, not more often than COUNTED."""
        loop = asyncio.get_running_loop()
        while self.count == self.told:
            self._recounted.clear()
            await self._recounted.wait()
            await asyncio.sleep(self._told_at + COUNTED - loop.time())
        self.told, self._told_at = self.count, loop.time()
        return self.told

    async def close(self) -> None:
        """Send all watchers what is behind, and that the host leaves, within a second."""
        self._closing.set()
        self._signal()
        if self._shows:
            await asyncio.wait(self._shows, timeout=CLOSING)

    async def _show(self, link: SecureLink, place: Place | None) -> None:
        """Send what is behind, again and again, until the host leaves, or the watcher takes nothing for too long."""
        log, sent = None, 0
        with suppress(TimeoutError):
            while True:
                grown, current = self._grown, self._log
                frames: list[bytes] = [*log.frames(sent)] if log else []
                if current is not None and current is not log:
                    begins, sent = current.joined(place)
                    frames += [*current.data, begins, *current.frames(sent)]
                if current is not None:
                    log, sent = current, max(sent, current.length)
                if self._closing.is_set():
                    frames.append(bye(Bye.LEAVING))
                for frame in frames:
                    async with asyncio.timeout(self._stalled):
                        await link.send(frame)
                if self._closing.is_set():
                    return
                await grown.wait()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pace):
                        await self._closing.wait()

    def _signal(self) -> None:
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()
