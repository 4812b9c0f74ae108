"""The rules of Pig: what is legal in a position, and what follows from it.

In a turn a player rolls one die, again and again, until it shows a 1, which loses the points of the turn, or the player
holds, which banks them. Whoever first has `goal` points wins.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from p2p_shanghaien.errors import GameCode, Illegal
from p2p_shanghaien.games.api import Action, Chance, Node, Terminal, Turn, Value

ROLL: Final = "roll"
HOLD: Final = "hold"

SIDES: Final = 6
BUST: Final = 1
"""The face that loses the turn."""


class State(NamedTuple):
    """A position. A plain tuple: equality, hashing and the encoding come from it."""

    goal: int
    scores: tuple[int, int] = (0, 0)
    player: int = 0
    """The player whose turn it is."""
    total: int = 0
    """The points of this turn, which are not banked yet."""
    die: int = 0
    """The latest roll, 0 while the die is in a player's hand."""
    rolling: bool = False
    """True while the die is to be drawn."""

    @property
    def node(self) -> Node:
        if self.rolling:
            return Chance((SIDES,))
        if max(self.scores) >= self.goal:
            return Terminal(self.scores, winner=int(self.scores[1] >= self.goal))
        return Turn(self.player)

    @property
    def reach(self) -> int:
        """The player's score if the turn's points are banked."""
        return self.scores[self.player] + self.total

    def legal(self, player: int) -> tuple[Action, ...]:
        if self.node != Turn(player):
            return ()
        if self.reach >= self.goal:
            return (HOLD,)
        return (ROLL, HOLD) if self.total else (ROLL,)

    def apply(self, action: Action) -> "State":
        if action not in self.legal(self.player):
            raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
        if action == ROLL:
            return self._replace(die=0, rolling=True)
        scores = (self.reach, self.scores[1]) if self.player == 0 else (self.scores[0], self.reach)
        return State(self.goal, scores, 1 - self.player)

    def apply_joint(self, actions: tuple[Action, Action]) -> "State":  # noqa: ARG002 - no choice of Pig is simultaneous
        raise Illegal(GameCode.NOT_SIMULTANEOUS)

    def apply_chance(self, indices: Sequence[int]) -> "State":
        if not self.rolling:
            raise Illegal(GameCode.NO_DRAW_HERE)
        if len(indices) != 1 or not 0 <= indices[0] < SIDES:
            raise Illegal(GameCode.DRAW_OUT_OF_BOUNDS, indices=tuple(indices), bounds=(SIDES,))
        die = indices[0] + 1
        if die == BUST:
            return State(self.goal, self.scores, 1 - self.player, die=die)
        return self._replace(total=self.total + die, die=die, rolling=False)

    def encode(self) -> Value:
        return tuple(self)
