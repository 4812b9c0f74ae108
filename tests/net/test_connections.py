"""Traffic between a host and a guest over loopback, and the end of their connections."""

import asyncio
import errno
import socket
from contextlib import suppress

import pytest
import websockets.exceptions
from websockets.asyncio.connection import Connection as Odd

from p2p_shanghaien.net import transport
from p2p_shanghaien.net.transport import MAX_FRAME, Connection
from tests.net import raw
from tests.net.ends import hosting, lost_by, paired
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


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
        await asyncio.wait({waiting})
        await sending
        received = await there.receive() if waiting.cancelled() else waiting.result()
        assert received == bytes([number])


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


async def test_whoever_was_about_to_speak_hears_the_last_words(odd: tuple[Odd, Connection]) -> None:
    """A peer that says why it leaves has often gone before our next frame is on its way."""
    endpoint, ours = odd
    await endpoint.send(b"last words")
    await endpoint.close(1001)
    await ours.send(b"is lost")
    assert await ours.receive() == b"last words"
    assert await lost_by(ours) == ("closed_by_peer", {"status": 1001})


async def test_a_vanished_peer_is_noticed_at_once(odd: tuple[Odd, Connection]) -> None:
    endpoint, ours = odd
    endpoint.transport.abort()  # as a killed process does
    assert await lost_by(ours) == ("broken_off", {})


async def test_a_fault_of_the_network_is_said(
    ends: tuple[Connection, Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = ends

    def unreachable(*_: object) -> bytes:
        """Fail as the kernel does for a cable cut long enough; tests/net/test_networks.py cuts one."""
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    monkeypatch.setattr(socket.socket, "recv", unreachable)
    await there.send(b"is read by nobody")
    assert await lost_by(here) == ("network_error", {"reason": "No route to host"})


async def closed(endpoint: Odd) -> int | None:
    """Return the status that our end has closed the connection with."""
    await asyncio.wait_for(endpoint.wait_closed(), 5)
    return endpoint.close_code


@pytest.mark.parametrize("status", [1003, 1009])
async def test_the_status_of_a_peer_that_closes_is_told(odd: tuple[Odd, Connection], status: int) -> None:
    endpoint, ours = odd
    await endpoint.close(status)
    assert await lost_by(ours) == ("closed_by_peer", {"status": status})


async def test_text_ends_the_connection(odd: tuple[Odd, Connection]) -> None:
    endpoint, ours = odd
    await endpoint.send("text")
    assert await lost_by(ours) == ("not_binary", {})
    assert await closed(endpoint) == 1003


async def test_a_frame_too_large_ends_the_connection(odd: tuple[Odd, Connection]) -> None:
    endpoint, ours = odd
    await endpoint.send(bytes(MAX_FRAME + 1))
    assert await lost_by(ours) == ("frame_too_large", {})
    assert await closed(endpoint) == 1009


async def test_a_frame_too_large_in_small_pieces_ends_the_connection(odd: tuple[Odd, Connection]) -> None:
    endpoint, ours = odd
    with suppress(websockets.exceptions.ConnectionClosed):
        await endpoint.send(bytes(1000) for _ in range(17))
    assert await lost_by(ours) == ("frame_too_large", {})


async def test_nobody_loses_a_connection_by_thinking() -> None:
    async with paired(keepalive=0.2) as (host, guest):
        await asyncio.sleep(2)  # ten pings, and nobody receives meanwhile
        await host.send(b"my move")
        assert await guest.receive() == b"my move"


async def test_a_silent_peer_is_noticed() -> None:
    async with hosting(keepalive=0.1) as host:
        stream = await raw.opened(host.port)
        assert await host.loss() == ("ping_timeout", {})
        await raw.leave(stream)


def test_a_dead_peer_is_noticed_within_a_minute() -> None:
    assert 2 * transport.KEEPALIVE <= 55, "and a second to say farewell"


@sweep(
    "data, code",
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
    ], every=4)  # fmt: skip
async def test_what_a_peer_may_not_send_ends_the_connection(data: bytes, code: str) -> None:
    async with hosting() as host:
        stream = await raw.opened(host.port)
        stream[1].write(data)
        assert await host.loss() == (code, {})
        await raw.leave(stream)


@sweep(
    "payload, status",
    [((1000).to_bytes(2, "big"), 1000), ((4000).to_bytes(2, "big") + b"\xe2\x98\xba", 4000), (b"", 1005)],
    every=3,
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
        else:
            stream[1].close()
        assert await host.loss() == ("broken_off", {})
        await raw.leave(stream)
