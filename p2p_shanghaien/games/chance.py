"""The chance model of a game: its random draws as rolls of dice and as cards dealt from a deck.

The protocol knows only bounded draws. A test of whether dice and cards are fair must know which draw is which.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from p2p_shanghaien.games.api import Drawn, Game, S_contra

__all__ = ["ChanceEvent", "ChanceModel", "Deal", "Die", "Roll"]


class Die(NamedTuple):
    """A die that was thrown: it has `sides` faces, each as likely as any other, and shows `face`, counted from 1."""

    sides: int
    face: int


class Roll(NamedTuple):
    """Dice thrown together, of any number and kinds, in the order drawn; `player` is None for nobody's roll."""

    player: int | None
    dice: tuple[Die, ...]


class Deal(NamedTuple):
    """Cards dealt together, in the order drawn, named as in `ChanceModel.deck`."""

    cards: tuple[str, ...]
    deck: int = 0
    """The number of the deck, from 0: a game may deal from several, each shuffled by itself."""
    continued: bool = False
    """True if they belong to the deal before, as cards do that come up one by one."""


ChanceEvent: TypeAlias = Roll | Deal


G_contra = TypeVar("G_contra", bound=Game[Any], contravariant=True)
"""The class of a game."""


class ChanceModel(Protocol[G_contra, S_contra]):
    """The dice and cards of one game, by its class and the type of its positions."""

    @property
    def groupings(self) -> Mapping[str, Callable[[str], str]]:
        """Groupings of the cards, by name: each maps a card to its kind."""
        ...

    def deck(self, game: G_contra) -> tuple[str, ...]:
        """Return every card of a deck, whether a game deals them all or not; each order is equally likely."""
        ...

    def events(self, before: S_contra, step: Drawn, after: S_contra) -> Sequence[ChanceEvent]:
        """Return the rolls and deals of a draw, in order; none for a draw that is neither."""
        ...
