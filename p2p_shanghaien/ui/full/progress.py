"""The line below the table that shows how far into a game on record one is; each of its cells can be clicked."""

from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.ui.full.cursor import Cursor
from p2p_shanghaien.ui.full.drawing import Canvas, clickable
from p2p_shanghaien.ui.words import say

PLACE: Final = 9
"""Cells for the place shown, before the line."""


def progress(cursor: Cursor, pace: str, canvas: Canvas) -> Text:
    """Return all places of `cursor` from its start to its end, and the `pace` at which it plays, or would."""
    text_styles, last = canvas.text_styles, max(cursor.last, 1)
    place = canvas.charset.transliterate(str(cursor.snapshot.place) if cursor.snapshot else say("replay_end"))
    line = Text(f" {place:<{PLACE - 1}}", text_styles.strong)
    total = str(cursor.last + 1)
    count = f" {cursor.at + 1:>{len(total)}}/{total}  "
    cells = max(canvas.width - PLACE - cell_len(f"{count}{pace} "), 2)
    here = cursor.at * (cells - 1) // last
    stages = {index * (cells - 1) // last for index, snapshot in enumerate(cursor.snapshots) if snapshot.opens_stage}
    passed, ahead, opens, at = "=-+O" if canvas.charset.ascii_only else "━─┼●"
    for cell in range(cells):
        sign = opens if cell in stages else passed if cell < here else ahead
        shown = Text(sign, text_styles.near if cell < here else text_styles.quiet)
        # rounded up, so that the place of a cell is shown at that cell
        to = min(-(-cell * last // (cells - 1)), cursor.last)
        line.append_text(clickable(Text(at, text_styles.picked) if cell == here else shown, str(to)))
    line.append(count, text_styles.strong)
    return line.append_text(clickable(Text(pace, text_styles.quiet), "way_play")).append(" ", text_styles.quiet)
