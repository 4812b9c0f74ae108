"""Windows of any size, resized at any moment of any game: nothing raises, nothing is wider than where it stands."""

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from p2p_shanghaien.games.api import Game, Turn
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.ui.full.app import HEIGHT, WIDTH
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from tests.sweeps import examples, sweep
from tests.ui.full.desk import STILL, full_table, moves, settled, shown, text

GAMES = (Shanghaien("extra-wild"), Halunken(), Macao())
SIZES = st.tuples(
    st.one_of(st.integers(20, 480), st.integers(WIDTH - 2, WIDTH + 2), st.integers(118, 122)),
    st.one_of(st.integers(5, 154), st.integers(HEIGHT - 2, HEIGHT + 2)),
)


@pytest.mark.thorough
# finding the smallest example takes longer than anybody waits
@settings(max_examples=examples(12), phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(
    st.sampled_from(GAMES),
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(0, 200), SIZES), min_size=3, max_size=6),
)
def test_any_size_at_any_moment(game: Game[Any], seed: int, moments: list[tuple[int, tuple[int, int]]]) -> None:
    asyncio.run(_resized(game, seed, moments))


def check_widths(app: FullScreen[Any]) -> None:
    """On all screens that lie over each other."""
    for screen in app.screen_stack:
        for sheet in screen.query(CanvasWidget):
            for line in sheet.drawn(sheet.size.width) if sheet.size.width else ():
                assert line.cell_len <= sheet.size.width, (sheet.id, line.plain)


@sweep("size", [(80, 24), (100, 30), (120, 40), (200, 60), (300, 80)], every=5)
@pytest.mark.usefixtures("language")
async def test_nothing_is_seen_in_part_beside_or_below_a_dialog(size: tuple[int, int]) -> None:
    """Each line of the screen belongs to the dialog, or is what it was before; the title and the keys are whole."""
    table = full_table()
    state = next(before for before, _, _ in moves(5) if before.node == Turn(0))
    async with shown(table, size) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, state)
        await settled(table, pilot)
        bare = text(table).splitlines()
        assert not re.search("[0-9a-f]{16}", "\n".join(bare))
        keys = len(table.app.keys(size[0]))
        for key in ("question_mark", "slash", "m", "k", "l", "v", "q"):
            await pilot.press(key)
            await settled(table, pilot)
            (panel,) = table.app.screen.query(".panel")
            assert panel.region.width == size[0]
            assert panel.region.y >= 1
            assert panel.region.bottom <= size[1] - keys
            for y, (line, before) in enumerate(zip(text(table).splitlines(), bare, strict=True)):
                assert panel.region.y <= y < panel.region.bottom or line == before, (key, line)
            check_widths(table.app)
            await pilot.press("n" if key == "q" else "escape")
            await settled(table, pilot)


@pytest.mark.usefixtures("language")
async def test_dialogs_are_written_in_ascii_where_that_is_wanted() -> None:
    table = full_table(replace(STILL, ascii=True))
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
        await settled(table, pilot)
        for keys in (["slash"], ["m"], ["m", "4", "enter"], ["q"]):
            await pilot.press(*keys)
            await settled(table, pilot)
            dialog = table.app.screen.query_one(".panel").region
            lines = text(table).splitlines()[dialog.y : dialog.bottom]
            assert any(lines)
            assert all(line.isascii() for line in lines), lines
            await pilot.press("n" if keys == ["q"] else "escape")
            await settled(table, pilot)


async def _resized(game: Game[Any], seed: int, moments: list[tuple[int, tuple[int, int]]]) -> None:
    course, table, at = moves(seed, game), full_table(), 0
    async with shown(table, (20, 5)) as pilot:
        table.begun(game, ("Ada", "Ben"), 0)
        for moment, (width, height) in sorted(moments):
            until = min(moment, len(course) - 1)
            for before, step, after in course[at:until]:
                table.stepped(before, step, after)
            at = max(at, until)
            state = course[at][0]
            deciding = None
            if state.node == Turn(0):
                deciding = asyncio.create_task(table.decide(state, 0))
                await asyncio.sleep(0)
            # while what has happened is still being shown
            await pilot.resize_terminal(width, height)
            await settled(table, pilot)
            if width >= WIDTH and height >= HEIGHT:
                check_widths(table.app)
            while len(table.app.screen_stack) > 1:
                await table.app.pop_screen()
            await settled(table, pilot)
            screen = text(table)
            if width < WIDTH or height < HEIGHT:
                assert "Make it" in " ".join(screen.split())
            else:
                assert "Help" in screen
                check_widths(table.app)
            if deciding:
                deciding.cancel()
                await asyncio.wait({deciding})
