"""The happenings that a step of Halunken brings about: a value for each thing that happens, in order.

Replay events, stories and animations are made of them. Spaces count from 1 to 14; a rogue or a player is None where
there is none.
"""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from p2p_shanghaien.games.halunken.rogues import Rogue

if TYPE_CHECKING:
    from p2p_shanghaien.games.halunken.rules import State


class FirstRogue(NamedTuple):
    """The captain of `player` was placed, and the den's top rogue began the crew."""

    hand: int
    player: int
    space: int
    rogue: Rogue


class DensFilled(NamedTuple):
    """The top rogue of every den was turned up; `left` counts the rogues in each."""

    hand: int
    tops: tuple[Rogue, ...]
    left: tuple[int, ...]


class RoundBegan(NamedTuple):
    """A round began in `state`."""

    state: "State"


class Hired(NamedTuple):
    """The auction is over: `player` hired Black Jack for `rogue`, or nobody did."""

    player: int | None
    rogue: Rogue | None


class Revealed(NamedTuple):
    """The secret choices were shown: the players' `cards`, and `jack`'s if he is hired."""

    cards: tuple[str, str]
    jack: str | None
    cancelled: bool


class Moved(NamedTuple):
    """A captain went `number` spaces, 0 for a cancelled card, and took `rogue`."""

    player: int
    number: int
    start: int
    end: int
    rogue: Rogue | None


class TurnedUp(NamedTuple):
    """The den shows its next rogue."""

    space: int
    rogue: Rogue


class Stolen(NamedTuple):
    """`thief` took `rogue` from `victim`, or (None) from beside the boat."""

    thief: int
    victim: int | None
    rogue: Rogue


class Displaced(NamedTuple):
    """The figure of a player, or (None) Black Jack, was put on the next free space."""

    captain: int | None
    start: int
    end: int


class CardDrawn(NamedTuple):
    """Black Jack's card was drawn, as nobody has hired him."""

    card: str


class BlackJackMoved(NamedTuple):
    """Black Jack's number is known: he ends on `end`, and meets the captains of the players `met`, in this order."""

    hirer: int | None
    card: str
    number: int
    start: int
    end: int
    met: tuple[int, ...]


class Lost(NamedTuple):
    """`player` lost `rogue` to Black Jack: it lies beside the boat."""

    player: int
    rogue: Rogue


class HandScored(NamedTuple):
    """A hand is over; `doubled` are the letters of the colours that were counted twice."""

    hand: int
    points: tuple[int, int]
    doubled: tuple[str | None, str | None]
    crews: tuple[tuple[Rogue, ...], tuple[Rogue, ...]]


Happening: TypeAlias = (
    FirstRogue
    | DensFilled
    | RoundBegan
    | Hired
    | Revealed
    | Moved
    | TurnedUp
    | Stolen
    | Displaced
    | CardDrawn
    | BlackJackMoved
    | Lost
    | HandScored
)
