"""Shanghaien's table in lines of text, at most 80 cells wide, with colour as an extra and never alone."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.display.story import kind, trick_words
from p2p_shanghaien.games.shanghaien.display.view import Overview, RowCard, Scoring, Standing, View
from p2p_shanghaien.games.shanghaien.rules import ROUNDS, ROW
from p2p_shanghaien.games.shanghaien.scoring import Contest
from p2p_shanghaien.ui.view import Viewpoint, columns
from p2p_shanghaien.ui.words import listed, say

WIDTH: Final = 80
STYLES: Final = {
    "A": "#000000 on #d55e00",
    "F": "#000000 on #56b4e9",
    "G": "#ffffff on #0072b2",
    "C": "#000000 on #f0e442",
    "D": "#000000 on #e69f00",
    "T": "#000000 on #cc79a7",
    "S": "#000000 on #009e73",
    "I": "#000000 on #bbbbbb",
    "X": "reverse",
}
"""The cards' colours in the palette of Okabe and Ito, which colour-blind people can distinguish."""

_ROW: Final = (13, *[11] * ROW)
"""The cells of the columns around the tavern row, the label's first."""
_TABLE: Final = (6, *[8] * len(NATIONALITIES), 6, 4)
"""The cells of the score table's columns: label, nationalities, tricks, sum."""
_ENDING: Final = (14, 9, 4, 9, 4)
"""The cells of the scoring's columns: the item; the far side's crew and points; the near side's."""


def position(view: View, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the tavern row between both players, and the score table."""
    yield _heading(view, viewpoint)
    if view.places:
        yield _side(view, viewpoint.far, viewpoint)
        yield _dice(view.places, viewpoint.far, viewpoint)
        yield from _numbers(view.places, viewpoint)
        yield _row("", *(_leading(place, viewpoint) for place in view.places))
        yield _row("", *_apart([viewpoint.charset.transliterate(kind(place.card)) for place in view.places], viewpoint))
        yield _dice(view.places, viewpoint.near, viewpoint)
        yield _side(view, viewpoint.near, viewpoint)
    yield from _score_table(view, viewpoint)


def overview(result: Overview, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the outcome of a round: both dice counts of each card, the neighbour sums if they decided, the taker."""
    decided = [contest for _, contest in result.decided]
    cards = [Text.assemble(f"{n} ", _chip(card)) for n, (card, _) in enumerate(result.decided, start=1)]
    yield _row(viewpoint.charset.say("shanghaien:round_was", round=result.round), *cards)
    for player in (viewpoint.far, viewpoint.near):
        yield _row(_name(player, viewpoint, _ROW[0]), *(_count(contest, player, viewpoint) for contest in decided))
    yield _row(viewpoint.charset.say("shanghaien:taken_by"), *(_taker(contest, viewpoint) for contest in decided))


def ending(scoring: Scoring, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the scoring, nationality by nationality, then the unused tricks and the totals."""
    sides = (viewpoint.far, viewpoint.near)
    names = [_name(player, viewpoint, _ENDING[1] + _ENDING[2]) for player in sides]
    head = columns([viewpoint.charset.say("shanghaien:scoring"), *names], (_ENDING[0], *[_ENDING[1] + _ENDING[2]] * 2))
    head.stylize("bold")
    yield head
    for standing in scoring.standings:
        cells: list[str | Text] = [_heading_word("heading", standing.nationality, viewpoint)]
        for player in sides:
            cells += [_crew(standing, player, _ENDING[1]), _points(standing, player, viewpoint)]
        yield Text.assemble(columns(cells, _ENDING), f"  {viewpoint.charset.transliterate(reason(standing))}")
    tricks = [str(scoring.tricks[player]) for player in sides]
    line = columns([viewpoint.charset.say("shanghaien:unused_tricks"), "", tricks[0], "", tricks[1]], _ENDING)
    yield Text.assemble(line, f"  {viewpoint.charset.say('shanghaien:trick_scores')}")
    totals = [str(scoring.totals[player]) for player in sides]
    total = columns([viewpoint.charset.say("shanghaien:total"), "", totals[0], "", totals[1]], _ENDING)
    total.stylize("bold")
    yield total


def _row(*cells: str | Text) -> Text:
    return columns(cells, _ROW, "center")


def _heading(view: View, viewpoint: Viewpoint) -> Text:
    parts = [viewpoint.charset.say("shanghaien:round_of", round=view.round, rounds=ROUNDS)]
    if view.places:
        begun = any(sum(place.contest.dice) for place in view.places)
        parts.append(
            viewpoint.charset.transliterate(
                str(viewpoint.news("shanghaien:started" if begun else "shanghaien:starts", view.starter))
            )
        )
    parts.append(viewpoint.charset.say("shanghaien:pile", count=view.pile))
    # a screen reader would read out a drawn line, dash after dash
    return Text(viewpoint.charset.say("between_parts").join(parts), style="bold")


def _side(view: View, player: int, viewpoint: Viewpoint) -> Text:
    """Return a player's name, dice and tricks: in words, or by letter or number where there is no room for words."""
    side = view.sides[player]
    dice = [viewpoint.charset.say("shanghaien:supply", count=side.supply)]
    if side.rolled:
        dice.append(viewpoint.charset.say("shanghaien:rolled_dice", dice=listed(side.rolled)))
    played = [viewpoint.charset.say("shanghaien:trick_played")] if side.tricked else []
    words = viewpoint.charset.transliterate(trick_words(side.tricks))
    for tricks in (words, " ".join(side.tricks), str(len(side.tricks))):
        held = (
            viewpoint.charset.say("shanghaien:tricks_held", tricks=tricks)
            if side.tricks
            else viewpoint.charset.say("shanghaien:no_tricks")
        )
        line = Text(_name(player, viewpoint, _ROW[0]))
        line.align("left", _ROW[0])
        line.stylize("bold")
        line.append(viewpoint.charset.say("between_parts").join([*dice, held, *played]))
        if line.cell_len <= WIDTH:
            break
    return line


def _dice(places: Sequence[RowCard], player: int, viewpoint: Viewpoint) -> Text:
    """Return a player's dice on their side of the row; each shows its card's number."""
    cells = [" ".join([str(place.number)] * place.contest.dice[player]) for place in places]
    return _row("", *(Text().append(cell, "bold") if cell else viewpoint.charset.nothing for cell in cells))


def _numbers(places: Sequence[RowCard], viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield the cards' numbers, both ways while the direction is open."""
    if places[0].number is not None:
        yield _row(viewpoint.charset.say("shanghaien:number"), *(str(place.number) for place in places))
        return
    for end, label in enumerate(
        (viewpoint.charset.say("shanghaien:one_left"), viewpoint.charset.say("shanghaien:one_right"))
    ):
        yield _row(label, *(str(place.numbers[end]) for place in places))


def _apart(words: Sequence[str], viewpoint: Viewpoint) -> Iterator[str]:
    """Yield words that fill their columns, cut where they would touch the next one."""
    for word, following in pairwise([*words, ""]):
        touches = min(cell_len(word), cell_len(following)) >= _ROW[1]
        yield viewpoint.charset.cut(word, _ROW[1] - 1) if touches else word


def _chip(card: str) -> Text:
    return Text().append(f" {card} ", STYLES[card[0]])


def _leading(place: RowCard, viewpoint: Viewpoint) -> Text:
    """Return the card, with an arrow to the player who would take it now."""
    taker = place.contest.taker
    return Text.assemble(" " if taker is None else viewpoint.mark(taker), _chip(place.card), " ")


def _name(player: int, viewpoint: Viewpoint, cells: int) -> str:
    return viewpoint.charset.cut(viewpoint.who(player), cells - 1)


def _score_table(view: View, viewpoint: Viewpoint) -> Iterator[Text]:
    """Yield both crews and their present scores, then what may still change them."""
    scoring = view.scoring
    standings = scoring.standings
    words = [_heading_word("short_heading", standing.nationality, viewpoint) for standing in standings]
    yield columns(
        ["", *words, viewpoint.charset.say("shanghaien:trick"), viewpoint.charset.say("shanghaien:sum")], _TABLE
    )
    for player in (viewpoint.far, viewpoint.near):
        crews = [_crew(standing, player, _TABLE[1]) for standing in standings]
        tricks = view.sides[player].tricks
        held = tricks if len(tricks) < _TABLE[-2] else ""
        name = columns([_name(player, viewpoint, _TABLE[0]), *crews, held, ""], _TABLE)
        name.stylize("bold", 0, _TABLE[0])
        yield name
        points = [_points(standing, player, viewpoint) for standing in standings]
        total = Text(str(scoring.totals[player]), "bold")
        yield columns([viewpoint.charset.say("shanghaien:points"), *points, str(scoring.tricks[player]), total], _TABLE)
    tavern = [standing.tavern or viewpoint.charset.nothing for standing in standings]
    yield columns([viewpoint.charset.say("shanghaien:on_table"), *tavern, str(scoring.tricks_in_tavern), ""], _TABLE)
    to_come = [standing.to_come or viewpoint.charset.nothing for standing in standings]
    yield columns([viewpoint.charset.say("shanghaien:to_come"), *to_come, str(scoring.tricks_to_come), ""], _TABLE)


def _heading_word(form: str, nationality: str, viewpoint: Viewpoint) -> Text:
    """Return a nationality, beginning with its letter: the words of `heading` or `short_heading`."""
    return Text().append(viewpoint.charset.say(f"shanghaien:{form}_{nationality}"), STYLES[nationality])


def _crew(standing: Standing, player: int, cells: int) -> str:
    """Return the cards of a nationality and their strength, or the strength alone if that gets too wide."""
    if not standing.strengths[player]:
        return ""
    strength = f"={standing.strengths[player]}"
    whole = standing.crews[player] + strength
    return whole if len(whole) < cells else strength


def _points(standing: Standing, player: int, viewpoint: Viewpoint) -> str:
    """Return a nationality's points: 0 for a crew that scores none, a dot without a crew."""
    return str(standing.points[player]) if standing.strengths[player] else viewpoint.charset.nothing


def reason(standing: Standing) -> str:
    """Return the reason for a nationality's points, in a few words."""
    first, second = standing.strengths
    if not first and not second:
        return say("shanghaien:held_by_none")
    if not first or not second:
        return say("shanghaien:held_alone")
    return (
        say("shanghaien:equal_crews")
        if first == second
        else say("shanghaien:stronger_leaves", points=max(standing.points))
    )


def _count(contest: Contest, player: int, viewpoint: Viewpoint) -> str:
    count = contest.dice[player]
    if contest.neighbours is None:
        return str(count)
    return viewpoint.charset.say("shanghaien:beside", count=count, sum=contest.neighbours[player])


def _taker(contest: Contest, viewpoint: Viewpoint) -> str:
    if contest.taker is None:
        return viewpoint.charset.say("shanghaien:nobody")
    return f"{viewpoint.mark(contest.taker)} {_name(contest.taker, viewpoint, _ROW[1] - 2)}"
