"""The line below the table that shows how far into a game on record one is; each of its cells can be clicked."""

from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.ui.full.parts import Drawing, Ink, Spot
from p2p_shanghaien.ui.full.walk import Walk
from p2p_shanghaien.ui.words import say

PLACE: Final = 9
"""Cells for the place shown, before the line."""


def course(walk: Walk, pace: str, width: int, ink: Ink) -> Drawing:
    """All places of `walk` from its start to its end, and behind them the `pace` at which it plays, or would."""
    presenter, last = walk.presenter, max(walk.last, 1)
    line = Text(f" {presenter.fit(str(walk.stop.place) if walk.stop else say('replay_end')):<{PLACE - 1}}", ink.strong)
    total = str(walk.last + 1)
    count = f" {walk.at + 1:>{len(total)}}/{total}  "
    cells = max(width - PLACE - cell_len(f"{count}{pace} "), 2)
    here = walk.at * (cells - 1) // last
    stages = {index * (cells - 1) // last for index, stop in enumerate(walk.stops) if stop.opens_stage}
    passed, ahead, opens, at = "=-+O" if presenter.ascii_only else "━─┼●"
    for cell in range(cells):
        if cell == here:
            line.append(at, ink.picked)
        else:
            sign = opens if cell in stages else passed if cell < here else ahead
            line.append(sign, ink.near if cell < here else ink.quiet)
    # rounded up, so that the place of a cell is shown at that cell
    spots = [
        Spot(PLACE + cell, 0, 1, 1, (str(min(-(-cell * last // (cells - 1)), walk.last)),)) for cell in range(cells)
    ]
    spots.append(Spot(line.cell_len + len(count), 0, cell_len(pace), 1, ("way_play",)))
    line.append(count, ink.strong).append(f"{pace} ", ink.quiet)
    return Drawing([line], spots)
