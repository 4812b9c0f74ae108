"""Pig's one die, for tests of fairness."""

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from p2p_shanghaien.games.api import Drawn, Game
from p2p_shanghaien.games.api import State as AnyState
from p2p_shanghaien.games.lots import Lots, Roll
from shanghaien_pig.rules import SIDES, own


class Die(Lots):
    """A die of six sides. There are no cards."""

    sides: ClassVar[int] = SIDES
    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {}

    def deck(self, game: Game) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def lot(self, before: AnyState, step: Drawn, after: AnyState) -> Roll:  # noqa: ARG002
        return Roll(own(before).player, (step.indices[0] + 1,))


DIE: Final = Die()
