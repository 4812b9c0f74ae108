"""Plain mode in narrow terminals: no line is wider, no word is broken, nothing is lost."""

import asyncio
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from p2p_shanghaien.games.api import Terminal, Turn
from p2p_shanghaien.games.shanghaien.display.table import TABLE
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.plain import PlainTable, listing
from p2p_shanghaien.ui.screen import Screen
from p2p_shanghaien.ui.view import rules_of, viewpoint
from p2p_shanghaien.ui.words import say
from tests.sweeps import examples
from tests.ui.desk import Script
from tests.ui.full.desk import Moves, moves

GAMES = {seed: moves(seed) for seed in range(4)}


class Narrow:
    """A line table in a terminal `width` cells wide, and what it shows."""

    def __init__(self, width: int) -> None:
        self._file = io.StringIO()
        console = Console(file=self._file, width=width, height=24, color_system=None, force_terminal=True, emoji=False)
        screen = Screen(console, ascii_only=False)
        self.table = PlainTable(screen, Script(screen, [], interactive=True))

    def shown(self) -> list[str]:
        text = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        return text.splitlines()


def words(lines: list[str]) -> list[str]:
    return " ".join(lines).split()


async def everything(width: int, game: Moves, at: int) -> list[str]:
    """Return what is shown around a moment of a game: what happened, the table and the choices, the help."""
    before, step, after = game[at]
    narrow = Narrow(width)
    table = narrow.table
    table.begun(Shanghaien("extra-wild"), ("Ada", "Benedikt"), 0)
    table.stepped(before, step, after)
    if isinstance(after.node, Turn):
        seats = viewpoint(("Ada", "Benedikt"), 0)
        choices = TABLE.choices(after, 0, seats)
        table.show_position(after, listing(choices, width))
        table.screen.show(*TABLE.legend(seats), rules_of("shanghaien"))
    elif not isinstance(after.node, Terminal):
        table.show_position(after)
    return narrow.shown()


@settings(max_examples=examples(4))
@given(st.integers(40, 120), st.sampled_from(sorted(GAMES)), st.floats(0, 1), st.sampled_from(sorted(LANGUAGES)))
def test_no_line_is_wider_and_every_word_is_whole(width: int, seed: int, moment: float, language: str) -> None:
    game = GAMES[seed]
    at = round(moment * (len(game) - 1))
    choose(language)
    try:
        lines = asyncio.run(everything(width, game, at))
        # the same words, whatever the width below that of the table, and never another one
        unbroken = words(asyncio.run(everything(40, game, at)))
    finally:
        choose("en")
    assert [line for line in lines if cell_len(line) > width] == []
    if width < 70:
        assert words(lines) == unbroken


@pytest.mark.parametrize("width", [40, 60, 79, 80])
def test_everything_on_the_table_is_said(width: int) -> None:
    """Each card with its number, both sides and every nationality, in columns or in words."""
    state = next(after for _, _, after in GAMES[0] if after.row and after.direction)
    narrow = Narrow(width)
    narrow.table.begun(Shanghaien("extra-wild"), ("Ada", "Benedikt"), 0)
    narrow.shown()
    narrow.table.show_position(state)
    lines = narrow.shown()
    assert max(map(cell_len, lines)) <= width
    shown = " ".join(words(lines))
    assert all(card in shown for card in state.row)
    assert "You" in shown
    assert "Benedi" in shown
    for nationality in "AFGCDTSI":
        assert say(f"shanghaien:nationality_{nationality}") in shown


@pytest.mark.parametrize("width", [1, 7, 20, 39])
def test_the_narrowest_terminals_show_it_too(width: int) -> None:
    for at in (0, 5, len(GAMES[0]) - 1):
        assert asyncio.run(everything(width, GAMES[0], at))


def test_how_the_last_round_and_the_game_came_out_is_said() -> None:
    lines = asyncio.run(everything(50, GAMES[0], len(GAMES[0]) - 1))
    assert max(map(cell_len, lines)) <= 50
    shown = " ".join(words(lines))
    node = GAMES[0][-1][2].node
    assert isinstance(node, Terminal)
    assert f"Totals: Benedikt {node.scores[1]}, You {node.scores[0]}." in shown
    assert "Number 6, " in shown
