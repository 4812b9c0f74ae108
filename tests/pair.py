"""Two honest peers in memory, and the handshake between them."""

import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from p2p_shanghaien.fairplay.handshake import Established, Handshake
from p2p_shanghaien.fairplay.hello import VERSIONS, Hello, Role, open_session
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import begin
from p2p_shanghaien.fairplay.notes import Notes
from p2p_shanghaien.fairplay.peer import Ask, Effect, Peer, Send, Store
from p2p_shanghaien.fairplay.transcript import opening, record
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.catalogue import CATALOGUE
from p2p_shanghaien.games.shanghaien import Shanghaien

NAMES = ("Hanna", "Gustav")


def identity(rng: random.Random) -> Identity:
    """A fresh key from a test's own generator."""
    return Identity(rng.randbytes(32))


def host_hello(key: Identity, nonce: bytes, game: Game, name: str = NAMES[0], **changes: Any) -> Hello:
    """A host's hello for a new game."""
    hello = Hello(VERSIONS, Role.HOST, nonce, key.public, name, game.NAME, game.RULES_VERSION, game.settings, None, False)
    return hello._replace(**changes)


def guest_hello(key: Identity, nonce: bytes, name: str = NAMES[1], **changes: Any) -> Hello:
    """A guest's hello that takes whatever the host proposes."""
    hello = Hello(VERSIONS, Role.GUEST, nonce, key.public, name, None, None, (), None, False)
    return hello._replace(**changes)


def shake_hands(host: Handshake, guest: Handshake) -> tuple[Established, Established]:
    """Carry frames between two sides until both are established."""
    sides = (host, guest)
    wires = (deque(guest.start()), deque(host.start()))
    while any(wires):
        for seat in (0, 1):
            while wires[seat]:
                wires[1 - seat].extend(sides[seat].receive(wires[seat].popleft()))
    assert host.established is not None
    assert guest.established is not None
    return host.established, guest.established


@dataclass
class Side:
    """One peer with what it stored and did."""

    peer: Peer
    log: bytes
    effects: list[Effect] = field(default_factory=list)
    asked: Ask | None = None


@dataclass
class Pair:
    """Two peers joined by two queues of frames; seat 0 first."""

    sides: tuple[Side, Side]
    wires: tuple[deque[bytes], deque[bytes]]
    """Frames on their way to seat 0 and to seat 1."""
    identities: tuple[Identity, Identity]
    established: tuple[Established, Established]

    def carry_out(self, seat: int, effects: list[Effect]) -> None:
        """Store, send and note what `seat` has to do."""
        side = self.sides[seat]
        side.effects += effects
        for effect in effects:
            match effect:
                case Store(entry):
                    side.log += record(entry)
                case Send(frame):
                    self.wires[1 - seat].append(frame)
                case Ask():
                    side.asked = effect

    def deliver(self) -> bool:
        """Hand over one frame to each side that has one waiting; whether there was any."""
        moved = False
        for seat in (0, 1):
            if self.wires[seat]:
                moved = True
                self.carry_out(seat, self.sides[seat].peer.receive(self.wires[seat].popleft()))
        return moved

    def settle(self) -> None:
        """Deliver until nothing is on its way."""
        while self.deliver():
            pass

    def act(self, seat: int, action: str) -> None:
        """Let `seat` decide."""
        self.sides[seat].asked = None
        self.carry_out(seat, self.sides[seat].peer.act(action))

    def play(self, rng: random.Random, until: Callable[["Pair"], bool] = lambda pair: False) -> None:
        """Play random legal actions to the end of the game, or until `until` says so."""
        self.settle()
        while not until(self):
            seat = next((seat for seat in (0, 1) if self.sides[seat].asked), None)
            if seat is None:
                return
            asked = self.sides[seat].asked
            assert asked is not None
            self.act(seat, rng.choice(asked.state.legal(asked.player)))
            self.settle()

    @property
    def logs(self) -> tuple[bytes, bytes]:
        return self.sides[0].log, self.sides[1].log


def make_pair(
    rng: random.Random, game: Game | None = None, games: Mapping[str, type[Game]] = CATALOGUE, *, start: bool = True
) -> Pair:
    """A host and a guest who have just met; `start` lets the host commit to the opening draw."""
    game = game or Shanghaien()
    identities = (identity(rng), identity(rng))
    host = Handshake(identities[0], host_hello(identities[0], rng.randbytes(32), game))
    guest = Handshake(identities[1], guest_hello(identities[1], rng.randbytes(32)))
    met = shake_hands(host, guest)
    sides = []
    for seat in (0, 1):
        established = met[seat]
        session = open_session(established.meeting.hellos, games)
        handshake = established.meeting.handshake
        notes = Notes(identities[seat], seat, handshake, session.keys[1 - seat])
        peer = Peer(
            begin(session), seat, identities[seat], secret=rng.randbytes(32), handshake=handshake, notes=notes
        )
        sides.append(Side(peer, opening(established.meeting.hellos, established.proofs)))
    pair = Pair((sides[0], sides[1]), (deque(), deque()), identities, met)
    if start:
        for seat in (0, 1):
            pair.carry_out(seat, pair.sides[seat].peer.begin())
    return pair
