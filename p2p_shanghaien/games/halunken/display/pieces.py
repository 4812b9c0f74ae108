"""Halunken's dens, rogues, figures and movement cards in full-screen mode, line by line."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from p2p_shanghaien.games.halunken.display.draw import STYLES
from p2p_shanghaien.games.halunken.display.view import Space
from p2p_shanghaien.games.halunken.rules import CARDS, DEPTH
from p2p_shanghaien.ui.full.drawing import Canvas, TextStyles, border, clickable
from p2p_shanghaien.ui.view import Viewpoint

ACROSS, DOWN = 5, 4
"""The dens beside each other and below each other along the ring."""
PLACES: Final = (
    *((column, 0) for column in range(ACROSS)),
    *((ACROSS - 1, row) for row in range(1, DOWN - 1)),
    *((column, DOWN - 1) for column in reversed(range(ACROSS))),
    *((0, row) for row in reversed(range(1, DOWN - 1))),
)
"""The column and the row of each space in the ring, clockwise from the upper left corner."""

HIDDEN: Final = "?"
"""Stands for a card that lies face down."""


class Figure(NamedTuple):
    """A captain or Black Jack: the mark, the name, and the style of both."""

    mark: str
    name: str
    style: str


def colour(letter: str, canvas: Canvas) -> str:
    """Return the style of rogues of that colour."""
    return STYLES[letter] if canvas.text_styles.quiet else "bold"


def captain(player: int, viewpoint: Viewpoint, canvas: Canvas) -> Figure:
    """Return the captain of `player`."""
    style = _filled(canvas.text_styles.side(player, viewpoint), canvas.text_styles)
    return Figure(viewpoint.mark(player), viewpoint.who(player), style)


def black_jack(canvas: Canvas) -> Figure:
    """Return Black Jack."""
    sign = "@" if canvas.charset.ascii_only else "◆"
    return Figure(sign, canvas.charset.say("halunken:short_jack"), canvas.text_styles.object)


def _filled(style: str, text_styles: TextStyles) -> str:
    """Return a style whose ground is what `style` writes with."""
    shade, letters = Style.parse(style).color, Style.parse(text_styles.lit).color
    return f"bold {letters.name} on {shade.name}" if shade and letters else "bold reverse"


def den_lines(
    space: Space, figures: Sequence[Figure], mark: str, canvas: Canvas, width: int, height: int
) -> Sequence[Text]:
    """Return a space with its den, `height` lines (3 to 5) of `width` cells (9 or more).

    The border holds the number of the space; inside are the top rogue and a mark for each rogue in the den. The
    `figures` stand in the lower border, or above it where there is a line for them. `mark` is LIT, PICKED, or empty.
    """
    outline, edge, inner = border(mark, canvas), canvas.text_styles.marked(mark, canvas.text_styles.quiet), width - 2
    number = Text(f" {space.number} ".center(inner, outline.across), edge)
    standing = _standing(figures, inner, canvas)
    rows = [_top(space, canvas)]
    if height > 4:
        word = canvas.charset.say(f"halunken:colour_{space.top[0]}") if space.top else ""
        rows.append(Text(canvas.charset.cut(word, inner), canvas.text_styles.quiet))
    if height > 3:
        rows.append(standing or Text())
    for row in rows:
        row.align("center", inner)
    # those who stand there are as wide as the border
    return outline.enclose(rows, edge, number, standing if height == 3 else None)


def _top(space: Space, canvas: Canvas) -> Text:
    """Return the top rogue of a den, and a mark for each rogue in it; all face down before the dens are turned up."""
    count = space.below + bool(space.top)
    if not count:
        return Text(canvas.charset.nothing, canvas.text_styles.quiet)
    style = f"bold {colour(space.top[0], canvas)}" if space.top else ""
    marks = ("*" if canvas.charset.ascii_only else "▪") * count
    return Text.assemble((f"{space.top or HIDDEN:>3} ", style), marks.ljust(DEPTH))


def _standing(figures: Sequence[Figure], cells: int, canvas: Canvas) -> Text | None:
    """Return the figures on one space, on so many cells: one with its name, several by their marks."""
    if not figures:
        return None
    if len(figures) > 1:
        room = cells // len(figures)
        standing = Text.assemble(*((figure.mark.center(room), figure.style) for figure in figures))
        standing.align("center", cells)
        return standing
    (figure,) = figures
    name = canvas.charset.cut(figure.name, cells - cell_len(figure.mark) - 1)
    text = Text(f"{figure.mark} {name}", figure.style)
    text.align("center", cells)
    return text


def face(card: str, name: str, canvas: Canvas, style: str, width: int) -> Sequence[Text]:
    """Return a movement card under a name, three lines: face up, face down (HIDDEN), or the empty place for one."""
    outline, edge, inner = border("", canvas), canvas.text_styles.quiet, width - 2
    title = Text(canvas.charset.cut(name, inner), style)
    title.align("center", inner, outline.across)
    back = "#" if canvas.charset.ascii_only else "▒"
    inside = back * (inner - 2) if card == HIDDEN else f" {card} "
    shown = Text(inside, canvas.text_styles.object if card and card != HIDDEN else edge)
    shown.align("center", inner)
    return outline.enclose([shown], edge, title)


def hand(left: str, actions: Sequence[str], picked: str, canvas: Canvas) -> Text:
    """Return all eight movement cards, three cells each: those left, and a dot for each that is used.

    Those that end one of `actions` can be chosen; one may be `picked`.
    """
    line = Text()
    lit = {action[-1]: action for action in actions}
    for card in CARDS:
        if card not in left:
            line.append(f" {canvas.charset.nothing} ", canvas.text_styles.quiet)
        elif card in lit:
            style = canvas.text_styles.picked if card == picked else canvas.text_styles.key
            line.append_text(clickable(Text(f"[{card}]", style), lit[card]))
        elif card == picked:
            line.append(f"({card})", canvas.text_styles.picked)
        else:
            line.append(f" {card} ", canvas.text_styles.strong)
    return line
