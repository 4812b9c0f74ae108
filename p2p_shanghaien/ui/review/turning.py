"""The turning points of an analysed game, in sentences."""

from collections.abc import Sequence
from typing import NamedTuple

from p2p_shanghaien.analysis.annotate import Annotated
from p2p_shanghaien.analysis.turning_points import turning_points
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.words import say


class Point(NamedTuple):
    """A turning point: the number of steps before it, and a sentence about it."""

    steps: int
    sentence: str


class Section(NamedTuple):
    """Turning points of one kind under their heading; without any, the heading says so."""

    heading: str
    points: Sequence[Point] = ()


def sections(review: Review) -> Sequence[Section]:
    """Return the largest mistakes, and the luckiest draws if anything was drawn that mattered."""
    found = turning_points(review.analysis)
    mistakes = [Point(step, review.decision(step, decided)) for step, decided in found.mistakes]

    def draw(annotated: Annotated) -> Point:
        player = 0 if annotated.player is None else annotated.player
        lucky = player if annotated.luck.chance > 0 else 1 - player
        # the draw has happened at this place: what led to it is no place of its own
        return Point(annotated.step + 1, review.changed("review_luck", annotated, lucky))

    parts = [Section(say("turning_mistakes" if mistakes else "turning_no_mistakes"), mistakes)]
    if found.draws:
        parts.append(Section(say("turning_luck"), [draw(annotated) for annotated in found.draws]))
    return parts
