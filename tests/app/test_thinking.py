"""The computer thinks beside everything else: nothing waits for it, and what goes wrong in it costs no game."""

import asyncio
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pexpect
import pytest

from p2p_shanghaien.app.participants.computer import Computer
from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.errors import ConnectionLost, LocalError
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import computer_player
from p2p_shanghaien.session.listener import host_games
from p2p_shanghaien.session.participant import Chat, Resign
from p2p_shanghaien.session.series import Series
from p2p_shanghaien.waiting import LONG
from tests.cli.program import PATIENCE, environment, logs
from tests.session.memory import Network, dialer, listener, seat
from tests.spawned import Spawned
from tests.ui.sitting import rolled

PROMPT = "Your choice|Waiting for"

FAILED = "The game Shanghaien failed"


class Thinker:
    """A player that thinks until it is let go, or until a time is over."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go = threading.Event()

    def __call__(self, state: State, player: int, rng: Random) -> Action:
        self.begun.set()
        self.go.wait(PATIENCE)
        return rng.choice(state.legal(player))


def computer(player: Callable[[State, int, Random], Action], seed: int = 0) -> tuple[Computer, list[str | None]]:
    signs: list[str | None] = []
    return Computer(player, Random(seed), "Computer (easy)", signs.append), signs


async def decide(of: Computer) -> str:
    state = rolled()
    return await of.decide(state, 0)


async def test_a_sign_is_given_where_it_takes_long_and_taken_away() -> None:
    thinker = Thinker()
    of, signs = computer(thinker)
    loop = asyncio.get_running_loop()
    begun = loop.time()
    task = asyncio.create_task(decide(of))
    async with asyncio.timeout(PATIENCE):
        while not signs:
            await asyncio.sleep(0.01)
    assert loop.time() - begun >= LONG
    assert signs == ["Computer (easy)"]
    thinker.go.set()
    await task
    assert signs == ["Computer (easy)", None]


async def test_no_sign_is_given_where_it_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    of, signs = computer(lambda state, player, rng: state.legal(player)[0])
    loop = asyncio.get_running_loop()
    due: list[asyncio.TimerHandle] = []

    def call_late(_: float, call: Callable[[], object]) -> asyncio.TimerHandle:
        due.append(loop.call_at(loop.time() + PATIENCE, call))
        return due[-1]

    monkeypatch.setattr(loop, "call_later", call_late)  # on a slow machine nothing is quick
    for _ in range(5):
        await decide(of)
    assert [each.cancelled() for each in due] == [True] * 5
    assert "Computer (easy)" not in signs


@pytest.mark.parametrize("level", ["random", "easy", "greedy", "master"])
async def test_the_same_position_and_generator_give_the_same_choice(level: str) -> None:
    choices = [
        [await decide(of) for _ in range(4)]
        for of, _ in (computer(computer_player("shanghaien", level), 5) for _ in "ab")
    ]
    assert choices[0] == choices[1]
    rng, state = Random(5), rolled()
    assert choices[0] == [computer_player("shanghaien", level)(state, 0, rng) for _ in range(4)]


@pytest.mark.parametrize("error", [ValueError("boom"), StopIteration("boom"), KeyError("boom")], ids=repr)
async def test_a_player_that_fails_is_explained(error: Exception) -> None:
    def failing(state: State, player: int, rng: Random) -> Action:
        raise error

    of, signs = computer(failing)
    with pytest.raises(LocalError) as raised:
        await decide(of)
    assert raised.value.code == "player_failed"
    said = "boom" if not isinstance(error, StopIteration) else "StopIteration"
    assert said in str(raised.value.details["reason"])
    assert signs == [None]


async def test_one_thought_comes_after_the_other_and_what_is_given_up_is_not_begun() -> None:
    worker, order, go = Worker(), [], threading.Event()

    def thought(number: int) -> Callable[[], int]:
        def have() -> int:
            order.append(number)
            go.wait(PATIENCE)
            return number

        return have

    first, second, third = (asyncio.create_task(worker.run(thought(number))) for number in range(3))
    async with asyncio.timeout(PATIENCE):
        while not order:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    assert len(order) == 1
    for task in (first, second, third):
        if task is not first:
            task.cancel()
    go.set()
    assert await first == 0
    await asyncio.wait({second, third})
    await asyncio.sleep(0.1)
    assert order == [0]


class Table:
    """A computer that thinks for long as the host, and a guest who plays at random and speaks, in memory."""

    def __init__(self) -> None:
        self.thinker = Thinker()
        rng = random.Random(4)
        self.host, self.guest = seat("Computer", rng), seat("Ada", rng)
        self.guest.decider.wishes = [0]
        side = replace(self.host.side, decider=computer(self.thinker)[0])
        hello = partial(side.host_hello, Shanghaien())
        self.door = listener(side, hello, deadline=5)
        self.network = Network(self.door)
        guest = self.guest.side
        self.call = dialer(self.network.dial, guest)
        series = Series(side, self.door, hello)
        self.tasks = [
            asyncio.create_task(host_games(self.door, lambda: series, side.observer)),
            asyncio.create_task(Series(guest, self.call, guest.guest_hello).play()),
        ]

    async def until(self, there: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not there():
                await asyncio.sleep(0.01)

    async def close(self) -> None:
        self.thinker.go.set()
        for task in self.tasks:
            task.cancel()
        with suppress(ConnectionLost):
            await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.call.release()
        await self.network.close()


async def test_the_connection_answers_while_it_thinks() -> None:
    table = Table()
    try:
        await table.until(table.thinker.begun.is_set)
        table.guest.decider.commands.put_nowait(Chat("hello"))
        await table.until(lambda: ("chat", {"name": "Ada", "text": "hello"}) in table.host.onlooker.news)
        table.guest.decider.commands.put_nowait(Resign())
        await table.until(lambda: "resigned" in table.host.onlooker.codes)
        await table.until(lambda: "both_signed" in table.guest.onlooker.codes)
        assert not table.thinker.go.is_set()
    finally:
        await table.close()


def test_a_program_does_not_wait_for_a_thought_to_end() -> None:
    code = (
        "import asyncio, time\n"
        "from p2p_shanghaien.app.worker import Worker\n"
        "async def main():\n"
        "    task = asyncio.create_task(Worker().run(lambda: time.sleep(60)))\n"
        "    await asyncio.sleep(0.1)\n"
        "asyncio.run(main())"
    )
    begun = time.monotonic()
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=PATIENCE)
    assert time.monotonic() - begun < 20


def play(home: Path, thinker: str, *arguments: str) -> Spawned:
    """Return a person against the thinker, at a terminal of 80 by 24."""
    home.mkdir(parents=True, exist_ok=True)
    thinking = (sys.executable, "-m", "tests.cli.thinkers", thinker)
    return Spawned([*thinking, *(arguments or ("play", "--plain"))], environment(home, TERM="xterm-256color"))


def to_its_turn(child: Spawned) -> None:
    """Play until it is for the computer to decide."""
    if child.expect(["Your choice", "Waiting for Computer", "is thinking", "thinks for ever", FAILED]) == 0:
        child.send("roll\r")
        child.expect("rolled")
        child.expect("Your choice")
        child.send("1\r")
        child.expect("You ")


def left(child: Spawned) -> int:
    child.expect(pexpect.EOF)
    return child.wait()


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_person_is_told_once_that_the_computer_thinks(tmp_path: Path) -> None:
    child = play(tmp_path, "slow")
    to_its_turn(child)
    if "thinking" not in str(child.after):
        child.expect(r"Computer \(easy\) is thinking\.")
    child.expect(r"Computer \(easy\) rolled")
    assert "is thinking" not in (child.before or "")
    child.close()


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_ctrl_c_while_it_thinks_ends_at_once_and_keeps_the_game(tmp_path: Path) -> None:
    child = play(tmp_path, "endless")
    to_its_turn(child)
    child.expect(r"is thinking\.")
    begun = time.monotonic()
    child.sendintr()
    assert left(child) == 5
    assert time.monotonic() - begun < 5, "a second or so, on a machine that does nothing else"
    for log in logs(tmp_path):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_player_that_fails_costs_no_game(tmp_path: Path) -> None:
    child = play(tmp_path, "faulty")
    to_its_turn(child)
    if FAILED not in str(child.after):
        child.expect(FAILED)
    child.expect("boom")
    assert left(child) == 1
    for log in logs(tmp_path):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE
    again = play(tmp_path, "slow", "resume", "--plain")
    again.expect("back; the game continues")
    again.expect(PROMPT)
    again.close()
