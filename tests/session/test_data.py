"""A guest without the host's data is handed them, and a peer that cheats with them gains nothing (SPEC 4.17)."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from p2p_shanghaien.errors import ConnectionLost, Malformed, NetCode, ShanghaienError
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.data import MAX_OFFER, offer, want
from p2p_shanghaien.fairplay.handshake import bye
from p2p_shanghaien.fairplay.notes import ONE_MORE
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Game, Reading
from p2p_shanghaien.session.deadlines import Deadlines
from tests.decked import Decked
from tests.session.memory import MemoryLink, Seat, seat
from tests.session.test_series import code, play

DECK = bytes([77, 1, 2, 3])
DIGEST = sha256(DECK).hexdigest()
NO_DECK = bytes(3)
"""Data that are no deck: no treasure."""
LARGE = bytes([1]) + bytes(MAX_OFFER)


def knowing(*data: bytes) -> Mapping[str, type[Game[Any]]]:
    """Return the game with these data at hand."""
    return Reading({"decked": Decked}, {sha256(each).hexdigest(): each for each in data}.get)


@pytest.fixture
def rng() -> random.Random:
    return random.Random(7)


def proposed(data: bytes = DECK) -> Game[Any]:
    return knowing(data)["decked"].from_settings({"deck": sha256(data).hexdigest()})


def frames(link: MemoryLink) -> list[str]:
    """Return the first words of the frames that went out."""
    return [str(decode(frame, MAX_FRAME)[0]) for frame in link.sent]  # type: ignore[index]


async def met(
    rng: random.Random,
    *,
    of_host: bytes = DECK,
    of_guest: tuple[bytes, ...] = (),
    spoil: Callable[[bytes], bytes] = lambda frame: frame,
    spoil_guest: Callable[[bytes], bytes] = lambda frame: frame,
    **how: Any,
) -> tuple[Seat, Seat, tuple[BaseException | None, BaseException | None], tuple[MemoryLink, MemoryLink]]:
    """Let a host with data meet a guest; each may spoil what it sends."""
    host, guest = seat("Hanna", rng, knowing(of_host)), seat("Gustav", rng, knowing(*of_guest), **how)
    links: list[tuple[MemoryLink, MemoryLink]] = []

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        links.append((ours, theirs))
        ours.spoil, theirs.spoil = spoil, spoil_guest

    ends = await play(host, guest, prepare, game=proposed(of_host))
    return host, guest, ends, links[0]


def instead(word: str, *frames: bytes) -> Callable[[bytes], bytes]:
    """Return what sends another frame in place of each that begins with `word`."""
    others = iter(frames)

    def spoil(frame: bytes) -> bytes:
        return next(others, frame) if decode(frame, MAX_FRAME)[0] == word else frame  # type: ignore[index]

    return spoil


async def test_a_guest_without_the_data_is_handed_them_before_it_agrees(rng: random.Random) -> None:
    host, guest, ends, (ours, theirs) = await met(rng)
    assert ends == (None, None)
    assert host.logs[0].data == guest.logs[0].data
    assert verify(guest.logs[0].data, knowing(DECK)).verdict == Verdict.COMPLETE
    assert verify(guest.logs[0].data, knowing()).verdict == Verdict.UNSUPPORTED
    assert frames(theirs)[:4] == ["commit", "hello", "want", "note"]
    assert frames(ours).count("data") == 1
    told = guest.onlooker.codes
    assert told.index("data_offered") < told.index("decked:other") < told.index("host_awaited")
    assert ("decked:other", {"treasure": 77}) in guest.onlooker.news
    assert "data_offered" not in host.onlooker.codes


async def test_a_guest_that_has_the_data_asks_for_none_and_hears_what_they_are(rng: random.Random) -> None:
    _, guest, ends, (ours, theirs) = await met(rng, of_guest=(DECK,))
    assert ends == (None, None)
    assert "want" not in frames(theirs)
    assert "data" not in frames(ours)
    assert "decked:other" in guest.onlooker.codes
    assert "data_offered" not in guest.onlooker.codes


async def test_a_guest_may_decline_what_it_was_handed(rng: random.Random) -> None:
    host, guest, ends, _ = await met(rng, agrees=False)
    assert code(ends[1]) == "we_declined"
    assert guest.decider.questions == ["take_terms"]
    assert not host.logs
    assert not guest.logs


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (offer(DECK + b"!"), "other_data"),
        (offer(LARGE), "too_long"),
        (encode(("data", b"")), "not_data"),
        (encode(("data", DECK.hex())), "not_data"),
        (encode(("data", DECK, DECK)), "not_data"),
        (want(DIGEST), "unexpected_frame"),
        (encode(("entry", DECK)), "unexpected_frame"),
        (b"\xc1", "not_canonical"),
    ],
)
async def test_a_host_that_cheats_with_data_begins_no_game(rng: random.Random, frame: bytes, reason: str) -> None:
    host, guest, ends, (_, theirs) = await met(rng, spoil=instead("data", frame))
    assert code(ends[1]) == "bad_handshake"
    assert isinstance(ends[1], ShanghaienError)
    assert isinstance(ends[1].details["reason"], Malformed)
    assert ends[1].details["reason"].code == reason
    assert not host.logs
    assert not guest.logs
    assert not guest.decider.questions, "nobody is asked about data that are not those"
    assert "host_awaited" not in guest.onlooker.codes
    if reason != "unexpected_frame":
        assert bye("malformed") in theirs.sent


async def test_data_of_the_right_digest_that_are_none_of_the_game(rng: random.Random) -> None:
    class Careless(Decked):
        @classmethod
        def from_settings(cls, settings: Mapping[str, str]) -> Any:
            return cls(deck=settings["deck"], treasure=1, content=NO_DECK)

    digest = sha256(NO_DECK).hexdigest()
    host, guest = seat("Hanna", rng, {"decked": Careless}), seat("Gustav", rng, knowing())
    ends = await play(host, guest, game=Careless.from_settings({"deck": digest}))
    assert code(ends[1]) == "bad_handshake"
    assert not host.logs
    assert not guest.logs


async def test_data_that_nobody_asked_for(rng: random.Random) -> None:
    """In a game they cost the connection, which comes again; before it, from a guest, they cost the guest the game."""
    host, guest, ends, _ = await met(rng, of_guest=(DECK,), spoil=instead("entry", offer(DECK)))
    assert ends == (None, None)
    assert {verify(log.data, knowing(DECK)).verdict for log in (*host.logs, *guest.logs)} == {Verdict.COMPLETE}
    host, guest, ends, _ = await met(rng, of_guest=(DECK,), spoil_guest=instead("note", offer(DECK)))
    assert [each for each, _ in host.onlooker.news].count("bad_handshake") == 1
    assert not host.logs


@pytest.mark.parametrize(
    "frames",
    [
        [want("0" * 64)],
        [want(sha256(LARGE).hexdigest())],
        [encode(("want", DIGEST))],
        [encode(("want",))],
    ],
)
async def test_a_guest_that_asks_for_anything_else_is_sent_away(rng: random.Random, frames: list[bytes]) -> None:
    host, guest, ends, (ours, _) = await met(rng, spoil_guest=instead("want", *frames))
    assert [each for each, _ in host.onlooker.news].count("bad_handshake") == 1
    assert bye("malformed") in ours.sent
    assert code(ends[1]) == "peer_malformed"
    assert not host.logs
    assert not guest.logs


async def test_data_are_handed_over_once(rng: random.Random) -> None:
    host, _, ends, (ours, _) = await met(rng, spoil_guest=instead("note", want(DIGEST)))
    assert frames(ours).count("data") == 1
    assert [each for each, _ in host.onlooker.news].count("bad_handshake") == 1
    assert isinstance(ends[1], ShanghaienError)
    assert not host.logs


async def test_data_that_no_frame_can_carry_are_to_be_handed_over_by_hand(rng: random.Random) -> None:
    host, guest, ends, _ = await met(rng, of_host=LARGE)
    assert code(ends[1]) == "data_missing"
    assert "data_too_large" in host.onlooker.codes
    assert not host.logs
    assert not guest.logs


async def test_a_host_that_says_nothing(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng, knowing(DECK)), seat("Gustav", rng, knowing())
    guest.side = replace(guest.side, deadlines=Deadlines(handshake=0.1))

    def silent(ours: MemoryLink, theirs: MemoryLink) -> None:
        theirs.spoil = unheard

    def unheard(frame: bytes) -> bytes:
        if decode(frame, MAX_FRAME)[0] == "want":  # type: ignore[index]
            raise ConnectionLost(NetCode.BROKEN_OFF)
        return frame

    ends = await play(host, guest, silent, game=proposed())
    assert code(ends[1]) == "data_not_offered"
    assert not guest.logs


async def test_in_another_game_nobody_is_asked_so_nothing_is_handed_over(rng: random.Random) -> None:
    """Here the guest keeps nothing of what it was handed, which a program does."""
    host = seat("Hanna", rng, knowing(DECK), wishes=[ONE_MORE])
    guest = seat("Gustav", rng, knowing(), wishes=[ONE_MORE])
    await play(host, guest, game=proposed())
    assert len(host.logs) == len(guest.logs) == 1
    assert "peer_data_missing" in host.onlooker.codes
    assert "data_missing" in guest.onlooker.codes
