"""Whose seat it is: whole programs that are in the way of a player, of another player, or of themselves."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.program import RANDOM, Host, Running, logs, shanghaien
from tests.cli.test_resume import Game


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with ExitStack() as stack:
        yield Game(tmp_path, stack)


def check_goes_on(host: Running) -> None:
    """The host's person has noticed nothing, and the guest's program answers."""
    assert "was lost" not in host.output
    host.type("roll")
    host.wait_for(r"You rolled \d and \d")


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_strangers_are_turned_away_and_the_game_goes_on(game: Game, tmp_path: Path) -> None:
    """One comes for a game of its own; one has stolen the guest's log, and not its key."""
    thief = tmp_path / "thief"
    thief.mkdir()
    (log,) = logs(game.there)
    for path in (log, log.with_suffix(".private")):
        (thief / "games").mkdir(exist_ok=True)
        (thief / "games" / path.name).write_bytes(path.read_bytes())
    for home, command in ((tmp_path / "elsewhere", ("join", game.host.address)), (thief, ("resume",))):
        stranger = shanghaien(home, *command, *RANDOM)
        assert stranger.returncode in (1, 4), stranger.stdout
    assert game.guest.process.poll() is None
    assert "was lost" not in game.guest.output
    check_goes_on(game.host)


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_second_process_for_the_guests_seat_is_refused(tmp_path: Path) -> None:
    """It neither plays nor displaces the first one's connection."""
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, "--name", "Hanna") as host, Running(there, "join", host.address, "--name", "Gustav") as guest:
        host.wait_for("Play with")
        host.type("y")
        guest.wait_for("proposes a game")
        guest.type("y")
        guest.wait_for("Round 1")
        second = shanghaien(there, "resume", *RANDOM)
        assert second.returncode == 1
        assert "is playing this seat" in " ".join(second.stderr.split())
        time.sleep(0.5)
        assert "was lost" not in host.output + guest.output
