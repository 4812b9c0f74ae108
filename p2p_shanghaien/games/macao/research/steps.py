"""Shadows of Macao with payments that are made card by card.

There are far too many payments to number all of them. So an action that is paid with blue cards is taken in steps:
first `recruit:CARD` or `open:TILE`, then `pay:CARD` for each card of the payment, in file order. It happens with the
last one; until then nothing has changed, and only cards can be paid that lead to a legal payment.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.errors import GameCode, Illegal
from p2p_shanghaien.games.api import Action, Node, Turn, Value
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.rules import State

PAY: Final = "pay:"


class Stepwise(NamedTuple):
    """A position, and the action that is begun: with the cards paid so far, or empty."""

    position: State
    begun: Action = ""

    @property
    def node(self) -> Node:
        return self.position.node

    def legal(self, player: int) -> tuple[Action, ...]:
        legal = self.position.legal(player)
        if not self.begun:
            return tuple(dict.fromkeys(action.partition("=")[0] for action in legal))
        paid = f"{self.begun}{'+' if '=' in self.begun else '='}"
        following = (action[len(paid) :].partition("+")[0] for action in legal if action.startswith(paid))
        return tuple(f"{PAY}{card}" for card in dict.fromkeys(following))

    def apply(self, action: Action) -> "Stepwise":
        node = self.node
        if not isinstance(node, Turn) or action not in self.legal(node.player):
            raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        if self.begun:
            action = f"{self.begun}{'+' if '=' in self.begun else '='}{action.removeprefix(PAY)}"
        # no payment begins another: a card of the longer one could be left out
        if action in self.position.legal(node.player):
            return Stepwise(self.position.apply(action))
        return self._replace(begun=action)

    def apply_joint(self, actions: tuple[Action, Action]) -> "Stepwise":
        return Stepwise(self.position.apply_joint(actions))

    def apply_chance(self, indices: Sequence[int]) -> "Stepwise":
        return Stepwise(self.position.apply_chance(indices))

    def encode(self) -> Value:
        """Return the position of SPEC, and what is begun."""
        return self.position.encode(), self.begun


class MacaoInSteps:
    """The game with the reconstructed cards, paid card by card."""

    def start(self) -> Stepwise:
        """Return the position before anything is drawn."""
        return Stepwise(Macao().start())
