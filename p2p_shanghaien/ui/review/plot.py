"""The chance of winning over a game, drawn with characters."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from p2p_shanghaien.ui.review.view import GAME, GRADES, Review
from p2p_shanghaien.ui.stops import Place
from p2p_shanghaien.ui.view import Seating

WIDTH: Final = 80
MARGIN: Final = 7
"""Columns of the labels at the left."""
ROWS: Final = 11
"""Lines of the curve: a tenth of a game each, both ends counted."""

SIGNS: Final = dict(zip(GRADES, "Xx+", strict=True))
"""What marks a decision under the curve, the same in all characters and languages."""


class _Pen(NamedTuple):
    dot: str
    rise: str
    half: str


_UNICODE: Final = _Pen("•", "│", "┄")
_ASCII: Final = _Pen("*", "|", "-")


def plot(review: Review, where: Sequence[Place], seating: Seating) -> list[str]:
    """The chance of the player on the near side, with rounds and marked decisions under it: at most 80 columns.

    `where` has the place of each step.
    """
    pen = _ASCII if seating.symbols.cut.isascii() else _UNICODE
    chances = [chance if seating.near == 0 else GAME - chance for chance in review.chances]
    columns = WIDTH - MARGIN
    scale = (columns - 1) / max(len(chances) - 1, 1)
    # as many positions as columns, or each column the last of its positions
    shown = [chances[min(int(column / scale + 1e-9), len(chances) - 1)] for column in range(columns)]
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
    rounds = [" "] * columns
    for moment, place in zip(review.moments, where, strict=True):
        if not place.turn:
            _write(rounds, round((moment.step + 1) * scale), str(place.round))
    lines.append(" " * MARGIN + "".join(rounds).rstrip())
    for player in (seating.far, seating.near):
        marks = [" "] * columns
        for grade in reversed(GRADES):  # where several fall into a column, the worst is seen
            for moment in review.moments:
                if moment.grade == grade and moment.player == player:
                    marks[round((moment.step + 1) * scale)] = SIGNS[grade]
        name = seating.cut(seating.who(player), MARGIN - 1)
        lines.append(f"{name}{' ' * (MARGIN - cell_len(name))}{''.join(marks)}".rstrip())
    return lines


def _write(line: list[str], at: int, text: str) -> None:
    at = min(at, len(line) - len(text))
    line[at : at + len(text)] = text
