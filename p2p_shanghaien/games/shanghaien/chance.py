"""Shanghaien's chance model."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from p2p_shanghaien.games.api import Drawn
from p2p_shanghaien.games.chance import ChanceEvent, ChanceModel, Deal, Die, Roll
from p2p_shanghaien.games.shanghaien.cards import deck, is_trick
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import Phase, State

SIDES: Final = 6


def _nationality(card: str) -> str:
    return card[0]


def _value(card: str) -> str:
    return card[0] if is_trick(card) else card[1]


class ShanghaienChance(ChanceModel[Shanghaien, State]):
    """Two six-sided dice, and a row of six cards each round; tricks are a nationality and a value of their own."""

    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {"nationality": _nationality, "value": _value}

    def deck(self, game: Shanghaien) -> tuple[str, ...]:
        return deck(game.tricks)

    def events(self, before: State, step: Drawn, after: State) -> Sequence[ChanceEvent]:
        if before.phase == Phase.ROW:
            return [Deal(after.row)]
        return [Roll(before.player, tuple(Die(SIDES, index + 1) for index in step.indices))]


CHANCE: Final = ShanghaienChance()
