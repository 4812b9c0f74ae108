"""Hints for a game on file, where there are any."""

from p2p_shanghaien.app import hints
from p2p_shanghaien.cli.output import warn
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.verify import Report
from p2p_shanghaien.players import Advise
from p2p_shanghaien.store.home import Home


def hints_on(report: Report | None, game: str, home: Home) -> Advise | None:
    """Return hints as `app.hints.hints_on`; None, and a warning, where it is not known whether there may be any."""
    try:
        return hints.hints_on(report, game, home)
    except LocalError as error:
        warn(error)
        return None
