"""Two honest peers in memory, and the handshake between them."""

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from p2p_shanghaien.fairplay.channel import NO_KEY, Secured
from p2p_shanghaien.fairplay.effects import Ask, Closed, Effect, Finished, Send, Store, ViolationProved
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.entries import Entry, parse
from p2p_shanghaien.fairplay.handshake import Established, Handshake
from p2p_shanghaien.fairplay.hello import Hello, Role, open_session
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Session, begin
from p2p_shanghaien.fairplay.notes import Notes
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening, read
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.toy import Toy

NAMES = ("Hanna", "Gustav")
GAMES: Mapping[str, type[Game[Any]]] = {**RULES, Toy.NAME: Toy}
"""The games of the catalogue, and the toy game that only tests know."""

SECURED = Secured(VERSIONS, b"\x0c" * 32, NO_KEY)
"""A channel that is open already."""


def identity(rng: random.Random) -> Identity:
    """Return a fresh key from a test's own generator."""
    return Identity(rng.randbytes(32))


def host_hello(key: Identity, nonce: bytes, game: Game[Any], name: str = NAMES[0], **changes: Any) -> Hello:
    """Return a host's hello for a new game."""
    kind = game.NAME, game.RULES_VERSION, game.settings
    hello = Hello(VERSIONS, Role.HOST, nonce, key.public, name, *kind, None, False, False, SECURED.channel)
    return hello._replace(**changes)


def guest_hello(key: Identity, nonce: bytes, name: str = NAMES[1], **changes: Any) -> Hello:
    """Return a guest's hello that takes whatever the host proposes."""
    hello = Hello(VERSIONS, Role.GUEST, nonce, key.public, name, None, None, (), None, False, False, SECURED.channel)
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

    endpoint: Endpoint
    log: bytes
    secret: bytes
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
                    side.log += length_prefixed(entry)
                case Send(frame):
                    self.wires[1 - seat].append(frame)
                case Ask():
                    side.asked = effect
                case Closed() | ViolationProved():
                    # a program whose peer has proved a violation of its own stops, and asks nobody any more
                    side.asked = None

    def begin(self, seat: int) -> None:
        """Let `seat` start a new game over the connection of both."""
        self.carry_out(seat, self.sides[seat].endpoint.begin(*self.connection(seat)))

    def connection(self, seat: int) -> tuple[bytes, Notes]:
        """Return what `seat` needs of the connection: the handshake's hash, and its end of the notes."""
        handshake = self.established[seat].hellos.handshake
        key = self.identities[1 - seat].public
        return handshake, Notes(self.identities[seat], seat, handshake, key)

    def resume(self, rng: random.Random) -> None:
        """Meet again: what was on its way is lost, and both go on from what they have stored."""
        for wire in self.wires:
            wire.clear()
        session = self.sides[0].endpoint.match.session
        hellos = (
            host_hello(self.identities[0], rng.randbytes(32), session.game, resumes=session.id),
            guest_hello(self.identities[1], rng.randbytes(32), resumes=session.id),
        )
        heads = [side.endpoint.head for side in self.sides]
        hands = [Handshake(self.identities[seat], hellos[seat], VERSIONS, head=heads[seat]) for seat in (0, 1)]
        self.established = shake_hands(hands[0], hands[1])
        for seat in (0, 1):
            effects = self.sides[seat].endpoint.resume(*self.connection(seat), self.established[seat].theirs)
            self.carry_out(seat, effects)

    def restart(self, seat: int, entries: int | None = None) -> None:
        """Kill `seat` and start it again from its log, or from a backup with the first `entries` of it."""
        side = self.sides[seat]
        log = read(side.log)
        kept = log.entries[:entries]
        side.log = opening(log.hellos, log.proofs) + b"".join(map(length_prefixed, kept))
        side.endpoint = rebuilt(side.endpoint.match.session, seat, self.identities[seat], side.secret, kept)
        side.asked = None

    def hand_over(self, seat: int) -> None:
        """Give `seat` the frame that has been on its way to it longest."""
        self.carry_out(seat, self.sides[seat].endpoint.receive(self.wires[seat].popleft()))

    def deliver(self) -> bool:
        """Hand over one frame to each side that has one waiting; whether there was any."""
        moved = False
        for seat in (0, 1):
            if self.wires[seat]:
                moved = True
                self.hand_over(seat)
        return moved

    def settle(self) -> None:
        """Deliver until nothing is on its way."""
        while self.deliver():
            pass

    def act(self, seat: int, action: str) -> None:
        """Let `seat` decide."""
        self.sides[seat].asked = None
        self.carry_out(seat, self.sides[seat].endpoint.act(action))

    def act_at_random(self, seat: int, rng: random.Random) -> None:
        """Let `seat`, which has been asked, do one of the things it may do."""
        asked = self.sides[seat].asked
        assert asked is not None
        self.act(seat, rng.choice(asked.state.legal(asked.player)))

    def resign(self, seat: int) -> None:
        """Let `seat` give up."""
        self.carry_out(seat, self.sides[seat].endpoint.resign())

    def finished(self, seat: int) -> bool:
        """Return whether `seat` knows that both have signed the result, and that the other knows it."""
        return Finished() in self.sides[seat].effects

    def play(self, rng: random.Random, until: Callable[["Pair"], bool] = lambda pair: False) -> None:
        """Play random legal actions to the end of the game, or until `until` says so."""
        self.settle()
        while not until(self):
            seat = next((seat for seat in (0, 1) if self.sides[seat].asked), None)
            if seat is None:
                return
            self.act_at_random(seat, rng)
            self.settle()

    def play_in_any_order(self, rng: random.Random, *, resignations: float = 0) -> None:
        """Play to the end, frames and decisions coming in random order; `resignations` is how likely one is each time.

        Frames of one direction stay in their order, as a connection keeps them.
        """
        while True:
            moves: list[Callable[[], None]] = []
            for seat in (0, 1):
                if self.wires[seat]:
                    moves.append(partial(self.hand_over, seat))
                if self.sides[seat].asked:
                    moves.append(partial(self.act_at_random, seat, rng))
            if not moves:
                return
            if rng.random() < resignations:
                moves = [partial(self.resign, rng.randrange(2))]
            rng.choice(moves)()

    @property
    def logs(self) -> tuple[bytes, bytes]:
        return self.sides[0].log, self.sides[1].log


def rebuilt(session: Session, seat: int, key: Identity, secret: bytes, stored: Sequence[bytes]) -> Endpoint:
    """Return a program that knows nothing but its key, the session's secret and its stored entries."""
    match, entries = begin(session), list[Entry]()
    for data in stored:
        entry = parse(data)
        match.check_place(entry)
        match = match.append(entry)
        entries.append(entry)
    return Endpoint(match, seat, key, secret=secret, entries=entries)


def make_pair(
    rng: random.Random,
    game: Game[Any] | None = None,
    games: Mapping[str, type[Game[Any]]] = GAMES,
    *,
    start: bool = True,
    identities: tuple[Identity, Identity] | None = None,
    secrets: tuple[bytes, bytes] | None = None,
    watchable: bool = False,
    names: tuple[str, str] = NAMES,
) -> Pair:
    """Return a host and a guest that are just connected; `start` lets the host commit to the opening draw.

    Keys, and the secrets of the session, are the generator's unless given.
    """
    game = game or Shanghaien()
    identities = identities or (identity(rng), identity(rng))
    hello = host_hello(identities[0], rng.randbytes(32), game, names[0], watchable=watchable)
    host = Handshake(identities[0], hello, VERSIONS)
    guest = Handshake(identities[1], guest_hello(identities[1], rng.randbytes(32), names[1]), VERSIONS)
    met = shake_hands(host, guest)
    sides = []
    for seat in (0, 1):
        established = met[seat]
        session = open_session(established.hellos, games)
        secret = secrets[seat] if secrets else rng.randbytes(32)
        endpoint = Endpoint(begin(session), seat, identities[seat], secret=secret)
        sides.append(Side(endpoint, opening(established.hellos, established.proofs), secret))
    pair = Pair((sides[0], sides[1]), (deque(), deque()), identities, met)
    if start:
        for seat in (0, 1):
            pair.begin(seat)
    return pair
