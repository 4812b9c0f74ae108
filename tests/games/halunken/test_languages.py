"""In every language everything at Halunken's table fits its place, with the longest names, in Unicode and in ASCII."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len

from p2p_shanghaien.games.api import advance, deciders
from p2p_shanghaien.games.halunken.display.full import BOARD_VIEW
from p2p_shanghaien.games.halunken.display.table import TABLE
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.command_input import Word
from p2p_shanghaien.ui.full.drawing import PLAIN, ActionMenu, Canvas
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.view import ASCII, UNICODE, Charset, rules_of, viewpoint
from p2p_shanghaien.ui.words import say
from tests.games.halunken.reading import RECORDS
from tests.sweeps import sweep
from tests.ui.desk import Desk

GAMES = sorted((RECORDS / "records").glob("*.shrec"))
NAMES = ("Abdul-Rahman Al-Sufi", "Wilhelmina Vandermeer")
"""Names as long as a label gets."""


@pytest.fixture(params=LANGUAGES)
def code(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


# those whose words need the most room, and in a thorough run the others too
@pytest.fixture(
    params=[pytest.param(each, marks=[pytest.mark.thorough] * (each in ("en", "it"))) for each in LANGUAGES]
)
def wide_code(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_the_rules_fit_their_columns_and_name_what_can_be_typed(code: str, charset: Charset) -> None:
    # how to learn them stands below, in a sentence that is folded
    rules = charset.transliterate(rules_of("halunken").rpartition("\n\n\n")[0])
    # as they stand in a panel with a scroll bar on a screen of 80 cells
    assert all(cell_len(line) <= 74 for line in rules.splitlines())
    for word in map(ASCII.transliterate, map(say, (*Word, "ask_rules"))):
        assert f" {word} " in ASCII.transliterate(rules)
    for colour, letter in enumerate("rvgy"):
        assert f" {letter} {charset.say(f'halunken:colour_{letter}')} " in rules, colour


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
@sweep("path", GAMES, every=12, ids=lambda path: path.stem)
def test_every_drawing_fits_the_screen(wide_code: str, path: Path, charset: Charset) -> None:
    record = read(path.read_bytes(), RULES)
    for me in (0, None):
        sitting = viewpoint(NAMES, me, charset)
        state = record.game.start()
        for step in record.steps:
            before, state = state, advance(state, step)
            drawn = [*TABLE.position(state, sitting), *TABLE.overview(before, step, sitting)]
            assert all(line.cell_len <= 80 for line in drawn), [line.plain for line in drawn]
            assert not charset.ascii_only or all(line.plain.isascii() for line in drawn)
        ending = TABLE.ending(state, sitting)
        assert all(line.cell_len <= 80 for line in ending), [line.plain for line in ending]
        assert not charset.ascii_only or all(line.plain.isascii() for line in ending)


@pytest.mark.parametrize("ascii_only", [False, True])
@sweep("path", GAMES, every=12, ids=lambda path: path.stem)
async def test_a_decision_fits_on_a_small_screen(wide_code: str, path: Path, ascii_only: bool) -> None:
    """Position, choices and prompt in 24 lines of 80 cells."""
    record = read(path.read_bytes(), RULES)
    assert isinstance(record.game, Halunken)
    state = record.game.start()
    for step in record.steps:
        for player in deciders(state.node):
            desk = Desk([state.legal(player)[0]], ascii_only=ascii_only)
            desk.table.begun(record.game, NAMES, player)
            desk.shown()
            await desk.table.decide(state, player)
            shown = desk.shown()
            assert len(shown) <= 24, "\n".join(shown)
            assert all(cell_len(line) <= 80 for line in shown), "\n".join(shown)
        state = advance(state, step)


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_labels_fit_their_columns(code: str, charset: Charset) -> None:
    for label in ("scoring", "counts_twice", "this_hand", "earlier", "total", *(f"colour_{each}" for each in "rvgy")):
        assert cell_len(charset.say(f"halunken:{label}")) < 20, label
    assert cell_len(charset.say("halunken:hand_of", hand=3, hands=3)) < 20
    # in the middle of the ring
    for hired in (viewpoint(NAMES, me, charset).news("halunken:has_hired", 0) for me in (0, 1)):
        assert cell_len(charset.transliterate(str(hired))) <= 47
    assert cell_len(charset.say("halunken:boat")) < 30


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
@sweep("path", GAMES, every=12, ids=lambda path: path.stem)
def test_the_full_screen_fits_a_small_terminal(wide_code: str, path: Path, charset: Charset) -> None:
    record, canvas = read(path.read_bytes(), RULES), Canvas(79, 14, PLAIN, charset)
    for me in (0, None):
        sitting = viewpoint(NAMES, me, charset)
        state = record.game.start()
        for step in record.steps:
            before, state = state, advance(state, step)
            board = BOARD_VIEW.board(state, sitting, ActionMenu(), canvas)
            assert all(line.cell_len <= 79 for line in board), [line.plain for line in board]
            beside = [*BOARD_VIEW.scores(state, sitting, canvas), *BOARD_VIEW.overview(before, step, sitting, canvas)]
            assert all(line.cell_len <= 40 for line in beside), [line.plain for line in beside]


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_words_of_the_full_screen_fit_their_places(code: str, charset: Charset) -> None:
    places = {"short_boat": 10, "short_jack": 7, "card_cancelled": 9, "chosen": 7, "to_move": 7}
    places |= {f"offers_{offer}": 11 for offer in ("space", "card", "own", "jack", "number", "bid", "lose", "boat")}
    assert not [label for label, cells in places.items() if cell_len(charset.say(f"halunken:{label}")) > cells]


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_the_keys_of_the_full_screen_fit_a_line(code: str, charset: Charset) -> None:
    keys = [f"key_{key}" for key in ("help", "say", "menu", "scores", "log", "fair", "leave")]
    assert cell_len(" " + "  ".join(f"? {charset.say(key)}" for key in (*keys, "halunken:overview_key"))) <= 80
