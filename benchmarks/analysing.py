"""Time and memory of the analysis of games: games of computer players that differ in strength."""

import time
from random import Random

from benchmarks.alone import alone
from benchmarks.report import Row
from p2p_shanghaien.analysis.annotate import annotate
from p2p_shanghaien.games.api import Acted, Chance, Drawn, State, Step, Terminal, Turn, advance
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import computer_player, evaluator

GAMES = 30


def run(games: int = GAMES) -> list[Row]:
    """Processor time of whole games on one core, and what that is for a decision and for a step of any kind."""
    (steps, decisions, taken), memory = alone(_analysed, games)
    total = sum(taken)
    mean = total / games
    return [
        Row("a game analysed, in the mean", 1000 * mean, "ms", "mean", 1.0),
        Row("a game analysed, the slowest", 1000 * max(taken), "ms", "mean", max(taken) / mean),
        Row("decisions analysed", decisions / total, "/s", "", None),
        Row("steps analysed", steps / total, "/s", "", None),
        Row("peak memory of the process", memory, "MB", "", None),
    ]


def _analysed(games: int) -> tuple[int, int, list[float]]:
    """Return the steps and decisions of so many games, and the seconds that each took."""
    steps, decisions, taken = 0, 0, []
    for seed in range(games):
        played = _game(seed)
        evaluated = evaluator(Shanghaien.NAME)
        start = time.process_time()
        analysis = annotate(played, evaluated)
        taken.append(time.process_time() - start)
        steps += len(played.steps)
        decisions += sum(tally.decisions for tally in analysis.tallies)
    return steps, decisions, taken


def _game(seed: int) -> Record:
    players, rng = (computer_player("shanghaien", "greedy"), computer_player("shanghaien", "easy")), Random(seed)
    state: State = Shanghaien().start()
    steps: list[Step] = []
    while not isinstance(node := state.node, Terminal):
        if isinstance(node, Chance):
            steps.append(Drawn(tuple(rng.randrange(bound) for bound in node.bounds)))
        else:
            assert isinstance(node, Turn)
            steps.append(Acted(node.player, players[node.player](state, node.player, rng)))
        state = advance(state, steps[-1])
    return Record(Shanghaien(), steps=tuple(steps))
