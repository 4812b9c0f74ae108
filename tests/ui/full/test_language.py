"""Another language in the middle of a game: the screen is as if that language had been spoken from the beginning."""

import asyncio
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.dialogs import Menu, SettingsDialog
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.replay import ReplayApp
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.full.theme import EDITABLE_SETTINGS
from p2p_shanghaien.ui.language import LANGUAGES, choose, chosen
from tests.sweeps import sweep
from tests.ui.desk import DRAW
from tests.ui.full.desk import STILL, Moves, characters, moves, settled, shown
from tests.ui.full.test_replay import LOG, of_log, violation

SAVED = ShortName(date(2026, 11, 28), ("Ada", "Ben"), "078865ab")

SWITCHES = [*zip(LANGUAGES, [*LANGUAGES][1:] + [*LANGUAGES][:1], strict=True), ("fr", "en"), ("de", "it")]


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    choose("en")


def happenings(game: Moves, *, ended: bool) -> Sequence[Callable[[FullTable], None]]:
    """Return a game as a session tells of it: up to a decision of player 0 in the middle, or to its end."""
    middle = [at for at, (before, _, _) in enumerate(game) if before.node == Turn(0)][-20]
    # the last of them are enough to fill the log
    steps = game[-30:] if ended else game[middle - 30 : middle]
    return [
        lambda table: table.notify("waiting"),
        lambda table: table.notify("against_computer", name="Ben"),
        lambda table: table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, steps[0][0]),
        lambda table: table.drew(DRAW, False),
        lambda table: table.notify("chat", name="Ben", text="Hallo, c'è qualcuno?"),
        *(lambda table, step=step: table.stepped(*step) for step in steps),
        lambda table: table.notify("offered", name="Ben") if not ended else None,
        lambda table: table.notify("log_5", game=SAVED),
    ]


async def switch(pilot: Pilot[None], language: str) -> None:
    """Change the language as a person does, in the settings."""
    await pilot.press("m")
    menu = pilot.app.screen
    assert isinstance(menu, Menu)
    await pilot.press(str(menu.entries.index("menu_settings") + 1), "enter")
    await pilot.pause()
    assert isinstance(pilot.app.screen, SettingsDialog)
    await pilot.press(str(list(EDITABLE_SETTINGS).index("language") + 1))
    while chosen() != language:
        await pilot.press("right")
    await pilot.press("escape")
    await pilot.pause()


async def panels(pilot: Pilot[None], keys: str) -> dict[str, str]:
    """Return the screen, and what each of the keys lays over it."""
    app = pilot.app
    assert isinstance(app, FullScreen)
    log = app.screen_stack[0].query_one("#log")
    await pilot.pause()
    while log.scroll_offset.y != log.max_scroll_y:
        await pilot.pause(0.01)
    seen = {"": characters(app)}
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        seen[key] = characters(app)
        await pilot.press("escape")
    return seen


async def put_away(table: FullTable, pilot: Pilot[None]) -> None:
    """Close whatever has come out."""
    await settled(table, pilot)
    while len(table.app.screen_stack) > 1:
        await pilot.press("escape")
        await settled(table, pilot)


@sweep("before, after, ended", [(*switch, ended) for switch in SWITCHES for ended in (False, True)], every=12)
async def test_a_table(before: str, after: str, ended: bool) -> None:
    game = moves(5)
    rng = random.Random(f"{before} {after}")
    happened = happenings(game, ended=ended)
    state = [each for each, _, _ in game if each.node == Turn(0)][-20]
    size = rng.choice([(80, 24), (120, 40)])

    async def seen(first: str, at: int | None) -> dict[str, str]:
        """Return what is seen at the end where the language changes before that happening."""
        choose(first)
        table = FullTable(GameApp(replace(STILL, language=first), lambda changed: None))
        async with shown(table, size) as pilot:
            for number, happens in enumerate(happened):
                if number == at:
                    await put_away(table, pilot)
                    await switch(pilot, after)
                happens(table)
            await put_away(table, pilot)
            deciding = None
            if not ended:
                deciding = asyncio.create_task(table.decide(state, 0))
                table.thinks("Ben")
                await settled(table, pilot)
                await pilot.press("right", "right")
            if at == len(happened):
                await switch(pilot, after)
            try:
                return await panels(pilot, "lkv?om")
            finally:
                if deciding:
                    deciding.cancel()
                    with suppress(asyncio.CancelledError):
                        await deciding

    wanted = await seen(after, None)
    at = len(happened) if rng.random() < 0.5 else rng.randrange(len(happened))
    found = await seen(before, at)
    for key, screen in wanted.items():
        assert found[key] == screen, (key, at)


@pytest.mark.thorough
@sweep("before, after, whole", [(*switch, whole) for switch in SWITCHES for whole in (True, False)], every=12)
async def test_a_game_on_record(before: str, after: str, whole: bool) -> None:
    found = of_log(LOG) if whole else violation()

    async def seen(first: str, *, switching: bool) -> dict[str, str]:
        choose(first)
        app = ReplayApp(found, replace(STILL, language=first), lambda changed: None)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("e")
            await pilot.pause()
            if switching:
                await switch(pilot, after)
            screens = await panels(pilot, "lkv?og")
            await pilot.press("s", "down", "right", "right")
            await pilot.pause()
            return {**screens, "earlier": characters(app)}

    wanted, switched = await seen(after, switching=False), await seen(before, switching=True)
    for key, screen in wanted.items():
        assert switched[key].splitlines() == screen.splitlines(), key


async def test_other_settings_leave_the_language() -> None:
    """The language that was asked for on the command line is not the one in the settings."""
    choose("fr")
    kept: list[Settings] = []
    table = FullTable(GameApp(replace(STILL, language="de"), kept.append))
    async with shown(table) as pilot:
        await pilot.press("m", "1", "enter", "right", "escape")
        await pilot.pause()
        assert len(kept) == 1
        assert chosen() == "fr"
