"""`python -m tests.games.fingerprint`: every position of some games, hashed, to compare machines and interpreters."""

import hashlib
import json
import sys
from random import Random
from typing import Any

from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.record import Record, events, write
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.games.playing import play
from tests.toy import Toy

GAMES: tuple[Game[Any], ...] = (
    *(Shanghaien(), Shanghaien("extra-wild", (2, 4, 2))),
    *(Halunken(), Halunken(hands="3", theft="may")),
    Macao(),
    *(Toy(5), Toy(4, "draw")),
)


def fingerprint() -> list[str]:
    """Return a line for each game: a hash of the encodings and legal actions on its way, one of its record and its
    events.
    """
    lines = []
    for seed, game in enumerate(GAMES * 3):
        moments = [*play(game, Random(seed), "!" if seed % 2 else "")]
        ways = [(after.encode(), after.legal(0), after.legal(1)) for _, _, after in moments]
        record = Record(game, ("Zoë", "上海"), tuple(step for _, step, _ in moments))
        text = [write(record), json.dumps([*events(record)])]
        lines.append(f"{game.NAME} {_hash(repr(ways))} {_hash(''.join(text))}")
    return lines


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    sys.stdout.write("\n".join(fingerprint()))
