"""The happenings that a step of Shadows of Macao brings about: a value for each thing that happens, in order.

Replay events and stories are made of them. Piles count from 1 to 4; cards and tiles are their ids.
"""

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from p2p_shanghaien.games.macao.rules import State

LIMIT: Final = "limit"
KILLED: Final = "killer"
PAID: Final = "paid"


class RoundBegan(NamedTuple):
    """A round began in `state`."""

    state: "State"


class Taken(NamedTuple):
    """`player` took the top card of a pile."""

    player: int
    pile: int
    card: str


class TurnedUp(NamedTuple):
    """The card is now the top of the pile."""

    pile: int
    card: str


class Recruited(NamedTuple):
    """`player` turned the card to its red side; the blue cards `paid` for it, of which `died` are widows."""

    player: int
    card: str
    paid: tuple[str, ...]
    died: int


class Opened(NamedTuple):
    """`player` opened the tile; the blue cards `paid` for it, of which `died` are widows."""

    player: int
    tile: str
    paid: tuple[str, ...]
    died: int


class Reserved(NamedTuple):
    """`player` reserved the tile."""

    player: int
    tile: str


class Discarded(NamedTuple):
    """Blue cards of `player` went under the pile: beyond the limit, chosen for a killer, or paid."""

    player: int
    cards: tuple[str, ...]
    pile: int
    why: str


Happening: TypeAlias = RoundBegan | Taken | TurnedUp | Recruited | Opened | Reserved | Discarded
