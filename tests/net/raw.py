"""The other end of a connection by hand: whatever bytes a test wants, without the library that is under test."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def request(*headers: str, path: str = "/") -> bytes:
    """Return a visitor's opening request."""
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *headers,
    ]
    return "".join(line + "\r\n" for line in (*lines, "")).encode()


def frame(opcode: int, payload: bytes = b"", *, final: bool = True, claims: int | None = None) -> bytes:
    """Return a visitor's frame; `claims` is the length it pretends to have.

    (The mask is zero and so changes nothing.)
    """
    length = len(payload) if claims is None else claims
    if length < 126:
        size = bytes([0x80 | length])
    elif length < 1 << 16:
        size = bytes([0x80 | 126]) + struct.pack("!H", length)
    else:
        size = bytes([0x80 | 127]) + struct.pack("!Q", length)
    return bytes([opcode | (0x80 if final else 0)]) + size + b"\0\0\0\0" + payload


async def visit(port: int, *data: bytes) -> Stream:
    """Return a TCP connection to our own server with `data` sent over it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in data:
        writer.write(part)
    await writer.drain()
    return reader, writer


async def opened(port: int) -> Stream:
    """Return a WebSocket opened at our own server, of which the caller then does whatever it likes."""
    reader, writer = await visit(port, request())
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
    return reader, writer


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Return what still arrives until the peer has closed, properly or not."""
    data = bytearray()
    with suppress(ConnectionError):
        while part := await reader.read(65536):
            data += part
    return bytes(data)


async def leave(*streams: Stream) -> None:
    """Close these, whatever state they are in."""
    for _, writer in streams:
        writer.close()
    for _, writer in streams:
        with suppress(OSError):
            await writer.wait_closed()


def rudely(writer: asyncio.StreamWriter) -> None:
    """End a TCP connection by a reset."""
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@asynccontextmanager
async def stranger(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """A server that is none of ours: `answer` deals with whoever connects. Gives its port."""

    answers: set[asyncio.Task[None] | None] = set()

    async def visited(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers.add(asyncio.current_task())
        with suppress(OSError, asyncio.IncompleteReadError):
            await answer(reader, writer)
        await leave((reader, writer))

    async with await asyncio.start_server(visited, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]
    await asyncio.gather(*filter(None, answers))
