"""The outlook of a round and the next one: who recruits and opens what."""

from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.macao.rules import State
from p2p_shanghaien.games.outlook import Outlook, Prospect


class TwoRounds(Outlook[State]):
    """The outlook of Shadows of Macao: in one round a player takes a single turn, which says little."""

    def is_over(self, since: State, state: State) -> bool:
        return state.round > since.round + 1

    def outcome(self, since: State, last: State, end: State, player: int) -> Iterator[Prospect]:  # noqa: ARG002
        for suffix, who in (("own", player), ("other", 1 - player)):
            before, after = since.sides[who], end.sides[who]
            yield from (Prospect(f"recruited_{suffix}", card) for card in _new(before.red, after.red))
            yield from (Prospect(f"opened_{suffix}", tile) for tile in _new(before.opened, after.opened))
            if after.dead > before.dead:
                yield Prospect(f"widow_{suffix}")


def _new(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[str]:
    """Yield what there is more of, each once."""
    return (each for each in dict.fromkeys(after) if after.count(each) > before.count(each))


OUTLOOK: Final = TwoRounds()
