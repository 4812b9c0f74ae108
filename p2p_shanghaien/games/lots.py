"""What chance gives in a game, as people see it: rolls of dice, and cards dealt from one pile.

The protocol knows bounded draws only. Whoever asks whether dice and cards are fair has to know which draw is which.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from p2p_shanghaien.games.api import Drawn, Game, State


class Roll(NamedTuple):
    """Dice that `player` threw together; `faces` count from 1, in the order in which they were drawn."""

    player: int
    faces: tuple[int, ...]


class Deal(NamedTuple):
    """Cards dealt together, as `Lots.deck` calls them."""

    cards: tuple[str, ...]


class Lots(Protocol):
    """One game's dice and cards."""

    @property
    def sides(self) -> int:
        """How many faces each die has; every one is as likely as any other."""
        ...

    @property
    def groupings(self) -> Mapping[str, Callable[[str], str]]:
        """Ways to tell cards apart, by name: what a card counts as."""
        ...

    def deck(self, game: Game) -> tuple[str, ...]:
        """Every card that is dealt from the pile in a whole game: each order of them is as likely as any other."""
        ...

    def lot(self, before: State, step: Drawn, after: State) -> Roll | Deal:
        """What a draw gave."""
        ...
