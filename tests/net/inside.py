"""Tasks of tests in a process of its own: `python -m tests.net.inside TASK ARGUMENTS`. It answers in JSON."""

import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address
from unittest.mock import patch

from websockets.asyncio.connection import Connection as Websocket
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from p2p_shanghaien.errors import ConnectionLost, ShanghaienError
from p2p_shanghaien.net.addresses import Address, parse, reachable
from p2p_shanghaien.net.discovery import SERVICE, Sign, find
from p2p_shanghaien.net.pcp import ANY, External, MapRequest, PcpRouter
from p2p_shanghaien.net.transport import Connection, connect, serve
from p2p_shanghaien.net.upnp import UpnpRouter


def say(answer: object) -> None:
    print(json.dumps(answer), flush=True)


@contextmanager
def each_made(do: Callable[[Websocket], object]) -> Iterator[None]:
    """Have `do` called with the library's part of each connection that is made in the block."""
    made = Websocket.connection_made

    def made_and_done(websocket: Websocket, transport: asyncio.BaseTransport) -> None:
        made(websocket, transport)
        do(websocket)

    with patch.object(Websocket, "connection_made", made_and_done):
        yield


def addresses(bind: str) -> None:
    """Print the addresses of `shanghaien host`, each with whether it is link-local."""
    say([[str(address), address.link_local] for address in reachable(bind or None, 5000)])


async def host(bind: str, port: str) -> None:
    """Send frames back until standard input ends. `settle` stands for the application's handshake, `deaf` ends all."""

    async def echo(connection: Connection) -> None:
        while True:
            data = await connection.receive()
            if data == b"settle":
                connection.settled()
            if data == b"deaf":
                await asyncio.Event().wait()
            await connection.send(data)

    async with serve(echo, bind or None, int(port)) as server:
        say(server.port)
        await asyncio.to_thread(sys.stdin.read)


async def ignore(_: Connection) -> None: ...


async def losing_host(ping: str, user_timeout: str) -> None:
    """Say how the first guest was lost, and after how many seconds, once it was.

    `ping` is the time between pings and for a pong, in seconds; `user_timeout` how long TCP may wait for an
    acknowledgement, in milliseconds (0: as long as it likes).
    """
    lost = asyncio.Event()

    def limit(websocket: Websocket) -> None:
        tcp = websocket.transport.get_extra_info("socket")
        tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(user_timeout))

    async def wait(connection: Connection) -> None:
        started = time.monotonic()
        try:
            while True:
                if await connection.receive() == b"start":
                    started = time.monotonic()
                await connection.send(b"started")
                if int(user_timeout):
                    await asyncio.sleep(0.5)
                    await connection.send(b"never acknowledged")
        except ConnectionLost as why:
            say([why.code, why.details, time.monotonic() - started])
            lost.set()

    with each_made(limit):
        async with serve(wait, None, 0, keepalive=float(ping)) as server:
            say(server.port)
            await lost.wait()


async def guest(address: str) -> None:
    """Join, say that it is done, and stay until standard input ends."""
    connection = await connect(parse(address))
    await connection.send(b"start")
    await connection.receive()
    say(0)
    await asyncio.to_thread(sys.stdin.read)
    await connection.close()


async def join(timeout: str, *typed: str) -> None:
    """For each address, how joining the host there goes: "served", or the code and details of what is wrong."""

    async def attempt(text: str) -> object:
        try:
            connection = await connect(parse(text), float(timeout))
            await connection.send(b"hello")
            answer = await connection.receive()
            await connection.close()
        except ShanghaienError as error:
            return [error.code, error.details]
        return "served" if answer == b"hello" else "?"

    say([await attempt(text) for text in typed])


async def look(seconds: str, *gone: str) -> None:
    """The tables announced on the local network; `gone` are addresses that this machine had a moment ago."""
    addresses = [*map(parse, gone), *reachable(None, 1)]
    try:
        tables = await find(addresses, float(seconds))
    except ShanghaienError as error:
        say(error.code)
    else:
        say([(table.name, table.game, [str(each) for each in table.addresses]) for table in tables])


async def announce(name: str, bind: str, *gone: str) -> None:
    """Announce a table, as open or taken as each line of standard input says; first whether that can be seen."""
    async with Sign(name, "shanghaien", [*map(parse, gone), *reachable(bind or None, 5000)]) as sign:
        sign.turn(True)
        say(sign.can_be_seen)
        while line := await asyncio.to_thread(sys.stdin.readline):
            sign.turn(line.strip() == "open")
            say(line.strip())


async def forge(count: str, *addresses: str) -> None:
    """Announce so many tables, each at addresses of its own (with its number for `N`), until standard input ends."""
    zeroconf = AsyncZeroconf(interfaces=[reachable(None, 1)[0].host])
    tables = [
        AsyncServiceInfo(
            SERVICE,
            f"aaa-{number:04}.{SERVICE}",
            port=5000,
            properties={"name": "Hanna", "game": "shanghaien"},
            server=f"f{number}.local.",
            parsed_addresses=[address.replace("N", str(number)) for address in addresses],
        )
        for number in range(int(count))
    ]
    await asyncio.gather(*(zeroconf.async_register_service(each, cooperating_responders=True) for each in tables))
    say("forged")
    await asyncio.to_thread(sys.stdin.read)
    await zeroconf.async_close()


async def listen(user: str, port: str) -> None:
    """Try to listen on `port` as user number `user`."""
    os.setuid(int(user))

    try:
        async with serve(ignore, None, int(port)):
            say("listening")
    except ShanghaienError as error:
        say([error.code, error.details])


async def complaints() -> None:
    """Have the library complain at both ends of a connection, as some of its versions do of every odd visitor."""

    with each_made(lambda websocket: websocket.logger.error("opening handshake failed")):
        async with serve(ignore, "127.0.0.1", 0) as server:
            connection = await connect(Address("127.0.0.1", server.port))
            await connection.close()
    say("done")


async def map_port(router: str, port: str, external: str) -> None:
    """Have `router` lead `external` to `port`, as another program of this machine would."""
    answer = await PcpRouter(router).ask(MapRequest(int(port), bytes(12), 600, External(ANY, int(external))))
    say(answer and answer.external.port)


async def map_port_by_upnp(router: str, port: str, external: str) -> None:
    """Have `router` lead `external` to `port`, as `map_port`."""
    wanted = External(IPv4Address("5.9.8.7"), int(external))
    answer = await UpnpRouter(router).ask(MapRequest(int(port), bytes(12), 600, wanted))
    say(answer and answer.external.port)


TASKS = {
    task.__name__: task
    for task in (
        addresses,
        host,
        losing_host,
        guest,
        join,
        look,
        announce,
        forge,
        listen,
        complaints,
        map_port,
        map_port_by_upnp,
    )
}

if __name__ == "__main__":
    going = TASKS[sys.argv[1]](*sys.argv[2:])
    if going is not None:
        asyncio.run(going)
