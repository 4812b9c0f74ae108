"""Analysed simultaneous choices as text, plot and page: two decisions in a step, and the matchup in the sums."""

import re

import pytest

from p2p_shanghaien.analysis.annotate import GAME, Grade
from p2p_shanghaien.app.analysis import analyse
from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.review.lines import lines
from p2p_shanghaien.ui.review.page import section
from p2p_shanghaien.ui.review.plot import MARGIN, ROWS, SIGNS, plot
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.view import viewpoint

pytestmark = pytest.mark.usefixtures("_toy_is_installed")

# in the last round, once both have bid 2, the lower bid is the better one: it wins half a game more than the other
BOTH_WRONG = "2:2 3:3 1:1"
SECOND_RIGHT = "2:2 3:1 take"

COST = "50.0 percentage points of win probability, and 10.00 points"


def toy(moves: str) -> Review:
    record = read(f'[Game "toy"]\n[First "Ada"]\n[Second "Ben"]\n[Rounds "1"]\n\n{moves}'.encode(), RULES)
    return Review.of(record, analyse(record), viewpoint(record.names, None))


def told(moves: str, *, everything: bool = False) -> list[str]:
    return list(map(str, lines(toy(moves), everything=everything)))


def test_each_player_has_a_remark_and_a_mark_of_their_own() -> None:
    shown = told(BOTH_WRONG)
    blunders = [line for line in shown if "A blunder" in line]
    assert blunders == [
        f"2.1 {name}: do: 3 [3]. Better: do: 1 [1]. A blunder: it cost {COST}." for name in ("Ada", "Ben")
    ]
    _, far, near = plot(toy(BOTH_WRONG))[ROWS:]
    assert far[MARGIN:].strip() == near[MARGIN:].strip() == SIGNS[Grade.BLUNDER]
    assert far.index("X") == near.index("X")
    right = told(SECOND_RIGHT)
    assert [line[:8] for line in right if "A blunder" in line] == ["2.1 Ada:"]


def test_everything_has_what_was_chosen_and_how_the_choices_met() -> None:
    shown = told(SECOND_RIGHT, everything=True)
    at_two = [line for line in shown if line.startswith("2.1 ")]
    assert at_two == [
        f"2.1 Ada: do: 3 [3]. Better: do: 1 [1]. A blunder: it cost {COST}.",
        "2.1 Ben: do: 1 [1]. One of the best choices.",
        "2.1 The bids: 3 1. Matchup for Ada: +0.0 percentage points of win probability, and +0.00 points.",
    ]
    (won,) = [line for line in told("1:3 take", everything=True) if "Matchup for" in line]
    assert "Matchup for Ada: +50.0 percentage points of win probability, and +" in won


@pytest.mark.parametrize("moves", [BOTH_WRONG, SECOND_RIGHT, "1:3 take", "1:3", ""])
def test_the_columns_that_are_shown_add_up(moves: str) -> None:
    shown = told(moves)
    rows = []
    for name in ("at the start", "+ luck", "+ skill", "+ matchup", "= result"):
        found = [line for line in shown if line.startswith(name)]
        assert len(found) == (0 if name == "+ matchup" and not moves else 1)
        rows += [[round(float(number) * 100) for number in re.findall(r"[+-]?\d+\.\d+", line)] for line in found]
    for column in range(4):
        *parts, result = [row[column] for row in rows]
        assert sum(parts) == result
    assert any("Matchup is what" in line for line in shown) == bool(moves)


def test_the_page_marks_both_decisions_of_a_step_and_adds_up() -> None:
    review = toy(BOTH_WRONG)
    page = str(section(review))
    assert page.count('class="mark blunder"') == 2
    assert page.count("<rect") == page.count("<circle") == 1, "the near side has a square, the far side a disc"
    assert page.count('href="#2.1"') == 4, "in the curve and in the list"
    assert "+ matchup" in page
    assert "Matchup is what" in page
    assert [tally.decisions for tally in review.analysis.tallies] == [2, 2]
    assert review.analysis.chances(0) == (GAME // 2,) * 4
