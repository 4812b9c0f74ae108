"""Lessons at the full screen: whole ones by the keys that it shows, mistakes, and that all that is told is seen."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.app.learning import lesson_of, taught, teach
from p2p_shanghaien.games.lesson import Script
from p2p_shanghaien.ui.full.dialogs import ConfirmDialog, Menu, TextDialog
from p2p_shanghaien.ui.full.lesson import FullLesson, LessonApp
from p2p_shanghaien.ui.language import choose
from p2p_shanghaien.ui.lesson import told
from p2p_shanghaien.ui.words import has_words, say
from tests.sweeps import sweep
from tests.ui.full.desk import STILL, characters

LESSONS = taught()
every_lesson = pytest.mark.parametrize("game", LESSONS)


class Seat:
    """A lesson at a screen without a terminal."""

    def __init__(self, game: str, pilot: Pilot[None], table: FullLesson, script: Script[Any], first: int) -> None:
        self.game = game
        self.pilot = pilot
        self.table = table
        self.script = script
        self.number = first
        """The note that is told."""
        self.course = asyncio.create_task(teach(script, table, ("Ada", say("lesson_computer")), first))

    @property
    def screen(self) -> str:
        """The text on the screen, without line ends."""
        return " ".join(characters(self.table.app).split())

    async def settle(self) -> None:
        """Wait until something is to be read or decided, and close what lies over the table."""
        for _ in range(500):
            await self.table.app.events.join()
            await self.pilot.pause()
            app = self.table.app
            if isinstance(app.screen, TextDialog):
                await self.pilot.press("escape")
            elif self.course.done() or (app.told and (app.choosing or app.reading)):
                return
        raise AssertionError("nothing is asked")

    async def play(self, action: str) -> None:
        """Press the keys of an action."""
        choosing = self.table.app.choosing
        assert choosing is not None
        for half in choosing.keys[action].split(" "):
            for _ in range(len(choosing.keys)):
                await self.pilot.press(*("minus" if key == "-" else key for key in half[:1]))
                if choosing.picked == action or (choosing.picked or "") in action.split("+"):
                    break
        if choosing.picked != action:
            while choosing.picked != action:
                await self.pilot.press("right")
        await self.pilot.press("enter")

    async def obey(self) -> None:
        """Do what the lesson says, once."""
        wanted = self.script.wanted(self.number)
        if wanted:
            await self.play(wanted)
        else:
            await self.pilot.press("enter")
        self.number += 1
        await self.settle()


@asynccontextmanager
async def seat(game: str, size: tuple[int, int] = (80, 24), first: int = 0) -> AsyncIterator[Seat]:
    app = LessonApp(STILL, lambda _: None)
    async with app.run_test(size=size) as pilot:
        sitting = Seat(game, pilot, FullLesson(app, bell=False), lesson_of(game), first)
        await sitting.settle()
        yield sitting
        sitting.course.cancel()
        await asyncio.wait({sitting.course})


@sweep("size", [(80, 24), (120, 40), (200, 60)], every=3, ids=str)
@every_lesson
async def test_a_whole_lesson_and_all_that_it_tells_is_seen(game: str, size: tuple[int, int], language: str) -> None:
    async with seat(game, size) as sitting:
        while not sitting.course.done():
            page, screen = sitting.script.page(sitting.number), sitting.screen
            title = characters(sitting.table.app).splitlines()[0]
            assert "…" not in title or say(f"{game}:name") not in title, "the game's name gives way first"
            for text in told(game, page):
                assert " ".join(text.split()) in screen
            assert say("lesson_step", number=page.number, count=page.total) in screen
            if choosing := sitting.table.app.choosing:
                # all that is open is seen, or that there is more
                shown = [f"[{offer.key}]" in screen for offer in choosing.items]
                assert all(shown) or any(mark in screen for mark in "↑↓")
                assert page.task
            else:
                assert say("lesson_next") in screen
            await sitting.obey()
        assert await sitting.course


@pytest.mark.thorough
@every_lesson
async def test_a_mistake_is_explained_and_taken_back(game: str) -> None:
    """At each step the last of the other choices."""
    async with seat(game) as sitting:
        while not sitting.course.done():
            wanted = sitting.script.wanted(sitting.number)
            before = sitting.script.positions[sitting.script.at(sitting.number)]
            others = [action for action in before.legal(sitting.script.player) if wanted and action != wanted]
            for action in others[-1:]:
                await sitting.play(action)
                await sitting.settle()
                code = sitting.script.mistake(sitting.number, action)
                explained = say(f"{game}:{code}") if code else say("lesson_not")
                assert has_words(f"{game}:{code}") or not code
                assert " ".join(explained.split()) in sitting.screen
                assert say("lesson_back") in sitting.screen
                await sitting.pilot.press("enter")
                await sitting.settle()
                assert sitting.table.presenter.game.state == before
                assert sitting.table.app.mistake is None
            await sitting.obey()


async def test_the_outcome_of_a_round_that_is_taken_back_is_not_the_last_one() -> None:
    script = lesson_of("shanghaien")
    number = next(n for n in range(len(script)) if "#" in script.positions[script.at(n)].legal(0) and n > 8)
    stages = []
    async with seat("shanghaien", first=number) as sitting:
        stages.append(sitting.table.presenter.stage)
        await sitting.play("#")
        await sitting.settle()
        stages.append(sitting.table.presenter.stage)
        await sitting.pilot.press("enter")
        await sitting.settle()
        stages.append(sitting.table.presenter.stage)
    assert [stage is None for stage in stages] == [True, False, True]


async def test_the_menu_has_what_there_is_in_a_lesson() -> None:
    async with seat("shanghaien") as sitting:
        await sitting.pilot.press("m")
        menu = sitting.table.app.screen
        assert isinstance(menu, Menu)
        assert [*menu.entries] == ["menu_settings", "menu_rules", "menu_leave"]
        await sitting.pilot.press("2", "enter")
        await sitting.pilot.pause()
        assert isinstance(sitting.table.app.screen, TextDialog)
        await sitting.pilot.press("escape", "q")
        assert isinstance(sitting.table.app.screen, ConfirmDialog)
        assert "Leave the lesson?" in sitting.screen
        await sitting.pilot.press("n")
        # keys of a game between two people mean nothing
        for key in ("slash", "v", "h"):
            await sitting.pilot.press(key)
            assert len(sitting.table.app.screen_stack) == 1


async def test_a_click_goes_on_as_well() -> None:
    async with seat("shanghaien") as sitting:
        lines = characters(sitting.table.app).splitlines()
        row = next(number for number, line in enumerate(lines) if say("lesson_next") in line)
        await sitting.pilot.click(offset=(3, row))
        sitting.number += 1
        await sitting.settle()
        assert "Step 2 of" in sitting.screen


async def test_the_language_may_change_in_the_middle() -> None:
    async with seat("shanghaien") as sitting:
        sitting.table.app.change(replace(STILL, language="de"))
        await sitting.pilot.pause()
        try:
            assert "Zwei Kapitäne brauchen Mannschaften" in sitting.screen
            assert "Schritt 1 von" in sitting.screen
        finally:
            choose("en")


async def test_a_window_that_is_too_small_says_so() -> None:
    async with seat("shanghaien") as sitting:
        await sitting.pilot.resize_terminal(60, 20)
        await sitting.pilot.pause()
        assert "The table needs 80 by 24" in sitting.screen
        await sitting.pilot.resize_terminal(80, 24)
        await sitting.pilot.pause()
        assert "Step 1 of" in sitting.screen
