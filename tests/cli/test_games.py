"""`shanghaien games`: whose turn it is, since when, and which games can go on from here."""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.transcript import length_prefixed, read
from tests.cli.program import RANDOM, Host, Running, logs, shanghaien, take_guest

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

LAST_WEEK = datetime(2026, 11, 20, 10, 4)


def games(home: Path) -> str:
    listed = shanghaien(home, "games")
    assert listed.returncode == 0
    assert listed.stderr == ""
    return listed.stdout


@pytest.fixture
def left(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the homes of Hanna, who is to move and is killed, and of Gustav, who is killed too."""
    here, there = tmp_path / "here", tmp_path / "there"
    with ExitStack() as stack:
        host = stack.enter_context(Host(here, "--name", "Hanna"))
        guest = stack.enter_context(Running(there, "join", host.address, *RANDOM, "--name", "Gustav"))
        take_guest(host)
        playing = games(here)
        assert "Shanghaien: your turn since" in playing
        assert "being played right now" in playing
        assert "shanghaien resume" not in playing
        host.stop()
        guest.stop()
        yield here, there


def test_an_unfinished_game_says_whose_turn_it_is_and_since_when(left: tuple[Path, Path]) -> None:
    here, there = left
    for home, said in ((here, "your turn since"), (there, "waiting for Hanna since")):
        (log,) = logs(home)
        os.utime(log, (LAST_WEEK.timestamp(),) * 2)
        before = log.read_bytes()
        listed = games(home)
        assert f"{said} 2026-11-20 10:04." in listed
        command = re.search(r"To continue an unfinished one:\n    shanghaien resume (\w+)\n", listed)
        assert command
        assert log.name.startswith(command[1])
        assert "Hanna–Gustav" in listed
        assert log.read_bytes() == before
        assert log.stat().st_mtime == LAST_WEEK.timestamp(), "looking is not playing"


@pytest.mark.thorough
def test_the_command_that_is_shown_goes_on_with_the_game(left: tuple[Path, Path]) -> None:
    here, there = left
    words = [re.search(r"one:\n    shanghaien (resume .+)", games(home)) for home in left]
    with ExitStack() as stack:
        assert words[0]
        assert words[1]
        host = stack.enter_context(Running(here, *words[0][1].split(), *RANDOM))
        host.wait_for("Resuming")
        guest = shanghaien(there, *words[1][1].split(), *RANDOM)
        assert guest.returncode == host.exit_code() == 0, host.output + guest.stdout + guest.stderr
    for home in left:
        listed = games(home)
        assert re.search(r"Shanghaien: Hanna \d+ and Gustav \d+|Shanghaien: Gustav \d+ and Hanna \d+", listed)
        assert "since" not in listed
        assert "resume" not in listed


@pytest.mark.thorough
def test_a_last_signature_that_may_not_have_arrived_is_said_and_can_be_told_again(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with ExitStack() as stack:
        host = stack.enter_context(Host(here, *RANDOM, "--name", "Hanna"))
        assert shanghaien(there, "join", host.address, *RANDOM, "--name", "Gustav").returncode == host.exit_code() == 0
    assert "may not have received" not in games(here) + games(there)
    # as if the cable had been cut in the middle of the guest's last message
    (ours,), (theirs,) = logs(here), logs(there)
    whole = ours.read_bytes()
    ours.write_bytes(whole[: -len(length_prefixed(read(whole).entries[-1]))])
    for log in (ours, theirs):
        private = log.with_suffix(".private")
        private.write_text(
            "".join(line for line in private.read_text().splitlines(True) if 'delivered": true' not in line)
        )
    listed = " ".join(games(there).split())
    assert "Hanna may not have received" in listed
    assert "not signed by Gustav" in games(here)
    command = re.search(r"To continue an unfinished one: shanghaien resume (\w+)", listed)
    assert command
    with ExitStack() as stack:
        resumed = stack.enter_context(Running(here, "resume", *RANDOM))
        resumed.wait_for("Resuming")
        guest = shanghaien(there, "resume", command[1], *RANDOM)
        assert guest.returncode == resumed.exit_code() == 0, resumed.output + guest.stdout + guest.stderr
    assert ours.read_bytes() == theirs.read_bytes() == whole
    assert "may not have received" not in games(there)


def test_what_cannot_go_on_here_is_not_offered(left: tuple[Path, Path], tmp_path: Path) -> None:
    here = left[0]
    (log,) = logs(here)
    shutil.copytree(here, tmp_path / "without sidecar")
    log_only = tmp_path / "without sidecar" / "games" / log.with_suffix(".private").name
    log_only.unlink()
    shutil.copytree(here, tmp_path / "without key")
    (tmp_path / "without key" / "identity.key").unlink()
    shutil.copytree(here, tmp_path / "broken key")
    (tmp_path / "broken key" / "identity.key").write_text("x")
    for name in ("without sidecar", "without key", "broken key"):
        listed = shanghaien(tmp_path / name, "games")
        assert listed.returncode == 0
        assert "waiting for Hanna since" in listed.stdout
        assert "It cannot be continued here." in listed.stdout
        assert "resume" not in listed.stdout
        assert listed.stderr.count("identity.key") == (name == "broken key")


@pytest.mark.thorough
def test_a_game_against_the_computer_is_offered_once(tmp_path: Path) -> None:
    with Running(tmp_path, "play", "--name", "Ada") as program:
        program.wait_for("Your choice")
    listed = games(tmp_path)
    commands = re.findall(r"shanghaien (resume .+)", listed)
    assert len(commands) == 1
    assert listed.count("since") == listed.count("Ada") == 1
    assert shanghaien(tmp_path, *commands[0].split(), *RANDOM).returncode == 0
