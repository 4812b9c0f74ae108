"""Shanghaien's dice and cards, as `games.lots` asks for them."""

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from p2p_shanghaien.games.api import Drawn, Game
from p2p_shanghaien.games.api import State as AnyState
from p2p_shanghaien.games.lots import Deal, Lots, Roll
from p2p_shanghaien.games.shanghaien.cards import deck, is_trick
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase, State


def _nationality(card: str) -> str:
    return card[0]


def _value(card: str) -> str:
    return card[0] if is_trick(card) else card[1]


class ShanghaienLots(Lots):
    """Two six-sided dice, and a row of six cards each round; tricks are a nationality, and a value, of their own."""

    sides: ClassVar[int] = 6
    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {"nationality": _nationality, "value": _value}

    def deck(self, game: Game) -> tuple[str, ...]:
        assert isinstance(game, Shanghaien)
        return deck(game.tricks)

    def lot(self, before: AnyState, step: Drawn, after: AnyState) -> Roll | Deal:
        assert isinstance(before, State)
        assert isinstance(after, State)
        if before.phase == Phase.ROW:
            return Deal(after.row)
        return Roll(before.player, tuple(index + 1 for index in step.indices))


LOTS: Final = ShanghaienLots()
