"""`shanghaien dice` as a doubter uses it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from p2p_shanghaien.ui.language import LANGUAGES
from tests.cli.program import shanghaien
from tests.protocol.files import load
from tests.sweeps import sweep

EXAMPLES = Path(__file__).parents[2] / "examples"
LOG, TEXT = EXAMPLES / "sample.shlog", EXAMPLES / "sample.shrec"


@pytest.fixture(name="home")
def fixture_home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def vector(path: Path, name: str, file: str = "logs") -> Path:
    """Return the log of that name, written to `path`."""
    (test,) = [test for test in load(file) if test["id"] == name]
    path.write_bytes(bytes.fromhex(test["log"]))
    return path


def result(home: Path, *arguments: object) -> dict[str, Any]:
    done = shanghaien(home, "dice", *arguments, "--json")
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@sweep("code", LANGUAGES, every=3)
def test_tells_a_layman_what_it_means(home: Path, code: str) -> None:
    done = shanghaien(home, "--lang", code, "dice", LOG)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    if code == "en":
        text = " ".join(done.stdout.split())
        assert text.startswith(
            "1 game shows nothing against dice and cards, but is too little to judge them. 1 game of"
        )
        assert "1 game of Shanghaien counts: 41 rolls (82 dice), 48 cards." in text
        assert "in 37 of 100 such collections" in text
        assert "instead of 16.7%, it takes 1449 dice" in text
    assert all(len(line) <= 80 for line in done.stdout.splitlines()), "in a pipe as at a terminal of 80 columns"
    tables = [line for line in done.stdout.splitlines() if "/" in line and line.startswith(" ")]
    assert len(tables) > 20
    assert all(len(line) <= 80 for line in tables)


@sweep("code", LANGUAGES, every=3)
def test_hands_are_decks_of_their_own(home: Path, tmp_path: Path, code: str) -> None:
    """Three hands deal some rogues three times, and each has sixteen in its setup."""
    log = vector(tmp_path / "hands.shlog", "whole-hands", "halunken_logs")
    done = shanghaien(home, "--lang", code, "dice", log)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    tables = [line for line in done.stdout.splitlines() if "/" in line and line.startswith(" ")]
    assert len(tables) >= 4 + 15
    assert all(len(line) <= 80 for line in tables)
    if code == "en":
        assert "1 game of Halunken & Spelunken counts: " in done.stdout
        assert "Rogues by colour (down)" in done.stdout
    (group,) = result(home, log)["games"]
    cards = {test["test"]: test for test in group["tests"] if test["test"].startswith("cards_")}
    assert set(cards) == {"cards_colour", "cards_value"}
    for test in cards.values():
        assert sum(row[0] for row in test["seen"]) == 3 * 16
        assert sum(row[0] for row in test["expected"]) == pytest.approx(3 * 16)
        assert len(test["columns"]) == 2


def test_a_file_given_twice_in_any_way_counts_once(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "deeper").mkdir(parents=True)
    shutil.copy(LOG, folder / "a.shlog")
    shutil.copy(LOG, folder / "deeper" / "b.shlog")
    (folder / "notes.txt").write_text("nothing of ours")
    alone = result(home, LOG)
    found = result(home, LOG, folder, folder / "a.shlog", LOG)
    assert found["games"] == alone["games"]
    assert [file["counted"] for file in found["files"]] == [True, False, False]
    assert {file["reason"] for file in found["files"] if not file["counted"]} == {"same_game"}


def test_what_does_not_count_is_told_file_by_file(home: Path, tmp_path: Path) -> None:
    forged = vector(tmp_path / "forged.shlog", "reveal-other")
    damaged = tmp_path / "damaged.shlog"
    damaged.write_bytes(LOG.read_bytes()[:200])
    done = shanghaien(home, "dice", LOG, forged, damaged, TEXT, "nowhere")
    assert done.returncode == 6
    # lines that go on are indented
    lines = done.stdout.replace("\n  ", " ").splitlines()
    assert lines[0].startswith("1 game shows nothing against dice and cards"), "the conclusion comes first"
    for name, reason in ((forged, "VIOLATION"), (damaged, "INVALID FILE"), (TEXT, "--unsigned"), ("nowhere", "no")):
        assert any(line.startswith(f"{name} does not count") and reason in line for line in lines), name
    assert "1 game of Shanghaien counts" in done.stdout
    assert shanghaien(home, "dice", forged).returncode == 6
    assert shanghaien(home, "dice", damaged).returncode == 3
    assert shanghaien(home, "dice", TEXT).returncode == 1
    assert "nothing to test" in shanghaien(home, "dice", TEXT).stdout


def test_records_are_taken_along_when_asked_for(home: Path) -> None:
    found = result(home, TEXT, "--unsigned")
    (game,) = found["games"]
    assert found["files"] == [{"file": str(TEXT), "counted": True, "signed": False}]
    codes = {test["test"] for test in game["tests"]}
    assert codes == {"faces", "rolls", "doubles", "cards_nationality", "cards_value"}
    assert game["rolls"] == 41
    assert "signed their contribution" not in shanghaien(home, "dice", TEXT, "--unsigned").stdout


@pytest.mark.thorough
def test_all_kept_games_where_none_is_named(home: Path) -> None:
    nothing = shanghaien(home, "dice")
    assert (nothing.returncode, nothing.stderr) == (0, "")
    assert "There are no saved games" in nothing.stdout
    assert result(home) == {"files": [], "games": []}
    assert shanghaien(home, "play", "--player", "random", "--name", "Ada").returncode == 0
    found = result(home)
    (game,) = found["games"]
    assert game["counted"] == 1, "two logs of one game"
    assert [file["counted"] for file in found["files"]] == [True, False]
    assert "the same game" not in shanghaien(home, "dice").stdout, "a game against the computer is one game"
    one = result(home, found["files"][0]["file"][:10] + "-none-such")
    assert one["games"] == []


def test_json_has_every_test_in_full(home: Path) -> None:
    (game,) = result(home, LOG)["games"]
    assert game["game"] == "shanghaien"
    assert game["least_bias"] > 0.05
    for test in game["tests"]:
        assert len(test["seen"]) == len(test["rows"])
        assert {len(row) for row in test["seen"]} == {len(test["columns"])}
        assert sum(map(sum, test["seen"])) == pytest.approx(sum(map(sum, test["expected"])))
        assert 0 < test["uneven"] <= 1
        assert test["strange"] <= test["adjusted"] <= 1
        assert test["method"] in ("exact", "simulated", "chi_square")
