"""The win probability over a game, drawn with characters."""

from typing import Final, NamedTuple

from rich.cells import cell_len

from p2p_shanghaien.analysis.annotate import GAME, Grade
from p2p_shanghaien.ui.review.review import Review

WIDTH: Final = 80
MARGIN: Final = 7
"""Columns of the labels at the left."""
ROWS: Final = 11
"""Lines of the curve: a tenth of a game each, both ends counted."""

SIGNS: Final = dict(zip(Grade, "Xx+", strict=True))
"""The marks of decisions under the curve, the same in all characters and languages."""


class Scale:
    """The columns of a curve of this width, its labels included, for the positions of a game of so many steps."""

    def __init__(self, steps: int, width: int = WIDTH) -> None:
        self.columns = max(width - MARGIN, 1)
        self._each = (self.columns - 1) / max(steps, 1)
        self._steps = steps

    def column(self, step: int) -> int:
        """Return the column of the position after so many steps."""
        return round(step * self._each)

    def step(self, column: int) -> int:
        """Return the position that a column shows: one for each column, or each column the last of its positions."""
        return min(int(column / self._each + 1e-9), self._steps) if self._each else 0


class _Pen(NamedTuple):
    dot: str
    rise: str
    half: str


_UNICODE: Final = _Pen("•", "│", "┄")
_ASCII: Final = _Pen("*", "|", "-")


def plot(review: Review, width: int = WIDTH) -> list[str]:
    """Return the win probability of the player on the near side, with stages and marked decisions under it.

    The lines have at most `width` columns.
    """
    analysis, viewpoint = review.analysis, review.viewpoint
    pen = _ASCII if viewpoint.charset.ascii_only else _UNICODE
    chances = analysis.chances(viewpoint.near)
    scale = Scale(len(chances) - 1, width)
    columns = scale.columns
    shown = [chances[scale.step(column)] for column in range(columns)]
    rows = [round((ROWS - 1) * (GAME - chance) / GAME) for chance in shown]
    half = ROWS // 2
    canvas = [[pen.half if row == half else " "] * columns for row in range(ROWS)]
    for column, row in enumerate(rows):
        before = rows[column - 1] if column else row
        for between in range(min(before, row) + 1, max(before, row)):
            canvas[between][column] = pen.rise
        canvas[row][column] = pen.dot
    labels = {0: "100%", half: "50%", ROWS - 1: "0%"}
    lines = [f"{labels.get(row, ''):>{MARGIN - 1}} {''.join(cells)}".rstrip() for row, cells in enumerate(canvas)]
    stages = [" "] * columns
    for place, (first, *_) in review.stages():
        _write(stages, scale.column(first.step + 1), place.stage_number)
    lines.append(" " * MARGIN + "".join(stages).rstrip())
    for player in (viewpoint.far, viewpoint.near):
        marks = [" "] * columns
        for grade in reversed(Grade):  # if several fall into a column, the worst is shown
            for step in analysis.steps:
                if any(decision.grade == grade and decision.player == player for decision in step.chosen):
                    marks[scale.column(step.step + 1)] = SIGNS[grade]
        name = viewpoint.charset.cut(viewpoint.who(player), MARGIN - 1)
        lines.append(f"{name}{' ' * (MARGIN - cell_len(name))}{''.join(marks)}".rstrip())
    return lines


def _write(line: list[str], at: int, text: str) -> None:
    at = min(at, len(line) - len(text))
    line[at : at + len(text)] = text
