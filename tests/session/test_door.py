"""Many knock, one sits down, and nobody keeps the others out without proving a key."""

import asyncio
import random

import pytest

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.hello import preface
from p2p_shanghaien.games.shanghaien import Shanghaien
from p2p_shanghaien.session.door import Door, host_games
from p2p_shanghaien.session.play import Series, join_games
from tests.session.memory import MemoryLink, Seat, link_pair, seat


class Hall:
    """A host's open door, and the visits to it."""

    def __init__(self, rng: random.Random, deadline: float = 5) -> None:
        self.host = seat("Hanna", rng)
        self.door = Door(
            lambda link: Series(self.host.side, link, lambda: self.host.side.host_hello(Shanghaien())), deadline
        )
        self.visits: list[asyncio.Task[None]] = []
        self.hosting = asyncio.create_task(host_games(self.door, self.host.onlooker))

    def knock(self) -> tuple[MemoryLink, asyncio.Task[None]]:
        """A new connection: the visitor's end, and the host's dealing with it."""
        ours, theirs = link_pair()
        visit = asyncio.create_task(self.door.receive(ours))
        self.visits.append(visit)
        return theirs, visit

    async def close(self) -> None:
        for task in (*self.visits, self.hosting):
            task.cancel()
        await asyncio.gather(*self.visits, self.hosting, return_exceptions=True)


def series(guest: Seat, link: MemoryLink) -> Series:
    return Series(guest.side, link, guest.side.guest_hello)


async def frames(link: MemoryLink) -> list[bytes]:
    """All that comes until the host hangs up."""
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
    first, second = seat("Gustav", rng), seat("Greta", rng)
    link, _ = hall.knock()
    sitting = series(first, link)
    await sitting.meet()
    await asyncio.sleep(0.01)
    link, _ = hall.knock()
    with pytest.raises(CannotConnect) as caught:
        await join_games(series(second, link))
    assert caught.value.code == "peer_busy"
    await hall.close()


async def test_of_two_that_shake_hands_at_once_one_sits_down(rng: random.Random) -> None:
    hall = Hall(rng)
    guests = [seat(name, rng) for name in ("Gustav", "Greta")]
    ends = await asyncio.gather(*(join_games(series(g, hall.knock()[0])) for g in guests), return_exceptions=True)
    codes = sorted(getattr(end, "code", "played") for end in ends)
    assert codes == ["peer_busy", "played"]
    await hall.close()


async def test_a_silent_visitor_is_shown_out_and_keeps_nobody_waiting(rng: random.Random) -> None:
    hall = Hall(rng, deadline=0.05)
    silent, visit = hall.knock()
    guest = seat("Gustav", rng)
    link, _ = hall.knock()
    await join_games(series(guest, link))
    await asyncio.wait_for(visit, 2)
    assert await hall.hosting is None
    assert not silent.is_settled
    await hall.close()


@pytest.mark.parametrize(
    "noise",
    [
        [b""],
        [b"GET / HTTP/1.1\r\n\r\n"],
        [preface(), b"\xc1"],
        [preface(), encode(("hello", b"x"))],
        [preface(), encode(("promise", b"short"))],
        [preface(), encode(("promise", bytes(32))), encode(("hello", b"x", 0, bytes(32), bytes(64), None))],
        [preface((2, 3))],
        [preface(), encode(("bye", "leaving"))],
    ],
    ids=["empty", "http", "not msgpack", "too early", "short promise", "no hello", "other versions", "bye"],
)
async def test_noise_leaves_the_host_waiting(rng: random.Random, noise: list[bytes]) -> None:
    hall = Hall(rng)
    link, visit = hall.knock()
    for frame in noise:
        await link.send(frame)
    await frames(link)
    await asyncio.wait_for(visit, 2)
    assert hall.host.onlooker.news == [], "whoever has proved nothing is not announced"
    link, _ = hall.knock()
    await join_games(series(seat("Gustav", rng), link))
    assert await hall.hosting is None
    await hall.close()


async def test_other_versions_are_told_ours_and_nothing_else(rng: random.Random) -> None:
    hall = Hall(rng)
    link, _ = hall.knock()
    await link.send(preface((7,)))
    assert await frames(link) == [preface()]
    await hall.close()


async def test_a_guest_that_leaves_before_agreeing_makes_room_for_the_next(rng: random.Random) -> None:
    hall = Hall(rng)
    link, _ = hall.knock()
    leaving = series(seat("Gustav", rng), link)
    await leaving.meet()
    await leaving.close()
    await asyncio.sleep(0.01)
    assert hall.host.onlooker.codes[-2:] == ["peer_leaving", "waiting_again"]
    link, _ = hall.knock()
    await join_games(series(seat("Greta", rng), link))
    await hall.close()
