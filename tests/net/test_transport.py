"""Connections between a host and a guest over loopback, and everything that may go wrong between the two."""

import asyncio
import errno
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import websockets.asyncio.client
import websockets.exceptions

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, LocalError
from p2p_shanghaien.net import transport
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import MAX_FRAME, Connection, Server, connect, serve
from tests.net import raw

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


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
async def hosting() -> AsyncIterator[Host]:
    host = Host()
    async with serve(host.receive, "127.0.0.1", 0) as host.server:
        yield host


@asynccontextmanager
async def paired() -> AsyncIterator[tuple[Connection, Connection]]:
    """The host's end and the guest's end of one connection, neither of which anybody is reading."""
    visitors: asyncio.Queue[Connection] = asyncio.Queue()

    async def keep(connection: Connection) -> None:
        visitors.put_nowait(connection)
        await asyncio.Event().wait()

    async with serve(keep, "127.0.0.1", 0) as server:
        guest = await connect(Address("127.0.0.1", server.port))
        yield await visitors.get(), guest
        await guest.close()


@pytest.fixture(params=["host", "guest"])
async def ends(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Connection, Connection]]:
    """Both ends of a connection; each side is tried as the first."""
    async with paired() as (host, guest):
        yield (host, guest) if request.param == "host" else (guest, host)


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


# --- frames ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"\x00", bytes(range(256)) * (MAX_FRAME // 256)], ids=len)
async def test_what_is_sent_arrives(ends: tuple[Connection, Connection], data: bytes) -> None:
    here, there = ends
    await here.send(data)
    await here.send(b"next")
    assert await there.receive() == data
    assert await there.receive() == b"next"


async def test_many_frames_both_ways_at_once_arrive_in_order(ends: tuple[Connection, Connection]) -> None:
    frames = [bytes([i % 256]) * (i * 37 % MAX_FRAME) for i in range(400)]

    async def send(connection: Connection) -> None:
        for frame in frames:
            await connection.send(frame)

    async def receive(connection: Connection) -> None:
        assert [await connection.receive() for _ in frames] == frames

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        for end in ends:
            group.create_task(send(end))
            group.create_task(receive(end))


async def test_giving_up_waiting_loses_no_frame(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    for number in range(5):
        waiting = asyncio.create_task(there.receive())
        await asyncio.sleep(0)
        sending = asyncio.create_task(here.send(bytes([number])))
        await asyncio.sleep(0.001 * number)
        waiting.cancel()
        early = await asyncio.gather(waiting, return_exceptions=True)
        await sending
        if early == [bytes([number])]:
            continue
        assert await there.receive() == bytes([number])


async def test_a_frame_too_large_to_be_received_is_not_sent(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    with pytest.raises(ValueError, match="16385"):
        await here.send(bytes(MAX_FRAME + 1))
    await here.send(b"still here")
    assert await there.receive() == b"still here"


async def test_each_end_knows_the_other() -> None:
    async with paired() as (host, guest):
        assert host.remote == "127.0.0.1"
        assert guest.remote.startswith("127.0.0.1:")


# --- how connections end ---------------------------------------------------------------------------------------------


async def test_a_farewell_is_heard(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    await here.send(b"last")
    closing = asyncio.create_task(here.close())
    assert await there.receive() == b"last"
    assert await lost_by(there) == ("closed_by_peer", {"status": 1000})
    await closing
    assert await lost_by(here) == ("closed_here", {})
    await here.close()
    await there.close()


async def test_a_vanished_peer_is_noticed_at_once(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    here._websocket.transport.abort()  # as a killed process does
    assert await lost_by(there) == ("broken_off", {})


async def test_a_fault_of_the_network_is_said(ends: tuple[Connection, Connection]) -> None:
    here, _ = ends
    # What the kernel reports for a cable cut long enough; tests/net/test_networks.py cuts one.
    here._websocket.transport._fatal_error(OSError(errno.EHOSTUNREACH, "No route to host"))  # type: ignore[attr-defined]
    assert await lost_by(here) == ("network_error", {"reason": "No route to host"})


async def test_text_ends_the_connection(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    await here._websocket.send("text")
    assert await lost_by(there) == ("not_binary", {})
    assert await lost_by(here) == ("closed_by_peer", {"status": 1003})


async def test_a_frame_too_large_ends_the_connection(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    await here._websocket.send(bytes(MAX_FRAME + 1))
    assert await lost_by(there) == ("frame_too_large", {})
    assert await lost_by(here) == ("closed_by_peer", {"status": 1009})


async def test_a_frame_too_large_in_small_pieces_ends_the_connection(ends: tuple[Connection, Connection]) -> None:
    here, there = ends
    with suppress(websockets.exceptions.ConnectionClosed):
        await here._websocket.send(bytes(1000) for _ in range(17))
    assert await lost_by(there) == ("frame_too_large", {})


async def test_nobody_loses_a_connection_by_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(transport._BOTH_SIDES, "ping_interval", 0.05)
    monkeypatch.setitem(transport._BOTH_SIDES, "ping_timeout", 0.5)
    async with paired() as (host, guest):
        await asyncio.sleep(1.5)  # thirty pings, and nobody receives meanwhile
        await host.send(b"my move")
        assert await guest.receive() == b"my move"


async def test_a_silent_peer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(transport._BOTH_SIDES, "ping_interval", 0.1)
    monkeypatch.setitem(transport._BOTH_SIDES, "ping_timeout", 0.1)
    async with hosting() as host:
        stream = await raw.opened(host.port)
        assert await host.loss() == ("ping_timeout", {})
        await raw.leave(stream)


def test_a_dead_peer_is_noticed_within_a_minute() -> None:
    assert sum(transport._BOTH_SIDES[limit] for limit in ("ping_interval", "ping_timeout", "close_timeout")) <= 60


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (raw.frame(raw.TEXT, b"text"), "not_binary"),
        (raw.frame(raw.TEXT, b"\xff\xfe"), "not_binary"),
        (raw.frame(raw.BINARY, claims=MAX_FRAME + 1), "frame_too_large"),
        (raw.frame(raw.BINARY, claims=(1 << 63) - 1), "frame_too_large"),
        (raw.frame(raw.BINARY, bytes(MAX_FRAME), final=False) + raw.frame(raw.CONTINUATION, b"x"), "frame_too_large"),
        (raw.frame(raw.BINARY, final=False) + raw.frame(raw.CONTINUATION, final=False) * 5000, "frame_too_large"),
        (raw.frame(raw.CONTINUATION, b"x"), "broken_frames"),
        (raw.frame(raw.BINARY, b"x", final=False) + raw.frame(raw.BINARY, b"y"), "broken_frames"),
        (raw.frame(3, b"x"), "broken_frames"),
        (raw.frame(raw.PING, bytes(126)), "broken_frames"),
        (b"\x82\x01x", "broken_frames"),  # no mask
        (b"\xf2\x80\0\0\0\0", "broken_frames"),  # reserved bits
        (bytes(1000), "broken_frames"),
    ],
)  # fmt: skip
async def test_what_a_peer_may_not_send_ends_the_connection(data: bytes, code: str) -> None:
    async with hosting() as host:
        stream = await raw.opened(host.port)
        stream[1].write(data)
        assert await host.loss() == (code, {})
        await raw.leave(stream)


@pytest.mark.parametrize(
    ("payload", "status"),
    [((1000).to_bytes(2, "big"), 1000), ((4000).to_bytes(2, "big") + b"\xe2\x98\xba", 4000), (b"", 1005)],
)
async def test_the_status_of_a_farewell_is_told(payload: bytes, status: int) -> None:
    async with hosting() as host:
        stream = await raw.opened(host.port)
        stream[1].write(raw.frame(raw.CLOSE, payload))
        assert await host.loss() == ("closed_by_peer", {"status": status})
        await raw.leave(stream)


@pytest.mark.parametrize("rude", [False, True])
async def test_a_visitor_that_is_gone_without_a_farewell_has_broken_off(rude: bool) -> None:
    async with hosting() as host:
        stream = await raw.opened(host.port)
        await host.visitors.get()
        if rude:
            raw.rudely(stream[1])
        assert rude or not stream[1].close()
        assert await host.loss() == ("broken_off", {})
        await raw.leave(stream)


# --- connecting ------------------------------------------------------------------------------------------------------


@pytest.fixture
def nobody() -> int:
    """A port on which nobody listens."""
    with socket.socket() as placeholder:
        placeholder.bind(("127.0.0.1", 0))
        return int(placeholder.getsockname()[1])


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost"])
async def test_nobody_there(nobody: int, host: str) -> None:
    address = Address(host, nobody)
    with pytest.raises(CannotConnect) as refused:
        await connect(address)
    assert refusal(refused) == ("connection_refused", {"address": str(address)})


async def test_several_addresses_that_all_fail(monkeypatch: pytest.MonkeyPatch, nobody: int) -> None:
    def both(*_: object, **__: object) -> list[object]:
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("::1", nobody, 0, 0)),
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", nobody)),
        ]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(CannotConnect) as refused:
        await connect(Address("name.local", nobody))
    assert refusal(refused) == ("connection_refused", {"address": f"name.local:{nobody}"})


async def test_the_second_address_is_tried_when_the_first_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.2", 0), backlog=0) as full:
        port = full.getsockname()[1]
        fillers = []
        for _ in range(3):  # a full queue makes TCP itself wait
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.2", port))
            fillers.append(filler)
        host = Host()
        async with serve(host.receive, "127.0.0.1", port):
            monkeypatch.setattr(
                socket,
                "getaddrinfo",
                lambda *_, **__: [
                    (socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ("127.0.0.2", "127.0.0.1")
                ],
            )
            started = time.monotonic()
            guest = await connect(Address("name.local", port))
            assert time.monotonic() - started < 2
            await guest.close()
        for filler in fillers:
            filler.close()


async def test_nobody_answers() -> None:
    async def wait(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await raw.rest(reader)

    async with raw.stranger(wait) as port:
        with pytest.raises(CannotConnect) as refused:
            await connect(Address("127.0.0.1", port), timeout=0.2)
    assert refusal(refused) == ("connection_timed_out", {"address": f"127.0.0.1:{port}"})


async def test_a_name_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(CannotConnect) as refused:
        await connect(Address("name.local"))
    assert refusal(refused) == ("name_not_found", {"address": "name.local"})


async def test_a_zone_that_this_machine_does_not_have() -> None:
    with pytest.raises(CannotConnect) as refused:
        await connect(Address("fe80::1%nosuch0"))
    assert refusal(refused) == ("zone_unknown", {"address": "fe80::1%nosuch0"})


HTML = b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello"


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (HTML % b"200 OK", 200),
        (HTML % b"404 Not Found", 404),
        (HTML % b"503 Service Unavailable", 503),
        (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", None),
        (b"HTTP/1.0 200 OK\r\n\r\n", None),
        (b"HTTP/1.1 999 What\r\n\r\n", None),
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", None),
        (b"\x15\x03\x01\x00\x02\x02\x0a", None),
        (bytes(range(256)) * 100, None),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000, None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", None),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\n", None),
    ],
)
async def test_somebody_else_is_there(answer: bytes, status: int | None) -> None:
    async def say(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    async with raw.stranger(say) as port:
        with pytest.raises(CannotConnect) as refused:
            await connect(Address("127.0.0.1", port), timeout=5)
    assert refusal(refused) == ("not_a_host", {"address": f"127.0.0.1:{port}", "status": status})


@pytest.mark.parametrize("status", [b"301 Moved", b"302 Found", b"307 Temporary Redirect", b"308 Permanent Redirect"])
async def test_no_redirect_is_followed(status: bytes) -> None:
    async with hosting() as host:
        for location in (f"ws://127.0.0.1:{host.port}/", "/elsewhere"):
            requests = 0

            async def send_away(
                reader: asyncio.StreamReader, writer: asyncio.StreamWriter, location: str = location
            ) -> None:
                nonlocal requests
                requests += 1
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 %s\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (status, location.encode()))

            async with raw.stranger(send_away) as port:
                with pytest.raises(CannotConnect) as refused:
                    await connect(Address("127.0.0.1", port))
            assert refusal(refused)[0] == "not_a_host"
            assert refusal(refused)[1]["status"] == int(status[:3])
            assert requests == 1
        assert host.visitors.empty()


@pytest.mark.parametrize("rude", [False, True])
async def test_the_other_side_hangs_up(rude: bool) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if rude:
            raw.rudely(writer)

    async with raw.stranger(hang_up) as port:
        with pytest.raises(CannotConnect) as refused:
            await connect(Address("127.0.0.1", port))
    assert refusal(refused) == ("dropped_while_opening", {"address": f"127.0.0.1:{port}"})


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    async def trap(*_: object) -> None:
        pytest.fail("the proxy was asked")

    async with raw.stranger(trap) as proxy, hosting() as host:
        for name in ("http_proxy", "https_proxy", "all_proxy", "socks_proxy", "ws_proxy", "wss_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy}")
            monkeypatch.setenv(name.upper(), f"http://127.0.0.1:{proxy}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        guest = await connect(Address("127.0.0.1", host.port))
        await guest.close()


async def test_a_guest_tells_no_more_than_it_must() -> None:
    asked: list[str] = []

    async def listen(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        asked.extend((await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n"))

    async with raw.stranger(listen) as port:
        with pytest.raises(CannotConnect):
            await connect(Address("127.0.0.1", port))
    assert asked[0] == "GET / HTTP/1.1"
    names = {line.partition(":")[0].lower() for line in asked[1:] if line}
    assert names == {"host", "upgrade", "connection", "sec-websocket-key", "sec-websocket-version"}


async def test_a_connecting_guest_can_be_called_off() -> None:
    async def wait(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await raw.rest(reader)

    async with raw.stranger(wait) as port:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await connect(Address("127.0.0.1", port))


async def test_the_library_says_nothing_on_the_terminal() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.net.inside", "complaints",
        cwd=Path(__file__).parents[2], stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert await process.communicate() == (b'"done"\n', b"")


# --- listening -------------------------------------------------------------------------------------------------------


async def ignore(_: Connection) -> None: ...


async def test_a_host_listens_everywhere() -> None:
    host = Host()
    async with serve(host.receive, None, 0) as server:
        assert server.hosts == ("0.0.0.0", "::")
        for ip in ("127.0.0.1", "::1", "127.5.5.5"):
            guest = await connect(Address(ip, server.port))
            visitor = await host.visitors.get()
            assert visitor.remote == ("::1" if ip == "::1" else "127.0.0.1")
            await guest.close()


async def test_a_host_without_ipv6_listens_on_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    async with serve(ignore, None, 0) as server:
        assert server.hosts == ("0.0.0.0",)
        await (await connect(Address("127.0.0.1", server.port))).close()


@pytest.mark.parametrize(
    ("bind", "hosts", "reached", "not_reached"),
    [
        ("127.0.0.1", ("127.0.0.1",), "127.0.0.1", "::1"),
        ("::1", ("::1",), "::1", "127.0.0.1"),
        ("0.0.0.0", ("0.0.0.0",), "127.0.0.1", "::1"),
        ("::", ("::",), "::1", "127.0.0.1"),
    ],
)
async def test_a_host_listens_only_where_it_was_told(
    bind: str, hosts: tuple[str, ...], reached: str, not_reached: str
) -> None:
    async with serve(ignore, bind, 0) as server:
        assert server.hosts == hosts
        await (await connect(Address(reached, server.port))).close()
        with pytest.raises(CannotConnect) as refused:
            await connect(Address(not_reached, server.port))
        assert refused.value.code == "connection_refused"


async def test_a_host_listens_at_a_name_of_this_machine() -> None:
    async with serve(ignore, "localhost", 0) as server:
        await (await connect(Address("localhost", server.port))).close()


async def test_a_host_uses_the_port_it_was_given_and_gives_it_back(nobody: int) -> None:
    for _ in range(3):
        async with serve(ignore, "127.0.0.1", nobody) as server:
            assert server.port == nobody
            guest = await connect(Address("127.0.0.1", nobody))
        with pytest.raises(ConnectionLost):
            await guest.receive()


@pytest.mark.parametrize("bind", [None, "127.0.0.1", "0.0.0.0"])
@pytest.mark.parametrize("other", ["127.0.0.1", "0.0.0.0"])
async def test_a_port_that_another_program_has(bind: str | None, other: str) -> None:
    with socket.create_server((other, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(LocalError) as refused:
            async with serve(ignore, bind, port):
                pytest.fail("two programs on one port")
    assert refusal(refused) == ("port_busy", {"port": port})


async def test_two_hosts_on_one_port() -> None:
    async with serve(ignore, None, 0) as server:
        with pytest.raises(LocalError) as refused:
            async with serve(ignore, None, server.port):
                pytest.fail("two hosts on one port")
        assert refusal(refused) == ("port_busy", {"port": server.port})


@pytest.mark.parametrize(
    ("bind", "code"),
    [
        ("203.0.113.7", "bind_not_ours"),
        ("2001:db8::7", "bind_not_ours"),
        ("fe80::1%nosuch0", "bind_unknown"),
        ("a..b", "bind_unknown"),
    ],
)
async def test_an_address_that_is_not_ours(bind: str, code: str) -> None:
    with pytest.raises(LocalError) as refused:
        async with serve(ignore, bind, 0):
            pytest.fail("listening at somebody else's address")
    assert refusal(refused) == (code, {"bind": bind})


async def test_any_other_fault_is_told_in_the_systems_words() -> None:
    with pytest.raises(LocalError) as refused:
        async with serve(ignore, "fe80::1", 0):
            pytest.fail("listening without a zone")
    assert refused.value.code == "cannot_listen"
    assert "nvalid argument" in str(refused.value.details["reason"])


# --- handlers, and leaving -------------------------------------------------------------------------------------------


async def test_a_connection_is_closed_when_its_handler_returns() -> None:
    async with serve(ignore, "127.0.0.1", 0) as server:
        guest = await connect(Address("127.0.0.1", server.port))
        assert await lost_by(guest) == ("closed_by_peer", {"status": 1000})


async def test_losing_a_visitor_is_no_fault_of_the_host() -> None:
    async with hosting() as host:
        for _ in range(3):
            guest = await connect(Address("127.0.0.1", host.port))
            await guest.send(b"hello")
            await guest.close()
            assert await host.frames.get() == b"hello"
            assert await host.loss() == ("closed_by_peer", {"status": 1000})


async def test_a_fault_of_the_handler_ends_the_block_and_is_raised_from_it() -> None:
    fault = LocalError("disk_full")

    async def fail(connection: Connection) -> None:
        await connection.receive()
        raise fault

    with pytest.raises(LocalError) as raised:  # noqa: PT012
        async with asyncio.timeout(5), serve(fail, "127.0.0.1", 0) as server:
            others = [await connect(Address("127.0.0.1", server.port)) for _ in range(3)]
            await others[0].send(b"x")
            await asyncio.Event().wait()
    assert raised.value is fault
    for guest in others:
        assert (await lost_by(guest))[0] == "closed_by_peer"


async def test_a_fault_while_the_block_is_left_is_raised_too() -> None:
    async def fail_at_last(_: Connection) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise LocalError("disk_full")

    with pytest.raises(LocalError):  # noqa: PT012
        async with asyncio.timeout(5), serve(fail_at_last, "127.0.0.1", 0) as server:
            guest = await connect(Address("127.0.0.1", server.port))
            await asyncio.sleep(0.05)
    assert (await lost_by(guest))[0] == "closed_by_peer"


async def test_those_who_come_while_a_fault_ends_the_block_are_let_go() -> None:
    async def fail(_: Connection) -> None:
        raise LocalError("disk_full")

    with pytest.raises(LocalError):  # noqa: PT012
        async with asyncio.timeout(5), serve(fail, "127.0.0.1", 0) as server:
            streams = [await raw.visit(server.port) for _ in range(50)]
            for _, writer in streams:
                writer.write(raw.request())
            await asyncio.Event().wait()
    for reader, _ in streams:
        await asyncio.wait_for(raw.rest(reader), 2)
    await raw.leave(*streams)


async def test_a_fault_of_the_block_is_raised_as_it_is() -> None:
    fault = LocalError("disk_full")
    cause = OSError("No space left on device")
    with pytest.raises(LocalError) as raised:  # noqa: PT012
        async with hosting() as host:
            guest = await connect(Address("127.0.0.1", host.port))
            raise fault from cause
    assert raised.value is fault
    assert raised.value.__cause__ is cause
    assert (await lost_by(guest))[0] == "closed_by_peer"


async def test_the_block_can_be_called_off() -> None:
    with pytest.raises(TimeoutError):  # noqa: PT012
        async with asyncio.timeout(0.1), hosting() as host:
            await connect(Address("127.0.0.1", host.port))
            await asyncio.Event().wait()


async def test_leaving_cancels_handlers_that_wait_for_something_else() -> None:
    left = asyncio.Event()

    async def wait(_: Connection) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.set()

    async with serve(wait, "127.0.0.1", 0) as server:
        guest = await connect(Address("127.0.0.1", server.port))
        await asyncio.sleep(0.05)
    assert left.is_set()
    assert (await lost_by(guest))[0] == "closed_by_peer"


async def test_leaving_is_quick_whatever_the_visitors_do() -> None:
    async with hosting() as host:
        streams = [await raw.visit(host.port) for _ in range(10)]  # not a word
        streams += [await raw.visit(host.port, raw.request()[:-2]) for _ in range(10)]  # half a request
        streams += [await raw.opened(host.port) for _ in range(10)]  # no answer to the farewell
        streams += [await raw.visit(host.port, raw.request(), raw.frame(raw.PING) * 100) for _ in range(10)]
        guests = [await connect(Address("127.0.0.1", host.port)) for _ in range(10)]
        started = time.monotonic()
    assert time.monotonic() - started < 3
    for guest in guests:
        assert (await lost_by(guest))[0] == "closed_by_peer"
    await raw.leave(*streams)


async def test_closing_does_not_wait_for_a_peer_that_is_gone_silent() -> None:
    async with hosting() as host:
        stream = await raw.opened(host.port)
        visitor = await host.visitors.get()
        started = time.monotonic()
        await visitor.close()
        assert time.monotonic() - started < 3
        await raw.leave(stream)
