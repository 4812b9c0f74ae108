"""A host: where it listens, what becomes of its handlers, and how it leaves."""

import asyncio
import socket
import time

import pytest

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, LocalError, StoreCode
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import Connection, connect, serve
from tests.net import raw
from tests.net.ends import Host, hosting, ignore, lost_by, refusal

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


# --- listening -------------------------------------------------------------------------------------------------------


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
    error = LocalError(StoreCode.FILE_TROUBLE)

    async def fail(connection: Connection) -> None:
        await connection.receive()
        raise error

    with pytest.raises(LocalError) as raised:  # noqa: PT012
        async with asyncio.timeout(5), serve(fail, "127.0.0.1", 0) as server:
            others = [await connect(Address("127.0.0.1", server.port)) for _ in range(3)]
            await others[0].send(b"x")
            await asyncio.Event().wait()
    assert raised.value is error
    for guest in others:
        assert (await lost_by(guest))[0] == "closed_by_peer"


async def test_a_fault_while_the_block_is_left_is_raised_too() -> None:
    came = asyncio.Event()

    async def fail_at_last(_: Connection) -> None:
        came.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise LocalError(StoreCode.FILE_TROUBLE)

    with pytest.raises(LocalError):  # noqa: PT012
        async with asyncio.timeout(5), serve(fail_at_last, "127.0.0.1", 0) as server:
            guest = await connect(Address("127.0.0.1", server.port))
            await came.wait()
    assert (await lost_by(guest))[0] == "closed_by_peer"


async def test_those_who_come_while_a_fault_ends_the_block_are_let_go() -> None:
    async def fail(_: Connection) -> None:
        raise LocalError(StoreCode.FILE_TROUBLE)

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
    error = LocalError(StoreCode.FILE_TROUBLE)
    cause = OSError("No space left on device")
    with pytest.raises(LocalError) as raised:  # noqa: PT012
        async with hosting() as host:
            guest = await connect(Address("127.0.0.1", host.port))
            raise error from cause
    assert raised.value is error
    assert raised.value.__cause__ is cause
    assert (await lost_by(guest))[0] == "closed_by_peer"


async def test_the_block_can_be_called_off() -> None:
    with pytest.raises(TimeoutError):  # noqa: PT012
        async with asyncio.timeout(0.1), hosting() as host:
            await connect(Address("127.0.0.1", host.port))
            await asyncio.Event().wait()


async def test_leaving_cancels_handlers_that_wait_for_something_else() -> None:
    came, left = asyncio.Event(), asyncio.Event()

    async def wait(_: Connection) -> None:
        came.set()
        try:
            await asyncio.Event().wait()
        finally:
            left.set()

    async with serve(wait, "127.0.0.1", 0) as server:
        guest = await connect(Address("127.0.0.1", server.port))
        await asyncio.wait_for(came.wait(), 5)
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
