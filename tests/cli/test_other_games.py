"""A game that is installed from elsewhere is there in every command, as a whole program; without it, it is missed."""

import json
import os
import subprocess
from pathlib import Path

import pexpect
import pytest

from p2p_shanghaien.cli import options
from p2p_shanghaien.errors import UsageError
from p2p_shanghaien.games.registry import Registry
from tests.cli.program import PATIENCE, PROGRAM, RANDOM, Host, environment, shanghaien
from tests.toy import INSTALLED, install

ROOT = Path(__file__).parent.parent.parent
WITH_TOY = {"PYTHONPATH": os.pathsep.join(map(str, (INSTALLED, ROOT)))}


def run(home: Path, *arguments: object, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    """Run a command where the toy game is installed."""
    return shanghaien(home, *arguments, stdin=stdin, **WITH_TOY)


def out(home: Path, *arguments: object) -> str:
    done = run(home, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A home, and the log of a finished game of the toy in it."""
    home = tmp_path_factory.mktemp("home")
    done = run(home, "play", "--game", "toy", "--rounds", 2, "--player", "random", "--plain")
    assert done.returncode == 0, done.stderr
    (log,) = (home / "games").glob("*-host.shlog")
    return home, log


def test_a_game_is_played_verified_exported_and_replayed(played: tuple[Path, Path], tmp_path: Path) -> None:
    home, log = played
    assert "COMPLETE" in out(home, "verify", log)
    record = out(home, "export", log)
    assert record.startswith('[Game "toy"]\n')
    assert '[Rounds "2"]' in record
    assert "Drawn:" in out(home, "replay", "--plain", log) + "Drawn:"
    assert json.loads(out(home, "replay", "--json", log).splitlines()[-1])["event"] == "result"
    for option, file in (("--svg", tmp_path / "place.svg"), ("--html", tmp_path / "game.html")):
        out(home, "replay", log, option, file)
        assert "0 rounds left" in file.read_text(encoding="utf-8")
    kept = tmp_path / "game.shrec"
    kept.write_text(record, encoding="utf-8")
    assert "0 rounds left" in out(home, "replay", "--plain", kept)


def test_it_has_rules_tournaments_and_an_engine(tmp_path: Path) -> None:
    assert "Most treasure wins." in out(tmp_path, "rules", "toy")
    summary = json.loads(out(tmp_path, "tournament", "random", "random", "--rounds", 2, "--games", 4, "--json"))
    assert summary["game"] == "toy", "the one game that has the option"
    assert summary["settings"]["rounds"] == "2"
    asked = 'engine\nposition [Game "toy"] 3:2\nlegal\nposition [Game "toy"]\ngo player 1\nquit\n'
    answers = run(tmp_path, "engine", stdin=asked).stdout.splitlines()
    assert "game toy 1" in answers
    assert answers[-1].removeprefix("bestmove ") in ("1", "2", "3")


def test_its_options_stand_under_its_name(tmp_path: Path) -> None:
    both = out(tmp_path, "play", "--help")
    assert "Options of Toy:" in both
    assert "Options of Shanghaien:" in both
    for arguments in (("--game", "toy", "--help"), ("--help", "--game", "toy"), ("--game=toy", "--help")):
        text = out(tmp_path, "host", *arguments)
        assert "--rounds" in text
        assert "--tricks" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("play", "--game", "toy", "--against", "master"), "Toy has no computer player master. It has: random."),
        (("host", "--game", "toy", "--player", "greedy"), "Toy has no computer player greedy. It has: random."),
        (("tournament", "random", "easy", "--game", "toy"), "Toy has no computer player easy. It has: random."),
        (
            ("play", "--game", "toy", "--tricks", "p8,b0,r0"),
            "Toy has no option --tricks. It has: --rounds and --opening.",
        ),
        (("host", "--rounds", "2", "--variant", "standard"), "No game has --variant and --rounds together."),
    ],
)
def test_what_a_game_lacks_is_refused_with_what_it_has(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert not (tmp_path / "games").exists()


def test_a_guest_insists_on_the_game_that_it_names(tmp_path: Path) -> None:
    with Host(tmp_path / "host", *RANDOM) as host:
        for wish in (("--game", "toy"), ("--rounds", "2")):
            done = run(tmp_path / "guest", "join", host.address, *wish, *RANDOM)
            assert done.returncode == 4
            assert "game toy" in done.stderr
            assert "game shanghaien" in done.stderr


def test_a_guest_whose_level_the_game_lacks_declines_and_the_host_waits_for_the_next(tmp_path: Path) -> None:
    with_toy = ("env", *(f"{name}={value}" for name, value in WITH_TOY.items()))
    with Host(tmp_path / "host", "--game", "toy", *RANDOM, within=with_toy) as host:
        done = run(tmp_path / "guest", "join", host.address, "--player", "greedy")
        assert done.returncode == 2
        assert "Toy has no computer player greedy. It has: random." in done.stderr
        assert "Traceback" not in done.stderr
        assert not (tmp_path / "guest" / "games").exists()
        host.wait_for("declined the game.\\s+Waiting for another guest")
        assert run(tmp_path / "guest", "join", host.address, *RANDOM).returncode == 0


def test_without_the_game_its_log_is_unsupported(played: tuple[Path, Path]) -> None:
    home, log = played
    done = shanghaien(home, "verify", log)
    assert done.returncode == 1
    assert "UNSUPPORTED" in done.stdout
    assert "toy" in done.stdout
    done = shanghaien(home, "play", "--game", "toy")
    assert done.returncode == 2
    assert "toy" in done.stderr


def test_without_any_game_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder of sources whose entry points nobody has installed."""
    monkeypatch.setattr(options, "GAMES", Registry(lambda: ()))
    with pytest.raises(UsageError) as raised:
        options.GameChoice(None, {}).game()
    assert raised.value.code == "no_games_installed"


def test_a_game_that_cannot_be_loaded_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    broken = install(tmp_path / "installed", "broken", "no.such:SPEC")
    path = os.pathsep.join(map(str, (broken, INSTALLED, ROOT)))
    done = shanghaien(tmp_path, "tournament", "random", "random", "--game", "toy", "--games", 2, PYTHONPATH=path)
    assert done.returncode == 0
    (said,) = done.stderr.splitlines()
    assert "broken of broken" in said
    assert "no.such" in said or "No module named 'no'" in said


BOTH_WRONG = '[Game "toy"]\n[First "Ada"]\n[Second "Ben"]\n[Rounds "1"]\n\n2:2 3:3 1:1\n'
"""In the last round, once both have bid 2, the lower bid wins half a game more than the higher one."""


@pytest.fixture(name="bids")
def fixture_bids(tmp_path: Path) -> Path:
    path = tmp_path / "bids.shrec"
    path.write_text(BOTH_WRONG, encoding="utf-8")
    return path


def test_secret_choices_are_analysed_as_decisions(bids: Path, tmp_path: Path) -> None:
    text = out(tmp_path, "analyse", bids)
    assert text.count("A blunder: it cost 50.0%") == 2
    assert "+ matchup" in text
    (game,) = map(json.loads, out(tmp_path, "analyse", bids, "--json").splitlines())
    first, second, third = game["steps"]
    assert {step["kind"] for step in game["steps"]} == {"simultaneous"}
    for step in game["steps"]:
        assert step["player"] is None
        assert "luck" not in step
        costs = [decision.get("cost", {"chance": 0, "points": 0}) for decision in step["decisions"]]
        for unit in ("chance", "points"):
            change = step["after"][unit] - step["before"][unit]
            assert change == costs[1][unit] - costs[0][unit] + step["matchup"][unit]
    assert [set(decision) for decision in third["decisions"]] == [{"player", "action"}] * 2, "they were forced"
    assert [decision["grade"] for decision in first["decisions"]] == [None, None]
    for player, decision in enumerate(second["decisions"]):
        assert (decision["player"], decision["action"], decision["best"]) == (player, "3", "1")
        assert (decision["cost"]["chance"], decision["grade"]) == (500_000, "blunder")
        assert [option["action"] for option in decision["options"]] == ["1", "3"]
    for sums in game["players"]:
        assert (sums["decisions"], sums["lost"]["chance"], sums["grades"]["blunder"]) == (2, 500_000, 1)
        for unit in ("chance", "points"):
            parts = [sums[part][unit] for part in ("start", "luck", "skill", "matchup", "given_up")]
            assert sum(parts) == sums["result"][unit]
    page = tmp_path / "game.html"
    out(tmp_path, "replay", bids, "--html", page, "--analysis")
    assert page.read_text(encoding="utf-8").count('class="mark blunder"') == 2


def test_secret_choices_of_a_signed_game_add_up_and_count_in_the_statistics(played: tuple[Path, Path]) -> None:
    home, log = played
    (game,) = map(json.loads, out(home, "analyse", log, "--json").splitlines())
    decided, cost = [0, 0], [0, 0]
    for step in game["steps"]:
        for decision in step.get("decisions", [step]):
            if "options" in decision:
                decided[decision["player"]] += 1
                cost[decision["player"]] += decision["cost"]["chance"]
    for player, sums in enumerate(game["players"]):
        assert (sums["decisions"], sums["lost"]["chance"]) == (decided[player], cost[player])
        for unit in ("chance", "points"):
            parts = [sums[part][unit] for part in ("start", "luck", "skill", "matchup", "given_up")]
            assert sum(parts) == sums["result"][unit]
    total = json.loads(out(home, "stats", "--json"))["total"]
    counted = [(total[side]["decisions"], total[side]["cost"]["chance"]) for side in ("own", "theirs")]
    assert sorted(counted) == sorted(zip(decided, cost, strict=True))


def test_hints_for_secret_choices_at_play(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--game", "toy", "--rounds", 1, "--plain", stdin="h\n")
    said = " ".join(done.stdout.split())
    assert "How often you should take each action while Computer (random) chooses as well" in said
    # known by symmetry, and from the solution of the three bids at level scores in the last round
    assert "do: 2 [2] with 40%, do: 1 [1] with 30%, do: 3 [3] with 30%: 50.0%; level." in said


def test_hints_for_secret_choices_without_a_mixture(bids: Path, tmp_path: Path) -> None:
    path = install(tmp_path / "installed", "toy", "tests.toy_values:WITHOUT_MIXTURES")
    with_it = {"PYTHONPATH": os.pathsep.join(map(str, (path, ROOT)))}
    done = shanghaien(tmp_path, "play", "--game", "toy", "--rounds", 1, "--plain", stdin="h\n", **with_it)
    said = " ".join(done.stdout.split())
    assert "averaged over everything that Computer (random) may choose at the same time" in said
    assert " with 40%" not in said
    (game,) = map(json.loads, shanghaien(tmp_path, "analyse", bids, "--json", **with_it).stdout.splitlines())
    # the mean over both bids of the other: 1 wins three quarters, 3 a quarter
    assert [decision["cost"]["chance"] for decision in game["steps"][1]["decisions"]] == [500_000, 500_000]


def test_hints_for_secret_choices_in_a_replay(bids: Path, tmp_path: Path) -> None:
    child = pexpect.spawn(
        PROGRAM[0],
        [*PROGRAM[1:], "replay", "--plain", str(bids)],
        env=environment(tmp_path, TERM="xterm-256color", **WITH_TOY),
        dimensions=(24, 80),
        encoding="utf-8",
        timeout=PATIENCE,
    )
    child.expect("Step 1 of")
    child.send("h\r")
    for name in ("Ada", "Ben"):
        child.expect(f"How often {name} should take each action")
        child.expect(r"do: 1 \[1\] with 100%: 50.0%; level")
        child.expect(r"Chosen: do: 3 \[3\]: 0.0%, 50.0 less; 10.0 points behind")
    child.send("q\r")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0
