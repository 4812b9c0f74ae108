"""Logs of games that are watched: what is kept of them, whatever was there before."""

from pathlib import Path

import pytest

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.watched import WatchedLog

SESSION = bytes(range(32))


def test_a_log_grows(tmp_path: Path) -> None:
    log = WatchedLog.open(tmp_path / "watched", SESSION)
    assert log.kept == b""
    assert not log.is_begun
    for text in (b"begun", b"begun", b"begun and on", b"begun and on and on"):
        log.write(text)
        assert log.path.read_bytes() == text
        assert log.is_begun
    log.close()
    assert log.path == tmp_path / "watched" / f"{SESSION.hex()}-watched.shlog"


@pytest.mark.parametrize("before", [b"beg", b"begun", b"begun and a bit", b"something else entirely", b""])
@pytest.mark.parametrize("after", [b"begun", b"begun and on and on, longer than all"])
def test_what_was_there_is_gone_on_with_or_replaced(tmp_path: Path, before: bytes, after: bytes) -> None:
    first = WatchedLog.open(tmp_path, SESSION)
    first.write(before)
    first.close()
    second = WatchedLog.open(tmp_path, SESSION)
    assert second.kept == before
    second.write(after)
    second.close()
    assert second.path.read_bytes() == after


def test_two_programs_do_not_keep_the_same_log(tmp_path: Path) -> None:
    first = WatchedLog.open(tmp_path, SESSION)
    first.write(b"begun")
    with pytest.raises(LocalError) as refused:
        WatchedLog.open(tmp_path, SESSION)
    assert refused.value.code == "watched_already"
    first.close()
    WatchedLog.open(tmp_path, SESSION).close()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "watched").touch()
    with pytest.raises(LocalError):
        WatchedLog.open(tmp_path / "watched", SESSION)
