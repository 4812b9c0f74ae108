"""Ends of a relay's pipe that send without pause and read nothing."""

import asyncio
import socket
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from p2p_shanghaien.net.transport import MAX_FRAME
from tests.net import raw

T = TypeVar("T")
HOST, GUEST = b"\0", b"\1"
SOON = 5.0
"""Seconds within which what is expected must happen."""


@contextmanager
def many_files() -> Iterator[None]:
    """Let this process open as many files as the system permits, while the block runs."""
    try:
        import resource
    except ImportError:  # not on every system
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = 8192 if hard == resource.RLIM_INFINITY else hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def soon(coming: Awaitable[T]) -> T:
    return await asyncio.wait_for(coming, SOON)


class Flooder:
    """An end that sends without pause, and reads nothing after its pipe has begun."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._socket = socket.socket()
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            self._socket.setsockopt(socket.SOL_SOCKET, option, 32768)
        self._socket.setblocking(False)

    async def call(self, port: int, first: bytes) -> None:
        await self._loop.sock_connect(self._socket, ("127.0.0.1", port))
        await self.send(raw.request(path="/1"))
        assert (await self.receive()).startswith(b"HTTP/1.1 101 ")
        await self.send(raw.frame(raw.BINARY, first))

    async def send(self, data: bytes) -> None:
        await self._loop.sock_sendall(self._socket, data)

    async def receive(self) -> bytes:
        return await soon(self._loop.sock_recv(self._socket, 4096))

    async def flood(self, frames: bytes, seconds: float) -> None:
        """Send these frames again and again for so long."""
        until, view, at = time.monotonic() + seconds, memoryview(frames), 0
        while time.monotonic() < until:
            try:
                sent = self._socket.send(view[at:])
            except BlockingIOError:
                await asyncio.sleep(0.005)
            else:
                at = (at + sent) % len(frames)
                await asyncio.sleep(0)

    def close(self) -> None:
        self._socket.close()


async def flooders(port: int, room: bytes) -> tuple[Flooder, Flooder]:
    """Return both ends of a pipe that has begun."""
    host, guest = Flooder(), Flooder()
    await host.call(port, HOST + room)
    await guest.call(port, GUEST + room)
    ping = await host.receive()
    await host.send(raw.frame(raw.PONG, ping[2:]))
    assert [await end.receive() for end in (host, guest)] == [b"\x82\1\1"] * 2
    return host, guest


PART = raw.frame(raw.CONTINUATION, final=False)
FLOODS = {
    "long messages": (b"", raw.frame(raw.BINARY, bytes(MAX_FRAME))),
    "messages as in a game": (b"", raw.frame(raw.BINARY, bytes(528)) * 30),
    "empty messages": (b"", raw.frame(raw.BINARY) * 2000),
    "empty parts": (raw.frame(raw.BINARY, final=False), PART * 2000),
    "an unfinished message": (raw.frame(raw.BINARY, bytes(MAX_FRAME - 1), claims=MAX_FRAME), b""),
}
