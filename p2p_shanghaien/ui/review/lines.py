"""An analysed game in lines of text, at most 80 columns wide when drawn."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from rich.text import Text

from p2p_shanghaien.analysis.annotate import (
    GAME,
    POINT,
    THRESHOLDS,
    Analysis,
    Annotated,
    Decision,
    Grade,
    MeanValue,
    Tally,
)
from p2p_shanghaien.games.api import Acted, Chosen, State, Terminal
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.review.plot import SIGNS, WIDTH, plot
from p2p_shanghaien.ui.snapshots import MoveNumber, closing, has_ended, move_numbers, stage_openings
from p2p_shanghaien.ui.view import Seating, Table, columns, table_of, told
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


def lines(
    record: Record,
    analysis: Analysis,
    seating: Seating,
    *,
    everything: bool = False,
    drawn: bool = True,
    width: int = WIDTH,
) -> Iterator[str | Text]:
    """Yield the game stage by stage, its curve and its sums, at most `width` columns wide when drawn.

    `everything` includes every decision and draw, not only the bad ones; `drawn` includes the plot.
    """
    where = list(move_numbers(record))
    if drawn:
        yield chances_title(record, where, seating)
        yield from map(Text, plot(analysis, where, seating, min(width, WIDTH)))
    yield signs()
    yield from _stages(record, analysis, where, seating, everything=everything)
    yield ""
    yield from sums(record, analysis, seating, width)
    yield explained(analysis)
    if not isinstance(record.last().node, Terminal):
        yield str(closing(record, seating))


def chances_title(record: Record, where: Sequence[MoveNumber], seating: Seating) -> str:
    """Return the caption of the curve: whose win probability, and over which stages."""
    who = seating.who(seating.near)
    if not where:
        return say("review_chances_nowhere", who=who)
    first, last = (say(f"{record.game.NAME}:stage_number", number=where[at].stage_number) for at in (0, -1))
    return say("review_chances", who=who, first=first, last=last)


def explained(analysis: Analysis) -> str:
    """Return the meaning of the terms of the sums."""
    terms = ["review_explained", *(["review_matchup_explained"] if analysis.has_simultaneous else [])]
    return " ".join(map(say, terms))


def signs(code: str = "review_signs") -> str:
    """Return the meaning of the signs at the curve, in the sentence of `code`."""
    worst, bad, slight = (percent(threshold, 0) for threshold in THRESHOLDS.values())
    return say(code, worst=worst, bad=bad, slight=slight, **SIGNS)


def _stages(
    record: Record, analysis: Analysis, where: Sequence[MoveNumber], seating: Seating, *, everything: bool
) -> Iterator[str]:
    positions = list(record.positions())
    quiet = False
    for annotated, place, opens in zip(analysis.steps, where, stage_openings(where), strict=True):
        before, after = positions[annotated.step : annotated.step + 2]
        if opens:
            if quiet:
                yield say("review_nothing_wrong")
            quiet = True
            chance = annotated.after.of_position(seating.near).chance
            yield ""
            stage = say(f"{record.game.NAME}:stage_number", number=place.stage_number)
            yield say("review_stage", stage=stage, who=seating.who(seating.near), chance=percent(chance))
        for sentence in of_step(record, annotated, place, (before, after), seating, everything=everything):
            quiet = False
            yield sentence
    if quiet:
        yield say("review_nothing_wrong")


def of_step(
    record: Record,
    annotated: Annotated,
    place: MoveNumber,
    positions: tuple[State, State],
    seating: Seating,
    *,
    everything: bool = True,
) -> Iterator[str]:
    """Yield the decisions of a step and their costs, and the luck of its draw or the matchup of its choices.

    `positions` are those before and after it. Without `everything`, only the bad decisions.
    """
    table, (before, after) = table_of(record.game.NAME), positions
    for chosen in annotated.chosen:
        if everything or chosen.grade:
            yield decision(chosen, place, before, table, seating)
    step = record.steps[annotated.step]
    if everything and not isinstance(step, Acted):
        code = "review_matchup_had" if isinstance(step, Chosen) else "review_luck"
        news = told(table, before, step, after, seating)
        player = seating.near if annotated.player is None else annotated.player
        yield changed(code, annotated, place, news, seating, player)


class Mark(NamedTuple):
    """A decision with a cost: its step, its place, and a sentence about it."""

    step: int
    place: MoveNumber
    decision: Decision
    sentence: str


def marks(record: Record, analysis: Analysis, seating: Seating) -> Iterator[Mark]:
    """Yield the decisions with a cost."""
    table = table_of(record.game.NAME)
    positions = list(record.positions())
    for annotated, place in zip(analysis.steps, move_numbers(record), strict=True):
        for chosen in annotated.chosen:
            if chosen.grade:
                sentence = decision(chosen, place, positions[annotated.step], table, seating)
                yield Mark(annotated.step, place, chosen, sentence)


def decision(decided: Decision, place: MoveNumber, before: State, table: Table[Any], seating: Seating) -> str:
    """Return the action, the better one, and the cost."""
    choices = table.choices(before, decided.player, before.legal(decided.player), seating)
    meanings = {choice.action: choice.words for choice in choices}
    details = {
        "place": str(place),
        "who": seating.who(decided.player),
        "action": decided.action,
        "words": meanings[decided.action],
        "best": decided.best,
        "better": meanings[decided.best],
        "chance": percent(decided.cost.chance),
        "points": points(decided.cost.points),
    }
    as_good = percent(decided.cost.chance) == percent(0)
    code = "decision" if as_good else decided.grade or "cost"
    return say(f"review_{code}", **details)


def changed(code: str, annotated: Annotated, place: MoveNumber, news: str, seating: Seating, player: int) -> str:
    """Return the effect for `player` of a draw or of simultaneous choices, which `news` tells."""
    chance, lead = annotated.change.seen_by(annotated.player).seen_by(player)
    change = {"chance": percent(chance, sign="+"), "points": points(lead, sign="+")}
    return say(code, place=str(place), told=news, who=seating.who(player), **change)


def sums(record: Record, analysis: Analysis, seating: Seating, width: int = WIDTH) -> Iterator[str | Text]:
    """Yield the sources of the results, and the quality of each player's decisions, as a table.

    It is in words if `width` is too small.
    """
    yield say("review_sums")
    if width < WIDTH:
        sides = [seating.who(player) for player in (seating.far, seating.near)]
        for name, cells in sum_rows(record, analysis, seating):
            each = (f"{who} {' '.join(cell.split())}" for who, cell in zip(sides, cells, strict=True))
            yield say("side_words", who=name, notes=say("between_parts").join(each))
        return
    names = [seating.charset.cut(seating.who(player), _TABLE[1] - 2) for player in (seating.far, seating.near)]
    head = columns(["", *names], _TABLE)
    head.stylize("bold")
    yield head
    for name, cells in sum_rows(record, analysis, seating):
        yield columns([seating.charset.cut(seating.charset.transliterate(name), _TABLE[0]), *cells], _TABLE)


def sum_rows(record: Record, analysis: Analysis, seating: Seating) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the rows of that table: a name, and a cell for the far and the near side.

    Exact sums stay exact as shown.
    """
    far, near = (analysis.tallies[player] for player in (seating.far, seating.near))

    def row(code: str, amounts: Iterable[MeanValue], sign: str = "+") -> tuple[str, tuple[str, str]]:
        first, second = (_shown(amount, sign) for amount in amounts)
        return say(f"review_{code}"), (first, second)

    start, luck, skill, matchup, given_up, result = zip(
        _parts(analysis, seating.far), _parts(analysis, seating.near), strict=True
    )
    yield row("start", start, "")
    yield row("luck_had", luck)
    yield row("skill", skill)
    if analysis.has_simultaneous:
        yield row("matchup", matchup)
    if analysis.given_up.chance:
        yield row("given_up", given_up)
    yield row("result" if has_ended(record) else "result_so_far", result, "")
    yield row("rolls", (far.rolls, near.rolls))
    yield row("lost", (far.lost, near.lost), "")
    yield row("mean", (mean_lost(far), mean_lost(near)), "")
    yield say("review_decisions"), (str(far.decisions), str(near.decisions))
    for code, grade in zip(("blunders", "mistakes", "inaccuracies"), Grade, strict=True):
        yield say(f"review_{code}"), (str(far.grades[grade]), str(near.grades[grade]))


def _parts(analysis: Analysis, player: int) -> tuple[MeanValue, ...]:
    """Return start, luck, skill, matchup, what was given up, and the result, rounded so that they add up to it.

    Their running totals are rounded: nothing is off by more than one in the last digit shown.
    """
    start, given_up = analysis.start.of_position(player), analysis.given_up.seen_by(player)
    total = before = MeanValue()
    parts: list[MeanValue] = []
    for part in (start, analysis.luck(player), analysis.skill(player), analysis.matchup(player), given_up):
        total = total.plus(part)
        now = MeanValue(*map(round, total, _LAST))
        parts.append(now.minus(before))
        before = now
    return *parts, before


def percent(millionths: int, digits: int = 1, sign: str = "") -> str:
    """Return a probability, or a change of one, in percent; with `+` also for a rise."""
    return f"{100 * millionths / GAME:{sign}z.{digits}f}"


def points(thousandths: int, sign: str = "") -> str:
    """Return points, or a change of them."""
    return f"{thousandths / POINT:{sign}z.2f}"


def mean_lost(tally: Tally) -> MeanValue:
    """Return the average cost of a player's decisions."""
    count = max(tally.decisions, 1)
    return MeanValue(round(tally.lost.chance / count), round(tally.lost.points / count))


def _shown(amount: MeanValue, sign: str) -> str:
    chance, lead = amount
    return f"{percent(chance, sign=sign)}% {points(lead, sign='+').rjust(_POINTS)}"
