"""Hints, and the only place that decides in which games there are any (protocol/THREATS.md, "Help").

At a table there are none unless its opener asks here.
"""

from collections.abc import Callable

from p2p_shanghaien.app.advisor import Advisor
from p2p_shanghaien.app.saved import computers_log
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.players import Advise
from p2p_shanghaien.store.home import Home


def hints(game: str) -> Advise:
    """Return hints for a game of that name: for one against the computer, or on record."""
    return Advisor(game).options


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
