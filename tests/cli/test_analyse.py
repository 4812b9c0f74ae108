"""`shanghaien analyse` and `shanghaien stats` as people and other programs use them."""

import json
import os
import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pexpect
import pytest
from rich.cells import cell_len

from p2p_shanghaien.analysis import annotate
from p2p_shanghaien.app.analysis import Analysed, analyse, analysed
from p2p_shanghaien.errors import LocalError, ShanghaienError, StoreCode
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.report.stats import COLUMNS, HEADS, line
from p2p_shanghaien.ui.view import ASCII
from p2p_shanghaien.ui.words import describe, say
from tests.cli.program import PATIENCE, PROGRAM, RANDOM, environment, logs, shanghaien
from tests.pair import make_pair
from tests.protocol.files import load
from tests.toy import Toy
from tests.ui import ledger

RECORDS = ledger.RECORDS
WORTH = {"chance", "points"}


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def results(home: Path, *arguments: object, code: int = 0) -> list[dict[str, Any]]:
    done = shanghaien(home, "analyse", *arguments, "--json")
    assert done.returncode == code, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_worst_grade_comes_first_and_costs_most() -> None:
    assert tuple(annotate.Grade) == tuple(annotate.THRESHOLDS)
    assert sorted(annotate.THRESHOLDS.values(), reverse=True) == list(annotate.THRESHOLDS.values())


def test_a_game_as_text(home: Path) -> None:
    done = shanghaien(home, "analyse", RECORDS[5])
    assert (done.returncode, done.stderr) == (0, "")
    assert "not signed" in done.stdout
    assert "A blunder: it cost" in done.stdout
    assert re.search(r"^= result +0\.0% +-18\.00 +100\.0% +\+18\.00$", done.stdout, re.MULTILINE)
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert not home.exists(), "nothing is kept"
    ascii_only = shanghaien(home, "analyse", RECORDS[5], "--ascii").stdout
    assert ascii_only.isascii()
    plain = shanghaien(home, "analyse", RECORDS[5], "--plain").stdout
    assert "•" not in plain
    assert len(shanghaien(home, "analyse", RECORDS[5], "--all").stdout) > 2 * len(done.stdout)
    home.mkdir()
    (home / "settings.json").write_text('{"ascii": true}')
    assert shanghaien(home, "analyse", RECORDS[5]).stdout == ascii_only


def test_the_json_is_as_the_page_says(home: Path) -> None:
    """protocol/RECORD.md, section 6."""
    (game,) = results(home, RECORDS[2])
    record = ledger.load(RECORDS[2])
    assert game["file"] == str(RECORDS[2])
    assert game["names"] == list(record.names)
    assert (game["game"], game["verdict"], game["end"]) == ("shanghaien", None, "over")
    assert game["units"] == {"chance": 1_000_000, "points": 1_000}
    assert game["thresholds"] == {"blunder": 80_000, "mistake": 40_000, "inaccuracy": 20_000}
    assert [step["step"] for step in game["steps"]] == list(range(len(record.steps)))
    at = game["start"]
    for step in game["steps"]:
        assert step["before"] == at
        at = step["after"]
        assert set(at) == WORTH
        assert all(isinstance(value, int) for value in at.values())
        assert step["kind"] in ("decision", "forced", "draw")
        assert re.fullmatch(r"\d+(\.\d+\.\d+)?", step["place"])
        more = set(step) - {"step", "place", "kind", "player", "before", "after"}
        if step["kind"] == "draw":
            assert more == {"luck"}
            assert set(step["luck"]) == WORTH
            assert (step["player"] is None) == ("." not in step["place"])
        elif step["kind"] == "forced":
            assert more == {"action"}
        else:
            assert more == {"action", "best", "cost", "grade", "options"}
            actions = [option["action"] for option in step["options"]]
            assert {step["action"], step["best"]} <= set(actions)
            assert len(actions) == len(set(actions)) > 1
            costs = [option["cost"]["chance"] for option in step["options"]]
            assert costs == sorted(costs)
            assert costs[0] == 0
            cost = step["cost"]["chance"]
            names = [name for name, least in game["thresholds"].items() if cost >= least]
            assert step["grade"] == (names[0] if names else None)
    for player, sums in enumerate(game["players"]):
        for unit in WORTH:
            parts = [sums[part][unit] for part in ("start", "luck", "skill", "given_up")]
            assert sum(parts) == sums["result"][unit]
        assert sums["decisions"] == sum(
            step["kind"] == "decision" and step["player"] == player for step in game["steps"]
        )
        assert sum(sums["grades"].values()) <= sums["decisions"]
    assert game["players"][0]["result"]["points"] == -game["players"][1]["result"]["points"] == at["points"]


@pytest.mark.thorough
def test_any_number_of_processes_comes_to_the_same(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    for path in RECORDS[3:6]:
        shutil.copy(path, folder)
    alone = results(home, folder, "--cores", 1)
    assert [Path(game["file"]).name for game in alone] == [path.name for path in RECORDS[3:6]]
    assert results(home, folder, "--cores", 2) == alone
    assert results(home, RECORDS[3])[0]["steps"] == alone[0]["steps"]


def at_terminal(home: Path, command: str) -> str:
    """Return all that a terminal gets from a shell that carries out `command`."""
    child = pexpect.spawn(
        "sh",
        ["-c", command],
        env={**environment(home), "TERM": "xterm-256color", "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=PATIENCE,
    )
    try:
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    assert child.exitstatus == 0
    return str(child.before)


@pytest.mark.thorough
def test_the_bar_takes_nothing_from_the_output(home: Path, tmp_path: Path) -> None:
    command = shlex.join([*PROGRAM, "analyse", "--cores", "1", *map(str, RECORDS[5:7])])
    shown = at_terminal(home, command)
    assert re.search(r"\d/2", shown)
    text = shown[shown.rindex("\x1b[?25h") :]
    assert text.count("= result") == 2, "nothing is written over the bar"
    out = tmp_path / "out.jsonl"
    shown = at_terminal(home, f"{command} --json >{out}")
    assert re.search(r"\d/2", shown)
    assert "{" not in shown
    assert [json.loads(line)["end"] for line in out.read_text().splitlines()] == ["over"] * 2


def test_bad_files_are_told_of_and_the_others_analysed(home: Path, tmp_path: Path) -> None:
    bad, early = tmp_path / "bad.shrec", tmp_path / "early.shrec"
    bad.write_text('[Game "shanghaien"]\n1. D1 F4 T1 Xp A3 A9\n')
    early.write_text('[Game "shanghaien"]\n[Ended "1 resigned"]\n1. D1 F4 T1 Xp A3 A4 56-5<\n')
    done = shanghaien(home, "analyse", bad, early, tmp_path / "none", "--json")
    assert done.returncode == 3
    (game,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert game["end"] == "resigned"
    assert game["players"][0]["result"]["chance"] == 1_000_000
    assert game["players"][0]["given_up"]["chance"] == -game["players"][1]["given_up"]["chance"] > 0
    assert str(bad) in done.stderr
    assert "A9" in done.stderr
    assert "none" in done.stderr
    assert "Traceback" not in done.stderr
    told = shanghaien(home, "analyse", early).stdout
    assert "+ given up" in told
    assert "resigned" in told
    assert shanghaien(home, "analyse", tmp_path / "none").returncode == 1
    nothing = shanghaien(home, "analyse")
    assert nothing.returncode == 1
    assert "no saved games" in nothing.stderr


def test_an_empty_folder_is_said_to_be_one(home: Path, tmp_path: Path) -> None:
    done = shanghaien(home, "analyse", tmp_path)
    assert done.returncode == 1
    assert str(tmp_path) in done.stderr


def test_a_log_with_a_violation_is_analysed_up_to_it(home: Path, tmp_path: Path) -> None:
    """In the course of a game, and in the result of one that was played out."""
    wanted = ("fork-later", "result-scores")
    early, late = sorted((test for test in load("logs") if test["id"] in wanted), key=lambda test: test["sound"])
    paths = []
    for test in (early, late):
        paths.append(tmp_path / f"{test['id']}.shlog")
        paths[-1].write_bytes(bytes.fromhex(test["log"]))
    games = results(home, *paths, code=6)
    assert [(game["verdict"], game["end"]) for game in games] == [("VIOLATION", "violation")] * 2
    assert 0 < len(games[0]["steps"]) < 10 < len(games[1]["steps"])
    told = shanghaien(home, "analyse", *paths)
    assert told.returncode == 6
    assert told.stdout.count("VIOLATION (") == 2
    assert "= result so far" in told.stdout


def test_a_game_whose_positions_have_no_known_worth() -> None:
    record = Record(Toy())
    ((name, outcome),) = analysed([("toy", record)], 1)
    assert name == "toy"
    assert isinstance(outcome, LocalError)
    assert "toy" in describe(outcome)
    with pytest.raises(LocalError, match="no_evaluator"):
        analyse(record)


def test_outcomes_keep_the_order_of_the_files() -> None:
    found: list[tuple[str, Record | ShanghaienError]] = []
    for path, length in zip(RECORDS[5:8], (30, 2, 5), strict=True):
        game = ledger.load(path)
        # the first takes the longest
        found.append((path.stem, replace(game, steps=game.steps[:length], ended=None)))
    found.insert(1, ("lost", LocalError(StoreCode.NO_SUCH_FILE, name="lost")))
    outcomes = dict(analysed(found, 2))
    assert list(outcomes) == [name for name, _ in found]
    for name, outcome in outcomes.items():
        assert isinstance(outcome, ShanghaienError if name == "lost" else Analysed)


def keep(home: Path, data: bytes, name: str) -> None:
    (home / "games").mkdir(parents=True, exist_ok=True)
    (home / "games" / name).write_bytes(data)


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_ones_own_games_are_summed_up_by_opponent(home: Path) -> None:
    for against in ("random", "easy"):
        played = shanghaien(home, "play", *RANDOM, "--against", against, "--name", "Ada")
        assert played.returncode == 0, played.stderr
    assert len(logs(home)) == 4, "the computer keeps its own"
    pair = make_pair(Random(1))
    pair.play(Random(2))
    keep(home, pair.logs[0], f"{'0' * 64}-host.shlog")  # somebody else's
    done = shanghaien(home, "stats", "--json", "--cores", 2)
    assert (done.returncode, done.stderr) == (0, "")
    (found,) = json.loads(done.stdout)["games"]
    assert (found["game"], found["evaluator"]) == ("shanghaien", True)
    assert found["settings"] == {"variant": "standard", "tricks": "p3 b3 r2"}
    assert {each["name"] for each in found["opponents"]} == {"Computer (random)", "Computer (easy)"}
    total = found["total"]
    assert total["games"] == total["won"] + total["drawn"] + total["lost"] == total["played_out"] == 2
    for field in ("games", "won", "margin"):
        assert total[field] == sum(each[field] for each in found["opponents"])
    own = [log for log in logs(home) if log.name.endswith("-host.shlog") and not log.name.startswith("0" * 64)]
    by_game = [game["players"][int(game["names"][1] == "Ada")] for game in results(home, *own)]
    assert sum(each["lost"]["chance"] for each in by_game) == total["own"]["cost"]["chance"]
    assert sum(each["decisions"] for each in by_game) == total["own"]["decisions"]
    assert sum(each["luck"]["points"] for each in by_game) == total["luck"]["points"]
    text = shanghaien(home, "stats").stdout
    assert text.startswith("Shanghaien (variant standard, tricks p3 b3 r2)\n")
    assert "in all" not in text, "one table says it"
    assert re.search(r"^All +2 +\d-\d-\d ", text, re.MULTILINE)
    assert max(map(len, text.splitlines()[:6])) <= 80


def test_without_games_it_says_so(home: Path) -> None:
    done = shanghaien(home, "stats")
    assert done.returncode == 0
    assert "shanghaien play" in done.stdout
    assert json.loads(shanghaien(home, "stats", "--json").stdout)["games"] == []


def test_a_record_among_the_kept_logs_is_no_game_of_ones_own(home: Path) -> None:
    keep(home, RECORDS[5].read_bytes(), "game.shlog")
    done = shanghaien(home, "stats", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["games"] == []


def test_a_page_has_the_analysis_if_it_is_asked_for(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    assert shanghaien(home, "replay", RECORDS[5], "--html", out, "--analysis").returncode == 0
    page = out.read_text(encoding="utf-8")
    assert 'class="curve"' in page
    assert "A blunder: it cost" in page
    refused = shanghaien(home, "replay", RECORDS[5], "--analysis")
    assert refused.returncode == 2
    assert "shanghaien analyse" in refused.stderr


@pytest.mark.parametrize("code", LANGUAGES)
def test_headings_of_the_table_stand_apart(code: str) -> None:
    choose(code)
    try:
        for ascii_only in (False, True):
            labels = [say("stats_opponent"), *(say(f"stats_{head}") for head in HEADS)]
            fitted = [ASCII.transliterate(label) if ascii_only else label for label in labels]
            for label, width in zip(fitted, COLUMNS, strict=True):
                assert cell_len(label) <= width - (label != fitted[1])
        assert sum(COLUMNS) == 80
    finally:
        choose("en")


def test_figures_that_are_wider_than_their_columns_stand_apart() -> None:
    cells = ["Ada", "3", "1-0-2", "-1234567.89", "1.00%", "2.00%", "-123456.7%"]
    assert line(cells).split() == cells
    assert len(line(["Ada", "3", "1-0-2", "-13.20", "1.00%", "2.00%", "+1.0%"])) == sum(COLUMNS)
