"""The ratings' arithmetic, and that a run which was broken off goes on where it was."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from benchmarks import ratings
from benchmarks.mcts import MonteCarlo
from p2p_shanghaien.analysis.tournament import Contest, Interval, Pair, Result, Summary, summarise
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import PositionValue, computer_player

GAME = Shanghaien()
OTHER = Shanghaien.from_settings({"variant": "extra-wild"})


def contest(game: Game[Any], pairing: ratings.Pairing) -> Contest:
    first, second = (computer_player(game.NAME, name) for name in pairing)
    return Contest(game, (first, second), 1, luck=True)


def scored(won: int, of: int) -> Summary:
    """Return so many won games of so many, an even number."""
    games = [Result(2 * (n < won) - 1, float(n < won), PositionValue(0.1, 0.5)) for n in range(of)]
    return summarise([Pair(n, (games[2 * n], games[2 * n + 1])) for n in range(of // 2)])


def test_a_rating_is_the_odds() -> None:
    """Ten to one is 400 points; ratings add up along a chain."""
    results = [(("easy", "random"), scored(10_000, 11_000)), (("greedy", "easy"), scored(10_000, 11_000))]
    rated = ratings.ratings(results)
    assert rated["random"] == pytest.approx(0, abs=1e-6)
    assert rated["easy"] == pytest.approx(400, abs=1)
    assert rated["greedy"] == pytest.approx(800, abs=2)


def test_results_that_disagree_meet_in_the_middle() -> None:
    even = scored(500, 1000)
    results = [(("a", "random"), even), (("b", "random"), even), (("a", "b"), scored(640, 1000))]
    rated = ratings.ratings(results)
    assert 0 < rated["a"] < 400 * 0.25
    assert rated["a"] == pytest.approx(-rated["b"], abs=0.1)


def test_who_never_loses_is_rated_too() -> None:
    assert 400 < ratings.ratings([(("easy", "random"), scored(100, 100))])["easy"] < 1200


def test_names() -> None:
    assert ratings.named(GAME, "mcts-250") == MonteCarlo(250)
    for wrong in ("mcts-", "mcts-many", "nobody"):
        with pytest.raises(ValueError, match=wrong):
            ratings.named(GAME, wrong)
    pairings = ratings.neighbours(GAME)
    assert ("easy", "random") in pairings
    assert ("mcts-10000", "mcts-1000") in pairings
    assert len(set(pairings)) == len(pairings)


@pytest.mark.thorough
def test_goes_on_where_it_was(tmp_path: Path) -> None:
    pairing, file = ("easy", "random"), tmp_path / "kept"
    games = contest(GAME, pairing)
    with ThreadPoolExecutor(2) as pool:
        first = ratings.Kept(file, GAME, 1)
        assert "6 of 6 games" in list(ratings.run_pairing(games, pairing, 3, first, pool))[-1]
        again = ratings.Kept(file, GAME, 1)
        assert sorted(again.of(pairing)) == sorted(first.of(pairing))
        assert again.missing(pairing, 5) == [3, 4]
        assert again.missing(pairing[::-1], 1) == [0]
        assert ratings.Kept(file, GAME, 2).missing(pairing, 1) == [0], "another seed, other games"
        told = list(ratings.run_pairing(games, pairing, 5, again, pool))
        assert "10 of 10 games" in told[-1]
        whole = ratings.Kept(None, GAME, 1)
        list(ratings.run_pairing(games, pairing, 5, whole, pool))
    assert summarise(whole.of(pairing)) == summarise(ratings.Kept(file, GAME, 1).of(pairing))


@pytest.mark.thorough
def test_games_with_other_options_are_never_mixed(tmp_path: Path) -> None:
    pairing, file = ("random", "random"), tmp_path / "kept"
    with ThreadPoolExecutor(2) as pool:
        for game, pairs in ((GAME, 2), (OTHER, 1)):
            list(ratings.run_pairing(contest(game, pairing), pairing, pairs, ratings.Kept(file, game, 1), pool))
    assert [pair.number for pair in sorted(ratings.Kept(file, GAME, 1).of(pairing))] == [0, 1]
    assert [pair.number for pair in ratings.Kept(file, OTHER, 1).of(pairing)] == [0]
    assert ratings.Kept(file, OTHER, 1).of(pairing)[0] not in ratings.Kept(file, GAME, 1).of(pairing)


@pytest.mark.parametrize("line", ['["easy", "random", 1, 0, [1, 1.0, null], [1, 1.0, null]]', "{}", "torn"])
def test_a_file_of_something_else_is_refused(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kept"
    file.write_text(line + "\n")
    with pytest.raises(SystemExit):
        ratings.main(["--keep", str(file), "easy:random"])
    assert f"{file}, line 1" in capsys.readouterr().err
    assert file.read_text() == line + "\n"


def test_tables() -> None:
    players = [ratings.Player("slow", 12.4, 0.25, 18.2), ratings.Player("quick", 300.6, 5.5e-05, 0.0031)]
    assert ratings.players_table(players).splitlines() == [
        "| player | rating | a decision | a game |",
        "|---|--:|--:|--:|",
        "| quick | 301 | 0.0550 ms | 0.00310 s |",
        "| slow | 12 | 250 ms | 18.2 s |",
    ]
    found = Summary(
        2000,
        1200,
        0,
        800,
        Interval(0.6, 0.579, 0.621),
        Interval(3, 2.5, 3.5),
        Interval(0.61, 0.59, 0.63),
        Interval(-0.1, -0.4, 0.2),
    )
    assert ratings.pairings_table([(("a", "b"), found)]).splitlines()[-1] == (
        "| a | b | 2,000 | 60.0% (57.9 to 62.1) | 61.0% (59.0 to 63.0) "
        "| +3.00 (+2.50 to +3.50) | -0.10 (-0.40 to +0.20) |"
    )


def test_measures_what_a_decision_takes() -> None:
    decision, game = ratings.seconds(GAME, "easy")
    assert 20 < game / decision < 90, "decisions a game and player"


@pytest.mark.thorough
def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    ratings.main(["--games", "4", "--cores", "1", "--option", "variant=extra-wild", "easy:random"])
    out, err = capsys.readouterr()
    assert out.startswith("shanghaien: variant extra-wild, tricks p3 b3 r2\n")
    assert "| easy | random | 4 |" in out
    assert "4 of 4 games" in err
    wrong = {"easy": "A:B", "easy:none": "none", "--game=go": "go", "--option=wild": "NAME=VALUE"}
    wrong |= {"--option=variant=mild": "variant", "--option=colour=red": "colour"}
    for argument, said in wrong.items():
        with pytest.raises(SystemExit):
            ratings.main([argument])
        assert said in capsys.readouterr().err
