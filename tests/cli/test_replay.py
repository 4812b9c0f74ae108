"""`shanghaien replay`: places, pictures, pages, and games that are being played."""

import hashlib
import random
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from p2p_shanghaien.fairplay.transcript import length_prefixed, read
from p2p_shanghaien.store.logs import GameLog, Sidecar
from p2p_shanghaien.store.paths import log_path
from tests.cli.program import Running, shanghaien
from tests.pair import NAMES, make_pair
from tests.protocol.files import load

WRITTEN = Path(__file__).parent.parent / "records" / "07.shrec"
VIEWS: tuple[list[str], ...] = (["--at", "2.1"], ["--svg", "OUT"], ["--html", "OUT"], [])


def game(seed: int) -> bytes:
    pair = make_pair(random.Random(seed))
    pair.play(random.Random(seed + 1))
    return pair.logs[0]


WHOLE = game(14)
OPENING = len(WHOLE) - sum(len(length_prefixed(entry)) for entry in read(WHOLE).entries)


def cut(entries: int) -> int:
    """Return how long the log is after so many entries."""
    return OPENING + sum(len(length_prefixed(entry)) for entry in read(WHOLE).entries[:entries])


HALF = cut(len(read(WHOLE).entries) // 2)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.shlog"
    path.write_bytes(WHOLE)
    return path


def told(home: Path, path: Path) -> str:
    """Return the whole game, told to a pipe."""
    return shanghaien(home, "replay", path).stdout


@pytest.mark.thorough
def test_the_verdict_stands_on_top_of_every_view(home: Path, tmp_path: Path, log: Path) -> None:
    for path, verdict in ((log, "COMPLETE ("), (WRITTEN, "not signed")):
        for view in VIEWS:
            out = tmp_path / "out"
            shown = shanghaien(home, "replay", path, *(str(out) if word == "OUT" else word for word in view))
            assert shown.returncode == 0, shown.stderr
            assert verdict in " ".join(shown.stdout.splitlines()[:2])
            if "OUT" in view:
                written = out.read_text(encoding="utf-8")
                first = re.search(r"<h1>|class=\"strong verdict", written)
                assert first
                assert verdict in written[first.start() : first.start() + 600]


def test_one_place(home: Path) -> None:
    shown = shanghaien(home, "replay", WRITTEN, "--at", "3.3").stdout
    assert "At 3.3.2:" in shown
    assert "rolled 2 and 4." in shown
    assert "placed the 4 on " in shown
    assert "Round 3 of 8" in shown
    before = shanghaien(home, "replay", WRITTEN, "--at", "3.3.1").stdout
    assert "rolled 2 and 4" in before
    assert "placed" not in before
    last = shanghaien(home, "replay", WRITTEN, "--at", "end").stdout
    assert last.splitlines()[-1].startswith("The game is over, ")


def test_the_settings_may_ask_for_ascii(home: Path) -> None:
    assert not shanghaien(home, "replay", WRITTEN, "--at", "3.3").stdout.isascii()
    home.mkdir()
    (home / "settings.json").write_text('{"ascii": true}')
    assert shanghaien(home, "replay", WRITTEN, "--at", "3.3").stdout.isascii()
    assert shanghaien(home, "replay", WRITTEN).stdout.isascii()


@pytest.mark.parametrize("arguments", [["--at", "9"], ["--at", "1.88"], ["--at", "x"], ["--svg", "OUT", "--at", "0"]])
def test_a_place_that_there_is_not(home: Path, tmp_path: Path, arguments: list[str]) -> None:
    out = tmp_path / "out.svg"
    shown = shanghaien(home, "replay", WRITTEN, *(str(out) if word == "OUT" else word for word in arguments))
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert re.search("There is no place", shown.stderr)
    assert not out.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", "--at", "3"],
        ["--json", "--svg", "OUT"],
        ["--json", "--follow"],
        ["--follow", "--html", "OUT"],
        ["--follow", "--at", "3"],
        ["--html", "OUT", "--at", "3"],
    ],
)
def test_views_that_exclude_each_other(home: Path, tmp_path: Path, log: Path, arguments: list[str]) -> None:
    out = tmp_path / "out"
    shown = shanghaien(home, "replay", log, *(str(out) if word == "OUT" else word for word in arguments))
    assert shown.returncode == 2
    assert "--at goes with --svg" in shown.stderr
    assert not out.exists()


def test_a_picture(home: Path, tmp_path: Path, log: Path) -> None:
    out = tmp_path / "table.svg"
    shown = shanghaien(home, "replay", log, "--svg", out, "--at", "2.1.1")
    assert shown.returncode == 0
    assert str(out) in shown.stdout
    description = ET.parse(out).getroot().findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert "2.1.1" in description
    assert "Round 2 of 8" in description
    assert "rolled" in description
    assert out.stat().st_mode & 0o044, "others may see a picture"


def test_a_picture_and_a_page_at_once(home: Path, tmp_path: Path, log: Path) -> None:
    svg, html = tmp_path / "a.svg", tmp_path / "a.html"
    assert shanghaien(home, "replay", log, "--svg", svg, "--html", html, "--at", "1").returncode == 0
    assert svg.exists()
    assert html.exists()


def test_a_page_says_what_was_verified(home: Path, tmp_path: Path, log: Path) -> None:
    out = tmp_path / "game.html"
    assert shanghaien(home, "replay", log, "--html", out).returncode == 0
    page = out.read_text(encoding="utf-8")
    verified = page[page.index('id="proof"') :]
    details = shanghaien(home, "verify", "--details", log).stdout
    keys = re.findall(r"\(([0-9a-f]{64})\)", details)
    assert len(keys) == 2
    for wanted in (*keys, *NAMES, "COMPLETE", hashlib.sha256(WHOLE).hexdigest(), "shanghaien verify game.shlog"):
        assert wanted in verified
    assert re.search(r"made on \d{4}-\d\d-\d\d \d\d:\d\d UTC by p2p-shanghaien \d+\.\d+", verified)
    assert "proves nothing" in verified


def test_a_page_of_a_record_verified_nothing(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    assert shanghaien(home, "replay", WRITTEN, "--html", out).returncode == 0
    page = out.read_text(encoding="utf-8")
    verified = page[page.index('id="proof"') :]
    assert "nothing else was verified" in verified
    assert "is not signed" in verified
    assert "SHA-256" not in verified


def test_a_violation_is_shown_as_one(home: Path, tmp_path: Path) -> None:
    test = next(test for test in load("logs") if test["verdict"] == "VIOLATION" and test["sound"] > 60)
    path, out = tmp_path / "bad.shlog", tmp_path / "bad.html"
    path.write_bytes(bytes.fromhex(test["log"]))
    shown = shanghaien(home, "replay", path, "--html", out)
    assert shown.returncode == 6
    assert "VIOLATION (" in shown.stdout
    assert out.read_text(encoding="utf-8").count("VIOLATION (") >= 2


def test_a_file_that_cannot_be_written(home: Path, tmp_path: Path, log: Path) -> None:
    shown = shanghaien(home, "replay", log, "--svg", tmp_path / "no" / "such.svg")
    assert shown.returncode == 1
    assert "such.svg" in shown.stderr
    assert "Traceback" not in shown.stderr


@contextmanager
def watched(home: Path, data: bytes) -> Iterator[tuple[Running, Path]]:
    """A program that follows a log which holds `data` so far, and the log."""
    path = home.parent / "growing.shlog"
    path.write_bytes(data)
    with Running(home, "replay", path, "--follow") as following:
        following.wait_for("This game goes on")
        yield following, path


def grow(path: Path, start: int, end: int, step: int = 977) -> None:
    """Write bytes of the log as they come, without regard to where entries end."""
    with path.open("ab", buffering=0) as file:
        for at in range(start, end, step):
            file.write(WHOLE[at : min(at + step, end)])
            time.sleep(0.03)


def test_a_growing_log_is_followed_to_its_end(home: Path, log: Path) -> None:
    whole = told(home, log)
    with watched(home, WHOLE[:HALF]) as (following, path):
        assert "INCOMPLETE (awaiting " in " ".join(following.output.splitlines()[:2])
        assert "is over" not in following.output
        grow(path, HALF, len(WHOLE))
        assert following.exit_code() == 0
        output = following.output
        verdict = " ".join(line.strip() for line in output.splitlines()[-2:])
        assert shanghaien(home, "verify", path).stdout.strip() == verdict
        sentences = [line for line in whole.splitlines() if re.search("called Shanghai|took|placed|rolled", line)]
        shown = iter(output.splitlines())
        assert all(sentence in shown for sentence in sentences), "everything is told, in order"


def test_an_entry_is_told_when_it_is_whole(home: Path) -> None:
    with watched(home, WHOLE[:OPENING]) as (following, path):
        grow(path, OPENING, cut(3) - 1)
        time.sleep(0.6)
        assert "Round 1" not in following.output
        grow(path, cut(3) - 1, cut(3))
        following.wait_for("Round 1: ")


def test_what_does_not_hold_is_not_told(home: Path) -> None:
    with watched(home, WHOLE[:HALF]) as (following, path):
        before = following.output
        broken = bytearray(WHOLE[HALF:])
        broken[-1 - (len(WHOLE) - cut(len(read(WHOLE[:HALF]).entries) + 1))] ^= 1
        with path.open("ab") as file:
            file.write(broken)
        assert following.exit_code() == 3
        assert "INVALID FILE" in following.output.removeprefix(before)
        assert "placed" not in following.output.removeprefix(before)


def test_a_violation_ends_it(home: Path) -> None:
    test = next(test for test in load("logs") if test["verdict"] == "VIOLATION" and test["sound"] > 60)
    data = bytes.fromhex(test["log"])
    last = len(length_prefixed(read(data).entries[-1]))
    with watched(home, data[:-last]) as (following, path):
        with path.open("ab") as file:
            file.write(data[-last:])
        assert following.exit_code() == 6
        assert "VIOLATION (" in " ".join(" ".join(following.output.splitlines()[-2:]).split())


def test_a_log_that_loses_entries_is_said_so(home: Path) -> None:
    with watched(home, WHOLE[:HALF]) as (following, path):
        path.write_bytes(WHOLE[:OPENING])
        assert following.exit_code() == 1
        assert "has lost entries" in following.output


def test_ctrl_c_stops_watching(home: Path) -> None:
    with watched(home, WHOLE[:HALF]) as (following, _):
        following.process.send_signal(signal.SIGINT)
        assert following.exit_code() == 0
        assert "INCOMPLETE (awaiting " in following.output.splitlines()[-1]
        assert "Traceback" not in following.output


def test_a_record_cannot_be_followed(home: Path) -> None:
    shown = shanghaien(home, "replay", WRITTEN, "--follow")
    assert shown.returncode == 2
    assert "signed logs" in shown.stderr


def test_a_finished_game_is_not_waited_for(home: Path, log: Path) -> None:
    shown = shanghaien(home, "replay", log, "--follow")
    assert shown.returncode == 0
    assert shown.stdout == told(home, log)


SECRET = bytes(range(100, 132))


@pytest.mark.thorough
def test_a_game_that_is_being_played_is_followed_while_it_is(home: Path, tmp_path: Path) -> None:
    """The program that plays it holds its sidecar file, which nobody else may read."""
    path = log_path(tmp_path, bytes(32), 0)
    entries = read(WHOLE).entries
    playing = GameLog.start(path, WHOLE[:OPENING], Sidecar(SECRET, "identity", "127.0.0.1:1"))
    for entry in entries[:60]:
        playing.append(entry)
    following = Running(home, "replay", path)
    try:
        following.wait_for("This game goes on")
        still = shanghaien(home, "replay", path, "--no-follow")
        assert "Ctrl-C" not in still.stdout
        assert "The record ends here" in still.stdout
        for entry in entries[60:80]:
            playing.append(entry)
        playing.sync()
        time.sleep(0.5)
        assert following.process.poll() is None
        playing.close()
        assert following.exit_code() == 0
        assert "This game is no longer played" in following.output
        assert "INCOMPLETE (awaiting " in following.output.splitlines()[-1]
        assert SECRET.hex() not in following.output
        assert "127.0.0.1" not in following.output
    finally:
        playing.close()
        following.stop()


def test_an_unfinished_game_that_nobody_plays_is_just_shown(home: Path, tmp_path: Path) -> None:
    path = log_path(tmp_path, bytes(32), 0)
    playing = GameLog.start(path, WHOLE[:OPENING], Sidecar(SECRET, "identity", "127.0.0.1:1"))
    playing.close()
    shown = shanghaien(home, "replay", path)
    assert shown.returncode == 0
    assert "Ctrl-C" not in shown.stdout
