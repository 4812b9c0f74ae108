"""Contacts: `shanghaien players`, and the messages and questions when somebody joins."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path

import pytest

from p2p_shanghaien.app.contacts import recognise
from p2p_shanghaien.fairplay.keys import Identity, shown_key
from p2p_shanghaien.session.negotiation import WARNINGS
from p2p_shanghaien.session.ports import Opponent
from p2p_shanghaien.store.home import Home
from tests.cli.program import RANDOM, Host, Running, logs, shanghaien
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

KEYS = [Identity(bytes((number,)) * 32).public for number in range(1, 5)]


def plain(text: str) -> str:
    """Lines as one, for sentences are wrapped."""
    return " ".join(text.split())


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def hosting(stack: ExitStack, home: Path, *arguments: object) -> Host:
    return stack.enter_context(Host(home, *arguments))


def joining(stack: ExitStack, home: Path, host: Host, *arguments: object) -> Running:
    return stack.enter_context(Running(home, "join", host.address, *arguments))


def test_nobody_is_known_at_first(tmp_path: Path) -> None:
    listed = shanghaien(tmp_path, "players")
    assert listed.returncode == 0
    assert "have no contacts" in listed.stdout


def test_an_opponent_is_known_after_a_game_and_can_be_forgotten(tmp_path: Path, stack: ExitStack) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    host = hosting(stack, here, *RANDOM, "--name", "Hanna")
    assert shanghaien(there, "join", host.address, *RANDOM, "--name", "Ben Gunn").returncode == host.exit_code() == 0
    shown = re.search(r"fingerprint of your key: (.+)", shanghaien(there, "identity").stdout)
    assert shown
    listed = shanghaien(here, "players").stdout
    assert "Ben Gunn" in listed
    assert shown[1] in listed
    assert f"1 game since {date.today()}" in listed
    assert "unfinished" not in listed
    assert shanghaien(here, "players", "forget", "Ben Gunn").returncode == 0
    assert "Ben" not in shanghaien(here, "players").stdout


@pytest.mark.thorough
def test_games_that_an_opponent_left_are_counted(tmp_path: Path, stack: ExitStack) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for count in (1, 2):
        host = hosting(stack, here, *RANDOM, "--name", "Hanna", "--patience", 0.1)
        guest = joining(stack, there, host, "--name", "Ben")
        guest.wait_for("Play")
        guest.type("y")
        guest.wait_for("Your choice")
        guest.stop()
        assert host.exit_code() == 5
        listed = plain(shanghaien(here, "players").stdout)
        unfinished = {1: "1 saved game is unfinished and waits", 2: "2 saved games are unfinished and wait"}[count]
        assert f"{count} game" in listed
        assert unfinished in listed
    assert "unfinished" not in shanghaien(there, "players").stdout, "Hanna left nothing"


def test_only_one_player_is_forgotten_at_a_time(tmp_path: Path) -> None:
    home = Home(tmp_path)
    for key, name in zip(KEYS, ("Ben", "Ben", "Ada", "Cleo\x1b[2J"), strict=True):
        home.remember(key, name, date(2026, 1, 2))
    listed = shanghaien(tmp_path, "players").stdout
    assert "\x1b" not in listed
    fingerprints = re.findall(r"^    ((?:[0-9a-f]{4} ){7}[0-9a-f]{4})$", listed, re.MULTILINE)
    assert len(fingerprints) == 4
    ambiguous = shanghaien(tmp_path, "players", "forget", "Ben")
    assert ambiguous.returncode == 1
    assert sum(shown in plain(ambiguous.stderr) for shown in fingerprints) == 2
    for nobody in ("Eve", fingerprints[0][:3], ""):
        unknown = shanghaien(tmp_path, "players", "forget", nobody)
        assert unknown.returncode == 1
        assert "have no contact" in unknown.stderr
    assert len(home.known_players()) == 4
    one_ben = next(shown for shown in fingerprints if shown in plain(ambiguous.stderr))
    assert shanghaien(tmp_path, "players", "forget", one_ben[:9].upper()).returncode == 0
    assert shanghaien(tmp_path, "players", "forget", "Ben").returncode == 0, "one Ben was left"
    assert sorted(player.name[:4] for player in home.known_players().values()) == ["Ada", "Cleo"]


@sweep("called", ["Ben", "ben", "B e n"], every=2)
def test_a_known_name_with_another_key_must_be_answered_in_full(tmp_path: Path, stack: ExitStack, called: str) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for home, name in ((here, "Ben"), (there, "Hanna")):
        Home(home).remember(KEYS[0], name, date(2026, 1, 2))
    host = hosting(stack, here, "--name", "Hanna")
    guest = joining(stack, there, host, "--name", called)
    for program, before in ((host, "Ben"), (guest, "Hanna")):
        program.wait_for("WARNING")
        program.wait_for("despite")
        program.type("y")
        program.wait_for('"y" is neither')
        assert "Your choice" not in program.output, before
        program.type("yes")
    while not ("Your choice" in host.output or "Your choice" in guest.output):
        assert host.process.poll() is None, host.output
        assert guest.process.poll() is None, guest.output
    assert len(logs(here)) == len(logs(there)) == 1


def test_no_declines_a_doubtful_guest(tmp_path: Path, stack: ExitStack) -> None:
    Home(tmp_path / "here").remember(KEYS[0], "Ben", date(2026, 1, 2))
    host = hosting(stack, tmp_path / "here")
    guest = joining(stack, tmp_path / "there", host, *RANDOM, "--name", "Ben")
    host.wait_for("despite")
    host.type("n")
    assert guest.exit_code() == 4
    host.wait_for("Waiting for another guest")
    assert not logs(tmp_path / "here")


@pytest.mark.thorough
def test_a_computer_player_is_warned_and_plays_all_the_same(tmp_path: Path, stack: ExitStack) -> None:
    Home(tmp_path / "here").remember(KEYS[0], "Ben", date(2026, 1, 2))
    host = hosting(stack, tmp_path / "here", *RANDOM)
    assert shanghaien(tmp_path / "there", "join", host.address, *RANDOM, "--name", "Ben").returncode == 0
    assert host.exit_code() == 0
    assert "WARNING" in host.output


def test_a_known_opponent_is_greeted_by_the_name_known_and_cannot_take_another_ones(
    tmp_path: Path, stack: ExitStack
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    home = Home(here)
    home.remember(Home(there).identity().public, "Ben", date(2026, 1, 2))
    home.remember(KEYS[0], "Ada", date(2026, 1, 2))
    host = hosting(stack, here)
    for name, greeting, question in (
        ("Ben", "Ben connected from", "Play with Ben"),
        ("Benjamin", "Ben, now called Benjamin, connected from", "Play with Benjamin"),
        ("Ada", "WARNING: your contact Ben", "despite the warning"),
    ):
        guest = joining(stack, there, host, *RANDOM, "--name", name)
        host.wait_for(question)
        assert greeting in plain(host.output)
        host.type("no")
        assert guest.exit_code() == 4


@sweep("name", ["\u041d\u0430nn\u0430", "hanna", "Hanna.", "Ha\u0301nna", "H anna", "\u0397anna"], every=3)
def test_a_name_that_looks_like_a_known_one_is_warned_of(tmp_path: Path, name: str) -> None:
    home = Home(tmp_path)
    home.remember(KEYS[0], "Hanna", date.today())
    (code, details), shown, _ = recognise(home, Opponent(name, name, KEYS[1], "192.0.2.1", "12345"))
    assert code == "opponent_lookalike"
    assert code in WARNINGS
    assert shown == ("key_to_check", {"name": name, "key": shown_key(KEYS[1])})
    assert details["other"] == "Hanna"
    home.remember(KEYS[1], "Ben", date.today())
    (code, details), *_ = recognise(home, Opponent(name, name, KEYS[1], "192.0.2.1", "12345"))
    assert code == "opponent_took_name"
