"""Keys, contacts and logs on a real disk."""

import errno
import json
import os
import random
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import BinaryIO

import pytest

from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.fairplay.challenge import sign_challenge
from p2p_shanghaien.fairplay.entries import Envelope, sign
from p2p_shanghaien.fairplay.handshake import Established
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.transcript import length_prefixed, opening, read
from p2p_shanghaien.fairplay.verify import KeptHandshake
from p2p_shanghaien.store import logs as store_logs
from p2p_shanghaien.store.catalogue import find
from p2p_shanghaien.store.files import open_regular
from p2p_shanghaien.store.home import Home, Known, read_key, write_key
from p2p_shanghaien.store.lines import handshake_lines
from p2p_shanghaien.store.logs import (
    GameLog,
    Sidecar,
    damaged_sidecar,
    hold,
    is_played,
    parse_sidecar,
    read_handshakes,
    read_on,
    read_sidecar,
    renew_sidecar,
    salvaged,
)
from p2p_shanghaien.store.paths import VARIABLE, all_logs, log_path
from tests import needs
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


def test_the_key_of_a_game_is_found_or_missed(home: Home) -> None:
    key = home.identity()
    assert home.owner(key.public, "identity").public == key.public
    with pytest.raises(LocalError) as caught:
        home.owner(bytes(32), "identity")
    assert caught.value.code == StoreCode.KEY_OF_GAME_MISSING


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
    assert known[b"k" * 32] == Known("Benjamin", date(2026, 1, 2), 2)
    assert known[b"l" * 32] == Known("Ada", date(2026, 3, 5), 1)
    assert mode(home.root / "players.json") == 0o600


def test_a_challenge_is_kept_with_the_player_until_it_is_dropped(home: Home) -> None:
    ours, theirs = Identity(b"\x01" * 32), Identity(b"\x02" * 32).public
    session = make_pair(random.Random(1)).sides[0].endpoint.match.session
    challenge = sign_challenge(ours, theirs, session)
    assert home.challenge_to(theirs) is None
    home.keep_challenge(theirs, "Ben", challenge)
    home.remember(theirs, "Benjamin", date(2026, 3, 4))
    home.remember(b"l" * 32, "Ada", date(2026, 3, 5))
    assert Home(home.root).challenge_to(theirs) == challenge
    assert home.known_players()[theirs].name == "Benjamin"
    assert home.challenge_to(b"l" * 32) is None
    later = sign_challenge(ours, theirs, session._replace(id=bytes(32)))
    home.keep_challenge(theirs, "Ben", later)
    assert home.challenge_to(theirs) == later
    home.keep_challenge(theirs, "Ben", None)
    assert home.challenge_to(theirs) is None
    assert home.known_players()[theirs].games == 1


def test_two_programs_that_remember_at_once_lose_nobody(home: Home) -> None:
    script = (
        "import sys, pathlib, datetime; from p2p_shanghaien.store.home import Home\n"
        "home, first = Home(pathlib.Path(sys.argv[1])), int(sys.argv[2])\n"
        "for number in range(first, first + 20):\n"
        "    home.remember(bytes((number,)) * 32, str(number), datetime.date(2026, 1, 2))\n"
        "    home.forget(b'nobody')\n"
        "    home.remember(b'k' * 32, 'Ben', datetime.date(2026, 1, 2))\n"
    )
    programs = [subprocess.Popen([sys.executable, "-c", script, str(home.root), str(n)]) for n in (0, 20)]
    assert [program.wait(timeout=60) for program in programs] == [0, 0]
    known = home.known_players()
    assert {key for key in known if key != b"k" * 32} == {bytes((number,)) * 32 for number in range(40)}
    assert known[b"k" * 32].games == 40


def test_a_forgotten_player_is_nobody_known(home: Home) -> None:
    home.forget(b"k" * 32)
    assert not home.root.exists(), "nothing to forget, nothing to write"
    home.remember(b"k" * 32, "Ben", date(2026, 1, 2))
    home.remember(b"l" * 32, "Ada", date(2026, 1, 3))
    home.forget(b"k" * 32)
    assert home.known_players() == {b"l" * 32: Known("Ada", date(2026, 1, 3), 1)}


def test_a_name_is_kept_until_another_is(home: Home) -> None:
    assert home.own_name is None
    for name in ("Ada", "\u00c9mile Zola"):
        home.keep_own_name(name)
        assert Home(home.root).own_name == name


def test_another_key_is_adopted_in_place_only_and_the_old_one_still_held(home: Home) -> None:
    first, second = Identity(b"1" * 32), Identity(b"2" * 32)
    assert home.adopt(first, in_place=False) is None
    assert home.adopt(first, in_place=False) is None, "it is there already"
    with pytest.raises(LocalError) as caught:
        home.adopt(second, in_place=False)
    assert caught.value.code == "other_key_there"
    assert home.identity().public == first.public
    assert home.holder(second.public) is None
    assert home.adopt(second, in_place=True) == home.root / "identity.key.old-1"
    assert home.adopt(first, in_place=True) == home.root / "identity.key.old-2"
    assert home.identity().public == first.public
    for identity in (first, second):
        held = home.holder(identity.public)
        assert held is not None
        assert held.private_bytes() == identity.private_bytes()
        assert home.holder(identity.public, "computer") is None


def test_looking_for_a_key_makes_none(home: Home) -> None:
    assert home.holder(b"k" * 32) is None
    assert not home.root.exists()


def test_a_key_is_written_to_a_new_file_alone(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "exported"
    write_key(path, Identity(b"1" * 32))
    assert mode(path) == 0o600
    assert read_key(path).private_bytes() == b"1" * 32
    with pytest.raises(LocalError) as caught:
        write_key(path, Identity(b"2" * 32))
    assert caught.value.code == "not_overwritten"
    assert read_key(path).private_bytes() == b"1" * 32


@pytest.mark.parametrize("content", ["", "[]", '{"zz": {}}', '{"00": {"name": "x"}}', '{"00": 7}'])
def test_a_broken_list_of_players_is_said_so(home: Home, content: str) -> None:
    home.root.mkdir()
    (home.root / "players.json").write_text(content)
    with pytest.raises(LocalError) as caught:
        home.known_players()
    assert caught.value.code == "bad_players_file"


def test_a_log_holds_what_was_appended(home: Home) -> None:
    pair = make_pair(random.Random(1))
    first = opening(pair.established[0].hellos, pair.established[0].proofs)
    path = log_path(home.games, SESSION, 1)
    log = GameLog.start(path, first, Sidecar(b"s" * 32, "identity", "192.0.2.7"))
    log.append(b"one")
    log.append(b"three")
    log.sync()
    log.close()
    assert path.name == f"{SESSION.hex()}-guest.shlog"
    assert path.read_bytes() == first + length_prefixed(b"one") + length_prefixed(b"three")
    assert read(path.read_bytes()).entries == (b"one", b"three")


def test_what_is_private_stands_beside_the_log_and_not_in_it(home: Home) -> None:
    path = log_path(home.games, SESSION, 0)
    secret = bytes(range(100, 132))
    GameLog.start(path, b"opening", Sidecar(secret, "identity", "192.0.2.7")).close()
    private = path.with_suffix(".private")
    assert read_sidecar(path) == Sidecar(secret, "identity", "192.0.2.7")
    assert mode(private) == 0o600
    assert secret not in path.read_bytes()
    assert secret.hex().encode() not in path.read_bytes()


def test_what_was_said_of_a_game_is_kept_beside_it(home: Home) -> None:
    path = log_path(home.games, SESSION, 0)
    log = GameLog.start(path, b"opening", Sidecar(b"s" * 32, "identity", "x"))
    assert not read_sidecar(path).resigned
    log.mark_resigned()
    assert read_sidecar(path).resigned
    assert not read_sidecar(path).delivered
    log.mark_delivered()
    log.close()
    assert read_sidecar(path) == Sidecar(b"s" * 32, "identity", "x", delivered=True, resigned=True)


def test_a_game_that_never_was_leaves_nothing(home: Home) -> None:
    path = log_path(home.games, SESSION, 1)
    log = GameLog.start(path, b"opening", Sidecar(b"s" * 32, "identity", "x"))
    log.discard()
    log.close()
    assert list(home.games.iterdir()) == []


def test_one_process_plays_a_seat(home: Home) -> None:
    path = log_path(home.games, SESSION, 0)
    log = GameLog.start(path, b"opening", Sidecar(b"s" * 32, "identity", "x"))
    with pytest.raises(LocalError) as caught:
        GameLog.start(path, b"opening", Sidecar(b"t" * 32, "identity", "x"))
    assert caught.value.code == "log_exists"
    log.close()
    assert path.read_bytes() == b"opening"


def test_both_seats_of_a_session_fit_in_one_home(home: Home) -> None:
    logs = [GameLog.start(log_path(home.games, SESSION, s), b"o", Sidecar(b"s" * 32, "identity", "x")) for s in (0, 1)]
    for log in logs:
        log.close()
    assert len(all_logs(home.games)) == 2


def test_a_log_is_found_by_its_path_or_the_beginning_of_its_name(home: Home) -> None:
    for session in (b"\xaa" * 32, b"\xab" * 32):
        GameLog.start(log_path(home.games, session, 0), b"o", Sidecar(b"s" * 32, "identity", "x")).close()
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
    GameLog.start(path, b"opening", Sidecar(b"s" * 32, "identity", "x")).close()
    log = on_a_full_disk(path)
    with pytest.raises(LocalError) as caught:
        log.append(b"entry")
    assert caught.value.details["reason"] == os.strerror(28)
    log.close()


def on_a_full_disk(path: Path) -> GameLog:
    """Go on with the log at `path`, for which there is no room any more; there is for what stands beside it."""
    return GameLog(path, needs.file("/dev/full").open("r+b", buffering=0), hold(path.with_suffix(".private")))


def started(home: Home, content: bytes = b"") -> Path:
    """Return a log of two entries that is not open any more, with `content` behind them."""
    path = log_path(home.games, SESSION, 0)
    log = GameLog.start(path, b"opening", SIDECAR)
    log.append(b"one")
    log.append(b"two")
    log.close()
    with path.open("ab") as file:
        file.write(content)
    return path


SIDECAR = Sidecar(b"s" * 32, "identity", " 48126")
WHOLE = b"opening" + length_prefixed(b"one") + length_prefixed(b"two")


@pytest.mark.parametrize(
    "truncated", [length_prefixed(b"three")[:end] for end in range(len(length_prefixed(b"three")))]
)
def test_a_torn_write_is_set_aside_and_never_deleted(home: Home, truncated: bytes) -> None:
    path = started(home, truncated)
    for _ in range(2):
        log = GameLog.reopen(path, len(path.read_bytes()) - len(WHOLE))
        log.close()
        assert path.read_bytes() == WHOLE
        aside = path.with_suffix(".truncated")
        assert (aside.read_bytes() if aside.exists() else b"") == truncated
    log = GameLog.reopen(path, 0)
    log.append(b"three")
    log.close()
    assert path.read_bytes() == WHOLE + length_prefixed(b"three")


def test_a_seat_that_is_being_played_cannot_be_taken_up_by_another_process(home: Home) -> None:
    path = started(home)
    log = GameLog.reopen(path, 0)
    script = (
        "import sys, pathlib; from p2p_shanghaien.store.logs import GameLog\n"
        "try: GameLog.reopen(pathlib.Path(sys.argv[1]), 0)\n"
        "except Exception as error: print(error.code)"
    )
    refused = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    assert refused.stdout.strip() == "seat_in_use"
    log.close()
    GameLog.reopen(path, 0).close()


def reconnections(count: int, seat: int = 0) -> Iterator[tuple[Established, bytes]]:
    """Handshakes of one game, each with an entry that `seat` could sign under it."""
    rng = random.Random(1)
    pair = make_pair(rng)
    pair.settle()
    for _ in range(count):
        pair.resume(rng)
        established = pair.established[seat]
        blank = Envelope(bytes(32), 7, bytes(32), seat, established.hellos.handshake, "action", b"", bytes(32))
        yield established, sign(pair.identities[seat], blank).data


@pytest.mark.parametrize("seat", [0, 1])
def test_a_handshake_is_kept_with_the_first_entry_of_ours_that_names_it(home: Home, seat: int) -> None:
    path = log_path(home.games, SESSION, seat)
    log = GameLog.start(path, b"opening", SIDECAR)
    ((established, ours), _) = reconnections(2, seat)
    ((_, theirs), _) = reconnections(2, 1 - seat)
    log.add_handshake(established)
    log.append(theirs)
    assert read_handshakes(path.with_suffix(".private")) == []
    for _ in range(3):
        log.append(ours)
        (handshake,) = read_handshakes(path.with_suffix(".private"))
        assert handshake == (established.hellos, established.proofs, established.theirs)
    log.close()
    assert read_sidecar(path) == SIDECAR


def test_a_handshake_is_on_the_disk_before_the_entry_that_names_it(home: Home) -> None:
    path = started(home)
    log = on_a_full_disk(path)
    ((established, ours),) = reconnections(1)
    log.add_handshake(established)
    with pytest.raises(LocalError):
        log.append(ours)
    log.close()
    assert len(read_handshakes(path.with_suffix(".private"))) == 1
    assert path.read_bytes() == WHOLE


@pytest.mark.thorough
def test_a_thousand_reconnections_without_entries_leave_the_sidecar_as_it_is(home: Home) -> None:
    path = started(home)
    sidecar = path.with_suffix(".private")
    before = sidecar.stat().st_size
    for established, _ in reconnections(1000):
        log = GameLog.reopen(path, 0)
        for _ in range(2):
            log.add_handshake(established)
            log.set_address("127.0.0.1 7")
            log.mark_resigned()
            log.mark_delivered()
        log.close()
    assert sidecar.stat().st_size < before + 200
    assert read_sidecar(path) == SIDECAR._replace(address="127.0.0.1 7", resigned=True, delivered=True)


def grown(home: Home) -> tuple[Path, list[bytes]]:
    """Return a game whose sidecar an older version has let grow, and the lines in it that an entry of ours needs."""
    path = log_path(home.games, SESSION, 0)
    log = GameLog.start(path, b"opening", SIDECAR)
    lines, needed = [], []
    for number, (met, ours) in enumerate(reconnections(40)):
        line = handshake_lines([KeptHandshake(met.hellos, met.proofs, met.theirs)])
        lines += [line, b"\n", b'{"address": "127.0.0.1 %d"}\n' % number, b'{"resigned": true}\n', b'{"hello']
        if number % 10 == 3:
            needed.append(line)
            if number == 33:
                path.with_suffix(".truncated").write_bytes(length_prefixed(ours))
            else:
                log.append(ours)
    log.close()
    # one that a version of today has kept, although its entry is in no file any more
    (kept, _) = next(reconnections(1))
    fields = json.loads(handshake_lines([KeptHandshake(kept.hellos, kept.proofs, kept.theirs)]))
    needed.append(json.dumps({"entry": 9, **fields}).encode() + b"\n")
    with path.with_suffix(".private").open("ab") as file:
        file.write(b"\n".join([*lines, needed[-1]]))
    return path, needed


def check_compacted(path: Path, needed: list[bytes]) -> None:
    lines = path.with_suffix(".private").read_bytes().splitlines(keepends=True)
    assert [line for line in lines if b"hellos" in line] == needed
    assert read_sidecar(path) == SIDECAR._replace(address="127.0.0.1 39", resigned=True)
    assert mode(path.with_suffix(".private")) == 0o600


def test_what_an_older_version_has_kept_too_much_goes_when_the_game_is_taken_up_again(home: Home) -> None:
    path, needed = grown(home)
    size = path.with_suffix(".private").stat().st_size
    log = GameLog.reopen(path, 0)
    check_compacted(path, needed)
    assert path.with_suffix(".private").stat().st_size < size / 4
    with pytest.raises(LocalError) as caught:
        GameLog.reopen(path, 0)
    assert caught.value.code == "seat_in_use", "the file that took the other's place is held"
    log.set_address("10.0.0.1:7")
    log.close()
    assert read_sidecar(path).address == "10.0.0.1:7"
    assert not list(home.games.glob("*.new"))


class Killed(BaseException):
    """Nothing of the program goes on."""


@pytest.mark.parametrize("step", ["write_new", "replace", "sync_folder"])
@pytest.mark.parametrize("done", [False, True])
def test_killed_while_it_compacts_it_has_lost_nothing(
    home: Home, monkeypatch: pytest.MonkeyPatch, step: str, done: bool
) -> None:
    path, needed = grown(home)
    owner = Path if step == "replace" else store_logs
    real = getattr(owner, step)

    def killed(*arguments: object) -> None:
        if done:
            real(*arguments)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(owner, step, killed)
        with pytest.raises(Killed):
            GameLog.reopen(path, 0)
    kept = read_handshakes(path.with_suffix(".private"))
    assert all(handshake in kept for line in needed for handshake in [parsed_handshake(line, home)])
    assert read_sidecar(path) == SIDECAR._replace(address="127.0.0.1 39", resigned=True)
    GameLog.reopen(path, 0).close()
    check_compacted(path, needed)


def parsed_handshake(line: bytes, home: Home) -> KeptHandshake:
    path = home.root / "line"
    path.write_bytes(line)
    (handshake,) = read_handshakes(path)
    return handshake


def test_a_sidecar_that_was_replaced_meanwhile_is_not_held(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process opened the file before it was compacted, and gets hold of it once nobody wants it any more."""
    path, _ = grown(home)
    sidecar = path.with_suffix(".private")

    def late(path: Path, mode: str) -> BinaryIO:
        file = open_regular(path, mode)
        monkeypatch.setattr(store_logs, "open_regular", open_regular)
        GameLog.reopen(path.with_suffix(".shlog"), 0).close()
        return file

    monkeypatch.setattr(store_logs, "open_regular", late)
    with pytest.raises(LocalError) as caught:
        hold(sidecar)
    assert caught.value.code == "seat_in_use"
    hold(sidecar).close()


def test_an_address_is_kept_beside_the_log(home: Home) -> None:
    path = started(home)
    log = GameLog.reopen(path, 0)
    log.set_address("127.0.0.1 5000")
    log.close()
    assert read_sidecar(path) == SIDECAR._replace(address="127.0.0.1 5000")
    assert path.read_bytes() == WHOLE


def test_a_line_cut_short_beside_the_log_does_no_harm(home: Home) -> None:
    path = started(home)
    with path.with_suffix(".private").open("ab") as file:
        file.write(b'{"address": "127.0')
    log = GameLog.reopen(path, 0)
    log.set_address("127.0.0.1 7")
    log.close()
    assert read_sidecar(path).address == "127.0.0.1 7"


def test_a_name_that_nobody_could_send_is_said_so_and_left_alone(home: Home) -> None:
    home.root.mkdir()
    for name in ("", "A\nB", 7, ["Ada"]):
        text = json.dumps({"name": name})
        home.settings_file.write_text(text)
        with pytest.raises(LocalError) as caught:
            _ = home.own_name
        assert caught.value.code == "bad_kept_name"
        assert home.settings_file.read_text() == text


def test_forgetting_somebody_unknown_writes_nothing(home: Home) -> None:
    home.remember(b"k" * 32, "Ben", date(2026, 1, 2))
    path = home.root / "players.json"
    before = path.stat()
    home.forget(b"l" * 32)
    assert os.path.samestat(path.stat(), before)
    assert home.known_players() == {b"k" * 32: Known("Ben", date(2026, 1, 2), 1)}


def test_half_a_key_is_not_left_behind(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LocalError) as caught:
        write_key(tmp_path / "exported", Identity(b"1" * 32))
    assert caught.value.details["reason"] == os.strerror(errno.ENOSPC)
    assert list(tmp_path.iterdir()) == []


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_log_is_synced_only_where_something_was_written(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    path = started(home)
    log = GameLog.reopen(path, 0)
    log.append(b"three")
    log.sync()
    monkeypatch.setattr(os, "fsync", full)
    log.sync()
    log.append(b"four")
    with pytest.raises(LocalError) as caught:
        log.sync()
    assert caught.value.code == "file_trouble"
    log.close()


def test_what_is_said_again_is_kept_once(home: Home) -> None:
    path = started(home)
    log = GameLog.reopen(path, 0)
    log.set_address("10.0.0.1 7")
    size = path.with_suffix(".private").stat().st_size
    log.set_address("10.0.0.1 7")
    assert path.with_suffix(".private").stat().st_size == size
    log.set_address("10.0.0.2 7")
    log.set_address("10.0.0.1 7")
    log.close()
    assert read_sidecar(path).address == "10.0.0.1 7"


def test_a_log_is_read_on_from_where_it_ended(home: Home) -> None:
    path = started(home, b"more")
    assert read_on(path, len(WHOLE)) == b"more"
    assert read_on(path, len(WHOLE) + 4) == b""
    with pytest.raises(LocalError) as caught:
        read_on(path, len(WHOLE) + 5)
    assert caught.value.code == "log_shrank"


def test_a_log_that_has_changed_since_it_was_looked_at_is_not_taken_up(home: Home) -> None:
    path = started(home)
    GameLog.reopen(path, 0, size=len(WHOLE)).close()
    for size in (len(WHOLE) - 1, len(WHOLE) + 1):
        with pytest.raises(LocalError) as caught:
            GameLog.reopen(path, 0, size=size)
        assert caught.value.code == "log_changed"
    assert path.read_bytes() == WHOLE
    with closing(hold(path.with_suffix(".private"))):
        assert is_played(path)
    assert not is_played(path)


def test_a_sidecar_that_a_system_does_not_replace_stays_as_it_is(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows replaces no file that is open, as this one is held."""
    path, _ = grown(home)
    sidecar = path.with_suffix(".private")
    before = sidecar.read_bytes()

    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", refused)
        log = GameLog.reopen(path, 0)
    assert sidecar.read_bytes() == before
    assert not list(home.games.glob("*.new"))
    with pytest.raises(LocalError) as caught:
        hold(sidecar)
    assert caught.value.code == "seat_in_use"
    log.set_address("10.0.0.1 7")
    log.close()
    assert read_sidecar(path).address == "10.0.0.1 7"


def damaged(home: Home) -> tuple[Path, bytes, list[KeptHandshake]]:
    """A game that the other side has the whole of, at another address, with a sidecar whose first line is damaged: the
    log, the sidecar's bytes, the handshakes in it."""
    path, needed = grown(home)
    log = GameLog.reopen(path, 0)
    log.mark_delivered()
    log.set_address("10.0.0.1 7")
    log.close()
    sidecar = path.with_suffix(".private")
    data = b"?" + sidecar.read_bytes()[1:]
    sidecar.write_bytes(data)
    return path, data, [parsed_handshake(line, home) for line in needed]


def test_a_game_with_a_damaged_sidecar_is_not_taken_up(home: Home) -> None:
    path, data, _ = damaged(home)
    with pytest.raises(LocalError) as caught:
        GameLog.reopen(path, 0)
    assert caught.value.code == "sidecar_unreadable"
    with pytest.raises(LocalError) as caught:
        read_sidecar(path)
    assert caught.value.code == "sidecar_unreadable"
    assert path.with_suffix(".private").read_bytes() == data


@pytest.mark.parametrize("damaged_line", range(3))
def test_the_key_of_a_private_tables_channel_outlasts_a_damaged_line(home: Home, damaged_line: int) -> None:
    """Without it no channel to the peer can be opened any more."""
    path, key = log_path(home.games, SESSION, 0), bytes(range(32))
    GameLog.start(path, b"opening", Sidecar(b"s" * 32, "identity", "x", key)).close()
    sidecar = path.with_suffix(".private")
    whole = sidecar.read_bytes()
    assert read_sidecar(path).channel_key == key
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 2
    if damaged_line < len(lines):
        lines[damaged_line] = b"?" + lines[damaged_line][1:]
        sidecar.write_bytes(b"".join(lines))
    lost = Sidecar(b"t" * 32, "identity", "")
    found = salvaged(path, lost) if damaged_line == 0 else read_sidecar(path)
    assert found.channel_key == key
    if damaged_line == 0:
        renew_sidecar(path, found)
    GameLog.reopen(path, 0).close()
    assert read_sidecar(path).channel_key == key


@pytest.mark.parametrize("damaged_line", range(3))
def test_the_relay_of_a_game_is_kept_as_safely(home: Home, damaged_line: int) -> None:
    path = log_path(home.games, SESSION, 0)
    kept = Sidecar(b"s" * 32, "identity", "x", b"k" * 32, relay="relay.example.org:8443", room=b"r" * 16)
    GameLog.start(path, b"opening", kept).close()
    assert read_sidecar(path) == kept
    sidecar = path.with_suffix(".private")
    lines = sidecar.read_bytes().splitlines(keepends=True)
    if damaged_line < len(lines):
        lines[damaged_line] = b"?" + lines[damaged_line][1:]
        sidecar.write_bytes(b"".join(lines))
    lost = Sidecar(b"t" * 32, "identity", "")
    found = salvaged(path, lost) if damaged_line == 0 else read_sidecar(path)
    assert (found.relay, found.room, found.channel_key) == (kept.relay, kept.room, kept.channel_key)


@pytest.mark.parametrize("watching", [b"", b"w" * 16], ids=["open table", "private table"])
def test_who_may_watch_is_kept_too(home: Home, watching: bytes) -> None:
    path = log_path(home.games, SESSION, 0)
    kept = Sidecar(b"s" * 32, "identity", "x", watchers=5, watching=watching)
    GameLog.start(path, b"opening", kept).close()
    assert read_sidecar(path) == kept
    GameLog.reopen(path, 0).close()
    assert read_sidecar(path) == kept


@pytest.mark.parametrize(
    "fields",
    [
        {"watchers": 21, "watching": ""},
        {"watchers": 0, "watching": ""},
        {"watchers": True, "watching": ""},
        {"watchers": 2, "watching": "77"},
        {"watchers": "2", "watching": ""},
        {"watchers": 2},
    ],
    ids=str,
)
def test_of_a_sidecar_that_says_nonsense_of_watchers_nobody_may_watch(fields: dict[str, object]) -> None:
    first = {"secret": "00" * 32, "key": "identity", "address": "x", **fields}
    assert parse_sidecar(json.dumps(first).encode()) == Sidecar(bytes(32), "identity", "x")


def test_whoever_has_no_contact_has_met_nobody(home: Home) -> None:
    seen = [home.has_met_nobody]
    home.remember(b"k" * 32, "Ben", date(2026, 11, 29))
    seen.append(home.has_met_nobody)
    (home.root / "players.json").write_text("?")
    seen.append(home.has_met_nobody)
    assert seen == [True, False, False], "of a damaged list nobody can tell"


def test_a_damaged_sidecar_is_begun_anew_with_all_else_that_it_says(home: Home) -> None:
    path, data, handshakes = damaged(home)
    lost = Sidecar(b"t" * 32, "identity", "")
    found = salvaged(path, lost)
    assert found == lost._replace(address="10.0.0.1 7", delivered=True)
    for _ in range(2):
        renew_sidecar(path, found)
        assert read_sidecar(path) == found
        assert read_handshakes(path.with_suffix(".private")) == handshakes
    aside = damaged_sidecar(path).read_bytes()
    assert aside.startswith(data), "what was there is kept, however often"
    assert len(aside) > len(data)
    GameLog.reopen(path, 0).close()
    assert read_sidecar(path) == found
