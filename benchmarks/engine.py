"""Decisions a second of the rules engine in random games on one core, beside games of OpenSpiel driven from Python.

Both sides are driven in the same way: ask what is awaited, ask what is legal, do one of it at random; chance is drawn
by the driver. Shanghaien checks each action's legality again when it is done, as it always does.
"""

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from statistics import median
from typing import Any

from benchmarks.report import Row, table
from p2p_shanghaien.games.api import Chance, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien

SECONDS = 0.6
"""Seconds of processor time for each game in each round."""
ROUNDS = 7

OPEN_SPIEL = {
    "python_kuhn_poker": "Python",
    "python_liars_poker": "Python",
    "python_tic_tac_toe": "Python",
    "backgammon": "C++",
    "pig": "C++",
}

PlayOne = Callable[[Callable[[], float]], int]
"""Plays one random game with numbers from 0 up to 1, and returns how many decisions it had."""


def run(seconds: float = SECONDS, rounds: int = ROUNDS) -> list[Row]:
    """Measure each game in turns, round after round, so that whatever else the machine does meets all alike."""
    players = {"Shanghaien (Python)": play_shanghaien, **dict(_open_spiel())}
    speeds: list[dict[str, float]] = [
        {name: _decisions_a_second(play, seconds, seed) for name, play in players.items()} for seed in range(rounds)
    ]
    base, *others = players
    rows = [Row(base, median(speed[base] for speed in speeds), "decisions/s", "", 1.0)]
    for name in others:
        value = median(speed[name] for speed in speeds)
        ratio = median(speed[name] / speed[base] for speed in speeds)
        rows.append(Row(name, value, "decisions/s", "Shanghaien", ratio))
    if not others:
        rows.append(Row("OpenSpiel: not installed (the extra `bench` brings it)", None, "", "", None))
    return rows


def play_shanghaien(number: Callable[[], float]) -> int:
    """Return a random game of Shanghaien."""
    state = Shanghaien().start()
    decisions = 0
    while True:
        node = state.node
        if isinstance(node, Turn):
            actions = state.legal(node.player)
            state = state.apply(actions[int(number() * len(actions))])
            decisions += 1
        elif isinstance(node, Chance):
            state = state.apply_chance([int(number() * bound) for bound in node.bounds])
        else:
            return decisions


def play_open_spiel(game: Any, number: Callable[[], float]) -> int:
    """Return a random game of OpenSpiel.

    All outcomes of chance are taken as equally likely: nothing is quicker to draw.
    """
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(number() * len(outcomes))][0])
        else:
            actions = state.legal_actions()
            state.apply_action(actions[int(number() * len(actions))])
            decisions += 1
    return decisions


def _open_spiel() -> Iterator[tuple[str, PlayOne]]:
    """Yield the games of OpenSpiel, if it is installed."""
    try:
        pyspiel: Any = import_module("pyspiel")
        import_module("open_spiel.python.games")  # registers those that are written in Python
    except ImportError:
        return
    for name, language in OPEN_SPIEL.items():
        yield f"OpenSpiel {name} ({language})", partial(play_open_spiel, pyspiel.load_game(name))


def _decisions_a_second(play: PlayOne, seconds: float, seed: int) -> float:
    number = random.Random(seed).random
    decisions = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds or not decisions:
        decisions += play(number)
    return decisions / elapsed


if __name__ == "__main__":
    print(table(run()))
