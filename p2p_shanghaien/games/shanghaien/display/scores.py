"""Shanghaien's score table as a panel of a picture: crews, their scores, and sailors to come or the reasons."""

from collections.abc import Iterator
from typing import Final

from p2p_shanghaien.games.shanghaien.display import css
from p2p_shanghaien.games.shanghaien.display.draw import STYLES, reason
from p2p_shanghaien.games.shanghaien.display.view import Scoring, Standing, View
from p2p_shanghaien.ui.picture import Markup, Panel, Part, box, join, label, tag, use
from p2p_shanghaien.ui.view import Viewpoint
from p2p_shanghaien.ui.words import say

WIDTH: Final = 570
WIDER: Final = 730
"""The width of the table, and of the one that gives reasons, in units."""
HEIGHT: Final = 532
TOP: Final = 42
ROW: Final = 47
CREWS: Final = (132, 284)
"""The left ends of the columns of the far and the near side."""
CREW: Final = 108
POINTS: Final = 138
"""The width of a crew from there, and the right end of its points."""
REST: Final = 436
"""The left end of the column of sailors to come, or of the reason."""


def score_panel(view: View, viewpoint: Viewpoint, *, over: bool) -> Panel:
    """Return the score table; with the reasons in place of the sailors to come once the game is over."""
    width = WIDER if over else WIDTH
    parts = (
        _head(viewpoint, width, over),
        *_rows(view.scoring, viewpoint, width, over),
        _tricks(view.scoring, viewpoint, width, over),
        _totals(view.scoring, viewpoint),
    )
    return Panel("shanghaien:panel_scores", width, HEIGHT, parts)


def _head(viewpoint: Viewpoint, width: int, over: bool) -> Part:
    drawn = [label(4, 26, say("shanghaien:scoring"), 21, 124, class_="strong")]
    for x, player in zip(CREWS, (viewpoint.far, viewpoint.near), strict=True):
        die = "light" if player == viewpoint.near else "dark"
        drawn += [use(f"{die}0", x, 8, 22), label(x + 28, 26, viewpoint.who(player), 19, POINTS - 30, class_="strong")]
    if not over:
        drawn += [
            label(REST + 62, 26, say("shanghaien:on_table"), 16, 66, class_="faint end"),
            label(width - 4, 26, say("shanghaien:to_come"), 16, 62, class_="faint end"),
        ]
    return Part(join(drawn))


def _rows(scoring: Scoring, viewpoint: Viewpoint, width: int, over: bool) -> Iterator[Part]:
    for index, standing in enumerate(scoring.standings):
        y = TOP + ROW * index
        letter = standing.nationality
        text_styles, _, ground = STYLES[letter].partition(" on ")
        colour = "white" if text_styles == "#ffffff" else "black"
        name = say(f"shanghaien:nationality_{letter}")
        drawn = [
            _line(y, width),
            box(4, y + 7, 118, 33, 8, class_=css.CARD, fill=ground),
            tag("circle", cx=21, cy=y + 23.5, r=11, class_=css.BAND),
            label(21, y + 29, letter, 15, class_="middle strong black"),
            label(38, y + 29, name, 16, 82, class_=f"strong {colour}"),
        ]
        held = []
        for x, player in zip(CREWS, (viewpoint.far, viewpoint.near), strict=True):
            if standing.strengths[player]:
                drawn += _crew(standing, player, x, y)
                held.append(_crew_words(standing, player, viewpoint))
        if over:
            drawn.append(label(REST + 14, y + 29, reason(standing), 15, width - REST - 18, class_="faint"))
            rest = reason(standing)
        else:
            drawn += _to_come(standing, y, width)
            rest = say(
                "shanghaien:cards_to_come",
                tavern=standing.tavern or say("nothing"),
                pile=standing.to_come or say("nothing"),
            )
        yield Part(join(drawn), _told(name, *(held or [say("shanghaien:held_by_none")]), rest))


def _crew(standing: Standing, player: int, x: float, y: float) -> Iterator[Markup]:
    """Yield the cards of a crew, their strength below, and the points at the right."""
    text_styles, _, ground = STYLES[standing.nationality].partition(" on ")
    colour = "white" if text_styles == "#ffffff" else "black"
    marks = standing.crews[player]
    step = min(21.0, (CREW - 19) / max(len(marks) - 1, 1))
    for index, mark in enumerate(marks):
        at = x + step * index
        if mark.isdigit():
            yield box(at, y + 4, 19, 22, 4, class_=css.CARD, fill=ground)
            yield label(at + 9.5, y + 20.5, mark, 15, class_=f"middle strong {colour}")
        else:
            yield box(at, y + 4, 19, 22, 4, class_=css.SEA)
            yield tag("g", use(f"trick-{mark}", at + 2.5, y + 8, 14), class_=css.ONSEA)
    yield label(x, y + 42, say("shanghaien:strength_is", strength=standing.strengths[player]), 13, CREW, class_="faint")
    points = standing.points[player]
    yield label(x + POINTS, y + 31, str(points), 22, class_="strong end" if points else "faint end")


def _crew_words(standing: Standing, player: int, viewpoint: Viewpoint) -> str:
    cards = " ".join(standing.crews[player])
    points = say("shanghaien:points_of", count=standing.points[player])
    return say(
        "shanghaien:crew_words",
        who=viewpoint.who(player),
        cards=cards,
        strength=standing.strengths[player],
        points=points,
    )


def _to_come(standing: Standing, y: float, width: int) -> Iterator[Markup]:
    if standing.tavern:
        yield label(REST + 62, y + 30, standing.tavern, 18, 60, class_="strong end")
    if standing.to_come:
        yield label(width - 4, y + 30, standing.to_come, 18, 62, class_="faint end")


def _tricks(scoring: Scoring, viewpoint: Viewpoint, width: int, over: bool) -> Part:
    y = TOP + ROW * len(scoring.standings)
    drawn = [
        _line(y, width),
        box(4, y + 7, 118, 33, 8, class_=css.SEA),
        label(14, y + 29, say("shanghaien:unused_tricks"), 15, 100, class_="strong white"),
    ]
    held = []
    for x, player in zip(CREWS, (viewpoint.far, viewpoint.near), strict=True):
        points = scoring.tricks[player]
        drawn.append(label(x + POINTS, y + 31, str(points), 22, class_="strong end" if points else "faint end"))
        held.append(f"{viewpoint.who(player)} {points}")
    if over:
        rest = say("shanghaien:trick_scores")
        drawn.append(label(REST + 14, y + 29, rest, 15, width - REST - 18, class_="faint"))
    else:
        counts = (scoring.tricks_in_tavern, scoring.tricks_to_come)
        rest = say("shanghaien:cards_to_come", tavern=counts[0], pile=counts[1])
        drawn.append(label(REST + 62, y + 30, str(counts[0]), 18, class_="strong end"))
        drawn.append(label(width - 4, y + 30, str(counts[1]), 18, class_="faint end"))
    return Part(join(drawn), _told(say("shanghaien:unused_tricks"), *held, rest))


def _totals(scoring: Scoring, viewpoint: Viewpoint) -> Part:
    y = TOP + ROW * (len(scoring.standings) + 1)
    drawn = [
        box(1.5, y + 3, CREWS[1] + POINTS + 8, 60, 12, class_="side"),
        label(14, y + 42, say("shanghaien:total"), 22, 110, class_="strong"),
    ]
    held = []
    for x, player in zip(CREWS, (viewpoint.far, viewpoint.near), strict=True):
        points = scoring.totals[player]
        drawn.append(label(x + POINTS, y + 45, str(points), 34, class_="strong end"))
        held.append(f"{viewpoint.who(player)} {points}")
    return Part(join(drawn), say("shanghaien:totals_words", totals=", ".join(held)))


def _told(name: str, *notes: str) -> str:
    """Return a row of the table in words, without repetition."""
    return say("side_words", who=name, notes=say("between_parts").join(dict.fromkeys(notes)))


def _line(y: float, width: int) -> Markup:
    return tag("path", d=f"M2 {y + 0.5}H{width - 2}", class_="rule")
