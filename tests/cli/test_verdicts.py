"""`verify --json`: what SPEC 9.3 says, from the whole program."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from p2p_shanghaien.ui.language import LANGUAGES
from tests.cli.program import shanghaien
from tests.protocol.files import Test, load
from tests.protocol.test_pages import SPEC, quoted, section

LOGS = {test["id"]: test for test in load("logs")}
OF_A_MATCH = {"session", "game", "rules", "settings", "names", "keys", "one_key", "sound", "head", "first", "result"}


def verdicts(home: Path, *arguments: object, code: int, **more: str) -> list[dict[str, Any]]:
    """Return what is printed, line by line; nothing else may be."""
    ended = shanghaien(home, "verify", "--json", *arguments, **more)
    assert (ended.returncode, ended.stderr) == (code, "")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def written(folder: Path, test: Test) -> Path:
    path = folder / f"{test['id']}.shlog"
    path.write_bytes(bytes.fromhex(test["log"]))
    return path


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return what is told of every log of the vectors that is judged by itself."""
    folder = tmp_path_factory.mktemp("logs")
    for test in LOGS.values():
        if "handshakes" not in test:
            written(folder, test)
    found = verdicts(folder / "home", folder, code=6)
    assert [each["file"] for each in found] == sorted(each["file"] for each in found)
    return {Path(each["file"]).stem: each for each in found}


def test_every_log_of_the_vectors_is_told_of_as_they_say(told: dict[str, dict[str, Any]]) -> None:
    evaluated = {name: test for name, test in LOGS.items() if "handshakes" not in test}
    assert told.keys() == evaluated.keys()
    common = ("verdict", "exit", "reason", "entry", "seat", "awaiting", "truncated")
    for name, test in evaluated.items():
        fields = (*common, *({"session", "sound", "head", "first", "result"} & test.keys()))
        assert {field: told[name][field] for field in fields} == {field: test[field] for field in fields}, name


def test_each_object_has_the_fields_of_the_page_and_no_other(told: dict[str, dict[str, Any]]) -> None:
    cells = re.findall(r"^\| (`[^|]+) \|", section(SPEC, "9.3"), re.MULTILINE)
    fields = {field for cell in cells for field in quoted(cell)}
    for each in told.values():
        assert each.keys() == fields
        assert each["session"] or {each[field] for field in OF_A_MATCH} == {None}


def test_what_stands_in_the_hellos(told: dict[str, dict[str, Any]]) -> None:
    whole, one_key = told["complete"], told["complete-one-key"]
    assert (whole["game"], whole["rules"]) == ("shanghaien", 1)
    assert whole["settings"] == [["variant", "standard"], ["tricks", "p3 b3 r2"]]
    assert whole["names"] == ["Hanna", "Gustav"]
    assert [len(bytes.fromhex(key)) for key in whole["keys"]] == [32, 32]
    assert (whole["one_key"], one_key["one_key"]) == (False, True)
    assert one_key["keys"][0] == one_key["keys"][1]


def test_damage_is_counted_from_the_first_record_that_does_not_hold(told: dict[str, dict[str, Any]]) -> None:
    sound = len(LOGS["incomplete-1"]["log"]) // 2
    for name in ("length-0", "length-1025", "entry-garbage", "number-skipped", "then-length-0", "signature-flipped"):
        assert told[name]["damaged"] == len(LOGS[name]["log"]) // 2 - sound, name
    assert {told[name]["damaged"] for name in ("complete-torn", "violation-then-length-0", "empty")} == {0}


@pytest.mark.parametrize("name", ["fork-rebutted", "fork-rebutted-second", "fork-not-rebutted-length", "shown-first"])
def test_handshakes_are_shown_with_a_log(tmp_path: Path, name: str) -> None:
    test = LOGS[name]
    shown = tmp_path / "shown"
    shown.write_text(test["handshakes"], newline="")
    (found,) = verdicts(tmp_path, written(tmp_path, test), "--handshakes", shown, code=test["exit"])
    fields = (
        "verdict",
        "exit",
        "reason",
        "entry",
        "seat",
        "awaiting",
        "truncated",
        "session",
        "sound",
        "head",
        "result",
    )
    assert {field: found[field] for field in fields} == {field: test[field] for field in fields}


def test_files_that_cannot_be_read_and_those_that_are_no_logs(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    absent, text = verdicts(tmp_path, "--details", tmp_path / "absent", tmp_path / "text", code=3)
    assert (absent["verdict"], absent["exit"], absent["reason"]) == (None, 1, "no_such_file")
    assert absent["details"] == {"name": str(tmp_path / "absent"), "nearest": None}
    assert (text["verdict"], text["exit"], text["reason"], text["details"]) == ("INVALID FILE", 3, "not_a_log", {})
    for found in (absent, text):
        assert {found[field] for field in OF_A_MATCH} == {None}
        assert (found["awaiting"], found["truncated"], found["damaged"]) == ([], 0, 0)


def test_keys_that_took_no_part(tmp_path: Path) -> None:
    path = written(tmp_path, LOGS["complete-resigned"])
    (plain,) = verdicts(tmp_path, path, code=0)
    assert "absent_keys" not in plain
    (present,) = verdicts(tmp_path, path, "--key", plain["keys"][1], code=0)
    assert present == {**plain, "absent_keys": []}
    (other,) = verdicts(tmp_path, path, "--key", "ab" * 32, "--key", plain["keys"][0], code=1)
    assert other == {**plain, "absent_keys": ["ab" * 32]}


def test_a_hostile_name_and_word_reach_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J\u202e.shlog"
    path.write_bytes(bytes.fromhex(LOGS["kind-unknown"]["log"]))
    ended = shanghaien(tmp_path, "verify", "--json", "--details", path)
    assert ended.stdout.isascii()
    assert "\x1b" not in ended.stdout
    found = json.loads(ended.stdout)
    assert found["file"] == str(path)
    assert found["details"] == {"kind": "cheat", "expected": "draw_contribution"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_the_same_in_every_language(tmp_path: Path, language: str) -> None:
    paths = [written(tmp_path, LOGS[name]) for name in ("reveal-other", "length-0", "game-unknown", "decided-1")]
    spoken = shanghaien(tmp_path, "--lang", language, "verify", "--json", *paths, tmp_path / "absent")
    assert spoken.stdout == shanghaien(tmp_path, "verify", "--json", *paths, tmp_path / "absent").stdout
    assert (spoken.returncode, spoken.stderr) == (6, "")


def test_the_page_that_verifies_is_written_beside_the_verdicts(tmp_path: Path) -> None:
    """Without FILE nothing is verified: there may be no game yet."""
    page, log = tmp_path / "verify.html", written(tmp_path, LOGS["decided-0"])
    alone = shanghaien(tmp_path / "home", "verify", "--page", page)
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout.startswith(f"The page is in {page}.")
    text = page.read_text(encoding="utf-8")
    assert '<select id="language"' in text
    both = shanghaien(tmp_path / "home", "verify", "--json", "--page", page, log)
    assert both.returncode == 0
    assert [json.loads(line)["verdict"] for line in both.stdout.splitlines()] == ["DECIDED"]
    assert str(page) in both.stderr
    lost = shanghaien(tmp_path / "home", "verify", "--page", tmp_path / "none" / "verify.html", log)
    assert (lost.returncode, lost.stdout) == (1, "")
    assert "verify.html" in lost.stderr
