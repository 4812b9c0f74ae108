"""Bad files are detected before they are read: folders, pipes, devices, sockets, endless files."""

import errno
import os
import socket
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import NoReturn

import platformdirs
import portalocker.portalocker
import pytest

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.entries import MAX_ENTRY
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.store import paths
from p2p_shanghaien.store.catalogue import find
from p2p_shanghaien.store.files import alone, open_regular, parse_json, read_bytes, read_stdin, replace
from p2p_shanghaien.store.home import Home, Known
from p2p_shanghaien.store.logs import GameLog, is_played, parse_sidecar
from p2p_shanghaien.store.paths import VARIABLE, all_logs, home_folder, last_written
from tests import needs
from tests.store.kept import begun, keep
from tests.sweeps import together

HUGE = 5 << 30
LATE = 1 << 40
"""Seconds; no calendar of the program's goes as far."""


def _dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _socket(path: Path) -> None:
    before = Path.cwd()
    os.chdir(path.parent)  # a socket's path is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def _endless(path: Path) -> None:
    path.touch()
    os.truncate(path, HUGE)  # takes no room on the disk


KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "dangling": (_dangling, "file_trouble"),
    "loop": (_loop, "file_trouble"),
    "folder": (Path.mkdir, "not_a_file"),
    "pipe": (os.mkfifo, "not_a_file"),
    "device": (_device, "not_a_file"),
    "socket": (_socket, "not_a_file"),
    "endless": (_endless, "file_too_large"),
}
"""Objects in place of a file: how each is made, and its message."""


@pytest.mark.enable_socket
@pytest.mark.parametrize("kind", KINDS)
def test_only_files_of_a_sensible_size_are_read(tmp_path: Path, kind: str) -> None:
    make, code = KINDS[kind]
    path = tmp_path / "file"
    make(path)
    with pytest.raises(LocalError) as caught:
        read_bytes(path, 100)
    assert caught.value.code == code
    assert caught.value.details["path"] == path


@pytest.mark.parametrize("mode", ["rb", "ab", "r+b"])
def test_a_file_that_becomes_another_kind_meanwhile_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    path = tmp_path / "file"
    path.touch()

    def exchanged(path: str | Path) -> bool:
        os.unlink(path)
        Path(path).symlink_to("/dev/null")
        return True

    monkeypatch.setattr(os.path, "isfile", exchanged)
    with pytest.raises(LocalError, match="not_a_file"):
        open_regular(path, mode)


def test_a_pipe_that_is_written_to_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    replace(path, b"data")
    reader.join(10)
    assert read == [b"data"]
    assert path.is_fifo()
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(100))
    assert read_bytes(path, 100) == bytes(100)
    with pytest.raises(LocalError, match="file_too_large"):
        read_bytes(path, 99)
    growing = needs.file("/proc/self/maps")
    assert growing.stat().st_size == 0, "this one does not say how long it is"
    with pytest.raises(LocalError, match="file_too_large"):
        read_bytes(growing, 99)


def test_standard_input_is_read_up_to_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (0, 100, 101):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(bytes(size))))
        if size <= 100:
            assert read_stdin(100) == bytes(size)
        else:
            with pytest.raises(LocalError, match="file_too_large"):
                read_stdin(100)
    monkeypatch.setattr(sys, "stdin", None)
    assert read_stdin(100) == b""


def test_a_log_has_room_for_any_game() -> None:
    """A game of Shanghaien has eight rounds, of twelve dice at the most; a turn takes a handful of entries."""
    assert MAX_LOG > 8 * 12 * 40 * MAX_ENTRY


@pytest.mark.parametrize("text", [b"", b"[" * 100_000, b'{"a":' * 100_000, b"\xff", b"9" * 5000, b"{"])
def test_what_is_no_json_is_one_kind_of_error(text: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse_json(text)


GOOD = '{"secret": "%s", "key": "identity", "address": "x"}' % ("00" * 32)


@together(
    ("old", "new"),
    [
        (GOOD, ""),
        (GOOD, "[]"),
        (GOOD, "[" * 100_000),
        ('"identity"', '"**"'),
        ('"identity"', '"../other"'),
        ('"identity"', '""'),
        ('"identity"', "7"),
        ('"x"', "NaN"),
        ('"x"', "[]"),
        ("00" * 32, "00" * 31),
        ("00" * 32, "zz" * 32),
        ("secret", "other"),
    ],
)
def test_a_sidecar_says_what_a_game_needs_or_is_refused(old: str, new: str) -> None:
    parse_sidecar(GOOD.encode())
    with pytest.raises(ValueError):  # noqa: PT011
        parse_sidecar(GOOD.replace(old, new).encode())


def test_a_further_line_that_says_nothing_does_no_harm() -> None:
    further = ["[" * 100_000, "\udcff", '{"address": 7}', '{"delivered": 1}', "null", "1e999", "{"]
    data = "\n".join([GOOD, *further, '{"address": "y"}']).encode("utf-8", "surrogateescape")
    assert parse_sidecar(data) == parse_sidecar(GOOD.encode())._replace(address="y")


def test_a_name_that_leads_to_no_file_is_explained(tmp_path: Path) -> None:
    home = Home(tmp_path)
    path = keep(home.games, begun())
    (tmp_path / "folder").mkdir()
    for text, code in [
        (str(tmp_path / "folder"), "folder_named"),
        ("x" * 5000, "no_such_file"),
        ("~nobody-of-that-name/game", "no_such_file"),
        (str(path / "within"), "no_such_file"),
    ]:
        with pytest.raises(LocalError) as caught:
            find(home.games, text)
        assert caught.value.code == code
    _dangling(tmp_path / "link")
    assert find(home.games, str(tmp_path / "link")) == tmp_path / "link", "what is there is told by whoever reads it"
    assert find(home.games, path.name[:8]) == path


def test_a_kept_game_is_found_although_a_folder_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = keep(tmp_path / "games", begun())
    (tmp_path / path.name[:4]).mkdir()
    monkeypatch.chdir(tmp_path)
    assert find(tmp_path / "games", path.name[:4]) == path


@pytest.mark.enable_socket
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_called_a_log_is_listed_with_the_others(tmp_path: Path, kind: str) -> None:
    path = keep(tmp_path, begun())
    KINDS[kind][0](tmp_path / "bad.shlog")
    assert sorted(all_logs(tmp_path)) == sorted([path, tmp_path / "bad.shlog"])


def test_a_date_that_nobody_can_show_is_long_ago(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stat", "lstat"):
        monkeypatch.setattr(Path, name, lambda _: SimpleNamespace(st_mtime=LATE))
    assert last_written(tmp_path).year <= 1970
    monkeypatch.undo()
    assert last_written(tmp_path / "absent").year <= 1970


def test_games_that_cannot_be_listed_are_no_empty_list(tmp_path: Path) -> None:
    assert all_logs(tmp_path / "absent") == ()
    (tmp_path / "games").write_text("")
    with pytest.raises(LocalError, match="file_trouble"):
        all_logs(tmp_path / "games")


def test_a_home_of_nobody_is_a_folder_like_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "~nobody-of-that-name/home")
    assert home_folder() == Path("~nobody-of-that-name/home")


def test_a_folder_that_windows_redirects_is_named_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python from the Microsoft Store writes elsewhere than it is told to; a link does the same here."""
    really, told = tmp_path / "Packages" / "LocalCache", tmp_path / "AppData"
    really.mkdir(parents=True)
    told.symlink_to(really)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(platformdirs, "user_data_path", lambda *_, **__: told / "shanghaien")
    assert home_folder() == told / "shanghaien"
    monkeypatch.setattr(paths, "_is_from_store", lambda: True)
    assert home_folder() == really / "shanghaien"
    assert (really / "shanghaien").is_dir()


def _no_locks(*_: object) -> NoReturn:
    raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def test_a_system_that_cannot_lock_is_not_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from p2p_shanghaien.store.logs import hold

    private = keep(tmp_path, begun()).with_suffix(".private")
    monkeypatch.setattr(portalocker.portalocker, "LOCKER", _no_locks)
    with pytest.raises(LocalError) as caught:
        hold(private)
    assert (caught.value.code, caught.value.details["reason"]) == ("cannot_lock", os.strerror(errno.ENOLCK))
    assert not is_played(private)
    with pytest.raises(LocalError) as caught, alone(tmp_path / "players.lock"):
        pass
    assert (caught.value.code, caught.value.details["reason"]) == ("cannot_lock", os.strerror(errno.ENOLCK))


def test_a_system_that_gives_up_waiting_for_a_lock_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows waits for ten seconds, and no longer."""

    def held(*_: object) -> NoReturn:
        raise portalocker.AlreadyLocked

    monkeypatch.setattr(portalocker, "lock", held)
    with pytest.raises(LocalError) as caught, alone(tmp_path / "players.lock"):
        pass
    assert caught.value.code == "list_in_use"


@pytest.mark.enable_socket
@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "socket"])
def test_a_lock_that_is_no_file_is_said_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    KINDS[kind][0](tmp_path / "players.lock")
    with pytest.raises(LocalError, match="not_a_file"), alone(tmp_path / "players.lock"):
        pass


KEY = "ab" * 32
PLAYER = '{"name": "Ben", "since": "2026-01-02", "games": 3}'
CHALLENGE = f'["{KEY}", "pig", 1, [["goal", "100"]], "{KEY}{KEY}"]'
BAD_CHALLENGES = [
    *("5", "[]", '"abcde"', "{}", CHALLENGE.replace("]]", "]], 5")),
    *(CHALLENGE.replace(old, new, 1) for old, new in ((KEY, KEY[2:]), (KEY, "**"), ('"pig"', "null"), ("1,", "true,"))),
    *(CHALLENGE.replace('[["goal", "100"]]', new) for new in ("5", '"ab"', "[5]", '[["goal"]]', '[["goal", 1]]')),
    *(CHALLENGE.replace('"pig"', new) for new in ('"\\ud800"', '"\\u001b[2J"')),
    CHALLENGE.replace("1,", "1e999,"),
]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3", "1e999"),
        ("3", "NaN"),
        ("3", "-1"),
        ("3", "true"),
        ("3", '"3"'),
        ("3", "9" * 4000),
        ("3", "9" * 5000),
        ('"Ben"', '"\\ud800"'),
        ('"Ben"', '""'),
        ('"Ben"', '"%s"' % ("x" * 1000)),
        ('"Ben"', "null"),
        ('"2026-01-02"', '"soon"'),
        ('"2026-01-02"', "20260102"),
        (KEY, KEY[2:]),
        (KEY, "**"),
        (PLAYER, "[" * 100_000),
        (PLAYER, "[]"),
        *(("3}", f'3, "challenge": {challenge}}}') for challenge in BAD_CHALLENGES),
    ],
)
def test_a_list_of_players_with_anything_odd_is_refused_and_never_replaced(tmp_path: Path, old: str, new: str) -> None:
    from datetime import date

    home = Home(tmp_path)
    text = f'{{"{KEY}": {PLAYER}}}'
    (tmp_path / "players.json").write_text(text)
    assert home.known_players()[bytes.fromhex(KEY)] == Known("Ben", date(2026, 1, 2), 3)
    bad = text.replace(old, new, 1)
    (tmp_path / "players.json").write_text(bad)
    for act in (
        home.known_players,
        lambda: home.remember(b"k" * 32, "Ada", date(2026, 1, 2)),
        lambda: home.forget(bytes.fromhex(KEY)),
    ):
        with pytest.raises(LocalError) as caught:
            act()
        assert caught.value.code == "bad_players_file"
    assert (tmp_path / "players.json").read_text() == bad


def test_one_bad_old_key_hides_no_other(tmp_path: Path) -> None:
    from p2p_shanghaien.fairplay.keys import Identity

    home = Home(tmp_path)
    keys = [Identity(bytes((number,)) * 32) for number in (1, 2, 3)]
    for key in keys:
        home.adopt(key, in_place=True)
    (tmp_path / "identity.key.old-1").write_text("x")
    for key in keys[1:]:
        assert home.holder(key.public) is not None
    with pytest.raises(LocalError, match="bad_key_file"):
        home.holder(keys[0].public)


def test_what_is_torn_is_not_written_into_a_pipe(tmp_path: Path) -> None:
    path = keep(tmp_path, begun())
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0\0")
    os.mkfifo(path.with_suffix(".truncated"))
    with pytest.raises(LocalError, match="not_a_file"):
        GameLog.reopen(path, 2)
    assert path.read_bytes() == whole + b"\0\0", "nothing is cut off that is not kept elsewhere"
    assert not is_played(path)
