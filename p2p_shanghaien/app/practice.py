"""A game on the rules alone, without protocol or signed log, in which the local player can take decisions back.

A `Practice` is an immutable value: the course of a game up to a decision, or to its end. Each operation returns another
one, so a course that is kept can be continued at any time, in several ways:

    practice = begin(game, seeded("any text"), me=0)
    while practice.deciders:
        actions = ...  # for each player who decides; or None to take the last decision of the local player back
        if actions is None:
            practice = practice.undone() or practice
        else:
            practice = practice.decide(actions)

Draws come from a `Luck`, a function of the course so far, such as `seeded` makes: the same choices lead to the same
game, also after some have been taken back. `since` returns the steps for a screen, `record` the game as a text record
that says that it is none that was signed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

from p2p_shanghaien.errors import GameCode, Illegal
from p2p_shanghaien.games.api import (
    Acted,
    Action,
    Chance,
    Chosen,
    Drawn,
    Game,
    Simultaneous,
    State,
    Step,
    Transition,
    Turn,
    advance,
    deciders,
    has_decided,
)
from p2p_shanghaien.games.record import PRACTICE, Record

__all__ = ["Luck", "Practice", "begin", "seeded"]

Luck: TypeAlias = Callable[[Sequence[Step], Sequence[int]], Sequence[int]]
"""A function that returns the indices drawn after the given steps, one below each of the given bounds.

The same arguments always have the same result.
"""


class Practice(NamedTuple):
    """The course of a game up to a decision or to its end; draws have been made.

    `states` are the position at the start and after each of the `steps`; `me` is the local player, 0 if they start.
    """

    game: Game[Any]
    luck: Luck
    me: int
    steps: tuple[Step, ...]
    states: tuple[State, ...]

    @property
    def state(self) -> State:
        """The position."""
        return self.states[-1]

    @property
    def other(self) -> int:
        """The other player."""
        return 1 - self.me

    @property
    def deciders(self) -> tuple[int, ...]:
        """The players who decide now: one, both at once, or none at the end."""
        return deciders(self.state.node)

    def decide(self, actions: Mapping[int, Action]) -> "Practice":
        """Return the game after these actions of the players who decide, and the draws that follow. Raises Illegal."""
        match self.state.node:
            case Simultaneous():
                step: Step = Chosen((actions[0], actions[1]))
            case Turn(player):
                step = Acted(player, actions[player])
            case _:
                raise Illegal(GameCode.ILLEGAL_ACTION, action=" ".join(actions.values()))
        return self._after(step)._drawn()

    @property
    def can_undo(self) -> bool:
        """True if the local player has decided anything."""
        return self._last_decision is not None

    def undone(self) -> "Practice | None":
        """Return the game at the last decision of the local player, or None if they have not decided anything.

        As in an analysis, an action without an alternative is no decision.
        """
        last = self._last_decision
        return None if last is None else self._replace(steps=self.steps[:last], states=self.states[: last + 1])

    @property
    def _last_decision(self) -> int | None:
        """The number of steps before the last decision of the local player."""
        return next(
            (
                index
                for index in reversed(range(len(self.steps)))
                if has_decided(self.states[index], self.steps[index], self.me)
            ),
            None,
        )

    def since(self, count: int) -> Iterator[Transition]:
        """Yield the steps after the first `count`, each with the positions before and after it."""
        for index in range(count, len(self.steps)):
            yield Transition(self.states[index], self.steps[index], self.states[index + 1])

    def record(self, names: tuple[str, str]) -> Record:
        """Return the game as a record, marked as practice. `names` are player 0's and player 1's."""
        return Record(self.game, names, self.steps, tags=PRACTICE)

    def _after(self, step: Step) -> "Practice":
        return self._replace(steps=(*self.steps, step), states=(*self.states, advance(self.state, step)))

    def _drawn(self) -> "Practice":
        practice = self
        while isinstance(node := practice.state.node, Chance):
            practice = practice._after(Drawn(tuple(practice.luck(practice.steps, node.bounds))))
        return practice


def begin(game: Game[Any], luck: Luck, me: int = 0) -> Practice:
    """Return a game at its first decision. Raises Illegal if `luck` draws an index that there is not."""
    return Practice(game, luck, me, (), (game.start(),))._drawn()


def seeded(seed: str) -> Luck:
    """Return luck that follows from `seed`: equally likely indices, others after other steps."""

    def draw(steps: Sequence[Step], bounds: Sequence[int]) -> Sequence[int]:
        rng = Random(repr((seed, *steps)))  # noqa: S311 - nobody has to trust it
        return tuple(rng.randrange(bound) for bound in bounds)

    return draw
