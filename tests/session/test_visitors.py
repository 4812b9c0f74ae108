"""A host hears whom it has turned away and why: once each, nothing of nonsense, and no more than can be read."""

import asyncio
import random
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest

from p2p_shanghaien.app.lobby import new_invitation
from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.handshake import Bye, Refused
from p2p_shanghaien.fairplay.hello import Hello, Role
from p2p_shanghaien.fairplay.preface import preface
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.listener import Listener
from p2p_shanghaien.session.negotiation import complete_handshake
from p2p_shanghaien.session.ports import Resumption
from p2p_shanghaien.session.visitors import Visitors
from p2p_shanghaien.ui.words import say
from tests.session.memory import MemoryLink, Seat, link_pair, seat, settled

BUSY, INVITATION, VERSION, OTHER = (f"turned_away_{why}" for why in ("busy", "invitation", "version", "other_game"))


class Hall:
    """A host's door, at which visitors knock from addresses of their own."""

    def __init__(self, *, private: bool = False) -> None:
        rng = random.Random(5)
        self.host = seat("Hanna", rng)
        self.invitation = new_invitation(self.host.side.identity)
        side = replace(self.host.side, invitation=self.invitation) if private else self.host.side
        handshake = partial(side.handshake, partial(side.host_hello, Shanghaien()))
        self.door = Listener(side.secure(Role.HOST), handshake, 5, notify=self.host.onlooker.notify)
        self.guest = seat("Gustav", rng)
        self.visits: list[asyncio.Task[None]] = []

    @property
    def news(self) -> list[tuple[str, str]]:
        """The news for the host, each with the address."""
        return [(code, str(details.get("address"))) for code, details in self.host.onlooker.news]

    def knock(self, address: str = "192.0.2.7") -> MemoryLink:
        ours, theirs = link_pair()
        ours.remote = address
        self.visits.append(asyncio.create_task(self.door.receive(ours)))
        return theirs

    async def shake(
        self,
        hello: Callable[[bytes], Hello] | None = None,
        address: str = "192.0.2.7",
        guest: Seat | None = None,
    ) -> None:
        """Have a guest open a channel and shake hands."""
        side = (guest or self.guest).side
        link = await side.secure(Role.GUEST)(self.knock(address))
        await complete_handshake(link, link.receive, side.handshake(hello or side.guest_hello, link.secured))

    async def send(self, *frames: bytes, address: str = "192.0.2.7") -> None:
        """Have a visitor send these frames, then hang up."""
        link = self.knock(address)
        for frame in frames:
            await link.send(frame)
        await settled()
        await link.close()
        await settled()


@asynccontextmanager
async def hall(*, private: bool = False) -> AsyncIterator[Hall]:
    made = Hall(private=private)
    try:
        yield made
    finally:
        for visit in made.visits:
            visit.cancel()
        await asyncio.gather(*made.visits, return_exceptions=True)


def other_version() -> bytes:
    return preface()[:-2] + struct.pack(">H", 999)


async def test_somebody_with_another_version_is_told_of_with_both_versions() -> None:
    async with hall() as at:
        await at.send(other_version())
        assert at.news == [(VERSION, "192.0.2.7")]
        (_, details) = at.host.onlooker.news[0]
        assert "999" in say(VERSION, **details)
        assert "version 1," not in say(VERSION, **details), "that is ours"


@pytest.mark.parametrize("has_one", [False, True])
async def test_a_missing_invitation_and_a_wrong_one(has_one: bool) -> None:
    async with hall(private=True) as at:
        wrong = new_invitation(at.host.side.identity) if has_one else None
        guest = replace(at.guest, side=replace(at.guest.side, invitation=wrong))
        with pytest.raises(CannotConnect):
            await at.shake(guest=guest)
        await settled()
        assert at.news == [(INVITATION, "192.0.2.7")]


async def test_an_invitation_to_another_host_is_a_wrong_one() -> None:
    async with hall(private=True) as at:
        guest = replace(at.guest, side=replace(at.guest.side, invitation=new_invitation(at.guest.side.identity)))
        with pytest.raises(CannotConnect):
            await at.shake(guest=guest)
        await settled()
        assert at.news == [(INVITATION, "192.0.2.7")]


async def test_the_table_is_taken() -> None:
    async with hall() as at:
        await at.shake()
        await at.door.first()
        with pytest.raises(CannotConnect):
            await at.shake(address="192.0.2.8")
        await settled()
        assert at.news == [(BUSY, "192.0.2.8")]


async def test_a_stranger_in_the_middle_of_a_game_finds_it_taken() -> None:
    async with hall() as at:
        await at.shake()
        await at.door.first()
        side = at.host.side

        def hello(channel: bytes) -> Hello:
            return side.host_hello(Shanghaien(), channel)._replace(resumes=bytes(32))

        at.door.expect(Resumption(partial(side.handshake, hello), lambda _: True))
        with pytest.raises(CannotConnect):
            await at.shake(address="192.0.2.8")
        await settled()
        assert at.news == [(BUSY, "192.0.2.8")]


async def test_somebody_who_comes_to_continue_another_game() -> None:
    async with hall() as at:
        with pytest.raises(CannotConnect):
            await at.shake(lambda channel: at.guest.side.guest_hello(channel)._replace(resumes=bytes(32)))
        await settled()
        assert at.news == [(OTHER, "192.0.2.7")]


@pytest.mark.parametrize(
    "frames",
    [
        (),
        (b"",),
        (b"GET / HTTP/1.1\r\n\r\n",),
        (preface(),),
        (preface(), b"\xc1"),
        (preface(), bytes(47)),
        (preface(), encode(("bye", "leaving"))),
        (preface(), encode(("bye", "\x1b[2J"))),
    ],
)
@pytest.mark.parametrize("taken", [False, True])
async def test_nonsense_and_silence_are_not_told_of(frames: tuple[bytes, ...], taken: bool) -> None:
    async with hall() as at:
        if taken and frames and frames[0] != preface():
            await at.shake()
            await at.door.first()
        await at.send(*frames)
        assert at.news == []


async def test_each_is_told_of_once_for_each_reason() -> None:
    async with hall(private=True) as at:
        for _ in range(3):
            await at.send(other_version())
            with pytest.raises(CannotConnect):
                await at.shake()
            await settled()
        await at.send(other_version(), address="192.0.2.8")
        assert at.news == [(VERSION, "192.0.2.7"), (INVITATION, "192.0.2.7"), (VERSION, "192.0.2.8")]


async def test_a_guest_who_was_turned_away_can_still_come_in() -> None:
    async with hall(private=True) as at:
        with pytest.raises(CannotConnect):
            await at.shake()
        await at.shake(guest=replace(at.guest, side=replace(at.guest.side, invitation=at.invitation)))
        await at.door.first()
        assert at.news == [(INVITATION, "192.0.2.7")]


def test_a_flood_from_many_addresses_does_not_fill_the_screen() -> None:
    now = 0.0
    told: list[str] = []

    def notify(code: str, /, **details: object) -> None:
        told.append(code)

    visitors = Visitors(notify, lambda: now)
    for number in range(10_000):
        visitors.turned_away(f"2001:db8::{number:x}", BUSY)
    assert told == [BUSY] * 5 + ["turned_away_more"]
    told.clear()
    for second in range(600):
        now = float(second)
        visitors.failed(f"2001:db8:1::{second:x}", Refused(Bye.WRONG_INVITATION), taken=False)
    assert 9 <= len(told) <= 11
    assert "turned_away_more" not in told, "it has been said"


def test_nothing_that_a_visitor_writes_reaches_the_screen() -> None:
    told: list[str] = []
    visitors = Visitors(lambda code, /, **details: told.append(say(code, **details)))
    for text in ("busy", "\x1b]52;c;eA==\x07", "wrong_invitation", "x" * 5000):
        visitors.failed("192.0.2.7\x1b[2J", Refused(text), taken=False)
    assert len(told) == 1
    assert told[0].isprintable()
    assert ConnectionLost.__name__ not in told[0]
