"""The turning points of an analysed game: the mistakes and the draws that moved the win probability most."""

from typing import Final, NamedTuple

from p2p_shanghaien.analysis.annotate import GAME, Analysis, Annotated, Decision, StepKind

__all__ = ["MOST", "CostlyDecision", "TurningPoints", "turning_points"]

MOST: Final = 3
"""The limit of mistakes, and of draws."""

SEEN: Final = GAME // 2000
"""The least change of a draw: half of the last digit that is shown, a tenth of a percentage point."""


class CostlyDecision(NamedTuple):
    """A decision that cost win probability; `step` counts from 0, as in the record."""

    step: int
    decision: Decision


class TurningPoints(NamedTuple):
    """The largest mistakes of both players, and the draws that changed most, each with the largest first."""

    mistakes: tuple[CostlyDecision, ...]
    draws: tuple[Annotated, ...]


def turning_points(analysis: Analysis, most: int = MOST) -> TurningPoints:
    """Return the turning points of a game: at most so many mistakes, and so many draws; of equal ones, the earlier.

    A mistake is a decision that has a grade (`annotate.THRESHOLDS`). A draw counts whomever it helped: a bad roll is
    the other player's luck.
    """
    mistakes = (
        CostlyDecision(each.step, decision) for each in analysis.steps for decision in each.decisions if decision.grade
    )
    draws = (each for each in analysis.steps if each.kind == StepKind.DRAW and abs(each.luck.chance) >= SEEN)
    return TurningPoints(
        tuple(sorted(mistakes, key=lambda each: -each.decision.cost.chance)[:most]),
        tuple(sorted(draws, key=lambda each: -abs(each.luck.chance))[:most]),
    )
