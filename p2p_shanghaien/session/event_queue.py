"""A queue of events: the peer's next frame, the local player's answer, and further commands."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from p2p_shanghaien.session.participant import Command, Recounted
from p2p_shanghaien.session.ports import SecureLink

_T = TypeVar("_T")


class Answer(NamedTuple):
    """An answer of the local player."""

    value: Any


class Entered(NamedTuple):
    """A command that the local player entered without being asked, or news of those who watch."""

    command: Command | Recounted


class EventQueue:
    """The events of a game over a link that may be replaced.

    No frame is lost when a question is withdrawn, and an open question outlives the link: a half-typed answer stays.
    """

    def __init__(self) -> None:
        self._link: SecureLink | None = None
        self._receiving: asyncio.Task[bytes] | None = None
        self._asking: asyncio.Task[Any] | None = None
        self._listening: set[asyncio.Task[Command | Recounted]] = set()
        self._takes: Callable[[bytes], Awaitable[bool]] | None = None

    @property
    def link(self) -> SecureLink:
        """The connection in use."""
        assert self._link is not None, "there has been no connection yet"
        return self._link

    @property
    def asks(self) -> bool:
        """Return whether a question is open, or its answer not yet taken."""
        return self._asking is not None

    def ask(self, question: Coroutine[Any, Any, Any] | None) -> None:
        """Ask the local player a question, if there is one; `next` returns its answer. One at a time."""
        assert self._asking is None, "one question at a time"
        if question is not None:
            self._asking = asyncio.create_task(question)

    def listen(self, command: Coroutine[Any, Any, Command | Recounted] | None) -> None:
        """Listen for a command, or a recount, too; after each one, listen again."""
        if command is not None:
            self._listening.add(asyncio.create_task(command))

    def filter(self, takes: Callable[[bytes], Awaitable[bool]] | None) -> None:
        """Offer each frame to `takes` first, from now on: `next` returns those that it does not take."""
        self._takes = takes

    async def frame(self) -> bytes:
        """Return the next frame, while no question is open. Raises ConnectionLost."""
        assert self._asking is None, "an answer would be lost"
        frame = await self.next()
        assert isinstance(frame, bytes)
        return frame

    async def next(self) -> bytes | Answer | Entered:
        """Return the next event: a frame, an answer, a command.

        Raises ConnectionLost, and the local player's exceptions.
        """
        while True:
            came = await self._first()
            if not (self._takes and isinstance(came, bytes) and await self._takes(came)):
                return came

    async def _first(self) -> bytes | Answer | Entered:
        if self._asking is None and not self._listening and self._receiving is None:
            # no task if there is only one thing to wait for: a roll takes three messages, and tasks add up
            return await self.link.receive()
        if self._receiving is None and self._asking:
            # a computer player has often answered by now, and then there is nothing to wait for
            await asyncio.sleep(0)
            if self._asking.done():
                return self._answered(self._asking)
        if self._receiving is None:
            self._receiving = asyncio.create_task(self.link.receive())
        waiting: set[asyncio.Task[Any]] = {task for task in (self._receiving, self._asking) if task}
        waiting |= self._listening
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if self._asking and self._asking in done:
            return self._answered(self._asking)
        if entered := self._listening & done:
            return self._entered(entered.pop())
        received, self._receiving = self._receiving, None
        return received.result()

    async def meanwhile(
        self, work: Coroutine[Any, Any, _T], execute: Callable[[Command | Recounted], Awaitable[None]]
    ) -> _T:
        """Do `work` while the question stays open, and `execute` each command; an answer waits for `next`.

        Raises the exceptions of the question and of listening.
        """
        task = asyncio.create_task(work)
        try:
            while True:
                if self._asking and self._asking.done() and (error := self._asking.exception()):
                    raise error
                if entered := [each for each in self._listening if each.done()]:
                    await execute(self._entered(entered[0]).command)
                elif task.done():
                    return task.result()
                else:
                    ours = (
                        self._listening
                        if self._asking is None or self._asking.done()
                        else {self._asking, *self._listening}
                    )
                    await asyncio.wait({task, *ours}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancelled(task)

    async def switch(self, link: SecureLink) -> None:
        """Continue with another link."""
        await self._stop_receiving()
        self._link = link

    async def hang_up(self) -> None:
        """Close the link, if there is one."""
        if self._link:
            await self._link.close()

    async def withdraw(self) -> None:
        """Withdraw the question: it needs no answer any more."""
        asking, self._asking = self._asking, None
        await _cancelled(asking)

    async def stop_listening(self) -> None:
        """Stop listening for commands and recounts."""
        listening, self._listening = self._listening, set()
        for task in listening:
            await _cancelled(task)

    async def close(self) -> None:
        """Stop waiting for anything."""
        await self.withdraw()
        await self.stop_listening()
        await self._stop_receiving()

    def _answered(self, asking: asyncio.Task[Any]) -> Answer:
        self._asking = None
        return Answer(asking.result())

    def _entered(self, listening: asyncio.Task[Command | Recounted]) -> Entered:
        self._listening.discard(listening)
        return Entered(listening.result())

    async def _stop_receiving(self) -> None:
        receiving, self._receiving = self._receiving, None
        await _cancelled(receiving)


async def _cancelled(task: asyncio.Task[Any] | None) -> None:
    if task is None:
        return
    task.cancel()
    # nobody reads its next command any more
    with suppress(asyncio.CancelledError, Exception):
        await task
