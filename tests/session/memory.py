"""Links in memory, and sides that play, watch and keep logs there."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, NetCode
from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.fairplay.handshake import Established
from p2p_shanghaien.fairplay.hello import Hello
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE
from p2p_shanghaien.fairplay.transcript import length_prefixed
from p2p_shanghaien.games.api import Game, State, Step
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.listener import Listener
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.participant import Command
from p2p_shanghaien.session.ports import Link, SecureLink
from tests.pair import SECURED


class MemoryLink:
    """One end of a connection, whose channel is open already: frames go through it as they are.

    `sent` is what went out; `spoil` may change, or lose by raising ConnectionLost, what goes out next.
    """

    def __init__(self, incoming: "asyncio.Queue[bytes | None]", outgoing: "asyncio.Queue[bytes | None]") -> None:
        self.remote = "memory"
        self.secured = SECURED
        self.is_settled = False
        self.sent: list[bytes] = []
        self.spoil: Callable[[bytes], bytes] = lambda frame: frame
        self._incoming = incoming
        self.outgoing = outgoing
        """The queue for outgoing frames; put another in its place, and frames are lost."""
        self.is_closed = False

    async def send(self, data: bytes) -> None:
        if self.is_closed:
            return
        self.sent.append(data)
        with suppress(ConnectionLost):
            self.outgoing.put_nowait(self.spoil(data))
        await asyncio.sleep(0)

    async def receive(self) -> bytes:
        data = await self._incoming.get() if not self.is_closed else None
        if data is None:
            self.is_closed = True
            raise ConnectionLost(NetCode.BROKEN_OFF)
        return data

    async def close(self) -> None:
        self.is_closed = True
        self._incoming.put_nowait(None)
        self.outgoing.put_nowait(None)

    def settled(self) -> None:
        self.is_settled = True


def link_pair() -> tuple[MemoryLink, MemoryLink]:
    """Return both ends of a connection, the host's first."""
    there: asyncio.Queue[bytes | None] = asyncio.Queue()
    back: asyncio.Queue[bytes | None] = asyncio.Queue()
    return MemoryLink(there, back), MemoryLink(back, there)


async def in_memory(link: Link) -> SecureLink:
    """Return the link, whose channel is open already."""
    return cast(SecureLink, link)


def begins_handshake(frame: bytes) -> bool:
    """Return whether a frame is its sender's first of a handshake."""
    match decode(frame, MAX_FRAME):
        case ("commit", _) | ("hello", bytes()):
            return True
    return False


def listener(side: Side, hello: Callable[[bytes], Hello], deadline: float = 10) -> Listener:
    """Return the listener of `side` for links in memory."""
    return Listener(in_memory, partial(side.handshake, hello), deadline, gallery=side.gallery)


def dialer(
    dial: Callable[[], Awaitable[Link]], side: Side, hello: Callable[[bytes], Hello] | None = None, **how: float
) -> Dialer:
    """Return the dialer of `side` for links in memory; `how` goes to it."""
    return Dialer(dial, in_memory, partial(side.handshake, hello or side.guest_hello), **how)


class Network:
    """A door that can be dialled. `prepare` sees both ends of each new connection, the host's first."""

    def __init__(
        self, door: Listener, prepare: Callable[[MemoryLink, MemoryLink], None] = lambda ours, theirs: None
    ) -> None:
        self.links: list[tuple[MemoryLink, MemoryLink]] = []
        self.is_down = False
        self.door = door
        self.prepare = prepare
        self._visits: list[asyncio.Task[None]] = []

    async def dial(self) -> MemoryLink:
        """Return a new connection to the door; the caller's end of it."""
        if self.is_down:
            raise CannotConnect(NetCode.CONNECTION_REFUSED, address="memory")
        ours, theirs = link_pair()
        self.prepare(ours, theirs)
        self.links.append((ours, theirs))
        self.visit(ours)
        await asyncio.sleep(0)
        return theirs

    def visit(self, link: MemoryLink) -> None:
        """Let the host's end of a connection come to the door."""
        self._visits.append(asyncio.create_task(self.door.receive(link)))

    async def cut(self) -> None:
        """Break the connection that was made last."""
        for link in self.links[-1]:
            await link.close()

    async def close(self) -> None:
        """Stop the door's visits."""
        for visit in self._visits:
            visit.cancel()
        await asyncio.gather(*self._visits, return_exceptions=True)


@dataclass
class MemoryLog:
    session: bytes
    data: bytes
    synced: int = 0
    closed: bool = False
    handshakes: list[Established] = field(default_factory=list)
    is_delivered: bool = False
    is_resigned: bool = False
    is_discarded: bool = False

    def append(self, entry: bytes) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")  # as a real file says
        self.data += length_prefixed(entry)

    def sync(self) -> None:
        self.synced = len(self.data)

    def add_handshake(self, established: Established) -> None:
        self.handshakes.append(established)

    def set_address(self, address: str) -> None:
        raise AssertionError(address)

    def mark_resigned(self) -> None:
        self.is_resigned = True

    def mark_delivered(self) -> None:
        self.is_delivered = True

    def close(self) -> None:
        self.closed = True

    def discard(self) -> None:
        self.is_discarded = True


@dataclass
class Onlooker:
    """Writes down all that a watcher is told."""

    news: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    begun_as: list[tuple[tuple[str, str], int]] = field(default_factory=list)
    taken_up: list[State | None] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    last: State | None = None
    draws: list[Drew] = field(default_factory=list)
    own_draws: list[bool] = field(default_factory=list)

    def begun(self, game: Game[Any], names: tuple[str, str], me: int | None, state: State | None = None) -> None:
        assert me is not None
        self.begun_as.append((names, me))
        self.taken_up.append(state)

    def drew(self, draw: Drew, ours: bool) -> None:
        self.draws.append(draw)
        self.own_draws.append(ours)

    def stepped(self, before: State, step: Step, after: State) -> None:
        self.steps.append(step)
        self.last = after

    def notify(self, code: str, /, **details: object) -> None:
        self.news.append((code, details))

    @property
    def codes(self) -> list[str]:
        return [code for code, _ in self.news]


class Decisive:
    """Plays at random, and answers questions as it is told to."""

    def __init__(self, rng: random.Random, agrees: bool = True, wishes: Sequence[int] = ()) -> None:
        self.rng = rng
        self.questions: list[str] = []
        self.node: list[str] = []
        self.has_waited = asyncio.Event()
        """The signal that our player no longer wants to wait."""
        self.commands: asyncio.Queue[Command] = asyncio.Queue()
        self._agrees = agrees
        self.wishes = list(wishes)

    async def agrees(self, code: str, /, **details: object) -> bool:
        self.questions.append(code)
        return self._agrees

    async def stop_waiting(self, code: str, /, **details: object) -> None:
        self.node.append(code)
        await self.has_waited.wait()

    async def decide(self, state: State, player: int) -> str:
        await asyncio.sleep(0)
        return self.rng.choice(state.legal(player))

    async def command(self) -> Command:
        return await self.commands.get()

    async def again(self) -> int:
        return self.wishes.pop(0) if self.wishes else IF_YOU_LIKE

    async def challenges(self, name: str) -> bool:
        self.questions.append(f"challenge {name}")
        return self._agrees


@dataclass
class Seat:
    """A side with all that a test wants to look at afterwards."""

    side: Side
    onlooker: Onlooker
    decider: Decisive
    started: list[MemoryLog]

    @property
    def logs(self) -> list[MemoryLog]:
        """The logs that were not taken away again."""
        return [log for log in self.started if not log.is_discarded]


def seat(name: str, rng: random.Random, games: Mapping[str, type[Game[Any]]] = RULES, **how: Any) -> Seat:
    """Return a side called `name`, which waits two seconds for a lost opponent; `how` goes to `Decisive`."""
    logs: list[MemoryLog] = []
    onlooker, decider = Onlooker(), Decisive(rng, **how)

    def keep(session: Session, at: int, opening: bytes, secret: bytes, channel_key: bytes, address: str) -> MemoryLog:
        logs.append(MemoryLog(session.id, opening))
        return logs[-1]

    side = Side(
        Identity(rng.randbytes(32)),
        name,
        onlooker,
        decider,
        games,
        keep,
        lambda opponent: [("opponent", {"name": opponent.name, "string": opponent.authentication})],
        rng.randbytes,
        patience=2,
    )
    return Seat(side, onlooker, decider, logs)


async def settled() -> None:
    """Wait until nothing more happens by itself, which takes turns of the event loop, on however slow a machine."""
    await asyncio.sleep(0.01)
    for _ in range(300):
        await asyncio.sleep(0)
