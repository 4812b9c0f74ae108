"""The outlook of a round: who takes which card of the tavern row."""

from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.outlook import Outlook, Prospect
from p2p_shanghaien.games.shanghaien.rules import State
from p2p_shanghaien.games.shanghaien.scoring import contests


class RoundOutlook(Outlook[State]):
    """The outlook of Shanghaien."""

    def is_over(self, since: State, state: State) -> bool:
        return state.round != since.round

    def outcome(self, since: State, last: State, end: State, player: int) -> Iterator[Prospect]:  # noqa: ARG002
        taken = {
            (card, contest.taker == player)
            for card, contest in zip(last.numbered_row(), contests(last.placed), strict=True)
            if contest.taker is not None
        }
        for card, is_own in sorted(taken):
            yield Prospect("own" if is_own else "other", card)


OUTLOOK: Final = RoundOutlook()
