"""Both ends of a way through a relay: a host that waits in its room, a guest that calls there (protocol/SPEC.md, 4.15).

A relay carries the same messages as a direct connection, and can do no more than count, delay or drop them.
"""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Protocol

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, NetCode
from p2p_shanghaien.net.addresses import RelayAddress
from p2p_shanghaien.net.relay_rooms import BEGIN, End, Introduction, Refusal
from p2p_shanghaien.net.transport import Connection, connect_relay

_ANSWER: Final = 10.0  # seconds for the relay to answer a guest
_FIRST_PAUSE: Final = {End.GUEST: 0.25, End.HOST: 1.0}
_LONGEST_PAUSE: Final = 10.0
_REPLACED_PAUSE: Final = 60.0
"""Seconds between attempts, at first and at most, and for a host in whose place another waits; doubled each time."""

_PATIENCE: Final = 1.0
"""The pause from which on the user is told that nobody waits: a host that lost its connection is back sooner."""


@dataclass(frozen=True)
class RelayTable:
    """A table behind a relay: where a host waits, and a guest finds it."""

    relay: RelayAddress
    room: bytes

    def __str__(self) -> str:
        return str(self.relay)


class Notify(Protocol):
    """A listener to news, such as `Observer.notify`."""

    def __call__(self, code: str, /, **details: object) -> None: ...


class RelayClosed(CannotConnect):
    """The relay closed the connection before there was a pipe; `status` says why."""

    def __init__(self, table: RelayTable, status: object) -> None:
        super().__init__(NetCode.RELAY_FULL if status == Refusal.FULL else NetCode.RELAY_LOST, address=str(table))
        self.status = status


async def call(table: RelayTable, notify: Notify) -> Connection:
    """Return a connection to the host of `table`, as soon as it waits there. Raises CannotConnect.

    `notify` is told once if the host is not there yet, and by which way the two are connected.
    """
    pause = _FIRST_PAUSE[End.GUEST]
    while True:
        try:
            async with asyncio.timeout(_ANSWER):
                return await _piped(table, End.GUEST, notify)
        except TimeoutError:
            raise CannotConnect(NetCode.CONNECTION_TIMED_OUT, address=str(table)) from None
        except RelayClosed as closed:
            if closed.status != Refusal.NO_HOST:
                raise
        if pause == _PATIENCE:
            notify("relay_nobody_waits", relay=table.relay)
        await _jittered(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


@contextlib.asynccontextmanager
async def waiting(
    table: RelayTable, handler: Callable[[Connection], Awaitable[None]], notify: Notify, *, insists: bool = True
) -> AsyncIterator[None]:
    """Wait for guests at `table` while the block runs; `handler` runs for each, as in `transport.serve`.

    Raises CannotConnect if the relay cannot be reached at the beginning and the caller `insists`; later, `notify` is
    told, and it is tried again.
    """
    if insists:
        # an error that waiting would only repeat is told at once
        probe = await connect_relay(table.relay)
        await probe.close()
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(_wait_on(table, handler, notify, group.create_task))
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


async def _wait_on(
    table: RelayTable,
    handler: Callable[[Connection], Awaitable[None]],
    notify: Notify,
    start: Callable[[Coroutine[Any, Any, None]], "asyncio.Task[None]"],
) -> None:
    pause = _FIRST_PAUSE[End.HOST]
    guests: set[asyncio.Task[None]] = set()
    is_lost = False
    try:
        while True:
            try:
                connection = await _piped(table, End.HOST, notify)
            except CannotConnect as error:
                is_replaced = isinstance(error, RelayClosed) and error.status == Refusal.REPLACED
                if not is_lost and not is_replaced:
                    is_lost = True
                    notify("relay_away", relay=table.relay, reason=error)
                await _jittered(pause)
                pause = min(2 * pause, _REPLACED_PAUSE if is_replaced else _LONGEST_PAUSE)
            else:
                pause, is_lost = _FIRST_PAUSE[End.HOST], False
                guest = start(_handle(handler, connection))
                guests.add(guest)
                guest.add_done_callback(guests.discard)
                # one new connection a second at most: whoever knows the room cannot make us dial on and on
                await asyncio.sleep(1)
    finally:
        for guest in guests:
            guest.cancel()


async def _handle(handler: Callable[[Connection], Awaitable[None]], connection: Connection) -> None:
    try:
        await handler(connection)
    except ConnectionLost:
        pass
    finally:
        await connection.close()


async def _piped(table: RelayTable, end: End, notify: Notify) -> Connection:
    """Return a connection to whoever comes to the room as the other end. Raises CannotConnect."""
    connection = await connect_relay(table.relay, settled=lambda: notify("connected_by_relay", relay=table.relay))
    try:
        await connection.send(Introduction(end, table.room).encode())
        if await connection.receive() != BEGIN:
            raise CannotConnect(NetCode.NOT_A_RELAY, address=str(table), status=None)
    except ConnectionLost as lost:
        await connection.close()
        raise RelayClosed(table, lost.details.get("status")) from None
    except BaseException:
        await connection.close()
        raise
    return connection


async def _jittered(pause: float) -> None:
    """Sleep for about `pause` seconds: many who lost a relay at once shall not all come back at once."""
    await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - no secret
