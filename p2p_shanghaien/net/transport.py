"""Frames of bytes between two machines: WebSockets (RFC 6455) as required by protocol/SPEC.md, section 4.1.

Nothing here trusts the peer. A server admits any number of visitors and keeps only a limited number of them, with
limited memory for each, until `settled` says that one of them speaks our protocol.
"""

import asyncio
import contextlib
import errno
import logging
import re
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

import aiohappyeyeballs
import websockets.asyncio.client
import websockets.asyncio.connection
import websockets.asyncio.server
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.frames import CloseCode
from websockets.protocol import State
from websockets.uri import parse_uri

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, LocalError, NetCode
from p2p_shanghaien.net.addresses import Address, RelayAddress, listening, plain

MAX_FRAME: Final = 16_384
"""The limit of bytes of a frame, in both directions."""

MAX_PENDING: Final = 64
"""The limit of visitors of a server that have not settled. One more, and the oldest is dropped."""

KEEPALIVE: Final = 20.0
"""Seconds between pings, and for the answer to one.

A dead peer is noticed after twice as long and a second; a thinking one answers without knowing it.
"""

CLOSING: Final = 1.0
"""Seconds for the peer to close the connection, too."""

_OPENING: Final = 5.0  # seconds for a visitor's opening handshake
_SECOND_TRY: Final = 0.25  # seconds until the next address of a name is tried as well (RFC 8305)

# silent, until somebody configures logging
_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())

_BOTH_SIDES: dict[str, Any] = {
    "compression": None,
    "max_size": MAX_FRAME,
    "close_timeout": CLOSING,
    "logger": _log,
}


class Connection:
    """An open connection to one peer. `remote` names the other end for display."""

    def __init__(
        self,
        websocket: ClientConnection | ServerConnection,
        remote: str,
        settled: Callable[[], None] = lambda: None,
    ) -> None:
        self.remote = remote
        self._websocket = websocket
        self._settled = settled

    def settled(self) -> None:
        """Count the visitor as settled, once it has completed our own handshake: no newcomer displaces it any more."""
        settled, self._settled = self._settled, lambda: None
        settled()

    async def send(self, data: bytes) -> None:
        """Hand `data` over for sending, at most MAX_FRAME bytes. It may never arrive.

        Nothing is raised where the connection has ended: `receive` says so, after the peer's last words.
        """
        if len(data) > MAX_FRAME:
            raise ValueError(f"a frame of {len(data)} bytes")
        with contextlib.suppress(ConnectionClosed):
            await self._websocket.send(data)

    async def receive(self) -> bytes:
        """Return the next frame, at most MAX_FRAME bytes. Cancelling loses nothing.

        Raises ConnectionLost: closed_by_peer (`status`, RFC 6455 section 7.4), closed_here, frame_too_large,
        not_binary, broken_frames, ping_timeout, broken_off (no farewell), network_error (`reason`).
        """
        try:
            data = await self._websocket.recv()
        except ConnectionClosed as closed:
            raise _lost(closed) from None
        if isinstance(data, str):
            await self._websocket.close(CloseCode.UNSUPPORTED_DATA)
            raise ConnectionLost(NetCode.NOT_BINARY)
        return data

    async def close(self) -> None:
        """Close the connection properly, within about a second. Harmless if it has ended already."""
        await self._websocket.close()


async def connect(address: Address, timeout: float = 10.0, keepalive: float = KEEPALIVE) -> Connection:  # noqa: ASYNC109
    """Open a connection to the host at `address`, waiting at most `timeout` seconds; `keepalive` as KEEPALIVE.

    No proxy is used and no redirect followed. Raises CannotConnect, with the `address` as text: connection_refused,
    connection_timed_out, name_not_found, zone_unknown, unreachable, unreachable_macos, dropped_while_opening,
    not_a_host (`status`: that of its HTTP answer, None for anything else), cannot_connect (`reason`).
    """
    # the zone of an address is in no URI
    return await _opened(address, (address.host, address.port), _Guest, timeout, keepalive)


async def connect_relay(
    address: RelayAddress,
    timeout: float = 10.0,  # noqa: ASYNC109
    keepalive: float = KEEPALIVE,
    settled: Callable[[], None] = lambda: None,
) -> Connection:
    """Open a connection to a relay, as `connect`.

    `settled` is called when the peer has completed our own handshake through it. Raises CannotConnect as `connect`, and
    not_a_relay (`status`), relay_untrusted (`reason`) for a certificate that does not hold.
    """
    where = parse_uri(address.uri)
    return await _opened(address, (where.host, where.port), _GuestOfRelay, timeout, keepalive, settled)


async def _opened(
    address: Address | RelayAddress,
    where: tuple[str, int],
    guest: type[ClientConnection],
    timeout: float,  # noqa: ASYNC109
    keepalive: float,
    settled: Callable[[], None] = lambda: None,
) -> Connection:
    shown = str(address)
    try:
        async with asyncio.timeout(timeout):
            websocket = await websockets.asyncio.client.connect(
                address.uri,
                sock=await _reached(*where),
                create_connection=guest,
                open_timeout=None,
                proxy=None,
                user_agent_header=None,
                ping_interval=keepalive,
                ping_timeout=keepalive,
                **_BOTH_SIDES,
            )
    except CannotConnect as refusal:
        raise CannotConnect(refusal.code, address=shown, **refusal.details) from None
    except ssl.SSLCertVerificationError as error:
        raise CannotConnect(NetCode.RELAY_UNTRUSTED, address=shown, reason=error.verify_message) from None
    except OSError as error:
        raise _unconnected(error, shown) from None
    return Connection(websocket, shown, settled)


async def _reached(host: str, port: int) -> socket.socket:
    """Return a connected socket, from the first address of `host` that answers. Raises OSError."""
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    # asyncio's own race of addresses leaves its socket open if it is cancelled
    return await aiohappyeyeballs.start_connection(addresses, happy_eyeballs_delay=_SECOND_TRY)


@dataclass(frozen=True)
class Server:
    """A server that is listening: at `hosts`, IP addresses (`0.0.0.0` and `::` stand for all), on `port`."""

    hosts: tuple[str, ...]
    port: int


@contextlib.asynccontextmanager
async def serve(
    handler: Callable[[Connection], Awaitable[None]], bind: str | None, port: int, keepalive: float = KEEPALIVE
) -> AsyncIterator[Server]:
    """Listen on `bind` (None: everywhere, IPv4 and IPv6) and `port` (0: a free one) while the block runs.

    `keepalive` as KEEPALIVE.

    `handler` runs for each visitor that opens a WebSocket; the connection is closed when it returns or lets
    ConnectionLost pass. Any other exception from it cancels the block and is raised from it. Leaving the block cancels
    the handlers and closes all connections, within about a second.

    Raises LocalError: port_busy (`port`), port_forbidden (`port`), bind_not_ours (`bind`), bind_unknown (`bind`),
    cannot_listen (`reason`).
    """
    listener = listen(bind, port)
    crowd = _Crowd()
    visits: set[asyncio.Task[None]] = set()
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def opened(websocket: ServerConnection) -> None:
        visit = cast(asyncio.Task[None], asyncio.current_task())
        visits.add(visit)
        try:
            await handler(Connection(websocket, _remote(websocket), cast(_Visitor, websocket).settled))
        except ConnectionLost:
            pass
        except Exception as error:  # noqa: BLE001 (the library would only log it)
            if not failed.done():
                failed.set_exception(error)
        finally:
            await websocket.close()
            visits.discard(visit)

    async def raised() -> None:
        await failed

    def arrived(*arguments: Any, **options: Any) -> _Visitor:
        return _Visitor(crowd, *arguments, **options)

    failure: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(raised())
            server = await websockets.asyncio.server.serve(
                opened,
                sock=listener,
                origins=[None],  # a browser always names one: no web page gets in
                open_timeout=_OPENING,
                server_header=None,
                create_connection=cast(type[ServerConnection], arrived),
                ping_interval=keepalive,
                ping_timeout=keepalive,
                **_BOTH_SIDES,
            )
            try:
                yield listening_at(listener, bind)
            finally:
                server.close()
                crowd.dismiss()
                for visit in visits:
                    visit.cancel()
                await server.wait_closed()
                failed.cancel()
    except BaseExceptionGroup as failures:
        failure = failures.exceptions[0]
    if failure is not None:
        raise failure


class Guarded(websockets.asyncio.connection.Connection):
    """Limits that the library leaves to the goodwill of the peer."""

    max_unread: ClassVar = 16 * MAX_FRAME
    """The limit of bytes waiting for a peer that does not read. `send` stops far below; only pongs get so far."""

    heard = False

    def data_received(self, data: bytes) -> None:
        self.heard = True
        ending = self.protocol.close_expected()
        super().data_received(data)
        # pongs are queued without waiting for the reader; a peer that pings and never reads would fill our memory
        if self.transport.get_write_buffer_size() > self.max_unread:
            self.transport.abort()
        # after a close frame or a refusal the peer has to close the connection; `receive` waits until it does
        if not ending and self.protocol.close_expected():
            self.loop.call_later(CLOSING, self.transport.abort)


class _Guest(Guarded, ClientConnection):
    stranger = NetCode.NOT_A_HOST

    async def handshake(self, *arguments: Any, **options: Any) -> None:
        try:
            await super().handshake(*arguments, **options)
        except InvalidStatus as answer:  # among them a redirect, which would otherwise be followed
            raise CannotConnect(self.stranger, status=answer.response.status_code) from None
        except (InvalidHandshake, ConnectionClosed):
            if self.heard:
                raise CannotConnect(self.stranger, status=None) from None
            raise CannotConnect(NetCode.DROPPED_WHILE_OPENING) from None


class _GuestOfRelay(_Guest):
    stranger = NetCode.NOT_A_RELAY


class _Visitor(Guarded, ServerConnection):
    def __init__(self, crowd: "_Crowd", *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._crowd = crowd

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._crowd.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._crowd.leave(self)
        super().connection_lost(exc)

    def settled(self) -> None:
        self._crowd.leave(self)


class _Crowd:
    """The visitors that have not settled, in the order of their arrival."""

    def __init__(self) -> None:
        self._visitors: dict[_Visitor, None] = {}

    def enter(self, visitor: _Visitor) -> None:
        self._visitors[visitor] = None
        if len(self._visitors) > MAX_PENDING:
            oldest = next(iter(self._visitors))
            self.leave(oldest)
            oldest.transport.abort()

    def leave(self, visitor: _Visitor) -> None:
        self._visitors.pop(visitor, None)

    def dismiss(self) -> None:
        """Drop a visitor that has not opened a WebSocket. (The others get a proper close.)"""
        for visitor in self._visitors:
            if visitor.state is State.CONNECTING:
                visitor.transport.abort()


def listen(bind: str | None, port: int) -> socket.socket:
    """Return a socket that listens on `bind` (None: everywhere) and `port` (0: a free one). Raises as `serve`."""
    try:
        if bind is not None:
            family, _, _, _, place = socket.getaddrinfo(str(listening(bind)), port, type=socket.SOCK_STREAM)[0]
            return socket.create_server(place, family=family)
        if socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        return socket.create_server(("", port))
    except OSError as error:
        if isinstance(error, socket.gaierror):  # a zone that is no interface of ours
            raise LocalError(NetCode.BIND_UNKNOWN, bind=bind) from None
        if error.errno == errno.EADDRINUSE:
            raise LocalError(NetCode.PORT_BUSY, port=port) from None
        if error.errno in (errno.EACCES, errno.EPERM):
            raise LocalError(NetCode.PORT_FORBIDDEN, port=port) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise LocalError(NetCode.BIND_NOT_OURS, bind=bind) from None
        raise LocalError(NetCode.CANNOT_LISTEN, reason=error.strerror) from None


def listening_at(listener: socket.socket, bind: str | None) -> Server:
    """Return the addresses and the port at which a socket made by `listen` can be reached."""
    host, port = listener.getsockname()[:2]
    both = bind is None and listener.family == socket.AF_INET6
    return Server(("0.0.0.0", "::") if both else (plain(host),), port)  # noqa: S104 (it says what was bound)


def _remote(websocket: ServerConnection) -> str:
    peer = websocket.remote_address  # None if it has gone already
    return plain(peer[0]) if peer else "?"


_UNREACHABLE: Final = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN, errno.EADDRNOTAVAIL}


def _unconnected(error: OSError, where: str) -> CannotConnect:
    if isinstance(error, socket.gaierror):
        return CannotConnect(NetCode.ZONE_UNKNOWN if "%" in where else NetCode.NAME_NOT_FOUND, address=where)
    # if a name has several addresses, asyncio joins the errors of all in one text, and the numbers with it
    numbers = {int(number) for number in re.findall(r"\[(?:Errno|WinError) (\d+)\]", str(error))}
    if errno.ECONNREFUSED in numbers:
        return CannotConnect(NetCode.CONNECTION_REFUSED, address=where)
    if isinstance(error, TimeoutError) or errno.ETIMEDOUT in numbers:
        return CannotConnect(NetCode.CONNECTION_TIMED_OUT, address=where)
    if numbers & _UNREACHABLE:
        # macOS answers so, too, for a program that may not use the local network
        kept_out = sys.platform == "darwin" and errno.EHOSTUNREACH in numbers
        return CannotConnect(NetCode.UNREACHABLE_MACOS if kept_out else NetCode.UNREACHABLE, address=where)
    return CannotConnect(NetCode.CANNOT_CONNECT, address=where, reason=error.strerror or str(error))


_FAILED_HERE: Final[dict[int, NetCode]] = {
    CloseCode.MESSAGE_TOO_BIG: NetCode.FRAME_TOO_LARGE,
    CloseCode.UNSUPPORTED_DATA: NetCode.NOT_BINARY,
    CloseCode.INVALID_DATA: NetCode.NOT_BINARY,  # it was text, and not even UTF-8
    CloseCode.PROTOCOL_ERROR: NetCode.BROKEN_FRAMES,
}


def _lost(closed: ConnectionClosed) -> ConnectionLost:
    """Return why the connection ended: the first to have said so knows."""
    ours, theirs = closed.sent, closed.rcvd
    if theirs is not None and (ours is None or closed.rcvd_then_sent):
        return ConnectionLost(NetCode.CLOSED_BY_PEER, status=theirs.code)
    if ours is not None:
        if ours.reason == "keepalive ping timeout":
            return ConnectionLost(NetCode.PING_TIMEOUT)
        return ConnectionLost(_FAILED_HERE.get(ours.code, NetCode.CLOSED_HERE))
    cause = closed.__cause__
    if isinstance(cause, OSError) and not isinstance(cause, ConnectionError):
        return ConnectionLost(NetCode.NETWORK_ERROR, reason=cause.strerror or str(cause))
    return ConnectionLost(NetCode.BROKEN_OFF)
