"""A game that is installed from elsewhere is there in every command, as a whole program; without it, it is missed."""

import json
import os
import re
import subprocess
from pathlib import Path

import pexpect
import pytest
from click.shell_completion import ShellComplete

from p2p_shanghaien.app import choice
from p2p_shanghaien.cli.main import shanghaien as shanghaien_command
from p2p_shanghaien.errors import UsageError
from p2p_shanghaien.games import record as records
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.registry import RULES, Registry
from tests.cli.program import PROGRAM, RANDOM, Host, environment, shanghaien
from tests.spawned import Spawned
from tests.toy import INSTALLED, Toy, install

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
    """Return a home, and the log of a finished game of the toy in it."""
    home = tmp_path_factory.mktemp("home")
    done = run(home, "play", "--game", "toy", "--rounds", 2, "--player", "random", "--plain")
    assert done.returncode == 0, done.stderr
    (log,) = (home / "games").glob("*-host.shlog")
    return home, log


@pytest.mark.thorough
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


@pytest.fixture(scope="module")
def home_of_two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with two games of Shanghaien, and three of the toy with two choices of options."""
    home = tmp_path_factory.mktemp("two")
    for game in (("shanghaien",), ("shanghaien",), ("toy",), ("toy",), ("toy", "--rounds", 9)):
        out(home, "play", "--game", *game, "--player", "random", "--plain", "--name", "Ada")
    return home


TOY = ("toy", {"rounds": "3", "opening": "bid"})
LONGER_TOY = ("toy", {"rounds": "9", "opening": "bid"})
SHANGHAIEN = ("shanghaien", {"variant": "standard", "tricks": "p3 b3 r2"})


@pytest.mark.thorough
def test_stats_keep_games_and_options_apart(home_of_two: Path) -> None:
    found = json.loads(out(home_of_two, "stats", "--json"))
    groups = {each["game"] + str(each["total"]["games"]): each for each in found["games"]}
    assert {name: (each["game"], each["settings"]) for name, each in groups.items()} == {
        "toy1": LONGER_TOY,
        "toy2": TOY,
        "shanghaien2": SHANGHAIEN,
    }
    for group in groups.values():
        margins = []
        for log in (home_of_two / "games").glob("*-host.shlog"):
            record = records.read(out(home_of_two, "export", log).encode(), {**RULES, Toy.NAME: Toy})
            if (record.game.NAME, dict(record.game.settings)) == (group["game"], group["settings"]):
                over = record.last().node
                assert isinstance(over, Terminal)
                mine = record.names.index("Ada")
                margins.append(over.scores[mine] - over.scores[1 - mine])
        assert group["total"]["margin"] == sum(each["margin"] for each in group["opponents"]) == sum(margins)
        assert group["total"]["games"] == group["total"]["played_out"] == len(margins)
        assert group["evaluator"]
        assert {"luck", "own", "theirs"} <= set(group["total"])
    total = found["total"]
    assert set(total) == {"games", "won", "drawn", "lost", "without_result"}, "nothing in points"
    assert total["games"] == total["won"] + total["drawn"] + total["lost"] == 5
    assert found["unreadable"] == []


@pytest.fixture(scope="module")
def without_values(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment in which the toy is installed without an evaluator."""
    path = install(tmp_path_factory.mktemp("installed"), "toy", "tests.toy_values:WITHOUT_VALUES")
    return {"PYTHONPATH": os.pathsep.join(map(str, (path, ROOT)))}


@pytest.mark.thorough
def test_stats_say_what_is_not_known_of_a_game(home_of_two: Path, without_values: dict[str, str]) -> None:
    for group in json.loads(shanghaien(home_of_two, "stats", "--json", **without_values).stdout)["games"]:
        assert group["evaluator"] == (group["game"] == "shanghaien")
        assert {"luck", "own", "theirs"}.isdisjoint(group["total"]) != group["evaluator"]
    *tables, summary = shanghaien(home_of_two, "stats", **without_values).stdout.split("\n\n")
    assert {table.splitlines()[0] for table in tables} == {
        "Toy (rounds 9, opening bid)",
        "Toy (rounds 3, opening bid)",
        "Shanghaien (variant standard, tricks p3 b3 r2)",
    }
    for table in tables:
        told = "Toy has no evaluator" in table
        assert told == table.startswith("Toy")
        assert ("luck" in table.splitlines()[1]) != told
        assert max(map(len, table.splitlines()[:5])) <= 80
    assert summary.startswith("5 games in all: ")


def test_stats_count_what_cannot_be_read(home_of_two: Path) -> None:
    done = shanghaien(home_of_two, "stats", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert [(each["game"], each["settings"]) for each in found["games"]] == [SHANGHAIEN]
    assert len(found["unreadable"]) == 3, "a game against the computer is one"
    assert all(name[:8] in done.stderr for name in found["unreadable"])
    text = shanghaien(home_of_two, "stats")
    assert "3 files could not be read" in text.stdout
    assert "toy" in text.stderr


def test_dice_of_each_game_are_tested_as_what_they_are(home_of_two: Path) -> None:
    found = {each["game"]: each for each in json.loads(out(home_of_two, "dice", "--json"))["games"]}
    assert {name: each["counted"] for name, each in found.items()} == {"shanghaien": 2, "toy": 3}
    assert found["shanghaien"]["settings"] == SHANGHAIEN[1]
    assert found["toy"]["settings"] == {"opening": "bid"}, "the options that all of its games have"
    assert all(each["chance_model"] for each in found.values())
    assert [each["sides"] for each in found["shanghaien"]["dice"]] == [6]
    assert {each["sides"] for each in found["toy"]["dice"]} >= {6, 300}
    for game in found.values():
        for test in game["tests"]:
            assert set(test["dice"]) <= {each["sides"] for each in game["dice"]}
            assert 0 <= test["strange"] <= test["adjusted"] <= 1
    assert [6, 300] in [test["dice"] for test in found["toy"]["tests"] if test["test"] == "rolls"]


def test_dice_of_two_games_have_one_conclusion(home_of_two: Path) -> None:
    text = out(home_of_two, "dice")
    assert text.count("one is always the most extreme") == 1
    games = json.loads(out(home_of_two, "dice", "--json"))["games"]
    assert f"With {sum(len(each['tests']) for each in games)} tests" in text
    assert "2 games of Shanghaien count" in text
    assert "3 games of Toy count" in text
    # a storm, which has other dice, comes by chance
    (toy,) = [each for each in games if each["game"] == "toy"]
    has_storms = len({each["sides"] for each in toy["dice"]}) > 2
    assert ("Dice thrown together: 1d6 + 1d300" in text) == has_storms
    assert re.search("^Toy, d300: ", text, re.MULTILINE)
    assert max(len(line) for line in text.splitlines() if "/" in line) <= 80


@pytest.mark.thorough
def test_a_game_without_a_chance_model_is_no_failure(tmp_path: Path) -> None:
    installed = tmp_path / "installed" / "mute-1.0.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: mute\nVersion: 1.0\n", encoding="utf-8")
    (installed / "entry_points.txt").write_text("[p2p_shanghaien.games]\nmute = mute:SPEC\n", encoding="utf-8")
    (installed.parent / "mute.py").write_text(
        "from dataclasses import replace\n"
        "from p2p_shanghaien.games.api import Part\n"
        "from tests import toy\n"
        "class Mute(toy.Toy):\n"
        "    NAME = 'mute'\n"
        "SPEC = replace(toy.SPEC, name='mute', game=Part('mute:Mute'), chance=None)\n",
        encoding="utf-8",
    )
    path = os.pathsep.join(map(str, (installed.parent, INSTALLED, ROOT)))
    home = tmp_path / "home"
    for game in ("mute", "mute"):
        played = shanghaien(home, "play", "--game", game, "--player", "random", "--plain", PYTHONPATH=path)
        assert played.returncode == 0, played.stderr
    done = shanghaien(home, "dice", PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (0, "")
    told = " ".join(done.stdout.split())
    assert "2 games of Toy: all draws were verified, but the program does not know which are dice" in told
    assert "nothing to test" not in done.stdout
    assert "strangest" not in done.stdout
    found = json.loads(shanghaien(home, "dice", "--json", PYTHONPATH=path).stdout)
    (group,) = found["games"]
    assert (group["game"], group["counted"], group["chance_model"], group["tests"]) == ("mute", 2, False, [])
    assert [file["counted"] for file in found["files"]].count(True) == 2


@pytest.mark.thorough
def test_a_tournament_names_its_game_and_options(tmp_path: Path, without_values: dict[str, str]) -> None:
    arguments = ("tournament", "random", "random", "--game", "toy", "--rounds", 2, "--games", 4, "--seed", 1)
    head, *_ = out(tmp_path, *arguments).splitlines()
    assert head.startswith("random against random: 4 games of Toy (rounds 2, opening bid), seed 1.")
    found = json.loads(out(tmp_path, *arguments, "--json"))
    assert (found["game"], found["settings"]) == ("toy", {"rounds": "2", "opening": "bid"})
    assert found["adjusted_margin"]
    found = json.loads(shanghaien(tmp_path, *arguments, "--json", **without_values).stdout)
    assert found["adjusted_margin"] is None, "without an evaluator luck is not known"


def test_it_has_rules_tournaments_and_an_engine(tmp_path: Path) -> None:
    assert "Most treasure wins." in out(tmp_path, "rules", "toy")
    summary = json.loads(out(tmp_path, "tournament", "random", "random", "--rounds", 2, "--games", 4, "--json"))
    assert summary["game"] == "toy", "the one game that has the option"
    assert summary["settings"]["rounds"] == "2"
    asked = 'engine\nposition [Game "toy"] 3:2\nlegal\nposition [Game "toy"]\ngo player 1\nquit\n'
    answers = run(tmp_path, "engine", stdin=asked).stdout.splitlines()
    assert "game toy 1" in answers
    assert answers[-1].removeprefix("bestmove ") in ("1", "2", "3")


@pytest.mark.usefixtures("_toy_is_installed")
@pytest.mark.parametrize(
    ("arguments", "offered"),
    [((), ["bid", "draw", "turn"]), (("--game", "toy"), ["bid", "draw", "turn"]), (("--game", "shanghaien"), [])],
)
def test_values_are_completed_for_the_game_that_is_named(arguments: tuple[str, ...], offered: list[str]) -> None:
    completion = ShellComplete(shanghaien_command, {}, "shanghaien", "_SHANGHAIEN_COMPLETE")
    found = completion.get_completions(["play", *arguments, "--opening"], "")
    assert [item.value for item in found] == offered


def test_an_engine_plays_one_game_alone(tmp_path: Path) -> None:
    asked = 'engine\nposition 1. F3\nposition [Game "shanghaien"] 1. F3\nposition [Game "toy"]\ngo player 0\nquit\n'
    answers = run(tmp_path, "engine", "--game", "toy", stdin=asked).stdout.splitlines()
    assert [line for line in answers if line.startswith("game ")] == ["game toy 1"]
    assert "option name Level type combo default strongest var strongest var random" in answers
    assert [line.split()[1] for line in answers if line.startswith("error ")] == ["no_game_tag", "unknown_game"]
    assert answers[-1].startswith("bestmove ")
    lacking = run(tmp_path, "engine", "--game", "toy", "--level", "master")
    assert lacking.returncode == 2
    assert "Toy has no computer player master. It has: random." in lacking.stderr
    assert "random]" in out(tmp_path, "engine", "--game", "toy", "--help")


def test_its_options_stand_under_its_name(tmp_path: Path) -> None:
    both = out(tmp_path, "play", "--help")
    assert "Options of Toy:" in both
    assert "Options of Shanghaien:" in both
    for arguments in (("--game", "toy", "--help"), ("--help", "--game", "toy"), ("--game=toy", "--help")):
        text = out(tmp_path, "host", *arguments)
        assert "--rounds" in text
        assert "--tricks" not in text


def test_help_lists_the_levels_of_the_game_that_is_named(tmp_path: Path) -> None:
    for command in ("play", "host", "join", "tournament"):
        every = out(tmp_path, command, "--help")
        own = out(tmp_path, command, "--game", "toy", "--help")
        assert ("random|easy|greedy|master|engine:COMMAND" in every) == ("random|engine:COMMAND" in own) is True
        assert "greedy" not in own


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("play --game toy --against ", ["random"]),
        ("play --game=toy --player ", ["human", "random"]),
        ("tournament --game toy random ", ["random"]),
        ("play --against ", ["random", "easy", "greedy", "master"]),
        ("play --game shanghaien --against e", ["easy"]),
    ],
)
def test_completion_offers_the_levels_of_the_game_that_is_named(tmp_path: Path, line: str, offered: list[str]) -> None:
    words = f"shanghaien {line}"
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    done = shanghaien(tmp_path, _SHANGHAIEN_COMPLETE="bash_complete", **asked, **WITH_TOY)
    assert [item.removeprefix("plain,") for item in done.stdout.splitlines()] == offered


@pytest.mark.parametrize(("wrong", "known"), [("rondom", "'random', 'engine:COMMAND'"), ("engine:'", "engine:COMMAND")])
def test_a_mistyped_level_is_told_with_those_of_the_game(tmp_path: Path, wrong: str, known: str) -> None:
    done = run(tmp_path, "play", "--game", "toy", "--against", wrong)
    assert done.returncode == 2
    assert known in done.stderr
    assert "greedy" not in done.stderr


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
    with Host(tmp_path / "host", "--game", "toy", *RANDOM, **WITH_TOY) as host:
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
    """So it is in a folder of sources whose entry points nobody has installed."""
    monkeypatch.setattr(choice, "GAMES", Registry(lambda: ()))
    with pytest.raises(UsageError) as raised:
        choice.GameChoice(None, {}).game()
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
    assert text.count("A blunder: it cost 50.0 percentage points") == 2
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
    (group,) = json.loads(out(home, "stats", "--json"))["games"]
    total = group["total"]
    counted = [(total[side]["decisions"], total[side]["cost"]["chance"]) for side in ("own", "theirs")]
    assert sorted(counted) == sorted(zip(decided, cost, strict=True))


def test_hints_for_secret_choices_at_play(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--game", "toy", "--rounds", 1, "--plain", stdin="h\n")
    said = " ".join(done.stdout.split())
    assert "How often you should choose each action while Computer (random) chooses at the same time" in said
    # known by symmetry, and from the solution of the three bids at level scores in the last round
    shares = "do: 2 [2] 40% of the time, do: 1 [1] 30% of the time, do: 3 [3] 30% of the time"
    assert f"{shares}: win probability 50.0%; level." in said


def test_hints_for_secret_choices_without_a_mixture(bids: Path, tmp_path: Path) -> None:
    path = install(tmp_path / "installed", "toy", "tests.toy_values:WITHOUT_MIXTURES")
    with_it = {"PYTHONPATH": os.pathsep.join(map(str, (path, ROOT)))}
    done = shanghaien(tmp_path, "play", "--game", "toy", "--rounds", 1, "--plain", stdin="h\n", **with_it)
    said = " ".join(done.stdout.split())
    assert "averaged over what Computer (random) may choose at the same time" in said
    assert " 40% of the time" not in said
    (game,) = map(json.loads, shanghaien(tmp_path, "analyse", bids, "--json", **with_it).stdout.splitlines())
    # the mean over both bids of the other: 1 wins three quarters, 3 a quarter
    assert [decision["cost"]["chance"] for decision in game["steps"][1]["decisions"]] == [500_000, 500_000]


def test_hints_for_secret_choices_in_a_replay(bids: Path, tmp_path: Path) -> None:
    surroundings = environment(tmp_path, TERM="xterm-256color", **WITH_TOY)
    child = Spawned([*PROGRAM, "replay", "--plain", str(bids)], surroundings)
    child.expect("Step 1 of")
    child.send("h\r")
    for name in ("Ada", "Ben"):
        child.expect(f"How often {name} should choose each action")
        child.expect(r"do: 1 \[1\] 100% of the time: win probability 50.0%; level")
        child.expect(r"Chosen: do: 3 \[3\]: win probability 0.0%, 50.0 percentage points less than the\s+best; 10.0")
    child.send("q\r")
    child.expect(pexpect.EOF)
    assert child.wait() == 0
