"""`host --private` and the invitation, between real programs."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from p2p_shanghaien.fairplay.hello import Invitation
from p2p_shanghaien.fairplay.invitation import read, written
from p2p_shanghaien.ui.words import say
from tests.cli.program import (
    PROGRAM,
    RANDOM,
    Host,
    Running,
    check_finished,
    environment,
    logs,
    shanghaien,
)
from tests.spawned import Spawned

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

VARIABLE = "SHANGHAIEN_INVITATION"


class PrivateTable:
    """A host that takes its invited guest alone, and what it shows for that guest."""

    def __init__(self, home: Path, *arguments: object) -> None:
        self.home = home
        self.host = Host(home, "--private", *RANDOM, *arguments)
        self.invitation = self.host.wait_for(r"(?m)^((?:[0-9A-Z]{5}-){12}[0-9A-Z]{5})$")[1]

    def joined(self, home: Path, **more: str) -> tuple[int, str]:
        """Return how a computer's `join` ends: the exit code, and what it says."""
        ended = shanghaien(home, "join", self.host.address, *RANDOM, **more)
        return ended.returncode, " ".join((ended.stdout + ended.stderr).split())

    def check_played(self, there: Path) -> None:
        assert self.host.exit_code() == 0
        check_finished(self.home, there)


@contextmanager
def opened(home: Path) -> Iterator[PrivateTable]:
    table = PrivateTable(home)
    try:
        yield table
    finally:
        table.host.stop()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[PrivateTable]:
    with opened(tmp_path / "here") as table:
        yield table


def test_nobody_gets_in_without_the_right_invitation(table: PrivateTable, tmp_path: Path) -> None:
    there = tmp_path / "there"
    before = table.host.output
    code, said = table.joined(there)
    assert code == 4
    assert "invited guests only" in said
    assert VARIABLE in said, "the remedy"
    right = read(table.invitation)
    wrong_secret = written(right._replace(secret=bytes(16)))
    wrong_host = written(right._replace(host=bytes(16)))
    for wrong in (wrong_secret, wrong_host):
        code, said = table.joined(there, **{VARIABLE: wrong})
        assert code == 4
        assert "not for this table" in said
        assert "the invitation that it shows now" in said, "the remedy"
    assert table.host.process.poll() is None
    table.host.wait_for("turned away")
    told = " ".join(table.host.output.removeprefix(before).split())
    assert told == say("turned_away_invitation", address="127.0.0.1"), "once, and nobody was announced by name"
    assert not logs(there)
    assert table.joined(there, **{VARIABLE: table.invitation})[0] == 0
    table.check_played(there)


def test_a_mistyped_invitation_is_said_where_before_anybody_is_called(tmp_path: Path) -> None:
    written_down = _sample()
    groups = written_down.split("-")
    groups[3] = groups[3][1:] + groups[3][0]
    for text, said in (
        ("-".join(groups), "group 4 of 13"),
        (written_down[:-3], "ends in group 13"),
        (written_down + "0", "it is too long"),
        ("192.168.1.20", "group"),
    ):
        refused = shanghaien(tmp_path, "join", "127.0.0.1:1", *RANDOM, **{VARIABLE: text})
        assert refused.returncode == 2
        assert said in " ".join(refused.stderr.split())
        assert VARIABLE in refused.stderr
        assert text not in refused.stderr, "it is a secret"


def test_an_invitation_is_no_use_at_an_open_table(tmp_path: Path) -> None:
    with Host(tmp_path / "here", *RANDOM) as host:
        refused = shanghaien(tmp_path / "there", "join", host.address, *RANDOM, **{VARIABLE: _sample()})
    assert refused.returncode == 4
    assert f"leave out {VARIABLE}" in " ".join(refused.stderr.split())


def test_every_private_table_makes_a_new_invitation(table: PrivateTable, tmp_path: Path) -> None:
    with opened(tmp_path / "here") as another:
        old, new = read(table.invitation), read(another.invitation)
        assert old.host == new.host
        assert old.secret != new.secret


def test_a_person_is_asked_for_it_and_may_mistype_it(table: PrivateTable, tmp_path: Path) -> None:
    there = tmp_path / "there"
    with Running(there, "join", table.host.address, "--name", "Gustav") as guest:
        guest.wait_for("Invitation:")
        guest.type(table.invitation[:-1])
        guest.wait_for("ends in group 13")
        guest.type("")
        # of a line for a relay the invitation counts, since the address is given
        guest.type("relay.example.org/" + table.invitation.lower().replace("-", " "))
        guest.wait_for("Play\\?")
        guest.type("y")
        guest.wait_for("Your choice")
        table.host.stop()
        guest.wait_for("was lost")
    assert len(logs(there)) == 1


def test_at_a_terminal_it_is_pasted_and_nobody_who_leaves_is_let_in(table: PrivateTable, tmp_path: Path) -> None:
    for index, last in enumerate(("leaves", "plays")):
        home = tmp_path / str(index)
        home.mkdir()
        join = [*PROGRAM, "join", table.host.address, "--plain"]
        guest = Spawned(join, environment(home, TERM="xterm-256color"))
        guest.expect("Invitation:")
        if last == "leaves":
            guest.sendeof()
        else:
            guest.send(f"\x1b[200~{table.invitation}\x1b[201~\r")
            guest.expect("Play\\?")
            guest.send("n\r")
        guest.expect(pexpect.EOF)
        assert guest.wait() == (1 if last == "leaves" else 4)
        assert not logs(home)
    table.host.wait_for("declined")


@pytest.mark.parametrize("command", [["join"], ["resume"], ["resume", "0123abcd"]])
def test_a_line_for_a_relay_is_no_argument_either(tmp_path: Path, command: list[str]) -> None:
    line = "relay.example.org/" + written(Invitation(bytes(16), bytes(16)))
    done = shanghaien(tmp_path, *command, line)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert ("everybody on this machine can see" if command == ["join"] else "needs no invitation") in said
    assert line[-20:] not in said


def test_it_is_no_argument() -> None:
    listed = shanghaien(Path(), "join", "--help").stdout + shanghaien(Path(), "host", "--help").stdout
    assert not re.search(r"--invit", listed)
    assert "--private" in listed


def _sample() -> str:
    return written(Invitation(bytes(range(16)), bytes(range(200, 216))))
