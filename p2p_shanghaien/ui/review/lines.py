"""An analysed game in lines of text, at most 80 columns wide when drawn."""

from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from p2p_shanghaien.analysis.annotate import THRESHOLDS, Analysis, FixedValue, Grade, Tally
from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.ui.review.plot import SIGNS, WIDTH, plot
from p2p_shanghaien.ui.review.review import Review, percent, points
from p2p_shanghaien.ui.snapshots import closing, has_ended
from p2p_shanghaien.ui.view import columns
from p2p_shanghaien.ui.words import say

_TABLE: Final = (28, 26, 26)
"""Columns of the sums: the label; each player's win probability and points."""
_POINTS: Final = 10
"""Columns of the points."""
_LAST: Final = (-3, -1)
"""The last digits that are shown, for `round`: tenths of a percent in millionths, and hundredths of a point in
thousandths.

More is not known: values of positions are estimates.
"""


def lines(review: Review, *, everything: bool = False, drawn: bool = True, width: int = WIDTH) -> Iterator[str | Text]:
    """Yield the game stage by stage, its curve and its sums, at most `width` columns wide when drawn.

    `everything` includes every decision and draw, not only the bad ones; `drawn` includes the plot.
    """
    if drawn:
        yield chances_title(review)
        yield from map(Text, plot(review, min(width, WIDTH)))
    yield signs()
    yield from _stages(review, everything=everything)
    yield ""
    yield from sums(review, width)
    yield explained(review.analysis)
    if not isinstance(review.record.last().node, Terminal):
        yield str(closing(review.record, review.viewpoint))


def chances_title(review: Review) -> str:
    """Return the caption of the curve: whose win probability, and over which stages."""
    who = review.viewpoint.who(review.viewpoint.near)
    if not review.places:
        return say("review_chances_nowhere", who=who)
    first, last = (review.stage(review.places[at]) for at in (0, -1))
    return say("review_chances", who=who, first=first, last=last)


def explained(analysis: Analysis) -> str:
    """Return the meaning of the terms of the sums."""
    terms = ["review_explained", *(["review_matchup_explained"] if analysis.has_simultaneous else [])]
    return " ".join(map(say, terms))


def signs(code: str = "review_signs") -> str:
    """Return the meaning of the signs at the curve, in the sentence of `code`."""
    worst, bad, slight = (percent(threshold, 0) for threshold in THRESHOLDS.values())
    return say(code, worst=worst, bad=bad, slight=slight, **SIGNS)


def _stages(review: Review, *, everything: bool) -> Iterator[str]:
    near = review.viewpoint.near
    for place, steps in review.stages():
        chance = percent(steps[0].after.to_player(near).chance)
        yield ""
        yield say("review_stage", stage=review.stage(place), who=review.viewpoint.who(near), chance=chance)
        said = [each for step in steps for each in review.of_step(step, everything=everything)]
        yield from said or [say("review_nothing_wrong")]


def sums(review: Review, width: int = WIDTH) -> Iterator[str | Text]:
    """Yield the sources of the results, and the quality of each player's decisions, as a table.

    It is in words if `width` is too small.
    """
    yield say("review_sums")
    viewpoint = review.viewpoint
    sides = [viewpoint.who(player) for player in (viewpoint.far, viewpoint.near)]
    if width < WIDTH:
        for name, cells in sum_rows(review):
            each = (f"{who} {' '.join(cell.split())}" for who, cell in zip(sides, cells, strict=True))
            yield say("side_words", who=name, notes=say("between_parts").join(each))
        return
    head = columns(["", *(viewpoint.charset.cut(name, _TABLE[1] - 2) for name in sides)], _TABLE)
    head.stylize("bold")
    yield head
    for name, cells in sum_rows(review):
        yield columns([viewpoint.charset.cut(viewpoint.charset.transliterate(name), _TABLE[0]), *cells], _TABLE)


def sum_rows(review: Review) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the rows of that table: a name, and a cell for the far and the near side.

    Exact sums stay exact as shown.
    """
    analysis, sides = review.analysis, (review.viewpoint.far, review.viewpoint.near)
    far, near = (analysis.tallies[player] for player in sides)

    def row(code: str, amounts: Iterable[FixedValue], sign: str = "+") -> tuple[str, tuple[str, str]]:
        first, second = (_shown(amount, sign) for amount in amounts)
        return say(f"review_{code}"), (first, second)

    start, luck, skill, matchup, given_up, result = zip(*(_parts(analysis, player) for player in sides), strict=True)
    yield row("start", start, "")
    yield row("luck_had", luck)
    yield row("skill", skill)
    if analysis.has_simultaneous:
        yield row("matchup", matchup)
    if analysis.given_up.chance:
        yield row("given_up", given_up)
    yield row("result" if has_ended(review.record) else "result_so_far", result, "")
    yield row("rolls", (far.rolls, near.rolls))
    yield row("lost", (far.lost, near.lost), "")
    yield row("mean", (mean_lost(far), mean_lost(near)), "")
    yield say("review_decisions"), (str(far.decisions), str(near.decisions))
    for code, grade in zip(("blunders", "mistakes", "inaccuracies"), Grade, strict=True):
        yield say(f"review_{code}"), (str(far.grades[grade]), str(near.grades[grade]))


def _parts(analysis: Analysis, player: int) -> tuple[FixedValue, ...]:
    """Return start, luck, skill, matchup, what was given up, and the result, rounded so that they add up to it.

    Their running totals are rounded: nothing is off by more than one in the last digit shown.
    """
    start, given_up = analysis.start.to_player(player), analysis.given_up.change_to(player)
    total = before = FixedValue()
    parts: list[FixedValue] = []
    for part in (start, analysis.luck(player), analysis.skill(player), analysis.matchup(player), given_up):
        total = total.plus(part)
        now = FixedValue(*map(round, total, _LAST))
        parts.append(now.minus(before))
        before = now
    return *parts, before


def mean_lost(tally: Tally) -> FixedValue:
    """Return the average cost of a player's decisions."""
    count = max(tally.decisions, 1)
    return FixedValue(round(tally.lost.chance / count), round(tally.lost.points / count))


def _shown(amount: FixedValue, sign: str) -> str:
    chance, lead = amount
    return f"{percent(chance, sign=sign)}% {points(lead, sign='+').rjust(_POINTS)}"
