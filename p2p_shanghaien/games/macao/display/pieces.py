"""Cards, piles and tiles in full-screen mode: as pieces of a line, or drawn as boxes, and how they lie together."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from rich.text import Text

from p2p_shanghaien.games.macao.deck import Card, Tile
from p2p_shanghaien.games.macao.display import names
from p2p_shanghaien.games.macao.display.draw import STYLES
from p2p_shanghaien.games.macao.display.view import Reach
from p2p_shanghaien.games.macao.rules import Pile
from p2p_shanghaien.ui.full.drawing import LIT, PICKED, Canvas, border, clickable
from p2p_shanghaien.ui.screen import folded

CARD: Final = 15
"""The cells of a card that is drawn as a box."""
SHORT: Final = 5
"""The letters of a kind where room is scarce: all kinds still differ."""

Lines: TypeAlias = list[Text]
"""A drawing: a piece, or several that lie together."""

_MARKS: Final = {"": "  ", LIT: "[]", PICKED: "><"}


class Pieces:
    """Draws pieces in the styles and characters of a canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._text_styles = canvas.text_styles
        self._charset = canvas.charset

    # Pieces of a line.

    def word(self, text: str, style: str = "") -> Lines:
        """Return a word that cannot be clicked."""
        return [Text(self._charset.transliterate(text), style)]

    def informant(self, card: Card, reach: Reach, state: str, action: str, *, short: bool = False) -> Lines:
        """Return a blue card: what it gives, its cost and its coins, and a mark if it can be paid for."""
        inside = Text.assemble(self._name(card, short=short), " ", self.letters(card.cost), f" {card.coins}")
        return self._piece(inside.append_text(self._met(reach)), state, action)

    def member(self, card: Card, *, short: bool = False) -> Lines:
        """Return a red card: what it gives in a payment unless its name says it, and its coins."""
        inside = self._name(card, short=short)
        if (gives := names.gives(card)) != card.id.partition("-")[2][:1]:
            inside.append(" ").append_text(self.letters(gives) if gives else Text(self._charset.nothing))
        return self._piece(inside.append(f" {card.coins}"), "", "")

    def tile(self, tile: Tile, reaches: Text, state: str, action: str) -> Lines:
        """Return a tile: its cost or what it demands, its value, and what players have of that."""
        price = self.letters(tile.cost) if tile.cost else Text(self._charset.transliterate(names.condition(tile)))
        inside = Text.assemble((tile.id, self._text_styles.strong), " ", price, f" {tile.value}")
        return self._piece(inside.append(" ").append_text(reaches) if reaches else inside, state, action)

    def pile(self, number: int, pile: Pile, card: Card | None, state: str, action: str) -> Lines:
        """Return a pile: its top card, then how many cards below it nobody has seen, and how many are known."""
        inside = Text.assemble((f"{number}", self._text_styles.strong), " ")
        if card:
            inside.append_text(self._name(card)).append(" ").append_text(self.letters(card.cost))
            inside.append(f" {card.coins}")
        else:
            inside.append(self._charset.nothing, self._text_styles.quiet)
        below = f" +{pile.unseen}" if pile.unseen else ""
        if pile.known:
            below += f" ={len(pile.known)}"
        return self._piece(inside.append(below, self._text_styles.quiet), state, action)

    def letters(self, letters: str) -> Text:
        """Return letters of resources, each in its colour."""
        text = Text()
        for letter in letters:
            text.append(letter, self.style(letter))
        return text

    def style(self, letter: str) -> str:
        """Return the style of a resource."""
        if letter not in STYLES:
            return self._text_styles.strong
        return STYLES[letter] if self._text_styles.quiet else "bold"

    def reach(self, reach: Reach) -> Text:
        """Return what a player has of what is needed, with a mark if that is all of it."""
        if not reach.is_met:
            return Text(str(reach), self._text_styles.quiet)
        return Text(f"{reach}{self.mark}", self._text_styles.strong)

    @property
    def mark(self) -> str:
        """The sign of what can be paid for."""
        return "+" if self._charset.ascii_only else "✓"

    def _met(self, reach: Reach) -> Text:
        return Text(self.mark if reach.is_met else "", self._text_styles.good)

    def _name(self, card: Card, *, short: bool = False) -> Text:
        """Return the id of a card, the letter of what it gives in its colour."""
        kind, dash, letter = card.id.partition("-")
        text = Text(f"{kind[:SHORT] if short else kind}{dash}", self._text_styles.strong)
        return text.append_text(Text(letter, self.style(letter[:1])))

    def _piece(self, inside: Text, state: str, action: str) -> Lines:
        """Return a piece between marks that say whether it can be chosen."""
        before, after = tuple(_MARKS[state])
        style = self._edge(state)
        text = Text.assemble((before, style), inside, (after, style))
        return [clickable(text, *filter(None, [action]))]

    def _edge(self, state: str) -> str:
        return self._text_styles.marked(state, self._text_styles.quiet)

    # Boxes.

    def informant_box(self, card: Card, reach: Reach, state: str, action: str) -> Lines:
        """Return a blue card as a box of three lines."""
        return self._card_box(card, self.letters(card.cost), self._met(reach), state, action)

    def member_box(self, card: Card) -> Lines:
        """Return a red card as a box of three lines."""
        gives = self.letters(names.gives(card))
        return self._card_box(card, gives, Text(), "", "")

    def dead_box(self, word: str) -> Lines:
        """Return a dead widow as a box of three lines."""
        shown = self._charset.cut(self._charset.transliterate(word), CARD - 2)
        return self._box(Text(), [Text(shown, self._text_styles.quiet)], CARD, "", "")

    def _card_box(self, card: Card, letters: Text, mark: Text, state: str, action: str) -> Lines:
        line = Text.assemble(" ", letters, " ", mark)
        line.align("left", CARD - 6)
        line.append(f"{card.coins:>3}", self._text_styles.strong)
        return self._box(self._name(card), [line], CARD, state, action)

    def pile_box(self, number: int, card: Card | None, below: str, width: int, state: str, action: str) -> Lines:
        """Return a pile as a box of six lines: its top card, and what there is `below` in as much as fits."""
        inner = width - 4
        if card:
            price = self.letters(card.cost)
            price.align("left", inner - 3)
            lines = [self._name(card), price.append(f"{card.coins:>3}", self._text_styles.strong)]
        else:
            lines = [Text(self._charset.nothing, self._text_styles.quiet), Text()]
        first, *others = folded(below, inner)
        for each in (first.strip(), " ".join(map(str.strip, others))):
            lines.append(Text(self._charset.cut(each, inner), self._text_styles.quiet))
        title = Text(f" {number} ", self._text_styles.strong)
        return self._box(title, [Text(" ").append_text(line) for line in lines], width, state, action)

    def tile_name(self, tile: Tile, width: int) -> Sequence[str]:
        """Return the lines of the name of a tile in a box of that width."""
        return folded(self._charset.transliterate(names.tile(tile.id)), width - 4)

    def tile_box(self, tile: Tile, reaches: Text, width: int, height: int, state: str, action: str) -> Lines:
        """Return a tile as a box of four lines more than the `height` of its name."""
        inner = width - 4
        name = list(map(Text, self.tile_name(tile, width)))
        name += [Text()] * (height - len(name))
        condition = self._charset.cut(self._charset.transliterate(names.condition(tile)), inner)
        price = self.letters(tile.cost) if tile.cost else Text(condition)
        reaches.align("left", inner - 2)
        lines = [*name, price, reaches.append(f"{tile.value:>2}", self._text_styles.strong)]
        title = Text(tile.id, self._text_styles.strong)
        return self._box(title, [Text(" ").append_text(line) for line in lines], width, state, action)

    def _box(self, title: Text, lines: Sequence[Text], width: int, state: str, action: str) -> Lines:
        outline, edge, inner = border(state, self._canvas), self._edge(state), width - 2
        title = Text.assemble(title, (outline.across * (inner - title.cell_len), edge))
        for line in lines:
            line.align("left", inner)
        drawn = outline.enclose(lines, edge, title)
        return [clickable(line, *filter(None, [action])) for line in drawn]


# --- drawings that lie together


def width_of(lines: Lines) -> int:
    """Return the cells of a drawing across."""
    return max((line.cell_len for line in lines), default=0)


def stacked(drawings: Iterable[Lines]) -> Lines:
    """Return drawings below each other."""
    return [line for each in drawings for line in each]


def beside(drawings: Iterable[Lines], gap: int = 0) -> Lines:
    """Return drawings beside each other; a title of one line stands in the second line of what is drawn in several."""
    found = list(drawings)
    height = max(map(len, found))
    lines = [Text() for _ in range(height)]
    x = 0
    for number, each in enumerate(found):
        x += gap if number else 0
        top = 1 if len(each) == 1 < height else 0
        for y, line in enumerate(each, start=top):
            lines[y].align("left", x)
            lines[y].append_text(line)
        x += width_of(each)
    return lines


def flowing(rows: Iterable[Sequence[Lines]], width: int, indent: int) -> Lines:
    """Return pieces beside each other, each row on lines of its own, as many as it needs."""
    done: list[Text] = []
    for row in rows:
        line: list[Lines] = []
        for piece in row:
            if line and sum(map(width_of, line)) + width_of(piece) > width:
                done += beside(line)
                line = [[Text(" " * indent)]]
            line.append(piece)
        done += beside(line)
    return done


def padded(piece: Lines, width: int) -> Lines:
    """Return a piece of one line that is at least so wide."""
    (line,) = piece
    line = line.copy()
    line.pad_right(max(width - line.cell_len, 0))
    return [line]
