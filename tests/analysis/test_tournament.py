"""A tournament's arithmetic against plain formulas, its games against each other, and its luck against many games."""

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from math import isclose
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.analysis.tournament import Contest, Interval, Pair, Result, SeededRng, play, play_pair, summarise
from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import PositionValue, computer_player
from tests.toy import Toy

RESULTS = st.builds(
    lambda margin, points, chance: Result(
        margin, 0.5 * (1 + (margin > 0) - (margin < 0)), PositionValue(chance, points)
    ),
    st.integers(-40, 40),
    st.floats(-20, 20),
    st.floats(-1, 1),
)


def contest(a: str, b: str, seed: int = 1) -> Contest:
    return Contest(Shanghaien(), (computer_player("shanghaien", a), computer_player("shanghaien", b)), seed, luck=True)


@contextlib.contextmanager
def processes(count: int) -> Iterator[Executor]:
    with ProcessPoolExecutor(count, get_context("spawn")) as executor:
        yield executor


@pytest.mark.thorough
def test_the_seed_decides_however_many_play() -> None:
    with ThreadPoolExecutor(1) as one, processes(2) as two:
        alone = sorted(play(contest("easy", "greedy"), range(2), one))
        together = sorted(play(contest("easy", "greedy"), range(2), two))
    assert alone == together
    assert [pair.number for pair in alone] == list(range(2))
    assert len({pair.results for pair in alone}) == 2
    assert play_pair(contest("easy", "greedy", 2), 0) != alone[0]


def test_a_player_draws_with_itself(thorough: bool) -> None:
    """`greedy` takes no chances of its own, so both games of a pair are the same, seen from either side."""
    for number in range(2 if thorough else 1):
        first, second = play_pair(contest("greedy", "greedy"), number).results
        assert first.margin == -second.margin
        assert first.luck
        assert second.luck
        assert first.luck == pytest.approx([-luck for luck in second.luck], abs=1e-5)
        assert first.won + second.won == 1


def test_both_games_of_a_pair_have_the_same_rows() -> None:
    class Watch:
        """Plays like `random`, and notes the rows it sees."""

        def __init__(self) -> None:
            self.rows: list[tuple[str, ...]] = []

        def __call__(self, state: State, player: int, rng: Random) -> str:
            row = state.row  # type: ignore[attr-defined]
            if row not in self.rows[-1:]:
                self.rows.append(row)
            return computer_player("shanghaien", "random")(state, player, rng)

    watch = Watch()
    play_pair(Contest(Shanghaien(), (watch, watch), 3), 0)
    assert len(watch.rows) == 16
    assert watch.rows[:8] == watch.rows[8:]


def test_fate_is_uniform_and_begins_again_with_each_kind_of_draw() -> None:
    long, short = SeededRng("seed"), SeededRng("seed")
    long.draw((6, 6))
    for _ in range(3):
        long.draw((6, 6))
    short.draw((6, 6))
    assert long.draw((48, 47)) == short.draw((48, 47))
    assert long.draw((6, 6)) == short.draw((6, 6))
    rolls = [SeededRng(str(seed)).draw((6,))[0] for seed in range(6000)]
    expected = 6000 / 6
    chi_square = sum((rolls.count(face) - expected) ** 2 / expected for face in range(6))
    assert chi_square < 20.5  # one in a thousand, five degrees of freedom


def test_a_game_of_secret_choices_is_played_too() -> None:
    """From the other player's point of view everything is reversed; and luck is not measured there."""
    player = computer_player("shanghaien", "random")
    pairs = [play_pair(Contest(Toy(), (player, player), 1, luck=True), number) for number in range(10)]
    assert any(result.margin for pair in pairs for result in pair.results)
    assert all(result.luck is None for pair in pairs for result in pair.results)
    summary = summarise(pairs)
    assert summary.adjusted_win_rate is None
    assert summary.adjusted_margin is None


def test_what_a_player_does_wrong_is_not_hidden() -> None:
    def cheat(state: State, player: int, rng: Random) -> str:
        return "-7"

    with ThreadPoolExecutor(1) as pool, pytest.raises(Illegal):
        list(play(Contest(Shanghaien(), (cheat, cheat), 1), range(3), pool))


@given(st.lists(st.tuples(RESULTS, RESULTS), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_the_summary_counts(results: list[tuple[Result, Result]], rng: Random) -> None:
    pairs = [Pair(number, both) for number, both in enumerate(results)]
    summary = summarise(pairs)
    games = [result for both in results for result in both]
    assert summary.games == len(games) == summary.won + summary.drawn + summary.lost
    assert isclose(summary.win_rate.mean, (summary.won + summary.drawn / 2) / summary.games)
    assert isclose(summary.margin.mean, fmean(result.margin for result in games), abs_tol=1e-9)
    assert summary.adjusted_margin is not None
    expected = fmean(result.margin - result.luck.points for result in games if result.luck)
    assert isclose(summary.adjusted_margin.mean, expected, abs_tol=1e-9)
    rng.shuffle(pairs)
    assert summarise(pairs) == summary


def reach(interval: Interval) -> float:
    """Return how far either end of a symmetric interval is from its middle."""
    mean, low, high = interval
    assert low is not None
    assert high is not None
    assert mean - low == pytest.approx(high - mean)
    return high - mean


@given(st.lists(st.tuples(RESULTS, RESULTS), min_size=1, max_size=40))
def test_rates_and_their_intervals_are_possible_rates(results: list[tuple[Result, Result]]) -> None:
    summary = summarise([Pair(number, both) for number, both in enumerate(results)])
    assert summary.adjusted_win_rate is not None
    for mean, low, high in (summary.win_rate, summary.adjusted_win_rate):
        assert 0 <= mean <= 1
        if len(results) == 1:
            assert (low, high) == (None, None)
        else:
            assert low is not None
            assert high is not None
            assert 0 <= low <= mean <= high <= 1


def pairs_won(*rates: float) -> list[Pair]:
    """Pairs in which A won this share of both games: by a point, or 0."""
    outcomes = {0.0: (-1, -1), 0.25: (0, -1), 0.5: (1, -1), 0.75: (1, 0), 1.0: (1, 1)}
    games = {-1: Result(-1, 0.0), 0: Result(0, 0.5), 1: Result(1, 1.0)}
    return [Pair(number, (games[a], games[b])) for number, (a, b) in enumerate(outcomes[rate] for rate in rates)]


def test_wins_have_wilsons_interval() -> None:
    """Known values: 95% of Wilson's intervals for x of n, where both games of a pair go alike (R's binom.wilson)."""
    wide = [1.0] * 900 + [0.0] * 100
    mean, low, high = summarise(pairs_won(*wide)).win_rate
    assert mean == 0.9
    assert low == pytest.approx(0.8798, abs=0.0003)
    assert high == pytest.approx(0.9171, abs=0.0003)
    # 200 of 200: z^2 / (n + z^2)
    mean, low, high = summarise(pairs_won(*[1.0] * 200)).win_rate
    assert (mean, high) == (1, 1)
    assert low == pytest.approx(1 - 1.972**2 / (200 + 1.972**2), abs=1e-4)
    # one pair of ten drawn: neither end can be reached by one that is symmetric
    mean, low, high = summarise(pairs_won(*[1.0] * 9, 0.5)).win_rate
    assert mean == 0.95
    assert low is not None
    assert high is not None
    assert high < 1
    assert mean - low > high - mean
    # the more alike the pairs, the less doubt
    assert summarise(pairs_won(*[0.5] * 10)).win_rate == (0.5, 0.5, 0.5)
    both_kinds = [summarise(pairs_won(*rates)).win_rate for rates in ([1.0, 0.0] * 20, [0.75, 0.25] * 20)]
    narrow, wider = sorted(high - low for _, low, high in both_kinds if low is not None and high is not None)
    assert narrow == pytest.approx(wider / 2, rel=0.05)


def test_wilsons_interval_covers_the_truth() -> None:
    """At least nine in ten of 400 tournaments of 15 pairs at a true rate of 93% must have it."""
    rng = Random(5)
    covered = 0
    for _ in range(400):
        rates = [rng.choices([1.0, 0.5, 0.0], [0.88, 0.1, 0.02])[0] for _ in range(15)]
        _, low, high = summarise(pairs_won(*rates)).win_rate
        assert low is not None
        assert high is not None
        covered += low <= 0.93 <= high
    assert covered >= 360


def test_a_rate_without_luck_is_put_at_the_nearest_possible_one() -> None:
    lucky = PositionValue(-0.2, 0.0)
    pairs = [Pair(n, (Result(1, 1.0, lucky), Result(1, 1.0, PositionValue(0.1 * (n % 2), 0.0)))) for n in range(20)]
    found = summarise(pairs).adjusted_win_rate
    assert found is not None
    assert (found.mean, found.high) == (1, 1)
    assert found.low is not None
    assert 0.97 < found.low < 1


def test_intervals_go_by_pairs() -> None:
    """Two games of a pair that cancel out leave no doubt, however far apart they are."""
    swing = (Result(30, 1), Result(-30, 0))
    assert summarise([Pair(number, swing) for number in range(10)]).margin == (0, 0, 0)
    assert summarise([Pair(0, swing)]).margin == (0, None, None)
    # Student's quantiles, as printed tables have them
    for freedom, quantile, within in ((2, 4.303, 0.04), (3, 3.182, 0.01), (9, 2.262, 0.001)):
        margins = range(freedom + 1)
        pairs = [Pair(n, (Result(n, 1), Result(n, 1))) for n in margins]
        expected = quantile * stdev(margins) / len(margins) ** 0.5
        assert reach(summarise(pairs).margin) == pytest.approx(expected, rel=within)
    many = [Pair(n, (Result(n, 1), Result(n, 1))) for n in range(1000)]
    assert reach(summarise(many).margin) == pytest.approx(1.962 * stdev(range(1000)) / 1000**0.5, rel=0.001)


def test_no_pairs_say_nothing() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        summarise([])


def single_games(a: str, b: str, seed: int, count: int) -> list[Result]:
    """Return one of each pair, since the two share their dice.

    Their luck is zero in the mean: within five standard errors.
    """
    games = [play_pair(contest(a, b, seed), number).results[0] for number in range(count)]
    for values in zip(*[game.luck for game in games if game.luck], strict=True):
        assert len(values) == count
        assert abs(fmean(values)) < 5 * stdev(values) / len(values) ** 0.5
        assert stdev(values) > 0.05
    return games


@pytest.mark.thorough
@pytest.mark.parametrize(("a", "b"), [("easy", "greedy"), ("random", "easy")])
def test_luck_is_zero_in_the_mean_whoever_plays(a: str, b: str) -> None:
    single_games(a, b, 7, 24)


@pytest.mark.thorough
def test_without_luck_the_error_is_smaller() -> None:
    """The wins' spread over games, at least, shrinks by a fifth, and so does that of the margins."""
    games = single_games("greedy", "greedy", 11, 60)
    adjusted = [game.without_luck for game in games if game.without_luck]
    assert len(adjusted) == len(games)
    assert stdev(game.chance for game in adjusted) < 0.8 * stdev(game.won for game in games)
    assert stdev(game.points for game in adjusted) < 0.9 * stdev(game.margin for game in games)


@pytest.mark.thorough
@pytest.mark.sockets
@pytest.mark.enable_socket
def test_a_dask_cluster_plays() -> None:
    """A scheduler and two workers on this machine, over loopback."""
    pytest.importorskip("distributed")
    from distributed import Client, LocalCluster

    with ThreadPoolExecutor(1) as one:
        expected = sorted(play(contest("easy", "random"), range(6), one))
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as made,
        Client(made) as client,
        client.get_executor() as executor,
    ):
        assert sorted(play(contest("easy", "random"), range(6), executor)) == expected
