"""Halunken's table in lines of text, at most 80 cells wide, with colour as an extra and never alone.

The ring is drawn as it lies: spaces 1 to 5 from left to right, 6 and 7 down the right side, 8 to 12 back, 13 and 14 up
the left side, with Black Jack's boat in the middle.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.halunken.display.story import card_words, colour_words
from p2p_shanghaien.games.halunken.display.view import Auction, Cards, Crew, Group, Scoring, Space, View
from p2p_shanghaien.games.halunken.rogues import COLOURS, Rogue
from p2p_shanghaien.games.halunken.rules import CARDS, JACK, ROUNDS, Phase
from p2p_shanghaien.ui.view import MAX_LABEL, Viewpoint, columns, flowed

WIDTH: Final = 80
STYLES: Final = {
    "r": "#000000 on #d55e00",
    "v": "#000000 on #cc79a7",
    "g": "#000000 on #bbbbbb",
    "y": "#000000 on #f0e442",
}
"""The rogues' colours in the palette of Okabe and Ito, which colour-blind people can distinguish."""

_TASKS: Final = {
    Phase.PLACE: "place",
    Phase.PLACE_JACK: "place_jack",
    **dict.fromkeys((Phase.NAME, Phase.JACK_NAME), "name"),
    **dict.fromkeys((Phase.ROB_CAPTAIN, Phase.ROB_JACK, Phase.JACK_ROB), "steal"),
    Phase.LOSE: "lose",
}
"""The task of a player, by phase: a part of the code of its words."""

_CELL: Final = 16
"""The cells of a space: the five of them beside each other fill the screen."""
_FIGURE: Final = 3
"""The cells before a figure and a rogue: those of the space's number."""
_NAME: Final = MAX_LABEL + 3
"""The cells of a player's name and the captain's sign."""
_CREW: Final = " "
"""Stands before a crew."""
_MIDDLE: Final = 3 * _CELL - 1
"""The cells in the middle of the ring."""
_SIDES: Final = ((14, 6), (13, 7))
"""The spaces at the left and the right side, row by row."""
_SCORES: Final = (20, 30, 30)
"""The cells of the scoring's columns: the item, the far side, the near side."""


def position(view: View, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the ring between both players, each with cards and crew."""
    yield _heading(view, viewpoint)
    yield from _player(view, viewpoint.far, viewpoint)
    yield Text()
    yield from _row(view.spaces[:5], viewpoint)
    middle = iter(_middle(view, viewpoint))
    for left, right in _SIDES:
        cells = zip(_space(view.spaces[left - 1], viewpoint), _space(view.spaces[right - 1], viewpoint), strict=True)
        for at_left, at_right in cells:
            yield columns([at_left, next(middle, Text()), at_right], (_CELL, 3 * _CELL, _CELL), "left")
    yield from _row(view.spaces[11:6:-1], viewpoint)
    yield from _player(view, viewpoint.near, viewpoint)


def scoring(result: Scoring, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the outcome of a hand: each colour of both crews, the one that counts twice, and the totals."""
    sides = (viewpoint.far, viewpoint.near)
    code = "halunken:hand_of" if result.hands > 1 else "halunken:scoring"
    names = [viewpoint.charset.cut(viewpoint.who(player), _SCORES[1] - 2) for player in sides]
    yield _score_line(viewpoint.charset.say(code, hand=result.hand, hands=result.hands), names, style="bold")
    for colour in COLOURS:
        cells = [_colour_sum(result.crews[player], colour, viewpoint) for player in sides]
        yield _score_line(viewpoint.charset.transliterate(colour_words(colour)), cells)
    twice = [_twice(result.crews[player], viewpoint) for player in sides]
    yield _score_line(viewpoint.charset.say("halunken:counts_twice"), twice)
    points = [str(result.crews[player].points) for player in sides]
    if result.hands > 1:
        yield _score_line(viewpoint.charset.say("halunken:this_hand"), points)
        yield _score_line(viewpoint.charset.say("halunken:earlier"), [str(result.earlier[player]) for player in sides])
        points = [str(result.totals[player]) for player in sides]
    yield _score_line(viewpoint.charset.say("halunken:total"), points, style="bold")


def rogue_chip(rogue: Rogue) -> Text:
    """Return a rogue in its colour, five cells wide."""
    return Text(f" {rogue:<4}", STYLES[rogue[0]])


def group_chip(group: Group) -> Text:
    """Return the rogues of one colour: the letter and their values."""
    return Text(f" {group.colour} {' '.join(map(str, group.values))} ", STYLES[group.colour])


def cards_left(cards: Cards, viewpoint: Viewpoint) -> str:
    """Return the movement cards that are left, each at its place; those used up are empty places."""
    shown = (card_words(card) if card in cards.left else viewpoint.charset.nothing for card in CARDS)
    return viewpoint.charset.transliterate(" ".join(shown))


def shown_card(cards: Cards, viewpoint: Viewpoint) -> str:
    """Return the card that is shown this round in words, with the number that was named for rum; empty if none is."""
    if cards.shown is None:
        return ""
    code = "halunken:shows_named" if not cards.shown.isdigit() and cards.number else "halunken:shows"
    return viewpoint.charset.say(code, card=card_words(cards.shown), number=cards.number)


def status(view: View, viewpoint: Viewpoint) -> str:
    """Return what the position waits for, or that nobody is to act."""
    if view.auction:
        return _bidding(view.auction, viewpoint)
    if len(view.deciding) > 1:
        return viewpoint.charset.say("halunken:both_choose")
    if not view.deciding:
        return ""
    (player,) = view.deciding
    return viewpoint.charset.transliterate(str(viewpoint.news(f"halunken:to_{_TASKS[view.phase]}", player)))


def _heading(view: View, viewpoint: Viewpoint) -> Text:
    code = "halunken:round_of" if view.round else "halunken:setup"
    if view.hands > 1:
        code = "halunken:round_of_hand" if view.round else "halunken:setup_of_hand"
    place = viewpoint.charset.say(code, hand=view.hand, hands=view.hands, round=view.round, rounds=ROUNDS)
    parts = filter(None, (place, status(view, viewpoint)))
    # a screen reader would read out a drawn line, dash after dash
    return Text(viewpoint.charset.say("between_parts").join(parts), style="bold")


def _bidding(auction: Auction, viewpoint: Viewpoint) -> str:
    if auction.bidder is not None:
        return viewpoint.charset.transliterate(str(viewpoint.news("halunken:bids", auction.bidder, rogue=auction.bid)))
    code = "halunken:may_hire" if auction.opener_passed else "halunken:opens"
    return viewpoint.charset.transliterate(str(viewpoint.news(code, auction.player)))


def _player(view: View, player: int, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield a player's name, cards and points, and the crew."""
    crew = view.crews[player]
    parts = [
        viewpoint.charset.say("halunken:cards", cards=cards_left(view.cards[player], viewpoint)),
        shown_card(view.cards[player], viewpoint),
        _points(view, player, viewpoint),
    ]
    line = Text(f"{viewpoint.mark(player)} {viewpoint.who(player)}", "bold")
    line.align("left", _NAME)
    line.append(viewpoint.charset.say("between_parts").join(filter(None, parts)), "not bold")
    yield line
    yield from flowed(_CREW, list(_crew(crew, viewpoint)) or [viewpoint.charset.say("halunken:no_rogues")], WIDTH)


def _points(view: View, player: int, viewpoint: Viewpoint) -> str:
    """Return what the crew scores now, with the points of earlier hands before it."""
    points = view.crews[player].points
    if view.hand == 1:
        return viewpoint.charset.say("halunken:points", count=points)
    return viewpoint.charset.say("halunken:points_in_all", earlier=view.earlier[player], points=points)


def _crew(crew: Crew, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield each colour of a crew; the one that counts twice says so."""
    for group in crew.groups:
        # a text of its own, so that the word does not take the rogues' colour
        twice = f" {viewpoint.charset.say('halunken:twice')}" if group.colour == crew.doubled else ""
        yield Text.assemble(group_chip(group), twice)


def _row(spaces: Sequence[Space], viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield spaces beside each other: their dens, and below them the figures."""
    for cells in zip(*(_space(space, viewpoint) for space in spaces), strict=True):
        yield columns(cells, [_CELL] * len(spaces), "left")


def _space(space: Space, viewpoint: Viewpoint) -> tuple[Text, Text]:
    """Return a space: its number, the top rogue and how many lie below it; and the figures that stand there."""
    den = Text(f"{space.number:>{_FIGURE - 1}} ")
    if space.top:
        den.append_text(rogue_chip(space.top))
    elif not space.below:
        den.append(viewpoint.charset.nothing)
    if space.below:
        den.append(f" +{space.below}")
    return den, Text.assemble(" " * _FIGURE, (_figures(space.figures, viewpoint), "bold"))


def _figures(figures: Sequence[int], viewpoint: Viewpoint) -> str:
    """Return the figures on a space, shortened so that all of them fit."""
    room = _CELL - _FIGURE - len(figures)
    names = [_figure(figure, viewpoint, alone=len(figures) == 1) for figure in figures]
    return " ".join(
        viewpoint.charset.cut(name, max(room // len(names), room - cell_len("".join(names)) + cell_len(name)))
        for name in names
    )


def _figure(figure: int, viewpoint: Viewpoint, *, alone: bool) -> str:
    if figure == JACK:
        return viewpoint.charset.say("halunken:jack" if alone else "halunken:short_jack")
    return f"{viewpoint.mark(figure)} {viewpoint.who(figure)}"


def _middle(view: View, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield what lies in the middle of the ring: Black Jack's cards, who has hired him, and the rogues of the boat."""
    if view.jack is None:
        return
    shown = shown_card(view.jack, viewpoint)
    cards = viewpoint.charset.say("halunken:jack_cards", cards=cards_left(view.jack, viewpoint))
    yield Text(
        viewpoint.charset.cut(viewpoint.charset.say("between_parts").join(filter(None, (cards, shown))), _MIDDLE)
    )
    hired = "" if view.hirer is None else str(viewpoint.news("halunken:has_hired", view.hirer))
    yield Text.assemble((viewpoint.charset.cut(viewpoint.charset.transliterate(hired), _MIDDLE), "bold"))
    yield from flowed("", [f"{viewpoint.charset.say('halunken:boat')} ", *map(group_chip, view.boat)], _MIDDLE)


def _score_line(label: str, cells: Sequence[str], style: str = "") -> Text:
    line = columns([label, *cells], _SCORES)
    line.stylize(style)
    return line


def _colour_sum(crew: Crew, colour: str, viewpoint: Viewpoint) -> str:
    """Return the values of a crew's colour and their sum."""
    found = [group for group in crew.groups if group.colour == colour]
    if not found:
        return viewpoint.charset.nothing
    (group,) = found
    return f"{'+'.join(map(str, group.values))} = {group.sum}" if len(group.values) > 1 else str(group.sum)


def _twice(crew: Crew, viewpoint: Viewpoint) -> str:
    """Return the colour that counts twice, and its sum once more."""
    for group in crew.groups:
        if group.colour == crew.doubled:
            return f"{viewpoint.charset.transliterate(colour_words(group.colour))} +{group.sum}"
    return viewpoint.charset.nothing
