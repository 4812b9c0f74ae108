"""Calibration of `master`'s win probabilities: predicted between rounds against won, in games against itself.

python -m benchmarks calibration [--games N] [--seed N] [--cores N]
"""

import argparse
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple

from p2p_shanghaien.games.api import Chance, Terminal
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.players.value import between
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.players import computer_player

BINS: Final = 10
ROUNDS: Final = ((1, 8), (2, 3), (4, 5), (6, 6), (7, 7), (8, 8))
"""From which round to which the columns of the table go."""


class Prediction(NamedTuple):
    """A chance that player 0 wins, before a round, and what came of it: 1, 1/2 or 0."""

    round: int
    chance: float
    won: float


class Bin(NamedTuple):
    """Predictions that were much alike."""

    positions: int
    predicted: float
    """Their mean."""
    won: float
    """The mean of what came of them."""
    reach: float
    """The distance by which a mean result may differ from the mean prediction by chance, in 95 of 100 cases."""


def game(seed: str) -> list[Prediction]:
    """Return the predictions of a game, one before each round."""
    rng = Random(seed)
    return play_on(Shanghaien().start(), rng)


def play_on(state: State, rng: Random) -> list[Prediction]:
    """Return the predictions from a position to the end of the game, in which `master` plays both sides."""
    master = computer_player("shanghaien", "master")
    predicted: list[tuple[int, float]] = []
    while not isinstance(node := state.node, Terminal):
        if state.phase == Phase.ROW:
            predicted.append((state.round, between(state)[0]))
        if isinstance(node, Chance):
            state = state.apply_chance([rng.randrange(bound) for bound in node.bounds])
        else:
            state = state.apply(master(state, state.player, rng))
    won = {0: 1.0, 1: 0.0, None: 0.5}[node.winner]
    return [Prediction(number, chance, won) for number, chance in predicted]


def binned(predictions: Iterable[Prediction]) -> list[Bin | None]:
    """Return the predictions by tenths of chance; None where there were none."""
    kept: list[list[Prediction]] = [[] for _ in range(BINS)]
    for prediction in predictions:
        kept[min(int(prediction.chance * BINS), BINS - 1)].append(prediction)
    return [summed(alike) if alike else None for alike in kept]


def summed(predictions: Sequence[Prediction]) -> Bin:
    """Return one bin of them all. Positions of one game are not independent: the reach is too short across rounds."""
    count = len(predictions)
    spread = sqrt(sum(found.chance * (1 - found.chance) for found in predictions))
    return Bin(
        count,
        sum(found.chance for found in predictions) / count,
        sum(found.won for found in predictions) / count,
        1.96 * spread / count,
    )


def table(predictions: Sequence[Prediction]) -> str:
    """Predicted against won in percent, as Markdown, by tenths and rounds."""
    spans = [f"round {first}" if first == last else f"rounds {first}-{last}" for first, last in ROUNDS]
    lines = ["| predicted | " + " | ".join(spans) + " |", "|---|" + "--:|" * len(spans)]
    columns = [binned(found for found in predictions if first <= found.round <= last) for first, last in ROUNDS]
    for place, cells in enumerate(zip(*columns, strict=True)):
        name = f"{100 * place // BINS}-{100 * (place + 1) // BINS}%"
        lines.append(f"| {name} | " + " | ".join(_cell(cell) for cell in cells) + " |")
    return "\n".join(lines)


def _cell(found: Bin | None) -> str:
    if found is None:
        return ""
    low, high = max(0.0, found.predicted - found.reach), min(1.0, found.predicted + found.reach)
    shown = (f"{100 * share:.0f}" for share in (found.predicted, low, high, found.won))
    return "{} ({} to {}): {}, {:,}".format(*shown, found.positions)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks calibration", description="Whether chances come true.")
    parser.add_argument("--games", type=int, default=1000, help="games of master against itself (default: 1000)")
    parser.add_argument("--seed", type=int, default=2008, help="fixes cards and dice (default: 2008)")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="processes (default: one for every core)")
    given = parser.parse_args(arguments)
    seeds = [f"{given.seed} {number}" for number in range(given.games)]
    with ProcessPoolExecutor(given.cores, get_context("spawn")) as executor:
        predictions = [found for each in executor.map(game, seeds, chunksize=10) for found in each]
    print("mean prediction (where 95% of results lie if it is right): won, in percent; positions\n")
    print(table(predictions))
