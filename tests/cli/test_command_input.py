"""Two people at two terminals, in two programs, who say more than their moves; and scripts that do through pipes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import Host, Running, logs, shanghaien
from tests.cli.test_person import CHOICE, Person

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

WAITING = r"Waiting for .+ \(say"


class Two:
    """Hanna and Gustav in a game: `deciding` has been asked, `waiting` waits for that."""

    def __init__(self, tmp_path: Path, term: str) -> None:
        self.homes = (tmp_path / "here", tmp_path / "there")
        host = Person(
            self.homes[0], "host", "--bind", "127.0.0.1", "--port", "0", "--name", "Hanna", "--no-bell", term=term
        )
        port = host.find(r"shanghaien join '?127\.0\.0\.1:(\d+)")
        guest = Person(self.homes[1], "join", f"127.0.0.1:{port}", "--name", "Gustav", term=term)
        self.people = (host, guest)
        host.expect("Play with Gustav")
        host.type("y")
        guest.expect("Play\\?")
        guest.type("y")
        at = host.expect(CHOICE, WAITING)
        self.deciding, self.waiting = (host, guest) if at == 0 else (guest, host)
        self.names = ("Hanna", "Gustav") if at == 0 else ("Gustav", "Hanna")
        guest.expect(WAITING if at == 0 else CHOICE)

    def finish(self, verdict: Verdict, ended: Ended | None) -> None:
        """Neither wants another game; both logs are the same, and say this."""
        for person in self.people:
            person.expect("have both signed")
        for person, question in zip(self.people, ("Another game", "to a rematch"), strict=True):
            person.expect(question)
            person.type("n")
            assert person.exit_code() == 0
        (ours,), (theirs,) = map(logs, self.homes)
        assert ours.read_bytes() == theirs.read_bytes()
        report = verify(ours.read_bytes(), RULES)
        assert report.verdict == verdict
        record = report.record()
        assert record.ended is None if ended is None else record.ended == ended

    def player(self, name: str) -> int:
        (ours,) = logs(self.homes[0])
        return verify(ours.read_bytes(), RULES).record().names.index(name)

    def close(self) -> None:
        for person in self.people:
            person.child.close(force=True)


@pytest.fixture(params=["xterm-256color", pytest.param("dumb", marks=pytest.mark.thorough)])
def two(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Two]:
    pair = Two(tmp_path, request.param)
    yield pair
    pair.close()


def test_a_line_arrives_and_nobody_has_moved(two: Two) -> None:
    decides, waits = two.names
    two.waiting.type("say Are you \x1b[2Jthere?")
    two.deciding.expect(f"{waits}: Are you .*there\\?")
    two.deciding.type("say Yes.")
    two.waiting.expect(f"{decides}: Yes\\.")
    two.waiting.type("roll")
    two.waiting.expect("It is not your turn")
    two.waiting.type("resign")
    two.waiting.expect("Resign this game")
    two.waiting.type("y")
    two.finish(Verdict.COMPLETE, Ended(two.player(waits)))


def test_resigning_in_ones_own_turn(two: Two) -> None:
    decides, _ = two.names
    two.deciding.type("resign")
    two.deciding.expect("Resign this game")
    two.deciding.type("n")
    two.deciding.expect("The game goes on")
    two.deciding.type("resign")
    two.deciding.expect("Resign this game")
    two.deciding.type("yes")
    two.waiting.expect(f"{decides} resigns")
    two.finish(Verdict.COMPLETE, Ended(two.player(decides)))


@pytest.mark.thorough
def test_abandoning_by_consent(two: Two) -> None:
    two.deciding.type("accept")
    two.deciding.expect("no offer")
    two.waiting.type("offer")
    two.waiting.expect("was sent to")
    two.deciding.expect("offers to abandon")
    two.deciding.type("accept")
    two.waiting.expect("abandoned by consent")
    two.finish(Verdict.COMPLETE, Ended(None))


@pytest.mark.thorough
@pytest.mark.parametrize("in_turn", [True, False])
def test_leaving_can_be_resumed_and_the_other_waits(two: Two, in_turn: bool) -> None:
    leaving, staying = (two.deciding, two.waiting) if in_turn else (two.waiting, two.deciding)
    leaving.type("leave")
    leaving.expect("saved")
    assert leaving.exit_code() == 5
    staying.expect("left the table")
    staying.type("say Anybody?")
    staying.expect("is not connected")
    assert staying.child.isalive()
    staying.type("leave")
    assert staying.exit_code() == 5
    (ours,), (theirs,) = map(logs, two.homes)
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify(ours.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


def test_scripts_talk_through_pipes(tmp_path: Path) -> None:
    with (
        Host(tmp_path / "here", "--name", "Hanna") as host,
        Running(tmp_path / "there", "join", host.address, "--name", "Gustav") as guest,
    ):
        for running in (host, guest):
            running.type("y")
        for running in (host, guest):
            running.wait_for("Round 1 of 8")
        guest.type("say hello")
        host.wait_for("Gustav: hello")
        host.type("resign")
        host.wait_for("Resign this game")
        host.type("y")
        for running in (host, guest):
            running.wait_for("have both signed")
        host.type("n")
        assert [host.exit_code(), guest.exit_code()] == [0, 0]
    (log,) = logs(tmp_path / "here")
    assert verify(log.read_bytes(), RULES).verdict == Verdict.COMPLETE


def test_a_pipe_that_ends_leaves_at_the_next_question_and_not_before(tmp_path: Path) -> None:
    done = shanghaien(tmp_path, "play", "--name", "Ada", stdin="roll\nsay well\n1\n")
    assert done.returncode == 5
    assert "Ada: well" in done.stdout
    assert "You rolled" in done.stdout
    assert "Waiting for" not in done.stdout
