"""Whole games against another program, by keyboard alone and by mouse alone."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Game as Rules
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.dialogs import ConfirmDialog, TextDialog
from p2p_shanghaien.ui.full.ending import EndSheet
from p2p_shanghaien.ui.full.table import FullTable
from tests.ui.full.desk import STANDARD, STILL, Game, Region, drawn, full_table, regions, shown

SAVED = ShortName(date(2026, 11, 28), ("Ada", "Ben"), "078865ab")


@pytest.fixture(autouse=True)
def _drawn_when_looked_at() -> None:
    """Draw every change of these games, as a terminal would."""


Hand = Callable[[FullTable, Pilot[None], random.Random], Awaitable[None]]


def asked(question: ConfirmDialog) -> str:
    """Return what a question says; nothing while it is only just being laid over the table."""
    return " ".join(line.plain for sheet in question.query(CanvasWidget) for line in drawn(sheet))


async def keys(table: FullTable, pilot: Pilot[None], rng: random.Random) -> None:
    """Whatever is to be done, with at most two keys for a move: one of an offer's, and Enter."""
    screen, choosing = table.app.screen, table.app.choosing
    if isinstance(screen, ConfirmDialog):
        if said := asked(screen):
            await pilot.press("y" if "Play with" in said else "n")
    elif isinstance(screen, TextDialog):
        await pilot.press("escape")
    elif isinstance(screen, EndSheet):
        await pilot.press("n")
    elif choosing:
        item = rng.choice(choosing.items)
        alike = [each for each in choosing.items if item.key == each.typed or item.key in tuple(each.keys)]
        if alike[0] is item:
            await pilot.press(*item.key, *([] if item.then else ["enter"]))
        else:  # other items have that key, too
            while choosing.picked != item.action:
                await pilot.press(rng.choice(["right", "left", "up", "down"]))
            await pilot.press("enter")


async def click(pilot: Pilot[None], sheet: CanvasWidget, region: Region) -> None:
    await pilot.click(sheet, offset=(region.x + region.width // 2, region.y + region.height // 2))


async def mouse(table: FullTable, pilot: Pilot[None], rng: random.Random) -> None:
    """Whatever is to be done, by clicks alone."""
    screen, app = table.app.screen, table.app
    # none while a screen is only just being laid over the table
    sheets = list(screen.query(CanvasWidget))
    if isinstance(screen, ConfirmDialog):
        answer = "full_yes" if "Play with" in asked(screen) else "full_no"
        for sheet in sheets:
            for region in regions(drawn(sheet)):
                if region.means == (answer,):
                    await click(pilot, sheet, region)
    elif isinstance(screen, EndSheet):
        for sheet in sheets:
            for region in regions(drawn(sheet)):
                if region.means == ("full_no",):
                    await click(pilot, sheet, region)
    elif isinstance(screen, TextDialog):
        for sheet in sheets[:1]:
            for region in regions(drawn(sheet))[:1]:
                await click(pilot, sheet, region)
    elif app.choosing:
        name = rng.choice(["board", "menu"])
        sheet = screen.query_one(f"#{name}", CanvasWidget)
        if regions(drawn(sheet)):
            await click(pilot, sheet, rng.choice(regions(drawn(sheet))))
        if app.choosing and app.choosing.picked and rng.random() < 0.7:
            await pilot.click("#status")


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [STANDARD, Halunken(theft="may")], ids=lambda rules: rules.NAME)
@pytest.mark.parametrize(("hand", "size"), [(keys, (80, 24)), (mouse, (120, 40))])
async def test_a_whole_game(hand: Hand, size: tuple[int, int], rules: Rules[Any]) -> None:
    table, rng = full_table(), random.Random(3)
    game = Game(table, game=rules)
    async with shown(table, size) as pilot, game.running() as hosting:
        while not hosting.done():
            await hand(table, pilot, rng)
            await pilot.pause(0)
        assert hosting.result() == 0
    (log,) = game.host.logs
    assert log.is_delivered
    assert verify(log.data, RULES).verdict == Verdict.COMPLETE
    assert log.data == game.guest.logs[0].data


async def test_leaving_ends_the_session_and_says_where_the_game_is(capsys: pytest.CaptureFixture[str]) -> None:
    table = full_table()

    async def session() -> int:
        table.notify("waiting")
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            table.notify("you_left")
            table.notify("log_5", game=SAVED)
        return 5

    table.app.run_async = lambda **_: _headless(table)  # type: ignore[method-assign]

    assert await table.run_session(session()) == 5
    shown_after = capsys.readouterr().out
    assert "You have left the table." in shown_after
    assert "2026-11-28 Ada–Ben 078865ab" in " ".join(shown_after.split())


async def test_the_last_words_are_in_the_characters_that_are_set_then(capsys: pytest.CaptureFixture[str]) -> None:
    table = full_table()

    async def session() -> int:
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            table.notify("log_5", game=SAVED)
        return 5

    async def leave(**_: Any) -> None:
        async with table.app.run_test() as pilot:
            table.app.change(replace(STILL, ascii=True))
            await pilot.press("q", "y")
            await pilot.pause()

    table.app.run_async = leave  # type: ignore[method-assign]
    assert await table.run_session(session()) == 5
    shown_after = capsys.readouterr().out
    assert "078865ab" in shown_after
    assert shown_after.isascii()


async def _headless(table: FullTable) -> None:
    async with table.app.run_test() as pilot:
        await pilot.press("q", "y")
        await pilot.pause()


async def test_visitors_who_were_turned_away_stand_in_the_log_and_are_not_said_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = full_table()
    seen: list[str] = []

    async def session() -> int:
        table.notify("waiting")
        for number in range(5):
            table.notify("turned_away_busy", address=f"192.0.2.{number}")
        await table.app.events.join()
        seen.extend(str(told) for told in table.app.story)
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            table.notify("you_left")
        return 1

    table.app.run_async = lambda **_: _headless(table)  # type: ignore[method-assign]
    assert await table.run_session(session()) == 1
    shown_after = capsys.readouterr().out
    assert sum("192.0.2." in told for told in seen) == 5
    assert "192.0.2." not in shown_after
    assert "Waiting for a guest" in shown_after
