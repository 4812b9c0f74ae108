"""Waiting for two things at once: the other side's next frame, and our own side's answer to a question."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, NamedTuple

from p2p_shanghaien.session.parts import Link


class Answer(NamedTuple):
    """Our own side has answered."""

    value: Any


class Mailbox:
    """What comes to us while a link is up. No frame is lost when a question is withdrawn, and the other way round."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._receiving: asyncio.Task[bytes] | None = None
        self._asking: asyncio.Task[Any] | None = None

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
            return await self._link.receive()
        if self._receiving is None:
            self._receiving = asyncio.create_task(self._link.receive())
        waiting: set[asyncio.Task[Any]] = {task for task in (self._receiving, self._asking) if task}
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self._asking and self._asking in done:
            answered, self._asking = self._asking, None
            return Answer(answered.result())
        received, self._receiving = self._receiving, None
        return received.result()

    async def withdraw(self) -> None:
        """Take the question back: nobody needs to answer it any more."""
        asking, self._asking = self._asking, None
        await _cancelled(asking)

    async def close(self) -> None:
        """Stop waiting for anything."""
        await self.withdraw()
        receiving, self._receiving = self._receiving, None
        await _cancelled(receiving)


async def _cancelled(task: asyncio.Task[Any] | None) -> None:
    if task is None:
        return
    task.cancel()
    # whatever it was about to say has no reader any more
    with suppress(asyncio.CancelledError, Exception):
        await task
