"""Other programs as computer players, and what they may do wrong."""

import asyncio
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil
import pytest

from p2p_shanghaien.app.participants.external_engine import EngineError, EngineParticipant, EnginePlayer, EngineProcess
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Step, Turn
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import computer_player
from p2p_shanghaien.ui.words import describe
from tests.cli.program import PROGRAM, RANDOM, Host, Running, check_finished, logs, shanghaien
from tests.games.playing import play
from tests.sweeps import sweep

SMALL = Path(__file__).parents[2] / "examples" / "small_engine.py"
SMALL_ENGINE = f"engine:{sys.executable} {SMALL}"
OURS = f"engine:{shlex.join(PROGRAM)} engine"
GREETING = 'print("id name x", "protocol 1", "engineok", "readyok", sep="\\n", flush=True)\n'


@pytest.fixture(autouse=True, scope="module")
def _end_programs() -> Iterator[None]:
    """End the programs that are kept until this process ends, which may be the whole run's."""
    yield
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):
            if process.cmdline()[-1:] == ["engine"]:
                process.kill()
                process.wait()


def program(path: Path, text: str) -> str:
    """Return the command of a program with that text."""
    path.write_text("import os, sys, time\n" + text)
    return f"{sys.executable} {path}"


FIRST = "line.split('legal ')[1].split()[0]"


def answering(answer: str) -> str:
    """Return a program that answers every question with what that expression gives."""
    return GREETING + f"for line in sys.stdin:\n    if line[:2] == 'go': print('bestmove', {answer}, flush=True)\n"


def decide(command: str, **limits: float) -> str:
    """Return what a program says to the first decision of a game."""
    steps: list[Step] = []
    for moment in play(Shanghaien(), Random(1)):
        if isinstance(moment.before.node, Turn):
            state, player = moment.before, moment.before.node.player
            break
        steps.append(moment.step)
    other = EngineProcess(command, **limits)
    try:
        return other.decide(Shanghaien(), steps, state, player)
    finally:
        other.end()
        assert not other.is_alive


WRONG = {
    "engine_not_started": (None, "No such file"),
    "engine_died": ("sys.exit(3)", "exit code 3"),
    "engine_died_saying": ("raise ValueError('no table here')", "no table here"),
    "engine_silent": ("time.sleep(60)", "in time"),
    "engine_other_protocol": ("print('protocol 7', flush=True); time.sleep(60)", "version 7"),
    "engine_babbles": ("sys.stdout.write('x' * 20_000); sys.stdout.flush(); time.sleep(60)", "8192"),
    "engine_illegal": (GREETING + "print('bestmove -9', flush=True); time.sleep(60)", "-9"),
    "engine_refuses": (GREETING + "print('error tired I am tired', flush=True); time.sleep(60)", "I am tired"),
}


@sweep("code", WRONG, every=5)
def test_what_a_program_does_wrong_is_told(tmp_path: Path, code: str) -> None:
    text, said = WRONG[code]
    command = program(tmp_path / "wrong.py", text) if text else str(tmp_path / "missing")
    with pytest.raises(EngineError) as raised:
        decide(command, starting=1.0 if code == "engine_silent" else 20.0)
    assert raised.value.code == code
    assert said in describe(raised.value)
    assert command in describe(raised.value)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    [
        "time.sleep(60)",
        "while True: print('info thinking', flush=True)",
        "os.close(1); time.sleep(60)",
        "sys.exit(0)",
        "sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); time.sleep(60)",
        "sys.stdout.write('bestmove '); sys.stdout.flush(); time.sleep(60)",
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)",
    ],
)
def test_a_program_that_gives_no_answer_is_ended(tmp_path: Path, text: str) -> None:
    command = program(tmp_path / "silent.py", GREETING + text)
    began = time.monotonic()
    with pytest.raises(EngineError, match=r"engine_(silent|died|babbles)"):
        decide(command, thinking=0.3)
    assert time.monotonic() - began < 20


def test_what_it_says_besides_is_passed_over(tmp_path: Path) -> None:
    chatty = "print('hello', '', 'id author me', 'info choice 1 action x', 'bestmove  roll ', sep='\\n', flush=True)"
    assert decide(program(tmp_path / "chatty.py", f"{GREETING}{chatty}\nsys.stdin.read()")) == "roll"


def test_our_own_engine_plays_as_it_does_in_process() -> None:
    command = OURS.removeprefix("engine:")
    outside, inside = EnginePlayer(command), computer_player("shanghaien", "master")
    game = Shanghaien("extra-wild", (2, 3, 3))
    steps: list[Step] = []
    for moment in play(game, Random(5), "!"):
        if isinstance(moment.before.node, Turn) and len(steps) % 4 == 0:
            player = moment.before.node.player
            asked = outside.informed(game, steps)(moment.before, player, Random(1))
            assert asked == inside(moment.before, player, Random(1))
        steps.append(moment.step)


def running(path: Path) -> list[psutil.Process]:
    """The programs at `path` that run."""
    found = []
    for process in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it ends just now, or has ended and is a zombie
            if str(path) in process.cmdline():
                found.append(process)
    return found


def test_it_is_started_again_where_it_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_bytes(SMALL.read_bytes())
    command = f"{sys.executable} {path}"

    def seat() -> EngineParticipant:
        return EngineParticipant(command, lambda: Record(Shanghaien()), "small", lambda _: None)

    seat()
    (first,) = running(path)
    seat()
    assert running(path) == [first]
    first.kill()
    while first.status() != psutil.STATUS_ZOMBIE:  # while it ends, its command line is gone already
        time.sleep(0.01)
    seat()
    (second,) = running(path)
    assert second != first
    second.kill()


async def test_long_thought_is_shown_and_whoever_leaves_does_not_wait_for_it(tmp_path: Path) -> None:
    command = program(tmp_path / "slow.py", GREETING + "time.sleep(60)")
    signs: list[str | None] = []
    seat = EngineParticipant(command, lambda: Record(Shanghaien()), "Deep Thought", signs.append)
    state = Shanghaien().start()
    asked = asyncio.create_task(seat.decide(state, 0))
    while not signs:
        await asyncio.sleep(0.02)
    began = time.monotonic()
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert signs == ["Deep Thought", None], "that it thinks is shown, and no longer than it does"
    assert time.monotonic() - began < 10
    while running(tmp_path / "slow.py"):
        assert time.monotonic() - began < 60
        await asyncio.sleep(0.02)


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.mark.thorough
def test_a_tournament_of_a_program_against_a_level(home: Path) -> None:
    arguments = ("random", "--games", 4, "--seed", 4, "--json")
    done = shanghaien(home, "tournament", SMALL_ENGINE, *arguments)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["players"] == [SMALL_ENGINE, "random"]
    assert found["games"] == 4
    assert found["won"] > found["lost"], "keeping tricks and rolling on beats chance"
    again = json.loads(shanghaien(home, "tournament", SMALL_ENGINE, *arguments, "--cores", 1).stdout)
    assert again == found


@pytest.mark.thorough
@sweep("code", [code for code in WRONG if code != "engine_silent"], every=3)
def test_what_a_program_does_wrong_in_a_tournament_is_told(home: Path, tmp_path: Path, code: str) -> None:
    text, said = WRONG[code]
    command = program(tmp_path / "wrong.py", text) if text else str(tmp_path / "missing")
    done = shanghaien(home, "tournament", f"engine:{command}", "random", "--games", 4, "--cores", 2)
    assert done.returncode == 1
    assert command in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.thorough
def test_our_engine_as_a_program_gives_the_games_of_the_level(home: Path) -> None:
    """`greedy` leaves nothing to chance."""
    arguments = ("random", "--games", 2, "--seed", 9, "--json")
    outside = json.loads(shanghaien(home, "tournament", f"{OURS} --level greedy", *arguments).stdout)
    inside = json.loads(shanghaien(home, "tournament", "greedy", *arguments).stdout)
    assert {**outside, "players": None} == {**inside, "players": None}


@sweep("name", ["engine:", "engine: ", "engine:'x", "engines", "ENGINE:x"], every=3)
def test_what_names_no_program_is_refused(home: Path, name: str) -> None:
    for arguments in (("play", "--against", name), ("tournament", name, "random"), ("host", "--player", name)):
        done = shanghaien(home, *arguments)
        assert done.returncode == 2
    assert "engine:COMMAND" in shanghaien(home, "play", "--help").stdout


def test_a_program_that_cannot_be_started_is_told_of_before_anything_begins(home: Path) -> None:
    for arguments in (("play", "--against"), ("host", "--port", 0, "--player"), ("join", "127.0.0.1:1", "--player")):
        done = shanghaien(home, *arguments, "engine:/no/such/program")
        assert done.returncode == 1
        assert "/no/such/program cannot be started: No such file or directory" in done.stderr
        assert not logs(home)


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_programs_on_both_sides_of_a_game(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, "--player", SMALL_ENGINE, "--name", "Small") as host:
        guest = shanghaien(there, "join", host.address, "--player", f"{OURS} --level easy", "--name", "Easy")
        assert guest.returncode == 0, guest.stdout + guest.stderr
        assert host.wait_for("both signed the result")
    check_finished(here, there)


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_game_whose_program_dies_goes_on_with_another(home: Path, tmp_path: Path) -> None:
    """Against the computer: it dies in its third decision, hangs no one, and loses nothing."""
    dying = program(
        tmp_path / "dying.py",
        GREETING
        + "count = 0\n"
        + "for line in sys.stdin:\n"
        + "    if line.startswith('go'):\n"
        + "        count += 1\n"
        + "        if count == 3: sys.exit('out of ideas')\n"
        + "        print('bestmove', line.split('legal ')[1].split()[0], flush=True)\n",
    )
    begun = shanghaien(home, "play", "--against", f"engine:{dying}", *RANDOM, "--name", "Ada")
    assert begun.returncode == 1
    assert "out of ideas" in begun.stderr
    assert "shanghaien resume" in begun.stdout
    assert "You have left" not in begun.stdout
    assert "Computer (engine)" in begun.stdout
    assert all(verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE for log in logs(home))
    assert len(logs(home)) == 2
    unnamed = shanghaien(home, "resume", *RANDOM)
    assert unnamed.returncode == 2
    assert "--against engine:COMMAND" in unnamed.stderr
    resumed = shanghaien(home, "resume", *RANDOM, "--against", SMALL_ENGINE)
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert [verify(log.read_bytes(), RULES).verdict for log in logs(home)] == [Verdict.COMPLETE] * 2


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_program_that_answers_illegally_costs_its_opponent_nothing(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    cheat = program(tmp_path / "cheat.py", answering("'-0'"))
    with Host(here, *RANDOM, "--patience", 1) as host:
        guest = shanghaien(there, "join", host.address, "--player", f"engine:{cheat}")
        assert guest.returncode == 1
        assert "chose the illegal action -0" in guest.stderr
        assert "shanghaien resume" in guest.stdout
        assert host.exit_code() == 5
    (log,) = logs(here)
    assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


def processes(text: str) -> Iterator[str]:
    """Yield the commands of processes that hold `text`."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if text in command:
                yield command


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
def test_no_program_is_left_behind(home: Path, tmp_path: Path) -> None:
    """Not even one that does not end by itself when its input does."""
    stubborn = program(tmp_path / "stubborn.py", answering(FIRST) + "time.sleep(100)\n")
    done = shanghaien(home, "tournament", f"engine:{stubborn}", "random", "--games", 2, "--cores", 1)
    assert done.returncode == 0, done.stderr
    assert shanghaien(home, "play", "--against", f"engine:{stubborn}", *RANDOM).returncode == 0
    assert list(processes(str(tmp_path / "stubborn.py"))) == []


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_who_plays_on_is_named_for_computers_only(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, "--patience", 0) as host:
        take_guest_and_leave(host, there)
    for home in (here, there):
        for option, *value in (["--against", "easy"], ["--tutor"]):
            done = shanghaien(home, "resume", option, *value)
            assert done.returncode == 2
            assert f"is not a computer player: leave out {option}." in done.stderr


def take_guest_and_leave(host: Host, there: Path) -> None:
    """Begin a game of two persons, and stop both."""
    with Running(there, "join", host.address) as guest:
        guest.wait_for("proposes a game")
        guest.type("y")
        host.wait_for("Play with")
        host.type("y")
        host.wait_for("Round 1")
        guest.wait_for("Round 1")
