"""A relay over real sockets: the protocol, and whoever abuses it."""

import asyncio
import logging
import time
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.net.relay import Happening, Limits, Notice, relay
from p2p_shanghaien.net.relay_rooms import BEGIN, Refusal
from p2p_shanghaien.net.transport import MAX_FRAME
from tests.net import raw
from tests.net.flooders import FLOODS, GUEST, HOST, SOON, flooders, many_files, soon

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

ROOM, OTHER = bytes(range(16)), bytes(16)
PROXY = "127.0.0.1"
USUAL = Limits()


class Running:
    """A relay, what it has told, and those who are connected by `call`; they leave when the test ends."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self.port = 0
        self.notices: list[Notice] = []
        self._stack = stack

    async def call(self, first: bytes | str | None = None, address: str | None = None) -> ClientConnection:
        """Return an open connection that has sent `first`; behind a proxy it comes from `address`."""
        headers = {"X-Forwarded-For": address} if address else {}
        opening = connect(
            f"ws://127.0.0.1:{self.port}/1",
            proxy=None,
            compression=None,
            additional_headers=headers,
            ping_interval=None,
            close_timeout=1,
        )
        client = await self._stack.enter_async_context(opening)
        if first is not None:
            await client.send(first)
        return client

    async def host(self, room: bytes = ROOM, address: str | None = None) -> ClientConnection:
        """Return a host that waits."""
        host = await self.call(HOST + room, address)
        await (await host.ping())  # it has been read by now
        return host

    async def pipe(self, room: bytes = ROOM, *addresses: str) -> tuple[ClientConnection, ClientConnection]:
        """Return the ends of a pipe that has begun: host and guest."""
        of_host, of_guest = addresses or (None, None)
        host = await self.host(room, of_host)
        guest = await self.call(GUEST + room, of_guest)
        assert [await soon(end.recv()) for end in (host, guest)] == [BEGIN, BEGIN]
        return host, guest

    def told(self) -> list[Happening]:
        return [notice.happening for notice in self.notices]

    async def tells(self, happening: Happening, times: int = 1) -> None:
        async with asyncio.timeout(SOON):
            while self.told().count(happening) < times:
                await asyncio.sleep(0.01)


@asynccontextmanager
async def relaying(trusted: tuple[str, ...] = (), limits: Limits = USUAL) -> AsyncIterator[Running]:
    async with AsyncExitStack() as stack:
        running = Running(stack)
        async with relay("127.0.0.1", 0, trusted, notify=running.notices.append, limits=limits) as server:
            running.port = server.port
            assert server.hosts == ("127.0.0.1",)
            yield running
        assert running.told().count(Happening.OPENED) == running.told().count(Happening.CLOSED)


@pytest.fixture(autouse=True)
async def _without_errors(caplog: pytest.LogCaptureFixture) -> AsyncIterator[None]:
    """Fail if a connection brings the relay to an exception, which the library logs."""
    with caplog.at_level(logging.WARNING):
        yield
    assert [record for record in caplog.records if record.name.startswith("p2p_shanghaien")] == []


async def code(client: ClientConnection) -> int | None:
    """Return the code with which the relay has closed a connection."""
    await soon(client.wait_closed())
    return client.close_code


async def dropped(stream: raw.Stream) -> bytes:
    """Return what the relay still sends until it has closed a connection."""
    return await soon(raw.rest(stream[0]))


async def opened(port: int, *frames: bytes) -> raw.Stream:
    """Return a WebSocket by hand, which answers nothing."""
    reader, writer = await raw.visit(port, raw.request(path="/1"))
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
    writer.write(b"".join(frames))
    await writer.drain()
    return reader, writer


async def ping_of(stream: raw.Stream) -> bytes:
    """Return the payload of the ping that comes next."""
    kind, size = await soon(stream[0].readexactly(2))
    assert kind == 0x80 | raw.PING
    return await soon(stream[0].readexactly(size))


async def test_what_goes_in_comes_out() -> None:
    async with relaying() as running:
        host, guest = await running.pipe()
        messages = [bytes([number % 256]) * size for number, size in enumerate((0, 1, 17, 512, MAX_FRAME, 0, 528))]
        for source, target in ((host, guest), (guest, host)):
            for message in messages:
                await source.send(message)
            assert [await soon(target.recv()) for _ in messages] == messages
        await host.send([b"in ", b"", b"parts"])
        assert await soon(guest.recv()) == b"in parts"
        assert running.told() == [Happening.OPENED]


async def test_a_guest_does_not_wait() -> None:
    async with relaying() as running:
        await running.host(OTHER)
        assert await code(await running.call(GUEST + ROOM)) == Refusal.NO_HOST
        assert running.told() == [Happening.NO_HOST]


async def test_a_host_waits_for_the_next_guest_on_a_new_connection() -> None:
    async with relaying() as running:
        host, guest = await running.pipe()
        assert await code(await running.call(GUEST + ROOM)) == Refusal.NO_HOST
        next_host, next_guest = await running.pipe()
        for source, target in ((host, guest), (next_guest, next_host), (guest, host)):
            await source.send(b"ours")
            assert await soon(target.recv()) == b"ours"
        assert [notice.pipes for notice in running.notices] == [1, 1, 2]


@pytest.mark.parametrize("first", [b"", HOST, HOST + ROOM[1:], GUEST + ROOM + b"\0", b"\2" + ROOM, "\0" * 17])
async def test_another_first_message_is_refused(first: bytes | str) -> None:
    async with relaying() as running:
        assert await code(await running.call(first)) == Refusal.MALFORMED
        assert running.told() == [Happening.MALFORMED]


async def test_a_first_message_in_parts_is_refused() -> None:
    async with relaying() as running:
        client = await running.call()
        with suppress(ConnectionClosed):
            await client.send([HOST, ROOM])
        assert await code(client) == Refusal.MALFORMED


async def test_who_says_nothing_is_not_waited_for() -> None:
    async with relaying(limits=Limits(opening=1.0)) as running:
        silent, unopened = await running.call(), await raw.visit(running.port)
        slow = await opened(running.port, raw.frame(raw.BINARY, HOST, claims=17))
        assert await code(silent) == Refusal.MALFORMED
        assert await dropped(unopened) == b""
        assert b"\x11\x30" in await dropped(slow)  # 4400
        await raw.leave(unopened, slow)


async def test_a_host_that_speaks_before_its_pipe_has_gone() -> None:
    async with relaying() as running:
        host = await running.host()
        await host.send(b"hello?")
        assert await code(host) == Refusal.MALFORMED
        assert await code(await running.call(GUEST + ROOM)) == Refusal.NO_HOST
        both = await running.call(HOST + ROOM)
        await both.send("and text")
        assert await code(both) == Refusal.MALFORMED


async def test_a_guest_that_speaks_before_its_pipe_is_refused() -> None:
    async with relaying() as running:
        host = await opened(running.port, raw.frame(raw.BINARY, HOST + ROOM))
        await running.host(OTHER)  # by then, the other waits
        guest = await running.call(GUEST + ROOM)
        ping = await ping_of(host)  # before the answer there is no pipe
        await guest.send(b"hello?")
        assert await code(guest) == Refusal.MALFORMED
        host[1].write(raw.frame(raw.PONG, ping))
        # the host waits again
        assert await soon(joined(running, host))
        await raw.leave(host)


async def joined(running: Running, host: raw.Stream) -> bool:
    """Call as a guest until the pipe with this host, which is served by hand, begins."""
    while True:
        guest = await running.call(GUEST + ROOM)
        coming = asyncio.create_task(guest.recv())
        answering = asyncio.create_task(ping_of(host))
        done, _ = await asyncio.wait((coming, answering), return_when=asyncio.FIRST_COMPLETED)
        if answering in done:
            host[1].write(raw.frame(raw.PONG, answering.result()))
            return await coming == BEGIN
        answering.cancel()
        assert isinstance(coming.exception(), ConnectionClosed)
        assert guest.close_code == Refusal.NO_HOST


async def test_the_newest_host_replaces_the_older() -> None:
    async with relaying() as running:
        older = await running.host()
        host, guest = await running.pipe()
        assert await code(older) == Refusal.REPLACED
        await guest.send(b"to the newer")
        assert await soon(host.recv()) == b"to the newer"


async def test_a_squatter_disturbs_no_pipe() -> None:
    async with relaying() as running:
        host, guest = await running.pipe()
        squatters = [await running.host() for _ in range(20)]
        assert await code(squatters[-2]) == Refusal.REPLACED
        await host.send(b"still here")
        assert await soon(guest.recv()) == b"still here"


async def test_a_host_that_does_not_answer_is_passed_over() -> None:
    async with relaying(limits=Limits(answer=0.2)) as running:
        ghost = await opened(running.port, raw.frame(raw.BINARY, HOST + ROOM))
        await running.host(OTHER)  # by then, the ghost waits
        assert await code(await running.call(GUEST + ROOM)) == Refusal.NO_HOST
        await dropped(ghost)
        await raw.leave(ghost)
        assert running.told() == [Happening.SILENT, Happening.NO_HOST]


async def test_a_guest_meets_the_host_that_came_while_the_ghost_was_asked() -> None:
    async with relaying(limits=Limits(answer=SOON)) as running:
        ghost = await opened(running.port, raw.frame(raw.BINARY, HOST + ROOM))
        await running.host(OTHER)
        guest = await running.call(GUEST + ROOM)
        await ping_of(ghost)
        host = await running.host()
        await raw.leave(ghost)
        assert [await soon(end.recv()) for end in (host, guest)] == [BEGIN, BEGIN]


async def test_an_answer_to_no_question_keeps_no_ghost() -> None:
    async with relaying(limits=Limits(answer=0.2)) as running:
        pong = raw.frame(raw.PONG, b"here")
        ghost = await opened(running.port, raw.frame(raw.BINARY, HOST + ROOM), pong)
        await running.host(OTHER)
        assert await code(await running.call(GUEST + ROOM)) == Refusal.NO_HOST
        await raw.leave(ghost)


ABUSES: dict[str, tuple[bytes | str, int]] = {
    "text": ("text", 1003),
    "no UTF-8": ("\0", 1003),
    "too long": (bytes(MAX_FRAME + 1), 1009),
}


@pytest.mark.parametrize("abuser", [0, 1])
@pytest.mark.parametrize("abuse", ABUSES)
async def test_an_abuse_ends_the_pipe(abuse: str, abuser: int) -> None:
    message, reason = ABUSES[abuse]
    async with relaying() as running:
        ends = await running.pipe()
        with suppress(ConnectionClosed):
            await ends[abuser].send(message)
        assert await code(ends[abuser]) == reason
        assert await code(ends[1 - abuser]) == 1001
        await running.tells(Happening.CLOSED)


@pytest.mark.parametrize("rude", [False, True])
@pytest.mark.parametrize("leaver", [0, 1])
async def test_when_one_end_goes_the_other_does(leaver: int, rude: bool) -> None:
    async with relaying() as running:
        ends = await running.pipe()
        if rude:
            ends[leaver].transport.abort()
        else:
            await ends[leaver].close()
        assert await code(ends[1 - leaver]) == 1001
        await running.tells(Happening.CLOSED)


async def test_what_was_sent_before_leaving_arrives() -> None:
    async with relaying() as running:
        host, guest = await running.pipe()
        messages = [bytes([number]) * 5000 for number in range(100)]
        sending = asyncio.create_task(guest.send(b"that nobody reads"))
        for message in messages:
            await host.send(message)
        leaving = asyncio.create_task(host.close())
        assert [await soon(guest.recv()) for _ in messages] == messages
        assert await code(guest) == 1001
        await asyncio.gather(sending, leaving)


async def test_the_ninth_guest_is_refused() -> None:
    async with relaying() as running:
        pipes = [await running.pipe() for _ in range(8)]
        await running.host()
        assert await code(await running.call(GUEST + ROOM)) == Refusal.FULL
        await running.pipe(OTHER)
        await pipes[3][0].close()
        await running.tells(Happening.CLOSED)
        await running.pipe()


async def test_a_pipe_has_a_speed() -> None:
    async with relaying(limits=Limits(rate=100_000, burst=50_000)) as running:
        host, guest = await running.pipe()
        started = time.monotonic()

        async def send(end: ClientConnection) -> None:
            for _ in range(50):
                await end.send(bytes(1000))

        sending = [asyncio.create_task(send(end)) for end in (host, guest)]
        for end in (host, guest):
            assert [len(await soon(end.recv())) for _ in range(50)] == [1000] * 50
        assert time.monotonic() - started > 0.4
        await asyncio.gather(*sending)


async def test_short_messages_have_a_speed_too() -> None:
    async with relaying(limits=Limits(rate=51_200, burst=51_200)) as running:
        host, guest = await running.pipe()
        started = time.monotonic()
        for _ in range(150):
            await host.send(b"")
        assert [await soon(guest.recv()) for _ in range(150)] == [b""] * 150
        assert time.monotonic() - started > 0.4


@pytest.mark.parametrize("flood", FLOODS)
async def test_a_pipe_that_nobody_reads_stays_small(flood: str) -> None:
    """A pipe that both ends flood costs little, the part of the test included."""
    first, frames = FLOODS[flood]
    async with relaying() as running:
        await running.pipe(OTHER)  # what is made once is there
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            ends = await flooders(running.port, ROOM)
            for end in ends:
                await end.send(first)
            await asyncio.gather(*(end.flood(frames or b"\0", 0.7 if frames else 0) for end in ends))
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        for end in ends:
            end.close()
        assert peak - before < 256 << 10


async def test_an_end_that_takes_nothing_costs_both_the_pipe() -> None:
    async with relaying(limits=Limits(stalled=0.4)) as running:
        ends = await flooders(running.port, ROOM)
        await ends[0].flood(raw.frame(raw.BINARY, bytes(MAX_FRAME)), 0.3)
        await running.tells(Happening.STALLED)
        await running.tells(Happening.CLOSED)
        for end in ends:
            end.close()


@pytest.mark.thorough
async def test_an_end_that_takes_little_keeps_the_pipe() -> None:
    async with relaying(limits=Limits(stalled=2.0)) as running:
        host, guest = await flooders(running.port, ROOM)
        flooding = asyncio.create_task(host.flood(raw.frame(raw.BINARY, bytes(MAX_FRAME)), 6))
        while not flooding.done():
            for _ in range(8):
                await guest.receive()
            await asyncio.sleep(0.25)
        assert running.told() == [Happening.OPENED]
        for end in (host, guest):
            end.close()


async def test_who_pings_without_end_is_dropped() -> None:
    async with relaying() as running:
        host = await opened(running.port, raw.frame(raw.BINARY, HOST + ROOM))
        other = await running.host(OTHER)
        host[1].write(raw.frame(raw.PING) * 100)
        assert b"\x03\xf0" in await dropped(host)  # 1008
        await raw.leave(host)
        assert await soon(await other.ping()) >= 0


async def test_a_host_may_answer_as_many_guests_as_come() -> None:
    async with relaying() as running:
        host = await opened(running.port, raw.frame(raw.BINARY, HOST + ROOM))
        await running.host(OTHER)
        for _ in range(80):
            guest = await raw.visit(running.port, raw.request(path="/1"), raw.frame(raw.BINARY, GUEST + ROOM))
            ping = await ping_of(host)
            raw.rudely(guest[1])
            await raw.leave(guest)
            host[1].write(raw.frame(raw.PONG, ping))
            await (await running.call(HOST + OTHER)).close()  # by then, the relay has seen both
        assert await soon(joined(running, host))
        await raw.leave(host)


async def test_a_dead_end_is_noticed_and_a_living_one_kept() -> None:
    async with relaying(limits=Limits(keepalive=0.5)) as running:
        dead = await opened(running.port, raw.frame(raw.BINARY, HOST + OTHER))
        ends = await running.pipe()
        await dropped(dead)
        await raw.leave(dead)
        await asyncio.sleep(0.6)
        await ends[0].send(b"here")
        assert await soon(ends[1].recv()) == b"here"
        assert running.told() == [Happening.OPENED, Happening.SILENT]


REFUSED = {
    "another path": raw.request(path="/"),
    "a longer path": raw.request(path="/1/"),
    "a query": raw.request(path="/1?room=1"),
    "another version": raw.request(path="/2"),
    "no upgrade": b"GET /1 HTTP/1.1\r\nHost: relay\r\n\r\n",
    "another method": raw.request(path="/1").replace(b"GET", b"POST"),
    "another WebSocket": raw.request(path="/1").replace(b"Version: 13", b"Version: 8"),
    "a web page": raw.request("Origin: https://example.com", path="/1"),
    "a local page": raw.request("Origin: null", path="/1"),
    "an empty origin": raw.request("Origin:", path="/1"),
}


@pytest.mark.parametrize("request_", REFUSED.values(), ids=REFUSED)
async def test_another_request_is_refused(request_: bytes) -> None:
    async with relaying() as running:
        stream = await raw.visit(running.port, request_)
        answer = await dropped(stream)
        assert answer.startswith(b"HTTP/1.1 426 ")
        assert b"Upgrade: websocket\r\n" in answer
        assert b"Python" not in answer
        await raw.leave(stream)
        assert running.told() == [Happening.NOT_OURS]


async def test_a_subprotocol_is_not_chosen_and_nothing_compressed() -> None:
    wishes = "Sec-WebSocket-Protocol: shanghaien", "Sec-WebSocket-Extensions: permessage-deflate"
    async with relaying() as running:
        reader, writer = await raw.visit(running.port, raw.request(*wishes, path="/1"))
        answer = await soon(reader.readuntil(b"\r\n\r\n"))
        assert answer.startswith(b"HTTP/1.1 101 ")
        assert b"sec-websocket-protocol" not in answer.lower()
        assert b"sec-websocket-extensions" not in answer.lower()
        await raw.leave((reader, writer))


async def test_a_long_request_is_dropped() -> None:
    async with relaying() as running:
        stream = await raw.visit(running.port, raw.request(*(f"X-{i}: {'y' * 1000}" for i in range(60)), path="/1"))
        assert not (await dropped(stream)).startswith(b"HTTP/1.1 101 ")
        await raw.leave(stream)
        await running.pipe()


async def test_only_a_trusted_proxy_says_who_calls() -> None:
    claimed = "198.51.100.1, 192.0.2.7"
    for trusted, address in (((), PROXY), (("192.0.2.1",), PROXY), (("192.0.2.1", PROXY), "192.0.2.7")):
        async with relaying(trusted) as running:
            assert await code(await running.call(GUEST + ROOM, claimed)) == Refusal.NO_HOST
            assert running.notices == [(Happening.NO_HOST, address, 0)]


async def test_a_false_claim_gives_no_place_of_its_own() -> None:
    """Whoever connects directly counts as itself, and is the one to go."""
    async with relaying(limits=Limits(waiting=5)) as running:
        hosts = [await running.host(bytes([number]) * 16, f"192.0.2.{number}") for number in range(5)]
        assert await code(await running.call(HOST + ROOM, "198.51.100.1")) == 1006
        assert running.notices == [(Happening.CROWDED, PROXY, 0)]
        for host in hosts:
            assert await soon(await host.ping()) >= 0


@pytest.mark.thorough
async def test_a_thousand_silent_connections_keep_nobody_away() -> None:
    flooder = "198.51.100.66"
    with many_files():
        async with relaying((PROXY,)) as running:
            host = await running.host(ROOM, "192.0.2.1")
            request = raw.request(f"X-Forwarded-For: {flooder}", path="/1")
            crowd = [await raw.visit(running.port, request) for _ in range(1000)]
            await running.tells(Happening.CROWDED)
            guest = await running.call(GUEST + ROOM, "192.0.2.2")
            assert [await soon(end.recv()) for end in (host, guest)] == [BEGIN, BEGIN]
            await running.pipe(OTHER, "192.0.2.3", "192.0.2.4")
            crowded = {notice.address for notice in running.notices if notice.happening == Happening.CROWDED}
            assert crowded == {flooder}
            for _, writer in crowd:
                writer.transport.abort()


async def test_a_crowd_from_many_addresses_keeps_nobody_away() -> None:
    async with relaying((PROXY,), Limits(arriving=50)) as running:
        host = await running.host(ROOM, "192.0.2.1")
        crowd = []
        for number in range(200):
            crowd.append(await opened_from(running, f"198.51.100.{number}"))
            if number % 50 == 0:
                await running.pipe(OTHER, "192.0.2.3", "192.0.2.4")
        guest = await running.call(GUEST + ROOM, "192.0.2.2")
        assert [await soon(end.recv()) for end in (host, guest)] == [BEGIN, BEGIN]
        for _, writer in crowd:
            writer.transport.abort()


async def test_hosts_by_the_hundred_keep_no_guest_from_a_host() -> None:
    """They wait in rooms of their own, each at another address: nobody is to blame, and who was first stays."""
    async with relaying((PROXY,), Limits(arriving=20, waiting=20)) as running:
        host = await running.host(ROOM, "192.0.2.1")
        crowd = [await opened_from(running, f"198.51.100.{number}") for number in range(20)]
        for number, (_, writer) in enumerate(crowd):
            writer.write(raw.frame(raw.BINARY, HOST + bytes([number]) * 16))
        await running.tells(Happening.CROWDED)
        guest = await running.call(GUEST + ROOM, "192.0.2.2")
        assert [await soon(end.recv()) for end in (host, guest)] == [BEGIN, BEGIN]
        for _, writer in crowd:
            writer.transport.abort()


async def opened_from(running: Running, address: str) -> raw.Stream:
    stream = await raw.visit(running.port, raw.request(f"X-Forwarded-For: {address}", path="/1"))
    await soon(stream[0].readuntil(b"\r\n\r\n"))
    return stream


async def test_pipes_are_shared_out_among_guests() -> None:
    """A host may have as many as it has guests; who opens pipes without end loses its own."""
    async with relaying((PROXY,), Limits(pipes=3)) as running:
        rooms = [bytes([number]) * 16 for number in range(5)]
        guests = ["198.51.100.66", "192.0.2.1", "198.51.100.66"]
        pipes = [await running.pipe(room, "192.0.2.9", guest) for room, guest in zip(rooms, guests, strict=False)]
        pipes.append(await running.pipe(rooms[3], "192.0.2.9", "192.0.2.2"))
        assert await code(pipes[2][0]) == await code(pipes[2][1]) == 1006
        for number in (0, 1, 3):
            await pipes[number][0].send(b"stays")
            assert await soon(pipes[number][1].recv()) == b"stays"
        assert running.told().count(Happening.CROWDED) == 1


async def test_a_relay_that_ends_closes_everything_at_once() -> None:
    async with relaying() as running:
        ends = await running.pipe()
        waiting, silent = await running.host(), await running.call()
        unopened = await raw.visit(running.port)
        deaf = await flooders(running.port, OTHER)
        await deaf[0].flood(raw.frame(raw.BINARY, bytes(MAX_FRAME)), 0.2)
        started = time.monotonic()
    assert time.monotonic() - started < 4
    assert [await code(client) for client in (*ends, waiting, silent)] == [1001] * 4
    await dropped(unopened)
    await raw.leave(unopened)
    for end in deaf:
        end.close()


async def test_a_port_that_is_taken() -> None:
    async with relaying() as running:
        with pytest.raises(LocalError, match="port_busy"):
            async with relay("127.0.0.1", running.port):
                pass
