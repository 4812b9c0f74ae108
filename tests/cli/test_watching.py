"""`host --watchers` and `watch`, between real programs."""

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import RANDOM, Host, Running, logs, shanghaien, take_guest
from tests.cli.tmux import Tmux, Window, home

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

WATCHED = ("--watchers", 2, "--name", "Hanna")
INVITATION = r"(?m)^((?:[0-9A-Z]{5}-){12}[0-9A-Z]{5})$"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def kept(home: Path) -> Path:
    """Return the one log of a watched game under `home`."""
    (log,) = (home / "watched").iterdir()
    return log


def words(program: Running) -> str:
    return " ".join(program.output.split())


def test_a_game_is_watched_to_its_end(stack: ExitStack, tmp_path: Path) -> None:
    here, there, away = tmp_path / "here", tmp_path / "there", tmp_path / "away"
    host = stack.enter_context(Host(here, *WATCHED))
    assert "Up to 2 people can watch: they type shanghaien watch, with the same address." in words(host)
    watcher = stack.enter_context(Running(away, "watch", host.address))
    watcher.wait_for("No game has begun at this table yet")
    guest = stack.enter_context(Running(there, "join", host.address, *RANDOM))
    take_guest(host)
    assert "Hanna lets others watch this game." in words(guest)
    for player in (host, guest):
        player.wait_for("1 person is watching")
    watcher.wait_for("This game is being played")
    host.stop()
    watcher.wait_for(r"The connection to the host was lost; it\s+is tried again")
    again = stack.enter_context(Running(here, "resume", *RANDOM))
    assert again.exit_code() == guest.exit_code() == watcher.exit_code() == 0, watcher.output
    assert "Connected again." in watcher.output
    assert "COMPLETE" in watcher.output
    log = kept(away)
    assert log.read_bytes() == logs(here)[0].read_bytes() == logs(there)[0].read_bytes()
    digits = log.name[:8]
    assert words(watcher).count("This game is over. If another one begins at this table, it is shown, too.") == 1
    assert words(watcher).endswith(f"To look through it: shanghaien replay {digits}")
    assert f" {digits}: COMPLETE (" in shanghaien(away, "verify", digits).stdout
    assert logs(away) == []


def test_whoever_stops_watching_is_told_how_far_it_has_come(stack: ExitStack, tmp_path: Path) -> None:
    host = stack.enter_context(Host(tmp_path / "here", *WATCHED))
    watcher = stack.enter_context(Running(tmp_path / "away", "watch", host.address))
    guest = stack.enter_context(Running(tmp_path / "there", "join", host.address, *RANDOM))
    take_guest(host)
    watcher.wait_for("This game is being played")
    watcher.process.send_signal(signal.SIGINT)
    assert watcher.exit_code() == 0
    assert "You have stopped watching." in watcher.output
    assert "INCOMPLETE" in watcher.output
    assert verify(kept(tmp_path / "away").read_bytes(), RULES).verdict == Verdict.INCOMPLETE
    assert guest.process.poll() is None
    host.wait_for("Your choice")


def test_a_private_table_has_another_invitation_for_watchers(stack: ExitStack, tmp_path: Path) -> None:
    host = stack.enter_context(Host(tmp_path / "here", "--private", *WATCHED))
    to_play, to_watch = re.findall(INVITATION, host.output)
    assert to_play != to_watch
    assert f"paste this at its prompt. It lets nobody play: {to_watch}" in words(host)
    refused = shanghaien(tmp_path / "there", "join", host.address, *RANDOM, SHANGHAIEN_INVITATION=to_watch)
    assert refused.returncode == 2
    assert "This invitation is for watching" in " ".join(refused.stderr.split())
    refused = shanghaien(tmp_path / "away", "watch", host.address)
    assert refused.returncode == 4
    assert "SHANGHAIEN_INVITATION" in refused.stderr
    for text in (f"relay.example.org/{to_watch}", to_watch):
        argument = shanghaien(tmp_path / "away", "watch", text)
        assert argument.returncode == 2
        assert "Type shanghaien watch alone" in " ".join(argument.stderr.split())
        assert "SHANGHAIEN_INVITATION" in argument.stderr
        assert to_watch not in argument.stderr
    # whoever may play may watch
    watchers = [
        stack.enter_context(Running(tmp_path / name, "watch", host.address, SHANGHAIEN_INVITATION=line))
        for name, line in (("away", to_watch), ("elsewhere", to_play))
    ]
    person = stack.enter_context(Running(tmp_path / "person", "join", host.address))
    person.wait_for("Invitation:")
    person.type(to_watch)
    person.wait_for(r"for\s+watching")
    person.stop()
    guest = stack.enter_context(
        Running(tmp_path / "there", "join", host.address, *RANDOM, SHANGHAIEN_INVITATION=to_play)
    )
    take_guest(host)
    for watcher in watchers:
        watcher.wait_for("This game is being played")
    for program in (*watchers, guest):
        for line in (to_play, to_watch):
            assert line not in program.output


@pytest.mark.parametrize(("address", "code"), [("127.0.0.1:1", 4), ("nowhere at all", 2)])
def test_where_nothing_can_be_watched(tmp_path: Path, address: str, code: int) -> None:
    ended = shanghaien(tmp_path, "watch", address)
    assert ended.returncode == code
    assert address in ended.stderr


def test_a_host_that_admits_nobody(stack: ExitStack, tmp_path: Path) -> None:
    host = stack.enter_context(Host(tmp_path / "here"))
    ended = shanghaien(tmp_path / "away", "watch", host.address)
    assert (ended.returncode, "This host lets nobody watch." in ended.stderr) == (4, True)
    assert "host --watchers NUMBER" in " ".join(ended.stderr.split()), "the remedy"


def test_one_more_than_the_host_admits(stack: ExitStack, tmp_path: Path) -> None:
    host = stack.enter_context(Host(tmp_path / "here", "--watchers", 1))
    assert "One person can watch: they type shanghaien watch, with the same address." in words(host)
    stack.enter_context(Running(tmp_path / "away", "watch", host.address)).wait_for("No game has begun")
    ended = shanghaien(tmp_path / "late", "watch", host.address)
    assert (ended.returncode, "As many people are watching" in ended.stderr) == (4, True)


@pytest.mark.thorough
def test_at_the_full_screen(tmp_path: Path) -> None:
    """The line is pasted at the prompt; the game is shown live, and one goes back in it as in any other."""
    with Tmux(tmp_path / "tmux") as tmux:
        listening = ("host", "--private", *WATCHED, "--bind", "127.0.0.1", "--port", 0, "--no-announce")
        host = Window(tmux, home(tmp_path / "here"), (80, 24), *listening)
        shown = host.until(re.compile(INVITATION.replace("^", "^ *").replace("$", " *$")).search)
        to_play, to_watch = (each.strip() for each in re.findall(r"(?:[0-9A-Z]{5}-){12}[0-9A-Z]{5}", shown))
        port = re.search(r"shanghaien join '?(127\.0\.0\.1:\d+)", shown)
        assert port
        watcher = Window(tmux, home(tmp_path / "away"), (80, 24), "watch", port[1])
        watcher.until("Invitation:")
        watcher.type(to_watch)
        watcher.keys("Enter")
        watcher.until("No game has begun")
        guest = Window(
            tmux, home(tmp_path / "there"), (80, 24), "join", port[1], *RANDOM, SHANGHAIEN_INVITATION=to_play
        )
        host.answer("[y] Yes", "y")
        guest.until("1 person is watching")
        host.until("1 watching")
        watcher.until("live", "Verification: INCOMPLETE")
        host.process.send_signal(signal.SIGKILL)
        watcher.until("connection lost")
        watcher.keys("q")
        assert watcher.exit_code() == 0
        watcher.until("You have stopped watching.", "INCOMPLETE", "shanghaien replay")
