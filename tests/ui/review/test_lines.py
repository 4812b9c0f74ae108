"""An analysed game as text: whole, within 80 columns, in the characters there are, and the sums as they are read."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.text import Text

from p2p_shanghaien.analysis.annotate import (
    GAME,
    THRESHOLDS,
    Analysis,
    Annotated,
    Decision,
    FixedValue,
    Grade,
    Rated,
    StepKind,
)
from p2p_shanghaien.app.analysis import analyse
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.review.lines import lines
from p2p_shanghaien.ui.review.plot import MARGIN, ROWS, SIGNS, plot
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.snapshots import MoveNumber, move_numbers, snapshots
from p2p_shanghaien.ui.view import ASCII, UNICODE, Viewpoint, viewpoint
from tests.sweeps import sweep
from tests.ui.ledger import RECORDS, load
from tests.ui.review.samples import marked, sample
from tests.ui.test_snapshots import part

LONG = ("Abdul-Rahman Al-Sufi the Elder", "Wilhelmina Vandermeer-Smith")


@pytest.fixture(params=LANGUAGES)
def any_code(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


def watching(record: Record, *, ascii_only: bool = False) -> Viewpoint:
    return viewpoint(record.names, None, ASCII if ascii_only else UNICODE)


def told(record: Record, reviewed: Analysis, who: Viewpoint, **options: bool) -> list[str]:
    return list(map(str, lines(Review.of(record, reviewed, who), **options)))


@sweep("path", [RECORDS[5], RECORDS[2]], every=2, ids=lambda path: path.stem)
def test_every_drawn_line_fits_80_columns(any_code: str, path: Path) -> None:
    record, reviewed = sample(path)
    record = replace(record, names=LONG)
    for ascii_only in (False, True):
        who = watching(record, ascii_only=ascii_only)
        drawn = [line for line in lines(Review.of(record, reviewed, who)) if isinstance(line, Text)]
        assert len(drawn) > ROWS + 12, any_code
        for line in drawn:
            assert cell_len(line.plain) <= 80
            assert line.plain.isascii() or not ascii_only
            assert not line.plain.endswith(" ")


@pytest.mark.thorough
def test_the_columns_that_are_shown_add_up() -> None:
    """They add up as for a reader with a pencil."""
    for path in RECORDS:
        record, reviewed = sample(path)
        shown = told(record, reviewed, watching(record))
        rows = {}
        for name in ("at the start", "+ luck", "+ skill", "= result"):
            (line,) = [line for line in shown if line.startswith(name)]
            rows[name] = [round(float(number) * 10_000) for number in re.findall(r"[+-]?\d+\.\d+", line)]
            assert len(rows[name]) == 4
            decimals = [len(digits) for digits in re.findall(r"\.(\d+)", line)]
            assert decimals == [1, 2, 1, 2], "tenths of a percent and hundredths of a point are known, and no more"
        for column in range(4):
            *parts, result = [row[column] for row in rows.values()]
            assert sum(parts) == result


def test_only_what_cost_something_is_told_unless_all_is_asked_for() -> None:
    record, reviewed = sample(RECORDS[5])
    few, everything = (told(record, reviewed, watching(record), everything=all_) for all_ in (False, True))
    place = re.compile(r"\d+(\.\d+\.\d+)? ")
    assert sum(bool(place.match(line)) for line in few) == len(marked(reviewed)) > 5
    drawn = sum(type(step).__name__ == "Drawn" for step in record.steps)
    decided = sum(len(step.chosen) for step in reviewed.steps)
    assert sum(bool(place.match(line)) for line in everything) == drawn + decided
    assert sum(line.startswith("Round ") for line in few) == 8
    assert "No mistakes or inaccuracies." in few


def test_a_decision_is_told_with_what_would_have_been_better() -> None:
    record, reviewed = sample(RECORDS[5])
    at, worst = max(marked(reviewed), key=lambda each: each.decided.cost)
    (place,) = [place for step, place in enumerate(move_numbers(record)) if step == at]
    (line,) = [line for line in told(record, reviewed, watching(record)) if line.startswith(f"{place} ")]
    assert record.names[worst.player] in line
    assert f"[{worst.action}]. Better: " in line
    assert f"[{worst.best}]. A blunder: it cost {worst.cost.chance / 10_000:.1f} percentage points of win " in line


@sweep("path", RECORDS, every=6, ids=lambda path: path.stem)
def test_places_are_those_that_replay_shows(path: Path) -> None:
    record = load(path)
    assert list(dict.fromkeys(move_numbers(record))) == [stop.place for stop in snapshots(record)]


def test_a_game_that_has_hardly_begun() -> None:
    for moves in ("", "1.", "1. F3 I2 A4 C2 F3 S2", "1. F3 I2 A4 C2 F3 S2 roll", "1. F3 I2 A4 C2 F3 S2 56"):
        record = part(moves)
        shown = told(record, analyse(record), watching(record))
        assert any(line.startswith("= result so far") for line in shown)
        assert "The record ends here" in shown[-1]


def graded(player: int, grade: str) -> Decision:
    """Return a decision that is called so; a good one where there is no `grade`."""
    cost = FixedValue(THRESHOLDS[Grade(grade)]) if grade else FixedValue()
    return Decision(player, "bad", (Rated("good", FixedValue()), Rated("bad", cost)), cost)


def curve(chances: list[int], grades: dict[int, tuple[int, str]] | None = None) -> list[str]:
    """Return the plot of a game with these chances after each step, the first of which lays out a round."""
    record, some = sample(RECORDS[5])
    marks = dict.fromkeys(range(len(chances) - 1), (0, "")) | (grades or {})
    steps = tuple(
        Annotated(
            step,
            StepKind.DECISION,
            player,
            FixedValue(chances[step]),
            FixedValue(chances[step + 1]),
            (graded(player, grade),),
        )
        for step, (player, grade) in sorted(marks.items())
    )
    analysis = some._replace(start=FixedValue(chances[0]), steps=steps)
    places = [MoveNumber((1, step)) for step in range(len(steps))]
    return plot(Review(record, analysis, viewpoint(("Ada", "Ben"), None, ASCII), places, ()))


def test_the_curve_goes_where_the_chances_go() -> None:
    rising = curve([GAME * step // 72 for step in range(73)])
    heights = [next(row for row in range(ROWS) if rising[row][MARGIN + at :][:1] == "*") for at in range(73)]
    assert heights[0] == ROWS - 1
    assert heights[-1] == 0
    assert heights == sorted(heights, reverse=True)
    assert [line[: MARGIN - 1].strip() for line in rising[:ROWS]] == ["100%", *[""] * 4, "50%", *[""] * 4, "0%"]
    jump = curve([0, GAME, GAME])
    column = next(at for at in range(80) if jump[1][at : at + 1] == "|")
    assert all(jump[row][column] == "|" for row in range(1, ROWS - 1))


def test_marks_stand_under_what_they_mark_in_their_players_line() -> None:
    plotted = curve([GAME // 2] * 73, {10: (0, "blunder"), 20: (1, "mistake"), 30: (1, "inaccuracy")})
    rounds, far, near = plotted[ROWS:]
    assert rounds[MARGIN + 1] == "1"
    assert (near[:3], near[MARGIN + 11], near.count("X")) == ("Ada", SIGNS[Grade.BLUNDER], 1)
    assert (far[:3], far[MARGIN + 21], far[MARGIN + 31]) == ("Ben", SIGNS[Grade.MISTAKE], SIGNS[Grade.INACCURACY])
    assert len(set(SIGNS.values())) == len(Grade), "they differ without colour"


def test_without_a_drawing_everything_is_in_words() -> None:
    record, reviewed = sample(RECORDS[5])
    plain = told(record, reviewed, watching(record), drawn=False)
    assert not any("•" in line or "│" in line for line in plain)
    assert sum(". Win probability of" in line for line in plain) == 8
