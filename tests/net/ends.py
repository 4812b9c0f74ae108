"""Both ends of connections over loopback, for tests of what passes between them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

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
async def paired(keepalive: float = KEEPALIVE) -> AsyncIterator[tuple[Connection, Connection]]:
    """The host's end and the guest's end of one connection, neither of which anybody is reading."""
    visitors: asyncio.Queue[Connection] = asyncio.Queue()

    async def keep(connection: Connection) -> None:
        visitors.put_nowait(connection)
        await asyncio.Event().wait()

    async with serve(keep, "127.0.0.1", 0, keepalive) as server:
        guest = await connect(Address("127.0.0.1", server.port), keepalive=keepalive)
        yield await visitors.get(), guest
        await guest.close()


def refusal(
    caught: pytest.ExceptionInfo[CannotConnect] | pytest.ExceptionInfo[LocalError],
) -> tuple[str, dict[str, object]]:
    return caught.value.code, caught.value.details


async def lost_by(connection: Connection) -> tuple[str, dict[str, object]]:
    """Why receiving fails; it fails for the same reason ever after, and so does sending."""
    reasons = []
    for attempt in (connection.receive(), connection.receive(), connection.send(b"x")):
        with pytest.raises(ConnectionLost) as lost:
            await asyncio.wait_for(attempt, 5)
        reasons.append((lost.value.code, lost.value.details))
    assert reasons[0] == reasons[1] == reasons[2]
    return reasons[0]


async def ignore(_: Connection) -> None: ...
