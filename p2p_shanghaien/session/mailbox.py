"""Waiting for several things at once: the other side's next frame, our own side's answer, and what it says besides."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from p2p_shanghaien.session.participant import Remark
from p2p_shanghaien.session.parts import Link

_T = TypeVar("_T")


class Answer(NamedTuple):
    """Our own side has answered."""

    value: Any


class Said(NamedTuple):
    """Our own side has said something besides."""

    remark: Remark


class Mailbox:
    """What comes to us over a link that may be replaced.

    No frame is lost when a question is withdrawn, and an open question outlives the link: what is half typed stays.
    """

    def __init__(self) -> None:
        self._link: Link | None = None
        self._receiving: asyncio.Task[bytes] | None = None
        self._asking: asyncio.Task[Any] | None = None
        self._listening: asyncio.Task[Remark] | None = None
        self._takes: Callable[[bytes], Awaitable[bool]] | None = None

    @property
    def link(self) -> Link:
        """The connection in use."""
        assert self._link is not None, "nobody has been met yet"
        return self._link

    @property
    def asks(self) -> bool:
        """Whether a question is open, or its answer not yet taken."""
        return self._asking is not None

    def ask(self, question: Coroutine[Any, Any, Any] | None) -> None:
        """Put a question to our own side, if there is one; its answer comes from `next`. One at a time."""
        assert self._asking is None, "one question at a time"
        if question is not None:
            self._asking = asyncio.create_task(question)

    def listen(self, remark: Coroutine[Any, Any, Remark] | None) -> None:
        """Wait for what our own side says besides answering, too; once it has come, it is listened for anew."""
        assert self._listening is None, "what was said would be lost"
        if remark is not None:
            self._listening = asyncio.create_task(remark)

    def sift(self, takes: Callable[[bytes], Awaitable[bool]] | None) -> None:
        """Offer each frame to `takes` first, from now on: `next` returns those that it does not take."""
        self._takes = takes

    async def frame(self) -> bytes:
        """The next frame, while no question is open. Raises ConnectionLost."""
        assert self._asking is None, "an answer would be lost"
        frame = await self.next()
        assert isinstance(frame, bytes)
        return frame

    async def next(self) -> bytes | Answer | Said:
        """What comes first: a frame, an answer, a remark. Raises ConnectionLost, and what our own side raised."""
        while True:
            came = await self._first()
            if not (self._takes and isinstance(came, bytes) and await self._takes(came)):
                return came

    async def _first(self) -> bytes | Answer | Said:
        if self._asking is None and self._listening is None and self._receiving is None:
            # no task where there is only one thing to wait for: a roll takes three messages, and they add up
            return await self.link.receive()
        if self._receiving is None and self._asking:
            # a computer player has often answered by now, and then there is nothing to wait for
            await asyncio.sleep(0)
            if self._asking.done():
                return self._answered(self._asking)
        if self._receiving is None:
            self._receiving = asyncio.create_task(self.link.receive())
        waiting: set[asyncio.Task[Any]] = {task for task in (self._receiving, self._asking, self._listening) if task}
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self._asking and self._asking in done:
            return self._answered(self._asking)
        if self._listening and self._listening in done:
            return self._said(self._listening)
        received, self._receiving = self._receiving, None
        return received.result()

    async def meanwhile(self, work: Coroutine[Any, Any, _T], heed: Callable[[Remark], Awaitable[None]]) -> _T:
        """Do `work` while the question stays open, and `heed` each remark; an answer waits for `next`.

        Raises what the question, or the listening, raises.
        """
        task = asyncio.create_task(work)
        try:
            while True:
                if self._asking and self._asking.done() and (error := self._asking.exception()):
                    raise error
                if self._listening and self._listening.done():
                    await heed(self._said(self._listening).remark)
                elif task.done():
                    return task.result()
                else:
                    ours = {each for each in (self._asking, self._listening) if each and not each.done()}
                    await asyncio.wait({task, *ours}, return_when=asyncio.FIRST_COMPLETED)
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

    async def stop_listening(self) -> None:
        """Nothing that our own side says besides matters any more."""
        listening, self._listening = self._listening, None
        await _cancelled(listening)

    async def close(self) -> None:
        """Stop waiting for anything."""
        await self.withdraw()
        await self.stop_listening()
        await self._stop_receiving()

    def _answered(self, asking: asyncio.Task[Any]) -> Answer:
        self._asking = None
        return Answer(asking.result())

    def _said(self, listening: asyncio.Task[Remark]) -> Said:
        self._listening = None
        return Said(listening.result())

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
