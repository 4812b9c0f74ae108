"""Two real programs over a real socket, both played by the computer."""

import json
import socket
from pathlib import Path

import pytest

from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import RANDOM, Host, Running, logs, shanghaien, take_guest

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


def test_a_game_between_two_programs(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, *RANDOM, "--name", "Hanna") as host:
        guest = shanghaien(there, "join", host.address, *RANDOM, "--name", "Gustav")
        assert host.exit_code() == guest.returncode == 0, host.output + guest.stdout + guest.stderr
        (ours,), (theirs,) = logs(here), logs(there)
        assert ours.read_bytes() == theirs.read_bytes()
        assert ours.name.removesuffix("-host.shlog") == theirs.name.removesuffix("-guest.shlog")
        for told in (host.output, guest.stdout):
            assert f"Hanna–Gustav {ours.name[:8]}" in told
            assert ours.stem not in told

    checked = shanghaien(here, "verify", ours, theirs)
    assert checked.returncode == 0
    assert [line.split(": ")[1].split(" ")[0] for line in checked.stdout.splitlines()] == ["COMPLETE"] * 2

    replayed = shanghaien(here, "replay", "--json", ours)
    assert replayed.returncode == 0
    events = [json.loads(line) for line in replayed.stdout.splitlines()]
    seats = events[0].pop("seats")
    assert sorted(seats) == [0, 1]
    assert events[0]["names"] == [("Hanna", "Gustav")[seat] for seat in seats]
    assert events[-1]["event"] == "result"

    exported = shanghaien(here, "export", ours)
    assert exported.returncode == 0
    again = record.read(exported.stdout.encode(), RULES)
    assert list(record.events(again)) == events

    listed = shanghaien(here, "games")
    assert ours.name[:8] in listed.stdout
    assert ours.name not in listed.stdout


@pytest.mark.thorough
def test_the_rules_of_the_host_are_played(tmp_path: Path) -> None:
    with Host(tmp_path / "here", *RANDOM, "--variant", "extra-wild", "--tricks", "p4,b2,r2") as host:
        assert shanghaien(tmp_path / "there", "join", host.address, *RANDOM).returncode == 0
        assert host.exit_code() == 0
    (log,) = logs(tmp_path / "there")
    first = json.loads(shanghaien(tmp_path / "there", "replay", "--json", log).stdout.splitlines()[0])
    assert first["variant"] == "extra-wild"
    assert first["tricks"] == {"p": 4, "b": 2, "r": 2}


@pytest.mark.thorough
def test_a_guest_that_insists_and_the_host_are_told_what_the_other_wants(tmp_path: Path) -> None:
    with Host(tmp_path / "here", *RANDOM) as host:
        guest = shanghaien(tmp_path / "there", "join", host.address, *RANDOM, "--variant", "extra-wild")
        assert guest.returncode == 4
        for word in ("standard", "extra-wild"):
            assert word in guest.stderr
        host.wait_for("extra-wild")
        host.wait_for("Waiting for another guest")
        assert shanghaien(tmp_path / "there", "join", host.address, *RANDOM, "--variant", "standard").returncode == 0
        assert host.exit_code() == 0


@pytest.mark.thorough
def test_two_terminals_with_one_home(tmp_path: Path) -> None:
    with Host(tmp_path, *RANDOM) as host:
        guest = shanghaien(tmp_path, "join", host.address, *RANDOM)
        assert guest.returncode == host.exit_code() == 0
        assert "your own key" in guest.stdout.replace("\n", " ")
    assert len(logs(tmp_path)) == 2
    checked = shanghaien(tmp_path, "verify", "--details", *logs(tmp_path))
    assert checked.returncode == 0
    assert checked.stdout.count("one key") == 2


@pytest.mark.thorough
def test_play_is_a_real_host_and_a_real_guest(tmp_path: Path) -> None:
    played = shanghaien(tmp_path, "play", *RANDOM, "--name", "Ada")
    assert played.returncode == 0, played.stderr
    ours, theirs = sorted(logs(tmp_path), key=lambda path: path.name.endswith("-guest.shlog"))
    assert ours.read_bytes() == theirs.read_bytes()
    assert "one key" not in shanghaien(tmp_path, "verify", "--details", ours).stdout


@pytest.mark.thorough
@pytest.mark.parametrize("who", ["host", "guest"])
def test_when_the_other_program_stays_away_a_sound_unfinished_log_is_left(tmp_path: Path, who: str) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    # a person at the host who never decides anything: the game cannot end before the kill
    with (
        Host(here, "--name", "Hanna", "--patience", 1) as host,
        Running(there, "join", host.address, *RANDOM, "--patience", 1) as guest,
    ):
        take_guest(host)
        killed, left = (host, guest) if who == "host" else (guest, host)
        killed.stop()
        assert left.exit_code() == 5
        home = there if who == "host" else here
        (log,) = logs(home)
        assert log.name[:8] in left.output
        checked = shanghaien(home, "verify", log)
        assert checked.returncode == 5
        assert "INCOMPLETE (awaiting Hanna)" in checked.stdout


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("127.0.0.1:1", 4),
        ("no-such-host.invalid", 4),
        ("[::1", 2),
        ("127.0.0.1:99999", 2),
        ("wss://127.0.0.1", 2),
    ],
)
def test_an_address_that_leads_nowhere(tmp_path: Path, address: str, code: int) -> None:
    joined = shanghaien(tmp_path, "join", address, *RANDOM)
    assert joined.returncode == code
    assert joined.stderr.startswith("shanghaien: ")
    assert "Traceback" not in joined.stderr
    assert not logs(tmp_path)


def test_a_busy_port_is_said_so_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        hosted = shanghaien(tmp_path, "host", "--bind", "127.0.0.1", "--port", port, *RANDOM)
    assert hosted.returncode == 1
    assert str(port) in hosted.stderr
    assert "--port" in hosted.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["host", "--variant", "wild"],
        ["host", "--tricks", "p9,b9,r9"],
        ["host", "--tricks", "p3"],
        ["host", "--name", "a\x1b]52;c;x\x07b"],
        ["host", "--player", "nobody"],
        ["host", "--advertise", "[::"],
        ["join", "127.0.0.1", "--tricks", "p8"],
        ["nonsense"],
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(tmp_path: Path, arguments: list[str]) -> None:
    ended = shanghaien(tmp_path, *arguments)
    assert ended.returncode == 2
    assert ended.stderr
    assert "Traceback" not in ended.stderr
    assert "\x1b" not in ended.stderr
    assert "\x07" not in ended.stderr
