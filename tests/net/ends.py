"""Both ends of connections over loopback, for tests of what passes between them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import websockets.asyncio.client
import websockets.asyncio.server
from websockets.asyncio.connection import Connection as Odd
from websockets.asyncio.server import ServerConnection

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, LocalError
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import KEEPALIVE, Connection, Server, connect, serve


class Host:
    """A server on loopback that hands out its visitors, and tells what it lost them for."""

    def __init__(self) -> None:
        self.visitors: asyncio.Queue[Connection] = asyncio.Queue()
        self.losses: asyncio.Queue[ConnectionLost] = asyncio.Queue()
        self.frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.server: Server

    async def receive(self, connection: Connection) -> None:
        self.visitors.put_nowait(connection)
        try:
            while True:
                self.frames.put_nowait(await connection.receive())
        except ConnectionLost as lost:
            self.losses.put_nowait(lost)
            raise

    @property
    def port(self) -> int:
        return self.server.port

    async def loss(self) -> tuple[str, dict[str, object]]:
        lost = await asyncio.wait_for(self.losses.get(), 5)
        return lost.code, lost.details


@asynccontextmanager
async def hosting(keepalive: float = KEEPALIVE) -> AsyncIterator[Host]:
    host = Host()
    async with serve(host.receive, "127.0.0.1", 0, keepalive) as host.server:
        yield host


@asynccontextmanager
async def hosted(keepalive: float = KEEPALIVE) -> AsyncIterator[tuple[int, "asyncio.Queue[Connection]"]]:
    """The port of a host, and its visitors, to whom nobody listens."""
    visitors: asyncio.Queue[Connection] = asyncio.Queue()

    async def keep(connection: Connection) -> None:
        visitors.put_nowait(connection)
        await asyncio.Event().wait()

    async with serve(keep, "127.0.0.1", 0, keepalive) as server:
        yield server.port, visitors


@asynccontextmanager
async def paired(keepalive: float = KEEPALIVE) -> AsyncIterator[tuple[Connection, Connection]]:
    """The host's end and the guest's end of one connection, neither of which anybody is reading."""
    async with hosted(keepalive) as (port, visitors):
        guest = await connect(Address("127.0.0.1", port), keepalive=keepalive)
        yield await visitors.get(), guest
        await guest.close()


@asynccontextmanager
async def odd_host() -> AsyncIterator[tuple[Odd, Connection]]:
    """A host that does whatever the library can, and our own guest."""
    hosts: asyncio.Queue[Odd] = asyncio.Queue()

    async def keep(websocket: ServerConnection) -> None:
        hosts.put_nowait(websocket)
        await websocket.wait_closed()

    async with websockets.asyncio.server.serve(keep, "127.0.0.1", 0, compression=None) as server:
        ((_, port),) = (listener.getsockname() for listener in server.sockets)
        guest = await connect(Address("127.0.0.1", port))
        yield await hosts.get(), guest
        await guest.close()


@asynccontextmanager
async def odd_guest() -> AsyncIterator[tuple[Odd, Connection]]:
    """A guest that does whatever the library can, and our own host."""
    async with hosted() as (port, visitors):
        uri = f"ws://127.0.0.1:{port}"
        async with websockets.asyncio.client.connect(uri, compression=None, proxy=None) as guest:
            yield guest, await visitors.get()


def refusal(
    caught: pytest.ExceptionInfo[CannotConnect] | pytest.ExceptionInfo[LocalError],
) -> tuple[str, dict[str, object]]:
    return caught.value.code, caught.value.details


async def lost_by(connection: Connection) -> tuple[str, dict[str, object]]:
    """Return why receiving fails; it fails for the same reason ever after, also once something was sent."""
    reasons = []
    for _ in range(2):
        with pytest.raises(ConnectionLost) as lost:
            await asyncio.wait_for(connection.receive(), 5)
        reasons.append((lost.value.code, lost.value.details))
        await asyncio.wait_for(connection.send(b"x"), 5)
    assert reasons[0] == reasons[1]
    return reasons[0]


async def ignore(_: Connection) -> None: ...
