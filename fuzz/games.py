"""The games that targets and seeds start from: played once, always the same."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.match import Match, begin
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.pair import make_pair
from tests.toy import Toy

SECRET = bytes(range(32))
KEYS = (Identity(b"\x01" * 32), Identity(b"\x02" * 32))


class Played(NamedTuple):
    """A whole game: its entries, the match before each of them and after the last, and its log."""

    entries: tuple[Entry, ...]
    matches: tuple[Match, ...]
    handshake: bytes
    log: bytes

    @property
    def name(self) -> str:
        """The session id, by which files are named."""
        return self.matches[0].session.id.hex()


class Place(NamedTuple):
    """The state of a game with `at` entries."""

    game: Played
    at: int

    @property
    def match(self) -> Match:
        return self.game.matches[self.at]


def _play(game: Game[Any], seed: int, resigns: int | None = None) -> Played:
    rng = random.Random(seed)
    pair = make_pair(rng, game, identities=KEYS, secrets=(SECRET, SECRET))
    if resigns is not None:
        pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 20)
        pair.resign(resigns)
    pair.play(rng)
    entries = pair.sides[0].endpoint.entries
    matches = [begin(pair.sides[0].endpoint.match.session)]
    for entry in entries:
        matches.append(matches[-1].append(entry))
    return Played(tuple(entries), tuple(matches), pair.established[0].hellos.handshake, pair.sides[0].log)


@cache
def small() -> tuple[Played, ...]:
    """Games of a few dozen entries, with secret choices, draws after draws, and resignations."""
    toys = [_play(Toy(1, opening=opening), 1) for opening in ("bid", "draw", "turn")]
    return (*toys, _play(Toy(3), 2, resigns=0), _play(Toy(3), 3, resigns=1))


@cache
def whole() -> tuple[Played, ...]:
    """Games of Shanghaien."""
    wild = Shanghaien.from_settings({"variant": "extra-wild", "tricks": "p3 b3 r2"})
    return _play(Shanghaien(), 1), _play(wild, 2), _play(Shanghaien(), 3, resigns=1)


@cache
def places(*, with_whole: bool = True) -> tuple[Place, ...]:
    """Return every place of all these games."""
    return tuple(_places(small() + (whole() if with_whole else ())))


def _places(games: tuple[Played, ...]) -> Iterator[Place]:
    for game in games:
        for at in range(len(game.matches)):
            yield Place(game, at)
