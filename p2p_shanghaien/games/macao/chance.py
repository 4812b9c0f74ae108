"""The chance model of Shadows of Macao."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from p2p_shanghaien.games.api import Drawn
from p2p_shanghaien.games.chance import ChanceEvent, ChanceModel, Deal
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.rules import OFFERED, Phase, State


def _kind(card: str) -> str:
    return card.partition("-")[0]


def _resource(card: str) -> str:
    """Return the letter of the blue side, which is in the id of each card but the widow."""
    return card.partition("-")[2][:1] or card


class MacaoChance(ChanceModel[Macao, State]):
    """The cards of the piles: first the four top cards, then those that come up one by one.

    A discarded card that comes up again is not drawn. The four tiles of a game are too few to test.
    """

    groupings: ClassVar[Mapping[str, Callable[[str], str]]] = {"kind": _kind, "resource": _resource}

    def deck(self, game: Macao) -> tuple[str, ...]:
        return game.cards.face_down

    def events(self, before: State, step: Drawn, after: State) -> Sequence[ChanceEvent]:  # noqa: ARG002
        unseen = list(before.unseen)
        is_first = before.phase == Phase.SET_UP
        cards = tuple(map(unseen.pop, step.indices[OFFERED if is_first else 0 :]))
        return [Deal(cards, continued=not is_first)]


CHANCE: Final = MacaoChance()
