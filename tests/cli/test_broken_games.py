"""A part of a game that fails, or is missing, is told in one sentence; nothing is lost, and other games go on."""

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pexpect
import pytest

from tests.cli.program import PROGRAM, environment, shanghaien
from tests.spawned import Spawned
from tests.sweeps import sweep
from tests.toy import install

ROOT = Path(__file__).parent.parent.parent
NOTHING = "nothing:nothing"
"""Breaks no part."""
PLAYED = ("play", "--game", "toy", "--rounds", "2", "--player", "random", "--plain")
FAILED = "The game Toy failed (RuntimeError('out of order')). Report it to the author of toy."
MISSING = "A part of the game cannot be imported: tests.broken:MISSING"
LACKING = "The game toy lacks required sentences: places."


class Home(NamedTuple):
    """A home, and where the game that breaks is installed."""

    folder: Path
    path: str

    def environment(self, breaks: str) -> dict[str, str]:
        return {"PYTHONPATH": self.path, "TOY_FAILS": breaks}

    def run(self, breaks: str, *arguments: object, **more: str) -> "subprocess.CompletedProcess[str]":
        return shanghaien(self.folder, *arguments, **self.environment(breaks), **more)


@cache
def log_of(home: Home, game: str) -> Path:
    """Return the log of a game of that name in a home."""
    logs = (home.folder / "games").glob("*-host.shlog")
    (found,) = (log for log in logs if f'[Game "{game}"]' in home.run(NOTHING, "export", log).stdout)
    return found


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    installed = install(tmp_path_factory.mktemp("installed"), "toy", "tests.broken:SPEC")
    return os.pathsep.join(map(str, (installed, ROOT)))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, path: str) -> Home:
    """Return a home with a finished game of the toy, in which something is drawn, and one of Shanghaien."""
    home = Home(tmp_path_factory.mktemp("home"), path)
    for game in (("toy", "--opening", "draw"), ("shanghaien",)):
        done = home.run(NOTHING, "play", "--game", *game, "--player", "random", "--plain")
        assert (done.returncode, done.stderr) == (0, "")
    return home


@pytest.fixture
def empty(tmp_path: Path, path: str) -> Home:
    return Home(tmp_path, path)


def told(done: "subprocess.CompletedProcess[str]") -> str:
    """Return the one sentence on standard error of a command that cannot do what it is asked for."""
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    return said


@sweep(
    "breaks, sentence",
    [
        ("table:news", FAILED),
        ("game:events", None),
        ("table", MISSING),
        ("words", MISSING),
        ("words:places", LACKING),
        ("words:drawn", None),
        ("evaluator", None),
        ("chance", None),
        ("board", None),
    ],
    every=4,
)
def test_a_game_whose_table_fails_is_kept_and_goes_on_once_that_is_mended(
    empty: Home, breaks: str, sentence: str | None
) -> None:
    """A part that lines do not need does not matter (`sentence` is None)."""
    done = empty.run(breaks, *PLAYED)
    if sentence is None:
        assert (done.returncode, done.stderr) == (0, "")
        return
    assert sentence in told(done)
    (log,) = (empty.folder / "games").glob("*-host.shlog")
    assert log.name[:8] in done.stdout
    going_on = empty.run(NOTHING, "resume", "--player", "random", "--plain")
    assert going_on.returncode == 0, going_on.stderr
    assert "COMPLETE" in empty.run(NOTHING, "verify", log).stdout


def test_a_failing_computer_player_is_told_and_the_game_is_kept(empty: Home) -> None:
    done = empty.run(NOTHING, *PLAYED, "--against", "tired")
    assert FAILED in told(done)
    assert empty.run(NOTHING, "resume", "--against", "random", "--player", "random", "--plain").returncode == 0


@pytest.mark.parametrize(("breaks", "level"), [(NOTHING, "tired"), ("evaluator:luck", "random")])
def test_a_failure_in_a_process_of_a_tournament(empty: Home, breaks: str, level: str) -> None:
    game = ("--game", "toy", "--opening", "draw")
    assert FAILED in told(empty.run(breaks, "tournament", level, "random", *game, "--games", 2, "--cores", 2))


@sweep(
    "breaks, sentence, commands",
    [
        ("table:news", FAILED, ["replay --plain", "replay --svg", "replay --html", "analyse"]),
        ("table:picture", FAILED, ["replay --svg", "replay --html"]),
        ("table:opens", FAILED, ["replay --plain", "replay --at 1", "analyse"]),
        ("game:events", FAILED, ["replay --json"]),
        ("game:from_settings", FAILED, ["replay --json", "export", "analyse"]),
        ("evaluator:value", FAILED, ["replay --html", "analyse"]),
        ("evaluator:__init__", FAILED, ["replay --html", "analyse"]),
        ("words:places", LACKING, ["replay --plain", "rules"]),
        ("table", MISSING, ["replay --plain", "replay --svg", "rules"]),
        ("words", MISSING, ["replay --plain", "rules", "analyse"]),
        ("evaluator", MISSING, ["replay --html", "analyse"]),
        ("game", MISSING, ["replay --plain", "replay --json", "export"]),
        ("table:position", FAILED, ["replay --plain"]),
    ],
    every=9,
)
def test_each_command_that_needs_what_is_broken_says_so(
    kept: Home, tmp_path: Path, breaks: str, sentence: str, commands: list[str]
) -> None:
    toy, shanghaien_ = log_of(kept, "toy"), log_of(kept, "shanghaien")
    for command in commands:
        name, *options = command.split()
        into = [tmp_path / command] if options in (["--svg"], ["--html"]) else []
        analysis = ["--analysis"] if options == ["--html"] else []
        for log, game in ((toy, "toy"), (shanghaien_, "shanghaien")):
            about = [game] if name == "rules" else [*options, *into, *analysis, log]
            done = kept.run(breaks, name, *about)
            if game == "toy":
                assert sentence in told(done), command
                assert not any(map(Path.exists, into))
            else:
                assert (done.returncode, done.stderr) == (0, ""), command


def test_a_sentence_that_a_game_lacks_is_shown_by_its_code(kept: Home, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = kept.run("words:drawn", "replay", "--html", page, log_of(kept, "toy"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "toy:drawn" in page.read_text(encoding="utf-8")


@sweep("method", ["value", "__init__", ""], every=2)
def test_stats_count_the_games_of_a_broken_evaluator_all_the_same(kept: Home, method: str) -> None:
    breaks = f"evaluator:{method}" if method else "evaluator"
    done = kept.run(breaks, "stats", "--json")
    (said,) = done.stderr.splitlines()
    assert (FAILED if method else MISSING) in said
    found = json.loads(done.stdout)
    assert (done.returncode, found["unreadable"]) == (0, [])
    assert {each["game"]: each["evaluator"] for each in found["games"]} == {"toy": False, "shanghaien": True}
    assert found["total"]["games"] == 2


@sweep("method", ["events", "deck", ""], every=2)
def test_dice_of_other_games_are_tested_where_a_chance_model_is_broken(kept: Home, method: str) -> None:
    done = kept.run(f"chance:{method}" if method else "chance", "dice", "--json")
    (said,) = done.stderr.splitlines()
    assert (FAILED if method else MISSING) in said
    assert done.returncode == 0
    groups = {each["game"]: each for each in json.loads(done.stdout)["games"]}
    assert not groups["toy"]["chance_model"]
    assert groups["shanghaien"]["tests"]


def test_one_broken_game_among_many_logs_has_its_own_line(kept: Home) -> None:
    verdicts = kept.run("game:from_settings", "verify", log_of(kept, "toy"), log_of(kept, "shanghaien"))
    toy, shanghaien_ = verdicts.stdout.splitlines()
    assert FAILED in toy
    assert "COMPLETE" in shanghaien_
    assert (verdicts.returncode, verdicts.stderr) == (1, "")
    listed = kept.run("game:from_settings", "games")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert FAILED in listed.stdout


def test_where_it_happened_is_shown_where_that_is_wished_for(kept: Home) -> None:
    done = kept.run("table:news", "replay", "--plain", log_of(kept, "toy"), SHANGHAIEN_TRACEBACK="1")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
    assert "broken.py" in done.stderr
    assert FAILED in done.stderr.splitlines()[-1]


def at_full_screen(home: Home, breaks: str, *arguments: object) -> str:
    """Return all that a command writes that ends by itself, with exit code 1, where there could be a full screen."""
    surroundings = environment(home.folder, TERM="xterm-256color", **home.environment(breaks))
    child = Spawned([*PROGRAM, *map(str, arguments)], surroundings, size=(24, 200))
    child.expect(pexpect.EOF)
    assert child.wait() == 1
    return str(child.before)


@sweep(
    "breaks, sentence",
    [
        ("board:board", FAILED),
        ("board:menu_items", FAILED),
        ("table:choices", FAILED),
        ("board", MISSING),
        ("words:places", LACKING),
    ],
    every=3,
)
def test_a_part_that_fails_at_the_full_screen(empty: Home, breaks: str, sentence: str) -> None:
    text = at_full_screen(empty, breaks, "play", "--game", "toy", "--opening", "turn", "--against", "random")
    _, left, after = text.rpartition("\x1b[?1049l")
    assert left, "the terminal is left as it was found"
    assert sentence in " ".join(after.split())
    assert "Traceback" not in text
    (log,) = (empty.folder / "games").glob("*-host.shlog")
    assert log.name[:8] in after
    assert empty.run(NOTHING, "resume", "--player", "random", "--plain").returncode == 0


@sweep("breaks, sentence", [("board:board", FAILED), ("table:news", FAILED), ("board", MISSING)], every=2)
def test_a_part_that_fails_at_the_full_screen_of_a_replay(kept: Home, breaks: str, sentence: str) -> None:
    text = at_full_screen(kept, breaks, "replay", log_of(kept, "toy"))
    assert sentence in " ".join(text.split())
    assert "Traceback" not in text


def test_a_hint_that_fails_costs_no_game(empty: Home) -> None:
    play = ("play", "--game", "toy", "--opening", "turn", "--against", "random", "--plain")
    done = empty.run("evaluator:value", *play, stdin="h\n")
    assert FAILED in " ".join(done.stdout.split())
    assert (done.returncode, done.stderr) == (5, ""), "left at the end of what is typed"
