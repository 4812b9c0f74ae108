"""A game that is moved to another machine: one copy of it can go on, and only one."""

import io
import zipfile
from pathlib import Path

import pytest

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.bundles import MAX_BUNDLE, pack, unpack
from p2p_shanghaien.store.logs import GameLog, Private, log_path, read_private

SESSION = bytes(range(32))
PRIVATE = Private(b"s" * 32, "identity", "192.0.2.7")


def begun(games: Path) -> Path:
    """A game with one entry, not open."""
    path = log_path(games, SESSION, 1)
    log = GameLog.start(path, b"opening", PRIVATE)
    log.append(b"one")
    log.close()
    return path


def code(caught: pytest.ExceptionInfo[LocalError]) -> str:
    return caught.value.code


def test_a_game_is_moved_and_gone_on_with_there_alone(tmp_path: Path) -> None:
    path = begun(tmp_path / "old")
    whole = path.read_bytes()
    pack(path, tmp_path / "game.zip")
    with pytest.raises(LocalError):
        GameLog.reopen(path, 0)
    assert path.read_bytes() == whole, "it can still be looked at"
    moved = unpack(tmp_path / "game.zip", tmp_path / "new")
    assert moved == log_path(tmp_path / "new", SESSION, 1)
    assert moved.read_bytes() == whole
    assert read_private(moved) == PRIVATE
    assert moved.with_suffix(".private").stat().st_mode & 0o777 == 0o600
    GameLog.reopen(moved, 0).close()


def test_and_back_again_with_what_was_played_meanwhile(tmp_path: Path) -> None:
    path = begun(tmp_path / "old")
    pack(path, tmp_path / "there.zip")
    moved = unpack(tmp_path / "there.zip", tmp_path / "new")
    log = GameLog.reopen(moved, 0)
    log.append(b"two")
    log.close()
    pack(moved, tmp_path / "back.zip")
    assert unpack(tmp_path / "back.zip", tmp_path / "old").read_bytes() == moved.read_bytes()
    GameLog.reopen(path, 0).close()


def test_a_game_being_played_is_not_packed(tmp_path: Path) -> None:
    path = begun(tmp_path)
    log = GameLog.reopen(path, 0)
    with pytest.raises(LocalError) as caught:
        pack(path, tmp_path / "game.zip")
    assert code(caught) == "seat_in_use"
    log.close()
    assert not (tmp_path / "game.zip").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path = begun(tmp_path / "games")
    (tmp_path / "game.zip").write_text("mine")
    with pytest.raises(LocalError) as caught:
        pack(path, tmp_path / "game.zip")
    assert code(caught) == "file_exists"
    GameLog.reopen(path, 0).close()
    pack(path, tmp_path / "other.zip")
    unpack(tmp_path / "other.zip", tmp_path / "games")
    with pytest.raises(LocalError) as caught:
        unpack(tmp_path / "other.zip", tmp_path / "games")
    assert code(caught) == "game_is_here"


def zipped(**files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


NAME = f"{SESSION.hex()}-host"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04 garbage",
        zipped(),
        zipped(**{f"{NAME}.shlog": b"x"}),
        zipped(**{"../evil.shlog": b"x", "../evil.private": b"x"}),
        zipped(**{f"/{NAME}.shlog": b"x", f"/{NAME}.private": b"x"}),
        zipped(**{f"{NAME}.shlog": b"x", f"{NAME}.private": b"x", "two.shlog": b"x"}),
        zipped(**{f"{NAME}.shlog": bytes(MAX_BUNDLE), f"{NAME}.private": b"x"}),
    ],
    ids=["empty", "garbage", "no files", "no neighbour", "traversal", "absolute", "two logs", "bomb"],
)
def test_what_is_no_bundle_is_refused(tmp_path: Path, data: bytes) -> None:
    bundle = tmp_path / "game.zip"
    bundle.write_bytes(data)
    with pytest.raises(LocalError) as caught:
        unpack(bundle, tmp_path / "games")
    assert code(caught) == "not_a_bundle"
    assert not list((tmp_path / "games").glob("*"))
