"""Pig in words and on the screens."""

import re
from collections.abc import Sequence

import pytest
from rich.text import Text

from p2p_shanghaien.games.api import Acted, Drawn
from p2p_shanghaien.ui import language
from p2p_shanghaien.ui.full.drawing import ActionMenu, Canvas, clicks
from p2p_shanghaien.ui.picture import svg
from p2p_shanghaien.ui.view import ASCII, Viewpoint, viewpoint
from p2p_shanghaien.ui.words import say
from shanghaien_pig.board import BOARD
from shanghaien_pig.game import PigCode
from shanghaien_pig.rules import HOLD, ROLL, State
from shanghaien_pig.table import COLUMNS, TABLE
from shanghaien_pig.words import WORDS

RISKED = State(100, (43, 23), 1, 18, 4)
"""Ben has 23 points, and 18 more in this turn."""


def watching() -> Viewpoint:
    return viewpoint(("Ada", "Ben"), None)


def plain(lines: Sequence[object]) -> str:
    return "\n".join(map(str, lines))


def board(state: State, canvas: Canvas, picked: str | None = None, me: int = 1) -> Sequence[Text]:
    who = viewpoint(("Ada", "Ben"), me, canvas.charset)
    items = BOARD.menu_items(state, me, who)
    return BOARD.board(state, who, ActionMenu(items, picked), canvas)


def test_news_say_what_happened() -> None:
    rolling = RISKED.apply(ROLL)
    for step, after, said in (
        (Drawn((4,)), rolling.apply_chance((4,)), "Ben rolled a 5: 23 in this turn."),
        (Drawn((0,)), rolling.apply_chance((0,)), "Ben rolled a 1 and lost 18 points."),
    ):
        assert plain(list(TABLE.news(rolling, step, after, watching()))) == said
    held = list(TABLE.news(RISKED, Acted(1, HOLD), RISKED.apply(HOLD), viewpoint(("Ada", "Ben"), 1)))
    assert plain(held) == "You held and banked 18, 41 in all."
    assert not list(TABLE.news(RISKED, Acted(1, ROLL), rolling, watching())), "the die says it at once"


def test_the_position_stands_in_columns() -> None:
    lines = TABLE.position(RISKED, watching())
    assert re.search(r"Ada +43 +· +57", plain(lines))
    assert re.search(r"Ben +23 +18 +77", plain(lines))
    assert all(line.cell_len <= 80 for line in lines)


@pytest.mark.parametrize("text", [HOLD, ROLL, "fold", "", "Ben"])
def test_a_refusal_has_words(text: str) -> None:
    assert str(TABLE.refusal(State(100), 0, text))


@pytest.mark.parametrize("code", PigCode)
def test_an_error_has_words(code: PigCode) -> None:
    assert code == f"pig:{code.unqualified}"
    assert code.unqualified in WORDS


@pytest.mark.parametrize("canvas", [Canvas(79, 14), Canvas(120, 30), Canvas(79, 14, charset=ASCII)])
def test_the_board_shows_the_tracks_and_the_die(canvas: Canvas) -> None:
    solid, lighter, pip, side = "#+o|" if canvas.charset.ascii_only else "█▒●│"
    lines = board(RISKED, canvas)
    text = plain(lines)
    assert len(lines) <= canvas.height
    assert all(line.cell_len <= 79 for line in lines)
    assert sum(line.count(pip) for line in text.splitlines() if line.startswith(f"   {side}")) == 4
    track = next(line for line in text.splitlines() if solid + lighter in line)
    assert track.count(solid) == 73 * 23 // 100
    assert track.count(lighter) == 73 * 41 // 100 - 73 * 23 // 100
    assert "23 + 18" in text
    assert not canvas.charset.ascii_only or text.isascii()


def test_what_is_offered_can_be_clicked() -> None:
    lines = board(RISKED, Canvas(79, 14))
    for sign, means in (("●", (ROLL,)), ("▒", (HOLD,))):
        assert clicks([next(line for line in lines if sign in line.plain)]) == [means]
    assert clicks(board(RISKED, Canvas(79, 14), me=0)) == [], "nothing is open to the other side"


def test_the_picture_says_what_it_shows() -> None:
    picture = TABLE.picture(RISKED, watching())
    words = " ".join(part.words for panel in picture.panels for part in panel.parts)
    assert "Ben: 23 of 100 points banked; 18 more in this turn; it is Ben's turn." in words
    assert "The die shows 4." in words
    assert svg(picture, "title", "caption", "verdict").count("<rect") > 6


@pytest.mark.parametrize("chosen", ["fr", "it", "de"])
def test_every_sentence_is_translated(chosen: str) -> None:
    english = {code: sentence(code) for code in WORDS}
    language.choose(chosen)
    try:
        translated = {code: sentence(code) for code in WORDS}
    finally:
        language.choose("en")
    assert {code for code in WORDS if translated[code] == english[code]} <= {"name", "rules_title"}
    rules = [line for code, text in translated.items() if code.startswith("rules_") for line in text.splitlines()]
    assert all(len(line) <= 80 for line in rules)
    for code, cells in zip(("banked", "this_turn", "missing"), COLUMNS[1:], strict=True):
        assert len(translated[code]) < cells


def sentence(code: str) -> str:
    details = {
        "number": 4,
        "who": "Ada",
        "die": 3,
        "total": 7,
        "score": 12,
        "goal": 100,
        "value": "x",
        "least": 10,
        "most": 200,
    }
    return say(f"pig:{code}", default="100", count=3, **details)
