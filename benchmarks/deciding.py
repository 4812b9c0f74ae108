"""Time and memory of decisions of the computer players, at each level; `master` with every trick too.

`python -m benchmarks deciding --games N` takes more games, or fewer; `--game NAME` measures another game.
"""

import argparse
import time
from collections.abc import Sequence
from random import Random

from benchmarks.alone import alone
from benchmarks.report import Row, table
from benchmarks.solving import fresh_round
from p2p_shanghaien.games.api import Chance, Simultaneous, State, Terminal, Turn
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import OPEN
from p2p_shanghaien.games.shanghaien.rules import State as ShanghaienState
from p2p_shanghaien.players import computer_player, levels

GAMES = 200
"""The number of games of each level against itself."""
QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "worst": 1.0}
ALL_TRICKS = ("bprw", "bprw")
"""In both hands: every kind that there is, in the variant with most of them. Further cards of a kind change nothing,
as one trick a round may be played."""


def run(games: int = GAMES, game: str = Shanghaien.NAME) -> list[Row]:
    """Games a second of each level against itself; of the strongest also how long each of its choices takes."""
    rows: list[Row] = []
    weakest, *_, strongest = levels(game)
    for level in levels(game):
        (seconds, taken), memory = alone(_games, game, level, games)
        rate = games / seconds
        first = rows[0].value if rows else rate
        assert first is not None
        rows.append(Row(f"games of {level} against itself", rate, "/s", weakest, rate / first))
    taken.sort()
    median = taken[len(taken) // 2]
    for name, share in QUANTILES.items():
        spent = taken[min(int(share * len(taken)), len(taken) - 1)]
        rows.append(Row(f"{strongest} decides, {name} of {games} games", 1000 * spent, "ms", "p50", spent / median))
    rows.append(Row(f"peak memory of {strongest} in these games", memory, "MB", "", None))
    if game != Shanghaien.NAME:
        return rows
    spent, memory = alone(_every_trick)
    rows.append(Row(f"{strongest} decides with every trick in both hands", 1000 * spent, "ms", "p50", spent / median))
    return [*rows, Row("peak memory of that", memory, "MB", "", None)]


def _games(game: str, level: str, games: int) -> tuple[float, list[float]]:
    """Return the seconds of processor time that all games took, and each choice in them."""
    begun = time.process_time()
    taken = [spent for seed in range(games) for spent in _game(game, level, seed)]
    return time.process_time() - begun, taken


def _game(game: str, level: str, seed: int) -> list[float]:
    """Seconds of processor time that each choice took in a game of `level` against itself."""
    player, rng = computer_player(game, level), Random(seed)
    state: State = RULES[game]().start()
    taken: list[float] = []

    def decided(who: int) -> str:
        begun = time.process_time()
        action = player(state, who, rng)
        if len(state.legal(who)) > 1:
            taken.append(time.process_time() - begun)
        return action

    while not isinstance(node := state.node, Terminal):
        match node:
            case Chance(bounds):
                state = state.apply_chance([rng.randrange(bound) for bound in bounds])
            case Simultaneous():
                state = state.apply_joint((decided(0), decided(1)))
            case Turn(who):
                state = state.apply(decided(who))
    return taken


def every_trick() -> ShanghaienState:
    """Return a roll at a round's beginning: every kind of trick in both hands, jokers for all, and either direction
    open.
    """
    state = fresh_round(ALL_TRICKS, len(NATIONALITIES))._replace(direction=OPEN)
    return state.apply("roll").apply_chance((4, 1))


def _every_trick() -> float:
    """Return how long the strongest takes over it, in seconds."""
    state, level = every_trick(), levels(Shanghaien.NAME)[-1]
    player = computer_player("shanghaien", level)
    begin = Shanghaien().start().apply_chance((5, 0, 0, 0, 0, 0)).apply("roll").apply_chance((0, 1))
    player(begin, begin.player, Random(0))  # tables of the rules are made once in a program
    begun = time.process_time()
    player(state, state.player, Random(0))
    return time.process_time() - begun


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks deciding", description="How fast the levels decide.")
    parser.add_argument("--games", type=int, default=GAMES, help=f"games of each level (default: {GAMES})")
    parser.add_argument("--game", default=Shanghaien.NAME, choices=tuple(RULES), help="the game (default: shanghaien)")
    given = parser.parse_args(arguments)
    print(table(run(given.games, given.game)))
