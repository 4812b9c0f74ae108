"""What the evaluator of a game says of decisions, computed in a thread: hints, and mistakes."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TypeVar

from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.errors import AppCode, LocalError, ShanghaienError
from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import Option, evaluator, has_evaluator
from p2p_shanghaien.players.options import options
from p2p_shanghaien.players.tutoring import Mistake, look_ahead, mistake, outlook

_T = TypeVar("_T")


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
        return await self._run(lambda: options(state, player, self._evaluator()))

    async def mistake(self, state: State, player: int, action: Action, least: float) -> Mistake | None:
        """Return the mistake that `action` was, or None if it cost less than `least` in win probability.

        May be cancelled. Raises LocalError.
        """
        return await self._run(partial(self._mistake, state, player, action, least))

    def _mistake(self, state: State, player: int, action: Action, least: float) -> Mistake | None:
        value, ahead = self._evaluator(), outlook(self.game)
        found = mistake(state, player, action, options(state, player, value), least)
        if found is None or ahead is None:
            return found
        return found._replace(forecasts=look_ahead(found, value, ahead))

    async def _run(self, function: Callable[[], _T]) -> _T:
        try:
            with GAMES.named_in_errors():
                return await self._worker.run(function)
        except ShanghaienError:
            raise
        except Exception as error:
            raise LocalError(AppCode.ADVICE_FAILED, reason=repr(error)) from error
