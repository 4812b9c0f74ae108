"""What a roll was worth by a fixed and quick valuation: what tournaments take out of their results as luck."""

from typing import Final

from p2p_shanghaien.games.api import State as AnyState
from p2p_shanghaien.games.api import Step
from p2p_shanghaien.games.shanghaien.rules import Phase, State
from p2p_shanghaien.players.shanghaien.estimate import chance_of_winning, of_roll, of_rolls, placings

KEPT: Final = 0.4
"""How much of what a roll gains is still there at the end of the game, in the mean: the opponent rolls as well."""


def luck(before: AnyState, step: Step, after: AnyState) -> tuple[float, float]:  # noqa: ARG001
    """Player 0's luck in a step, in points and as a chance of winning.

    A roll counts for what the better of its dice makes of the lead, whatever is then done with it, less the mean of
    that over the 36 rolls: luck is zero in the mean exactly. Rows of cards are not valued, and have none.
    """
    assert isinstance(before, State)
    assert isinstance(after, State)
    if before.phase not in (Phase.DICE, Phase.REROLL):
        return 0.0, 0.0
    player = before.player
    points = placings(before, player)
    chances = [chance_of_winning(value, len(before.pile)) for value in points]
    return _surprise(points, player, after.dice), _surprise(chances, player, after.dice)


def _surprise(values: list[float], player: int, dice: tuple[int, ...]) -> float:
    return KEPT * (of_roll(values, player, dice) - of_rolls(values, player))
