"""Values of the positions of a game, as JSON: `python -m tests.players.halunken.kernels` computes them with the numeric
kernels that the environment chooses."""

import json
from random import Random

from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.players.evaluator import RoundEvaluator
from tests.games.playing import play


def values() -> list[list[float]]:
    """Return, for every fourth position of a game, its win probability and margin, then those after each option."""
    evaluator = RoundEvaluator()
    states = [moment.before for moment in play(Halunken(), Random(0))][::4]
    return [
        [*evaluator.value(state), *(value for option in evaluator.options(state) for value in option.value)]
        for state in states
    ]


if __name__ == "__main__":
    print(json.dumps(values()))
