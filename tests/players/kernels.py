"""Values of the positions of a game, as JSON: `python -m tests.players.kernels` computes them with the numeric kernels
that the environment chooses."""

import json

from p2p_shanghaien.players import valuation
from tests.players.test_valuation import GAME, game


def values() -> list[list[float]]:
    """Return, for every third position of a game, its win probability and margin, then those after each option."""
    judged = valuation(GAME.NAME)
    assert judged is not None
    return [
        [*judged.outlook(state), *(value for option in judged.options(state) for value in option.outlook)]
        for state in list(game(0))[::3]
    ]


if __name__ == "__main__":
    print(json.dumps(values()))
