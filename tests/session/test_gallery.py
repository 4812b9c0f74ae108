"""Watchers at a host's table: who gets in, what each is shown and when, and what the players are told (SPEC 4.16)."""

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest

from p2p_shanghaien.errors import CannotConnect, ConnectionLost
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.handshake import bye
from p2p_shanghaien.fairplay.hello import Hello
from p2p_shanghaien.fairplay.notes import IF_YOU_LIKE, ONE_MORE
from p2p_shanghaien.fairplay.transcript import length_prefixed, read
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.fairplay.watching import Watched, watch
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session import gallery as galleries
from p2p_shanghaien.session.gallery import Gallery
from p2p_shanghaien.session.listener import host_games
from p2p_shanghaien.session.series import Saved, Series
from tests.pair import SECURED
from tests.session.memory import MemoryLink, MemoryLog, Network, Seat, dialer, link_pair, listener, seat, settled

WATCHERS_KEY = b"\x0f" * 32


class Audience:
    """A host and a guest, and the people who watch them."""

    def __init__(self, limit: int = 3, key: bytes = NO_KEY, *, again: bool = False, pace: float = 0.001) -> None:
        rng = random.Random(3)
        wishes = [ONE_MORE] if again else []
        self.gallery = Gallery(limit, key, pace=pace, stalled=0.2)
        self.host, self.guest = seat("Hanna", rng, wishes=wishes), seat("Gustav", rng, wishes=[IF_YOU_LIKE] * again)
        self.host.side = replace(self.host.side, gallery=self.gallery)
        self.hello: Callable[[bytes], Hello] = partial(self.host.side.host_hello, Shanghaien())
        self.door = listener(self.host.side, self._hello, deadline=5)
        self.network = Network(self.door)
        self.tasks: list[asyncio.Task[Any]] = []

    def _hello(self, channel: bytes) -> Hello:
        return self.hello(channel)

    async def play(self) -> tuple[BaseException | None, BaseException | None]:
        """Play to the end, and let the watchers see it; return what each side raised."""
        series = partial(Series, self.host.side, self.door, self._hello)
        hosting = asyncio.create_task(host_games(self.door, series, self.host.onlooker))
        call = dialer(self.network.dial, self.guest.side, longest_pause=0.1)
        joining = Series(self.guest.side, call, self.guest.side.guest_hello)
        ends = await asyncio.gather(joining.play(), return_exceptions=True)
        await call.release()
        await settled()
        has_ended = hosting.done()
        if not has_ended:
            hosting.cancel()
            await asyncio.wait({hosting})
        await self.gallery.close()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return (hosting.exception() if has_ended else None), ends[0]

    def knock(self, first: bytes, key: bytes = NO_KEY) -> MemoryLink:
        """Let a visitor come whose first frame this is; return its end of the link."""
        ours, theirs = link_pair()
        ours.secured = SECURED._replace(key=key)
        self.tasks.append(asyncio.create_task(self.door.receive(ours)))
        theirs.outgoing.put_nowait(first)
        return theirs

    def watcher(self, seen: Watched | None = None) -> "asyncio.Task[Watched]":
        """Let somebody watch until the host leaves; return what they have seen by then."""
        watched = seen or Watched(RULES)
        link = self.knock(watched.start())

        async def see() -> Watched:
            while True:
                try:
                    watched.receive(await link.receive())
                except ConnectionLost:
                    return watched

        task = asyncio.create_task(see())
        self.tasks.append(task)
        return task


async def frames(link: MemoryLink) -> list[bytes]:
    """Return all that comes until the host hangs up."""
    received = []
    while True:
        try:
            received.append(await asyncio.wait_for(link.receive(), 5))
        except ConnectionLost:
            return received


def check_seen(watched: Watched, log: bytes) -> None:
    assert watched.data == log
    assert watched.report is not None
    assert watched.report.verdict == Verdict.COMPLETE


async def test_watchers_see_the_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """They may be there before it begins, or come in the middle of it."""
    audience = Audience()
    early = [audience.watcher(), audience.watcher()]
    late: list[asyncio.Task[Watched]] = []
    decide = audience.guest.decider.decide

    async def and_somebody_comes(*asked: Any) -> str:
        if not late and len(audience.guest.onlooker.steps) > 20:
            late.append(audience.watcher())
        return await decide(*asked)

    monkeypatch.setattr(audience.guest.decider, "decide", and_somebody_comes)
    assert await audience.play() == (None, None)
    for watcher in [*early, *late]:
        check_seen(await watcher, audience.host.logs[0].data)
    assert late


async def test_watchers_see_one_game_after_the_other() -> None:
    audience = Audience(again=True)
    watcher = audience.watcher()
    seen: list[bytes] = []
    receive = Watched.receive

    def noted(watched: Watched, frame: bytes) -> bool:
        news = receive(watched, frame)
        if watched.report and watched.report.verdict == Verdict.COMPLETE and watched.data not in seen:
            seen.append(watched.data)
        return news

    with patch.object(Watched, "receive", noted):
        assert await audience.play() == (None, None)
        await watcher
    assert seen == [log.data for log in audience.host.logs]
    assert len(seen) == 2


async def test_whoever_comes_back_is_sent_what_is_missing() -> None:
    """One who has all but the last entries, one who has them all, and one who has another game."""
    audience, before = Audience(), Audience()
    first = before.watcher()
    await before.play()
    other = await first
    assert await audience.play() == (None, None)
    log = audience.host.logs[0].data
    again = Gallery(3, pace=0.001)
    again.begin(log)
    audience.host.side = replace(audience.host.side, gallery=again)
    audience.door = listener(audience.host.side, audience.hello)
    partly = Watched(RULES)
    halves: list[Watched] = [partly, Watched(RULES, kept=lambda _: log), other]
    tasks = [audience.watcher(each) for each in halves]
    await asyncio.sleep(0.05)
    await again.close()
    for task in tasks:
        check_seen(await task, log)


async def test_one_too_many_is_told_so() -> None:
    audience = Audience(limit=1)
    watcher = audience.watcher()
    await settled()
    assert await frames(audience.knock(watch(None))) == [bye("busy")]
    await audience.play()
    check_seen(await watcher, audience.host.logs[0].data)


async def test_the_place_of_one_who_leaves_is_free_again() -> None:
    audience = Audience(limit=1)
    link = audience.knock(watch(None))
    await settled()
    assert audience.gallery.count == 1
    await link.close()
    await settled()
    assert audience.gallery.count == 0
    watcher = audience.watcher()
    await audience.play()
    check_seen(await watcher, audience.host.logs[0].data)


async def test_one_who_speaks_is_shown_out() -> None:
    audience = Audience()
    link = audience.knock(watch(None))
    await settled()
    await link.send(watch(None))
    assert await frames(link) == []
    assert audience.gallery.count == 0


@pytest.mark.parametrize(
    "frame", [("watch",), ("watch", b"x", 0, None), ("watch", None, 1, None), ("watch", None, 0, b"")]
)
async def test_a_place_that_is_none_is_malformed(frame: tuple[Any, ...]) -> None:
    assert await frames(Audience().knock(encode(frame))) == [bye("malformed")]


async def test_a_host_that_admits_nobody_says_so() -> None:
    rng = random.Random(1)
    host = seat("Hanna", rng)
    ours, theirs = link_pair()
    visit = asyncio.create_task(listener(host.side, partial(host.side.host_hello, Shanghaien())).receive(ours))
    await theirs.send(watch(None))
    assert await frames(theirs) == [bye("not_watchable")]
    await visit


@pytest.mark.parametrize("key", [NO_KEY, WATCHERS_KEY], ids=["the players' key", "the watchers' key"])
async def test_at_a_private_table_both_keys_are_good_for_watching(key: bytes) -> None:
    """The key of players is here that of a table without an invitation: the channel itself has let nobody else in."""
    audience = Audience(key=WATCHERS_KEY)
    audience.knock(watch(None), key)
    await settled()
    assert audience.gallery.count == 1


async def test_the_watchers_key_seats_nobody() -> None:
    """The host's hello is not shown to such a visitor, either."""
    audience = Audience(key=WATCHERS_KEY)
    assert await frames(audience.knock(encode(("commit", bytes(32))), WATCHERS_KEY)) == [bye("wrong_invitation")]


async def test_a_watcher_that_takes_nothing_is_dropped() -> None:
    audience = Audience()
    ours, theirs = link_pair()
    audience.tasks.append(asyncio.create_task(audience.door.receive(ours)))

    async def never(_: bytes) -> None:
        await asyncio.Event().wait()

    await theirs.send(watch(None))
    await settled()
    ours.send = never  # type: ignore[method-assign, assignment]
    watcher = audience.watcher()
    await asyncio.sleep(0)
    assert await audience.play() == (None, None)
    check_seen(await watcher, audience.host.logs[0].data)
    assert audience.gallery.count == 0


async def test_entries_come_in_lots() -> None:
    """However fast the players are, a watcher is sent something only now and then."""
    audience = Audience(pace=10)
    link = audience.knock(watch(None))
    await settled()
    await audience.play()
    kinds = [decode(frame, 4096) for frame in await frames(link)]
    names = [kind[0] for kind in kinds if isinstance(kind, tuple)]
    assert names[0] == "log"
    assert names[-1] == "bye"
    entries = [kind[1] for kind in kinds if isinstance(kind, tuple) and kind[0] == "entries"]
    count = sum(len(lot) for lot in entries if isinstance(lot, tuple))
    assert count == len(verify(audience.host.logs[0].data, RULES).entries)
    assert len(entries) < count / 5


# What the players are told


def told(who: Seat) -> list[int]:
    return [details["count"] for code, details in who.onlooker.news if code in ("watchers", "watchers_none")]


async def test_both_players_are_told_how_many_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(galleries, "COUNTED", 0)
    audience = Audience()
    link = audience.knock(watch(None))
    audience.watcher()
    decide = audience.host.decider.decide

    async def and_one_leaves(*asked: Any) -> str:
        if len(audience.host.onlooker.steps) == 30:
            await link.close()
            await asyncio.sleep(0.01)
        return await decide(*asked)

    monkeypatch.setattr(audience.host.decider, "decide", and_one_leaves)
    assert await audience.play() == (None, None)
    assert told(audience.host) == told(audience.guest) == [2, 1]


async def test_they_are_told_no_more_often_than_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    audience = Audience()
    audience.watcher()
    decide = audience.host.decider.decide

    async def and_one_more_comes(*asked: Any) -> str:
        if audience.gallery.count < 3 and told(audience.guest):
            audience.watcher()
            await asyncio.sleep(0.01)
        return await decide(*asked)

    monkeypatch.setattr(audience.host.decider, "decide", and_one_more_comes)
    assert await audience.play() == (None, None)
    assert told(audience.host) == told(audience.guest) == [1]


async def test_the_guest_is_told_before_it_agrees() -> None:
    audience = Audience()
    asked: list[Sequence[str]] = []

    async def agrees(code: str, /, **_: object) -> bool:
        asked.append([*audience.guest.onlooker.codes])
        return code != "take_terms"

    with patch.object(audience.guest.decider, "agrees", agrees):
        _, error = await audience.play()
    assert isinstance(error, CannotConnect)
    assert "may_be_watched" in asked[0]
    rng = random.Random(5)
    alone = Audience()
    alone.host = seat("Hanna", rng)
    alone.door = listener(alone.host.side, partial(alone.host.side.host_hello, Shanghaien()))
    alone.network = Network(alone.door)
    alone.hello = partial(alone.host.side.host_hello, Shanghaien())
    assert await alone.play() == (None, None)
    assert "may_be_watched" not in alone.guest.onlooker.codes


async def test_the_next_game_cannot_become_watchable() -> None:
    """A guest that has agreed to a game that nobody watches is not asked again before the next one."""
    audience = Audience(again=True)
    hellos: list[Hello] = []

    def later_watchable(channel: bytes) -> Hello:
        hello = audience.host.side.host_hello(Shanghaien(), channel)
        hellos.append(hello._replace(watchable=len(hellos) > 0))
        return hellos[-1]

    audience.hello = later_watchable
    await audience.play()
    assert "now_watchable" in audience.guest.onlooker.codes
    assert len(audience.guest.logs) == 1


def cut_after(count: int, audience: Audience) -> Callable[[MemoryLink, MemoryLink], None]:
    """Cut the first connection behind so many frames of the host."""
    done: list[bool] = []

    def prepare(*links: MemoryLink) -> None:
        def spoil(frame: bytes) -> bytes:
            if len(links[0].sent) == count and not done:
                done.append(True)
                closing: list[Coroutine[Any, Any, None]] = [link.close() for link in links]
                audience.tasks.extend(map(asyncio.create_task, closing))
            return frame

        links[0].spoil = spoil

    return prepare


async def test_watchers_and_the_guest_come_back_after_a_cut() -> None:
    audience = Audience()
    audience.network.prepare = cut_after(40, audience)
    watcher = audience.watcher()
    assert await audience.play() == (None, None)
    check_seen(await watcher, audience.host.logs[0].data)
    codes = audience.guest.onlooker.codes
    assert codes.count("reconnected") == 1
    # the program of a guest that was started anew would not know it otherwise
    assert "watchers" in codes[: codes.index("reconnected")]
    assert "watchers" in codes[codes.index("reconnected") :]


def saved(who: Seat, number: int, *, watchable: bool) -> Saved:
    """Return the game of one side as it was after 40 entries, and as that side says that it was agreed on."""
    log = read(who.logs[0].data)
    begun = MemoryLog(b"", log.opening + b"".join(map(length_prefixed, log.entries[:40])))
    report = verify(begun.data, RULES)
    assert report.match is not None
    session = report.match.session._replace(watchable=watchable)
    return Saved(report.match._replace(session=session), report.entries, number, bytes(32), begun)


@pytest.mark.parametrize("was_watchable", [False, True])
async def test_a_game_that_is_resumed_cannot_become_watchable(was_watchable: bool) -> None:
    """A host that says so all the same is not the one that the guest has agreed to play with."""
    audience = Audience()
    agreed = audience.hello

    def hidden(channel: bytes) -> Hello:
        return agreed(channel)._replace(watchable=was_watchable)

    audience.hello = hidden
    assert await audience.play() == (None, None)
    audience.hello = agreed
    host = Series(audience.host.side, audience.door, agreed)
    call = dialer(audience.network.dial, audience.guest.side, longest_pause=0.1)
    guest = Series(audience.guest.side, call, audience.guest.side.guest_hello)
    audience.gallery.begin(audience.host.logs[0].data)
    tasks = [
        asyncio.create_task(host.resume(saved(audience.host, 0, watchable=True))),
        asyncio.create_task(guest.resume(saved(audience.guest, 1, watchable=was_watchable))),
    ]
    # the game itself ends soon, since its secret is not what it was
    async with asyncio.timeout(5):
        while not tasks[1].done() and "reconnected" not in audience.host.onlooker.codes:
            await asyncio.sleep(0.001)
    for task in tasks:
        task.cancel()
    _, end = await asyncio.gather(*tasks, return_exceptions=True)
    assert ("reconnected" in audience.host.onlooker.codes) == was_watchable
    assert (getattr(end, "code", None) == "other_session") != was_watchable
