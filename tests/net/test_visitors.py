"""Visitors that are no guests, at a host in a process of its own: it goes on serving, stays small, and says nothing."""

import asyncio
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import MAX_FRAME, MAX_PENDING, connect
from tests.net import raw

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

ROOT = Path(__file__).parents[2]
LINGERING = 5  # seconds given to a visitor that does not open a WebSocket


class LoneHost:
    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self.port = port
        self.process = psutil.Process(process.pid)
        self.staying: list[raw.Stream] = []

    async def serves(self, within: float = 4.0) -> None:
        """A guest that behaves gets in and is served, within `within` seconds."""
        async with asyncio.timeout(within):
            guest = await connect(Address("127.0.0.1", self.port))
            await guest.send(b"settle")
            assert await guest.receive() == b"settle"
            await guest.close()

    def memory(self) -> int:
        """Bytes held in memory."""
        return int(self.process.memory_info().rss)

    def sockets(self) -> int:
        """Sockets that are open, the listening one among them."""
        return len(self.process.net_connections())


@pytest.fixture
async def host() -> AsyncIterator[LoneHost]:
    """Yield the host; whatever the test did, it must leave at once, with exit code 0 and without a word."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "error", "-m", "tests.net.inside", "host", "127.0.0.1", "0",
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        lone = LoneHost(process, int(await process.stdout.readline()))
        yield lone
        started = time.monotonic()
        said = await asyncio.wait_for(process.communicate(b""), 10)
        assert time.monotonic() - started < 4
        assert said == (b"", b"")
        assert process.returncode == 0
        await raw.leave(*lone.staying)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def dropped(*streams: raw.Stream) -> list[bool]:
    """Return for each of these whether the host has closed it by now."""

    async def is_dropped(reader: asyncio.StreamReader) -> bool:
        try:
            async with asyncio.timeout(0.5):
                await raw.rest(reader)
        except TimeoutError:
            return False
        return True

    return await asyncio.gather(*(is_dropped(reader) for reader, _ in streams))


@pytest.mark.thorough
async def test_idle_connections_by_the_hundred(host: LoneHost) -> None:
    idle = [await raw.visit(host.port) for _ in range(400)]
    before = host.memory()
    for _ in range(5):
        await host.serves()
    # The newest ones are still there, all others had to go.
    gone = await dropped(*idle)
    assert all(gone[:-MAX_PENDING])
    assert not any(gone[-MAX_PENDING + 10 :])
    assert host.sockets() <= MAX_PENDING + 10
    assert host.memory() - before < 16 << 20
    # And those have to open a WebSocket in time.
    await asyncio.sleep(LINGERING + 0.5)
    assert all(await dropped(*idle))
    await raw.leave(*idle)


async def test_idle_connections_all_at_once(host: LoneHost) -> None:
    idle = await asyncio.gather(*(raw.visit(host.port) for _ in range(300)))
    await host.serves()
    assert host.sockets() <= MAX_PENDING + 10
    await raw.leave(*idle)


async def test_open_websockets_that_never_speak_our_protocol(host: LoneHost) -> None:
    guest = await connect(Address("127.0.0.1", host.port))
    await guest.send(b"settle")
    assert await guest.receive() == b"settle"
    idle = [await raw.opened(host.port) for _ in range(300)]
    await host.serves()
    gone = await dropped(*idle)
    assert all(gone[:-MAX_PENDING])
    assert not any(gone[-MAX_PENDING + 10 :])
    assert host.sockets() <= MAX_PENDING + 10
    # The one that had settled came first and stays.
    await guest.send(b"still here")
    assert await guest.receive() == b"still here"
    await guest.close()
    await raw.leave(*idle)


async def test_those_who_have_left_displace_nobody(host: LoneHost) -> None:
    waiting = await raw.opened(host.port)
    for _ in range(10):
        for _ in range(MAX_PENDING // 4):
            await raw.leave(await raw.visit(host.port))
        await host.serves()  # by then, the host has noticed that they left
    assert await dropped(waiting) == [False]
    await raw.leave(waiting)


CURL = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:48126\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n\r\n"
TLS = bytes.fromhex("1603010200010001fc0303") + bytes(range(256))


TURNED_AWAY = {
    "curl": (CURL, b"HTTP/1.1 426 "),
    "another method": (CURL.replace(b"GET", b"POST"), b"HTTP/1.1 405 "),
    "another version of HTTP": (CURL.replace(b"1.1\r\n", b"1.0\r\n", 1), b"HTTP/1.1 505 "),
    "another version of WebSocket": (raw.request().replace(b"Version: 13", b"Version: 8"), b"HTTP/1.1 400 "),
    "a body": (raw.request("Content-Length: 10"), b""),
    "a long path": (raw.request(path="/" + "a" * 20_000), b"HTTP/1.1 414 "),
    "a long header": (raw.request("Cookie: " + "a" * 20_000), b"HTTP/1.1 431 "),
    "many headers": (raw.request(*(f"X-{i}: y" for i in range(1000))), b"HTTP/1.1 431 "),
    "empty lines": (b"\r\n" * 50_000, b""),
    "line feeds": (b"\n" * 100_000, b""),
    "a long line": (b"a" * 50_000, b"HTTP/1.1 414 "),
    "TLS": (TLS, b""),
    "SSH": (b"SSH-2.0-OpenSSH_9.2p1\r\n", b""),
}


async def test_what_is_no_websocket_is_turned_away(host: LoneHost) -> None:
    for name, (data, answer) in TURNED_AWAY.items():
        for _ in range(3):
            stream = await raw.visit(host.port, data)
            said = await asyncio.wait_for(raw.rest(stream[0]), LINGERING + 2)
            assert said.startswith(answer), name
            assert b"Python" not in said, name
            await raw.leave(stream)
        await host.serves()


async def test_no_web_page_gets_in(host: LoneHost) -> None:
    addresses = ("https://example.com", "http://127.0.0.1", "http://localhost:48126", "ws://127.0.0.1")
    for origin in (*addresses, "null", "file://", ""):
        stream = await raw.visit(host.port, raw.request(f"Origin: {origin}"))
        assert (await raw.rest(stream[0])).startswith(b"HTTP/1.1 403 "), origin
        await raw.leave(stream)
        await host.serves()


async def test_a_web_page_with_two_origins_gets_in_no_better(host: LoneHost) -> None:
    stream = await raw.visit(host.port, raw.request("Origin: null", "Origin: https://example.com"))
    assert (await raw.rest(stream[0])).startswith(b"HTTP/1.1 4")
    await raw.leave(stream)
    await host.serves()


async def test_nothing_is_compressed(host: LoneHost) -> None:
    reader, writer = await raw.visit(host.port, raw.request("Sec-WebSocket-Extensions: permessage-deflate"))
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101 ")
    assert b"extensions" not in answer.lower()
    await raw.leave((reader, writer))


@pytest.mark.thorough
async def test_who_writes_one_letter_at_a_time_is_not_waited_for(host: LoneHost) -> None:
    reader, writer = await raw.visit(host.port)
    started = time.monotonic()
    over = asyncio.create_task(raw.rest(reader))
    for letter in raw.request():
        writer.write(bytes([letter]))
        await asyncio.wait({over}, timeout=0.1)
        if over.done():
            break
    assert over.done()
    assert time.monotonic() - started < LINGERING + 2
    await raw.leave((reader, writer))
    await host.serves()


@pytest.mark.parametrize("seed", range(3))
async def test_random_bytes(host: LoneHost, seed: int) -> None:
    """Before the opening, in the middle of its request, and in place of frames."""
    random_bytes = random.Random(seed).randbytes
    chance = random.Random(seed)
    opening = raw.request()
    frames = b"".join(
        raw.frame(opcode, b"payload") for opcode in (raw.BINARY, raw.PING, raw.PONG, raw.BINARY, raw.CLOSE)
    )
    for _ in range(150):
        data = bytearray(opening + frames)
        match chance.randrange(4):
            case 0:
                data = bytearray(random_bytes(chance.randrange(1, 3000)))
            case 1:
                data[len(opening) :] = random_bytes(chance.randrange(1, 3000))
            case 2:
                for _ in range(chance.randrange(1, 6)):
                    data[chance.randrange(len(data))] = chance.randrange(256)
            case 3:
                del data[chance.randrange(len(data)) :]
        cut = chance.randrange(len(data) + 1)
        reader, writer = await raw.visit(host.port, bytes(data[:cut]), bytes(data[cut:]))
        match chance.randrange(3):
            case 0:
                raw.rudely(writer)
            case 1:
                with suppress(OSError):
                    writer.write_eof()
                await asyncio.wait_for(raw.rest(reader), LINGERING + 2)
        await raw.leave((reader, writer))
    await host.serves()


async def test_who_pings_and_never_reads_does_not_fill_the_memory(host: LoneHost) -> None:
    reader, writer = await raw.opened(host.port)
    writer.transport.pause_reading()  # type: ignore[attr-defined]
    before = host.memory()
    pings = raw.frame(raw.PING, bytes(125)) * 1000
    sent = 0
    try:
        async with asyncio.timeout(20):
            while sent < 200 << 20:
                writer.write(pings)
                await writer.drain()
                sent += len(pings)
    except (ConnectionError, TimeoutError):
        pass
    assert sent < 200 << 20
    assert host.memory() - before < 32 << 20
    await host.serves()
    await raw.leave((reader, writer))


async def test_frames_that_nobody_reads_do_not_fill_the_memory(host: LoneHost) -> None:
    streams = [await raw.opened(host.port) for _ in range(8)]
    for _, writer in streams:
        writer.write(raw.frame(raw.BINARY, b"deaf"))
    before = host.memory()

    async def flood(stream: raw.Stream, size: int) -> int:
        frames = raw.frame(raw.BINARY, bytes(size)) * (1 + 100_000 // (size + 6))
        sent = 0
        try:
            async with asyncio.timeout(2):
                while True:
                    stream[1].write(frames)
                    await stream[1].drain()
                    sent += len(frames)
        except TimeoutError:
            return sent

    sent = await asyncio.gather(
        *(flood(stream, size) for stream, size in zip(streams, [MAX_FRAME, 0] * 4, strict=True))
    )
    assert max(sent) < 32 << 20  # what the systems at both ends hold, and no more
    assert host.memory() - before < 64 << 20
    await host.serves()
    for _, writer in streams:
        writer.transport.abort()
    await raw.leave(*streams)


@pytest.mark.thorough
async def test_coming_and_going_by_the_hundred_leaves_nothing_behind(host: LoneHost) -> None:
    await host.serves()
    before = host.memory()
    for number in range(600):
        stream = await (raw.visit(host.port) if number % 2 else raw.opened(host.port))
        if number % 3:
            raw.rudely(stream[1])
        await raw.leave(stream)
    await host.serves()
    await asyncio.sleep(1.5)
    assert host.sockets() == 1
    assert host.memory() - before < 16 << 20


async def test_a_host_with_visitors_leaves_at_once(host: LoneHost) -> None:
    streams = [await raw.visit(host.port) for _ in range(30)]
    streams += [await raw.opened(host.port) for _ in range(30)]
    await host.serves()
    host.staying = streams  # until it has left
