"""Two computer players against each other, over many games, on all cores or on a cluster.

Games come in pairs: in the second the players have changed seats, and cards and dice are the same as far as the games
allow. Games of a pair are therefore not independent, but pairs are: whatever is said of uncertainty goes by pairs.

Any executor of `concurrent.futures` plays them, so that a Dask cluster does, too (the extra `cluster`):

    with distributed.Client("tcp://scheduler:8786") as client, client.get_executor() as executor:
        summary = summarise(play(contest, range(5_000), executor))

Its machines need this package, and whatever else the players need. The results depend on the seed alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from math import sqrt
from random import Random
from statistics import NormalDist, fmean, stdev, variance
from typing import Any, Final, NamedTuple

from p2p_shanghaien.games.api import (
    Acted,
    Action,
    Chance,
    Chosen,
    Drawn,
    Game,
    Simultaneous,
    Step,
    Terminal,
    Turn,
    advance,
)
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import ComputerPlayer, Historian, PositionValue, evaluator, has_evaluator

__all__ = ["CONFIDENCE", "Contest", "Interval", "Pair", "Result", "Summary", "play", "play_pair", "summarise"]

CONFIDENCE: Final = 0.95


class Contest(NamedTuple):
    """A match-up: `players` are A and B. Everything in it must be picklable, so players have to be, too."""

    game: Game[Any]
    players: tuple[ComputerPlayer[Any] | Historian, ComputerPlayer[Any] | Historian]
    seed: int
    luck: bool = False
    """True to measure the luck of each game, so that it can be removed."""


class Result(NamedTuple):
    """A game from A's point of view: the margin in points, and the luck, if it was measured."""

    margin: int
    won: float
    """Return 1, or 0.5 for a draw, or 0."""
    luck: PositionValue | None = None

    @property
    def without_luck(self) -> PositionValue | None:
        """The result less the luck, if that was measured."""
        return self.luck and PositionValue(self.won - self.luck.chance, self.margin - self.luck.points)


class Pair(NamedTuple):
    """The games of a pair: in the first A starts."""

    number: int
    results: tuple[Result, Result]


class Interval(NamedTuple):
    """A mean, and the ends of its confidence interval: None for a single pair."""

    mean: float
    low: float | None = None
    high: float | None = None


class Summary(NamedTuple):
    """The result of the games for A against B. Without measured luck nothing is adjusted."""

    games: int
    won: int
    drawn: int
    lost: int
    win_rate: Interval
    """Wins, draws counted half."""
    margin: Interval
    """Margin in points for each game."""
    adjusted_win_rate: Interval | None
    adjusted_margin: Interval | None


class SeededRng:
    """The cards and dice of a game, drawn from a seed.

    Each run of draws of one kind has its own generator: however many dice were thrown before, the next cards and the
    dice after them are the same.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._runs = 0
        self._bounds: tuple[int, ...] = ()
        self._rng = Random(seed)

    def draw(self, bounds: tuple[int, ...]) -> tuple[int, ...]:
        """Return indices below `bounds`."""
        if bounds != self._bounds:
            self._bounds = bounds
            self._runs += 1
            self._rng = Random(f"{self._seed} {self._runs}")
        return tuple([self._rng.randrange(bound) for bound in bounds])


def play(contest: Contest, numbers: Iterable[int], executor: Executor) -> Iterator[Pair]:
    """Play the pairs of these numbers, and yield each when it is finished.

    Pairs that are no longer wanted are left to the owner of the executor, to be finished or cancelled.
    """
    for done in as_completed([executor.submit(play_pair, contest, number) for number in numbers]):
        yield done.result()


@GAMES.named_in_errors()
def play_pair(contest: Contest, number: int) -> Pair:
    """Return the pair of that number: the same whenever and wherever it is played.

    Raises Illegal for what a player does.
    """
    return Pair(number, (_play_game(contest, number, 0), _play_game(contest, number, 1)))


def _play_game(contest: Contest, number: int, starter: int) -> Result:
    """Return a game in which A (0) or B (1) is the player who starts."""
    rng = SeededRng(f"{contest.seed} {number}")
    players = contest.players if starter == 0 else contest.players[::-1]
    minds = [Random(f"{contest.seed} {number} {starter} player {player}") for player in (0, 1)]
    state = contest.game.start()
    measure = evaluator(contest.game.NAME) if contest.luck and has_evaluator(contest.game.NAME) else None
    chance, points = 0.0, 0.0
    steps: list[Step] = []
    step: Step

    def decided(player: int) -> Action:
        who = players[player]
        play = who.informed(contest.game, steps) if isinstance(who, Historian) else who
        return play(state, player, minds[player])

    while True:
        match state.node:
            case Terminal(scores, _):
                sign = 1 - 2 * starter
                margin = sign * (scores[0] - scores[1])
                won = 0.5 * (1 + (margin > 0) - (margin < 0))
                return Result(margin, won, PositionValue(sign * chance, sign * points) if measure else None)
            case Turn(player):
                step = Acted(player, decided(player))
            case Simultaneous():
                step = Chosen((decided(0), decided(1)))
            case Chance(bounds):
                step = Drawn(rng.draw(bounds))
        after = advance(state, step)
        steps.append(step)
        if measure and isinstance(step, Drawn):
            luck = measure.luck(state, after)
            chance += luck.chance
            points += luck.points
        state = after


def summarise(pairs: Iterable[Pair]) -> Summary:
    """Return the result of the pairs, whatever their order; adjusted if luck was measured.

    Raises ValueError for no pairs.

    Luck under a fixed evaluation has a mean of zero for any two players. Subtracting it changes no mean, and reduces
    the spread.
    """
    ordered = sorted(pairs)
    if not ordered:
        raise ValueError("no pairs")
    results = [result for pair in ordered for result in pair.results]
    outcomes = [result.won for result in results]
    adjusted = [result.without_luck for result in results if result.without_luck]
    wins, margins = _by_pairs([PositionValue(result.won, result.margin) for result in results])
    without_luck = _by_pairs(adjusted) if len(adjusted) == len(results) else None
    return Summary(
        len(outcomes),
        outcomes.count(1.0),
        outcomes.count(0.5),
        outcomes.count(0.0),
        _wilson(wins),
        _interval(margins),
        without_luck and _within_range(_interval(without_luck[0])),
        without_luck and _interval(without_luck[1]),
    )


def _by_pairs(games: Sequence[PositionValue]) -> tuple[list[float], list[float]]:
    """Return the means of wins and of margins for each pair of games."""
    pairs = list(zip(games[::2], games[1::2], strict=True))
    return [(a.chance + b.chance) / 2 for a, b in pairs], [(a.points + b.points) / 2 for a, b in pairs]


def _interval(values: list[float]) -> Interval:
    """Return the mean with its confidence interval, by Student's distribution."""
    mean, count = fmean(values), len(values)
    if count < 2:
        return Interval(mean)
    reach = _student(count - 1) * stdev(values) / sqrt(count)
    return Interval(mean, mean - reach, mean + reach)


def _wilson(rates: list[float]) -> Interval:
    """Return the mean of rates in [0, 1] with Wilson's score interval, which stays within [0, 1].

    Wilson's interval takes the variance of a single observation for p (1 - p). Of a rate that may lie between 0 and 1,
    a pair of games with draws counted half, it is a part of that: the design effect, as surveys in clusters estimate
    it (Korn and Graubard 1998, Survey Methodology 24, 193-201). Where all rates are 0, or all are 1, nothing can be
    estimated, and the variance is taken to be p (1 - p), which it never exceeds (Bhatia and Davis 2000).
    """
    mean, count = fmean(rates), len(rates)
    if count < 2:
        return Interval(mean)
    most = mean * (1 - mean)
    effect = variance(rates) / most if most else 1.0
    weight = effect * _student(count - 1) ** 2 / count
    middle = (mean + weight / 2) / (1 + weight)
    reach = sqrt(weight * (most + weight / 4)) / (1 + weight)
    # rounding must not move an end beyond its value
    return Interval(mean, max(0.0, min(mean, middle - reach)), min(1.0, max(mean, middle + reach)))


def _within_range(interval: Interval) -> Interval:
    """Return the interval of a win rate whose estimate may lie outside [0, 1], as one within it.

    The estimate becomes the nearest rate that is possible, and the interval around that is cut at both ends. It is
    never empty, and covers the truth at least as often (Mandelkern and Schultz 2000, J. Math. Phys. 41, 5701-5709).
    """
    mean, low, high = interval
    nearest = min(max(mean, 0.0), 1.0)
    if low is None or high is None:
        return Interval(nearest)
    return Interval(nearest, max(0.0, nearest - (mean - low)), min(1.0, nearest + (high - mean)))


def _student(freedom: int) -> float:
    """Return the quantile for CONFIDENCE, by the Cornish-Fisher expansion: within 1% from three degrees of freedom."""
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    terms = (z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return sum(term / float(freedom) ** power for power, term in enumerate(terms))
