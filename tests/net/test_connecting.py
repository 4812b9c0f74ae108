"""A guest on its way to a host: everything that may be in the way."""

import asyncio
import gc
import socket
import sys
import time
from pathlib import Path

import pytest

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import Connection, connect, serve
from tests.net import raw
from tests.net.ends import Host, hosting, refusal

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


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


@pytest.mark.filterwarnings("always::ResourceWarning")
@pytest.mark.parametrize("addresses", [("127.0.0.1",), ("127.0.0.1", "127.0.0.2")])
async def test_given_up_at_any_moment_it_leaves_no_socket_open(
    monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder, addresses: tuple[str, ...]
) -> None:
    async def stay(connection: Connection) -> None:
        await connection.receive()

    async with serve(stay, None, 0) as server:

        async def found(*_: object, **__: object) -> list[object]:  # without a thread: each step comes up
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, server.port)) for ip in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found)
        for steps in range(1000):
            opening = asyncio.create_task(connect(Address("name.local", server.port)))
            for _ in range(steps):
                await asyncio.sleep(0)
            opening.cancel()
            try:
                await (await opening).close()
                break
            except asyncio.CancelledError:
                pass
            await asyncio.sleep(0)
        else:
            pytest.fail("it never opened")
        del opening
        gc.collect()
    assert steps > 3
    assert [str(warning.message) for warning in recwarn] == []


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
