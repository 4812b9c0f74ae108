"""Two whole sides over a link in memory: agreeing, playing, breaking off, playing again."""

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, NetCode, ShanghaienError, Violation
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.chance import draws, outcome
from p2p_shanghaien.fairplay.entries import Envelope, Kind, parse, sign
from p2p_shanghaien.fairplay.hello import Hello, Invitation
from p2p_shanghaien.fairplay.keys import commitment, fingerprint
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, NO_MORE, ONE_MORE, NoteKind
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Drawn, Game
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.listener import host_games
from p2p_shanghaien.session.negotiation import Negotiation
from p2p_shanghaien.session.series import Series
from tests.session.memory import MemoryLink, Network, Seat, dialer, listener, seat, settled
from tests.sweeps import sweep

EXTRA_WILD = (("variant", "extra-wild"),)
AGREE = 3
"""The guest's frame with that note, counted from 1."""


@pytest.fixture
def rng() -> random.Random:
    return random.Random(7)


async def play(
    host: Seat,
    guest: Seat,
    prepare: Callable[[MemoryLink, MemoryLink], None] = lambda ours, theirs: None,
    *,
    game: Game[Any] | None = None,
    insists: tuple[tuple[str, str], ...] = (),
    host_changes: Mapping[str, Any] | None = None,
    guest_changes: Mapping[str, Any] | None = None,
    guest_series: type[Series] = Series,
) -> tuple[BaseException | None, BaseException | None]:
    """Play one series to its end, whatever it is; what each side raised. A host still waiting then stops."""

    def host_hello(channel: bytes) -> Hello:
        return host.side.host_hello(game or Shanghaien(), channel)._replace(**(host_changes or {}))

    def guest_hello(channel: bytes) -> Hello:
        return guest.side.guest_hello(channel, insists)._replace(**(guest_changes or {}))

    door = listener(host.side, host_hello, deadline=5)
    network = Network(door, prepare)
    call = dialer(network.dial, guest.side, guest_hello, longest_pause=0.25)
    hosting = asyncio.create_task(host_games(door, lambda: Series(host.side, door, host_hello), host.onlooker))
    joining = guest_series(guest.side, call, guest_hello)
    (guest_end,) = await asyncio.gather(joining.play(), return_exceptions=True)
    await call.release()
    await settled()
    has_ended = hosting.done()
    if not has_ended:
        hosting.cancel()
        await asyncio.wait({hosting})
    await network.close()
    return hosting.exception() if has_ended else None, guest_end


def code(error: BaseException | None) -> str:
    assert isinstance(error, ShanghaienError), error
    return error.code


def verdicts(who: Seat) -> list[Verdict]:
    return [verify(log.data, RULES).verdict for log in who.logs]


async def test_a_game_is_played_and_both_keep_the_same_log(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    assert await play(host, guest) == (None, None)
    assert verdicts(host) == [Verdict.COMPLETE]
    assert host.logs[0].data == guest.logs[0].data
    assert all(log.closed and log.synced == len(log.data) for log in (*host.logs, *guest.logs))
    assert host.onlooker.steps == guest.onlooker.steps
    ((names, me),) = host.onlooker.begun_as
    assert names[me] == "Hanna"
    assert guest.onlooker.begun_as == [(names, 1 - me)]
    assert host.decider.questions == ["play_with_guest"]
    assert guest.decider.questions == ["take_terms"]


async def test_whoever_has_agreed_is_told_who_has_not(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)

    async def hesitates(code: str, /, **details: object) -> bool:
        async with asyncio.timeout(5):
            while "host_awaited" not in guest.onlooker.codes:
                await asyncio.sleep(0.01)
        return True

    with patch.object(host.decider, "agrees", hesitates):
        assert await play(host, guest) == (None, None)
    assert guest.onlooker.news[guest.onlooker.codes.index("host_awaited")] == ("host_awaited", {"name": "Hanna"})
    guest = seat("Gustav", rng, agrees=False)
    await play(seat("Hanna", rng), guest)
    assert "host_awaited" not in guest.onlooker.codes


async def test_both_are_told_how_each_draw_came_about(rng: random.Random) -> None:
    """The reports agree with the log, and give the dice and cards of the game."""
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    await play(host, guest)
    assert host.onlooker.draws == guest.onlooker.draws
    for number, side in enumerate((host, guest)):
        assert side.onlooker.own_draws == [draw.seat == number for draw in side.onlooker.draws]
    report = verify(host.logs[0].data, RULES)
    reveals = [entry for entry in report.entries if entry.kind == Kind.DRAW_REVEAL]
    drawn = [step.indices for step in host.onlooker.steps if isinstance(step, Drawn)]
    assert [draw.indices for draw in host.onlooker.draws[1:]] == drawn[1:]
    assert host.onlooker.draws[0].indices[1:] == drawn[0], "the first draw also seats the players"
    for draw, entry in zip(host.onlooker.draws, reveals, strict=True):
        assert (draw.number, draw.parent, draw.state_hash) == (entry.number, entry.parent, entry.state)
        assert commitment(draw.session, draw.committed_at, draw.key, draw.shares[draw.seat]) == draw.commitment
        assert draws(outcome(draw.session, draw.number, draw.parent, draw.shares), draw.bounds) == draw.indices


async def test_both_are_told_the_same_authentication_string(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    await play(host, guest)
    assert host.onlooker.news[0][1]["string"] == guest.onlooker.news[0][1]["string"]


@pytest.mark.parametrize(
    ("host_wish", "guest_wish", "games"),
    [
        (ONE_MORE, IF_YOU_LIKE, 2),
        (IF_YOU_LIKE, ONE_MORE, 2),
        (ONE_MORE, ONE_MORE, 2),
        (IF_YOU_LIKE, IF_YOU_LIKE, 1),
        (NO_MORE, ONE_MORE, 1),
        (ONE_MORE, NO_MORE, 1),
    ],
)
async def test_another_game_when_one_wants_it_and_neither_minds(
    rng: random.Random, host_wish: int, guest_wish: int, games: int
) -> None:
    host = seat("Hanna", rng, wishes=[host_wish, NO_MORE])
    guest = seat("Gustav", rng, wishes=[guest_wish, NO_MORE])
    assert await play(host, guest) == (None, None)
    assert verdicts(host) == verdicts(guest) == [Verdict.COMPLETE] * games
    assert len({log.data for log in (*host.logs, *guest.logs)}) == games, "another game is another session"
    assert guest.decider.questions == ["take_terms"], "who has just played is not asked again"


async def test_a_guest_that_declines_leaves_the_host_waiting_and_no_log(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng, agrees=False)
    hosting, joining = await play(host, guest)
    assert hosting is None
    assert code(joining) == "we_declined"
    assert host.onlooker.codes[-2:] == ["peer_declined", "waiting_again"]
    assert host.logs == guest.logs == []


async def test_a_guest_that_agrees_has_a_log_to_come_back_with(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    logs: list[bytes] = []

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        def spoil(frame: bytes) -> bytes:
            if len(theirs.sent) == AGREE:
                (log,) = guest.logs
                assert log.synced == len(log.data)
                logs.append(log.data)
            return frame

        theirs.spoil = spoil

    assert await play(host, guest, prepare) == (None, None)
    (log,) = logs
    report = verify(log, RULES)
    assert (report.verdict, report.entries) == (Verdict.INCOMPLETE, ())
    assert guest.logs[0].data.startswith(log)


async def test_a_guest_whose_agreement_is_lost_is_told_that_no_game_has_begun(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    hosting, joining = await play(host, guest, cut_after(AGREE, 1))
    assert hosting is None
    assert isinstance(joining, CannotConnect)
    assert code(joining) == "never_begun"
    assert host.logs == guest.logs == [], "nothing is kept of what never was"
    assert host.onlooker.codes[-1] == "waiting_again"


async def test_a_host_that_declines_tells_the_guest(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng, agrees=False), seat("Gustav", rng)
    _, joining = await play(host, guest)
    assert isinstance(joining, CannotConnect)
    assert code(joining) == "peer_declined"
    assert host.logs == guest.logs == []


async def test_a_guest_that_insists_on_other_settings_and_the_host_learn_what_the_other_wants(
    rng: random.Random,
) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    _, joining = await play(host, guest, insists=EXTRA_WILD)
    assert code(joining) == "other_settings"
    assert isinstance(joining, CannotConnect)
    assert joining.details["wanted"] == "variant extra-wild"
    assert "variant standard" in str(joining.details["offered"])
    assert ("guest_insists", {"name": "Gustav", "settings": "variant extra-wild"}) in host.onlooker.news
    assert host.logs == guest.logs == []


async def test_a_guest_that_insists_on_what_is_proposed_plays(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    assert await play(host, guest, insists=(("variant", "standard"),)) == (None, None)


def cut_after(frames: int, side: int, times: int = 1) -> Callable[[MemoryLink, MemoryLink], None]:
    """Cuts the connection behind the given frame of one side (0 the host); so often, then never again."""
    cuts = [0]

    def prepare(*links: MemoryLink) -> None:
        def spoil(frame: bytes) -> bytes:
            if len(links[side].sent) == frames and cuts[0] < times:
                cuts[0] += 1
                for link in links:
                    asyncio.get_running_loop().create_task(link.close())
                raise ConnectionLost(NetCode.BROKEN_OFF)
            return frame

        links[side].spoil = spoil

    return prepare


@pytest.mark.parametrize("frame", [4, 5, 6, 8, 20, 40, 60])
@pytest.mark.parametrize("side", [0, 1])
async def test_after_a_lost_connection_the_game_goes_on(rng: random.Random, side: int, frame: int) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    assert await play(host, guest, cut_after(frame, side)) == (None, None)
    assert verdicts(host) == verdicts(guest) == [Verdict.COMPLETE]
    assert host.logs[0].data == guest.logs[0].data
    for who, other in ((host, "Gustav"), (guest, "Hanna")):
        codes = who.onlooker.codes
        assert codes.count("interrupted_game") == codes.count("reconnected") == 1
        assert who.onlooker.news[codes.index("reconnected")][1] == {"name": other}
        assert len(who.logs[0].handshakes) == 1


async def test_a_connection_that_breaks_again_and_again_is_no_obstacle(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    assert await play(host, guest, cut_after(9, 0, times=25)) == (None, None)
    assert host.logs[0].data == guest.logs[0].data
    assert verdicts(host) == [Verdict.COMPLETE]


@pytest.mark.parametrize("frame", [5, 9, 40])
async def test_an_opponent_that_stays_away_leaves_two_sound_unfinished_logs(rng: random.Random, frame: int) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    host.side, guest.side = replace(host.side, patience=0.2), replace(guest.side, patience=0.2)
    silent = cut_after(frame, 0)

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        if frames:
            theirs.spoil = _lost
        frames.append(frame)
        silent(ours, theirs)

    frames: list[int] = []
    ends = await play(host, guest, prepare)
    for who, end in zip((host, guest), ends, strict=True):
        assert isinstance(end, ConnectionLost)
        assert verdicts(who) == [Verdict.INCOMPLETE]
    shorter, longer = sorted((host.logs[0].data, guest.logs[0].data), key=len)
    assert longer.startswith(shorter)


def _lost(frame: bytes) -> bytes:
    raise ConnectionLost(NetCode.BROKEN_OFF)


async def test_what_is_sent_is_on_the_disk_before(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    unsynced: list[bytes] = []

    def prepare(*links: MemoryLink) -> None:
        for who, link in zip((host, guest), links, strict=True):
            link.spoil = partial(checked, who)

    def checked(who: Seat, frame: bytes) -> bytes:
        if who.logs and who.logs[-1].synced != len(who.logs[-1].data):
            unsynced.append(frame)
        return frame

    assert await play(host, guest, prepare) == (None, None)
    assert unsynced == []


async def test_garbage_in_the_game_costs_a_connection_and_nothing_else(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        theirs.spoil = lambda frame: b"\xc1garbage" if len(theirs.sent) == 20 else frame

    assert await play(host, guest, prepare) == (None, None)
    assert "garbage_received" in {news[1]["reason"].code for news in host.onlooker.news if "reason" in news[1]}
    assert verdicts(host) == verdicts(guest) == [Verdict.COMPLETE]


async def test_a_cheat_ends_the_game_and_the_log_proves_it(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)

    def prepare(ours: MemoryLink, theirs: MemoryLink) -> None:
        theirs.spoil = lambda frame: other_state(frame) if len(theirs.sent) == 11 else frame

    def other_state(frame: bytes) -> bytes:
        match decode(frame, len(frame)):
            case ("entry", bytes(entry)):
                envelope = Envelope(*parse(entry)[:8])
                return encode(("entry", sign(guest.side.identity, envelope._replace(state=bytes(32))).data))
        raise AssertionError(frame)

    hosting, joining = await play(host, guest, prepare)
    assert isinstance(hosting, Violation)
    report = verify(host.logs[0].data, RULES)
    assert report.verdict == Verdict.VIOLATION
    assert report.violator == 1
    assert report.error is not None
    assert report.error.code == "wrong_state"
    assert hosting.details["number"] == report.number
    assert code(joining) == "peer_violation"


def holding(who: Seat, invitation: Invitation | None) -> Seat:
    return replace(who, side=replace(who.side, invitation=invitation))


@pytest.mark.thorough
async def test_a_private_table_takes_its_invited_guest_alone(rng: random.Random) -> None:
    host, guest, stranger = seat("Hanna", rng), seat("Gustav", rng), seat("Sly", rng)
    right = Invitation(rng.randbytes(16), fingerprint(host.side.identity.public))
    wrong = right._replace(secret=rng.randbytes(16))
    elsewhere = right._replace(host=bytes(16))
    host = holding(host, right)
    _, end = await play(host, stranger)
    assert code(end) == "invitation_needed"
    _, end = await play(host, holding(stranger, wrong))
    assert code(end) == "peer_wrong_invitation"
    _, end = await play(host, holding(guest, elsewhere))
    assert code(end) == "wrong_invitation"
    assert host.onlooker.news == [], "nobody was announced"
    assert await play(host, holding(guest, right)) == (None, None)


async def test_an_invited_guest_comes_back_without_showing_the_invitation_again(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    invitation = Invitation(rng.randbytes(16), fingerprint(host.side.identity.public))
    host, guest = holding(host, invitation), holding(guest, invitation)
    assert await play(host, guest, cut_after(20, 1)) == (None, None)


async def test_an_open_table_is_no_private_one(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    invitation = Invitation(rng.randbytes(16), fingerprint(host.side.identity.public))
    _, end = await play(host, holding(guest, invitation))
    assert code(end) == "wrong_invitation"


class Insistent(Series):
    """A guest that insists on other settings and then agrees all the same."""

    async def play(self) -> None:
        link, established = await self._connector.first()
        await self._events.switch(link)
        table = Negotiation(self._side, self._events, established)
        await link.send(table.notes.write(NoteKind.AGREE))
        await self._events.frame()


async def test_a_guest_cannot_agree_to_what_it_insists_against(rng: random.Random) -> None:
    host, guest = seat("Hanna", rng, agrees=False), seat("Gustav", rng)
    hosting, _ = await play(host, guest, insists=EXTRA_WILD, guest_series=Insistent)
    assert hosting is None
    assert host.onlooker.codes[-2:] == ["bad_handshake", "waiting_again"]
    assert host.logs == []


@sweep("changes", [{"game": "chess"}, {"rules": 2}], every=2)
async def test_a_guest_may_insist_on_a_game_and_its_rules(rng: random.Random, changes: dict[str, object]) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    _, joining = await play(host, guest, guest_changes=changes)
    assert code(joining) == "other_settings"
    assert host.logs == []


@sweep(
    "changes, ending",
    [
        ({"game": "chess"}, "game_unknown"),
        ({"rules": 2}, "rules_unknown"),
        ({"settings": (("variant", "odd"), ("tricks", "p3 b3 r2"))}, "bad_handshake"),
        ({"settings": (("tricks", "p3 b3 r2"), ("variant", "standard"))}, "bad_handshake"),
        ({"settings": ()}, "bad_handshake"),
    ],
    every=5,
)
async def test_a_guest_takes_no_game_it_does_not_know(
    rng: random.Random, changes: dict[str, object], ending: str
) -> None:
    host, guest = seat("Hanna", rng), seat("Gustav", rng)
    _, joining = await play(host, guest, host_changes=changes)
    assert isinstance(joining, CannotConnect)
    assert code(joining) == ending
    assert host.logs == guest.logs == []
