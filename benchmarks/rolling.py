"""One jointly drawn roll between two processes on loopback, beside the bare work that it cannot do without.

A roll is three entries (action with commitment, share, reveal). Each needs a hash of it by both sides, a signature, a
check of that by the other side, a message that is sealed and opened, and a record on both disks before anything that
follows from it is sent; the roll needs shares, a commitment, the hash of two positions and the draw, by both sides:
three signatures, three checks, six uses of the cipher, fourteen hashes, four MACs, three messages, four fsyncs. The
bare exchange does exactly those, with bytes of the same size, over the same transport: no entry is encoded or read, no
rule looked at, no deadline kept, nobody asked. The real one plays a game whose every turn is a roll, through the secure
channel and without it, through a relay in a third process, and with watchers. Those are in a third process, too, and do
nothing but read: elsewhere they have processors of their own.
"""

import asyncio
import hmac
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Any, BinaryIO, ClassVar, NamedTuple

from benchmarks.report import Row
from p2p_shanghaien.errors import ConnectionLost
from p2p_shanghaien.fairplay.channel import BLOCK, NO_KEY, Secured
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.keys import SIGNATURE_SIZE, Identity, PublicKey
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.noise import Cipher
from p2p_shanghaien.fairplay.notes import NO_MORE
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.watching import watch
from p2p_shanghaien.games.api import Chance, Game, Node, Setting, State, Step, Terminal, Turn, Value
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.net.addresses import Address, parse_relay
from p2p_shanghaien.net.relay_client import RelayTable, call, waiting
from p2p_shanghaien.net.transport import Connection, connect, serve
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.gallery import Gallery
from p2p_shanghaien.session.listener import Listener, host_games
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.ports import Link, Secure, SecureLink
from p2p_shanghaien.session.secure_link import calling
from p2p_shanghaien.session.series import Series
from p2p_shanghaien.store.logs import GameLog, Sidecar
from p2p_shanghaien.store.paths import log_path

ROLLS = 300
ROUNDS = 15
WATCHERS = 5
RECORD = 250
"""Bytes of an entry."""
_HASHED = bytes(32)


class Rolling(NamedTuple):
    """The position of a game that is nothing but rolls."""

    rolled: int = 0
    chance: bool = False

    @property
    def node(self) -> Node:
        if self.rolled == ROLLS:
            return Terminal((0, 0), None)
        return Chance((6, 6)) if self.chance else Turn(self.rolled % 2)

    def legal(self, player: int) -> tuple[str, ...]:
        return ("roll",) if self.node == Turn(player) else ()

    def apply(self, action: str) -> "Rolling":
        return Rolling(self.rolled, True)

    def apply_joint(self, actions: tuple[str, str]) -> "Rolling":
        raise AssertionError(actions)

    def apply_chance(self, indices: Sequence[int]) -> "Rolling":
        return Rolling(self.rolled + 1, False)

    def encode(self) -> Value:
        return self


@dataclass(frozen=True)
class Rolls(Game[Any]):
    """A game with as little as possible around the rolls."""

    NAME: ClassVar[str] = "rolls"
    RULES_VERSION: ClassVar[int] = 1
    SETTINGS: ClassVar[tuple[Setting, ...]] = ()

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> "Rolls":
        return cls()

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        return ()

    def start(self) -> Rolling:
        return Rolling()

    def read(self, tokens: Any, reader: Any) -> None:
        raise AssertionError(tokens)

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        return iter(())

    def settings_fields(self) -> dict[str, Any]:
        return {}

    def events(
        self, before: Any, step: Step, after: Any, earlier: Sequence[Mapping[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        return iter(())


class Player:
    """Watches nothing, agrees to everything, rolls, and wants one game; notes when the first and the last roll were."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def begun(self, *_: object) -> None:
        self.times.append(time.perf_counter())

    def drew(self, *_: object) -> None: ...

    def stepped(self, *_: object) -> None:
        self.times.append(time.perf_counter())

    def notify(self, *_: object, **__: object) -> None: ...

    async def agrees(self, code: str, /, **details: object) -> bool:
        return True

    def stop_waiting(self, code: str, /, **details: object) -> None:
        return None

    async def decide(self, state: State, player: int) -> str:
        return state.legal(player)[0]

    def command(self) -> None:
        return None

    async def again(self) -> int:
        return NO_MORE

    async def challenges(self, name: str) -> bool:
        return False


def side_of(folder: Path, player: Player) -> Side:
    """Return a side with a fresh key whose logs are real files in `folder`."""

    def keep(session: Session, seat: int, opening: bytes, secret: bytes, channel_key: bytes, address: str) -> GameLog:
        return GameLog.start(log_path(folder, session.id, seat), opening, Sidecar(secret, "", address, channel_key))

    games: dict[str, type[Game[Any]]] = {Rolls.NAME: Rolls, Shanghaien.NAME: Shanghaien}
    return Side(
        Identity(secrets.token_bytes(32)), "side", player, player, games, keep, lambda _: (), secrets.token_bytes
    )


class PlainLink:
    """A link whose frames are sent as they are."""

    def __init__(self, link: Link) -> None:
        self.remote = link.remote
        self.send, self.receive, self.close, self.settled = link.send, link.receive, link.close, link.settled
        self.secured: Secured = Secured(VERSIONS, bytes(32), NO_KEY)


async def _in_plain_text(link: Link) -> SecureLink:
    return PlainLink(link)


def _secure(kind: str, side: Side, role: Role) -> Secure:
    return _in_plain_text if kind == "plain" else side.secure(role)


async def _host_game(kind: str, folder: Path) -> float:
    """Seconds a roll, in a game of ROLLS against a guest in another process."""
    player = Player()
    gallery = Gallery(WATCHERS) if kind == "watched" else None
    side = replace(side_of(folder, player), gallery=gallery)
    hello = partial(side.host_hello, Rolls())
    door = Listener(_secure(kind, side, Role.HOST), partial(side.handshake, hello), gallery=gallery)
    async with _served(kind, door) as port:
        others = [_process("watchers", port, folder)] if gallery else []
        while gallery and gallery.count < WATCHERS:  # noqa: ASYNC110 - nothing says so
            await asyncio.sleep(0.01)
        others.append(_process(kind, port, folder))
        await host_games(door, lambda: Series(side, door, hello), player)
        if gallery:
            await gallery.close()
        for other in others:
            await asyncio.to_thread(other.wait)
    return (player.times[-1] - player.times[0]) / ROLLS


@asynccontextmanager
async def _served(kind: str, door: Listener) -> AsyncIterator[int]:
    """Listen, or wait at a relay of our own; the port to go to."""
    if kind != "relay":
        async with serve(door.receive, "127.0.0.1", 0) as server:
            yield server.port
        return
    command = ["-m", "p2p_shanghaien", "relay", "--bind", "127.0.0.1", "--port", "0"]
    relay = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
    try:
        assert relay.stdout is not None
        found = re.search(r"port (\d+)", (await relay.stdout.readline()).decode())
        assert found is not None
        async with waiting(_room(int(found[1])), door.receive, _ignore):
            yield int(found[1])
    finally:
        relay.kill()
        await relay.communicate()


def _room(port: int) -> RelayTable:
    return RelayTable(parse_relay(f"ws://127.0.0.1:{port}"), bytes(16))


def _ignore(code: str, /, **details: object) -> None: ...


async def _join_game(kind: str, port: int, folder: Path) -> None:
    side = side_of(folder, Player())
    dial = partial(call, _room(port), _ignore) if kind == "relay" else partial(connect, Address("127.0.0.1", port))
    dialer = Dialer(dial, _secure(kind, side, Role.GUEST), partial(side.handshake, side.guest_hello))
    await Series(side, dialer, side.guest_hello).play()
    await dialer.release()


async def _watch_game(port: int) -> None:
    """Read all that WATCHERS watchers are shown."""

    async def read() -> None:
        connection = await connect(Address("127.0.0.1", port))
        link = await calling(NO_KEY, secrets.token_bytes)(connection)
        await link.send(watch(None))
        with suppress(ConnectionLost):
            while True:
                await connection.receive()

    await asyncio.gather(*(read() for _ in range(WATCHERS)))


class Bare:
    """One side of the bare exchange: a key, the other's key, a file, a connection.

    `hashes` and `macs` are those that an entry needs, besides the hash that is signed: the hash of a position that
    changes, of a commitment that is made or checked, of an outcome; a MAC for a share, and for the bytes of a draw.
    """

    def __init__(self, connection: Connection, file: BinaryIO) -> None:
        self._connection = connection
        self._file = file
        # both ends hold the same keys, so that neither needs to be told the other's
        self._identity = Identity(bytes(32))
        self._key = PublicKey(self._identity.public)
        self._sending, self._receiving = Cipher(bytes(32)), Cipher(bytes(32))

    async def say(self, hashes: int, macs: int) -> None:
        """Hash, sign, write, fsync, seal, send."""
        self._compute(hashes, macs)
        signed = bytes(RECORD - SIGNATURE_SIZE)
        data = self._identity.sign(sha256(signed).digest()) + signed
        self._file.write(data)
        os.fsync(self._file.fileno())
        await self._connection.send(self._sending.encrypt(data + bytes(BLOCK - RECORD)))

    async def hear(self, hashes: int, macs: int) -> None:
        """Receive, open, hash, check, write."""
        data = self._receiving.decrypt(await self._connection.receive())[:RECORD]
        self._compute(hashes, macs)
        assert self._key.verifies(sha256(data[SIGNATURE_SIZE:]).digest(), data[:SIGNATURE_SIZE])
        self._file.write(data)

    async def roll(self) -> None:
        """The part of whoever rolls."""
        await self.say(hashes=2, macs=1)  # the position, the commitment; our share
        await self.hear(hashes=0, macs=0)
        await self.say(hashes=2, macs=1)  # the outcome, the position; the draw

    async def answer(self) -> None:
        """Play the peer's part, until the roll is known and stored."""
        await self.hear(hashes=1, macs=0)  # the position
        await self.say(hashes=0, macs=1)  # our share
        await self.hear(hashes=3, macs=1)  # the commitment, the outcome, the position; the draw
        os.fsync(self._file.fileno())

    def _compute(self, hashes: int, macs: int) -> None:
        for _ in range(hashes):
            sha256(_HASHED).digest()
        for _ in range(macs):
            hmac.digest(_HASHED, _HASHED, "sha256")


async def _host_bare(folder: Path) -> float:
    """Seconds a roll in the bare exchange, the sides rolling in turn."""
    took: list[float] = []

    async def play(connection: Connection) -> None:
        with (folder / "host").open("wb", buffering=0) as file:
            bare = Bare(connection, file)
            began = time.perf_counter()
            for number in range(ROLLS):
                await (bare.answer() if number % 2 else bare.roll())
            took.append((time.perf_counter() - began) / ROLLS)
        done.set()

    done = asyncio.Event()
    async with serve(play, "127.0.0.1", 0) as server:
        guest = _process("bare", server.port, folder)
        await done.wait()
        await asyncio.to_thread(guest.wait)
    return took[0]


async def _join_bare(port: int, folder: Path) -> None:
    connection = await connect(Address("127.0.0.1", port))
    with (folder / "guest").open("wb", buffering=0) as file:
        bare = Bare(connection, file)
        for number in range(ROLLS):
            await (bare.roll() if number % 2 else bare.answer())
    await connection.close()


def _process(kind: str, port: int, folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "benchmarks.rolling", kind, str(port), str(folder)])


def run() -> list[Row]:
    """Milliseconds of a roll: bare, and in games of each kind; medians of runs in turn."""
    took: dict[str, list[float]] = {"bare": [], "plain": [], "game": [], "relay": [], "watched": []}
    for _ in range(ROUNDS):
        for kind, times in took.items():
            with tempfile.TemporaryDirectory() as folder:
                play = _host_bare(Path(folder)) if kind == "bare" else _host_game(kind, Path(folder))
                times.append(asyncio.run(play))

    def row(name: str, kind: str, base: str, base_name: str) -> Row:
        ratio = median(a / b for a, b in zip(took[kind], took[base], strict=True))
        return Row(name, median(took[kind]) * 1000, "ms", base_name, ratio)

    bare, game = "a roll's bare cryptography, messages and fsyncs", "a roll in a game between two processes"
    plain = "the same without the secure channel"
    return [
        Row(bare, median(took["bare"]) * 1000, "ms", "", 1.0),
        row(game, "game", "bare", bare),
        Row(plain, median(took["plain"]) * 1000, "ms", "", 1.0),
        row("a roll through the secure channel", "game", "plain", plain),
        row("a roll through a relay", "relay", "game", game),
        row(f"a roll with {WATCHERS} watchers", "watched", "game", game),
    ]


if __name__ == "__main__":
    kind, port, folder = sys.argv[1:]
    try:
        if kind == "watchers":
            asyncio.run(_watch_game(int(port)))
        else:
            asyncio.run((_join_bare if kind == "bare" else partial(_join_game, kind))(int(port), Path(folder)))
    except ConnectionLost:
        sys.exit(1)
