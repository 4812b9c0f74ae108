"""Hints, and in which games there are any: that is decided here, and nowhere else (protocol/THREATS.md, "Help").

At a table there are none unless whoever opens it asks here.
"""

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

from p2p_shanghaien.cli.computer import computers_log
from p2p_shanghaien.cli.output import warn
from p2p_shanghaien.cli.thinking import Mind
from p2p_shanghaien.errors import LocalError, ShanghaienError
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import Action, Simultaneous, State
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import Option, simultaneous, valuation
from p2p_shanghaien.ui.advice import Advise


def hints(game: str) -> Advise:
    """Hints for a game of that name: for one against the computer, or on record."""
    mind, worth = Mind(), cache(partial(valuation, game))

    def weighed(state: State, player: int) -> Sequence[Option]:
        found = worth()
        if found is None:
            return ()
        shares: dict[Action, float] = {}
        if isinstance(state.waits, Simultaneous):
            options = simultaneous.options(state, found)[player]
            shares = {weight.action: weight.to_win for weight in simultaneous.mixture(state, player, found)}
        else:
            options = found.options(state)
        return [Option(action, outlook.seen_by(player), shares.get(action)) for action, outlook, _ in options]

    async def advise(state: State, player: int) -> Sequence[Option]:
        try:
            with GAMES.named_in_errors():
                return await mind.think(partial(weighed, state, player))
        except ShanghaienError:
            raise
        except Exception as error:
            raise LocalError("advice_failed", reason=repr(error)) from error

    return advise


def hints_on(report: Report | None, game: str, games: Path) -> Advise | None:
    """Hints for a game of that name on file; `report` is what its log proves, `games` where logs are kept.

    None for one between two people that can go on: whoever looks on may be one of them.
    """
    if report is not None and report.verdict in (Verdict.INCOMPLETE, Verdict.INVALID_FILE):
        assert report.session is not None
        try:
            # a damaged log may be of a game that goes on
            if computers_log(games, report.session) is None:
                return None
        except LocalError as error:
            warn(error)
            return None
    return hints(game)
