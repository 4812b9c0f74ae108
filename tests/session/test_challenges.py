"""Challenges to a rematch: made when the peer has left, passed on when the two meet next (SPEC 7.5)."""

import asyncio
import random
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from p2p_shanghaien.errors import FairplayCode, LocalError, StoreCode
from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.challenge import Challenge, Terms, sign_challenge
from p2p_shanghaien.fairplay.hello import Hellos
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, NO_MORE, ONE_MORE, NoteKind, Notes
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.negotiation import Negotiation
from tests.session.memory import MemoryLink, Seat, seat
from tests.session.test_series import AGREE, code, cut_after, play, verdicts

TERMS = Terms.of(Shanghaien())
ELSE = Terms.of(Halunken())


class Store(dict[bytes, Challenge]):
    """Challenges in memory, by the opponent's key."""

    def challenge_to(self, opponent: bytes) -> Challenge | None:
        return self.get(opponent)

    def keep_challenge(self, opponent: bytes, name: str, challenge: Challenge | None) -> None:
        if challenge is None:
            self.pop(opponent, None)
        else:
            self[opponent] = challenge


class Broken(Store):
    """A store whose file cannot be read."""

    def challenge_to(self, opponent: bytes) -> Challenge | None:
        raise LocalError(StoreCode.BAD_PLAYERS_FILE, path="players.json")

    def keep_challenge(self, opponent: bytes, name: str, challenge: Challenge | None) -> None:
        raise LocalError(StoreCode.BAD_PLAYERS_FILE, path="players.json")


def person(name: str, rng: random.Random, **how: Any) -> tuple[Seat, Store]:
    """Return a side that keeps challenges, and those."""
    who, store = seat(name, rng, **how), Store()
    return replace(who, side=replace(who.side, challenges=store)), store


@pytest.fixture
def rng() -> random.Random:
    return random.Random(7)


def key(who: Seat) -> bytes:
    return who.side.identity.public


def after(host: Seat, guest: Seat, game: Any = None) -> Session:
    """Return a session that the two may have played."""
    return Session(bytes(range(32)), game or Shanghaien(), (key(host), key(guest)), (host.side.name, guest.side.name))


def details(who: Seat, news: str) -> dict[str, Any]:
    (found,) = [details for each, details in who.onlooker.news if each == news]
    return found


@pytest.mark.parametrize("wishes", [(ONE_MORE, NO_MORE), (NO_MORE, ONE_MORE)])
async def test_one_who_wished_for_another_game_challenges_the_one_who_left(
    rng: random.Random, wishes: tuple[int, int]
) -> None:
    people = [person(name, rng, wishes=[wish]) for name, wish in zip(("Hanna", "Gustav"), wishes, strict=True)]
    (host, _), (guest, _) = people
    assert await play(host, guest) == (None, None)
    for (who, store), (other, _), wish in zip(people, people[::-1], wishes, strict=True):
        assert who.decider.questions == [who.decider.questions[0]], "whoever has said so is not asked"
        if wish == NO_MORE:
            assert store == {}
            continue
        (challenge,) = store.values()
        assert list(store) == [key(other)]
        assert challenge.terms == TERMS
        assert challenge.session == verify(who.logs[0].data, RULES).session.id  # type: ignore[union-attr]
        assert challenge.is_between(key(who), key(other))
        assert not challenge.is_between(key(other), key(who))
        assert who.onlooker.codes[-1] == "challenge_kept"


@pytest.mark.parametrize("agrees", [True, False])
async def test_one_who_has_not_answered_yet_is_asked(rng: random.Random, agrees: bool) -> None:
    (host, store), guest = person("Hanna", rng), seat("Gustav", rng, wishes=[NO_MORE])

    async def thinks() -> int:
        await asyncio.Event().wait()
        return ONE_MORE

    async def answers(name: str) -> bool:
        asked.append(name)
        return agrees

    asked: list[str] = []
    with patch.object(host.decider, "again", thinks), patch.object(host.decider, "challenges", answers):
        assert await play(host, guest) == (None, None)
    assert asked == ["Gustav"]
    assert len(store) == agrees


async def test_one_whose_peer_was_cut_off_is_asked(rng: random.Random) -> None:
    (host, store), guest = person("Hanna", rng), seat("Gustav", rng)

    async def thinks() -> int:
        await asyncio.Event().wait()
        return ONE_MORE

    async def leaves() -> int:
        raise ConnectionAbortedError

    with patch.object(host.decider, "again", thinks), patch.object(guest.decider, "again", leaves):
        hosting, joining = await play(host, guest)
    assert (hosting, type(joining)) == (None, ConnectionAbortedError)
    assert host.decider.questions[-1] == "challenge Gustav"
    assert len(store) == 1


@pytest.mark.parametrize("wishes", [(NO_MORE, ONE_MORE), (IF_YOU_LIKE, IF_YOU_LIKE)])
async def test_one_who_wants_no_other_game_is_not_asked(rng: random.Random, wishes: tuple[int, int]) -> None:
    (host, store), guest = person("Hanna", rng, wishes=[wishes[0]]), seat("Gustav", rng, wishes=[wishes[1]])
    assert await play(host, guest) == (None, None)
    assert host.decider.questions == ["play_with_guest"]
    assert store == {}


async def test_a_side_without_a_person_challenges_nobody(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng, wishes=[ONE_MORE]), seat("Gustav", rng, wishes=[NO_MORE])
    assert await play(host, guest) == (None, None)
    assert "challenge_kept" not in host.onlooker.codes


@pytest.mark.parametrize("challenger", [0, 1])
@pytest.mark.parametrize("game", [Shanghaien, Halunken])
async def test_a_challenge_is_told_when_the_two_meet_and_ends_with_its_game(
    rng: random.Random, challenger: int, game: type[Any]
) -> None:
    people = person("Hanna", rng), person("Gustav", rng)
    (host, _), (guest, _) = people
    (who, store), (other, others) = people[challenger], people[1 - challenger]
    # in the game before, they may have sat the other way round
    store[key(other)] = sign_challenge(who.side.identity, key(other), after(guest, host, game()))
    assert await play(host, guest) == (None, None)
    assert verdicts(host) == [Verdict.COMPLETE]
    here = "_here" if game is Shanghaien else ""
    told = details(other, f"challenged{here}")
    assert (told["name"], told["game"]) == (who.side.name, game.NAME)
    assert details(who, f"challenge_passed_on{here}")["name"] == other.side.name
    assert len(store) == (game is Halunken), "a game by other terms answers nothing"
    assert others == {}


async def test_a_challenge_is_passed_on_once_and_in_no_further_game(rng: random.Random) -> None:
    (host, store), (guest, _) = person("Hanna", rng, wishes=[ONE_MORE, NO_MORE]), person("Gustav", rng)
    store[key(guest)] = sign_challenge(host.side.identity, key(guest), after(host, guest, Halunken()))
    assert await play(host, guest) == (None, None)
    assert verdicts(host) == [Verdict.COMPLETE] * 2
    assert guest.onlooker.codes.count("challenged") == 1


async def test_a_challenge_to_somebody_else_is_not_told(rng: random.Random) -> None:
    (host, store), (guest, _) = person("Hanna", rng), person("Gustav", rng)
    stranger = Identity(bytes(31) + b"\x07").public
    store[stranger] = sign_challenge(host.side.identity, stranger, after(host, guest))
    assert await play(host, guest) == (None, None)
    assert not {"challenged", "challenged_here"} & set(guest.onlooker.codes)
    assert list(store) == [stranger]


@pytest.mark.parametrize("challenger", [0, 1])
@pytest.mark.parametrize("decliner", [0, 1])
async def test_only_the_challenged_can_decline(rng: random.Random, challenger: int, decliner: int) -> None:
    people = [person(name, rng, agrees=seat != decliner) for seat, name in enumerate(("Hanna", "Gustav"))]
    (host, _), (guest, _) = people
    (who, store), (other, _) = people[challenger], people[1 - challenger]
    store[key(other)] = sign_challenge(who.side.identity, key(other), after(host, guest))
    await play(host, guest)
    assert host.logs == guest.logs == []
    assert len(store) == (challenger == decliner)


async def test_a_lost_connection_answers_nothing(rng: random.Random) -> None:
    (host, store), (guest, _) = person("Hanna", rng), person("Gustav", rng)
    store[key(guest)] = sign_challenge(host.side.identity, key(guest), after(host, guest))
    await play(host, guest, cut_after(AGREE, 1))
    assert len(store) == 1


async def test_a_store_that_fails_costs_no_game(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng, wishes=[ONE_MORE]), seat("Gustav", rng, wishes=[NO_MORE])
    host = replace(host, side=replace(host.side, challenges=Broken()))
    assert await play(host, guest) == (None, None)
    assert verdicts(host) == [Verdict.COMPLETE]
    assert host.onlooker.codes.count("challenge_in_trouble") == 2, "once when they met, once at the end"


def false(kind: str, host: Seat, guest: Seat) -> list[Challenge]:
    """Return what a cheating host sends as challenges to `guest`."""
    good = sign_challenge(host.side.identity, key(guest), after(host, guest))
    stranger = Identity(bytes(31) + b"\x07")
    return {
        "forged": [good._replace(signature=bytes(64))],
        "another's": [sign_challenge(stranger, key(guest), after(host, guest))],
        "to another": [sign_challenge(host.side.identity, stranger.public, after(host, guest))],
        "the guest's own, sent back": [sign_challenge(guest.side.identity, key(host), after(host, guest))],
        "other terms": [good._replace(terms=ELSE)],
        "another session": [good._replace(session=bytes(32))],
        "twice": [good, good],
    }[kind]


KINDS = ("forged", "another's", "to another", "the guest's own, sent back", "other terms", "another session", "twice")


@pytest.mark.parametrize("kind", KINDS)
async def test_a_false_challenge_ends_the_connection_before_a_game(rng: random.Random, kind: str) -> None:
    host, (guest, _) = seat("Hanna", rng, agrees=False), person("Gustav", rng)

    async def cheat(self: Negotiation) -> Session:
        if self.side is guest.side:
            return await agree(self)
        for challenge in false(kind, host, guest):
            await self.link.send(self.notes.write(NoteKind.CHALLENGE, *challenge.words))
        await self.events.next()
        raise AssertionError("the guest goes on")

    async def wait(code: str, /, **details: object) -> bool:
        await asyncio.Event().wait()
        return True

    agree = Negotiation.agree
    with patch.object(Negotiation, "agree", cheat), patch.object(guest.decider, "agrees", wait):
        _, joining = await play(host, guest)
    assert code(joining) == "bad_handshake"
    reason = FairplayCode.CHALLENGED_TWICE if kind == "twice" else FairplayCode.FALSE_CHALLENGE
    assert joining.details["reason"].code == reason  # type: ignore[union-attr]
    assert guest.onlooker.codes.count("challenged_here") == (kind == "twice")
    assert guest.logs == []


@pytest.mark.parametrize("kind", KINDS)
async def test_a_false_challenge_in_a_game_costs_a_connection_and_nothing_else(rng: random.Random, kind: str) -> None:
    host, (guest, _) = seat("Hanna", rng), person("Gustav", rng)
    sent: list[bytes] = []

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        def spoil(frame: bytes) -> bytes:
            # the last of its frames so far was the opening; its first notes follow
            if len(ours.sent) == 5 and not sent:
                notes = Notes(host.side.identity, 0, handshake(ours, theirs), key(guest))
                sent.extend(notes.write(NoteKind.CHALLENGE, *each.words) for each in false(kind, host, guest))
                for each in sent:
                    ours.outgoing.put_nowait(each)
            return frame

        ours.spoil = spoil

    def hello(link: MemoryLink, number: int) -> bytes:
        match decode(link.sent[number], 4096):
            case ("hello", bytes(data), *_):
                return data
        raise AssertionError(number)

    def handshake(ours: MemoryLink, theirs: MemoryLink) -> bytes:
        return Hellos(hello(ours, 0), hello(theirs, 1)).handshake

    assert await play(host, guest, prepare) == (None, None)
    assert sent
    assert verdicts(host) == verdicts(guest) == [Verdict.COMPLETE]
    assert guest.onlooker.codes.count("interrupted_game") == 1
    assert guest.onlooker.codes.count("challenged_here") == (kind == "twice")
