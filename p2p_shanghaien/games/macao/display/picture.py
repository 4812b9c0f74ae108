"""Shadows of Macao as a picture: the tiles and piles between both players, and the cards before each of them."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from p2p_shanghaien.games.api import Terminal, Turn
from p2p_shanghaien.games.macao.deck import Card, Tile
from p2p_shanghaien.games.macao.display import answers, css, draw, names, view
from p2p_shanghaien.games.macao.rules import State
from p2p_shanghaien.ui.palette import CssClass
from p2p_shanghaien.ui.picture import Markup, Panel, Part, Picture, box, join, label
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say

WIDTH: Final = 900
TOP: Final = 42
"""The units above the far side, for the heading."""
HEADING: Final = 44
"""The height of a player's name and score, or of the heading of the piles or tiles."""
CARD: Final = (112, 80)
"""The greatest width of a card, and its height."""
CHIP: Final = 19
"""The diameter of a resource."""
GAP: Final = 8
_MARGIN: Final = 16
_SPACE: Final = "\N{EM SPACE}"
"""Between a name and a score; SVG joins plain spaces."""
_TILE: Final = 26
"""The height of the line of a player's tiles."""
STRIP: Final = HEADING + 2 * (CARD[1] + GAP) + _TILE + GAP
"""The height of a player's strip."""
MIDDLE: Final = 2 * (HEADING + CARD[1] + GAP) + GAP
"""The height of what lies between both."""
HEIGHT: Final = TOP + 2 * (STRIP + GAP) + MIDDLE


def picture(state: State, viewpoint: Viewpoint, *, ended: bool) -> Picture:
    """Return the table as it lies; nobody is to act where the game has `ended`."""
    between = TOP + STRIP + GAP
    parts = (
        _heading(state, viewpoint),
        _strip(state, viewpoint.far, TOP, viewpoint, ended=ended),
        Part(join(_tiles(state, between, viewpoint)), " ".join(answers.tile_sentences(state))),
        Part(join(_piles(state, between + (MIDDLE - GAP) / 2)), " ".join(_pile_sentences(state))),
        _strip(state, viewpoint.near, between + MIDDLE, viewpoint, ended=ended),
    )
    return Picture(Markup(""), (Panel("macao:panel_table", WIDTH, HEIGHT, parts),), css.CSS_CLASSES)


def _heading(state: State, viewpoint: Viewpoint) -> Part:
    found, _, kind, *ends = draw.heading(state, viewpoint)
    text = say("between_parts").join(filter(None, (found, kind, *ends)))
    return Part(label(4, 26, text, 21, WIDTH - 8, class_="strong"), f"{text}.")


def _pile_sentences(state: State) -> Iterator[str]:
    return (answers.pile_sentence(state, number) for number in range(1, len(state.piles) + 1))


# A player.


def _strip(state: State, player: int, top: float, viewpoint: Viewpoint, *, ended: bool) -> Part:
    """Return a player's name and score, red and blue cards, and tiles."""
    node, side, deck = state.node, state.sides[player], state.deck
    wins = isinstance(node, Terminal) and node.winner == player
    acts = not ended and node == Turn(player)
    head = draw.side(state, player, viewpoint)
    payable = set() if isinstance(node, Terminal) else set(view.payable(state, player))
    drawn = [
        box(1.5, top, WIDTH - 3, STRIP, 12, class_="acting" if acts else "side"),
        label(_MARGIN, top + 30, str(next(head)).replace("  ", _SPACE), 19, WIDTH - 170, class_="strong"),
        *_cards([deck.card[card] for card in side.red], top + HEADING, is_red=True),
    ]
    blue = [deck.card[card] for card in side.blue]
    drawn += _cards(blue, top + HEADING + CARD[1] + GAP, payable)
    between = say("between_parts")
    tiles = [
        f"{say(f'macao:{code}')} {', '.join(names.tile(tile) for tile in found)}"
        for code, found in (("reserved_tiles", side.reserved), ("opened_tiles", side.opened))
        if found
    ]
    drawn.append(label(_MARGIN, top + STRIP - GAP - 6, between.join(tiles), 16, WIDTH - 2 * _MARGIN))
    if acts or wins:
        drawn.append(box(WIDTH - 130, top + 10, 114, 28, 14, class_="pill"))
        text = say("macao:to_move" if acts else "macao:wins")
        drawn.append(label(WIDTH - 73, top + 30, text, 16, 102, class_="on-pill middle strong"))
    told = list(answers.side_sentences(state, player, viewpoint))
    if acts:
        told.append(str(viewpoint.news("macao:has_turn", player)))
    return Part(join(drawn), " ".join(told))


def _cards(
    cards: Sequence[Card], top: float, payable: Collection[str] = (), *, is_red: bool = False
) -> Iterator[Markup]:
    """Yield cards beside each other, made narrower where there are many, behind the name of their colour."""
    colour = say("macao:red" if is_red else "macao:blue")
    yield label(_MARGIN, top + CARD[1] / 2, colour, 16, 52, class_="faint")
    left, room = _MARGIN + 56, WIDTH - 2 * _MARGIN - 56
    step = min(CARD[0] + GAP, room / max(len(cards), 1))
    for number, card in enumerate(cards):
        style = css.PAYABLE if card.id in payable else css.CARD
        yield _card(card, left + number * step, top, step - GAP / 2, style, is_red=is_red)


def _card(card: Card, x: float, y: float, width: float, style: CssClass, *, is_red: bool = False) -> Markup:
    """Return a card: its kind; on the blue side its resource and its cost, on the red one what it gives; its coins."""
    drawn = [
        box(x + 1, y, width - 2, CARD[1], 8, class_=style),
        label(x + 8, y + 20, names.kind(card.kind), 14, width - 15, class_="strong"),
        *_chips(names.gives(card) if is_red else card.cost, x + 8, y + 29, width - 16),
        label(x + width - 9, y + CARD[1] - 9, str(card.coins), 17, class_="end strong"),
    ]
    if not is_red:
        drawn += _chip(card.blue, x + 8, y + CARD[1] - CHIP - 6, CHIP, is_square=True)
    return join(drawn)


def _chips(letters: str, x: float, y: float, width: float) -> Iterator[Markup]:
    """Yield resources beside each other, smaller where there are many; what a trader exchanges has a sign between."""
    step = min(CHIP + 2, width / max(len(letters), 1))
    for number, letter in enumerate(letters):
        yield from _chip(letter, x + number * step, y, min(CHIP, step - 1))


def _chip(letter: str, x: float, y: float, size: float, *, is_square: bool = False) -> Iterator[Markup]:
    """Yield a resource: round where it is paid or given by a red card, square where a blue card brings it."""
    if letter.isalpha():
        style = css.RESOURCES.get(letter, css.OTHER)
        yield box(x, y, size, size, 4 if is_square else size / 2, class_=style)
    colour = css.LETTERS.get(letter, "")
    yield label(x + size / 2, y + 0.76 * size, letter, 0.74 * size, class_=f"middle strong {colour}".rstrip())


# Between the players.


def _tiles(state: State, top: float, viewpoint: Viewpoint) -> Iterator[Markup]:
    """Yield the tiles in the centre: what each costs or demands, how much of it each player has, and its value."""
    yield label(_MARGIN, top + 30, say("macao:question_tiles"), 18, class_="strong")
    width = (WIDTH - 2 * _MARGIN) / 4
    for number, name in enumerate(state.centre):
        tile = state.deck.tile[name]
        reaches = [(player, view.tile_reach(state, player, tile)) for player in (viewpoint.near, viewpoint.far)]
        is_lit = not isinstance(state.node, Terminal) and any(reach.is_met for _, reach in reaches)
        style = css.PAYABLE if is_lit else css.CARD
        x, y = _MARGIN + number * width, top + HEADING
        has = say("between_parts").join(f"{viewpoint.mark(player)} {reach}" for player, reach in reaches)
        yield box(x + 1, y, width - GAP, CARD[1], 8, class_=style)
        yield from _tile(tile, x, y, width - GAP)
        yield label(x + 9, y + CARD[1] - 9, has, 15, width - 60, class_="faint")


def _tile(tile: Tile, x: float, y: float, width: float) -> Iterator[Markup]:
    yield label(x + 9, y + 21, names.tile(tile.id), 15, width - 18, class_="strong")
    if tile.cost:
        yield from _chips(tile.cost, x + 9, y + 30, width - 18)
    else:
        yield label(x + 9, y + 44, names.condition(tile), 15, width - 18)
    yield label(x + width - 9, y + CARD[1] - 9, str(tile.value), 17, class_="end strong")


def _piles(state: State, top: float) -> Iterator[Markup]:
    """Yield the piles: the card on top, and what is known about those below."""
    width = (WIDTH - 2 * _MARGIN) / len(state.piles)
    for number, pile in enumerate(state.piles, start=1):
        x, y = _MARGIN + (number - 1) * width, top + HEADING
        yield label(x + 4, top + 30, str(number), 18, class_="strong")
        below = [f"+{pile.unseen}" if pile.unseen else "", f"={len(pile.known)}" if pile.known else ""]
        yield label(x + 24, top + 30, " ".join(filter(None, below)), 16, width - 36, class_="faint")
        if pile.top:
            yield _card(state.deck.card[pile.top], x, y, width - GAP, css.CARD)
        else:
            yield box(x + 1, y, width - GAP, CARD[1], 8, class_=css.USED)
