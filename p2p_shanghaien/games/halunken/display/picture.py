"""Halunken's table as a picture: the ring of spaces round Black Jack and his boat, and both players' crews."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from p2p_shanghaien.games.halunken.display import css, panels
from p2p_shanghaien.games.halunken.display.answers import (
    boat_sentence,
    called,
    cards_sentence,
    crew_sentences,
    den_sentences,
    shown_sentence,
)
from p2p_shanghaien.games.halunken.display.frames import jack_space
from p2p_shanghaien.games.halunken.display.pieces import HIDDEN, PLACES
from p2p_shanghaien.games.halunken.display.view import Auction, Cards, Crew, Group, Space, View, view
from p2p_shanghaien.games.halunken.rogues import COLOURS
from p2p_shanghaien.games.halunken.rules import CARDS, JACK, State
from p2p_shanghaien.ui.picture import Markup, Panel, Part, Picture, box, join, label, tag, use
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say

WIDTH: Final = 760
HEIGHT: Final = 580
TOP: Final = 42
"""The units above the ring, for the heading."""
COLUMN, ROW = 152, 134
"""The units of a den across and down."""
INNER: Final = (COLUMN, TOP + ROW, 3 * COLUMN, 2 * ROW)
"""The place within the ring: left, top, width, height."""
CREWS: Final = 500
"""The width of the panel of the players."""
SIDE: Final = 282
"""The height of a player's part of it."""

SYMBOLS: Final = join(
    [
        tag(
            "symbol",
            tag("path", d="M10 45V38c0-6 4-10 9-12a11 11 0 1 1 10 0c5 2 9 6 9 12v7z", class_=style),
            *sign,
            id=name,
            viewBox="0 0 48 48",
        )
        for name, style, sign in (
            ("captain-light", css.PAWNS["light"], [tag("path", d="M17 12h14l-7 9z", class_=css.SIGNS["light"])]),
            ("captain-dark", css.PAWNS["dark"], [tag("path", d="M17 21h14l-7-9z", class_=css.SIGNS["dark"])]),
            ("jack", css.JACK, [tag("path", d="M24 9l7 8-7 8-7-8z", class_=css.SIGNS["dark"])]),
        )
    ]
)
"""The figures; their signs point to their sides of the table, as at the full screen."""


def picture(state: State, before: State | None, viewpoint: Viewpoint, *, ended: bool = False) -> Picture:
    """Return the whole table; if a hand has ended since `before`, with what it came to."""
    seen = view(state._replace(jack=jack_space(state)), ended=ended)
    awaited = "" if seen.ended else panels.awaited(state, viewpoint)
    ring = (
        _heading(seen, state, before, viewpoint),
        _quay(),
        *_dens(seen, viewpoint),
        *_inside(seen, awaited, viewpoint),
    )
    crews = tuple(_side(seen, player, viewpoint) for player in (viewpoint.far, viewpoint.near))
    both = (
        Panel("halunken:panel_ring", WIDTH, HEIGHT, ring),
        Panel("halunken:panel_crews", CREWS, HEIGHT, crews),
    )
    return Picture(SYMBOLS, both, css.CSS_CLASSES)


def figure(who: int, viewpoint: Viewpoint) -> str:
    """Return the symbol of a captain, or of Black Jack."""
    if who == JACK:
        return "jack"
    return "captain-light" if who == viewpoint.near else "captain-dark"


def _heading(seen: View, state: State, before: State | None, viewpoint: Viewpoint) -> Part:
    """Return the hand and the round; between hands, the points of the one that has just ended."""
    text = panels.heading(seen, viewpoint)
    if before is not None and before.hand < state.hand:
        near, far = (state.scores[player] - before.scores[player] for player in (viewpoint.near, viewpoint.far))
        names = {"who": viewpoint.who(viewpoint.near), "other": viewpoint.who(viewpoint.far)}
        text = say("halunken:hand_over", hand=before.hand, near=near, far=far, **names).rstrip(".")
    return Part(label(4, 26, text, 21, WIDTH - 8, class_="strong"), f"{text}.")


def _quay() -> Part:
    """Return an arrowhead between each two spaces, in the direction in which the figures go."""
    drawn = []
    for (column, row), (next_column, next_row) in pairwise([*PLACES, PLACES[0]]):
        x, y = COLUMN * (column + next_column + 1) / 2, TOP + ROW * (row + next_row + 1) / 2
        across, down = 5 * (next_column - column), 5 * (next_row - row)
        sides = f"{x - across - down} {y - down - across}L{x - across + down} {y - down + across}"
        drawn.append(tag("path", d=f"M{x + across} {y + down}L{sides}z", class_=css.WAY))
    return Part(join(drawn))


# The ring.


def _dens(seen: View, viewpoint: Viewpoint) -> Iterator[Part]:
    for space, (column, row) in zip(seen.spaces, PLACES, strict=True):
        drawn = [*_den(space), *_figures(space, viewpoint)]
        at = f"translate({column * COLUMN} {TOP + row * ROW})"
        yield Part(tag("g", *drawn, transform=at), den_sentences(space, viewpoint))


def _den(space: Space) -> Iterator[Markup]:
    yield box(5, 5, COLUMN - 10, ROW - 10, 14, class_=css.HERE if space.figures else css.DEN)
    yield label(18, 30, str(space.number), 19, class_="strong")
    for depth in range(space.below):
        yield box(18 + 6 * (space.below - depth), 44 - 4 * (space.below - depth), 58, 76, 8, class_=css.BACK)
    if space.top:
        yield rogue(space.top[0], space.top[1:], 18, 44)
    elif not space.below:
        yield box(18, 44, 58, 76, 8, class_=css.USED)
    count = space.below + bool(space.top)
    yield label(COLUMN - 16, 30, say("halunken:times", count=count), 17, class_="faint end")


def rogue(letter: str, value: str, x: float, y: float) -> Markup:
    """Return a rogue face up: its value, and the letter of its colour."""
    return join(
        (
            box(x, y, 58, 76, 8, class_=css.ROGUES[letter]),
            label(x + 29, y + 46, value, 34, class_="middle strong black"),
            label(x + 29, y + 69, letter, 19, class_="middle strong black"),
        )
    )


def _figures(space: Space, viewpoint: Viewpoint) -> Iterator[Markup]:
    """Yield the figures that stand before the den, each with its name."""
    size = 46 if len(space.figures) < 2 else 36
    for index, who in enumerate(space.figures):
        y = 46 + 38 * index - 8 * (len(space.figures) - 1)
        yield use(figure(who, viewpoint), 96, y, size)
        if len(space.figures) < 2:
            name = say("halunken:short_jack") if who == JACK else viewpoint.who(who)
            yield label(119, y + 62, name, 15, 54, class_="middle strong")


# Within the ring.


def _inside(seen: View, awaited: str, viewpoint: Viewpoint) -> Iterator[Part]:
    left, top, width, _ = INNER
    if seen.jack is not None:
        yield _jack(seen, seen.jack, left + 14, top + 10, width - 28, viewpoint)
        yield _boat(seen.boat, left + 14, top + 72, width - 28)
    if awaited:
        said = label(left + width / 2, top + 142, awaited, 19, width - 24, class_="middle strong")
        yield Part(said, f"{awaited}.")
    if seen.auction:
        yield _auction(seen.auction, left + 14, top + 156, width - 28, viewpoint)
    elif any(cards.shown for cards in _all_cards(seen)):
        yield from _shown(seen, left + 14, top + 150, width - 28, viewpoint)


def _all_cards(seen: View) -> Sequence[Cards]:
    return (*seen.cards, *((seen.jack,) if seen.jack else ()))


def _jack(seen: View, cards: Cards, x: float, y: float, width: float, viewpoint: Viewpoint) -> Part:
    """Return Black Jack's movement cards, and who has hired him."""
    hired = "" if seen.hirer is None else str(viewpoint.news("halunken:has_hired", seen.hirer))
    name = say("halunken:jack")
    drawn = [
        use("jack", x, y, 32),
        label(x + 40, y + 22, name, 18, 100, class_="strong"),
        *([label(x + width, y + 22, hired, 16, 270, class_="end")] if hired else []),
        _hand(cards.left, x, y + 36, 24),
    ]
    told = cards_sentence(cards, JACK, viewpoint)
    return Part(join(drawn), f"{told} {hired}".rstrip())


def _hand(left: str, x: float, y: float, size: float) -> Markup:
    """Return all eight movement cards: those left, and empty places for those used."""
    drawn = []
    for index, card in enumerate(CARDS):
        at = x + index * (size + 4)
        drawn.append(box(at, y, size, size * 1.1, 5, class_=css.CARD if card in left else css.USED))
        if card in left:
            drawn.append(label(at + size / 2, y + size * 0.82, card, size * 0.72, class_="middle strong"))
    return join(drawn)


def _boat(groups: Sequence[Group], x: float, y: float, width: float) -> Part:
    drawn = [label(x, y + 27, say("halunken:short_boat"), 17, 56, class_="faint")]
    drawn += _chips(groups, x + 62, y + 8, width - 62, 28)
    return Part(join(drawn), boat_sentence(groups))


def _chips(groups: Sequence[Group], x: float, y: float, width: float, size: float) -> Iterator[Markup]:
    """Yield rogues as chips beside each other, made narrower where there are many."""
    rogues = [(group.colour, value) for group in groups for value in group.values]
    step = min(size * 1.6, width / max(len(rogues), 1))
    for index, (letter, value) in enumerate(rogues):
        yield _chip(letter, value, x + step * index, y, step - 3, size)


def _chip(letter: str, value: int, x: float, y: float, width: float, height: float) -> Markup:
    face = box(x, y, width, height, 6, class_=css.ROGUES[letter])
    text = label(
        x + width / 2, y + height * 0.74, f"{letter}{value}", height * 0.62, width - 3, class_="middle strong black"
    )
    return join((face, text))


def _auction(standing: Auction, x: float, y: float, width: float, viewpoint: Viewpoint) -> Part:
    """Return how the auction stands."""
    lines = [str(news) for news in panels.auction(standing, viewpoint)]
    drawn = [
        label(x + width / 2, y + 16 + 26 * index, line, 18, width, class_="middle") for index, line in enumerate(lines)
    ]
    if standing.bid:
        drawn.append(_chip(standing.bid[0], int(standing.bid[1:]), x + width / 2 - 34, y + 52, 68, 38))
        lines.append(standing.bid)
    return Part(join(drawn), " ".join(f"{line}." for line in lines))


def _shown(seen: View, x: float, y: float, width: float, viewpoint: Viewpoint) -> Iterator[Part]:
    """Yield the cards of this round, whose they are, and how far they lead."""
    places = [viewpoint.far, viewpoint.near] + ([JACK] if seen.jack else [])
    room = width / 3
    for column, place in enumerate(places):
        cards = _all_cards(seen)[place]
        if not cards.shown:
            continue
        middle = x + room * (column + 0.5)
        hidden = cards.shown == HIDDEN
        drawn = [box(middle - 26, y, 52, 64, 8, class_=css.BACK if hidden else css.CARD)]
        if not hidden:
            drawn.append(label(middle, y + 45, cards.shown, 36, class_="middle strong"))
        drawn.append(label(middle, y + 84, called(place, viewpoint), 17, room - 8, class_="middle strong"))
        meaning = panels.meaning(cards)
        drawn.append(label(middle, y + 105, meaning, 16, room - 8, class_="middle faint"))
        yield Part(join(drawn), shown_sentence(cards, place, viewpoint))


# The players.


def _side(seen: View, player: int, viewpoint: Viewpoint) -> Part:
    """Return a player's name and points, the movement cards, and the crew by colour."""
    top = 2 if player == viewpoint.far else HEIGHT - SIDE - 2
    crew, cards = seen.crews[player], seen.cards[player]
    acting = player in seen.deciding
    total = seen.earlier[player] if seen.over else seen.earlier[player] + crew.points
    wins = seen.over and seen.earlier[player] > seen.earlier[1 - player]
    drawn = [
        box(1.5, top, CREWS - 3, SIDE, 12, class_="acting" if acting else "side"),
        use(figure(player, viewpoint), 12, top + 8, 34),
        label(54, top + 33, viewpoint.who(player), 22, 210, class_="strong"),
        label(CREWS - 16, top + 33, say("halunken:points", count=total), 21, 116, class_="strong end"),
    ]
    if acting or wins:
        drawn.append(box(272, top + 12, 92, 28, 14, class_="pill"))
        word = say("halunken:to_move" if acting else "halunken:wins")
        drawn.append(label(318, top + 32, word, 16, 82, class_="on-pill middle strong"))
    drawn.append(_hand(cards.left, 16, top + 52, 36))
    groups = {group.colour: group for group in crew.groups}
    for row, letter in enumerate(COLOURS):
        drawn += _colour(letter, groups.get(letter), crew, top + 106 + 43 * row)
    return Part(join(drawn), _side_words(seen, player, viewpoint))


def _colour(letter: str, group: Group | None, crew: Crew, y: float) -> Iterator[Markup]:
    """Yield a line of a crew: the rogues of one colour, their sum, and that it counts twice."""
    yield box(16, y, 92, 34, 8, class_=css.ROGUES[letter])
    yield label(62, y + 23, f"{letter} {say(f'halunken:colour_{letter}')}", 17, 84, class_="middle strong black")
    if group is None:
        return
    values = " ".join(map(str, group.values))
    yield label(122, y + 25, values, 22, 250, class_="strong")
    yield label(430, y + 25, str(group.sum), 20, class_="end")
    if letter == crew.doubled:
        yield box(440, y + 2, 46, 30, 15, class_="pill")
        yield label(463, y + 23, "x2", 17, 40, class_="on-pill middle strong")


def _side_words(seen: View, player: int, viewpoint: Viewpoint) -> str:
    told = [*crew_sentences(seen, player, viewpoint), cards_sentence(seen.cards[player], player, viewpoint)]
    if player in seen.deciding:
        told.append(str(viewpoint.news("halunken:has_turn", player)))
    return " ".join(told)
