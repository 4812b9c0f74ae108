"""The turning points of an analysed game, in sentences."""

from collections.abc import Sequence
from typing import NamedTuple

from p2p_shanghaien.analysis.annotate import Analysis, Annotated
from p2p_shanghaien.analysis.turning_points import turning_points
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.review.lines import changed, decision
from p2p_shanghaien.ui.snapshots import move_numbers
from p2p_shanghaien.ui.view import Seating, table_of, told
from p2p_shanghaien.ui.words import say


class Point(NamedTuple):
    """A turning point: the number of steps before it, and a sentence about it."""

    steps: int
    sentence: str


class Section(NamedTuple):
    """Turning points of one kind under their heading; without any, the heading says so."""

    heading: str
    points: Sequence[Point] = ()


def sections(record: Record, analysis: Analysis, seating: Seating) -> Sequence[Section]:
    """Return the largest mistakes, and the luckiest draws if anything was drawn that mattered."""
    table, places, positions = table_of(record.game.NAME), list(move_numbers(record)), list(record.positions())
    found = turning_points(analysis)
    mistakes = [
        Point(step, decision(decided, places[step], positions[step], table, seating))
        for step, decided in found.mistakes
    ]

    def draw(annotated: Annotated) -> Point:
        step = annotated.step
        news = told(table, positions[step], record.steps[step], positions[step + 1], seating)
        player = 0 if annotated.player is None else annotated.player
        lucky = player if annotated.luck.chance > 0 else 1 - player
        # the draw has happened at this place: what led to it is no place of its own
        return Point(step + 1, changed("review_luck", annotated, places[step], news, seating, lucky))

    parts = [Section(say("turning_mistakes" if mistakes else "turning_no_mistakes"), mistakes)]
    if found.draws:
        parts.append(Section(say("turning_luck"), [draw(annotated) for annotated in found.draws]))
    return parts
