"""`shanghaien tournament` as a person, a script and an impatient person use it."""

import json
import os
import re
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import Any

import pexpect
import pytest

from p2p_shanghaien.analysis.tournament import Contest
from p2p_shanghaien.app.tournament import played
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.ui.words import describe
from tests.cli.program import PATIENCE, PROGRAM, environment, shanghaien


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def result(home: Path, *arguments: object) -> dict[str, Any]:
    done = shanghaien(home, "tournament", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.thorough
def test_says_who_is_stronger(home: Path) -> None:
    done = shanghaien(home, "tournament", "easy", "random", "--games", 20, "--seed", 3)
    assert done.returncode == 0
    assert done.stderr == "", "a bar is for terminals"
    head, score, rate, margin, adjusted, *_ = done.stdout.splitlines()
    assert "easy against random: 20 games of Shanghaien (variant standard, tricks p3 b3 r2), seed 3" in head
    won, drawn, lost = map(int, re.findall(r"\d+", score))
    assert won + drawn + lost == 20
    assert won > lost
    assert f"{100 * (won + drawn / 2) / 20:.1f}%" in rate
    assert "95%" in margin
    assert "luck" in adjusted
    assert not home.exists(), "nothing is kept"


@pytest.mark.thorough
def test_the_seed_fixes_the_result_on_any_number_of_cores(home: Path) -> None:
    alone = result(home, "easy", "random", "--games", 11, "--seed", 3, "--cores", 1)
    assert alone == result(home, "easy", "random", "--games", 11, "--seed", 3, "--cores", 3)
    assert alone["games"] == 12, "games come in pairs"
    assert alone["complete"] is True
    assert alone["players"] == ["easy", "random"]
    for name in ("win_rate", "margin", "adjusted_win_rate", "adjusted_margin"):
        assert alone[name]["low"] <= alone[name]["mean"] <= alone[name]["high"]
    other = result(home, "easy", "random", "--games", 11)
    assert other["margin"] != alone["margin"]
    again = result(home, "easy", "random", "--games", 11, "--seed", other["seed"])
    assert again == other


@pytest.mark.thorough
def test_takes_the_options_of_the_game(home: Path) -> None:
    options = ("--variant", "extra-wild", "--tricks", "p0,b8,r0")
    found = result(home, "random", "random", "--games", 1, *options)
    assert found["settings"] == {"variant": "extra-wild", "tricks": "p0 b8 r0"}
    assert found["games"] == 2
    assert found["win_rate"]["low"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("easy", "nobody"), "nobody"),
        (("easy",), "Missing"),
        (("easy", "random", "--games", "0"), "games"),
        (("easy", "random", "--tricks", "p9"), "p9"),
    ],
)
def test_says_what_cannot_be(home: Path, arguments: tuple[str, ...], said: str) -> None:
    done = shanghaien(home, "tournament", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def dies(state: State, player: int, rng: Random) -> str:
    os._exit(1)


def test_a_process_that_dies_is_told_of() -> None:
    with pytest.raises(LocalError, match="worker_died") as raised:
        played(Contest(Shanghaien(), (dies, dies), 1), 2, 1)
    assert "--cores" in describe(raised.value)


class Unreadable(Exception):
    """An exception that cannot be unpickled: a bug, and no death of a process."""

    def __init__(self, *, reason: str) -> None:
        super().__init__(reason)


def fails(state: State, player: int, rng: Random) -> str:
    raise Unreadable(reason="boom")


def test_a_bug_is_not_told_as_the_death_of_a_process() -> None:
    with pytest.raises(BrokenProcessPool) as raised:
        played(Contest(Shanghaien(), (fails, fails), 1), 2, 1)
    assert "Unreadable" in str(raised.value.__cause__)


@pytest.mark.thorough
def test_ctrl_c_shows_what_there_is(home: Path) -> None:
    """The bar goes, the cursor comes back, and the games that were finished count."""
    child = pexpect.spawn(
        PROGRAM[0],
        [*PROGRAM[1:], "tournament", "greedy", "easy", "--games", "100000", "--cores", "2"],
        env={**environment(home), "TERM": "xterm-256color", "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=PATIENCE,
    )
    try:
        while _count(child, r"(\d+)/100000") < 10:
            pass
        child.sendintr()
        assert _count(child, r"greedy against easy: (\d+) games") >= 10
        bar = str(child.before)
        child.expect(pexpect.EOF)
        told = str(child.before)
        assert "Traceback" not in bar + told
        assert "Stopped." in told
        assert (bar + told).rfind("\x1b[?25h") > (bar + told).rfind("\x1b[?25l"), "the cursor is shown again"
    finally:
        child.close(force=True)
    assert child.exitstatus == 1


def _count(child: "pexpect.spawn[str]", pattern: str) -> int:
    """Return the number in what `pattern` finds next."""
    child.expect(pattern)
    found = child.match
    assert isinstance(found, re.Match)
    return int(found.group(1))
