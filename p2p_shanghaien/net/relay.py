"""A relay: joins a host and a guest of one room by a pipe, and neither reads, keeps nor changes what they send.

Nothing here trusts anybody. Memory is limited for each connection, and so is the number of connections: each holds a
place until it has found its partner, and then a part of a pipe. `relay_rooms` has the rules.
"""

import asyncio
import contextlib
import http
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple, cast

import websockets.asyncio.server
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State

from p2p_shanghaien.net.addresses import RELAY_PATH, plain
from p2p_shanghaien.net.relay_rooms import (
    BEGIN,
    End,
    Introduction,
    Places,
    Refusal,
    Rooms,
    TokenBucket,
    forwarded_for,
    network_of,
    parse_introduction,
)
from p2p_shanghaien.net.transport import CLOSING, MAX_FRAME, Guarded, Server, listen, listening_at

_MAX_REQUEST: Final = 8192  # bytes of an opening request; the library would keep a megabyte
_READ: Final = 8192  # bytes that are read at once
_SLICE: Final = 1024  # bytes that are parsed at once: a small frame takes far more memory parsed than not
_KERNEL: Final = 65536  # bytes that the system keeps for each connection and direction
_LEAST: Final = 512  # bytes that a frame counts at least, however short: each costs time
_CONTROL: Final = (64, 1.0)  # pings, and pongs to none, that anybody may send at once, and then in a second
_CHECKS: Final = 4  # looks at an end that takes nothing, in the time after which it is given up

# silent, until somebody configures logging
_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())


class Happening(StrEnum):
    """A kind of event that the operator of a relay is told of."""

    OPENED = "opened"
    CLOSED = "closed"
    NOT_OURS = "not_ours"
    MALFORMED = "malformed"
    NO_HOST = "no_host"
    REPLACED = "replaced"
    FULL = "full"
    CROWDED = "crowded"
    STALLED = "stalled"
    SILENT = "silent"


class Notice(NamedTuple):
    """An event at a relay: the address of the connection in question (of a pipe, its guest's), and the open pipes."""

    happening: Happening
    address: str
    pipes: int


@dataclass(frozen=True)
class Limits:
    """The limits of a relay; times are in seconds."""

    arriving: int = 250
    """Connections that have said nothing yet, and guests whose host is being asked."""
    waiting: int = 750
    """Hosts that wait. They have places of their own: whoever takes all of these keeps no guest from a host."""
    pipes: int = 800
    pipes_of_room: int = 8
    opening: float = 5.0
    """For the request, and again for the first message."""
    answer: float = 2.0
    """For a waiting host to answer a ping when a guest has come."""
    keepalive: float = 20.0
    """Between pings. An end of which nothing is heard between two is gone."""
    stalled: float = 40.0
    """After which an end that takes nothing is given up."""
    rate: float = 65536.0
    """Bytes a second through a pipe, after `burst` bytes."""
    burst: float = 1048576.0


@contextlib.asynccontextmanager
async def relay(
    bind: str | None,
    port: int,
    trusted: Collection[str] = (),
    *,
    notify: Callable[[Notice], None] = lambda _: None,
    limits: Limits = Limits(),
) -> AsyncIterator[Server]:
    """Relay on `bind` (None: everywhere) and `port` (0: a free one) while the block runs.

    From the IP addresses in `trusted` come the connections of reverse proxies, whose X-Forwarded-For is believed.
    `notify` is called for each event, in the event loop. Leaving the block closes all connections with code 1001,
    within about a second. Raises LocalError as `net.transport.serve`.
    """
    listener = listen(bind, port)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):  # connections inherit it
        listener.setsockopt(socket.SOL_SOCKET, option, _KERNEL)
    owner = _Relay(frozenset(trusted), notify, limits)
    server = await websockets.asyncio.server.serve(
        owner.visited,
        sock=listener,
        compression=None,
        max_size=MAX_FRAME,
        max_queue=0,
        write_limit=_SLICE,
        open_timeout=limits.opening,
        close_timeout=CLOSING,
        ping_interval=None,  # the relay pings by itself: whoever is not read has no chance to answer
        server_header=None,
        logger=_log,
        process_request=owner.admit,
        process_response=owner.answer,
        create_connection=cast(type[ServerConnection], owner.arrived),
    )
    pinging = asyncio.create_task(owner.keep_alive())
    try:
        yield listening_at(listener, bind)
    finally:
        pinging.cancel()
        server.close(close_connections=False)
        owner.dismiss()
        await server.wait_closed()


class _Stage(Enum):
    """The place of a connection in its life. HTTP comes before the first, and no message after the last."""

    INTRODUCTION = auto()
    WAITING = auto()
    PIPE = auto()
    ENDED = auto()


class _Member(Guarded, ServerConnection):
    """A connection at a relay: takes from it what its stage allows, and no more at once than can be kept."""

    max_unread: ClassVar = 3 * MAX_FRAME

    def __init__(self, owner: "_Relay", *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.introduction: asyncio.Future[Introduction | None] = self.loop.create_future()
        """The first message; None if none will come that can be used."""
        self.address = "?"
        self.pinged = False
        self._owner = owner
        self._stage = _Stage.INTRODUCTION
        self._unparsed = bytearray()
        self._asked = 0
        burst, rate = _CONTROL
        self._control = TokenBucket(rate, burst, self.loop.time())

    @property
    def is_open(self) -> bool:
        """Return whether messages can be sent."""
        return self.state is State.OPEN

    @property
    def is_read(self) -> bool:
        """Return whether everything that comes is read, and nothing waits for its turn."""
        return not self.recv_messages.paused

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        # asyncio reads 256 KiB at once, unless it is told otherwise
        self.transport.max_size = _READ  # type: ignore[attr-defined]
        self.recv_messages.resume = lambda: self.loop.call_soon(self._parse)
        peer = self.remote_address  # None if it has gone already
        self.address = plain(peer[0]) if peer else "?"
        self._owner.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._owner.leave(self)
        super().connection_lost(exc)
        self._end()

    def data_received(self, data: bytes) -> None:
        self.heard = True
        if self.request is None:
            self._asked += len(data)
            if self._asked > _MAX_REQUEST:
                self.transport.abort()
                return
        if self._stage is _Stage.ENDED:
            super().data_received(data)  # which discards it
        else:
            self._unparsed += data
            self._parse()

    def process_event(self, event: Event) -> None:
        if not isinstance(event, Frame) or self.request is None:
            super().process_event(event)
        elif event.opcode in (Opcode.PING, Opcode.PONG):
            # a host answers as many pings as guests come: nobody's limit but theirs
            asked_for = event.opcode is Opcode.PONG and bytes(event.data) in self.pending_pings
            super().process_event(event)
            if not asked_for and self._control.take(1, self.loop.time()):
                self.hang_up(CloseCode.POLICY_VIOLATION)
        elif event.opcode in (Opcode.BINARY, Opcode.TEXT, Opcode.CONT):
            self._message(event)
        else:
            super().process_event(event)

    def begin(self) -> None:
        """Let the pipe begin, of which this is an end."""
        self._stage = _Stage.PIPE
        self.protocol.send_binary(BEGIN)
        self.send_data()

    def ping_quickly(self) -> None:
        """Send a ping, and look for no answer to it in particular."""
        self.heard, self.pinged = False, True
        self.protocol.send_ping(b"")
        self.send_data()

    async def answers(self, within: float) -> bool:
        """Ping the other end; return whether it answers within so many seconds."""
        try:
            async with asyncio.timeout(within):
                await (await self.ping())
        except (TimeoutError, ConnectionClosed):
            return False
        return True

    async def deliver(self, message: bytes, patience: float) -> bool:
        """Send a message. False if its end has taken nothing for `patience` seconds.

        Raises ConnectionClosed or OSError where the connection ends.
        """
        left, idle = float("inf"), 0
        hand_over: Callable[[], Awaitable[None]] = partial(self.send, message)
        while idle < _CHECKS:
            try:
                async with asyncio.timeout(patience / _CHECKS):
                    await hand_over()
                return True
            except TimeoutError:
                before, left = left, self.transport.get_write_buffer_size()
                idle = idle + 1 if left >= before else 0
                hand_over = self.drain  # all of the message is with the transport already
        return False

    def hang_up(self, code: int) -> None:
        """Close the connection with this code, in a second at the latest. Nothing that still comes is taken."""
        if self.is_open:
            self.protocol.fail(code)
            self.send_data()
        elif self.state is State.CONNECTING:
            self.transport.abort()
        self._end()
        self.transport.resume_reading()  # or its end could not be seen
        self.loop.call_later(CLOSING, self.transport.abort)

    def _parse(self) -> None:
        """Parse what has come, as long as there is room for it; then read on."""
        while self._unparsed and self.is_read:
            piece = bytes(self._unparsed[:_SLICE])
            del self._unparsed[:_SLICE]
            super().data_received(piece)
        if self.is_read:
            self.transport.resume_reading()

    def _message(self, frame: Frame) -> None:
        """Take a message, or a part of one."""
        if self._stage is _Stage.PIPE:
            if frame.opcode is Opcode.TEXT:
                self.hang_up(CloseCode.UNSUPPORTED_DATA)
            else:
                super().process_event(frame)
        elif self._stage is not _Stage.ENDED:
            binary = self._stage is _Stage.INTRODUCTION and frame.opcode is Opcode.BINARY and frame.fin
            introduction = parse_introduction(bytes(frame.data)) if binary else None
            if introduction is None:
                self._owner.tell(Happening.MALFORMED, self)
                self.hang_up(Refusal.MALFORMED)
            else:
                self._stage = _Stage.WAITING
                self.introduction.set_result(introduction)

    def _end(self) -> None:
        self._stage = _Stage.ENDED
        self._unparsed.clear()
        if not self.introduction.done():
            self.introduction.set_result(None)


_Pipe = tuple[_Member, _Member]
"""The host, and the guest."""


class _Relay:
    """Everybody at a relay."""

    def __init__(self, trusted: frozenset[str], notify: Callable[[Notice], None], limits: Limits) -> None:
        self._trusted = frozenset(map(plain, trusted))
        self._notify = notify
        self._limits = limits
        self._members: set[_Member] = set()
        # whoever means to say something has done so before others have come by the hundred
        self._arriving: Places[_Member] = Places(limits.arriving, oldest=True)
        self._waiting: Places[_Member] = Places(limits.waiting)
        self._rooms: Rooms[_Member] = Rooms(limits.pipes_of_room)
        self._pipes: Places[_Pipe] = Places(limits.pipes)

    def tell(self, happening: Happening, member: _Member) -> None:
        self._notify(Notice(happening, member.address, len(self._pipes)))

    def arrived(self, *arguments: Any, **options: Any) -> _Member:
        return _Member(self, *arguments, **options)

    def enter(self, member: _Member) -> None:
        self._members.add(member)
        if loser := self._arriving.enter(member, network_of(member.address)):
            self._crowded_out(loser)

    def leave(self, member: _Member) -> None:
        self._members.discard(member)
        self._give_up_place(member)

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Refuse requests for anything else, and those of web pages; note the address behind a proxy."""
        member = cast(_Member, connection)
        if member.address in self._trusted:
            member.address = forwarded_for(request.headers.get_all("X-Forwarded-For")) or member.address
            self._arriving.move(member, network_of(member.address))
        return _upgrade_required(member) if request.path != RELAY_PATH or "Origin" in request.headers else None

    def answer(self, connection: ServerConnection, request: Request, response: Response) -> Response | None:  # noqa: ARG002
        """Give whatever opens no WebSocket one and the same answer."""
        if response.status_code == http.HTTPStatus.SWITCHING_PROTOCOLS:
            return None
        self.tell(Happening.NOT_OURS, cast(_Member, connection))
        return _upgrade_required(connection)

    async def visited(self, connection: ServerConnection) -> None:
        """Serve a connection that has opened a WebSocket, until it has ended."""
        member = cast(_Member, connection)
        try:
            async with asyncio.timeout(self._limits.opening):
                introduction = await asyncio.shield(member.introduction)
        except TimeoutError:
            introduction = None
            self.tell(Happening.MALFORMED, member)
            member.hang_up(Refusal.MALFORMED)
        if introduction is not None and introduction.end is End.HOST:
            self._wait(introduction.room, member)
        elif introduction is not None:
            await self._serve_guest(introduction.room, member)
        await member.wait_closed()
        if introduction is not None:
            self._rooms.leave(introduction.room, member)

    async def keep_alive(self) -> None:
        """Ping everybody, for ever, and drop those of whom nothing is heard."""
        while True:
            await asyncio.sleep(self._limits.keepalive)
            for member in [member for member in self._members if member.is_open]:
                if member.pinged and not member.heard and member.is_read:
                    self.tell(Happening.SILENT, member)
                    member.transport.abort()
                else:
                    member.ping_quickly()

    def dismiss(self) -> None:
        """Close all connections."""
        for member in [*self._members]:
            member.hang_up(CloseCode.GOING_AWAY)

    def _wait(self, room: bytes, host: _Member) -> None:
        if not host.is_open:
            return
        self._give_up_place(host)
        loser = self._waiting.enter(host, network_of(host.address))
        if loser is not host and (older := self._rooms.wait(room, host)):
            self._replaced(older)
        if loser is not None:
            self._crowded_out(loser)

    def _give_up_place(self, member: _Member) -> None:
        self._arriving.leave(member)
        self._waiting.leave(member)

    def _crowded_out(self, *members: _Member) -> None:
        self.tell(Happening.CROWDED, members[-1])
        for member in members:
            member.transport.abort()

    def _replaced(self, host: _Member) -> None:
        self.tell(Happening.REPLACED, host)
        host.hang_up(Refusal.REPLACED)

    async def _serve_guest(self, room: bytes, guest: _Member) -> None:
        if not self._rooms.open_pipe(room):
            self.tell(Happening.FULL, guest)
            guest.hang_up(Refusal.FULL)
            return
        try:
            if host := await self._host_for(room, guest):
                await self._join(host, guest)
        finally:
            self._rooms.close_pipe(room)

    async def _host_for(self, room: bytes, guest: _Member) -> _Member | None:
        """Return the host of that room, alive; None if there is none, or the guest has gone."""
        while host := self._rooms.take(room):
            if not await host.answers(self._limits.answer) or not host.is_open:
                self.tell(Happening.SILENT, host)
                host.hang_up(CloseCode.INTERNAL_ERROR)
            elif guest.is_open:
                return host
            else:
                if not self._rooms.give_back(room, host):
                    self._replaced(host)
                return None
        self.tell(Happening.NO_HOST, guest)
        guest.hang_up(Refusal.NO_HOST)
        return None

    async def _join(self, host: _Member, guest: _Member) -> None:
        """Pass messages between the two until one of them has gone, and then the other, too."""
        pipe = (host, guest)
        for end in pipe:
            self._give_up_place(end)
            end.begin()
        if loser := self._pipes.enter(pipe, network_of(guest.address)):
            self._crowded_out(*loser)
        self.tell(Happening.OPENED, guest)
        bucket = TokenBucket(self._limits.rate, self._limits.burst, host.loop.time())
        try:
            await asyncio.gather(self._pump(host, guest, bucket), self._pump(guest, host, bucket))
            for end in pipe:
                await end.wait_closed()
        finally:
            self._pipes.leave(pipe)
            self.tell(Happening.CLOSED, guest)

    async def _pump(self, source: _Member, target: _Member, bucket: TokenBucket) -> None:
        """Pass messages on until `source` has ended and all are delivered, or `target` has ended; then end `target`."""
        with contextlib.suppress(ConnectionClosed, OSError):
            while True:
                message = b""
                async for part in source.recv_streaming(decode=False):
                    message = message + part if message else part
                    pause = bucket.take(max(len(part), _LEAST), source.loop.time())
                    if pause and target.is_open:
                        await asyncio.sleep(pause)
                if not await target.deliver(message, self._limits.stalled):
                    self.tell(Happening.STALLED, target)
                    target.transport.abort()
                    source.hang_up(CloseCode.GOING_AWAY)
                    return
        target.hang_up(CloseCode.GOING_AWAY)


def _upgrade_required(connection: ServerConnection) -> Response:
    response = connection.respond(http.HTTPStatus.UPGRADE_REQUIRED, "")
    response.headers["Upgrade"] = "websocket"
    return response
