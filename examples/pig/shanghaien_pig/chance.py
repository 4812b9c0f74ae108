"""Pig's one die, for tests of fairness."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from p2p_shanghaien.games.api import Drawn
from p2p_shanghaien.games.chance import ChanceEvent, ChanceModel, Die, Roll
from shanghaien_pig.game import Pig
from shanghaien_pig.rules import SIDES, State


class OneDie(ChanceModel[Pig, State]):
    """A die of six sides. There are no cards."""

    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {}

    def deck(self, game: Pig) -> tuple[str, ...]:  # noqa: ARG002
        return ()

    def events(self, before: State, step: Drawn, after: State) -> Sequence[ChanceEvent]:  # noqa: ARG002
        return [Roll(before.player, (Die(SIDES, step.indices[0] + 1),))]


CHANCE: Final = OneDie()
