"""Shadows of Macao as a picture: the tiles and piles between both players, line by line."""

from collections.abc import Iterable, Iterator
from typing import Final

from p2p_shanghaien.games.api import Terminal, Turn
from p2p_shanghaien.games.macao.display import answers, draw
from p2p_shanghaien.games.macao.rules import State
from p2p_shanghaien.ui.picture import Markup, Panel, Part, Picture, box, join, label
from p2p_shanghaien.ui.view import Seating
from p2p_shanghaien.ui.words import say

WIDTH: Final = 900
HEIGHT: Final = 860
LINE: Final = 24
STRIP: Final = 224
"""The height of a player's strip."""
_MARGIN: Final = 16


def picture(state: State, seating: Seating, *, ended: bool) -> Picture:
    """Return the table as it lies; nobody is to act where the game has `ended`."""
    middle = STRIP + 48
    piles = (answers.pile_sentence(state, number) for number in range(1, len(state.piles) + 1))
    parts = (
        _heading(state, seating),
        _strip(state, seating.far, 42, seating, ended=ended),
        Part(join(_lines(draw.middle(state, seating), middle)), " ".join([*answers.tile_sentences(state), *piles])),
        _strip(state, seating.near, HEIGHT - STRIP - 2, seating, ended=ended),
    )
    return Picture(Markup(""), (Panel("macao:panel_table", WIDTH, HEIGHT, parts),))


def _heading(state: State, seating: Seating) -> Part:
    found, _, kind, *ends = draw.heading(state, seating)
    text = say("between_parts").join(filter(None, (found, kind, *ends)))
    return Part(label(4, 26, text, 21, WIDTH - 8, class_="strong"), f"{text}.")


def _strip(state: State, player: int, top: int, seating: Seating, *, ended: bool) -> Part:
    """Draw a player's name and score, cards and tiles."""
    node = state.node
    wins = isinstance(node, Terminal) and node.winner == player
    acts = not ended and node == Turn(player)
    drawn = [
        box(1.5, top, WIDTH - 3, STRIP, 12, class_="acting" if acts else "side"),
        *_lines(draw.side(state, player, seating), top + 8),
    ]
    if acts or wins:
        drawn.append(box(WIDTH - 130, top + 10, 114, 28, 14, class_="pill"))
        text = say("macao:to_move" if acts else "macao:wins")
        drawn.append(label(WIDTH - 73, top + 30, text, 16, 102, class_="on-pill middle strong"))
    told = list(answers.side_sentences(state, player, seating))
    if acts:
        told.append(str(seating.news("macao:has_turn", player)))
    return Part(join(drawn), " ".join(told))


def _lines(lines: Iterable[object], top: float) -> Iterator[Markup]:
    for number, line in enumerate(lines, start=1):
        yield label(_MARGIN, top + number * LINE - 6, str(line).strip(), 16, WIDTH - 2 * _MARGIN)
