"""Ratings of the levels and of a tree search: paired games between neighbours, as a Markdown table.

python -m benchmarks ratings [--game NAME] [--option NAME=VALUE ...] [--games N] [--keep FILE] [--seed N] [--cores N]
[A:B ...]

A and B are levels, or `mcts-1000` with any number of simulations where there is a search; without a pairing, all
neighbours play. The games go by chunks; progress is shown on standard error. With `--keep`, finished games stand in
FILE, and the next run goes on behind them: a rating may take a night, and need not do so in one piece. FILE may hold
games of several kinds; those of another game, with other options or from another seed are left alone.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from itertools import pairwise
from math import log10
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from benchmarks import report
from benchmarks.halunken import DecoupledSearch
from benchmarks.mcts import SIZES, MonteCarlo
from p2p_shanghaien.analysis.tournament import Contest, Interval, Pair, Result, Summary, play, play_pair, summarise
from p2p_shanghaien.errors import ShanghaienError
from p2p_shanghaien.games.api import Game, State
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import ComputerPlayer, PositionValue, computer_player, levels

SEARCH: Final = "mcts-"
CHUNK: Final = 20.0
"""Seconds that a chunk of games should take."""
TIMED: Final = 1
"""Pairs of games of a player against itself that are timed, on one core."""

Pairing: TypeAlias = tuple[str, str]

SEARCHES: Final[dict[str, Callable[[int], ComputerPlayer[Any]]]] = {
    Shanghaien.NAME: MonteCarlo,
    Halunken.NAME: DecoupledSearch,
}
"""The games with a tree search to measure against, by the number of its simulations."""


def named(game: Game[Any], name: str) -> ComputerPlayer[Any]:
    """Return the level, or the search, of that name. Raises ValueError."""
    search = SEARCHES.get(game.NAME)
    if search and name.startswith(SEARCH) and name.removeprefix(SEARCH).isdecimal():
        return search(int(name.removeprefix(SEARCH)))
    if name not in levels(game.NAME):
        raise ValueError(f"{name} is neither a level of {game.NAME} ({', '.join(levels(game.NAME))}) nor {SEARCH}N")
    return computer_player(game.NAME, name)


def neighbours(game: Game[Any]) -> list[Pairing]:
    """Return each level with the one below it, and the searches, with each other and the best level."""
    ladder = levels(game.NAME)
    found = [(stronger, weaker) for weaker, stronger in pairwise(ladder)]
    if game.NAME in SEARCHES:
        searches = [f"{SEARCH}{size}" for size in SIZES]
        found += [(stronger, weaker) for weaker, stronger in pairwise(searches)]
        found += [(ladder[-1], search) for search in searches]
    return found


class Kept:
    """Finished pairs of games by pairing, of one game with its options; in a file if one is named: a line each.

    Raises ValueError for a line that is no such pair.
    """

    def __init__(self, path: Path | None, game: Game[Any], seed: int) -> None:
        self._path = path
        self._played: dict[str, Any] = {"game": game.NAME, "settings": dict(game.settings), "seed": seed}
        self._pairs: dict[Pairing, dict[int, Pair]] = {}
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        for number, line in enumerate(lines, start=1):
            try:
                kept = json.loads(line)
                a, b = kept["players"]
                first, second = kept["results"]
                pair = Pair(kept["pair"], (_result(first), _result(second)))
                played = {name: kept[name] for name in self._played}
            except (ValueError, TypeError, KeyError) as error:
                raise ValueError(f"{path}, line {number}, is no finished pair of games; name another file") from error
            # margins of other games, and ratings at them, have nothing to do with these
            if played == self._played:
                self._add((a, b), pair)

    def of(self, pairing: Pairing) -> list[Pair]:
        """Return the pairs that this pairing has finished."""
        return list(self._pairs.get(pairing, {}).values())

    def missing(self, pairing: Pairing, count: int) -> list[int]:
        """Return which of the first `count` pairs it has not."""
        return [number for number in range(count) if number not in self._pairs.get(pairing, {})]

    def add(self, pairing: Pairing, pair: Pair) -> None:
        self._add(pairing, pair)
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                kept = {**self._played, "players": pairing, "pair": pair.number, "results": pair.results}
                file.write(json.dumps(kept) + "\n")

    def _add(self, pairing: Pairing, pair: Pair) -> None:
        self._pairs.setdefault(pairing, {})[pair.number] = pair


def _result(fields: list[Any]) -> Result:
    margin, won, luck_had = fields
    return Result(margin, won, luck_had and PositionValue(*luck_had))


def run_pairing(contest: Contest, pairing: Pairing, pairs: int, kept: Kept, executor: Executor) -> Iterator[str]:
    """Play what is missing, chunk by chunk; after each, how it stands and how long the rest will take."""
    missing = kept.missing(pairing, pairs)
    size = 2 * (os.cpu_count() or 1)
    while missing:
        chunk, missing = missing[:size], missing[size:]
        began = time.monotonic()
        for pair in play(contest, chunk, executor):
            kept.add(pairing, pair)
        each = (time.monotonic() - began) / len(chunk)
        size = max(size // 2, min(2 * size, round(CHUNK / each)), 1)
        summary = summarise(kept.of(pairing))
        left = f"about {_duration(each * len(missing))} left" if missing else "finished"
        rate = _percent(summary.win_rate)
        yield f"{' against '.join(pairing)}: {summary.games} of {2 * pairs} games, {rate} won, {left}"


class Clock:
    """A player whose decisions are counted and timed."""

    def __init__(self, player: ComputerPlayer[Any]) -> None:
        self._player = player
        self.decisions = 0
        self.seconds = 0.0

    def __call__(self, state: State, player: int, rng: Random) -> str:
        began = time.process_time()
        action = self._player(state, player, rng)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return action


def seconds(game: Game[Any], name: str) -> tuple[float, float]:
    """Seconds of the processor that a decision and a whole game take that player, the other's decisions left out."""
    clock = Clock(named(game, name))
    for pair in range(TIMED):
        play_pair(Contest(game, (clock, clock), 0), pair)
    # a pair is two games, and each has two such players
    return clock.seconds / clock.decisions, clock.seconds / (4 * TIMED)


def ratings(results: Iterable[tuple[Pairing, Summary]]) -> dict[str, float]:
    """Elo ratings that fit the win rates best (Bradley and Terry), `random` at 0 or else the weakest.

    One game more, drawn, is added to each pairing, so that who wins every game is rated at all.
    """
    points: dict[str, float] = {}
    met: list[tuple[str, str, float]] = []
    for (a, b), summary in results:
        won = summary.win_rate.mean * summary.games
        points[a] = points.get(a, 0) + won + 0.5
        points[b] = points.get(b, 0) + summary.games - won + 0.5
        met.append((a, b, summary.games + 1))
    strength = dict.fromkeys(points, 1.0)
    for _ in range(20_000):
        share = dict.fromkeys(points, 0.0)
        for a, b, games in met:
            share[a] += games / (strength[a] + strength[b])
            share[b] += games / (strength[a] + strength[b])
        before, strength = strength, {name: points[name] / share[name] for name in points}
        if all(abs(strength[name] / before[name] - 1) < 1e-9 for name in points):
            break
    zero = strength.get("random", min(strength.values()))
    return {name: 400 * log10(value / zero) for name, value in strength.items()}


class Player(NamedTuple):
    """A line of the table of players: seconds a decision and a game."""

    name: str
    rating: float
    decision: float
    game: float


def players_table(players: Iterable[Player]) -> str:
    """Return the players, the strongest first, as Markdown."""
    lines = ["| player | rating | a decision | a game |", "|---|--:|--:|--:|"]
    for name, rating, decision, game in sorted(players, key=lambda player: -player.rating):
        lines.append(f"| {name} | {rating:.0f} | {report.number(decision * 1000)} ms | {report.number(game)} s |")
    return "\n".join(lines)


def pairings_table(results: Iterable[tuple[Pairing, Summary]]) -> str:
    """Return the first ones' results as Markdown; intervals are 95%. A dash: the game has no evaluator."""
    lines = [
        "| A | B | games | A wins | without luck | A's margin | without luck |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for (a, b), found in results:
        cells = (
            _percent(found.win_rate),
            _percent(found.adjusted_win_rate) if found.adjusted_win_rate else "-",
            _points(found.margin),
            _points(found.adjusted_margin) if found.adjusted_margin else "-",
        )
        lines.append(f"| {a} | {b} | {found.games:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _percent(interval: Interval) -> str:
    mean, low, high = interval
    ends = "" if low is None or high is None else f" ({100 * low:.1f} to {100 * high:.1f})"
    return f"{100 * mean:.1f}%{ends}"


def _points(interval: Interval) -> str:
    mean, low, high = interval
    return f"{mean:+.2f}" + ("" if low is None or high is None else f" ({low:+.2f} to {high:+.2f})")


def _duration(length: float) -> str:
    return f"{length / 60:.0f} min" if length >= 90 else f"{length:.0f} s"


def _pairing(game: Game[Any], text: str) -> Pairing:
    a, colon, b = text.partition(":")
    if not colon:
        raise ValueError(f"{text} is no pairing; write A:B")
    named(game, a), named(game, b)
    return a, b


def _game(name: str, options: Sequence[str]) -> Game[Any]:
    """Return the game of that name with options written NAME=VALUE. Raises ValueError."""
    if name not in RULES:
        raise ValueError(f"there is no game {name}; installed: {', '.join(RULES)}")
    try:
        return RULES[name].from_settings(dict(_option(option) for option in options))
    except ShanghaienError as error:
        raise ValueError(f"{name}: {error}") from None


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text} is no option; write NAME=VALUE")
    return name, value


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks ratings", description="How strong the levels are.")
    parser.add_argument("pairings", nargs="*", metavar="A:B")
    parser.add_argument("--game", default=Shanghaien.NAME, metavar="NAME", help="the game (default: shanghaien)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game; may be repeated"
    )
    parser.add_argument("--games", type=int, default=1000, help="games of each pairing (default: 1000)")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="where finished games are kept")
    parser.add_argument("--seed", type=int, default=2008, help="fixes cards, dice and players (default: 2008)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="processes (default: one for every core)")
    given = parser.parse_args(arguments)
    try:
        game = _game(given.game, given.option)
        pairings = [_pairing(game, text) for text in given.pairings] or neighbours(game)
        if not pairings:
            raise ValueError(f"{game.NAME} has a single level; write A:B")
        kept = Kept(given.keep, game, given.seed)
    except ValueError as error:
        parser.error(str(error))
    names = list(dict.fromkeys(name for pairing in pairings for name in pairing))
    times = {name: seconds(game, name) for name in names}
    with ProcessPoolExecutor(given.cores, get_context("spawn")) as executor:
        for pairing in pairings:
            contest = Contest(game, (named(game, pairing[0]), named(game, pairing[1])), given.seed, luck=True)
            for line in run_pairing(contest, pairing, (given.games + 1) // 2, kept, executor):
                print(line, file=sys.stderr, flush=True)
    results = [(pairing, summarise(kept.of(pairing))) for pairing in pairings]
    rated = ratings(results)
    print(f"{game.NAME}: {', '.join(f'{name} {value}' for name, value in game.settings)}\n")
    print(players_table(Player(name, rated[name], *times[name]) for name in names))
    print()
    print(pairings_table(results))
