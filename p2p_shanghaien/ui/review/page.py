"""An analysed game on a web page: the win probability as a curve, marked decisions, and both again as tables."""

from collections.abc import Iterator, Sequence
from typing import Final

from p2p_shanghaien.analysis.annotate import GAME, Analysis, Grade
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.picture import Markup, join, label, tag, words
from p2p_shanghaien.ui.review.lines import Mark, chances_title, explained, marks, percent, signs, sum_rows
from p2p_shanghaien.ui.snapshots import MoveNumber, move_numbers, stage_openings
from p2p_shanghaien.ui.view import Seating
from p2p_shanghaien.ui.words import say

WIDTH, HEIGHT = 1000, 260
"""Units of the curve's plane, its labels not counted."""
_LEFT: Final = 60
_FOOT: Final = 30
_SIZE: Final = 16
_MARKS: Final = {"blunder": 10.0, "mistake": 8.0, "inaccuracy": 6.0}
"""The size of the mark of a decision: half its width."""


def section(record: Record, analysis: Analysis, who: Seating) -> Markup:
    """Return the section of the page on the analysis."""
    where = list(move_numbers(record))
    marked = list(marks(record, analysis, who))
    near = who.who(who.near)
    parts = [
        tag("h2", words(say("review_title")), id="analysis-title"),
        tag("p", words(chances_title(record, where, who))),
        _curve(record, analysis, where, marked, who),
        tag("p", words(signs("review_page_signs")), class_="soft"),
        tag("h3", words(say("review_marked"))),
        tag("ul", *(tag("li", _link(mark.place, words(mark.sentence))) for mark in marked))
        if marked
        else tag("p", words(say("review_nothing_wrong"))),
        tag("h3", words(say("review_sums"))),
        _sums(record, analysis, who),
        tag("p", words(explained(analysis)), class_="soft"),
        tag(
            "details",
            tag("summary", words(say("review_by_stage", who=near))),
            _table([say(f"{record.game.NAME}:stages"), near, who.who(who.far)], _by_stage(analysis, where, who)),
        ),
    ]
    return tag("section", *parts, id="analysis", aria_labelledby="analysis-title")


def _curve(
    record: Record, analysis: Analysis, where: Sequence[MoveNumber], marked: Sequence[Mark], who: Seating
) -> Markup:
    chances = analysis.chances(who.near)
    xs = [WIDTH * index / max(len(chances) - 1, 1) for index in range(len(chances))]
    ys = [HEIGHT * (GAME - chance) / GAME for chance in chances]
    grid = [
        tag("line", x1=0, x2=WIDTH, y1=y, y2=y, class_=f"grid {'half' if y == HEIGHT / 2 else ''}".strip())
        for y in (0, HEIGHT / 2, HEIGHT)
    ]
    grid += [
        label(-8, y + _SIZE / 3, text, _SIZE, class_="end faint")
        for y, text in ((0, "100%"), (HEIGHT / 2, "50%"), (HEIGHT, "0%"))
    ]
    for step, (place, opens) in enumerate(zip(where, stage_openings(where), strict=True), start=1):
        if opens:
            grid.append(tag("line", x1=xs[step], x2=xs[step], y1=0, y2=HEIGHT, class_="grid"))
            grid.append(label(xs[step] + 4, HEIGHT + _SIZE + 4, place.stage_number, _SIZE, class_="faint"))
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    drawn = []
    for grade in reversed(Grade):  # the worst lie on top
        for step, place, chosen, sentence in marked:
            if chosen.grade == grade:
                mark = _mark(xs[step + 1], ys[step + 1], grade, chosen.player == who.near)
                drawn.append(_link(place, tag("title", words(sentence)), mark, aria_label=sentence))
    view = f"{-_LEFT} -14 {WIDTH + _LEFT + 14} {HEIGHT + _FOOT + 20}"
    # the last step that is seen at a place is the one that the page shows there
    shown = dict(zip(where, xs[1:], strict=True))
    now = tag("line", x1=0, x2=0, y1=0, y2=HEIGHT, id="now", data_xs=" ".join(f"{x:.1f}" for x in shown.values()))
    curve = tag("polyline", points=points, class_="curve")
    return tag(
        "svg",
        *grid,
        now,
        curve,
        *drawn,
        class_="chart",
        role="group",
        aria_label=chances_title(record, where, who),
        viewBox=view,
    )


def _mark(x: float, y: float, grade: str, near: bool) -> Markup:
    """Return a square for the near side's decision, a disc for the far side's: nothing depends on colour alone."""
    half = _MARKS[grade]
    if near:
        return tag("rect", x=x - half, y=y - half, width=2 * half, height=2 * half, class_=f"mark {grade}")
    return tag("circle", cx=x, cy=y, r=half, class_=f"mark {grade}")


def _link(place: MoveNumber, *content: Markup, **attributes: object) -> Markup:
    return tag("a", *content, href=f"#{place}", **attributes)


def _sums(record: Record, analysis: Analysis, who: Seating) -> Markup:
    names = [who.who(player) for player in (who.far, who.near)]
    rows = [[name, *cells] for name, cells in sum_rows(record, analysis, who)]
    return _table(["", *names], rows)


def _by_stage(analysis: Analysis, where: Sequence[MoveNumber], who: Seating) -> Iterator[list[str]]:
    for annotated, place, opens in zip(analysis.steps, where, stage_openings(where), strict=True):
        if opens:
            chances = (annotated.after.of_position(player).chance for player in (who.near, who.far))
            yield [place.stage_number, *(f"{percent(chance)}%" for chance in chances)]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]] | Iterator[Sequence[str]]) -> Markup:
    """Return a table with a heading over each column and before each row."""
    head = tag("tr", *(tag("th", words(text), scope="col") if text else tag("td") for text in heads))
    body = [
        tag("tr", tag("th", words(name), scope="row"), *(tag("td", words(cell)) for cell in cells))
        for name, *cells in rows
    ]
    return tag("table", tag("thead", head), tag("tbody", join(body)))
