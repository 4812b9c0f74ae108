"""An analysed game in lines of text, at most 80 columns where they are drawn."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.games.api import Acted, Over, State
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui import tables
from p2p_shanghaien.ui.review.plot import SIGNS, plot
from p2p_shanghaien.ui.review.view import GAME, GRADES, Amount, Moment, Review, Share, percent, places, points
from p2p_shanghaien.ui.stops import Place, closing
from p2p_shanghaien.ui.view import News, Seating, Table
from p2p_shanghaien.ui.words import say

_TABLE: Final = (25, 13, 12)
"""Columns of the sums: what it is; a player's chance, and points."""


def lines(
    record: Record,
    review: Review,
    thresholds: Sequence[int],
    seating: Seating,
    *,
    everything: bool = False,
    drawn: bool = True,
) -> Iterator[str | Text]:
    """The game round by round, its curve and its sums. `thresholds` are those of GRADES, in millionths.

    `everything` has every decision and draw, not only what was worse than it should be; `drawn` has the plot.
    """
    where = list(places(record))
    if drawn:
        rounds = where[-1].round if where else 0
        yield say("review_chances", who=seating.who(seating.near), count=rounds)
        yield from map(Text, plot(review, where, seating))
    worst, bad, slight = (percent(threshold, 0) for threshold in thresholds)
    signs = dict(zip(GRADES, SIGNS.values(), strict=True))
    yield say("review_signs", worst=worst, bad=bad, slight=slight, **signs)
    yield from _rounds(record, review, where, seating, everything=everything)
    yield ""
    yield from sums(review.shares, seating, finished=record.ended is not None or isinstance(record.last().waits, Over))
    yield say("review_explained")
    if not isinstance(record.last().waits, Over):
        yield str(closing(record, seating))


def _rounds(
    record: Record, review: Review, where: Sequence[Place], seating: Seating, *, everything: bool
) -> Iterator[str]:
    table = tables.table(record.game.NAME)
    positions = list(record.positions())
    quiet = False
    for moment, place in zip(review.moments, where, strict=True):
        before, after = positions[moment.step : moment.step + 2]
        if not place.turn:
            if quiet:
                yield say("review_nothing_wrong")
            quiet = True
            chance = moment.chance if seating.near == 0 else GAME - moment.chance
            yield ""
            yield say("review_round", round=place.round, who=seating.who(seating.near), chance=percent(chance))
        step = record.steps[moment.step]
        if moment.action and (everything or moment.grade):
            quiet = False
            yield _decision(moment, place, before, table, seating)
        elif everything and not isinstance(step, Acted):
            quiet = False
            yield _luck(moment, place, table.news(before, step, after, seating), seating)
    if quiet:
        yield say("review_nothing_wrong")


def _decision(moment: Moment, place: Place, before: State, table: Table, seating: Seating) -> str:
    """What was chosen, what would have been better, and what that cost."""
    assert moment.player is not None
    assert moment.action is not None
    assert moment.best is not None
    choices = table.choices(before, moment.player, before.legal(moment.player), seating)
    meanings = {choice.action: choice.words for choice in choices}
    details = {
        "place": str(place),
        "who": seating.who(moment.player),
        "action": moment.action,
        "words": meanings[moment.action],
        "best": moment.best,
        "better": meanings[moment.best],
        "chance": percent(moment.cost[0]),
        "points": points(moment.cost[1]),
    }
    as_good = percent(moment.cost[0]) == percent(0)
    code = "decision" if as_good else moment.grade or "cost"
    return say(f"review_{code}", **details)


def _luck(moment: Moment, place: Place, told: Iterable[News], seating: Seating) -> str:
    """What was drawn, and how lucky that was for whoever drew; of what is nobody's draw, for the near side."""
    player = seating.near if moment.player is None else moment.player
    chance, lead = moment.luck
    if moment.player is None and player == 1:
        chance, lead = -chance, -lead
    luck = {"chance": percent(chance, sign="+"), "points": points(lead, sign="+")}
    return say("review_luck", place=str(place), told=" ".join(map(str, told)), who=seating.who(player), **luck)


def sums(shares: tuple[Share, Share], seating: Seating, *, finished: bool) -> Iterator[str | Text]:
    """What the results came from, to the last digit, so that the columns add up; then how well each decided."""
    both = (shares[seating.far], shares[seating.near])
    yield say("review_sums")
    names = [seating.cut(seating.who(player), sum(_TABLE[1:]) - 2) for player in (seating.far, seating.near)]
    head = Text("".rjust(_TABLE[0]))
    for name in names:
        cell = Text(name)
        cell.align("right", sum(_TABLE[1:]))
        head.append_text(cell)
    head.stylize("bold")
    yield head
    yield _exactly("review_start", [share.start for share in both], seating, sign="")
    yield _exactly("review_luck_had", [share.luck for share in both], seating)
    yield _exactly("review_skill", [share.skill for share in both], seating)
    if any(share.given_up[0] for share in both):
        yield _exactly("review_given_up", [share.given_up for share in both], seating)
    code = "review_result" if finished else "review_result_so_far"
    yield _exactly(code, [share.result for share in both], seating, sign="")
    yield _exactly("review_rolls", [share.rolls for share in both], seating)
    yield _exactly("review_lost", [share.lost for share in both], seating, sign="")
    yield _exactly("review_mean", [_mean(share) for share in both], seating, sign="")
    yield _counts("review_decisions", [share.decisions for share in both], seating)
    for code, *counts in zip(("blunders", "mistakes", "inaccuracies"), *(share.grades for share in both), strict=True):
        yield _counts(f"review_{code}", counts, seating)


def _mean(share: Share) -> Amount:
    count = max(share.decisions, 1)
    return round(share.lost[0] / count), round(share.lost[1] / count)


def _exactly(code: str, amounts: Sequence[Amount], seating: Seating, sign: str = "+") -> Text:
    line = _label(code, seating)
    for chance, lead in amounts:
        line += f"{percent(chance, 4, sign)}%".rjust(_TABLE[1]) + points(lead, 3, "+").rjust(_TABLE[2])
    return Text(line)


def _counts(code: str, counts: Sequence[int], seating: Seating) -> Text:
    return Text(
        _label(code, seating) + "".join(str(count).rjust(_TABLE[1]) + " " * _TABLE[2] for count in counts).rstrip()
    )


def _label(code: str, seating: Seating) -> str:
    label = Text(seating.cut(seating.say(code), _TABLE[0]))
    label.align("left", _TABLE[0])
    return label.plain
