"""Events of a game in, what both kinds of table show of them out."""

from typing import Any, NamedTuple

from p2p_shanghaien.games.api import Acted, Chosen, State, Step, Terminal
from p2p_shanghaien.ui.view import Seating, Table, outcome


class StepView(NamedTuple):
    """A step as it is shown."""

    news: str
    """What it did, in sentences; empty where nothing can be told yet."""
    calls: bool
    """Whether whoever sits here is to be called when it is their turn: somebody else has had theirs."""
    result: str
    """How the game came out that it ended, if it ended one."""


def step_view(table: Table[Any], seating: Seating, before: State, step: Step, after: State) -> StepView:
    """Return what is shown of the step that led from one position to the next."""
    return StepView(
        news=" ".join(map(str, table.news(before, step, after, seating))),
        calls=isinstance(step, Chosen) or (isinstance(step, Acted) and step.player != seating.me),
        result=str(outcome(after.node, seating)) if isinstance(after.node, Terminal) else "",
    )
