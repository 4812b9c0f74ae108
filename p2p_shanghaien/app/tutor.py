"""The tutor, which says after a decision of the person that cost too much what was better, and why.

At a signed game it only speaks; in practice it offers to take the decision back.
"""

from collections.abc import Callable
from typing import Final

from p2p_shanghaien.app.advisor import Advisor
from p2p_shanghaien.app.participants.human import LocalPerson
from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.errors import AppCode, LocalError, UsageError
from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.players import has_evaluator
from p2p_shanghaien.players.tutoring import Mistake
from p2p_shanghaien.waiting import if_long

PATIENCE: Final = 2.0
"""Seconds after which the person is told why nothing happens; they need not know of a tutor without an objection."""


class Tutor:
    """The tutor who asks `advisor`; `least` returns the loss of win probability from which on it speaks.

    Raises UsageError if the game has no evaluator.
    """

    def __init__(self, advisor: Advisor, least: Callable[[], float]) -> None:
        if not has_evaluator(advisor.game):
            raise UsageError(AppCode.NO_TUTOR, game=advisor.game)
        self._advisor = advisor
        self._least = least

    async def mistake(self, state: State, player: int, action: Action) -> Mistake | None:
        """Return the mistake that `action` was, or None. May be cancelled. Raises LocalError."""
        if len(state.legal(player)) < 2:
            return None
        return await self._advisor.mistake(state, player, action, self._least())


class TutoredPerson(LocalPerson):
    """A person at `table` whose decisions the tutor watches; `takes_back` if they can be made anew."""

    def __init__(self, table: UserInterface, tutor: Tutor, *, takes_back: bool) -> None:
        super().__init__(table)
        self._tutor = tutor
        self._takes_back = takes_back

    async def decide(self, state: State, player: int) -> str:
        while True:
            action = await super().decide(state, player)
            try:
                with if_long(lambda: self._table.notify("tutor_awaited"), PATIENCE):
                    found = await self._tutor.mistake(state, player, action)
            except LocalError as error:
                # the tutor's errors cost nobody a game
                self._table.notify("tutor_failed", reason=error)
                return action
            if found is None or not await self._table.tutored(found, takes_back=self._takes_back):
                return action
