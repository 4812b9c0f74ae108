"""Pig, installed from examples/pig, in every command as a whole program; without it, its log is unsupported."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import entry_points
from itertools import product
from pathlib import Path

import pexpect
import pytest

from p2p_shanghaien.games.registry import GROUP
from tests import needs
from tests.cli.program import PATIENCE, PROGRAM, RANDOM, Host, Running, environment, logs, shanghaien
from tests.cli.test_completion import COMPLETE
from tests.cli.tmux import CHOOSE, Tmux, Window, home
from tests.installing import install
from tests.spawned import Spawned
from tests.sweeps import sweep

ROOT = Path(__file__).parent.parent.parent
PIG = ROOT / "examples" / "pig"
SHORT = ("--game", "pig", "--goal", 20)
OPTIMAL = ("--player", "optimal")

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

# who installs it for good has it in every program that these tests start
without_it = pytest.mark.skipif("pig" in entry_points(group=GROUP).names, reason="Pig is installed in this environment")


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Return the folder that Pig is installed in, one for all processes of a run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "pig"
    install(PIG, folder)
    return folder


@pytest.fixture(scope="session")
def path(installed: Path) -> str:
    """Return where Python looks for modules, Pig's among them."""
    return os.pathsep.join(map(str, (installed, ROOT)))


class Program:
    """The program with Pig installed, and a home."""

    def __init__(self, home: Path, path: str) -> None:
        self.home = home
        self.path = path

    def run(
        self, *arguments: object, home: str = "home", stdin: str = "", **more: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return shanghaien(self.home / home, *arguments, stdin=stdin, PYTHONPATH=self.path, **more)

    def out(self, *arguments: object, stdin: str = "", **more: str) -> str:
        """Return what a command prints that has nothing to complain of."""
        done = self.run(*arguments, stdin=stdin, **more)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout


@pytest.fixture
def program(tmp_path: Path, path: str) -> Program:
    return Program(tmp_path, path)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, path: str) -> tuple[Program, Path]:
    """Return a finished game between `optimal` and `random`, and its log."""
    program = Program(tmp_path_factory.mktemp("played"), path)
    program.out("play", *SHORT, *RANDOM, "--against", "optimal", "--name", "Ada", "--plain")
    log, *_ = logs(program.home / "home")
    return program, log


@pytest.mark.thorough
def test_its_own_tests_pass_where_it_is_installed(path: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", PIG],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


LEARNER = "roll\nroll\nhold\nroll\nroll\n\nroll\nroll\nhold\n\n"
"""A learner who does what the lesson says."""


@sweep("code", ["de", "en", "fr", "it"], every=4)
def test_its_lesson_is_given_from_data_alone(program: Program, code: str) -> None:
    told = program.out("--lang", code, "learn", "pig", stdin=LEARNER)
    assert len(re.findall("^--- .* ---$", told, re.MULTILINE)) == 10
    assert "shanghaien play --game pig" in told
    assert "lesson_" not in told
    assert ("Whoever first has 20 points" in told) == (code == "en")


def test_a_game_is_verified_exported_and_replayed(played: tuple[Program, Path], tmp_path: Path) -> None:
    program, log = played
    assert "COMPLETE" in program.out("verify", log)
    record = program.out("export", log)
    assert record.startswith('[Game "pig"]\n')
    assert '[Goal "20"]' in record
    last = json.loads(program.out("replay", "--json", log).splitlines()[-1])
    assert last["event"] == "result"
    assert max(last["scores"]) >= 20
    kept = tmp_path / "game.shrec"
    kept.write_text(record, encoding="utf-8")
    for file in (log, kept):
        told = program.out("replay", "--plain", file)
        assert "rolled a" in told
        assert "First to 20" in told
        assert re.search(r"Ada +\d+", told)


@pytest.mark.thorough
def test_a_game_is_drawn(played: tuple[Program, Path], tmp_path: Path) -> None:
    program, log = played
    for option, name in (("--svg", "place.svg"), ("--html", "game.html")):
        file = tmp_path / name
        program.out("replay", log, option, file)
        assert "of 20 points banked" in file.read_text(encoding="utf-8")
    program.out("replay", log, "--html", tmp_path / "analysed.html", "--analysis")
    assert (tmp_path / "analysed.html").stat().st_size > (tmp_path / "game.html").stat().st_size


def test_a_place_is_a_turn_or_a_part_of_one(program: Program) -> None:
    record = program.home / "game.shrec"
    record.write_text('[Game "pig"]\n[First "Ada"]\n[Second "Ben"]\n\n654h 541\n', encoding="utf-8")
    for place, said in (("1.2", "Ada rolled a 5: 11"), ("2.1", "Ben rolled a 5: 5"), ("end", "Ben rolled a 1")):
        program.out("replay", record, "--at", place, "--svg", program.home / "place.svg")
        assert said in (program.home / "place.svg").read_text(encoding="utf-8")
    done = program.run("replay", record, "--at", "3", "--svg", program.home / "none.svg")
    assert done.returncode == 2
    assert "The nearest is 2" in done.stderr


def test_luck_is_told_from_skill(played: tuple[Program, Path]) -> None:
    program, log = played
    analysed = json.loads(program.out("analyse", "--json", log))
    one, two = analysed["players"]
    for player in (one, two):
        for unit in ("chance", "points"):
            parts = (player[part][unit] for part in ("start", "luck", "skill", "given_up"))
            assert sum(parts) == player["result"][unit]
    optimal = two if analysed["names"][0] == "Ada" else one
    assert optimal["lost"]["chance"] == 0
    assert "luck" in program.out("analyse", log)


@pytest.mark.thorough
def test_games_are_counted(played: tuple[Program, Path]) -> None:
    program, log = played
    assert "Computer (optimal)" in program.out("stats")
    assert json.loads(program.out("stats", "--json"))["total"]["games"] == 1
    assert "pig" in program.out("games").casefold() or log.name[:12] in program.out("games")
    rolls = program.out("replay", "--json", log).count('"event": "roll"')
    assert f"{rolls} dice" in program.out("dice", log)


def test_it_has_rules_tournaments_and_an_engine(program: Program) -> None:
    assert program.out("rules", "pig").startswith("PIG\n")
    summary = json.loads(program.out("tournament", "optimal", "random", *SHORT, "--games", 20, "--json"))
    assert summary["game"] == "pig"
    assert summary["settings"]["goal"] == "20"
    assert (
        json.loads(program.out("tournament", "random", "random", "--goal", 20, "--games", 2, "--json"))["game"] == "pig"
    )
    asked = 'engine\nsetoption name Level value optimal\nposition [Game "pig"] 6666h 1 66\nlegal\ngo\nquit\n'
    answers = program.out("engine", stdin=asked).splitlines()
    assert "game pig 1" in answers
    assert "legal roll hold" in answers or "legal hold roll" in answers
    assert answers[-1] == "bestmove roll", "at 24 to 0 with 12 points"


def test_its_options_stand_under_its_name(program: Program) -> None:
    text = program.out("play", "--game", "pig", "--help")
    assert "Options of Pig:" in text
    assert "--goal" in text
    assert "--tricks" not in text
    done = program.run("play", "--game", "pig", "--goal", "5", "--plain")
    assert done.returncode == 2
    assert "The goal cannot be 5: it is a whole number from 10 to 200." in " ".join(done.stderr.split())
    done = program.run("play", "--game", "pig", "--against", "greedy", "--plain")
    assert done.returncode == 2
    assert "Pig has no computer player greedy. It has: random, optimal." in " ".join(done.stderr.split())


def test_the_settings_can_name_it(program: Program) -> None:
    (program.home / "home").mkdir()
    (program.home / "home" / "settings.json").write_text('{"game": "pig"}', encoding="utf-8")
    assert "Pig (goal 100)" in program.run("play", "--plain").stdout


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_the_shell_offers_it(program: Program, path: str, shell: str) -> None:
    command = program.home / "bin" / "shanghaien"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m p2p_shanghaien "$@"\n')
    command.chmod(0o755)
    line = "shanghaien play --game p"
    words = " ".join(f"'{word}'" for word in line.split(" "))
    shown = subprocess.run(
        [needs.program(shell), "-c", COMPLETE[shell].format(line=line, words=words)],
        env=environment(
            program.home / "home",
            PATH=f"{command.parent}:{os.environ['PATH']}",
            HOME=str(program.home),
            PYTHONPATH=path,
            TERM="xterm",
        ),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "pig" in shown.stdout.split()


@sweep(
    "language, words",
    [
        ("en", ("First to 20", "rolled a", "PIG")),
        ("fr", ("Le premier à 20", "a fait un", "Lancez le dé")),
        ("it", ("Il primo a 20", "ha tirato un", "Tira il dado")),
        ("de", ("Wer zuerst 20 hat", "würfelt eine", "Würfle")),
    ],
    every=3,
)
def test_it_speaks_every_language(played: tuple[Program, Path], language: str, words: tuple[str, ...]) -> None:
    program, log = played
    text = program.out("--lang", language, "replay", "--plain", log) + program.out("--lang", language, "rules", "pig")
    assert [word for word in words if word not in text] == []


def test_its_translations_are_up_to_date(tmp_path: Path) -> None:
    """Babel's own commands, which a translator uses, change nothing in them."""
    copy = tmp_path / "pig"
    shutil.copytree(PIG, copy)
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "extract_messages", "update_catalog"],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    catalogues = sorted(path.relative_to(PIG) for path in PIG.rglob("*.po"))
    assert len(catalogues) == 3
    assert [path for path in catalogues if (copy / path).read_bytes() != (PIG / path).read_bytes()] == []


@pytest.mark.thorough
def test_two_programs_play_it(program: Program) -> None:
    here = program.home / "here"
    with Host(here, *SHORT, *OPTIMAL, PYTHONPATH=program.path) as host:
        guest = program.run("join", host.address, "--game", "pig", *RANDOM, home="there")
        assert host.exit_code() == guest.returncode == 0, host.output + guest.stdout + guest.stderr
    (ours,), (theirs,) = logs(here), logs(program.home / "there")
    assert ours.read_bytes() == theirs.read_bytes()
    assert "COMPLETE" in program.out("verify", ours)


def test_a_guest_that_insists_on_another_game_finds_none(program: Program) -> None:
    with Host(program.home / "here", *SHORT, *OPTIMAL, PYTHONPATH=program.path) as host:
        for wish in (("--game", "shanghaien"), ("--game", "pig", "--goal", 30)):
            done = program.run("join", host.address, *wish, *RANDOM, home="there")
            assert done.returncode == 4
            assert "Traceback" not in done.stderr


@without_it
def test_a_guest_without_it_is_told(program: Program) -> None:
    with Host(program.home / "here", *SHORT, *OPTIMAL, PYTHONPATH=program.path) as host:
        done = shanghaien(program.home / "there", "join", host.address, *RANDOM)
        assert done.returncode == 4
        assert "pig" in done.stderr


@pytest.mark.thorough
def test_a_match_that_is_cut_goes_on(program: Program) -> None:
    """A person at the host's seat has come to a choice when both programs are killed; `optimal` goes on there."""
    here, there = program.home / "here", program.home / "there"
    with ExitStack() as stack:
        host = stack.enter_context(Host(here, "--game", "pig", PYTHONPATH=program.path))
        guest = stack.enter_context(Running(there, "join", host.address, *RANDOM, PYTHONPATH=program.path))
        host.wait_for("Play with")
        host.type("y")
        host.wait_for("Your choice")
        guest.stop()
        host.stop()
        (log,) = logs(here)
        assert program.run("verify", log).returncode == 5
        one = stack.enter_context(Running(here, "resume", *OPTIMAL, PYTHONPATH=program.path))
        one.wait_for("Resuming")
        other = program.run("resume", *RANDOM, home="there")
        assert other.returncode == one.exit_code() == 0, other.stdout + other.stderr + one.output
    assert log.read_bytes() == logs(there)[0].read_bytes()
    assert "COMPLETE" in program.out("verify", log)


@pytest.mark.thorough
def test_hints_while_one_plays(program: Program) -> None:
    done = program.run("play", "--game", "pig", "--against", "random", stdin="hint\nroll\nroll\nroll\n")
    assert re.search(r"roll the die \[roll\]: win probability \d+\.\d%;", " ".join(done.stdout.split()))


@pytest.mark.thorough
def test_it_is_practised_with_a_tutor(program: Program) -> None:
    """Holding after one roll is a mistake, whatever it showed; taken back, the turn goes on with the same die."""
    typed = "roll\nhold\ny\nhold\nn\nundo\n" * 8 + "roll\nhold\nn\n" * 3
    output = program.out(
        "play", "--practice", "--tutor-from", "0.1", "--game", "pig", "--against", "random", "--plain", stdin=typed
    )
    told = " ".join(output.split())
    assert "[hold] costs" in told
    assert "Better: roll the die [roll]." in told
    assert "Your last decision is taken back." in told
    (record,) = (program.home / "home" / "practice").iterdir()
    assert '[Practice "yes"]' in record.read_text()
    assert program.run("analyse", record).returncode == 0


def test_what_cannot_be_done_is_explained(program: Program) -> None:
    done = program.run("play", "--game", "pig", "--against", "random", stdin="hold\nfold\n?\nrules\n")
    text = " ".join(done.stdout.split())
    assert "There is nothing to bank yet: roll first." in text
    assert '"fold" is not one of the choices' in text
    assert "Points that are banked are safe." in text
    assert "What you can type" in text


@pytest.mark.thorough
def test_a_narrow_terminal_reads_sentences(program: Program) -> None:
    """Narrow columns are replaced by words."""
    surroundings = environment(program.home / "home", PYTHONPATH=program.path, TERM="xterm", COLUMNS="44")
    play = [*PROGRAM, "play", "--game", "pig", "--plain", "--name", "Ada"]
    child = Spawned(play, surroundings, size=(24, 44))
    child.expect("You: 0 of 100 points banked")
    child.expect("Your choice")
    child.sendeof()
    child.expect(pexpect.EOF)
    assert child.wait() == 5


@without_it
def test_without_it_its_log_is_unsupported(played: tuple[Program, Path]) -> None:
    program, log = played
    done = shanghaien(program.home / "home", "verify", log)
    assert done.returncode == 1
    assert "UNSUPPORTED" in done.stdout
    assert "pig" in done.stdout
    done = shanghaien(program.home / "home", "play", "--game", "pig")
    assert done.returncode == 2
    assert "pig" in done.stderr


@pytest.mark.thorough
def test_a_copy_under_another_name_is_another_game(path: str, tmp_path: Path) -> None:
    """The commands are those with which CONTRIBUTING.md begins a game."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = re.search(r"^cp -r examples/pig .*?(?=^pip install)", page, re.MULTILINE | re.DOTALL)
    assert commands
    shutil.copytree(PIG, tmp_path / "clone" / "examples" / "pig")
    subprocess.run(["bash", "-ec", commands[0]], cwd=tmp_path / "clone", timeout=PATIENCE, check=True)
    install(tmp_path / "hog", tmp_path / "installed")
    program = Program(tmp_path, os.pathsep.join((str(tmp_path / "installed"), path)))
    assert program.out("--lang", "de", "rules", "hog").startswith("HOG\n\nEin Spiel mit einem Würfel")
    for game in ("hog", "pig"):
        done = program.out("tournament", "optimal", "random", "--game", game, "--goal", 20, "--games", 2, "--json")
        assert json.loads(done)["game"] == game
    both = program.run("play", "--goal", 20, "--plain")
    assert both.returncode == 2
    assert "Several games have --goal: hog, pig." in " ".join(both.stderr.split())


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(tmp_path / "tmux") as server:
        yield server


@pytest.mark.thorough
@sweep("size, look", product([(80, 24), (120, 40)], [(), ("--ascii",)]), every=4)
def test_a_whole_game_at_the_full_screen(
    tmux: Tmux, path: str, tmp_path: Path, size: tuple[int, int], look: tuple[str, ...]
) -> None:
    command = ("play", "--game", "pig", "--goal", 10, "--against", "random", "--name", "Ada", *look)
    window = Window(tmux, home(tmp_path / "home"), size, *command, PYTHONPATH=path)
    over = "The end of the game"
    key = re.compile(r"\[([rb])\]")
    while over not in (text := window.until(lambda text: (CHOOSE in text and key.search(text)) or over in text)):
        window.move(key.findall(text)[0])
    window.until("Another game?")
    window.keys("n")
    assert window.exit_code() == 0


@pytest.mark.thorough
def test_hints_at_the_full_screen(tmux: Tmux, path: str, tmp_path: Path) -> None:
    window = Window(tmux, home(tmp_path / "home"), (80, 24), "play", "--game", "pig", PYTHONPATH=path)
    window.until(CHOOSE)
    window.keys("h")
    window.until(lambda text: re.search(r"\d\d\.\d% .*\[r\] roll the die", text))


def test_a_replay_at_the_full_screen(tmux: Tmux, played: tuple[Program, Path], tmp_path: Path) -> None:
    program, log = played
    window = Window(tmux, home(tmp_path / "home"), (80, 24), "replay", log, PYTHONPATH=program.path)
    window.until("First to 20")
    window.keys("h")
    window.answer("the win probability of", "Escape")
    window.keys("End")
    window.until("wins")
    window.keys("q")
