"""Shanghaien's table as a picture: the tavern with both players, or the outcome of a round, and the score table."""

from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.shanghaien.cards import AGAIN, BOTH, PLUS_MINUS, WILD, is_trick
from p2p_shanghaien.games.shanghaien.display import css
from p2p_shanghaien.games.shanghaien.display.answers import card_sentence, open_card_sentence
from p2p_shanghaien.games.shanghaien.display.draw import STYLES
from p2p_shanghaien.games.shanghaien.display.scores import score_panel
from p2p_shanghaien.games.shanghaien.display.story import kind, trick_words
from p2p_shanghaien.games.shanghaien.display.view import LEFT, RowCard, View
from p2p_shanghaien.games.shanghaien.rules import ROUNDS
from p2p_shanghaien.ui.picture import Markup, Panel, Part, Picture, box, dice_symbols, join, label, tag, use
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import listed, say

WIDTH: Final = 720
HEIGHT: Final = 564
EDGE: Final = 60
"""The units left and right of the row, where the captains stand."""
COLUMN: Final = 100
"""The units of a card with its dice."""
CARD: Final = (8, 242, 84, 128)
"""A card within its column: left, top, width, height."""
SIDES: Final = ((42, 138, 221), (476, 410, 390))
"""For the far and the near side: the tops of the player's strip and dice, the middle of the line beside the card."""
STRIP: Final = 84
"""The height of a player's strip."""


def _outline(path: str) -> Markup:
    return tag("path", d=path, class_="stroke")


def _ring(x: float, y: float, radius: float) -> Markup:
    return tag("circle", cx=x, cy=y, r=radius, class_="stroke")


def _dot(x: float, y: float, radius: float) -> Markup:
    return tag("circle", cx=x, cy=y, r=radius, class_="solid")


_SHAPES: Final = {
    f"trick-{PLUS_MINUS}": [label(24, 34, "±1", 29, class_="solid middle strong")],
    f"trick-{BOTH}": [
        box(4, 16, 24, 24, 6, class_="stroke", transform="rotate(-8 16 28)"),
        box(24, 6, 20, 20, 5, class_="stroke", transform="rotate(10 34 16)"),
        _dot(16, 28, 4),
        _dot(34, 16, 3.4),
    ],
    f"trick-{AGAIN}": [_outline("M39 18A17 17 0 1 0 41 27M40 7v12H28")],
    f"trick-{WILD}": [tag("path", d="M24 4l6 13 14 2-10 10 3 14-13-7-13 7 3-14L4 19l14-2z", class_="solid")],
    "anchor": [_outline("M24 14v28M15 20h18M7 29c1 8 8 13 17 13s16-5 17-13"), _ring(24, 9, 4.5)],
    "captain": [_ring(24, 24, 13), _dot(24, 24, 4), _outline("M24 3v42M3 24h42M9 9l30 30M39 9L9 39")],
}
SYMBOLS: Final = join(
    [
        dice_symbols(("dark", "light")),
        *(tag("symbol", *shape, id=name, viewBox="0 0 48 48") for name, shape in _SHAPES.items()),
    ]
)


def picture(view: View, ended: View | None, viewpoint: Viewpoint) -> Picture:
    """Return the whole table; `ended` is the table a step earlier, if a round has ended since."""
    tavern = tuple(_tavern(view, ended, viewpoint))
    panels = (Panel("shanghaien:panel_tavern", WIDTH, HEIGHT, tavern), score_panel(view, viewpoint, over=view.over))
    return Picture(SYMBOLS, panels, css.CSS_CLASSES)


def side_class(player: int, viewpoint: Viewpoint) -> str:
    """Return the style of a player's dice: those of the near side are light."""
    return "light" if player == viewpoint.near else "dark"


def _tavern(view: View, ended: View | None, viewpoint: Viewpoint) -> Iterator[Part]:
    yield _heading(view, ended, viewpoint)
    for player in (viewpoint.far, viewpoint.near):
        yield _strip(view, player, viewpoint)
    shown = ended or view
    if shown.places:
        yield from _ends(shown, viewpoint)
    for index, place in enumerate(shown.places):
        if place.number is None:
            yield from _open_column(index, place)
        else:
            yield from _column(index, place, place.number, viewpoint, decided=ended is not None)


def _heading(view: View, ended: View | None, viewpoint: Viewpoint) -> Part:
    if ended and ended.to_act is not None:
        called = str(viewpoint.news("shanghaien:called_shanghai", ended.to_act, round=ended.round))
        return Part(label(4, 26, called, 21, WIDTH - 8, class_="strong"), called)
    parts = [say("shanghaien:round_of", round=view.round, rounds=ROUNDS)]
    if view.places:
        begun = any(sum(place.contest.dice) for place in view.places)
        parts.append(str(viewpoint.news("shanghaien:started" if begun else "shanghaien:starts", view.starter)))
    parts.append(say("shanghaien:pile", count=view.pile))
    return Part(label(4, 26, " · ".join(parts), 21, WIDTH - 8, class_="strong"), f"{'; '.join(parts)}.")


def _strip(view: View, player: int, viewpoint: Viewpoint) -> Part:
    """Return a player's name, tricks, roll, and the dice that are left."""
    side = view.sides[player]
    top = SIDES[player == viewpoint.near][0]
    acting = view.to_act == player
    wins = view.over and view.scoring.totals[player] > view.scoring.totals[1 - player]
    die = side_class(player, viewpoint)
    drawn = [
        box(1.5, top, WIDTH - 3, STRIP, 12, class_="acting" if acting else "side"),
        use(f"{die}0", 14, top + 13, 24),
        label(46, top + 33, viewpoint.who(player), 22, 210, class_="strong"),
    ]
    if acting or wins:
        drawn.append(box(292, top + 12, 98, 28, 14, class_="pill"))
        word = say("shanghaien:to_move" if acting else "shanghaien:wins")
        drawn.append(label(341, top + 32, word, 16, 86, class_="on-pill middle strong"))
    step = min(31.0, 170 / max(len(side.tricks), 1))
    drawn += [use(f"{die}{face}", 406 + 58 * index, top + 15, 54) for index, face in enumerate(side.rolled)]
    drawn += [_trick_chip(letter, 14 + step * index, top + 48) for index, letter in enumerate(side.tricks)]
    held = trick_words(side.tricks) if side.tricks else say("shanghaien:no_tricks")
    begin = 14 + step * len(side.tricks) + (5 if side.tricks else 0)
    drawn.append(label(begin, top + 68, held, 16, 394 - begin, class_="faint"))
    notes = []
    if not view.ended:
        drawn += [use(f"{die}0", 686 - 29 * index, top + 14, 25) for index in range(side.supply)]
        notes = [
            say("shanghaien:supply", count=side.supply),
            *([say("shanghaien:trick_played")] if side.tricked else []),
        ]
        drawn.append(label(708, top + 68, ", ".join(notes), 16, 180, class_="faint end"))
    if side.rolled:
        notes.insert(1, say("shanghaien:rolled_dice", dice=listed(side.rolled)))
    notes.append(
        say("shanghaien:tricks_held", tricks=trick_words(side.tricks)) if side.tricks else say("shanghaien:no_tricks")
    )
    turn = str(viewpoint.news("shanghaien:has_turn", player)) if acting else ""
    told = say("side_words", who=viewpoint.who(player), notes="; ".join(notes))
    return Part(join(drawn), f"{told} {turn}".rstrip())


def _trick_chip(letter: str, x: float, y: float) -> Markup:
    chip = box(x, y, 28, 28, 6, class_=css.SEA)
    return tag("g", chip, use(f"trick-{letter}", x + 4, y + 4, 20), class_=css.ONSEA)


def _ends(view: View, viewpoint: Viewpoint) -> Iterator[Part]:
    """Yield the captains at number 1, and for each player whether a trick has been played."""
    ends = (0, 1) if view.places[0].number is None else (int(view.direction != LEFT),)
    for end in ends:
        for player in (viewpoint.far, viewpoint.near):
            used = len(ends) == 1 and view.sides[player].tricked
            captain = _captain(end, SIDES[player == viewpoint.near][1] + 29, used=used)
            yield Part(captain if len(ends) == 1 else tag("g", captain, class_=css.CAPTAIN_OPEN))
    if len(ends) == 1:
        yield _course(1 if ends == (0,) else -1)
        return
    yield Part(_head(WIDTH - EDGE + 22, SIDES[0][2], 1))
    yield Part(_head(EDGE - 22, SIDES[1][2], -1))


def _captain(end: int, y: float, *, used: bool) -> Markup:
    x = EDGE / 2 if end == 0 else WIDTH - EDGE / 2
    medal = tag("circle", cx=x, cy=y, r=23, class_=css.MEDAL_USED if used else css.MEDAL)
    cap = tag("g", use("captain", x - 15, y - 15, 30), class_=css.CAP_USED if used else css.CAP)
    return join((medal, cap))


def _course(way: int) -> Part:
    """Return the line along which the numbers rise."""
    y = SIDES[0][2]
    line = tag("path", d=f"M{EDGE} {y}H{WIDTH - EDGE}", class_=css.COURSE)
    return Part(join((line, _head(WIDTH - EDGE if way > 0 else EDGE, y, way))))


def _head(x: float, y: float, way: int) -> Markup:
    return tag("path", d=f"M{x} {y - 8}l{way * 12} 8l{-way * 12} 8z", class_=css.HEAD)


def _plate(x: float, y: float, number: int, *, is_open: bool = False) -> Markup:
    """Return the number of a card."""
    return join(
        (
            tag("circle", cx=x, cy=y, r=15, class_=css.PLATE_OPEN if is_open else css.PLATE),
            label(x, y + 6.5, str(number), 19, class_="middle strong" if is_open else "middle strong on-pill"),
        )
    )


def _open_column(index: int, place: RowCard) -> Iterator[Part]:
    """Yield a card while either end can be number 1: the upper number counts from the left, the lower the other way."""
    middle = CARD[0] + CARD[2] / 2
    yield Part(_at(index, [_card(place.card)]))
    drawn = [_plate(middle, SIDES[row][2], number, is_open=True) for row, number in enumerate(place.numbers)]
    yield Part(_at(index, drawn), open_card_sentence(place))


def _column(index: int, place: RowCard, number: int, viewpoint: Viewpoint, *, decided: bool) -> Iterator[Part]:
    """Yield a card, its `number`, the dice on it, and who takes it (`decided`) or would."""
    card, contest = place.card, place.contest
    out = decided and contest.taker is None
    yield Part(_at(index, [tag("g", _card(card), class_=css.OUT) if out else _card(card)]))
    drawn = [_plate(CARD[0] + 15, SIDES[0][2], number)]
    for player in (viewpoint.far, viewpoint.near):
        _, top, line = SIDES[player == viewpoint.near]
        near = player == viewpoint.near
        drawn += _dice(number, contest.dice[player], top, player, viewpoint)
        if decided and contest.neighbours is not None:
            beside = say("shanghaien:sum_beside", sum=contest.neighbours[player])
            at = (50 if near else 66, line + (8 if near else 5))
            # letters are drawn over their halo, as not every viewer supports `paint-order`
            drawn += [label(*at, beside, 15, 66, class_=class_) for class_ in ("middle halo", "middle")]
    if contest.taker is not None:
        drawn.append(_flag(contest.taker == viewpoint.near, side_class(contest.taker, viewpoint)))
    elif out:
        drawn.append(tag("path", d="M20 258L80 354M80 258L20 354", class_=css.COURSE))
    yield Part(_at(index, drawn), card_sentence(place, number, viewpoint, decided=decided))


def _at(index: int, drawn: list[Markup]) -> Markup:
    return tag("g", *drawn, transform=f"translate({EDGE + COLUMN * index} 0)")


def _dice(number: int, count: int, top: float, player: int, viewpoint: Viewpoint) -> Iterator[Markup]:
    """Yield a player's dice on a card, three beside each other, the first row next to the card."""
    near = player == viewpoint.near
    for index in range(count):
        row, place = divmod(index, 3)
        beside = min(3, count - 3 * row)
        x = COLUMN / 2 - beside * 14.5 + 29 * place
        yield use(f"{side_class(player, viewpoint)}{number}", x, top + (row if near else 1 - row) * 29, 28)


def _flag(near: bool, die: str) -> Markup:
    """Return a pennant at the card's edge towards the player who takes it."""
    if near:
        return tag("path", d="M36 366h28l-14 19z", class_=css.FLAGS[die])
    return tag("path", d="M36 246h28l-14-19z", class_=css.FLAGS[die])


def _card(card: str) -> Markup:
    """Return a card face up: nationality by colour, letter and word, and the value; or what the trick does."""
    left, top, width, height = CARD
    middle = left + width / 2
    trick = is_trick(card)
    text_styles, _, ground = STYLES[card[0]].partition(" on ")
    shade = {"class_": css.SEA} if trick else {"class_": css.CARD, "fill": ground}
    if trick:
        face = tag("g", use(f"trick-{card[1]}", middle - 25, top + 34, 50), class_=css.ONSEA)
        corner = card[1]
    else:
        colour = "white" if text_styles == "#ffffff" else "black"
        anchor = tag("g", use("anchor", left + 56, top + 8, 20), fill=text_styles, stroke=text_styles, opacity="0.75")
        face = join((label(middle, top + 83, card[1], 56, class_=f"middle strong {colour}"), anchor))
        corner = card[0]
    return join(
        (
            box(left, top, width, height, 10, **shade),
            face,
            tag("circle", cx=left + 17, cy=top + 17, r=12, class_=css.BAND),
            label(left + 17, top + 23, corner, 17, class_="middle strong black"),
            box(left + 4, top + 99, width - 8, 25, 7, class_=css.BAND),
            label(middle, top + 117, kind(card), 15, width - 14, class_="middle strong black"),
        )
    )
