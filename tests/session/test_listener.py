"""Many connect, one is admitted, only that one returns, and nobody keeps the others out without proving a key."""

import asyncio
import random
from dataclasses import replace
from functools import partial

import pytest

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.dialer import Dialer
from p2p_shanghaien.session.listener import host_games
from p2p_shanghaien.session.negotiation import complete_handshake
from p2p_shanghaien.session.series import Series
from tests.pair import SECURED
from tests.session.memory import MemoryLink, Network, Seat, dialer, in_memory, link_pair, listener, seat, settled


class Hall:
    """A host's open door, and the visits to it."""

    def __init__(self, rng: random.Random, deadline: float = 5) -> None:
        self.host = seat("Hanna", rng)
        self.hello = partial(self.host.side.host_hello, Shanghaien())
        self.door = listener(self.host.side, self.hello, deadline)
        self.network = Network(self.door)
        self.hosting = asyncio.create_task(
            host_games(self.door, lambda: Series(self.host.side, self.door, self.hello), self.host.onlooker)
        )
        self.visits: list[asyncio.Task[None]] = []

    def knock(self) -> tuple[MemoryLink, asyncio.Task[None]]:
        """Return a new connection: the visitor's end, and the host's dealing with it."""
        ours, theirs = link_pair()
        visit = asyncio.create_task(self.door.receive(ours))
        self.visits.append(visit)
        return theirs, visit

    async def visit(self, guest: Seat) -> None:
        """Let `guest` come and play."""
        call = dialer(self.network.dial, guest.side, longest_pause=0.1)
        try:
            await Series(guest.side, call, guest.side.guest_hello).play()
        finally:
            await call.release()

    async def close(self) -> None:
        for task in (*self.visits, self.hosting):
            task.cancel()
        await asyncio.gather(*self.visits, self.hosting, return_exceptions=True)
        await self.network.close()


async def frames(link: MemoryLink) -> list[bytes]:
    """Return all that comes until the host hangs up."""
    received = []
    while True:
        try:
            received.append(await link.receive())
        except ConnectionLost:
            return received


@pytest.fixture
def rng() -> random.Random:
    return random.Random(11)


async def test_a_second_guest_is_told_that_the_table_is_taken(rng: random.Random) -> None:
    hall = Hall(rng)
    link, _ = hall.knock()
    first = seat("Gustav", rng)
    await complete_handshake(link, link.receive, first.side.handshake(first.side.guest_hello, link.secured))
    await settled()
    with pytest.raises(CannotConnect) as caught:
        await hall.visit(seat("Greta", rng))
    assert caught.value.code == "peer_busy"
    await hall.close()


async def test_of_two_that_shake_hands_at_once_one_sits_down(rng: random.Random) -> None:
    hall = Hall(rng)
    guests = [seat(name, rng) for name in ("Gustav", "Greta")]
    ends = await asyncio.gather(*map(hall.visit, guests), return_exceptions=True)
    assert sorted(getattr(end, "code", "played") for end in ends) == ["peer_busy", "played"]
    await hall.close()


async def test_a_silent_visitor_is_shown_out_and_keeps_nobody_waiting(rng: random.Random) -> None:
    hall = Hall(rng, deadline=0.05)
    silent, visit = hall.knock()
    await hall.visit(seat("Gustav", rng))
    await asyncio.wait_for(visit, 2)
    await asyncio.wait_for(hall.hosting, 2)
    assert not silent.is_settled
    await hall.close()


@pytest.mark.parametrize(
    "noise",
    [
        [b""],
        [b"\xc1"],
        [encode(("hello", b"x"))],
        [encode(("commit", b"short"))],
        [encode(("commit", bytes(32))), encode(("hello", b"x", 0, bytes(32), bytes(64), None))],
        [encode(("bye", "leaving"))],
    ],
    ids=["empty", "not msgpack", "too early", "short commitment", "no hello", "bye"],
)
async def test_noise_leaves_the_host_waiting(rng: random.Random, noise: list[bytes]) -> None:
    hall = Hall(rng)
    link, visit = hall.knock()
    for frame in noise:
        await link.send(frame)
    await frames(link)
    await asyncio.wait_for(visit, 2)
    assert hall.host.onlooker.news == [], "whoever has proved nothing is not announced"
    await hall.visit(seat("Gustav", rng))
    await asyncio.wait_for(hall.hosting, 2)
    await hall.close()


async def test_a_guest_that_leaves_before_agreeing_makes_room_for_the_next(rng: random.Random) -> None:
    hall = Hall(rng)
    link, _ = hall.knock()
    leaving = seat("Gustav", rng)
    await complete_handshake(link, link.receive, leaving.side.handshake(leaving.side.guest_hello, link.secured))
    await link.send(encode(("bye", "leaving")))
    await settled()
    assert hall.host.onlooker.codes[-2:] == ["peer_leaving", "waiting_again"]
    await hall.visit(seat("Greta", rng))
    await hall.close()


class Interrupted:
    """A game that has lost its connection some entries on, with the guest away."""

    def __init__(self, rng: random.Random) -> None:
        self.hall = Hall(rng)
        self.guest = seat("Gustav", rng)
        self.hall.host.side = replace(self.hall.host.side, patience=None)
        self.call: Dialer | None = None
        self.playing: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Play for a while, then cut the cable."""
        self.playing = asyncio.create_task(self.hall.visit(self.guest))
        while not self.guest.logs or len(self.guest.logs[0].data) < 5000:
            await asyncio.sleep(0)
        self.hall.network.is_down = True
        await self.hall.network.cut()
        await settled()

    @property
    def session(self) -> bytes:
        return self.hall.host.logs[0].session

    async def end(self) -> None:
        """Mend the cable: the guest comes back by itself, and both play to the end."""
        self.hall.network.is_down = False
        assert self.playing is not None
        await asyncio.wait_for(self.playing, 5)
        await asyncio.wait_for(self.hall.hosting, 5)
        assert self.hall.host.logs[0].data == self.guest.logs[0].data
        await self.hall.close()


async def turned_away(hall: Hall, handshake: Handshake) -> str:
    """Return how a stranger's attempt to get in ends."""

    async def dial() -> MemoryLink:
        return hall.knock()[0]

    with pytest.raises(CannotConnect) as caught:
        await Dialer(dial, in_memory, lambda _: handshake).first()
    return caught.value.code


async def test_while_a_guest_is_away_its_seat_is_kept_for_it_alone(rng: random.Random) -> None:
    game = Interrupted(rng)
    await game.begin()
    stranger = seat("Sly", rng)
    plain = stranger.side.guest_hello(SECURED.channel)
    for hello in (plain, plain._replace(resumes=bytes(32))):
        assert await turned_away(game.hall, Handshake(stranger.side.identity, hello, VERSIONS)) == "peer_busy"
    await game.end()


async def test_who_knows_the_session_and_not_the_key_gets_nothing(rng: random.Random) -> None:
    game = Interrupted(rng)
    await game.begin()
    stranger = seat("Gustav", rng)
    hello = stranger.side.guest_hello(SECURED.channel)._replace(resumes=game.session)
    head = Head(3, bytes(32))
    handshake = Handshake(stranger.side.identity, hello, VERSIONS, head=head)
    assert await turned_away(game.hall, handshake) == "peer_other_session"
    assert handshake.established is None, "not even how far the game has come"
    assert "reconnected" not in game.hall.host.onlooker.codes
    await game.end()


async def test_a_strangers_connection_never_displaces_the_players(rng: random.Random) -> None:
    hall = Hall(rng)
    guest = seat("Gustav", rng)
    playing = asyncio.create_task(hall.visit(guest))
    while not guest.logs:
        await asyncio.sleep(0)
    for _ in range(5):
        stranger = seat("Gustav", rng)
        handshake = stranger.side.handshake(stranger.side.guest_hello, SECURED)
        assert await turned_away(hall, handshake) == "peer_busy"
    await asyncio.wait_for(playing, 5)
    await asyncio.wait_for(hall.hosting, 5)
    assert "interrupted_game" not in hall.host.onlooker.codes
    await hall.close()


async def test_a_stranger_that_resumes_in_the_guests_name_interrupts_nothing(rng: random.Random) -> None:
    """It knows the session, which is no secret, and proves a key of its own; or it never proves any."""
    hall = Hall(rng)
    guest = seat("Gustav", rng)
    playing = asyncio.create_task(hall.visit(guest))
    while not guest.logs or len(guest.logs[0].data) < 3000:
        await asyncio.sleep(0)
    hall.knock()
    stranger = seat("Gustav", rng)
    hello = stranger.side.guest_hello(SECURED.channel)._replace(resumes=guest.logs[0].session)
    handshake = Handshake(stranger.side.identity, hello, VERSIONS, head=Head(3, bytes(32)))
    assert await turned_away(hall, handshake) == "peer_other_session"
    await asyncio.wait_for(playing, 5)
    await asyncio.wait_for(hall.hosting, 5)
    assert "interrupted_game" not in hall.host.onlooker.codes
    await hall.close()


async def test_the_players_own_new_connection_replaces_a_ghost(rng: random.Random) -> None:
    """The guest's old connection looks alive to the host: the cable was pulled on the guest's side only."""
    game = Interrupted(rng)
    game.playing = asyncio.create_task(game.hall.visit(game.guest))
    while not game.guest.logs or len(game.guest.logs[0].data) < 5000:
        await asyncio.sleep(0)
    ours, theirs = game.hall.network.links[-1]
    theirs.outgoing = asyncio.Queue()
    await theirs.close()
    assert not ours.is_closed, "the host has noticed nothing"
    await game.end()
    assert game.hall.host.onlooker.codes.count("reconnected") == 1
