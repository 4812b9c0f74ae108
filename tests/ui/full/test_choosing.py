"""Decisions whose actions are typed with several keys, or chosen in two halves."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.games import api as games
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.drawing import MenuItem
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.table import FullTable
from tests.toy import State, Toy
from tests.ui.full.desk import STILL, drawn, full_table, regions, settled, shown, text

pytestmark = pytest.mark.usefixtures("_toy_is_installed")

NUMBERS = [MenuItem(f"at:{number}", "", "Space", "", typed=str(number)) for number in (1, 2, 12, 14)]
NUMBERS.append(MenuItem("twin", "", "Space", "twin", typed="14"))
HALVES = [
    MenuItem(own, own, "Your card", "", then=tuple(MenuItem(f"{own}+{his}", his, "His card", "") for his in "58"))
    for own in "35"
]


@asynccontextmanager
async def deciding(
    items: Sequence[MenuItem], monkeypatch: pytest.MonkeyPatch, table: FullTable | None = None
) -> AsyncIterator[tuple[FullTable, Pilot[None], "asyncio.Task[str]"]]:
    """The person has the choice between `items`."""
    monkeypatch.setattr(type(GAMES["toy"].board.load()), "menu_items", lambda *_: items)
    table = table or full_table()
    async with shown(table) as pilot:
        table.begun(Toy(), ("Ada", "Ben"), 0)
        task = asyncio.create_task(table.decide(Toy().start(), 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        yield table, pilot, task
        task.cancel()
        await asyncio.wait({task})


@pytest.mark.parametrize(
    ("keys", "action"),
    [
        ("1", "at:1"),
        ("12", "at:12"),
        ("2", "at:2"),
        ("122", "at:2"),
        ("14", "at:14"),
        ("144", None),
        ("1414", "twin"),
        ("114", "at:14"),
    ],
)
async def test_a_number_is_typed_key_by_key(keys: str, action: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that no longer fits begins anew; the same number again picks the next one of that number."""
    async with deciding(NUMBERS, monkeypatch) as (table, pilot, task):
        await pilot.press(*keys)
        if action is None:
            assert table.app.choosing
            assert table.app.choosing.picked == "at:14"
        else:
            await pilot.press("enter")
            assert await task == action


async def test_after_another_way_of_picking_a_number_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    async with deciding(NUMBERS, monkeypatch) as (table, pilot, task):
        await pilot.press("1", "right", "2", "enter")
        assert await task == "at:2"
    async with deciding(NUMBERS, monkeypatch) as (table, pilot, task):
        await pilot.press("1", "escape", "2")
        await settled(table, pilot)
        assert "[12]" in text(table)
        await pilot.press("enter")
        assert await task == "at:2"


@pytest.mark.parametrize("keys", [["3", "8", "enter"], ["right", "enter", "right", "right", "enter"]])
async def test_two_halves_are_chosen_one_after_the_other(keys: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    async with deciding(HALVES, monkeypatch) as (table, pilot, task):
        assert "Your card   [3]  [5]" in text(table)
        await pilot.press(keys[0], *keys[1:2])
        assert not task.done()
        await settled(table, pilot)
        assert "His card    [5]  [8]" in text(table)
        assert "Your card" not in text(table)
        await pilot.press(*keys[2:])
        assert await task == "3+8"


async def test_the_first_half_can_be_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async with deciding(HALVES, monkeypatch) as (table, pilot, task):
        await pilot.press("3", "5", "escape", "enter")
        assert not task.done()
        await pilot.press("escape")
        await settled(table, pilot)
        assert "Your card" in text(table)
        await pilot.press("5", "5", "enter")
        assert await task == "5+5"


async def test_two_halves_take_three_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    async with deciding(HALVES, monkeypatch) as (table, pilot, task):
        for index in (1, 0):
            sheet = table.app.screen.query_one("#menu", CanvasWidget)
            region = regions(drawn(sheet))[index]
            await pilot.click(sheet, offset=(region.x, region.y))
            await settled(table, pilot)
            assert not task.done()
        await pilot.click("#status")
        assert await task == "5+5"


async def test_hints_name_the_keys_of_both_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    async def advise(state: games.State, player: int) -> Sequence[Option]:
        return [Option(action, PositionValue(0.5, 0.0)) for action in ("3+5", "5+8")]

    monkeypatch.setattr(State, "legal", lambda *_: ("3+5", "5+8"))
    async with deciding(HALVES, monkeypatch, FullTable(GameApp(STILL, lambda changed: None, advise=advise))) as (
        table,
        pilot,
        _,
    ):
        await pilot.press("h")
        await settled(table, pilot)
        await pilot.pause()
        assert "[3 5]" in text(table)
        assert "[5 8]" in text(table)
