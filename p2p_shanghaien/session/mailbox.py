"""Waiting for two things at once: the other side's next frame, and our own side's answer to a question."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from p2p_shanghaien.session.parts import Link

_T = TypeVar("_T")


class Answer(NamedTuple):
    """Our own side has answered."""

    value: Any


class Mailbox:
    """What comes to us over a link that may be replaced.

    No frame is lost when a question is withdrawn, and an open question outlives the link: what is half typed stays.
    """

    def __init__(self) -> None:
        self._link: Link | None = None
        self._receiving: asyncio.Task[bytes] | None = None
        self._asking: asyncio.Task[Any] | None = None

    @property
    def link(self) -> Link:
        """The connection in use."""
        assert self._link is not None, "nobody has been met yet"
        return self._link

    @property
    def asks(self) -> bool:
        """Whether a question is open, or its answer not yet taken."""
        return self._asking is not None

    def ask(self, question: Coroutine[Any, Any, Any]) -> None:
        """Put a question to our own side; its answer comes from `next`. One at a time."""
        assert self._asking is None, "one question at a time"
        self._asking = asyncio.create_task(question)

    async def frame(self) -> bytes:
        """The next frame, while no question is open. Raises ConnectionLost."""
        assert self._asking is None, "an answer would be lost"
        frame = await self.next()
        assert isinstance(frame, bytes)
        return frame

    async def next(self) -> bytes | Answer:
        """A frame or an answer, whichever comes first. Raises ConnectionLost, and whatever the question raised."""
        if self._asking is None and self._receiving is None:
            # no task where there is only one thing to wait for: a roll takes three messages, and they add up
            return await self.link.receive()
        if self._receiving is None:
            self._receiving = asyncio.create_task(self.link.receive())
        waiting: set[asyncio.Task[Any]] = {task for task in (self._receiving, self._asking) if task}
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self._asking and self._asking in done:
            answered, self._asking = self._asking, None
            return Answer(answered.result())
        received, self._receiving = self._receiving, None
        return received.result()

    async def meanwhile(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Do `work` while the question stays open; an answer waits for `next`. Raises what the question raises."""
        task = asyncio.create_task(work)
        try:
            while not task.done():
                open_question = {self._asking} if self._asking and not self._asking.done() else set()
                await asyncio.wait({task, *open_question}, return_when=asyncio.FIRST_COMPLETED)
                if self._asking and self._asking.done() and (error := self._asking.exception()):
                    raise error
            return task.result()
        finally:
            await _cancelled(task)

    async def switch(self, link: Link) -> None:
        """Go on with another link."""
        await self._stop_receiving()
        self._link = link

    async def hang_up(self) -> None:
        """Close the link, if there is one."""
        if self._link:
            await self._link.close()

    async def withdraw(self) -> None:
        """Take the question back: nobody needs to answer it any more."""
        asking, self._asking = self._asking, None
        await _cancelled(asking)

    async def close(self) -> None:
        """Stop waiting for anything."""
        await self.withdraw()
        await self._stop_receiving()

    async def _stop_receiving(self) -> None:
        receiving, self._receiving = self._receiving, None
        await _cancelled(receiving)


async def _cancelled(task: asyncio.Task[Any] | None) -> None:
    if task is None:
        return
    task.cancel()
    # whatever it was about to say has no reader any more
    with suppress(asyncio.CancelledError, Exception):
        await task
