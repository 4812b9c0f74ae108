"""Commands besides decisions: chat, resigning, abandoning by consent, leaving; and notices of silence."""

import asyncio
import itertools
import random
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pytest

from p2p_shanghaien.errors import ConnectionLost
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.session.deadlines import HANDSHAKE, Deadlines
from p2p_shanghaien.session.idle_timer import IdleTimer
from p2p_shanghaien.session.listener import host_games
from p2p_shanghaien.session.participant import Accept, Chat, Command, Offer, Resign
from p2p_shanghaien.session.rate_limit import RateLimit
from p2p_shanghaien.session.series import Series
from tests.session.memory import Decisive, Network, Seat, dialer, listener, seat


class Pondering(Decisive):
    """Decides at random, but only once it is let: `go_on` lets it decide once, or for ever."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.ponders = asyncio.Event()
        self.moves = asyncio.Semaphore(0)
        self.hurries = False

    async def decide(self, state: State, player: int) -> str:
        self.ponders.set()
        try:
            if not self.hurries:
                await self.moves.acquire()
        finally:
            self.ponders.clear()
        return self.rng.choice(state.legal(player))

    def go_on(self) -> None:
        self.moves.release()


class Leaving(Exception):
    """The person has had enough."""


@dataclass
class Clock:
    """Time that passes when it is told to."""

    now: float = 0
    timers: list["Timer"] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        self.timers = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None], /) -> "Timer":
        timer = Timer(self.now + delay, callback, self)
        self.timers.append(timer)
        return timer

    def pass_to(self, now: float) -> None:
        while due := [timer for timer in self.timers if timer.at <= now]:
            first = min(due, key=lambda timer: timer.at)
            self.timers.remove(first)
            self.now = first.at
            first.action()
        self.now = now


@dataclass
class Timer:
    at: float
    action: Callable[[], None]
    clock: Clock

    def cancel(self) -> None:
        if self in self.clock.timers:
            self.clock.timers.remove(self)


class Game:
    """A game under way in which nobody decides before being let."""

    def __init__(
        self,
        deadlines: Deadlines | None = None,
        clocks: Sequence[Callable[[], float]] = (time.monotonic, time.monotonic),
        deadline: float = HANDSHAKE,
    ) -> None:
        rng = random.Random(5)
        self.clock = Clock()
        self.deadlines = deadlines or Deadlines()
        self.seats = [self._seat(name, rng, clock) for name, clock in zip(("Hanna", "Gustav"), clocks, strict=True)]
        host, guest = self.seats
        hello = partial(host.side.host_hello, Shanghaien())
        self.door = listener(host.side, hello)
        self.network = Network(self.door)
        self.call = dialer(self.network.dial, guest.side, deadline=deadline, longest_pause=0.1)
        hosting = host_games(self.door, lambda: Series(host.side, self.door, hello), host.onlooker)
        joining = Series(guest.side, self.call, guest.side.guest_hello).play()
        self.ends = [asyncio.create_task(hosting), asyncio.create_task(joining)]

    def _seat(self, name: str, rng: random.Random, clock: Callable[[], float]) -> Seat:
        made = seat(name, rng)
        decider = Pondering(rng)
        side = replace(
            made.side,
            decider=decider,
            loop=lambda: self.clock,
            clock=clock,
            patience=None,
            deadlines=self.deadlines,
        )
        return replace(made, side=side, decider=decider)

    def decider(self, at: int) -> Pondering:
        decider = self.seats[at].decider
        assert isinstance(decider, Pondering)
        return decider

    async def turn(self) -> int:
        """Whose turn it is, once nothing is on its way."""
        await settled()
        (at,) = (at for at in (0, 1) if self.decider(at).ponders.is_set())
        return at

    async def says(self, at: int, command: Command) -> None:
        self.decider(at).commands.put_nowait(command)
        await settled()

    def news(self, at: int, code: str) -> list[dict[str, Any]]:
        return [details for each, details in self.seats[at].onlooker.news if each == code]

    async def over(self) -> None:
        """Both sides have come to a regular end, with the same log."""
        await asyncio.wait_for(asyncio.gather(*self.ends), 5)
        assert self.seats[0].logs[0].data == self.seats[1].logs[0].data
        for at in (0, 1):
            assert verify(self.seats[at].logs[0].data, RULES).verdict == Verdict.COMPLETE
            assert self.news(at, "both_signed")

    @property
    def ended(self) -> Ended | None:
        return verify(self.seats[0].logs[0].data, RULES).record().ended

    async def close(self) -> None:
        for end in self.ends:
            end.cancel()
        await asyncio.gather(*self.ends, return_exceptions=True)
        await self.network.close()


async def settled() -> None:
    """Long enough for all that is on its way in memory."""
    for _ in range(200):
        await asyncio.sleep(0)


def played(test: Callable[[Game], Coroutine[Any, Any, None]]) -> Callable[[], Coroutine[Any, Any, None]]:
    """Return the test of a game, which is cleared away afterwards."""

    async def run() -> None:
        game = Game()
        try:
            async with asyncio.timeout(20):
                await test(game)
        finally:
            await game.close()

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


@played
async def test_a_line_is_read_on_both_sides_whoever_is_to_move(game: Game) -> None:
    for _ in range(4):
        at = await game.turn()
        for speaker, text in ((at, "hm"), (1 - at, "take your time")):
            await game.says(speaker, Chat(text))
        game.decider(at).go_on()
    await settled()
    for side in (0, 1):
        said = game.news(side, "chat")
        assert len(said) == 8
        assert {each["name"] for each in said} == {"Hanna", "Gustav"}
    assert game.news(0, "chat") == game.news(1, "chat")


@pytest.mark.parametrize("own_turn", [True, False])
async def test_resigning_in_either_turn_ends_the_game_with_both_signatures(own_turn: bool) -> None:
    game = Game()
    at = await game.turn()
    loser = at if own_turn else 1 - at
    await game.says(loser, Resign())
    await game.over()
    name = ("Hanna", "Gustav")[loser]
    assert [news["name"] for side in (0, 1) for news in game.news(side, "resigned")] == [name, name]
    assert game.ended is not None
    assert game.ended.by is not None
    await game.close()


@played
async def test_an_offer_is_accepted_and_the_game_abandoned(game: Game) -> None:
    at = await game.turn()
    await game.says(1 - at, Offer())
    assert game.news(1 - at, "offer_made")
    assert game.news(at, "offered")
    await game.says(at, Accept())
    await game.over()
    assert game.ended == Ended(None)
    assert game.news(0, "abandoned")
    assert game.news(1, "abandoned")


@played
async def test_an_offer_in_ones_own_turn_waits_and_lapses_when_the_other_decides(game: Game) -> None:
    at = await game.turn()
    await game.says(at, Offer())
    assert game.news(at, "offer_kept")
    while await game.turn() == at:
        assert not game.news(1 - at, "offered")
        game.decider(at).go_on()
    assert game.news(at, "offer_made")
    assert game.news(1 - at, "offered")
    game.decider(1 - at).go_on()
    await settled()
    assert game.news(at, "own_offer_lapsed")
    assert game.news(1 - at, "offer_lapsed")
    await game.says(1 - at, Accept())
    assert game.news(1 - at, "no_offer")


@played
async def test_what_makes_no_sense_is_explained_and_changes_nothing(game: Game) -> None:
    at = await game.turn()
    await game.says(at, Accept())
    await game.says(1 - at, Offer())
    await game.says(1 - at, Offer())
    assert game.news(at, "no_offer")
    assert game.news(1 - at, "offered_already")
    for side in (0, 1):
        game.decider(side).hurries = True
    game.decider(at).go_on()
    await game.over()
    assert game.ended is None


@played
async def test_who_leaves_leaves_and_the_other_waits(game: Game) -> None:
    at = await game.turn()

    async def leave() -> Command:
        raise Leaving

    game.decider(1 - at).command = leave  # type: ignore[method-assign]
    game.network.is_down = True  # a program that has ended takes no calls
    await game.says(1 - at, Chat("bye"))
    await settled()
    assert isinstance(game.ends[1 - at].exception(), Leaving)
    assert not game.ends[at].done()


async def lost(game: Game) -> int:
    """Cut the cable for good; whose turn it is."""
    at = await game.turn()
    game.network.is_down = True
    await game.network.cut()
    await settled()
    return at


@played
async def test_without_a_connection_nobody_hears(game: Game) -> None:
    at = await lost(game)
    await game.says(at, Chat("hello?"))
    assert game.news(at, "not_said")
    assert not game.news(at, "chat")
    game.network.is_down = False
    while not game.news(0, "reconnected") or not game.news(1, "reconnected"):
        await asyncio.sleep(0.01)
    await game.says(at, Chat("hello!"))
    assert game.news(1 - at, "chat") == [{"name": ("Hanna", "Gustav")[at], "text": "hello!"}]


@pytest.mark.parametrize("own_turn", [True, False])
async def test_resigning_without_a_connection_counts_once_it_is_back(own_turn: bool) -> None:
    game = Game()
    at = await lost(game)
    loser = at if own_turn else 1 - at
    await game.says(loser, Resign())
    assert bool(game.news(loser, "resignation_kept")) is not own_turn, "in one's own turn it is signed at once"
    game.network.is_down = False
    await game.over()
    assert game.ended is not None
    assert game.ended.by is not None
    await game.close()


@played
async def test_a_standing_offer_outlives_the_connection(game: Game) -> None:
    at = await game.turn()
    await game.says(1 - at, Offer())
    await game.network.cut()
    while not game.news(at, "reconnected"):
        await asyncio.sleep(0.01)
    await game.says(at, Accept())
    await game.over()
    assert game.ended == Ended(None)


@played
async def test_leaving_while_the_other_side_is_away(game: Game) -> None:
    at = await lost(game)

    async def leave() -> Command:
        raise Leaving

    game.decider(at).command = leave  # type: ignore[method-assign]
    await game.says(at, Chat("anybody?"))
    await settled()
    assert isinstance(game.ends[at].exception(), Leaving)


# Floods


@pytest.mark.parametrize("lines", [61, 400])
async def test_a_flood_is_dropped_told_once_and_costs_no_connection(lines: int) -> None:
    ages = itertools.count(step=1000)
    game = Game(clocks=(lambda: float(next(ages)), lambda: 0.0))
    await game.turn()
    for number in range(lines):
        game.decider(0).commands.put_nowait(Chat(f"line {number}"))
    while len(game.news(0, "chat")) < lines or not game.news(1, "chat_flood"):
        await settled()
    await asyncio.sleep(0)
    assert [said["text"] for said in game.news(1, "chat")] == [f"line {number}" for number in range(60)]
    assert len(game.news(1, "chat_flood")) == 1
    assert not game.news(1, "interrupted_game")
    await game.says(0, Resign())
    await game.over()
    await game.close()


@played
async def test_our_own_program_sends_no_flood(game: Game) -> None:
    for number in range(30):
        await game.says(0, Chat(f"line {number}"))
    assert 10 <= len(game.news(0, "chat")) < 30
    assert len(game.news(0, "chat")) + len(game.news(0, "chat_too_fast")) == 30
    assert game.news(1, "chat") == game.news(0, "chat")
    assert not game.news(1, "chat_flood")


def test_a_pace_allows_some_at_once_and_then_some_each_second() -> None:
    now = [0.0]
    pace = RateLimit(3, 2, lambda: now[0])
    assert [pace.allows() for _ in range(5)] == [True, True, True, False, False]
    now[0] = 1
    assert [pace.allows() for _ in range(3)] == [True, True, False]
    now[0] = 100
    assert [pace.allows() for _ in range(4)] == [True, True, True, False]


# Silence


@played
async def test_long_silence_is_told_three_times_to_whoever_waits(game: Game) -> None:
    at = await game.turn()
    game.clock.pass_to(game.clock.now + 59)
    assert not game.news(1 - at, "silent")
    game.clock.pass_to(game.clock.now + 2)
    assert game.news(1 - at, "silent") == [{"name": ("Hanna", "Gustav")[at], "count": 1}]
    game.clock.pass_to(game.clock.now + 100_000)
    assert [news["count"] for news in game.news(1 - at, "silent")] == [1, 5, 15]
    assert not game.news(at, "silent"), "who owes the entry waits for nobody"


@played
async def test_whatever_comes_breaks_the_silence(game: Game) -> None:
    at = await game.turn()
    for _ in range(10):
        game.clock.pass_to(game.clock.now + 59)
        await game.says(at, Chat("wait"))
    game.clock.pass_to(game.clock.now + 59)
    await game.says(1 - at, Chat("well?"))
    assert not game.news(1 - at, "silent")
    game.clock.pass_to(game.clock.now + 1)
    assert game.news(1 - at, "silent"), "what we say ourselves breaks no silence"


@played
async def test_silence_without_a_connection_is_told_as_that(game: Game) -> None:
    at = await lost(game)
    game.clock.pass_to(game.clock.now + 400)
    assert [news["count"] for news in game.news(1 - at, "silent_and_away")] == [1, 5]
    assert not game.news(1 - at, "silent")
    assert not game.news(at, "silent_and_away")


@played
async def test_nothing_is_left_ticking_after_the_game(game: Game) -> None:
    at = await game.turn()
    await game.says(at, Resign())
    await game.over()
    assert game.clock.timers == []


def test_a_silence_ends_when_it_is_ended() -> None:
    clock, told = Clock(), list[int]()
    idle_timer = IdleTimer(told.append, clock)
    idle_timer.begin()
    clock.pass_to(70)
    idle_timer.end()
    clock.pass_to(5000)
    assert told == [60]
    idle_timer.begin()
    clock.pass_to(5059)
    idle_timer.begin()
    clock.pass_to(5118)
    assert told == [60]
    clock.pass_to(5119)
    assert told == [60, 60]


def test_a_pause_is_no_silence() -> None:
    clock, told = Clock(), list[int]()
    idle_timer = IdleTimer(told.append, clock)
    idle_timer.begin()
    clock.pass_to(50)
    idle_timer.pause()
    clock.pass_to(1000)
    idle_timer.begin()
    clock.pass_to(1059)
    assert told == []
    clock.pass_to(1060)
    assert told == [60]


def test_frames_in_quick_succession_set_no_clock_anew() -> None:
    clock, told = Clock(), list[int]()
    idle_timer = IdleTimer(told.append, clock)
    idle_timer.begin()
    (timer,) = clock.timers
    for now in range(1, 59):
        clock.pass_to(now)
        idle_timer.pause()
        idle_timer.begin()
    assert clock.timers == [timer]
    clock.pass_to(58 + 59)
    assert told == []
    clock.pass_to(58 + 60)
    assert told == [60]


def test_losing_for_good_still_raises() -> None:
    """Patience that runs out while somebody listens ends the game as ever."""

    async def run() -> None:
        game = Game()
        for each in game.seats:
            object.__setattr__(each.side, "patience", 0.05)
        await lost(game)
        ends = await asyncio.wait_for(asyncio.gather(*game.ends, return_exceptions=True), 5)
        assert all(isinstance(end, ConnectionLost) for end in ends)
        await game.close()

    asyncio.run(run())
