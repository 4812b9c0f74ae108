"""`python -m tests.fairplay.seeded_logs`: hashes of some whole signed logs, to compare machines and interpreters."""

import random
import sys
from hashlib import sha256
from typing import Any

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.pair import GAMES, make_pair
from tests.toy import Toy


def hashes() -> list[str]:
    """SHA-256 over the log of each game, which holds the hash of every state on its way."""
    found = []
    games: tuple[Game[Any], ...] = (
        *(Shanghaien(), Shanghaien("extra-wild", (2, 4, 2))),
        *(Halunken(theft="may"), Toy(3), Toy(2, "draw")),
    )
    for seed, game in enumerate(games):
        rng = random.Random(seed)
        pair = make_pair(rng, game)
        pair.play(rng)
        if verify(pair.sides[0].log, GAMES).verdict != Verdict.COMPLETE:
            raise RuntimeError("a finished game is not complete")
        found.append(sha256(pair.sides[0].log).hexdigest())
    return found


if __name__ == "__main__":
    sys.stdout.write("\n".join(hashes()))
