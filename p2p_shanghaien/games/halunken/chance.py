"""Halunken's chance model."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from p2p_shanghaien.games.api import Drawn
from p2p_shanghaien.games.chance import ChanceEvent, ChanceModel, Deal, Die, Roll
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rogues import COLOURS, DECK, VALUE, Rogue
from p2p_shanghaien.games.halunken.rules import NUMBERS, SPACES, Phase, State

SETUP: Final = 2 + SPACES
"""The rogues of a hand's setup: two first ones, and the top rogue of each den."""


def _colour(rogue: Rogue) -> str:
    return rogue[0]


def _value(rogue: Rogue) -> str:
    return rogue[1:]


class HalunkenChance(ChanceModel[Halunken, State]):
    """The rogues of a hand, and a die of seven sides: the number of Black Jack's rum.

    Each hand shuffles all rogues. It deals those of its setup, and then those that come up one by one. Black Jack's
    card is neither: it is drawn from the cards that his hirers have left.
    """

    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {"colour": _colour, "value": _value}

    def deck(self, game: Halunken) -> tuple[str, ...]:  # noqa: ARG002
        return tuple(sorted(DECK, key=lambda rogue: (VALUE[rogue], COLOURS.index(rogue[0]))))

    def events(self, before: State, step: Drawn, after: State) -> Sequence[ChanceEvent]:  # noqa: ARG002
        if before.phase == Phase.JACK_CARD:
            return []
        if before.phase == Phase.JACK_NUMBER:
            return [Roll(None, (Die(NUMBERS, step.indices[0] + 1),))]
        pile = list(before.pile)
        seen = len(DECK) - len(pile)
        return [Deal(tuple(map(pile.pop, step.indices)), before.hand - 1, continued=seen not in (0, SETUP))]


CHANCE: Final = HalunkenChance()
