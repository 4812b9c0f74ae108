"""The outlook of a round: which rogues join a crew, and which leave it."""

from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.halunken.rules import State
from p2p_shanghaien.games.outlook import Outlook, Prospect


class RoundOutlook(Outlook[State]):
    """The outlook of Halunken & Spelunken."""

    def is_over(self, since: State, state: State) -> bool:
        return (state.hand, state.round) != (since.hand, since.round)

    def outcome(self, since: State, last: State, end: State, player: int) -> Iterator[Prospect]:  # noqa: ARG002
        if end.hand != since.hand:
            return  # the crews are gone
        for code, who in (("own", player), ("other", 1 - player)):
            before, after = set(since.crews[who]), set(end.crews[who])
            yield from (Prospect(code, rogue) for rogue in sorted(after - before))
            if who == player:
                yield from (Prospect("lost", rogue) for rogue in sorted(before - after))


OUTLOOK: Final = RoundOutlook()
