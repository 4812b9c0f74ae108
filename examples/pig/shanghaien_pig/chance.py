"""Pig's one die, for tests of fairness."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from p2p_shanghaien.games.api import Drawn, Game
from p2p_shanghaien.games.api import State as AnyState
from p2p_shanghaien.games.chance import ChanceEvent, ChanceModel, Die, Roll
from shanghaien_pig.rules import SIDES, own


class OneDie(ChanceModel):
    """A die of six sides. There are no cards."""

    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {}

    def deck(self, game: Game) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def events(self, before: AnyState, step: Drawn, after: AnyState) -> Sequence[ChanceEvent]:  # noqa: ARG002
        return [Roll(own(before).player, (Die(SIDES, step.indices[0] + 1),))]


CHANCE: Final = OneDie()
