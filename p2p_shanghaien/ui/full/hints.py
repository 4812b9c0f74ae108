"""Hints as a table to read, at any full screen."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.games.api import Action
from p2p_shanghaien.ui.advice import Advice, Hint, percent
from p2p_shanghaien.ui.full.drawing import Canvas
from p2p_shanghaien.ui.screen import folded

COLUMN: Final = 10
"""Cells of each figure."""


def hint_lines(found: Sequence[Advice], canvas: Canvas, keys: Mapping[Action, str] | None = None) -> Iterator[Text]:
    """Yield a heading, and below it for each hint the chance of winning, what it has less than the best, the lead.

    How often to take a choice stands first, where that is known. The choice follows with its key, or where there are no
    `keys` its notation; a mark before what was chosen.
    """
    for advice in found:
        if advice is not found[0]:
            yield Text()
        yield from canvas.lines(advice.heading, canvas.text_styles.strong)
        if advice.hints:
            yield from _table(advice.hints, canvas, keys)


def _table(hints: Sequence[Hint], canvas: Canvas, keys: Mapping[Action, str] | None) -> Iterator[Text]:
    text_styles = canvas.text_styles
    mixed = len(hints) > 1 and any(hint.share is not None for hint in hints)
    columns = ("share", "chance", "behind", "lead") if mixed else ("chance", "behind", "lead")
    margin = len(columns) * COLUMN + 2
    heads = "".join(f"{canvas.charset.say(f'hints_{column}'):>{COLUMN}}" for column in columns)
    yield from (Text(), Text(heads, text_styles.quiet))
    for hint in hints:
        behind = "" if hint.is_best else f"-{percent(hint.behind)}%"
        share = (f"{hint.share}%" if hint.share else "").rjust(COLUMN) if mixed else ""
        chance, points = hint.value
        figures = f"{share}{percent(chance) + '%':>{COLUMN}}{behind:>{COLUMN}}{points:>+z{COLUMN}.1f}"
        mark = ">" if hint.chosen else " "
        words = folded(hint.choice.words, max(canvas.width - margin - 6, 10))
        line = Text.assemble((figures, text_styles.strong if hint.is_best else ""), (f" {mark}", text_styles.picked))
        line.append(f"[{keys[hint.choice.action] if keys else hint.choice.action}] ", text_styles.key).append(words[0])
        yield line
        yield from (Text(" " * (margin + 4) + rest) for rest in words[1:])
