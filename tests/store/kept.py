"""Games on disk, as the program keeps them, without playing over a network."""

import random
from pathlib import Path

from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.transcript import read
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import GameLog, Sidecar
from p2p_shanghaien.store.paths import log_path
from tests.pair import Pair, make_pair

OWN, OTHER = Identity(b"\x01" * 32), Identity(b"\x02" * 32)
"""The keys of the guest, whose games are kept, and of the host."""
ADDRESS = "192.0.2.7"


def begun(entries: int = 20, seed: int = 1) -> Pair:
    """Return a game between OTHER and OWN, of at least so many entries."""
    rng = random.Random(seed)
    pair = make_pair(rng, identities=(OTHER, OWN))
    pair.play(rng, until=lambda pair: pair.sides[1].endpoint.match.number >= entries)
    return pair


def keep(games: Path, pair: Pair, seat: int = 1) -> Path:
    """Return the log of the game as the program that plays `seat` keeps it under `games`; not open."""
    side = pair.sides[seat]
    path = log_path(games, side.endpoint.match.session.id, seat)
    entries = read(side.log).entries
    size = sum(4 + len(entry) for entry in entries)
    log = GameLog.start(path, side.log[: len(side.log) - size], Sidecar(side.secret, "identity", ADDRESS))
    for entry in entries:
        log.append(entry)
    log.close()
    return path


def home_of_guest(root: Path) -> Home:
    """Return a home with the key of the guest."""
    home = Home(root)
    home.adopt(OWN, in_place=False)
    return home
