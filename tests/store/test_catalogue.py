"""Short names of saved games, and the games that beginnings of them mean."""

import json
import os
import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.short_name import ShortName, ShortNames
from p2p_shanghaien.store.archives import export_archive
from p2p_shanghaien.store.catalogue import (
    find,
    is_against_computer,
    latest,
    saved_games,
    short_name,
    watched_games,
)
from p2p_shanghaien.store.home import COMPUTER, Home
from p2p_shanghaien.store.logs import GameLog, Sidecar, read_begun, read_sidecar
from p2p_shanghaien.store.paths import all_logs, all_records, log_path, watched_path
from tests.pair import GAMES, Pair, make_pair
from tests.store.kept import begun, home_of_guest, keep

EVENING = datetime(2026, 11, 28, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
"""In Europe it is the next day already."""
AN_HOUR = 3600


def empty(home: Home, session: str, seat: int = 0, age: int = 0) -> Path:
    """Return a log without any content, `age` hours older than others."""
    path = log_path(home.games, bytes.fromhex(session), seat)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (EVENING.timestamp() - age * AN_HOUR,) * 2)
    return path


def against_computer(home: Home) -> tuple[Pair, Path, Path]:
    """Return a game of the person against the computer in `home`, and the logs of both."""
    rng = random.Random(1)
    pair = make_pair(rng, identities=(home.identity(), home.identity(COMPUTER)))
    pair.play(rng, until=lambda pair: pair.sides[1].endpoint.match.number >= 20)
    host, guest = keep(home.games, pair, 0), keep(home.games, pair, 1)
    return pair, host, guest


def watched(home: Home, session: str) -> Path:
    """Return the log, without any content, of a game that was watched."""
    path = watched_path(home.watched, bytes.fromhex(session))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def refused(home: Home, text: str) -> LocalError:
    with pytest.raises(LocalError) as caught:
        find(home.games, text)
    return caught.value


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_a_name_is_day_opponents_and_eight_digits(tmp_path: Path) -> None:
    home, pair = home_of_guest(tmp_path), begun()
    path = keep(home.games, pair)
    session = pair.sides[1].endpoint.match.session
    (game,) = saved_games(home.games)
    assert game.path == path
    assert game.name == short_name(path)
    assert game.name.players == session.names
    assert game.name.digits == session.id.hex()[:8]


def test_the_day_is_the_one_on_which_the_game_began_where_it_was_played(tmp_path: Path) -> None:
    home, pair = Home(tmp_path), begun()
    opening = pair.sides[1].log[:0]
    path = log_path(home.games, b"\x07" * 32, 1)
    GameLog.start(path, opening, Sidecar(b"s" * 32, "identity", "x", begun=EVENING)).close()
    assert short_name(path).day == date(2026, 11, 28)
    assert read_sidecar(path).begun == EVENING
    assert json.loads(path.with_suffix(".private").read_text())["begun"] == "2026-11-28T23:30:00-05:00"


def test_the_day_outlives_a_move_to_another_machine_and_going_on(tmp_path: Path) -> None:
    home, pair = home_of_guest(tmp_path), begun()
    path = keep(home.games, pair)
    private = path.with_suffix(".private")
    facts = json.loads(private.read_text())
    private.write_text(json.dumps({**facts, "begun": EVENING.isoformat()}) + "\n" + "\n" * 99)
    GameLog.reopen(path, 0).close()
    assert short_name(path).day == EVENING.date(), "the sidecar was compacted"
    export_archive(path, tmp_path / "game.move", GAMES)
    assert not private.exists()
    assert short_name(path).day == EVENING.date()


@pytest.mark.parametrize(
    "sidecar",
    [
        None,
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"begun": null}',
        b'{"begun": 5}',
        b'{"begun": "yesterday"}',
        b'{"begun": "9' + b"9" * 5000 + b'"}',
        b"[" * 4000,
    ],
)
def test_without_a_date_in_the_sidecar_the_last_change_counts(home: Home, sidecar: bytes | None) -> None:
    path = empty(home, "ab" * 32)
    if sidecar is not None:
        path.with_suffix(".private").write_bytes(sidecar)
    assert short_name(path) == ShortName(EVENING.astimezone().date(), (), "ab" * 4)
    assert read_begun(path.with_suffix(".private")) is None


def test_a_sidecar_that_is_no_file_has_no_date(home: Home) -> None:
    path = empty(home, "ab" * 32)
    path.with_suffix(".private").mkdir()
    assert read_begun(path.with_suffix(".private")) is None


def test_a_log_that_does_not_say_who_plays_has_a_name_all_the_same(tmp_path: Path) -> None:
    home, pair = home_of_guest(tmp_path), begun()
    path = keep(home.games, pair)
    path.write_bytes(path.read_bytes()[:40])
    assert short_name(path).players == ()
    path.unlink()
    path.mkdir()
    assert short_name(path).players == ()


def test_a_log_elsewhere_has_a_name(tmp_path: Path) -> None:
    absent = tmp_path / "nowhere" / "games" / f"{'ab' * 32}-host.shlog"
    assert short_name(absent) == ShortName(datetime.fromtimestamp(0).astimezone().date(), (), "ab" * 4)
    (tmp_path / "file").touch()
    assert short_name(tmp_path / "file" / absent.name).digits == "ab" * 4


def test_where_eight_digits_do_not_suffice_there_are_more(home: Home) -> None:
    one, other = empty(home, "ab" * 31 + "00"), empty(home, "ab" * 4 + "cd" * 28, age=1)
    assert [game.name.digits for game in saved_games(home.games)] == ["ab" * 4 + "a", "ab" * 4 + "c"]
    assert find(home.games, "ab" * 4 + "a") == one
    assert find(home.games, "ab" * 4 + "c") == other


@pytest.mark.parametrize(
    "text",
    [
        "0788",
        "078865ab",
        "078865AB",
        "2026-11-28 Anna–Ben 078865ab",
        "2026-11-28 Anna-Ben 078865ab",
        f"078865ab{'00' * 28}",
        "0788-host",
        "0788-host.shlog",
        f"078865ab{'00' * 28}-host.shlog",
    ],
)
def test_a_beginning_of_the_digits_is_enough(home: Home, text: str) -> None:
    wanted = empty(home, "078865ab" + "00" * 28)
    empty(home, "0799" + "00" * 30)
    assert find(home.games, text) == wanted


@pytest.mark.parametrize(
    "text", ["", " ", "x", "0788-guest", "0788x", "0788 ", "-host", "0" * 65, "0788.shlog", "078865ab Anna", "\x00"]
)
def test_what_fits_no_game_is_refused(home: Home, text: str) -> None:
    empty(home, "078865ab" + "00" * 28)
    if text == "0788 ":  # white space around it is no part of a name
        assert find(home.games, text)
    else:
        assert refused(home, text).code == "no_such_file"


def test_a_mistyped_name_is_answered_with_the_one_that_was_meant(home: Home) -> None:
    empty(home, "078865ab" + "00" * 28)
    assert refused(home, "078856ab").details["nearest"] == "078865ab"
    assert refused(home, "2026-11-28 Anna-Ben 078856ab").details["nearest"] == "078865ab"


def test_an_ambiguous_name_lists_the_games_the_latest_first(home: Home) -> None:
    logs = [empty(home, f"07{number:02x}" + "00" * 30, age=number) for number in range(12)]
    error = refused(home, "07")
    assert error.code == "many_such_games"
    games = error.details["games"]
    assert isinstance(games, ShortNames)
    assert games == tuple(short_name(log) for log in logs[:10])
    assert refused(home, "070").details["games"] == games


def test_a_file_wins_over_a_game_and_a_game_over_a_folder(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = empty(home, "078865ab" + "00" * 28)
    monkeypatch.chdir(home.root)
    (home.root / "078865ab").touch()
    (home.root / "0788").mkdir()
    assert find(home.games, "078865ab") == Path("078865ab")
    assert find(home.games, "0788") == wanted
    (home.root / "07").mkdir()
    empty(home, "0799" + "00" * 30)
    assert refused(home, "07").code == "folder_named"


def test_a_file_with_another_name_is_called_by_that(home: Home) -> None:
    path = home.games / "from anna.shlog"
    path.parent.mkdir(parents=True)
    path.touch()
    assert short_name(path).digits == "from anna.shlog"
    assert [game.path for game in saved_games(home.games)] == [path]
    assert refused(home, "x").code == "no_such_file"
    other = path.with_name("ben.shlog")
    path.rename(other)
    assert find(home.games, "ben") == other


def test_a_game_against_the_computer_is_one_game(home: Home) -> None:
    pair, host, guest = against_computer(home)
    digits = pair.sides[0].endpoint.match.session.id.hex()[:8]
    assert [game.path for game in saved_games(home.games)] == [host]
    assert short_name(host).digits == digits
    assert find(home.games, digits) == find(home.games, digits[:4]) == latest(home.games) == host
    assert is_against_computer(host)
    assert is_against_computer(guest)
    assert not is_against_computer(empty(home, "ab" * 32))
    (home.games / f"{'ab' * 32}-host.shlog").unlink()
    # its other log is there for whoever asks for it
    assert short_name(guest).digits == f"{digits}-guest"
    assert find(home.games, f"{digits}-guest") == guest
    os.utime(host, (0, 0))
    assert latest(home.games) == host
    host.unlink()
    assert [game.path for game in saved_games(home.games)] == [guest]
    assert short_name(guest).digits == digits


def test_damage_does_not_make_two_games_of_one(home: Home) -> None:
    _, host, guest = against_computer(home)
    whole = guest.read_bytes()
    guest.write_bytes(whole[:30])
    private = guest.with_suffix(".private")
    facts = json.loads(private.read_text())
    private.write_text(json.dumps({**facts, "key": COMPUTER}))
    assert [game.path for game in saved_games(home.games)] == [host], "by the sidecar"
    guest.write_bytes(whole)
    private.write_text("x")
    assert [game.path for game in saved_games(home.games)] == [host], "by the key"
    guest.write_bytes(b"")
    assert {game.path for game in saved_games(home.games)} == {host, guest}, "nothing says whose it is"


def test_both_seats_of_a_game_with_oneself_are_named(home: Home) -> None:
    rng = random.Random(1)
    own: Sequence[Identity] = (home.identity(), home.identity())
    pair = make_pair(rng, identities=(own[0], own[1]))
    logs = {keep(home.games, pair, seat) for seat in (0, 1)}
    digits = pair.sides[0].endpoint.match.session.id.hex()[:8]
    assert {game.path for game in saved_games(home.games)} == logs
    assert {game.name.digits for game in saved_games(home.games)} == {f"{digits}-host", f"{digits}-guest"}
    assert not any(is_against_computer(log) for log in logs)
    assert refused(home, digits).code == "many_such_games"
    assert {find(home.games, f"{digits}-{seat}") for seat in ("host", "guest")} == logs


def test_the_latest_is_the_one_last_written(home: Home) -> None:
    with pytest.raises(LocalError) as caught:
        latest(home.games)
    assert caught.value.code == "no_saved_games"
    empty(home, "aa" * 32, age=2)
    newest = empty(home, "bb" * 32, age=1)
    assert latest(home.games) == newest
    odd = home.games / "odd.shlog"
    odd.touch()
    assert latest(home.games) == odd


def test_a_clock_without_a_zone_gives_a_day(home: Home) -> None:
    path = empty(home, "ab" * 32)
    path.with_suffix(".private").write_text(json.dumps({"begun": "2026-01-02T03:04:05"}))
    assert short_name(path).day == date(2026, 1, 2)
    path.with_suffix(".private").write_text(json.dumps({"begun": datetime(2026, 1, 2, tzinfo=UTC).isoformat()}))
    assert short_name(path).day == date(2026, 1, 2)


def test_a_practice_game_is_named_by_a_beginning_of_its_name(home: Home) -> None:
    home.practice.mkdir(parents=True)
    names = "pig-2026-11-28-2015", "pig-2026-11-29-0900", "shanghaien-2026-11-28-2100"
    for name in names:
        (home.practice / f"{name}.shrec").touch()
    records = all_records(home.practice)
    assert {record.stem for record in records} == set(names)
    assert find(home.games, "shang", records).stem == names[2]
    assert find(home.games, names[0], records).stem == names[0]
    with pytest.raises(LocalError) as caught:
        find(home.games, "pig", records)
    assert caught.value.code == "many_such_records"
    assert caught.value.details["games"] in (names[:2], names[1::-1])


def test_a_watched_game_is_named_as_a_saved_one(home: Home) -> None:
    pair = begun()
    session = pair.sides[1].endpoint.match.session
    path = watched(home, session.id.hex())
    path.write_bytes(pair.sides[1].log)
    (game,) = watched_games(home.watched)
    assert game == (path, short_name(path))
    assert (game.name.players, game.name.digits) == (session.names, session.id.hex()[:8])
    for text in (game.name.digits, path.stem, path.name, path.name[:1], f"2026-11-30 Hanna–Gustav {path.name[:8]}"):
        assert find(home.games, text, watched=[path]) == path
    assert saved_games(home.games) == []
    assert refused(home, path.name[:8]).code == "no_such_file"


def test_of_a_game_that_was_played_and_watched_the_digits_mean_the_saved_one(home: Home) -> None:
    played, seen = empty(home, "ab" * 32), watched(home, "ab" * 32)
    assert find(home.games, "abab", watched=[seen]) == played
    assert short_name(played).digits == "ab" * 4
    name = short_name(seen)
    assert name.digits == "ab" * 4 + "-watched"
    assert watched_games(home.watched) == [(seen, name)]
    assert find(home.games, name.digits, watched=[seen]) == seen


def test_the_digits_of_a_watched_game_mean_no_other(home: Home) -> None:
    saved, seen, other = empty(home, "ab" * 32), watched(home, "ab" * 4 + "cd" * 28), watched(home, "cd" * 32)
    logs = all_logs(home.watched)
    assert short_name(seen).digits == "ab" * 4 + "c"
    assert find(home.games, short_name(seen).digits, watched=logs) == seen
    assert find(home.games, "ab", watched=logs) == saved
    assert short_name(other).digits == "cd" * 4
    third = watched(home, "cd" * 31 + "ef")
    with pytest.raises(LocalError) as caught:
        find(home.games, "cd", watched=[other, third])
    assert caught.value.code == "many_such_games"
    games = caught.value.details["games"]
    assert isinstance(games, ShortNames)
    assert [name.digits for name in games] == ["cd" * 31 + "c", "cd" * 31 + "e"]
    with pytest.raises(LocalError) as caught:
        find(home.games, "cdcdcdcf", watched=logs)
    assert caught.value.details["nearest"] == "cdcdcdcd"


def test_saved_games_that_cannot_be_listed_take_no_name_from_watched_ones(home: Home) -> None:
    seen = watched(home, "ab" * 32)
    home.games.touch()
    assert short_name(seen).digits == "ab" * 4
