"""Hints, and the only place that decides in which games there are any (protocol/THREATS.md, "Help").

At a table there are none unless its opener asks here.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from p2p_shanghaien.app.saved import computers_log
from p2p_shanghaien.app.worker import Worker
from p2p_shanghaien.errors import AppCode, LocalError, ShanghaienError
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import Action, Simultaneous, State
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import Advise, Evaluator, Option, evaluator, simultaneous
from p2p_shanghaien.store.home import Home


def hints(game: str) -> Advise:
    """Return hints for a game of that name: for one against the computer, or on record."""
    worker, value = Worker(), cache(partial(evaluator, game))

    def known(state: State, player: int) -> Sequence[Option]:
        found = value()
        return () if found is None else weighed(state, player, found)

    async def advise(state: State, player: int) -> Sequence[Option]:
        try:
            with GAMES.named_in_errors():
                return await worker.run(partial(known, state, player))
        except ShanghaienError:
            raise
        except Exception as error:
            raise LocalError(AppCode.ADVICE_FAILED, reason=repr(error)) from error

    return advise


def weighed(state: State, player: int, evaluator: Evaluator[Any]) -> Sequence[Option]:
    """Return the options of `player`, who decides in `state`, from their point of view."""
    shares: dict[Action, float] = {}
    if isinstance(state.node, Simultaneous):
        options = simultaneous.options(state, evaluator)[player]
        shares = {weight.action: weight.to_win for weight in simultaneous.mixture(state, player, evaluator)}
    else:
        options = evaluator.options(state)
    return [Option(action, value.seen_by(player), shares.get(action)) for action, value, _ in options]


def hints_on(
    report: Report | None, game: str, home: Home, unknown: Callable[[LocalError], object] = lambda _: None
) -> Advise | None:
    """Return hints for a game of that name on file; `report` is what its log proves, `home` where logs are kept.

    None for one between two people that can go on: whoever looks on may be one of them. Where that cannot be known,
    `unknown` is told why.
    """
    session = report.session if report else None
    # a damaged log may be of an unfinished game
    may_go_on = report is not None and report.verdict in (Verdict.INCOMPLETE, Verdict.INVALID_FILE)
    if may_go_on and session is not None:
        try:
            if computers_log(home, session) is None:
                return None
        except LocalError as error:
            unknown(error)
            return None
    return hints(game)
