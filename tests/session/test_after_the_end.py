"""Frames of a peer after both have signed: evidence is kept and reported for as long as anything is read."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from itertools import product
from typing import Any

import pytest

from p2p_shanghaien.errors import Violation
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, NO_MORE, ONE_MORE, NoteKind
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cheater import certificate, entry_frame, forged, offer
from tests.pair import make_pair
from tests.session.memory import MemoryLink, Seat, begins_handshake, seat
from tests.session.test_series import play, verdicts
from tests.sweeps import sweep
from tests.toy import Toy

AGREE = 2
"""The last frame of a guest in a rematch's handshake, after its commitment and its hello; a host sends hello and proof.
"""


def entries(who: Seat) -> list[Entry]:
    return list(verify(who.logs[0].data, RULES).entries)


def second_version(cheater: Seat, at: int, which: int) -> bytes:
    """Return a frame with another version of the entry that the cheater at seat `at` made; `which` counts its own."""
    own = [entry for entry in entries(cheater) if entry.seat == at]
    return entry_frame(forged(cheater.side.identity, own[which], state=bytes(32)))


def answers(who: Seat, again: Callable[[], Coroutine[Any, Any, int]]) -> None:
    """Have `reconnect` decide at this side about another game."""
    who.decider.again = again  # type: ignore[method-assign]


async def never() -> int:
    await asyncio.Event().wait()
    raise AssertionError


def check_evidence(victim: Seat, cheater_at: int, end: BaseException | None, number: int | None = None) -> None:
    """The violation was raised, and stands at the end of the victim's log."""
    assert isinstance(end, Violation), end
    assert end.code == "peer_broke_rules"
    (log,) = victim.logs
    report = verify(log.data, RULES)
    assert (report.verdict, report.violator, report.exit_code) == (Verdict.VIOLATION, cheater_at, 6)
    assert report.error is not None
    assert report.error.code == "fork"
    assert number is None or report.number == number
    assert log.closed
    assert log.synced == len(log.data)


@sweep("cheater_at, answer, which", product([0, 1], [None, IF_YOU_LIKE, ONE_MORE], [0, 5, -1]), every=5)
async def test_a_fork_while_another_game_is_asked_for(cheater_at: int, answer: int | None, which: int) -> None:
    rng = random.Random(3)
    seats = seat("Hanna", rng), seat("Gustav", rng, wishes=[])
    victim, cheater = seats[1 - cheater_at], seats[cheater_at]
    links: list[tuple[MemoryLink, MemoryLink]] = []

    async def answered() -> int:
        return await never() if answer is None else answer

    async def cheats() -> int:
        await links[0][cheater_at].send(second_version(cheater, cheater_at, which))
        return await never()

    answers(victim, answered)
    answers(cheater, cheats)
    ends = await play(*seats, lambda *made: links.append(made))
    check_evidence(victim, cheater_at, ends[1 - cheater_at])


@pytest.mark.parametrize(("cheater_at", "frame"), [(0, 0), (0, 1), (1, 0), (1, 1), (1, AGREE)])
async def test_a_fork_in_place_of_a_frame_of_the_next_games_handshake(cheater_at: int, frame: int) -> None:
    rng = random.Random(3)
    seats = seat("Hanna", rng, wishes=[ONE_MORE]), seat("Gustav", rng, wishes=[ONE_MORE])
    victim, cheater = seats[1 - cheater_at], seats[cheater_at]

    def prepare(*links: MemoryLink) -> None:
        sent: list[bytes] = []

        def spoil(data: bytes) -> bytes:
            if sent or (begins_handshake(data) and len(links[cheater_at].sent) > 1):
                sent.append(data)
            return second_version(cheater, cheater_at, -1) if len(sent) == frame + 1 else data

        links[cheater_at].spoil = spoil

    ends = await play(*seats, prepare)
    check_evidence(victim, cheater_at, ends[1 - cheater_at])


@pytest.mark.parametrize("cheater_at", [0, 1])
async def test_whatever_else_comes_after_the_end_costs_the_next_game_and_nothing_else(cheater_at: int) -> None:
    """An entry behind the last one has no place, an older one is known already: neither proves a violation."""
    rng = random.Random(3)
    for what in ("further", "known", "garbage"):
        seats = seat("Hanna", rng), seat("Gustav", rng)
        victim, cheater = seats[1 - cheater_at], seats[cheater_at]
        links: list[tuple[MemoryLink, MemoryLink]] = []

        async def sends(
            what: str = what, cheater: Seat = cheater, links: list[tuple[MemoryLink, MemoryLink]] = links
        ) -> int:
            last = entries(cheater)[-1]
            own = next(entry for entry in entries(cheater) if entry.seat == cheater_at)
            further = forged(cheater.side.identity, own, number=last.number + 1, parent=last.hash)
            frames = {"further": entry_frame(further), "known": entry_frame(own.data), "garbage": encode(("x",))}
            await links[0][cheater_at].send(frames[what])
            return NO_MORE

        answers(victim, never)
        answers(cheater, sends)
        ends = await play(*seats, lambda *made, links=links: links.append(made))
        assert ends[1 - cheater_at] is None
        assert verdicts(victim) == [Verdict.COMPLETE]
        told = "no_more" if what == "known" else "garbage_received"
        assert told in victim.onlooker.codes


@pytest.mark.parametrize("at", [0, 1])
def test_notes_of_the_game_mean_nothing_after_its_end(at: int) -> None:
    rng = random.Random(3)
    pair = make_pair(rng, Toy(1))
    pair.play(rng)
    sender, receiver = pair.sides[at].endpoint, pair.sides[1 - at].endpoint
    identity, session = pair.identities[at], receiver.match.session.id
    number, head = receiver.head
    for kind, words in (
        (NoteKind.RESIGN, (head, certificate(identity, session, at, head))),
        (NoteKind.OFFER, (number, offer(identity, session, at, number))),
        (NoteKind.HERE, (number, head)),
        (NoteKind.HERE, (number + 1, bytes(32))),
    ):
        assert receiver.receive(sender.note(kind, *words).frame) == []
    assert receiver.head == (number, head)
    assert not receiver.has_resigned
