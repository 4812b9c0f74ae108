"""One bad file in the home is named and passed over: what has nothing to do with it goes on, and it is never lost."""

import json
import os
from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path

import pytest

from p2p_shanghaien.app.contacts import recognise
from p2p_shanghaien.app.lobby import Keeper
from p2p_shanghaien.app.saved import latest
from p2p_shanghaien.cli import output
from p2p_shanghaien.cli.main import run
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.transcript import read
from p2p_shanghaien.session.ports import Opponent
from p2p_shanghaien.store.catalogue import short_name
from p2p_shanghaien.store.home import IDENTITY, Home
from p2p_shanghaien.store.paths import VARIABLE
from p2p_shanghaien.ui.words import say
from tests.store.kept import OTHER, begun, home_of_guest, keep
from tests.store.test_bad_files import KINDS
from tests.sweeps import sweep

CONTENTS = {
    "empty": b"",
    "no text": b"\xff\xfe\x00",
    "a mark alone": b"\xef\xbb\xbf",
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "a number": b"1e999",
    "no number": b"NaN",
    "a huge number": b"9" * 5000,
    "a lone surrogate": b'"\\ud800"',
    "a list": b"[]",
    "wrong types": b'{"name": [], "secret": {}, "key": 7, "address": null, "games": true}',
    "a pattern for a key": b'{"secret": "%s", "key": "**", "address": "x"}' % (b"00" * 32),
    "a path for a key": b'{"secret": "%s", "key": "../../x", "address": "x"}' % (b"00" * 32),
    "other values": b'{"name": "\\u001b]0;x", "bell": 1e999, "speed": NaN, "theme": "\\ud800", "language": "**"}',
    "a player": b'{"%s": {"name": "\\ud800", "since": "2026-01-01", "games": 1e999}}' % (b"ab" * 32),
}
"""The bad contents of a file."""

BAD = "bad"
PLACES = (
    "settings.json",
    "players.json",
    "players.lock",
    "identity.key.old-1",
    "computer.key",
    f"games/{BAD}.shlog",
    f"games/{BAD}.private",
    f"games/{BAD}.moved",
    "games/sidecar",
)
"""The files with bad contents; the last is the sidecar of a sound log of another game."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Return a home with a game that waits, and a player that is known; each test is a program of its own."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "home"))
    monkeypatch.setattr(output, "_warned", set())
    made = home_of_guest(tmp_path / "home")
    keep(made.games, begun())
    return made


def good(home: Home) -> Path:
    return keep(home.games, begun()) if not home.games.exists() else min(home.games.glob("*-guest.shlog"))


def spoiled(home: Home, place: str, how: str) -> Path:
    """Put something bad in a place, beside all that is good; the path of it."""
    path = home.root / place
    if place == "games/sidecar":
        path = keep(home.games, begun(seed=2)).with_suffix(".private")
        path.unlink()
    if how in KINDS:
        KINDS[how][0](path)
    else:
        path.write_bytes(CONTENTS[how])
    return path


def seen(path: Path) -> Iterator[object]:
    """Everything that tells whether a file was changed."""
    status = path.lstat()
    yield from (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns)


COMMANDS = (
    ["games"],
    ["players"],
    ["identity"],
    ["verify", "GOOD"],
    ["export", "GOOD"],
    ["replay", "GOOD", "--json"],
    ["replay", "GOOD", "--plain"],
    ["dice"],
)


@pytest.mark.enable_socket
@sweep("place, how", product(PLACES, [*KINDS, *CONTENTS]), every=31)
def test_a_bad_file_costs_only_what_is_about_it(
    home: Home, capsys: pytest.CaptureFixture[str], place: str, how: str
) -> None:
    log = min(home.games.glob("*.shlog"))
    usual = {}
    for command in COMMANDS:
        arguments = [str(log) if word == "GOOD" else word for word in command]
        usual[tuple(command)] = run(arguments), capsys.readouterr().out
    path = spoiled(home, place, how)
    before = list(seen(path))
    for command in COMMANDS:
        arguments = [str(log) if word == "GOOD" else word for word in command]
        code = run(arguments)
        out, err = capsys.readouterr()
        about = f"{place} {command[0]}"
        if about in ("players.json players", "settings.json identity") and code != 0:
            assert path.name in err, "it is what the command is about"
        elif command[0] == "dice" and place == f"games/{BAD}.shlog":
            assert path.name in out, "a file that does not count is named"
        elif command[0] in ("games", "dice") or place in ("games/sidecar", f"games/{BAD}.shlog"):
            assert code == usual[tuple(command)][0]
            assert log.name[:8] in out or command[0] != "games"
        else:
            assert (code, out) == usual[tuple(command)], about
        assert "Traceback" not in err
        warnings = [line for line in err.splitlines() if str(path) in line]
        assert len(warnings) == len(set(warnings)), "each fault of it is named once"
    assert list(seen(path)) == before


@pytest.mark.enable_socket
@pytest.mark.parametrize("how", [*KINDS, *CONTENTS])
def test_the_games_are_listed_and_what_cannot_go_on_is_named(
    home: Home, capsys: pytest.CaptureFixture[str], how: str
) -> None:
    bad_log = spoiled(home, f"games/{BAD}.shlog", how)
    sidecar = spoiled(home, "games/sidecar", how)
    assert run(["games"]) == 0
    out, err = capsys.readouterr()
    assert out.count("shanghaien resume") == 1
    assert bad_log.name in out
    assert f"{sidecar.name[:8]}…-" in err


@pytest.mark.enable_socket
@pytest.mark.parametrize("how", [*KINDS, *CONTENTS])
def test_the_game_that_can_go_on_goes_on(home: Home, capsys: pytest.CaptureFixture[str], how: str) -> None:
    log = min(home.games.glob("*.shlog"))
    sidecar = spoiled(home, "games/sidecar", how)
    os.utime(log, (0, 0))
    found = latest(home, output.warn)
    if how.endswith("for a key"):
        # whose key it is can be seen by the log
        assert (found.path, found.sidecar.key) == (sidecar.with_suffix(".shlog"), IDENTITY)
    else:
        assert found.path == log
        assert f"{sidecar.name[:8]}…-" in capsys.readouterr().err


def opponent() -> Opponent:
    return Opponent(name="Hanna", key=OTHER.public, remote="192.0.2.7", authentication="12345 67890", called="Hanna")


@pytest.mark.enable_socket
@pytest.mark.parametrize("how", [*KINDS, *CONTENTS])
def test_a_list_of_players_that_cannot_be_read_costs_no_game_and_is_not_replaced(home: Home, how: str) -> None:
    path = spoiled(home, "players.json", how)
    before = list(seen(path))
    told = dict(recognise(home, opponent()))
    assert list(told) == ["opponent_not_looked_up", "key_to_check", "authentication"]
    for code, details in told.items():
        assert say(code, **details)
    pair = begun(seed=3)
    session = pair.sides[1].endpoint.match.session
    keeper = Keeper(home, sociable=True)
    keeper.keep(session, 1, _opening(pair.sides[1].log), b"s" * 32, NO_KEY, "192.0.2.7").close()
    assert keeper.last is not None
    assert isinstance(keeper.contact_error, LocalError)
    assert list(seen(path)) == before


def _opening(log: bytes) -> bytes:
    return log[: len(log) - sum(4 + len(entry) for entry in read(log).entries)]


def test_whoever_is_known_is_recognised(home: Home) -> None:
    assert "opponent_new" in dict(recognise(home, opponent()))
    home.remember(OTHER.public, "Hanna", date(2026, 1, 2))
    assert "opponent_known" in dict(recognise(home, opponent()))
    home.remember(Identity(b"\x07" * 32).public, "Hanna", date(2026, 1, 2))
    assert "opponent_known" in dict(recognise(home, opponent()))


def test_settings_that_hold_nothing_are_set_aside_and_said(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.settings_file.write_text("{")
    assert run(["identity", "name", "Ada"]) == 0
    assert "settings.json.old-1" in capsys.readouterr().err
    assert home.settings_file.with_name("settings.json.old-1").read_text() == "{"
    assert home.own_name == "Ada"


@pytest.mark.parametrize(("address", "code"), [("no port", "bad_kept_address"), ("", "bad_kept_address")])
def test_an_address_that_is_none_is_asked_for(
    home: Home, capsys: pytest.CaptureFixture[str], address: str, code: str
) -> None:
    private = min(home.games.glob("*.private"))
    private.write_bytes(private.read_bytes() + b'\n{"address": "%s"}\n' % address.encode())
    assert run(["resume", private.stem[:8], "--player", "random"]) == 1
    wanted = say(code, name=short_name(private.with_suffix(".shlog")), digits=private.stem[:8])
    assert wanted in capsys.readouterr().err


@pytest.mark.parametrize("place", ["", "192.0.2.7", " ", " x", " -1", " 99999999", " ٣٣"])
def test_a_port_that_is_none_is_asked_for(home: Home, capsys: pytest.CaptureFixture[str], place: str) -> None:
    other = Home(home.root.with_name("hosts"))
    other.adopt(OTHER, in_place=False)
    private = keep(other.games, begun(), seat=0).with_suffix(".private")
    private.write_bytes(private.read_bytes() + b"\n" + json.dumps({"address": place}).encode() + b"\n")
    os.environ[VARIABLE] = str(other.root)  # the fixture puts it back
    assert run(["resume", private.stem[:8], "--player", "random"]) == 1
    assert say("bad_kept_port", name=short_name(private.with_suffix(".shlog"))) in capsys.readouterr().err
