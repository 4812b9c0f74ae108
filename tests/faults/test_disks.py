"""Full disks, read-only home folders, truncated logs: a clear message, nothing lost, and the game continues."""

import ctypes
import os
import random
import resource
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.transcript import length_prefixed
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import PATIENCE, PROGRAM, environment, logs, shanghaien
from tests.cli.test_resume import interrupted_play
from tests.pair import GAMES, Pair, make_pair
from tests.sweeps import sweep
from tests.toy import Toy

RANDOM = ("--player", "random")


def started(home: Path, *arguments: object, before: Callable[[], object]) -> "subprocess.Popen[str]":
    """Return a command that runs under what `before` does to its process."""
    home.mkdir(exist_ok=True)
    return subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=before,  # noqa: PLW1509 (this process has no threads)
    )


def check_explained(program: "subprocess.Popen[str]", reason: str) -> None:
    """It has ended with one clear sentence that says where and why."""
    output, errors = program.communicate(timeout=PATIENCE)
    assert program.returncode == 1, output + errors
    assert reason in " ".join(errors.split())
    assert "Traceback" not in output + errors
    assert "ignored" not in errors


def no_more_than(size: int) -> Callable[[], object]:
    """Files cannot grow beyond `size` bytes: a write is cut short there, as on a full disk, and then fails."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def check_unharmed(home: Path) -> None:
    for path in logs(home):
        assert verify(path.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


def check_complete(home: Path) -> None:
    assert logs(home)
    for path in logs(home):
        assert verify(path.read_bytes(), RULES).verdict == Verdict.COMPLETE


@pytest.mark.thorough
@sweep("size", [0, 300, 700, 1111, 10_001], every=2)
def test_a_full_disk_stops_a_game_that_goes_on_when_there_is_room(tmp_path: Path, size: int) -> None:
    check_explained(started(tmp_path, "play", *RANDOM, before=no_more_than(size)), "File too large")
    check_unharmed(tmp_path)
    begun = bool(logs(tmp_path))
    assert begun == (size > 600), "a log that could not be begun does not lie about"
    again = shanghaien(tmp_path, "resume" if begun else "play", *RANDOM)
    assert again.returncode == 0, again.stdout + again.stderr
    check_complete(tmp_path)


@pytest.mark.thorough
def test_a_disk_that_is_full_when_a_game_is_taken_up_again(tmp_path: Path) -> None:
    """There is no room for the new handshake, which stands beside the log."""
    interrupted_play(tmp_path)
    private = min(path.stat().st_size for path in (tmp_path / "games").glob("*.private"))
    before = [path.read_bytes() for path in logs(tmp_path)]
    for room in (0, 1, 200):
        program = started(tmp_path, "resume", *RANDOM, before=no_more_than(private + room))
        check_explained(program, "File too large")
        assert [path.read_bytes() for path in logs(tmp_path)] == before
    assert shanghaien(tmp_path, "resume", *RANDOM).returncode == 0
    check_complete(tmp_path)


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_the_other_side_waits_while_a_host_makes_room(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with socket.socket() as placeholder:
        placeholder.bind(("127.0.0.1", 0))
        port = placeholder.getsockname()[1]
    place = ("--bind", "127.0.0.1", "--port", port)
    host = started(here, "host", *place, *RANDOM, before=no_more_than(5000))
    wait_for(port)
    guest = started(there, "join", f"127.0.0.1:{port}", *RANDOM, before=no_more_than(1_000_000))
    check_explained(host, "File too large")
    check_unharmed(here)
    resumed = shanghaien(here, "resume", *RANDOM)
    output, errors = guest.communicate(timeout=PATIENCE)
    assert (resumed.returncode, guest.returncode) == (0, 0), resumed.stderr + output + errors
    check_complete(here)
    assert [path.read_bytes() for path in logs(here)] == [path.read_bytes() for path in logs(there)]


def wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)
        else:
            return


def subject_to_permissions() -> None:
    """Apply a file's mode to root as well."""
    if os.geteuid() == 0:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            assert ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) == 0  # PR_CAPBSET_DROP


def set_modes(home: Path, folder: int, file: int) -> None:
    for path in (home, *home.rglob("*")):
        path.chmod(folder if path.is_dir() else file)


@pytest.mark.thorough
def test_a_read_only_home_is_an_error_for_a_new_game(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    set_modes(home, 0o500, 0o400)
    check_explained(started(home, "play", *RANDOM, before=subject_to_permissions), "Permission denied")
    assert list(home.iterdir()) == []
    set_modes(home, 0o700, 0o600)
    assert shanghaien(home, "play", *RANDOM).returncode == 0


@pytest.mark.thorough
def test_a_game_in_a_read_only_home_goes_on_when_it_is_writable(tmp_path: Path) -> None:
    interrupted_play(tmp_path)
    before = [path.read_bytes() for path in logs(tmp_path)]
    set_modes(tmp_path, 0o500, 0o400)
    check_explained(started(tmp_path, "resume", *RANDOM, before=subject_to_permissions), "Permission denied")
    set_modes(tmp_path, 0o700, 0o600)
    assert [path.read_bytes() for path in logs(tmp_path)] == before
    assert shanghaien(tmp_path, "resume", *RANDOM).returncode == 0
    check_complete(tmp_path)


def halfway() -> Pair:
    """Return a game of which both have stored the same entries."""
    pair = make_pair(random.Random(5), Toy(1))
    pair.play(random.Random(5), until=lambda pair: pair.sides[0].endpoint.match.number > 3)
    return pair


LAST = length_prefixed(halfway().sides[0].endpoint.entries[-1].data)


@pytest.mark.thorough
@pytest.mark.parametrize("seat", [0, 1])
def test_a_log_torn_at_any_byte_of_its_last_entry_is_gone_on_with(seat: int) -> None:
    assert len(LAST) > 200
    for kept in range(len(LAST)):
        pair = halfway()
        side = pair.sides[seat]
        whole = side.log
        side.log = whole[: len(whole) - len(LAST) + kept]
        report = verify(side.log, GAMES)
        assert (report.verdict, report.truncated) == (Verdict.INCOMPLETE, kept)
        pair.restart(seat)
        pair.resume(random.Random(kept))
        pair.play(random.Random(kept))
        assert pair.logs[0] == pair.logs[1]
        assert pair.logs[0].startswith(whole)
        assert verify(pair.logs[0], GAMES).verdict == Verdict.COMPLETE
