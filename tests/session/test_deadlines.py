"""No peer holds us up for nothing: every wait on a program has a deadline, and every wait on a person an end."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial

import pytest

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.fairplay.canonical import decode
from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, ONE_MORE
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.session.deadlines import HANDSHAKE, PERSON, PROGRAM, Deadlines
from p2p_shanghaien.session.negotiation import complete_handshake
from tests.session.memory import MemoryLink, Seat, begins_handshake, link_pair, seat
from tests.session.test_commands import Game, settled
from tests.session.test_listener import Hall, frames
from tests.session.test_series import code, play, verdicts
from tests.sweeps import sweep

SOON = 0.1
"""Seconds until the deadline under test; all others are far off."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(11)


@pytest.fixture
async def game() -> AsyncIterator[Game]:
    made = Game(Deadlines(program=5 * SOON))  # a busy machine must not miss it
    yield made
    await made.close()


def hurried(who: Seat, **deadlines: float) -> Seat:
    """`who` with some deadlines near at hand."""
    who.side = replace(who.side, deadlines=Deadlines()._replace(**deadlines))
    return who


async def never(*_: object, **__: object) -> bool:
    await asyncio.Event().wait()
    raise AssertionError


async def wait_for(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.001)


def kind(frame: bytes) -> object:
    """Return what a frame begins with."""
    message = decode(frame, len(frame))
    return message[0] if isinstance(message, tuple) else None


def reasons(sent: list[bytes]) -> list[str]:
    """Return the reasons of the byes among frames."""
    last = [decode(frame, len(frame)) for frame in sent]
    return [str(message[1]) for message in last if isinstance(message, tuple) and message[0] == "bye"]


def test_a_person_has_time_and_a_program_answers_at_once() -> None:
    assert HANDSHAKE < PROGRAM < PERSON
    assert PERSON >= 300


# Agreeing to a game


async def seated(hall: Hall, guest: Seat) -> MemoryLink:
    """Return the guest's end of a connection over which it has proved its key, and says nothing more."""
    link, _ = hall.knock()
    await complete_handshake(link, link.receive, guest.side.handshake(guest.side.guest_hello, link.secured))
    return link


@pytest.mark.parametrize("answers", [True, None], ids=["a host that has agreed", "a host that is still asked"])
async def test_a_guest_that_never_agrees_makes_room_for_the_next(rng: random.Random, answers: bool | None) -> None:
    hall = Hall(rng)
    hurried(hall.host, person=SOON)
    if answers is None:
        hall.host.decider.agrees = never  # type: ignore[method-assign]
    link = await seated(hall, seat("Sly", rng))
    assert reasons(await frames(link)) == ["timeout", "leaving"]
    assert hall.host.onlooker.codes[-2:] == ["guest_undecided", "waiting_again"]
    if answers is None:
        del hall.host.decider.agrees
    await asyncio.wait_for(hall.visit(seat("Greta", rng)), 5)
    await asyncio.wait_for(hall.hosting, 5)
    assert verdicts(hall.host) == [Verdict.COMPLETE]
    await hall.close()


async def test_what_else_a_guest_sends_gives_it_no_more_time(rng: random.Random) -> None:
    """Pings are no frames of ours, and any other frame ends the connection."""
    hall = Hall(rng)
    hurried(hall.host, person=SOON)
    await seated(hall, seat("Sly", rng))
    began = asyncio.get_running_loop().time()
    await wait_for(lambda: "waiting_again" in hall.host.onlooker.codes)
    assert asyncio.get_running_loop().time() - began >= SOON / 2
    await hall.close()


async def test_a_guest_that_has_agreed_is_not_sent_away_because_the_host_thinks(rng: random.Random) -> None:
    host, guest = hurried(seat("Hanna", rng), person=SOON), seat("Gustav", rng)

    async def thinks(code: str, /, **details: object) -> bool:
        await asyncio.sleep(3 * SOON)
        return True

    host.decider.agrees = thinks  # type: ignore[method-assign]
    assert await play(host, guest) == (None, None)
    assert verdicts(host) == [Verdict.COMPLETE]


async def test_who_has_agreed_can_send_an_undecided_guest_away(rng: random.Random) -> None:
    hall = Hall(rng)
    link = await seated(hall, seat("Sly", rng))
    await wait_for(lambda: hall.host.decider.node)
    assert hall.host.decider.node == ["wait_for_guest"]
    hall.host.decider.has_waited.set()
    await frames(link)
    assert hall.host.onlooker.codes[-2:] == ["guest_sent_away", "waiting_again"]
    hall.host.decider.has_waited.clear()
    await asyncio.wait_for(hall.visit(seat("Greta", rng)), 5)
    await hall.close()


async def test_a_guest_that_insists_on_something_else_and_does_not_leave_is_shown_out(rng: random.Random) -> None:
    hall = Hall(rng)
    hurried(hall.host, handshake=SOON)
    guest = seat("Sly", rng)
    link, _ = hall.knock()
    hello = partial(guest.side.guest_hello, wishes=(("variant", "extra-wild"),))
    await complete_handshake(link, link.receive, guest.side.handshake(hello, link.secured))
    assert "timeout" in reasons(await frames(link))
    assert hall.host.onlooker.codes[-1] == "waiting_again"
    await hall.close()


@sweep("stops, ends_with", [(False, "host_undecided"), (True, "stopped_waiting")], ids=["in time", "by hand"], every=2)
async def test_a_host_that_never_begins_is_left(rng: random.Random, stops: bool, ends_with: str) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    host.decider.agrees = never  # type: ignore[method-assign]
    if stops:
        guest.decider.has_waited.set()
    else:
        hurried(guest, person=SOON)
    _, joining = await play(host, guest)
    assert isinstance(joining, CannotConnect)
    assert code(joining) == ends_with
    assert guest.decider.node == ["wait_for_host"]
    assert guest.logs == host.logs == [], "nothing is kept of what never was"
    assert host.onlooker.codes[-1] == "waiting_again"


# Within the game


async def test_a_program_that_owes_an_answer_and_stays_silent_is_called_again(rng: random.Random) -> None:
    """The connection stands, its pings are answered: one frame is lost, and no user has to send it."""
    host, guest = hurried(seat("Hanna", rng), program=SOON), hurried(seat("Gustav", rng), program=SOON)
    dropped: list[bytes] = []

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        link_send = theirs.send

        async def send(data: bytes) -> None:
            if not dropped and kind(data) == "entry":
                dropped.append(data)
            else:
                await link_send(data)

        theirs.send = send  # type: ignore[method-assign]

    assert await play(host, guest, prepare) == (None, None)
    assert dropped
    assert host.logs[0].data == guest.logs[0].data
    assert verdicts(host) == [Verdict.COMPLETE]
    silent = [news["reason"].code for told, news in host.onlooker.news if told == "interrupted_game"]
    assert silent == ["program_silent"]


async def test_a_person_who_thinks_is_not_hurried(game: Game) -> None:
    await game.turn()
    await asyncio.sleep(3 * SOON)
    for at in (0, 1):
        assert not game.news(at, "interrupted_game")


async def test_who_has_the_whole_game_does_not_wait_for_ever_to_hear_that_it_arrived(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), hurried(seat("Gustav", rng), program=SOON)

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        link_send = ours.send

        async def send(data: bytes) -> None:
            if kind(data) == "note":
                await asyncio.Event().wait()
            await link_send(data)

        ours.send = send  # type: ignore[method-assign]

    _, joining = await play(host, guest, prepare)
    assert joining is None
    assert verdicts(guest) == [Verdict.COMPLETE]
    assert not guest.logs[0].is_delivered


# Another game


@pytest.mark.parametrize("silent_at", [0, 1])
@pytest.mark.parametrize("wish", [ONE_MORE, IF_YOU_LIKE])
async def test_an_opponent_that_never_says_whether_to_play_again_is_left(
    rng: random.Random, silent_at: int, wish: int
) -> None:
    seats = seat("Hanna", rng, wishes=[wish]), seat("Gustav", rng, wishes=[wish])
    seats[silent_at].decider.again = never  # type: ignore[method-assign]
    waiting = hurried(seats[1 - silent_at], person=SOON)
    ends = await play(*seats)
    assert ends[1 - silent_at] is None
    assert waiting.onlooker.codes[-1] == "rematch_unanswered"
    assert verdicts(waiting) == [Verdict.COMPLETE]
    assert waiting.decider.node[-1:] == (["wait_for_rematch"] if wish == ONE_MORE else waiting.decider.node[-1:])


@pytest.mark.parametrize("silent_at", [0, 1])
async def test_who_asked_for_another_game_can_stop_waiting(rng: random.Random, silent_at: int) -> None:
    seats = seat("Hanna", rng, wishes=[ONE_MORE]), seat("Gustav", rng, wishes=[ONE_MORE])
    seats[silent_at].decider.again = never  # type: ignore[method-assign]
    waiting = seats[1 - silent_at]
    playing = asyncio.create_task(play(*seats))
    await wait_for(lambda: "wait_for_rematch" in waiting.decider.node)
    waiting.decider.has_waited.set()
    ends = await asyncio.wait_for(playing, 5)
    assert ends[1 - silent_at] is None
    assert verdicts(waiting) == [Verdict.COMPLETE]


@pytest.mark.parametrize(("silent_at", "frame"), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)])
async def test_a_rematch_that_is_not_brought_about_takes_nothing_from_the_game_played(
    rng: random.Random, silent_at: int, frame: int
) -> None:
    """One side says yes and then falls silent: before its commitment, its hello, its agreement or opening."""
    seats = seat("Hanna", rng, wishes=[ONE_MORE]), seat("Gustav", rng, wishes=[ONE_MORE])
    waiting = hurried(seats[1 - silent_at], handshake=SOON)

    def prepare(*links: MemoryLink) -> None:
        link = links[silent_at]
        link_send = link.send
        counted: list[bytes] = []

        async def send(data: bytes) -> None:
            if counted or (begins_handshake(data) and len(link.sent) > 1):
                counted.append(data)
            if len(counted) <= frame:
                await link_send(data)

        link.send = send  # type: ignore[method-assign]

    ends = await play(*seats, prepare)
    assert ends[1 - silent_at] is None
    assert waiting.onlooker.codes[-1] in ("rematch_timed_out", "host_undecided")
    assert verdicts(waiting) == [Verdict.COMPLETE]


# A peer that comes back with a position that is not ours


async def claims(game: Game, head: Head) -> MemoryLink:
    """Connect with the guest's key, prove `head`, and send nothing more."""
    link, theirs = link_pair()
    game.network.visit(link)
    side = game.seats[1].side
    hello = side.guest_hello(theirs.secured.channel)._replace(resumes=game.seats[0].logs[0].session)
    await complete_handshake(theirs, theirs.receive, Handshake(side.identity, hello, VERSIONS, head=head))
    await settled()
    return theirs


@pytest.mark.parametrize("hangs_up", [True, False])
@pytest.mark.parametrize("further", [-3, 0, 2])
async def test_an_opponent_that_claimed_another_course_and_comes_back_honestly_plays_on(
    game: Game, further: int, hangs_up: bool
) -> None:
    """It lies about its head, and hangs up, or keeps the connection and shows nothing."""
    for _ in range(4):
        game.decider(await game.turn()).go_on()
    while await game.turn() != 0:
        game.decider(1).go_on()
    game.network.is_down = True
    await game.network.cut()
    await settled()
    length = len(verify(game.seats[0].logs[0].data, RULES).entries)
    link = await claims(game, Head(length + further, bytes(32)))
    assert len(game.news(0, "chains_differ")) == (0 if further > 0 else 1)
    if hangs_up:
        await link.close()
    else:
        await asyncio.wait_for(frames(link), 5)
    game.network.is_down = False
    await wait_for(lambda: game.news(1, "reconnected"))
    for at in (0, 1):
        game.decider(at).hurries = True
        game.decider(at).go_on()
    await game.over()
    lost = [news["reason"].code for news in game.news(0, "interrupted_game")]
    assert hangs_up or "program_silent" in lost
