"""Programs that are killed at any time and go on with `shanghaien resume`."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Acted, advance
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players import computer_player
from tests.cli.program import RANDOM, Host, Running, check_finished, logs, shanghaien, take_guest

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


class Game:
    """A game that has come to the host's turn, and waits there for its person."""

    def __init__(self, tmp_path: Path, stack: ExitStack) -> None:
        self.here, self.there = tmp_path / "here", tmp_path / "there"
        self.host = stack.enter_context(Host(self.here, "--name", "Hanna"))
        self.guest = stack.enter_context(Running(self.there, "join", self.host.address, *RANDOM))
        take_guest(self.host)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    with ExitStack() as stack:
        yield Game(tmp_path, stack)


@pytest.mark.thorough
def test_a_killed_host_goes_on_where_it_was_and_the_guest_comes_back_by_itself(game: Game) -> None:
    game.host.stop()
    game.guest.wait_for("connection to Hanna was lost")
    resumed = shanghaien(game.here, "resume", *RANDOM)
    assert resumed.returncode == game.guest.exit_code() == 0, resumed.stdout + resumed.stderr + game.guest.output
    check_finished(game.here, game.there)


@pytest.mark.thorough
def test_a_killed_guest_is_let_in_again_and_nobody_else(game: Game, tmp_path: Path) -> None:
    game.guest.stop()
    game.host.wait_for("was lost")
    stranger = shanghaien(tmp_path / "elsewhere", "join", game.host.address, *RANDOM)
    assert stranger.returncode == 4
    assert "already playing" in stranger.stderr
    with Running(game.there, "resume", *RANDOM) as guest:
        guest.wait_for("is back")
        game.host.stop()
        resumed = shanghaien(game.here, "resume", *RANDOM)
        assert resumed.returncode == guest.exit_code() == 0
    check_finished(game.here, game.there)


@pytest.mark.thorough
@pytest.mark.parametrize("first", ["host", "guest"])
def test_both_are_killed_and_either_may_start_first(game: Game, first: str) -> None:
    game.host.stop()
    game.guest.stop()
    homes = (game.here, game.there) if first == "host" else (game.there, game.here)
    with Running(homes[0], "resume", *RANDOM) as one:
        one.wait_for("Resuming")
        other = shanghaien(homes[1], "resume", *RANDOM)
        assert other.returncode == one.exit_code() == 0, other.stdout + other.stderr + one.output
    check_finished(game.here, game.there)


@pytest.mark.thorough
def test_the_host_may_have_another_address_now(game: Game) -> None:
    game.host.stop()
    game.guest.stop()
    (log,) = logs(game.there)
    with Running(game.here, "resume", "--port", 0, *RANDOM) as host:
        port = host.wait_for(r"shanghaien resume \w+ '?127\.0\.0\.1:(\d+)")[1]
        assert int(port) != game.host.port
        guest = shanghaien(game.there, "resume", log.name[:12], f"127.0.0.1:{port}", *RANDOM)
        assert guest.returncode == host.exit_code() == 0, guest.stdout + guest.stderr + host.output
    check_finished(game.here, game.there)


def test_two_processes_cannot_play_one_seat(game: Game) -> None:
    refused = shanghaien(game.here, "resume", *RANDOM)
    assert refused.returncode == 1
    assert "another program on this machine is playing this seat" in refused.stderr.replace("\n", " ")


def interrupted_play(home: Path, *options: str) -> None:
    """A game against the computer, killed at the person's first choice."""
    with Running(home, "play", "--name", "Ada", *options) as program:
        program.wait_for("Your choice")
        program.stop()


@pytest.mark.thorough
def test_a_game_against_the_computer_goes_on_after_a_kill(tmp_path: Path) -> None:
    interrupted_play(tmp_path)
    resumed = shanghaien(tmp_path, "resume", *RANDOM)
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    ours, theirs = logs(tmp_path)
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify(ours.read_bytes(), RULES).verdict == Verdict.COMPLETE


@pytest.mark.thorough
def test_the_computer_goes_on_as_the_player_that_it_was(tmp_path: Path) -> None:
    """`greedy` takes no chances, so that each of its decisions can be foretold."""
    interrupted_play(tmp_path, "--against", "greedy")
    assert shanghaien(tmp_path, "resume", *RANDOM).returncode == 0
    report = verify(logs(tmp_path)[0].read_bytes(), RULES)
    assert report.session is not None
    assert report.match is not None
    computer = report.match.player(1)
    state, decisions = report.session.game.start(), 0
    for step in report.record().steps:
        if isinstance(step, Acted) and step.player == computer:
            assert computer_player("shanghaien", "greedy")(state, computer, Random(1)) == step.action
            decisions += 1
        state = advance(state, step)
    assert decisions > 30


def test_a_game_left_on_purpose_is_gone_on_with_later(tmp_path: Path) -> None:
    with Running(tmp_path, "play", "--name", "Ada") as program:
        program.wait_for("Your choice")
        assert program.process.stdin is not None
        program.process.stdin.close()
        assert program.exit_code() == 5
    assert "your turn since" in shanghaien(tmp_path, "games").stdout
    assert shanghaien(tmp_path, "resume", *RANDOM).returncode == 0


@pytest.mark.thorough
def test_a_log_truncated_in_its_last_entry_is_gone_on_with(tmp_path: Path) -> None:
    interrupted_play(tmp_path)
    for path in logs(tmp_path):
        path.write_bytes(path.read_bytes() + b"\x00\x00\x00\xfa torn")
    assert shanghaien(tmp_path, "resume", *RANDOM).returncode == 0


@pytest.mark.thorough
def test_what_cannot_be_gone_on_with_is_said(tmp_path: Path) -> None:
    nothing = shanghaien(tmp_path, "resume")
    assert nothing.returncode == 1
    assert "no unfinished game" in nothing.stderr
    assert shanghaien(tmp_path, "play", *RANDOM).returncode == 0
    finished = shanghaien(tmp_path, "resume", logs(tmp_path)[0])
    assert finished.returncode == 1
    assert "COMPLETE" in finished.stderr
    assert "Traceback" not in finished.stderr


@pytest.mark.thorough
def test_a_game_and_its_key_are_moved_to_another_machine(game: Game, tmp_path: Path) -> None:
    game.guest.stop()
    (log,) = logs(game.there)
    archive, key, elsewhere = tmp_path / "game.zip", tmp_path / "key", tmp_path / "elsewhere"
    assert shanghaien(game.there, "export", log.name[:12], "--move").returncode == 2
    packed = shanghaien(game.there, "export", log.name[:12], "--move", "-o", archive)
    assert packed.returncode == 0
    assert "one copy only" in packed.stdout
    assert shanghaien(game.there, "identity", "export", key).returncode == 0
    gone = shanghaien(game.there, "resume", log, *RANDOM)
    assert gone.returncode == 1
    assert "transferred to another machine" in gone.stderr
    assert "transferred to another machine" in shanghaien(game.there, "games").stdout

    early = shanghaien(elsewhere, "import", archive)
    assert early.returncode == 1
    assert "key" in early.stderr
    assert not logs(elsewhere)
    assert shanghaien(elsewhere, "identity", "import", key).returncode == 0, "no other was made in its place"
    again = shanghaien(elsewhere, "import", archive)
    assert again.returncode == 0, "nothing was written before the key was there"
    assert shanghaien(elsewhere, "import", archive).returncode == 1, "it is there already"
    with Running(elsewhere, "resume", *RANDOM) as guest:
        guest.wait_for("is back")
        game.host.stop()
        assert shanghaien(game.here, "resume", *RANDOM).returncode == guest.exit_code() == 0
    (theirs,) = logs(elsewhere)
    assert theirs.read_bytes() == logs(game.here)[0].read_bytes()


def test_what_is_no_packed_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / "game.zip").write_bytes(b"PK")
    refused = shanghaien(tmp_path, "import", tmp_path / "game.zip")
    assert refused.returncode == 1
    assert "is not an archive" in refused.stderr
