"""Shanghaien's cards and dice in full-screen mode, line by line."""

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.games.shanghaien.cards import is_trick
from p2p_shanghaien.games.shanghaien.display.draw import STYLES
from p2p_shanghaien.games.shanghaien.display.story import kind
from p2p_shanghaien.ui.full.drawing import Canvas, border
from p2p_shanghaien.ui.view import Viewpoint

CARD: Final = 11
"""The width of a card in cells."""
_INNER: Final = CARD - 2

_SIGNS: Final = {"p": "±1", "b": "■■", "r": "↻", "w": "★"}
_ASCII_SIGNS: Final = {"p": "+-1", "b": "##", "r": "@", "w": "*"}
_TRICK: Final = "#ffffff on #4a4a4a"


def trick_sign(letter: str, *, ascii_only: bool) -> str:
    """Return the symbol on a trick card."""
    return (_ASCII_SIGNS if ascii_only else _SIGNS)[letter]


def taker_mark(taker: int | None, viewpoint: Viewpoint) -> str:
    """Return an arrow to the player who takes a card, or would as the dice lie; empty for nobody."""
    return "" if taker is None else viewpoint.mark(taker)


def card_lines(card: str, number: str, arrow: str, mark: str, canvas: Canvas, height: int) -> Sequence[Text]:
    """Return a card of the tavern row, `height` lines (5 or 7) of `CARD` cells.

    Its number is in the upper border, the arrow to its taker in the border on that side; `mark` is LIT, PICKED, or
    empty.
    """
    outline = border(mark, canvas)
    plain = not canvas.text_styles.quiet
    style = ("reverse" if is_trick(card) else "") if plain else _TRICK if is_trick(card) else STYLES[card[0]]
    edge = canvas.text_styles.marked(mark, style)
    above = _in_border(number, arrow if arrow == canvas.charset.far else "", outline.across)
    below = _in_border("", arrow if arrow == canvas.charset.near else "", outline.across)
    rows = (Text(row, style) for row in _face(card, height - 2, canvas))
    return outline.enclose(rows, edge, Text(above, edge), Text(below, edge))


def _in_border(number: str, arrow: str, across: str) -> str:
    middle = f" {number} " if number else ""
    line = middle.center(_INNER, across)
    return f"{line[:-2]}{arrow}{across}" if arrow else line


def _face(card: str, height: int, canvas: Canvas) -> Sequence[str]:
    """Return the face of a card.

    Letter and value are in the corners; the word, a trick's symbol or a sailor's value in pips between them.
    """
    if is_trick(card):
        first, _, rest = canvas.charset.transliterate(kind(card)).partition(" ")
        sign = trick_sign(card[1], ascii_only=canvas.charset.ascii_only)
        middle = [canvas.charset.cut(first, _INNER), canvas.charset.cut(rest, _INNER)]
        corner = sign
    else:
        pip = "*" if canvas.charset.ascii_only else "●"
        word = canvas.charset.say(f"shanghaien:short_nationality_{card[0]}")
        middle = [canvas.charset.cut(word, _INNER), " ".join(pip * int(card[1]))]
        corner = card[1]
    top = f" {card[0]}{corner:>{_INNER - 3}} "
    bottom = f" {corner:<{_INNER - 3}}{card[0]} "
    rows = [top, *(row.center(_INNER) for row in middle)]
    return [top, " " * _INNER, *rows[1:], bottom] if height == 5 else rows


def dice_lines(number: int | None, count: int, canvas: Canvas) -> Text:
    """Return so many dice that show `number`, side by side as far as there is room."""
    if count > 4:
        return Text(f" {count} x {number} ", canvas.text_styles.object)
    return Text(f" {' '.join([str(number)] * count)} ", canvas.text_styles.object)
