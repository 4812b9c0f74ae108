"""The moment between two connections: what has been proved stays true, and nothing that is said meanwhile is lost."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest

from p2p_shanghaien.fairplay.entries import parse
from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening, read
from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.deadlines import HANDSHAKE
from p2p_shanghaien.session.negotiation import begin_handshake
from p2p_shanghaien.session.participant import Accept, Offer, Resign
from p2p_shanghaien.session.series import Saved, Series
from p2p_shanghaien.ui.words import say
from tests.session.memory import MemoryLink, dialer, listener
from tests.session.test_commands import Game, lost, settled

HOST, GUEST = 0, 1
PROOF = 2
"""The frame of a handshake with a side's proof, counted from 1."""


@pytest.fixture
async def game(request: pytest.FixtureRequest) -> AsyncIterator[Game]:
    """Yield a game; the parameter is how many seconds a guest allows for a handshake."""
    made = Game(deadline=getattr(request, "param", HANDSHAKE))
    yield made
    await made.close()


def held(link: MemoryLink, until: asyncio.Event) -> None:
    """Let this side's proof, once it is made, leave only then."""
    send, made = link.send, []

    async def slow(data: bytes) -> None:
        made.append(data)
        while len(made) == PROOF and not until.is_set() and not link.is_closed:
            await asyncio.sleep(0.001)
        await send(data)

    link.send = slow  # type: ignore[method-assign]


def hold_proofs(game: Game, side: int) -> asyncio.Event:
    """Let the proofs of `side` in later connections leave it once the event is set."""
    until = asyncio.Event()
    game.network.prepare = lambda *links: held(links[side], until)
    return until


async def turn_of(game: Game, seat: int) -> None:
    """Play until it is the turn of `seat`."""
    while await game.turn() != seat:
        game.decider(1 - seat).go_on()


async def pull_the_guests_cable(game: Game) -> None:
    """The guest has lost its connection and calls again; to the host it looks alive."""
    _, theirs = game.network.links[-1]
    theirs.outgoing = asyncio.Queue()
    await theirs.close()
    await settled()
    assert len(game.network.links) == 2


def entries(game: Game, seat: int) -> int:
    return len(verify(game.seats[seat].logs[0].data, RULES).entries)


async def reconnected(game: Game) -> None:
    """Both have found each other again, at the first attempt."""
    async with asyncio.timeout(5):
        while not all(game.news(seat, "reconnected") for seat in (HOST, GUEST)):
            await asyncio.sleep(0.001)


async def finished(game: Game) -> None:
    """The game comes to its end without having lost the connection a second time."""
    for seat in (HOST, GUEST):
        game.decider(seat).hurries = True
        game.decider(seat).go_on()
    await game.over()
    for seat in (HOST, GUEST):
        assert len(game.news(seat, "interrupted_game")) == len(game.news(seat, "reconnected")) == 1
    assert len(game.network.links) == 2


async def test_an_answer_given_while_the_guest_is_met_again_waits_for_the_new_connection(game: Game) -> None:
    await turn_of(game, HOST)
    proof = hold_proofs(game, HOST)
    await pull_the_guests_cable(game)
    before = entries(game, HOST)
    game.decider(HOST).go_on()
    await settled()
    assert entries(game, HOST) == before, "signed over the old connection it would come as a surprise to the guest"
    proof.set()
    await reconnected(game)
    await settled()
    assert entries(game, HOST) == entries(game, GUEST) > before, "and nothing that was answered is lost"
    await finished(game)


async def test_a_frame_of_the_old_connection_that_comes_too_late_is_not_taken(game: Game) -> None:
    await turn_of(game, GUEST)
    proof = hold_proofs(game, HOST)
    _, theirs = game.network.links[-1]
    arrival, theirs.outgoing = theirs.outgoing, asyncio.Queue()
    on_its_way = theirs.outgoing
    game.decider(GUEST).go_on()
    await settled()
    before = entries(game, HOST)
    assert entries(game, GUEST) == before + 1
    theirs.outgoing = asyncio.Queue()
    await theirs.close()
    await settled()
    while not on_its_way.empty():
        arrival.put_nowait(on_its_way.get_nowait())
    await settled()
    assert entries(game, HOST) == before
    proof.set()
    await reconnected(game)
    await finished(game)


@pytest.mark.parametrize("held_side", [HOST, GUEST])
@pytest.mark.parametrize("loser", [HOST, GUEST])
async def test_resigning_while_both_meet_again_waits_for_the_new_connection(
    game: Game, loser: int, held_side: int
) -> None:
    await turn_of(game, loser)
    proof = hold_proofs(game, held_side)
    await pull_the_guests_cable(game)
    before = [entries(game, seat) for seat in (HOST, GUEST)]
    await game.says(loser, Resign())
    proof.set()
    await reconnected(game)
    await finished(game)
    assert game.ended is not None
    names = ("Hanna", "Gustav")
    assert game.news(HOST, "resigned") == [{"name": names[loser], "other": names[1 - loser]}]
    assert [entries(game, seat) for seat in (HOST, GUEST)] > before


async def test_accepting_while_both_meet_again_waits_for_the_new_connection(game: Game) -> None:
    await turn_of(game, GUEST)
    await game.says(HOST, Offer())
    proof = hold_proofs(game, HOST)
    await pull_the_guests_cable(game)
    before = entries(game, GUEST)
    await game.says(GUEST, Accept())
    assert entries(game, GUEST) == before
    proof.set()
    await reconnected(game)
    await finished(game)
    assert game.ended == Ended(None)


@pytest.mark.parametrize("game", [1.0], indirect=True)
async def test_a_meeting_that_comes_to_nothing_holds_up_nobody_for_longer_than_it_may_take(game: Game) -> None:
    """The host is there and never proves anything: what our person says meanwhile is done when that is given up."""
    await turn_of(game, GUEST)
    never = hold_proofs(game, HOST)
    await pull_the_guests_cable(game)
    before = entries(game, GUEST)
    await game.says(GUEST, Resign())
    assert entries(game, GUEST) == before
    async with asyncio.timeout(10):
        while entries(game, GUEST) == before:
            await asyncio.sleep(0.01)
    assert entries(game, GUEST) == before + 1, "the resignation is signed between two attempts"
    never.set()
    await game.over()
    assert game.ended is not None


async def test_an_opponent_that_comes_back_and_vanishes_leaves_the_game_where_it_was(game: Game) -> None:
    """It proves its key, which ends its older connection, and hangs up before the host has proved anything."""
    await turn_of(game, HOST)
    before = entries(game, HOST)
    session, log = game.seats[HOST].logs[0].session, read(game.seats[HOST].logs[0].data)
    side = game.seats[GUEST].side
    for _ in range(3):
        link = await game.network.dial()
        hello = side.guest_hello(link.secured.channel)._replace(resumes=session)
        handshake = Handshake(side.identity, hello, VERSIONS)
        await begin_handshake(link, link.receive, handshake)
        for frame in handshake.authenticate(Head(before, parse(log.entries[-1]).hash)):
            await link.send(frame)
        await link.close()
        await settled()
    game.decider(HOST).go_on()
    async with asyncio.timeout(5):
        while entries(game, GUEST) == before:
            await asyncio.sleep(0.01)
    for seat in (HOST, GUEST):
        game.decider(seat).hurries = True
        game.decider(seat).go_on()
    await game.over()


# A program that is killed and started again


async def restarted(game: Game, seat: int, backup: int | None = None) -> None:
    """Kill the program of `seat`, and start it again with what it has on disk, or with a backup of so many entries."""
    game.ends[seat].cancel()
    await asyncio.gather(game.ends[seat], return_exceptions=True)
    who = game.seats[seat]
    kept = who.logs[0]
    kept.closed = False
    log = read(kept.data)
    kept.data = opening(log.hellos, log.proofs) + b"".join(map(length_prefixed, log.entries[:backup]))
    report = verify(kept.data, RULES)
    assert report.match is not None
    saved = Saved(report.match, report.entries, seat, b"\x05" * 32, kept, kept.is_resigned)
    if seat == HOST:
        hello = partial(who.side.host_hello, Shanghaien())
        game.network.door = listener(who.side, hello)
        series = Series(who.side, game.network.door, hello)
    else:
        call = dialer(game.network.dial, who.side, longest_pause=0.1)
        series = Series(who.side, call, who.side.guest_hello)
    game.ends[seat] = asyncio.create_task(series.resume(saved))
    await settled()


@pytest.mark.parametrize("seat", [HOST, GUEST])
@pytest.mark.parametrize("own_turn", [True, False])
async def test_whoever_starts_the_program_again_sees_where_the_game_is_at_once(
    game: Game, seat: int, own_turn: bool
) -> None:
    """This is before the peer is connected, and whether or not it is to move."""
    await turn_of(game, seat if own_turn else 1 - seat)
    await lost(game)
    await restarted(game, seat)
    observer = game.seats[seat].onlooker
    report = verify(game.seats[seat].logs[0].data, RULES)
    assert report.match is not None
    assert observer.taken_up == [None, report.match.state]
    assert report.match.state != Shanghaien().start()


@pytest.mark.parametrize("loser", [HOST, GUEST])
@pytest.mark.parametrize("own_turn", [True, False])
async def test_a_resignation_given_without_a_connection_outlives_the_program(
    game: Game, loser: int, own_turn: bool
) -> None:
    await turn_of(game, loser if own_turn else 1 - loser)
    await lost(game)
    await game.says(loser, Resign())
    await restarted(game, loser)
    assert len(game.news(loser, "resignation_kept")) == (0 if own_turn else 2), "told when it is given, and again"
    game.network.is_down = False
    await game.over()
    name = ("Hanna", "Gustav")[loser]
    assert [news["name"] for news in game.news(1 - loser, "resigned")] == [name]


async def test_a_resignation_that_was_sent_and_not_heard_outlives_the_program(game: Game) -> None:
    """The connection seems to stand, and nothing arrives any more."""
    await turn_of(game, HOST)
    _, theirs = game.network.links[-1]
    theirs.outgoing = asyncio.Queue()
    await game.says(GUEST, Resign())
    assert not game.news(HOST, "resigned")
    await restarted(game, GUEST)
    await game.over()
    assert game.news(HOST, "resigned") == [{"name": "Gustav", "other": "Hanna"}]


async def test_a_game_without_a_resignation_is_resumed_without_one(game: Game) -> None:
    await turn_of(game, HOST)
    await lost(game)
    await restarted(game, GUEST)
    assert not game.news(GUEST, "resignation_kept")
    game.network.is_down = False
    await reconnected(game)
    for seat in (HOST, GUEST):
        game.decider(seat).hurries = True
        game.decider(seat).go_on()
    await game.over()
    assert game.ended is None


@pytest.mark.parametrize("seat", [HOST, GUEST])
@pytest.mark.parametrize("missing", [0, 1, 2, 7])
async def test_who_gets_its_own_entries_back_is_told_how_many(game: Game, seat: int, missing: int) -> None:
    for _ in range(6):
        game.decider(await game.turn()).go_on()
    await lost(game)
    whole = verify(game.seats[seat].logs[0].data, RULES).entries
    own = sum(entry.seat == seat for entry in whole[len(whole) - missing :])
    await restarted(game, seat, len(whole) - missing)
    game.network.is_down = False
    await reconnected(game)
    await settled()
    name = ("Hanna", "Gustav")[1 - seat]
    told = game.news(seat, "own_entries_regained")
    assert told == ([{"name": name, "count": own}] if own else [])
    assert not game.news(1 - seat, "own_entries_regained")
    for details in told:
        assert str(own) in say("own_entries_regained", **details)
    for each in (HOST, GUEST):
        game.decider(each).hurries = True
        game.decider(each).go_on()
    await game.over()
