"""Whatever is named on the command line: files, folders, standard input, and what is none of them."""

import json
import os
import sys
import time
from io import BytesIO, TextIOWrapper
from itertools import product
from pathlib import Path

import pytest

from p2p_shanghaien.cli import output
from p2p_shanghaien.cli.main import run
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.paths import VARIABLE
from tests.cli.program import shanghaien
from tests.store.kept import OWN, begun, home_of_guest, keep
from tests.store.test_bad_files import KINDS
from tests.sweeps import sweep

SAMPLE = Path("examples/sample.shlog").resolve()
RECORD = Path("examples/sample.shrec").resolve()


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "home"))
    monkeypatch.setattr(output, "_warned", set())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of logs, a record, and something else, with a folder within."""
    made = tmp_path / "folder"
    (made / "within").mkdir(parents=True)
    (made / "one.shlog").write_bytes(SAMPLE.read_bytes())
    (made / "within" / "two.shlog").write_bytes(begun().sides[0].log)
    (made / "three.shrec").write_bytes(RECORD.read_bytes())
    (made / "letter.txt").write_text("dear")
    return made


def given(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put `data` on standard input."""
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data)))


@pytest.mark.enable_socket
@sweep(
    "command, kind",
    product(
        [
            ["verify", "FILE"],
            ["verify", str(SAMPLE), "--handshakes", "FILE"],
            ["replay", "FILE"],
            ["replay", "FILE", "--json"],
            ["export", "FILE"],
            ["analyse", "FILE"],
            ["dice", "FILE"],
            ["import", "FILE"],
            ["identity", "import", "FILE"],
        ],
        KINDS,
    ),
    every=2,
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_what_is_no_file_is_said_so_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], kind: str
) -> None:
    path = tmp_path / "given"
    KINDS[kind][0](path)
    began = time.monotonic()
    assert run([str(path) if word == "FILE" else word for word in command]) == 1
    assert time.monotonic() - began < 30, "a pipe is not waited for"
    out, err = capsys.readouterr()
    assert str(path) in out + err
    assert "Traceback" not in out + err


@pytest.mark.enable_socket
def test_a_bad_file_hides_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = [tmp_path / kind for kind in KINDS if kind != "folder"]
    for path in bad:
        KINDS[path.name][0](path)
    shown = ["--handshakes", str(bad[0])]
    assert run(["verify", *shown, *(word for path in bad for word in (str(path), str(SAMPLE)))]) == 1
    out = capsys.readouterr().out.splitlines()
    assert sum(f"{SAMPLE}: COMPLETE" in line for line in out) == len(bad)
    assert all(any(line.startswith(str(path)) for line in out) for path in bad)


@pytest.mark.enable_socket
@pytest.mark.parametrize("command", ["verify", "analyse"])
def test_an_error_names_its_file_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    given = ["absent", "/dev/null", str(tmp_path)]
    assert run([command, *given]) == 1
    out, err = capsys.readouterr()
    lines = (out if command == "verify" else err).splitlines()[: len(given)]
    assert [line.removeprefix("shanghaien: ").count(name) for name, line in zip(given, lines, strict=True)] == [1] * 3
    assert lines[0].endswith('There is no file and no saved game "absent". shanghaien games lists saved games.')
    assert lines[1].removeprefix("shanghaien: ").startswith("/dev/null is not a regular file but ")
    assert lines[2].endswith(f" in {tmp_path}.")


def test_a_folder_has_all_of_its_logs_verified(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(folder)]) == 5
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{folder / 'one.shlog'}: COMPLETE")
    assert second.startswith(f"{folder / 'within' / 'two.shlog'}: INCOMPLETE")
    KINDS["dangling"][0](folder / "within" / "three.shlog")
    assert run(["verify", str(folder), str(SAMPLE)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 4
    (tmp_path / "empty").mkdir()
    assert run(["verify", str(tmp_path / "empty")]) == 1
    assert "There is no log" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["replay", "export"])
def test_a_folder_is_not_one_game(folder: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert run([command, str(folder)]) == 1
    assert f"{folder} is a folder" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["dice", "analyse"])
def test_games_of_a_folder_count(folder: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    for path in folder.glob("**/two.shlog"):
        path.unlink()
    assert run([command, "--json", str(folder)]) == 0
    files = json.loads(capsys.readouterr().out.splitlines()[0])
    assert "one.shlog" in json.dumps(files)


def test_standard_input_is_a_file_like_any_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for data, code, said in [
        (SAMPLE.read_bytes(), 0, "-: COMPLETE"),
        (begun().sides[0].log, 5, "-: INCOMPLETE"),
        (b"", 3, "-: INVALID FILE"),
        (bytes(MAX_LOG + 1), 1, str(MAX_LOG)),
    ]:
        given(monkeypatch, data)
        assert run(["verify", "-", str(SAMPLE)]) == (code or 0)
        out = capsys.readouterr().out.splitlines()
        assert said in out[0]
        assert "COMPLETE" in out[1]
    for source, analysing in ((SAMPLE, [["analyse", "--json"]]), (RECORD, [])):
        texts = []
        for name in ("-", str(source)):
            given(monkeypatch, source.read_bytes())
            for command in (["export"], ["replay", "--json"], ["replay", "--plain"], *analysing):
                assert run([*command, name]) == 0
                # a long name changes where the first lines are broken
                texts.append(capsys.readouterr().out.replace(str(source), "-")[-500:])
                given(monkeypatch, source.read_bytes() if name == "-" else b"")
        assert texts[: len(texts) // 2] == texts[len(texts) // 2 :]


def test_standard_input_does_not_grow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, SAMPLE.read_bytes())
    assert run(["replay", "-", "--follow"]) == 2
    assert "Name the log" in capsys.readouterr().err


def test_a_real_pipe_can_be_verified(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, b"SHLOG nonsense")
    os.close(write)
    try:
        ended = shanghaien(tmp_path, "verify", f"/dev/fd/{read}", "-", stdin="nonsense")
    finally:
        os.close(read)
    assert ended.returncode == 3
    assert "not a game log" in ended.stdout


def test_a_game_is_not_imported_for_somebody_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = home_of_guest(tmp_path / "home")
    log = keep(here.games, begun())
    archive = tmp_path / "game.zip"
    assert run(["export", str(log), "--move", "-o", str(archive)]) == 0
    monkeypatch.setenv(VARIABLE, str(tmp_path / "there"))
    there = Home(tmp_path / "there")
    assert run(["import", str(archive)]) == 1
    assert not there.games.exists()
    there.adopt(OWN, in_place=False)
    assert run(["import", str(archive)]) == 0
    assert (there.games / log.name).read_bytes() == log.read_bytes()
    assert run(["games"]) == 0
    assert "shanghaien resume" in capsys.readouterr().out
