"""A host with a crowd at its door, and a game whose connection keeps breaking."""

import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from statistics import median

import psutil

from benchmarks.report import Row
from benchmarks.rolling import Player, side_of
from p2p_shanghaien.errors import ConnectionLost, NetCode
from p2p_shanghaien.fairplay.handshake import Established
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.transport import Connection, connect, serve
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.listener import Listener, host_games
from p2p_shanghaien.session.series import Series

SILENT = 1000
NONSENSE = 100  # a second
ROUNDS = 5
CUT = 0.02


def _host(folder: str) -> tuple["subprocess.Popen[str]", int]:
    """Return a host in a process of its own, and its port."""
    host = subprocess.Popen(
        [sys.executable, "-m", "p2p_shanghaien", "host", "--bind", "127.0.0.1", "--port", "0", "--player", "random"],
        env={**os.environ, "SHANGHAIEN_HOME": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert host.stdout is not None
    for line in host.stdout:
        if found := re.search(r"join 127\.0\.0\.1:(\d+)", line):
            return host, int(found[1])
    raise RuntimeError("the host does not listen")


def _seconds_to_sit_down(port: int) -> float:
    """From nothing to a proved key on both sides."""

    async def sit_down() -> Established:
        side = side_of(Path(tempfile.gettempdir()), Player())
        dial = partial(connect, Address("127.0.0.1", port))
        call = Dialer(dial, side.secure(Role.GUEST), partial(side.handshake, side.guest_hello))
        connected = await call.first()
        await call.release()
        return connected.established

    began = time.perf_counter()
    asyncio.run(sit_down())
    return time.perf_counter() - began


def _talk_nonsense(port: int, stop: threading.Event) -> None:
    rng = random.Random(1)
    while not stop.wait(1 / NONSENSE):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1) as visitor:
            visitor.sendall(rng.randbytes(200))


def _crowd() -> list[Row]:
    alone: list[float] = []
    crowded: list[float] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        host, port = _host(folder)
        stack.callback(host.kill)
        process = psutil.Process(host.pid)
        alone = [_seconds_to_sit_down(port) for _ in range(ROUNDS)]
        before = process.memory_info().rss / 1e6
        for _ in range(SILENT):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        stop = threading.Event()
        talker = threading.Thread(target=_talk_nonsense, args=(port, stop))
        talker.start()
        crowded = [_seconds_to_sit_down(port) for _ in range(ROUNDS)]
        after = process.memory_info().rss / 1e6
        stop.set()
        talker.join()
    base, with_crowd = "sitting down at an idle host", f"among {SILENT:,} silent and {NONSENSE}/s nonsense"
    return [
        Row(base, median(alone) * 1000, "ms", "", 1.0),
        Row(with_crowd, median(crowded) * 1000, "ms", base, median(crowded) / median(alone)),
        Row("memory of the idle host", before, "MB", "", 1.0),
        Row("memory of the crowded host", after, "MB", "memory of the idle host", after / before),
    ]


class Breaking:
    """A connection that breaks with some chance at each frame sent."""

    def __init__(self, connection: Connection, rng: random.Random, chance: float) -> None:
        self.remote = connection.remote
        self._connection = connection
        self._rng = rng
        self._chance = chance

    async def send(self, data: bytes) -> None:
        if self._rng.random() < self._chance:
            await self._connection.close()
            raise ConnectionLost(NetCode.BROKEN_OFF)
        await self._connection.send(data)

    async def receive(self) -> bytes:
        return await self._connection.receive()

    async def close(self) -> None:
        await self._connection.close()

    def settled(self) -> None:
        self._connection.settled()


class Chooser(Player):
    """Plays at random."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self._rng = rng

    async def decide(self, state: State, player: int) -> str:
        return self._rng.choice(state.legal(player))


def _seconds_of_a_game(folder: Path, seed: int, chance: float) -> float:
    """Return a whole game of Shanghaien over loopback, its connection breaking with `chance` at each of the guest's
    frames.
    """

    async def play() -> None:
        host, guest = (side_of(folder / name, Chooser(random.Random(seed))) for name in ("host", "guest"))
        hello = partial(host.host_hello, Shanghaien())
        door = Listener(host.secure(Role.HOST), partial(host.handshake, hello))
        rng = random.Random(seed)
        async with serve(door.receive, "127.0.0.1", 0) as server:

            async def dial() -> Breaking:
                return Breaking(await connect(Address("127.0.0.1", server.port)), rng, chance)

            call = Dialer(dial, guest.secure(Role.GUEST), partial(guest.handshake, guest.guest_hello))
            hosting = asyncio.create_task(host_games(door, lambda: Series(host, door, hello), host.observer))
            await Series(guest, call, guest.guest_hello).play()
            await call.release()
            await hosting

    began = time.perf_counter()
    asyncio.run(play())
    return time.perf_counter() - began


def _broken() -> list[Row]:
    whole: list[float] = []
    broken: list[float] = []
    for seed in range(ROUNDS):
        for chance, times in ((0.0, whole), (CUT, broken)):
            with tempfile.TemporaryDirectory() as folder:
                times.append(_seconds_of_a_game(Path(folder), seed, chance))
    ratio = median(b / w for b, w in zip(broken, whole, strict=True))
    base = "a game over loopback"
    return [
        Row(base, median(whole) * 1000, "ms", "", 1.0),
        Row(f"with {CUT:.0%} of one side's frames cut", median(broken) * 1000, "ms", base, ratio),
    ]


def run() -> list[Row]:
    """Return what a crowd and a bad line cost."""
    return [*_crowd(), *_broken()]
