"""The toy of the tests, with its secret choices, between two programs and at the full screen."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.program import RANDOM, Host, Running, logs
from tests.cli.test_other_games import WITH_TOY, out, run
from tests.cli.tmux import CHOOSE, Tmux, Window, home
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

TOY = ("--game", "toy", "--rounds", 2)


@pytest.fixture(name="tmux")
def fixture_tmux(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(tmp_path / "tmux") as server:
        yield server


@pytest.mark.thorough
def test_two_programs_play_it(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, *TOY, *RANDOM, **WITH_TOY) as host:
        guest = run(there, "join", host.address, "--game", "toy", *RANDOM)
        assert host.exit_code() == guest.returncode == 0, host.output + guest.stdout + guest.stderr
    (ours,), (theirs,) = logs(here), logs(there)
    assert ours.read_bytes() == theirs.read_bytes()
    assert "COMPLETE" in out(there, "verify", ours)
    events = [json.loads(line)["event"] for line in out(there, "replay", "--json", theirs).splitlines()]
    assert events.count("round") == 2
    assert events[-1] == "result"


@pytest.mark.thorough
def test_a_game_that_is_cut_at_a_secret_choice_goes_on(tmp_path: Path) -> None:
    """A person at the host's seat has come to a choice, to which the guest is committed, when both are killed."""
    here, there = tmp_path / "here", tmp_path / "there"
    with ExitStack() as stack:
        host = stack.enter_context(Host(here, *TOY, **WITH_TOY))
        guest = stack.enter_context(Running(there, "join", host.address, *RANDOM, **WITH_TOY))
        host.wait_for("Play with")
        host.type("y")
        host.wait_for("Your choice")
        guest.stop()
        host.stop()
        (log,) = logs(here)
        assert run(here, "verify", log).returncode == 5
        one = stack.enter_context(Running(here, "resume", *RANDOM, **WITH_TOY))
        one.wait_for("Resuming")
        other = run(there, "resume", *RANDOM)
        assert other.returncode == one.exit_code() == 0, other.stdout + other.stderr + one.output
    assert log.read_bytes() == logs(there)[0].read_bytes()
    assert "COMPLETE" in out(here, "verify", log)


def test_the_settings_can_name_it(tmp_path: Path) -> None:
    folder = home(tmp_path / "home", game="toy")
    assert "Toy (rounds 3, opening bid)" in run(folder, "play", "--plain").stdout


@sweep("size", [(80, 24), (120, 40)], every=2)
def test_a_whole_game_at_the_full_screen(tmux: Tmux, tmp_path: Path, size: tuple[int, int]) -> None:
    window = Window(tmux, home(tmp_path / "home"), size, "play", *TOY, "--name", "Ada", **WITH_TOY)
    over = "The end of the game"
    key = re.compile(r"\[([1-3dpt])\]")
    while over not in (text := window.until(lambda text: (CHOOSE in text and key.search(text)) or over in text)):
        window.move(key.findall(text)[0])
    assert "o Last round" not in text, "it has no overviews"
    window.until("Another game?")
    window.keys("n")
    assert window.exit_code() == 0


@pytest.mark.thorough
def test_hints_and_replay_at_the_full_screen(tmux: Tmux, tmp_path: Path) -> None:
    window = Window(tmux, home(tmp_path / "home"), (80, 24), "play", *TOY, **WITH_TOY)
    window.until(CHOOSE)
    window.keys("h")
    window.until("How often you should choose each action")
    out(tmp_path / "played", "play", *TOY, *RANDOM, "--plain")
    log, _ = logs(tmp_path / "played")
    window = Window(tmux, home(tmp_path / "other"), (80, 24), "replay", log, **WITH_TOY)
    window.until("Bidding")
    window.keys("g")
    window.answer("a bidding with what came of it", "Escape")
    window.keys("End")
    window.until(lambda text: "wins" in text or "a draw" in text)
    window.keys("q")
    assert window.exit_code() == 0
