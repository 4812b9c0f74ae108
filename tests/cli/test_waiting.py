"""Whole programs that wait for somebody who does not answer: who waits can stop, at either screen."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import RANDOM, Host, Running, logs, shanghaien
from tests.cli.tmux import Tmux, Window, home
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

SCREENS = {"full": (), "plain": ("--plain",)}
YES, NO = {"full": ("y",), "plain": ("y", "Enter")}, {"full": ("n",), "plain": ("n", "Enter")}


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(tmp_path / "tmux") as server:
        yield server


@sweep("screen", SCREENS, every=2)
def test_a_host_sends_a_guest_away_that_does_not_agree(tmux: Tmux, tmp_path: Path, screen: str) -> None:
    where = ("host", "--bind", "127.0.0.1", "--port", 0, "--no-announce", *SCREENS[screen])
    host = Window(tmux, home(tmp_path / "here"), (80, 24), *where)
    found = re.search(r"127\.0\.0\.1:(\d+)", host.until(lambda text: re.search(r"127\.0\.0\.1:\d+", text)))
    assert found
    with Running(tmp_path / "sly", "join", found[0], "--name", "Sly") as sly:
        host.until("Play with Sly?", "Answer Sly within 5 minutes.")
        host.keys(*YES[screen])
        host.until("Go on waiting?")
        host.keys(*NO[screen])
        host.until("Waiting for another guest.")
        assert "You sent Sly away." in host.text()
        assert sly.exit_code() == 4
    with Running(tmp_path / "greta", "join", found[0], "--name", "Greta", *RANDOM):
        host.until("Play with Greta?")
        host.keys(*YES[screen])
        host.until("Round 1")
    assert not logs(tmp_path / "sly")


@pytest.mark.thorough
@pytest.mark.parametrize("screen", SCREENS)
def test_a_guest_leaves_a_host_that_does_not_begin(tmux: Tmux, tmp_path: Path, screen: str) -> None:
    with Host(tmp_path / "here", "--name", "Hanna") as host:
        guest = Window(tmux, home(tmp_path / "there"), (80, 24), "join", host.address, *SCREENS[screen])
        guest.until("Play?")
        guest.keys(*YES[screen])
        guest.until("Go on waiting?")
        guest.keys(*NO[screen])
        assert guest.exit_code() == 4
        host.wait_for("Waiting for another guest")
    assert not logs(tmp_path / "there")
    assert not logs(tmp_path / "here")


@pytest.mark.thorough
def test_a_guest_that_leaves_while_another_game_is_asked_for_has_played_a_whole_one(tmux: Tmux, tmp_path: Path) -> None:
    """Ctrl-C while the host's person thinks about it: the game is complete, and is called so."""
    with Host(tmp_path / "here", "--name", "Hanna") as host:
        guest = Window(tmux, home(tmp_path / "there"), (80, 24), "join", host.address, "--plain")
        guest.until("Play?")
        guest.keys("y", "Enter")
        host.wait_for("Play with")
        host.type("y")
        host.wait_for("Round 1")
        host.type("resign")
        host.wait_for("Resign this game")
        host.type("y")
        guest.until("Another game?")
        guest.keys("y", "Enter")
        guest.until("Go on waiting?")
        guest.keys("C-c")
        assert guest.exit_code() == 0
        text = " ".join(guest.text("-S", "-50").split())
        assert "The game is signed and saved as" in text
        assert "not finished" not in text
    (log,) = logs(tmp_path / "there")
    assert shanghaien(tmp_path / "there", "verify", log).returncode == 0
