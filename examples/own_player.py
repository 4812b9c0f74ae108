"""A computer player of your own, tried against `random` on the rules alone.

    python examples/own_player.py [GAMES]

A computer player is a pure function of the position, the player and a random generator. To offer one by name
(`--player careful`), add it to the levels that its game declares, as in `p2p_shanghaien/games/shanghaien/__init__.py`.
"""

import random
import sys
from typing import Any

from p2p_shanghaien.games.api import Chance, State, Terminal, Turn
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players import ComputerPlayer, computer_player


def careful(state: State, player: int, rng: random.Random) -> str:
    """Keeps its tricks for the end, and goes on rolling as long as that is possible."""
    legal = state.legal(player)
    plain = [action for action in legal if action == "roll" or action.startswith("-")]
    return rng.choice(plain or list(legal))


def play(players: tuple[ComputerPlayer[Any], ComputerPlayer[Any]], rng: random.Random) -> Terminal:
    """Return one game; `players[0]` starts."""
    state: State = RULES["shanghaien"].from_settings({}).start()
    while True:
        match state.node:
            case Terminal() as over:
                return over
            case Chance(bounds):
                state = state.apply_chance([rng.randrange(bound) for bound in bounds])
            case Turn(player):
                state = state.apply(players[player](state, player, rng))


def main(games: int) -> None:
    rng = random.Random(2008)
    rival = computer_player("shanghaien", "random")
    wins = [0, 0]
    for number in range(games):
        mine = number % 2
        over = play((careful, rival) if mine == 0 else (rival, careful), rng)
        if over.winner is not None:
            wins[over.winner != mine] += 1
    print(f"careful won {wins[0]}, random won {wins[1]}, drawn {games - sum(wins)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
