"""A bad line: it delays, splits, doubles, cuts and freezes what passes, and does nothing that TCP would not."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import NamedTuple

TO_HOST, TO_GUEST = 0, 1
"""The two directions; pairs of anything here are in this order."""


class Plan(NamedTuple):
    """The fate of one connection.

    `cut` ends it after so many bytes of a direction; `freeze` passes nothing more, of either direction, and keeps it
    open. None: never. Bytes go on in pieces of at most `piece`, each `delay` seconds after the one before. A cut is a
    reset where `abrupt`, otherwise a proper end. What the guest says comes to the host over a second connection too if
    it is `doubled`.
    """

    cut: tuple[int | None, int | None] = (None, None)
    freeze: tuple[int | None, int | None] = (None, None)
    piece: int = 65_536
    delay: float = 0.0
    abrupt: bool = False
    doubled: bool = False


STRAIGHT = Plan()


@dataclass
class Line:
    """One connection through the proxy, and how many bytes of each direction have passed."""

    plan: Plan
    passed: list[int] = field(default_factory=lambda: [0, 0])
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    double: asyncio.StreamWriter | None = None
    """The way to the host for what is said there twice."""
    frozen: asyncio.Event = field(default_factory=asyncio.Event)

    async def carry(self, reader: asyncio.StreamReader, direction: int) -> None:
        """Pass on what comes in one direction, until the plan or either end says otherwise."""
        writer = self.writers[direction]
        ends = [end for end in (self.plan.cut[direction], self.plan.freeze[direction]) if end is not None]
        with suppress(ConnectionError):
            while not self._at_end(direction) and (data := await reader.read(self.plan.piece)):
                for end in ends:
                    data = data[: end - self.passed[direction]]
                if self.frozen.is_set():
                    break
                if self.double and direction == TO_HOST:
                    self.double.write(data)
                writer.write(data)
                await writer.drain()
                self.passed[direction] += len(data)
                await asyncio.sleep(self.plan.delay)
        if self.passed[direction] == self.plan.freeze[direction]:
            self.frozen.set()
        if not self.frozen.is_set():
            self.end()

    def _at_end(self, direction: int) -> bool:
        return self.frozen.is_set() or self.passed[direction] in (self.plan.cut[direction], self.plan.freeze[direction])

    def end(self) -> None:
        """Cut it, both ways."""
        for writer in (*self.writers, *filter(None, [self.double])):
            if self.plan.abrupt:
                writer.transport.abort()
            else:
                writer.close()


class Proxy:
    """Stands between guests and the host at `target`. The first connections follow `plans`, all later ones are good."""

    def __init__(self, target: int, plans: Iterable[Plan]) -> None:
        self.target = target
        self.port = 0
        self.lines: list[Line] = []
        self._plans = iter(plans)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection to its end."""
        line = Line(next(self._plans, STRAIGHT))
        self.lines.append(line)
        try:
            if line.plan.doubled:
                _, line.double = await asyncio.open_connection("127.0.0.1", self.target)
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except ConnectionError:
            writer.close()
            return
        line.writers += (back, writer)
        try:
            await asyncio.gather(line.carry(reader, TO_HOST), line.carry(there, TO_GUEST))
            if line.frozen.is_set():
                # nobody reads it any more, and whoever hangs up is not heard
                await asyncio.Event().wait()
        finally:
            line.end()


@asynccontextmanager
async def proxied(target: int, plans: Iterable[Plan] = ()) -> AsyncIterator[Proxy]:
    """A proxy on a free port of loopback, before the host's port `target`."""
    proxy = Proxy(target, plans)
    visits: set[asyncio.Task[None]] = set()

    def arrived(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits.add(asyncio.create_task(proxy.accept(reader, writer)))

    server = await asyncio.start_server(arrived, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        await server.wait_closed()
