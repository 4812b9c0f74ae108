"""An advisor on the decisions of a game: hints, and mistakes, computed in a thread by the game's evaluator."""

from collections.abc import Sequence
from functools import cache, partial

from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.errors import AppCode
from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.players import Option, evaluator, has_evaluator
from p2p_shanghaien.players.options import options
from p2p_shanghaien.players.tutoring import Mistake, look_ahead, mistake, outlook


class Advisor:
    """The advisor on games of that name, with an evaluator of its own. It answers one question after the other."""

    def __init__(self, game: str) -> None:
        self.game = game
        self._worker = Worker()
        self._evaluator = cache(partial(evaluator, game))

    async def options(self, state: State, player: int) -> Sequence[Option]:
        """Return the options of `player`, who decides in `state`; none if the game has no evaluator (`Advise`).

        May be cancelled. Raises LocalError.
        """
        if not has_evaluator(self.game):
            return ()
        return await self._worker.evaluate(lambda: options(state, player, self._evaluator()), AppCode.ADVICE_FAILED)

    async def mistake(self, state: State, player: int, action: Action, least: float) -> Mistake | None:
        """Return the mistake that `action` was, or None if it cost less than `least` in win probability.

        May be cancelled. Raises LocalError.
        """
        judged = partial(self._mistake, state, player, action, least)
        return await self._worker.evaluate(judged, AppCode.ADVICE_FAILED)

    def _mistake(self, state: State, player: int, action: Action, least: float) -> Mistake | None:
        value, ahead = self._evaluator(), outlook(self.game)
        found = mistake(state, player, action, options(state, player, value), least)
        if found is None or ahead is None:
            return found
        return found._replace(forecasts=look_ahead(found, value, ahead))
