"""Figures of an analysed game, and its stages, as every review shows them."""

from collections.abc import Iterator, Sequence

from p2p_shanghaien.analysis.annotate import GAME, POINT
from p2p_shanghaien.ui.snapshots import MoveNumber


def stage_openings(where: Sequence[MoveNumber]) -> Iterator[bool]:
    """Yield for the place of each step whether it is the first of a stage."""
    stage = None
    for place in where:
        yield place.stage != stage
        stage = place.stage


def percent(millionths: int, digits: int = 1, sign: str = "") -> str:
    """Return a probability, or a change of one, in percent; with `+` also for a rise."""
    return f"{100 * millionths / GAME:{sign}z.{digits}f}"


def points(thousandths: int, sign: str = "") -> str:
    """Return points, or a change of them."""
    return f"{thousandths / POINT:{sign}z.2f}"
