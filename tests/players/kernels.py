"""Values of the positions of a game, as JSON: `python -m tests.players.kernels` computes them with the numeric kernels
that the environment chooses."""

import json

from p2p_shanghaien.players import evaluator
from tests.players.test_evaluator import GAME, game


def values() -> list[list[float]]:
    """Return, for every third position of a game, its win probability and margin, then those after each option."""
    evaluated = evaluator(GAME.NAME)
    return [
        [*evaluated.value(state), *(value for option in evaluated.options(state) for value in option.value)]
        for state in list(game(0))[::3]
    ]


if __name__ == "__main__":
    print(json.dumps(values()))
