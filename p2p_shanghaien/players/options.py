"""The options of a player who decides, alone or at the same time as the other one, and which of them is best."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from p2p_shanghaien.games.api import Action, Simultaneous, State
from p2p_shanghaien.players import Evaluator, Option, simultaneous

__all__ = ["GAME", "POINT", "options", "ranked"]

GAME: Final = 1_000_000
"""A whole game, in the units in which win probabilities are counted, and options told apart."""
POINT: Final = 1_000
"""A point, in the units in which margins are."""


def options(state: State, player: int, evaluator: Evaluator[Any]) -> Sequence[Option]:
    """Return the options of `player`, who decides in `state`, from their point of view, in the order of `legal`."""
    shares: dict[Action, float] = {}
    if isinstance(state.node, Simultaneous):
        found = simultaneous.options(state, evaluator)[player]
        shares = {weight.action: weight.to_win for weight in simultaneous.mixture(state, player, evaluator)}
    else:
        found = evaluator.options(state)
    return [Option(action, value.to_player(player), shares.get(action)) for action, value, _ in found]


def ranked(found: Iterable[Option]) -> Sequence[Option]:
    """Return options, from the point of view of whoever decides, the best first; of equals, the one given first.

    Of those with the same win probability, in the last digit that is counted, the one with the better margin is better.
    """
    found = tuple(found)
    best = max((option.value.chance for option in found), default=0.0)
    most = max((option.value.points for option in found), default=0.0)

    def behind(option: Option) -> tuple[int, int]:
        return round((best - option.value.chance) * GAME), round((most - option.value.points) * POINT)

    return sorted(found, key=behind)
