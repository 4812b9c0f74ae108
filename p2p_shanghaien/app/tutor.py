"""The tutor, which says after a decision of the person that cost too much what was better, and why.

It works in a thread, as hints do. At a signed game it only speaks; in practice it offers to take the decision back.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Final

from p2p_shanghaien.app.hints import weighed
from p2p_shanghaien.app.participants.human import LocalPerson
from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.errors import AppCode, LocalError, ShanghaienError, UsageError
from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import evaluator
from p2p_shanghaien.players.tutoring import Mistake, look_ahead, mistake, outlook
from p2p_shanghaien.waiting import if_long

PATIENCE: Final = 2.0
"""Seconds after which the person is told why nothing happens; they need not know of a tutor without an objection."""


class Tutor:
    """The tutor for the game of that name; `least` returns the loss of win probability from which on it speaks.

    Raises UsageError if the game has no evaluator.
    """

    def __init__(self, game: str, least: Callable[[], float]) -> None:
        if GAMES[game].evaluator is None:
            raise UsageError(AppCode.NO_TUTOR, game=game)
        self._game = game
        self._least = least
        self._worker = Worker()
        self._evaluator = cache(partial(evaluator, game))

    async def mistake(self, state: State, player: int, action: Action) -> Mistake | None:
        """Return the mistake that `action` was, or None. May be cancelled. Raises LocalError."""
        if len(state.legal(player)) < 2:
            return None
        try:
            with GAMES.named_in_errors():
                return await self._worker.run(partial(self._judged, state, player, action))
        except ShanghaienError:
            raise
        except Exception as error:
            raise LocalError(AppCode.ADVICE_FAILED, reason=repr(error)) from error

    def _judged(self, state: State, player: int, action: Action) -> Mistake | None:
        value, ahead = self._evaluator(), outlook(self._game)
        assert value is not None, "the constructor looks for it"
        found = mistake(state, player, action, weighed(state, player, value), self._least())
        if found is None or ahead is None:
            return found
        return found._replace(forecasts=look_ahead(found, value, ahead))


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
