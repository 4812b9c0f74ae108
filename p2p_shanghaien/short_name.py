"""Short names of saved games: `2026-11-28 Anna–Ben 078865ab`."""

from datetime import date
from typing import NamedTuple


class ShortName(NamedTuple):
    """A saved game's name for people: the day on which it began, its two players, and what to type.

    `players` are host and guest; nobody where the log does not say who plays. `digits` are the first hexadecimal digits
    of the session id, enough to name the game among those saved here.
    """

    day: date
    players: tuple[str, ...]
    digits: str


class ShortNames(tuple[ShortName, ...]):
    """Names that are listed in a sentence, the latest game first."""

    __slots__ = ()
