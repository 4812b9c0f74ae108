"""`verify`, `replay`, `export`, `games` and `rules` on files good and bad."""

import json
import random
from pathlib import Path

import pytest

from tests.cli.program import shanghaien
from tests.pair import make_pair
from tests.sweeps import sweep

RECORDS = Path(__file__).parent.parent / "records"


@pytest.fixture(scope="module")
def finished() -> bytes:
    pair = make_pair(random.Random(4))
    pair.play(random.Random(5))
    return pair.logs[0]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@sweep("path", sorted(RECORDS.glob("*.shrec")), every=4, ids=lambda path: path.stem)
def test_every_known_record_replays_to_its_events(home: Path, path: Path) -> None:
    replayed = shanghaien(home, "replay", path, "--json")
    assert replayed.returncode == 0
    assert replayed.stderr == ""
    wanted = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
    assert [json.loads(line) for line in replayed.stdout.splitlines()] == wanted


def test_an_exported_record_is_the_record(home: Path, tmp_path: Path) -> None:
    path = RECORDS / "07.shrec"
    out = tmp_path / "out.shrec"
    assert shanghaien(home, "export", path, "-o", out).returncode == 0
    assert out.read_text().split("\n\n")[1] == path.read_text().split("\n\n")[1]
    assert shanghaien(home, "replay", out, "--json").stdout == shanghaien(home, "replay", path, "--json").stdout


@sweep(
    "text, place, word",
    [
        (b'[Game "shanghaien"]\n1. D1 F4 T1 Xp A3 A9\n', "2:19", "A9"),
        (b'[Game "shanghaien"]\n1. D1 F4 T1 Xp A3 A4 56-5\n', "2:22", "-5<"),
        (b'[Game "chess"]\n', "1:1", "chess"),
        (b"\xff", "1:1", "UTF-8"),
        (b"", "1:1", "Game"),
    ],
    every=5,
)
def test_a_bad_record_is_refused_with_line_column_token_and_reason(
    home: Path, tmp_path: Path, text: bytes, place: str, word: str
) -> None:
    path = tmp_path / "bad.shrec"
    path.write_bytes(text)
    for command in (["replay", path, "--json"], ["export", path], ["replay", path]):
        ended = shanghaien(home, *command)
        assert ended.returncode == 3
        assert ended.stdout == ""
        line, column = place.split(":")
        assert f"line {line}" in ended.stderr.lower()
        assert f"column {column}" in ended.stderr.lower() or not text
        assert word in ended.stderr


def test_an_unfinished_record_is_no_failure(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "early.shrec"
    path.write_text('[Game "shanghaien"]\n1. D1 F4 T1 Xp A3 A4 56-5< roll\n')
    replayed = shanghaien(home, "replay", path, "--json")
    assert replayed.returncode == 0
    assert json.loads(replayed.stdout.splitlines()[-1]) == {"event": "unfinished", "to_act": None}


def test_verdicts_and_the_worst_exit_code(home: Path, tmp_path: Path, finished: bytes) -> None:
    good, cut, broken, decided = (tmp_path / name for name in ("good", "cut", "broken", "decided"))
    good.write_bytes(finished)
    cut.write_bytes(finished[: len(finished) // 2])
    broken.write_bytes(finished[:-1] + bytes((finished[-1] ^ 1,)))
    decided.write_bytes(finished[:-100])
    for paths, code in [
        ([good], 0),
        ([decided], 0),
        ([good, cut], 5),
        ([cut, broken, good], 3),
        ([good, tmp_path / "absent"], 1),
        ([cut, tmp_path / "absent"], 1),
        ([broken, tmp_path / "absent"], 3),
    ]:
        ended = shanghaien(home, "verify", *paths)
        assert ended.returncode == code, paths
        assert len(ended.stdout.splitlines()) == len(paths)
    assert "DECIDED (not signed by " in shanghaien(home, "verify", decided).stdout
    assert "INCOMPLETE (awaiting " in shanghaien(home, "verify", cut).stdout
    assert "INVALID FILE (" in shanghaien(home, "verify", broken).stdout


def test_a_key_is_checked_for(home: Path, tmp_path: Path, finished: bytes) -> None:
    path = tmp_path / "good"
    path.write_bytes(finished)
    details = shanghaien(home, "verify", "--details", path).stdout
    key = details.split("(")[2].split(")")[0]
    assert shanghaien(home, "verify", "--key", key, path).returncode == 0
    other = shanghaien(home, "verify", "--key", "00" * 32, path)
    assert other.returncode == 1
    assert "took no part" in other.stdout
    assert shanghaien(home, "verify", "--key", "xyz", path).returncode == 2


def test_a_whole_game_is_told_to_a_pipe(home: Path) -> None:
    told = shanghaien(home, "replay", RECORDS / "03.shrec")
    assert told.returncode == 0
    assert "\x1b" not in told.stdout
    assert "16" in told.stdout.splitlines()[-1] or "16" in told.stdout[-400:]


def test_the_rules_are_there(home: Path) -> None:
    rules = shanghaien(home, "rules")
    assert rules.returncode == 0
    assert "Shanghai" in rules.stdout
    assert "assumed" in rules.stdout.lower()


def test_no_games_yet(home: Path) -> None:
    assert "shanghaien play" in shanghaien(home, "games").stdout


def test_help_fits_a_screen(home: Path) -> None:
    helped = shanghaien(home, "--help", COLUMNS="80")
    assert helped.returncode == 0
    assert len(helped.stdout.splitlines()) <= 24
    for command in ("play", "host", "join", "games", "players", "identity", "replay", "verify", "export", "rules"):
        assert f"  {command} " in helped.stdout
        assert shanghaien(home, command, "--help").returncode == 0
