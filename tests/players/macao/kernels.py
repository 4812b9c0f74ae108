"""Values of the positions of a game, as JSON: `python -m tests.players.macao.kernels` computes them with the numeric
kernels that the environment chooses."""

import json
from random import Random

from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.players.evaluator import LookaheadEvaluator
from tests.games.playing import play


def values() -> list[list[float]]:
    """Return, for every fourth position of a game, its win probability and margin, then those after each option."""
    evaluator = LookaheadEvaluator(0)
    states = [moment.before for moment in play(Macao(), Random(0), "recruit")][::4]
    return [
        [*evaluator.value(state), *(value for option in evaluator.options(state) for value in option.value)]
        for state in states
    ]


if __name__ == "__main__":
    print(json.dumps(values()))
