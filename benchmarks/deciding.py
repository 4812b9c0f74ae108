"""How long `master` takes over its decisions, and how much memory: games against `greedy`."""

import resource
import time
from random import Random

from benchmarks.report import Row
from p2p_shanghaien.games.api import Chance, Over, Turn
from p2p_shanghaien.games.shanghaien import Shanghaien
from p2p_shanghaien.players import computer_player

GAMES = 40


def run() -> list[Row]:
    """Processor time of each decision in which there is a choice, at quantiles."""
    taken = sorted(spent for seed in range(GAMES) for spent in _game(seed))
    quantiles = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "worst": 1.0}
    median = taken[len(taken) // 2]
    rows = []
    for name, share in quantiles.items():
        spent = taken[int(share * len(taken))] if share < 1 else taken[-1]
        rows.append(Row(f"master decides, {name}", 1000 * spent, "ms", "p50", spent / median))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [*rows, Row("peak memory of the process", memory, "MB", "", None)]


def _game(seed: int) -> list[float]:
    """Seconds that each choice of `master` took in a game."""
    master, greedy, rng = computer_player("master"), computer_player("greedy"), Random(seed)
    state, taken = Shanghaien().start(), []
    while not isinstance(waits := state.waits, Over):
        if isinstance(waits, Chance):
            state = state.draw([rng.randrange(bound) for bound in waits.bounds])
            continue
        assert isinstance(waits, Turn)
        player = waits.player
        if player != seed % 2:
            state = state.apply(greedy(state, player, rng))
            continue
        begun = time.process_time()
        action = master(state, player, rng)
        if len(state.legal(player)) > 1:
            taken.append(time.process_time() - begun)
        state = state.apply(action)
    return taken
