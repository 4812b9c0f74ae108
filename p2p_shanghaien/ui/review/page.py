"""An analysed game on a web page: the win probability as a curve, marked decisions, and both again as tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from p2p_shanghaien.analysis.annotate import GAME, Grade
from p2p_shanghaien.ui.picture import Markup, join, label, tag, words
from p2p_shanghaien.ui.review.lines import chances_title, explained, signs, sum_rows
from p2p_shanghaien.ui.review.review import Mark, Review, percent
from p2p_shanghaien.ui.snapshots import MoveNumber
from p2p_shanghaien.ui.words import say

WIDTH, HEIGHT = 1000, 260
"""Units of the curve's plane, its labels not counted."""
_LEFT: Final = 60
_FOOT: Final = 30
_SIZE: Final = 16
_MARKS: Final = {"blunder": 10.0, "mistake": 8.0, "inaccuracy": 6.0}
"""The size of the mark of a decision: half its width."""


def section(review: Review) -> Markup:
    """Return the section of the page on the analysis."""
    marked = list(review.marks())
    near, far = (review.viewpoint.who(player) for player in (review.viewpoint.near, review.viewpoint.far))
    parts = [
        tag("h2", words(say("review_title")), id="analysis-title"),
        tag("p", words(chances_title(review))),
        _curve(review, marked),
        tag("p", words(signs("review_page_signs")), class_="soft"),
        tag("h3", words(say("review_marked"))),
        tag("ul", *(tag("li", _link(review.places[mark.step], words(mark.sentence))) for mark in marked))
        if marked
        else tag("p", words(say("review_nothing_wrong"))),
        tag("h3", words(say("review_sums"))),
        _table(["", far, near], ([name, *cells] for name, cells in sum_rows(review))),
        tag("p", words(explained(review.analysis)), class_="soft"),
        tag(
            "details",
            tag("summary", words(say("review_by_stage", who=near))),
            _table([say(f"{review.record.game.NAME}:stages"), near, far], _by_stage(review)),
        ),
    ]
    return tag("section", *parts, id="analysis", aria_labelledby="analysis-title")


def _curve(review: Review, marked: Sequence[Mark]) -> Markup:
    near, places = review.viewpoint.near, review.places
    chances = review.analysis.chances(near)
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
    for place, (first, *_) in review.stages():
        x = xs[first.step + 1]
        grid.append(tag("line", x1=x, x2=x, y1=0, y2=HEIGHT, class_="grid"))
        grid.append(label(x + 4, HEIGHT + _SIZE + 4, place.stage_number, _SIZE, class_="faint"))
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    drawn = []
    for grade in reversed(Grade):  # the worst lie on top
        for step, chosen, sentence in marked:
            if chosen.grade == grade:
                mark = _mark(xs[step + 1], ys[step + 1], grade, chosen.player == near)
                drawn.append(_link(places[step], tag("title", words(sentence)), mark, aria_label=sentence))
    view = f"{-_LEFT} -14 {WIDTH + _LEFT + 14} {HEIGHT + _FOOT + 20}"
    # the last step that is seen at a place is the one that the page shows there
    shown = dict(zip(places, xs[1:], strict=True))
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
        aria_label=chances_title(review),
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


def _by_stage(review: Review) -> Iterator[list[str]]:
    for place, (first, *_) in review.stages():
        chances = (first.after.to_player(player).chance for player in (review.viewpoint.near, review.viewpoint.far))
        yield [place.stage_number, *(f"{percent(chance)}%" for chance in chances)]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """Return a table with a heading over each column and before each row."""
    head = tag("tr", *(tag("th", words(text), scope="col") if text else tag("td") for text in heads))
    body = [
        tag("tr", tag("th", words(name), scope="row"), *(tag("td", words(cell)) for cell in cells))
        for name, *cells in rows
    ]
    return tag("table", tag("thead", head), tag("tbody", join(body)))
