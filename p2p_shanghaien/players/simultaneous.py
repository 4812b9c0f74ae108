"""Simultaneous choices: the value of each before the other player's is known.

The other player is assumed to choose by the mixed strategy of the evaluator (`Evaluator.mixture`), or else to take each
action with the same probability.
"""

from collections.abc import Sequence
from math import fsum

from p2p_shanghaien.games.api import Action, S
from p2p_shanghaien.players import Evaluator, Option, PositionValue, Weight

__all__ = ["mixture", "options"]


def mixture(state: S, player: int, evaluator: Evaluator[S]) -> tuple[Weight, ...]:
    """Return the best mixed strategy of `player`, with every legal action, or nothing if the evaluator has none."""
    found = evaluator.mixture(state, player)
    if not found:
        return ()
    known = {weight.action: weight for weight in found}
    return tuple(known.get(action, Weight(action, 0.0, 0.0)) for action in state.legal(player))


def options(state: S, evaluator: Evaluator[S]) -> tuple[tuple[Option, ...], tuple[Option, ...]]:
    """Return the choices of player 0 and those of player 1, each with its mean value over the other's choices."""
    rows, columns = (mixture(state, player, evaluator) or _uniform(state.legal(player)) for player in (0, 1))
    values = evaluator.payoffs(state)
    return (
        tuple(Option(row.action, _mean(of_row, columns)) for row, of_row in zip(rows, values, strict=True)),
        tuple(
            Option(column.action, _mean(of_column, rows))
            for column, of_column in zip(columns, zip(*values, strict=True), strict=True)
        ),
    )


def _uniform(actions: Sequence[Action]) -> tuple[Weight, ...]:
    share = 1 / len(actions)
    return tuple(Weight(action, share, share) for action in actions)


def _mean(values: Sequence[PositionValue], weights: Sequence[Weight]) -> PositionValue:
    pairs = list(zip(values, weights, strict=True))
    return PositionValue(
        fsum(value.chance * weight.to_win for value, weight in pairs),
        fsum(value.points * weight.for_points for value, weight in pairs),
    )
