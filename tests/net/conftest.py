"""Fixtures of the tests of the network."""

import socket
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.connection import Connection as Odd

from p2p_shanghaien.net.transport import Connection
from tests.net.ends import odd_guest, odd_host, paired


@pytest.fixture(params=["host", "guest"])
async def ends(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Connection, Connection]]:
    """Yield both ends of a connection; each side is tried as the first."""
    async with paired() as (host, guest):
        yield (host, guest) if request.param == "host" else (guest, host)


@pytest.fixture(params=[odd_host, odd_guest])
async def odd(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Odd, Connection]]:
    """A peer that does whatever the library can, and our own end of its connection."""
    async with request.param() as ends:
        yield ends


@pytest.fixture
def nobody() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as placeholder:
        placeholder.bind(("127.0.0.1", 0))
        return int(placeholder.getsockname()[1])
