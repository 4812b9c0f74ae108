"""Hints at the full screen: a dialog to read, which plays nothing, never comes late and comes only where it may."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Advise, Option, PositionValue
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.table import FullTable
from tests.toy import Toy
from tests.ui.advisers import Adviser, silent
from tests.ui.full.desk import STILL, settled, shown, text
from tests.ui.full.test_screen import open_position

TITLE = "Your choices, best first"


@asynccontextmanager
async def deciding(advise: Advise | None) -> AsyncIterator[tuple[FullTable, Pilot[None], "asyncio.Task[str]"]]:
    """The person, player 0, decides in the open position: 3 and 3 are rolled, and two jokers may be played."""
    table, state = FullTable(GameApp(STILL, lambda changed: None, advise=advise)), open_position()
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
        task = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        yield table, pilot, task
        task.cancel()
        await asyncio.wait({task})


async def test_the_choices_stand_best_first_with_their_keys() -> None:
    async with deciding(Adviser()) as (table, pilot, task):
        assert " h Hint" in text(table)
        await pilot.press("h")
        await settled(table, pilot)
        rows = [line.split() for line in text(table).splitlines() if "%" in line]
        assert [row[0] for row in rows] == ["70.0%", "60.0%", "50.0%", "40.0%"]
        assert [row[1] for row in rows[1:]] == ["-10.0%", "-20.0%", "-30.0%"]
        assert [rows[0][1], *(row[2] for row in rows[1:])] == ["+1.5", "+0.5", "-0.5", "-1.5"]
        assert {word for row in rows for word in row if word.startswith("[")} == {"[3]", "[c]", "[t]"}
        await pilot.press("3", "c", "s", "r")
        await settled(table, pilot)
        assert not task.done()
        assert table.app.choosing is not None
        assert table.app.choosing.picked is None, "what is typed into the dialog picks nothing"
        await pilot.press("escape", "3", "enter")
        assert await task == "-3<"


async def test_what_is_picked_stays_picked() -> None:
    async with deciding(Adviser()) as (table, pilot, task):
        await pilot.press("3", "3", "h")
        await settled(table, pilot)
        assert TITLE in text(table)
        await pilot.press("escape", "enter")
        assert await task == "-3>"


async def test_asked_for_in_fast_succession_they_come_once() -> None:
    adviser = Adviser()
    adviser.hold()
    async with deciding(adviser) as (table, pilot, task):
        await pilot.press(*"hhhhhhh")
        assert adviser.asked == 1
        assert "Computing the win probabilities." in text(table)
        adviser.answer()
        await settled(table, pilot)
        assert len(table.app.screen_stack) == 2
        await pilot.press("escape")
        await settled(table, pilot)
        assert "Computing the win probabilities." not in text(table)
        assert not task.done()


async def test_nothing_comes_once_the_decision_is_made() -> None:
    adviser = Adviser()
    adviser.hold()
    async with deciding(adviser) as (table, pilot, task):
        await pilot.press("h", "3", "enter")
        assert await task == "-3<"
        adviser.answer()
        await settled(table, pilot)
        assert len(table.app.screen_stack) == 1
        assert TITLE not in text(table)


async def test_nothing_is_laid_over_what_the_person_reads_meanwhile() -> None:
    adviser = Adviser()
    adviser.hold()
    async with deciding(adviser) as (table, pilot, task):
        await pilot.press("h", "slash")
        adviser.answer()
        await settled(table, pilot)
        assert len(table.app.screen_stack) == 2
        assert TITLE not in text(table)
        await pilot.press("escape", "h")
        await settled(table, pilot)
        assert TITLE in text(table)
        assert not task.done()


async def test_they_are_refused_where_there_are_none() -> None:
    async with deciding(None) as (table, pilot, task):
        assert " h Hint" not in text(table)
        await pilot.press("question_mark")
        await settled(table, pilot)
        assert "h  Hint" not in text(table)
        await pilot.press("escape", "h")
        await settled(table, pilot)
        assert "There are no hints in a game between two people" in text(table)
        await pilot.press("escape", "3", "enter")
        assert await task == "-3<"


@pytest.mark.parametrize(
    ("advise", "said"),
    [(silent, "There are no hints for this game."), (Adviser("boom"), "The win probabilities cannot be computed")],
    ids=["none", "failed"],
)
async def test_why_there_are_none(advise: Advise, said: str) -> None:
    async with deciding(advise) as (table, pilot, task):
        await pilot.press("h")
        await settled(table, pilot)
        assert said in text(table)
        await pilot.press("escape", "3", "enter")
        assert await task == "-3<"


async def test_while_the_other_side_decides_there_is_nothing_to_hint_at() -> None:
    adviser = Adviser()
    table = FullTable(GameApp(STILL, lambda changed: None, advise=adviser))
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 1, open_position())
        await settled(table, pilot)
        await pilot.press("h")
        assert "You have no choice to make now, so there is no hint." in text(table)
        assert adviser.asked == 0


async def test_the_status_says_that_somebody_thinks_until_it_is_over() -> None:
    table = FullTable(GameApp(STILL, lambda changed: None))
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 1, open_position())
        for name, seen in (("Computer (master)", True), (None, False)):
            table.thinks(name)
            await settled(table, pilot)
            assert ("Computer (master) is thinking." in text(table)) == seen


async def mixing(state: State, player: int) -> Sequence[Option]:
    """Return a mixture that never takes the first action."""
    shares = (0.0, 0.4, 0.6)
    return [
        Option(action, PositionValue(0.5 * bool(share), 0.0), share)
        for action, share in zip("123", shares, strict=True)
    ]


@pytest.mark.parametrize("values", [True, False])
async def test_the_key_is_offered_where_the_game_can_be_evaluated(toy_as: Callable[[str], None], values: bool) -> None:
    toy_as("tests.toy:SPEC" if values else "tests.toy_values:WITHOUT_VALUES")
    table = FullTable(GameApp(STILL, lambda changed: None, advise=mixing))
    async with shown(table) as pilot:
        table.begun(Toy(), ("Ada", "Ben"), 0, Toy().start())
        await settled(table, pilot)
        assert ("h Hint" in text(table)) == values


@pytest.mark.usefixtures("_toy_is_installed")
async def test_where_both_choose_it_stands_first_how_often_to_take_what() -> None:
    table, state = FullTable(GameApp(STILL, lambda changed: None, advise=mixing)), Toy().start()
    async with shown(table) as pilot:
        table.begun(Toy(), ("Ada", "Ben"), 0)
        task = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        await pilot.press("h")
        await settled(table, pilot)
        seen = text(table)
        assert "How often you should choose each action while Ben chooses at the same time" in " ".join(seen.split())
        rows = [line.split() for line in seen.splitlines() if "[" in line and "%" in line]
        assert [row[: row.index("do:")] for row in rows] == [
            ["60%", "50.0%", "+0.0", "[3]"],
            ["40%", "50.0%", "+0.0", "[2]"],
            ["0.0%", "-50.0%", "+0.0", "[1]"],
        ]
        await pilot.press("escape", "1", "enter")
        assert await task == "1"
