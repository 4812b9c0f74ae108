"""Keys, known players and logs on a real disk."""

import json
import os
import random
import stat
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.transcript import opening, read, record
from p2p_shanghaien.store.home import VARIABLE, Home
from p2p_shanghaien.store.logs import GameLog, all_logs, find, log_path
from tests.pair import make_pair

SESSION = bytes(range(32))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_key_is_made_once_and_is_for_its_owner_alone(home: Home) -> None:
    key = home.identity()
    assert Home(home.root).identity().public == key.public
    assert mode(home.root / "identity.key") == 0o600
    assert home.identity("computer").public != key.public


@pytest.mark.parametrize("content", [b"", b"not hex", b"ab" * 31, b"\xff\xfe"])
def test_a_broken_key_file_is_said_so_and_left_alone(home: Home, content: bytes) -> None:
    home.root.mkdir()
    path = home.root / "identity.key"
    path.write_bytes(content)
    with pytest.raises(LocalError) as caught:
        home.identity()
    assert caught.value.code == "bad_key_file"
    assert path.read_bytes() == content


def test_two_programs_that_make_the_key_at_once_agree_on_it(home: Home) -> None:
    script = (
        "import sys, pathlib; from p2p_shanghaien.store.home import Home; "
        "print(Home(pathlib.Path(sys.argv[1])).identity().public.hex())"
    )
    command = [sys.executable, "-c", script, str(home.root)]
    programs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(6)]
    keys = {program.communicate(timeout=60)[0] for program in programs}
    assert len(keys) == 1


def test_the_environment_names_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert Home.of_user().root == tmp_path
    monkeypatch.delenv(VARIABLE)
    assert Home.of_user().root.name == "shanghaien"


def test_players_are_remembered_by_key(home: Home) -> None:
    assert home.known_players() == {}
    home.remember(b"k" * 32, "Ben", date(2026, 1, 2))
    home.remember(b"k" * 32, "Benjamin", date(2026, 3, 4))
    home.remember(b"l" * 32, "Ada", date(2026, 3, 5))
    known = home.known_players()
    assert known[b"k" * 32] == ("Benjamin", date(2026, 1, 2), 2)
    assert known[b"l" * 32] == ("Ada", date(2026, 3, 5), 1)
    assert mode(home.root / "players.json") == 0o600


@pytest.mark.parametrize("content", ["", "[]", '{"zz": {}}', '{"00": {"name": "x"}}', '{"00": 7}'])
def test_a_broken_list_of_players_is_said_so(home: Home, content: str) -> None:
    home.root.mkdir()
    (home.root / "players.json").write_text(content)
    with pytest.raises(LocalError) as caught:
        home.known_players()
    assert caught.value.code == "bad_players_file"


def test_a_log_holds_what_was_appended(home: Home) -> None:
    pair = make_pair(random.Random(1))
    first = opening(pair.established[0].meeting.hellos, pair.established[0].proofs)
    path = log_path(home.games, SESSION, 1)
    log = GameLog.start(path, first, secret=b"s" * 32, address="192.0.2.7")
    log.append(b"one")
    log.append(b"three")
    log.sync()
    log.close()
    assert path.name == f"{SESSION.hex()}-guest.shlog"
    assert path.read_bytes() == first + record(b"one") + record(b"three")
    assert read(path.read_bytes()).entries == (b"one", b"three")


def test_what_is_private_stands_beside_the_log_and_not_in_it(home: Home) -> None:
    path = log_path(home.games, SESSION, 0)
    secret = bytes(range(100, 132))
    GameLog.start(path, b"opening", secret=secret, address="192.0.2.7").close()
    private = path.with_suffix(".private")
    assert json.loads(private.read_text()) == {"secret": secret.hex(), "address": "192.0.2.7"}
    assert mode(private) == 0o600
    assert secret not in path.read_bytes()
    assert secret.hex().encode() not in path.read_bytes()


def test_one_process_plays_a_seat(home: Home) -> None:
    path = log_path(home.games, SESSION, 0)
    log = GameLog.start(path, b"opening", secret=b"s" * 32, address="x")
    with pytest.raises(LocalError) as caught:
        GameLog.start(path, b"opening", secret=b"t" * 32, address="x")
    assert caught.value.code == "log_exists"
    log.close()
    assert path.read_bytes() == b"opening"


def test_both_seats_of_a_session_fit_in_one_home(home: Home) -> None:
    logs = [GameLog.start(log_path(home.games, SESSION, s), b"o", secret=b"s" * 32, address="x") for s in (0, 1)]
    for log in logs:
        log.close()
    assert len(all_logs(home.games)) == 2


def test_a_log_is_found_by_its_path_or_the_beginning_of_its_name(home: Home) -> None:
    for session in (b"\xaa" * 32, b"\xab" * 32):
        GameLog.start(log_path(home.games, session, 0), b"o", secret=b"s" * 32, address="x").close()
    wanted = log_path(home.games, b"\xab" * 32, 0)
    assert find(home.games, "ab") == find(home.games, str(wanted)) == wanted
    for text, code in [("a", "many_such_games"), ("c", "no_such_file"), ("", "no_such_file")]:
        with pytest.raises(LocalError) as caught:
            find(home.games, text)
        assert caught.value.code == code


def test_trouble_with_the_disk_is_explained(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(LocalError) as caught:
        Home(blocked).identity()
    assert caught.value.code == "file_trouble"
    assert caught.value.details["reason"]


def test_a_full_disk_is_an_error_and_not_a_shorter_entry(home: Home) -> None:
    path = log_path(home.games, SESSION, 0)
    log = GameLog.start(path, b"opening", secret=b"s" * 32, address="x")
    log.close()
    log._file = Path("/dev/full").open("r+b", buffering=0)  # noqa: SIM115
    try:
        with pytest.raises(LocalError) as caught:
            log.append(b"entry")
        assert caught.value.details["reason"] == os.strerror(28)
    finally:
        log._file.close()
