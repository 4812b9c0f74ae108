"""Hints as a table to read, at any full screen."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.games.api import Action, State
from p2p_shanghaien.players import Advise, Option
from p2p_shanghaien.ui.advice import Hint, heading, percent
from p2p_shanghaien.ui.full.parts import Ink
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.view import Seating
from p2p_shanghaien.ui.words import describe, say

COLUMN: Final = 10
"""Cells of each figure."""


async def advised(advise: Advise, state: State, player: int, seating: Seating) -> tuple[str, Sequence[Option]]:
    """What stands above the hints for `player`, and what is known of the choices: nothing where finding out failed."""
    try:
        worth = await advise(state, player)
    except LocalError as error:
        return describe(error), ()
    return heading(worth, state, player, seating), worth


def hint_lines(
    text: str, found: Sequence[Hint], width: int, ink: Ink, keys: Mapping[Action, str] | None = None
) -> Sequence[Text]:
    """`text`, and the hints below it: the chance of winning, how much less than the best that is, the lead, the choice.

    How often to take a choice stands first, where that is known. Its key stands before the choice, or where there are
    no `keys` its notation; a mark before what was chosen.
    """
    lines = [Text(line, ink.strong) for line in folded(text, max(width, 10))]
    mixed = any(hint.share is not None for hint in found)
    columns = ("share", "chance", "behind", "lead") if mixed else ("chance", "behind", "lead")
    margin = len(columns) * COLUMN + 2
    if found:
        heads = "".join(f"{say(f'hints_{column}'):>{COLUMN}}" for column in columns)
        lines += [Text(), Text(heads, ink.quiet)]
    for hint in found:
        behind = "" if hint.is_best else f"-{percent(hint.behind)}%"
        share = (f"{hint.share}%" if hint.share else "").rjust(COLUMN) if mixed else ""
        chance, points = hint.outlook
        figures = f"{share}{percent(chance) + '%':>{COLUMN}}{behind:>{COLUMN}}{points:>+z{COLUMN}.1f}"
        mark = ">" if hint.chosen else " "
        words = folded(hint.choice.words, max(width - margin - 6, 10))
        line = Text.assemble((figures, ink.strong if hint.is_best else ""), (f" {mark}", ink.picked))
        line.append(f"[{keys[hint.choice.action] if keys else hint.choice.action}] ", ink.key).append(words[0])
        lines.append(line)
        lines += [Text(" " * (margin + 4) + rest) for rest in words[1:]]
    return lines
