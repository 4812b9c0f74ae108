"""The engine protocol as its page has it, and whatever else may be sent."""

import re
import signal
import subprocess
import sys
import time
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.app.engine_server import MAX_LINE, Engine, lines
from p2p_shanghaien.errors import AppCode, ShanghaienError, UsageError
from p2p_shanghaien.games.api import Game, Simultaneous, State, Step, Turn, advance
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.record import Record, read, write
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import computer_player, evaluator, levels
from p2p_shanghaien.players.options import options, ranked
from p2p_shanghaien.ui.words import describe
from tests.cli.program import PATIENCE, PROGRAM, environment
from tests.games.playing import play
from tests.pair import GAMES
from tests.protocol.test_pages import PROTOCOL, quoted, section
from tests.sweeps import together
from tests.toy import Toy

PAGE = (PROTOCOL / "ENGINE.md").read_text(encoding="utf-8")
NAME = f"< id name p2p-shanghaien {version('p2p-shanghaien')}"
SESSION = re.findall(r"^```\n(> .+?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0].splitlines()
SESSION = [NAME if line.startswith("< id name") else line for line in SESSION]
ANSWER = re.compile(
    r"id name .+|protocol 1|game \S+ \d+|option name \S+ type .+|engineok|readyok|legal( \S+)*|bestmove \S+"
    r"|info choice \d+ action \S+ chance [01]\.\d{4} points -?\d+\.\d{2}|error [a-z0-9_]+ \S.*"
)
"""Section 7, as far as an engine's lines go."""
MOVES = "1. D1 F4 T1 Xp A3 A4 56-5< 25-5 34-4 12-1 24-4"
FIRST = f'[Game "shanghaien"] {MOVES}'


def told(engine: Engine, *spoken: str) -> list[str]:
    return [answer for line in spoken for answer in engine.answer(line)]


def codes(*spoken: str) -> list[str]:
    """Return the codes of the errors, and whole lines for other answers, of a fresh engine."""
    return [
        answer.split()[1] if answer.startswith("error ") else answer
        for answer in told(Engine(GAMES, "random"), *spoken)
    ]


def one_line(game: Game[Any], steps: list[Step]) -> str:
    return " ".join(write(Record(game, steps=tuple(steps))).split())


OUR_GAMES_ALONE = (
    "from p2p_shanghaien.games.registry import GAMES, OURS; from p2p_shanghaien.cli.launcher import main\n"
    "with GAMES.only(OURS): main()"
)
"""The program as if nothing else were installed."""


def test_the_session_on_the_page_is_what_the_program_says(tmp_path: Path) -> None:
    spoken = [line[2:] for line in SESSION if line.startswith("> ")]
    heard = [line[2:] for line in SESSION if line.startswith("< ")]
    assert len(spoken) + len(heard) == len(SESSION) > 30
    done = subprocess.run(
        [sys.executable, "-c", OUR_GAMES_ALONE, "engine"],
        input="\n".join(spoken) + "\n",
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.splitlines() == heard
    assert done.stderr == ""
    assert not list(tmp_path.iterdir()), "nothing is kept"


def test_every_line_of_the_session_stands_where_it_is_said() -> None:
    """An engine that is asked line by line gives what stands behind each."""
    engine = Engine({"halunken": Halunken, "macao": Macao, "shanghaien": Shanghaien}, describe=describe)
    expected: list[str] = []
    for line in SESSION:
        if line.startswith("< "):
            assert line[2:] == expected.pop(0)
        else:
            assert not expected
            expected = [] if line == "> quit" else told(engine, line[2:])
    assert all(ANSWER.fullmatch(line[2:]) for line in SESSION if line.startswith("< "))


def test_the_page_names_every_error_and_every_option() -> None:
    source = (PROTOCOL.parent / "p2p_shanghaien/app/engine_server.py").read_text(encoding="utf-8")
    raised = {AppCode[name] for name in re.findall(r"UsageError\(AppCode\.(\w+)", source)}
    assert raised == {code for code in quoted(section(PAGE, "5")) if "_" in code}
    options = {line.split()[2] for line in told(Engine(GAMES, "easy"), "engine") if line.startswith("option")}
    assert options == {"Level", "MultiChoice", "Seed"} < quoted(section(PAGE, "2.3"))


@together(
    ("spoken", "code"),
    [
        (["dance"], "unknown_command"),
        (["GO"], "unknown_command"),
        (["setoption"], "bad_set_option"),
        (["setoption name Level value"], "bad_set_option"),
        (["setoption name Level value nobody"], "bad_option_value"),
        (["setoption name MultiChoice value -1"], "bad_option_value"),
        (["setoption name MultiChoice value 101"], "bad_option_value"),
        (["setoption name Seed value 1.5"], "bad_option_value"),
        (["setoption name Seed value ²"], "bad_option_value"),
        (["setoption name Hash value 1"], "unknown_option"),
        (["go"], "no_position"),
        (["legal"], "no_position"),
        ([f"position {FIRST}", "newgame", "go"], "no_position"),
        (["position"], "no_game_tag"),
        (['position [Game "chess"] 1. e4'], "unknown_game"),
        ([f"position {FIRST} 11-9"], "not_a_turn"),
        ([f'position [Tricks "p9 b0 r0"] {FIRST}'], "bad_tricks"),
        ([f"position {FIRST} roll", "go"], "draw_awaited"),
        ([f"position {FIRST}", "go player 0"], "other_player_decides"),
        ([f"position {FIRST}", "go player 2"], "bad_go"),
        ([f"position {FIRST}", "go player"], "bad_go"),
        ([f"position {FIRST}", "go quickly"], "bad_go"),
        ([f"position {FIRST}", "go legal"], "other_legal_actions"),
        ([f"position {FIRST}", "go player 1 legal roll"], "other_legal_actions"),
    ],
)
def test_errors(spoken: list[str], code: str) -> None:
    assert codes(*spoken) == [code]


def test_a_position_that_is_refused_leaves_none() -> None:
    assert codes(f"position {FIRST}", f"position {FIRST} 1", "go", f"position {FIRST}", "legal") == [
        "not_a_turn",
        "no_position",
        "legal # roll",
    ]


def test_what_a_record_may_have_a_position_may_have() -> None:
    tagged = f'[Game "shanghaien"]  [First "Ada ; [x]"] [Variant "extra-wild"] [Ended "0 resigned"] {MOVES} 35 ; so far'
    assert codes(f"position {tagged}\r\n", "legal") == ["legal -3 -5"], "the wild card needs a crew"
    assert codes(f"position {tagged}", "go player 1")[0].startswith("bestmove ")


@pytest.mark.parametrize("level", levels("shanghaien"))
def test_a_level_plays_here_as_it_plays_in_a_process(level: str) -> None:
    engine, seeded = Engine(GAMES, level), Engine(GAMES, level)
    told(seeded, "setoption name seed value 3")
    for seed, game in enumerate((Shanghaien(), Shanghaien("extra-wild", (2, 4, 2)))):
        steps: list[Step] = []
        for number, moment in enumerate(play(game, Random(seed), "!")):
            node = moment.before.node
            if isinstance(node, Turn) and number % 5 == 0:
                legal = sorted(moment.before.legal(node.player))
                position = f"position {one_line(game, steps)}"
                asked = f"go player {node.player} legal {' '.join(legal)}"
                assert told(engine, position, "legal") == [" ".join(["legal", *legal])]
                (answer,) = told(engine, asked)
                assert answer.removeprefix("bestmove ") in legal
                if level in ("greedy", "master"):
                    expected = computer_player("shanghaien", level)(moment.before, node.player, Random(0))
                    assert answer == f"bestmove {expected}", position
                assert told(seeded, position, "go") == told(seeded, position, "go"), "one seed, one answer"
            steps.append(moment.step)
        assert told(engine, f"position {one_line(game, steps)}", "legal") == ["legal"]
        assert codes(f"position {one_line(game, steps)}", "go") == ["game_over_already"]


def test_choices_are_told_best_first_as_the_player_sees_them() -> None:
    engine = Engine(RULES, "master")
    told(engine, "setoption name MultiChoice value 100")
    for moves, player in (("1. D1 F4 T1 Xp A3 A4 56", 0), (f"{MOVES} 12", 1)):
        *info, best = told(engine, f'position [Game "shanghaien"] {moves}', "go")
        (legal,) = told(engine, "legal")
        found = [line.split() for line in info]
        assert [int(words[2]) for words in found] == list(range(1, len(found) + 1))
        assert {words[4] for words in found} == set(legal.split()[1:])
        chances = [float(words[6]) for words in found]
        assert chances == sorted(chances, reverse=True)
        assert best == f"bestmove {found[0][4]}", player


@pytest.mark.usefixtures("_toy_is_installed")
def test_both_may_decide_at_once() -> None:
    position = 'position [Game "toy"]'
    bids = Toy().start()
    assert isinstance(bids.node, Simultaneous)
    assert codes(position, "legal", "go") == ["legal 1 2 3", "player_needed"]
    for player in (0, 1):
        (answer,) = codes(position, f"go player {player} legal 3 2 1")
        assert answer.removeprefix("bestmove ") in bids.legal(player)


def test_simultaneous_choices_are_evaluated_too() -> None:
    """By their mean over the other player's, as analyses and hints do."""
    record = read((PROTOCOL.parent / "examples" / "halunken.shrec").read_bytes(), RULES)
    state: State = record.game.start()
    steps: list[Step] = []
    while not isinstance(state.node, Simultaneous):
        steps.append(record.steps[len(steps)])
        state = advance(state, steps[-1])
    engine = Engine(RULES, "greedy")
    told(engine, "setoption name MultiChoice value 3", f"position {one_line(record.game, steps)}")
    for player in (0, 1):
        info = [line.split() for line in told(engine, f"go player {player}")[:-1]]
        expected = ranked(options(state, player, evaluator("halunken")))[:3]
        assert [(words[4], words[6]) for words in info] == [
            (each.action, f"{each.value.chance:.4f}") for each in expected
        ]


COMMANDS = ("engine", "isready", "setoption name", "newgame", "position", "legal", "go", "stop")
PARTS = ("value", "Level", "Seed", "MultiChoice", "player", "0", "1", '[Game "', '[Game "shanghaien"]', "roll", "-1<")
WORDS = st.sampled_from([*COMMANDS, *PARTS, *MOVES.split()])
LONG = st.sampled_from([b"x" * length for length in (MAX_LINE - 1, MAX_LINE, 3 * MAX_LINE)])
GARBAGE = st.lists(st.one_of(st.lists(WORDS).map(" ".join), st.text(), WORDS), max_size=8)


@given(GARBAGE)
def test_whatever_is_sent_is_answered_by_the_grammar(spoken: list[str]) -> None:
    engine = Engine(GAMES, "random")
    for line in spoken:
        for answer in engine.answer(line):
            assert ANSWER.fullmatch(answer)
            assert len(answer.splitlines()) == 1
    assert told(engine, "isready") == ["readyok"]
    assert told(engine, f"position {FIRST}", "legal") == ["legal # roll"]


@given(st.lists(st.one_of(st.binary(max_size=40), LONG)))
def test_lines_are_cut_off_and_told_of(spoken: list[bytes]) -> None:
    data = b"\n".join(spoken) + b"\n"
    found = list(lines(BytesIO(data)))
    raw = data.split(b"\n")[:-1]
    assert len(found) == len(raw)
    for line, got in zip(raw, found, strict=True):
        if len(line) + 1 > MAX_LINE:
            assert isinstance(got, UsageError)
            assert got.code == "line_too_long"
        elif isinstance(got, ShanghaienError):
            assert got.code == "line_not_utf8"
            with pytest.raises(UnicodeDecodeError):
                line.decode()
        else:
            assert got == line.decode() + "\n"


def test_the_program_stands_bytes_of_any_kind(tmp_path: Path) -> None:
    rng = Random(1)
    sent = b"".join(rng.randbytes(rng.randrange(200)) + b"\n" for _ in range(200)) + b"y" * 100_000 + b"\nisready"
    done = subprocess.run(
        [*PROGRAM, "engine"], input=sent, env=environment(tmp_path), capture_output=True, timeout=PATIENCE, check=True
    )
    answers = done.stdout.decode().split("\n")
    assert answers[-2:] == ["readyok", ""]
    assert answers[-3].startswith("error line_too_long ")
    assert all(ANSWER.fullmatch(answer) for answer in answers[:-1])
    assert done.stderr == b""


def test_ctrl_c_ends_it_without_a_traceback(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", OUR_GAMES_ALONE, "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == "readyok\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert "Traceback" not in errors


def test_a_reader_that_leaves_is_no_fault(tmp_path: Path) -> None:
    done = subprocess.run(
        f"yes isready | {' '.join(PROGRAM)} engine | head -1",
        shell=True,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout == "readyok\n"
    assert "Traceback" not in done.stderr
