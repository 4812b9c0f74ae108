"""The ratings' arithmetic, and that a run which was broken off goes on where it was."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from benchmarks import ratings
from benchmarks.mcts import MonteCarlo
from p2p_shanghaien.analysis.tournament import Interval, Pair, Result, Summary, summarise
from p2p_shanghaien.players import Outlook


def scored(won: int, of: int) -> Summary:
    """So many won games of so many, an even number."""
    games = [Result(2 * (n < won) - 1, float(n < won), Outlook(0.1, 0.5)) for n in range(of)]
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
    assert ratings.named("mcts-250") == MonteCarlo(250)
    for wrong in ("mcts-", "mcts-many", "nobody"):
        with pytest.raises(ValueError, match=wrong):
            ratings.named(wrong)
    pairings = ratings.neighbours()
    assert ("easy", "random") in pairings
    assert ("mcts-10000", "mcts-1000") in pairings
    assert len(set(pairings)) == len(pairings)


def test_goes_on_where_it_was(tmp_path: Path) -> None:
    pairing, file = ("easy", "random"), tmp_path / "kept"
    with ThreadPoolExecutor(2) as pool:
        first = ratings.Kept(file, 1)
        assert "6 of 6 games" in list(ratings.run_pairing(pairing, 3, first, 1, pool))[-1]
        again = ratings.Kept(file, 1)
        assert sorted(again.of(pairing)) == sorted(first.of(pairing))
        assert again.missing(pairing, 5) == [3, 4]
        assert again.missing(pairing[::-1], 1) == [0]
        assert ratings.Kept(file, 2).missing(pairing, 1) == [0], "another seed, other games"
        told = list(ratings.run_pairing(pairing, 5, again, 1, pool))
        assert "10 of 10 games" in told[-1]
        whole = ratings.Kept(None, 1)
        list(ratings.run_pairing(pairing, 5, whole, 1, pool))
    assert summarise(whole.of(pairing)) == summarise(ratings.Kept(file, 1).of(pairing))


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
    decision, game = ratings.seconds("easy")
    assert 20 < game / decision < 90, "decisions a game and player"


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    ratings.main(["--games", "4", "--cores", "1", "easy:random"])
    out, err = capsys.readouterr()
    assert "| easy | random | 4 |" in out
    assert "4 of 4 games" in err
    with pytest.raises(SystemExit):
        ratings.main(["easy"])
    assert "A:B" in capsys.readouterr().err
