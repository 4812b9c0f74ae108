"""The screen on which a game is picked: by keys or the mouse, in any window, in every language."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.picking import GamePicker, Picked
from p2p_shanghaien.ui.words import say
from tests.sweeps import sweep
from tests.ui.full.desk import STILL, characters, drawn_with
from tests.ui.full.test_sizes import check_widths

pytestmark = pytest.mark.usefixtures("_toy_is_installed")

SETTINGS = Path("/home/ada/settings.json")
BOTH = ("shanghaien", "toy")


@asynccontextmanager
async def picking(
    games: Sequence[str] = BOTH,
    settings: Settings = STILL,
    size: tuple[int, int] = (80, 24),
    *,
    ascii_only: bool | None = None,
    lessons: Sequence[str] = (),
) -> AsyncIterator[tuple[GamePicker, Pilot[Picked]]]:
    app = GamePicker(games, SETTINGS, settings, ascii_only=ascii_only, lessons=lessons)
    async with app.run_test(size=size) as pilot:
        yield app, pilot


def line_of(app: GamePicker, words: str) -> int:
    """Return the only line of the screen with these words."""
    (number,) = (number for number, line in enumerate(characters(app).splitlines()) if words in line)
    return number


@pytest.mark.parametrize(
    ("keys", "picked"),
    [
        (["enter"], "shanghaien"),
        (["down", "enter"], "toy"),
        (["up", "enter"], "toy"),
        (["down", "down", "enter"], "shanghaien"),
        (["2", "enter"], "toy"),
        (["3", "x", "left", "right", "enter"], "shanghaien"),
        (["down", "escape"], None),
        (["q"], None),
        (["ctrl+c"], None),
    ],
    ids=str,
)
async def test_keys(keys: list[str], picked: str | None) -> None:
    async with picking() as (app, pilot):
        await pilot.press(*keys)
    assert app.return_value == (Picked(picked) if picked else None)
    assert not app.is_running


async def test_no_key_but_enter_picks() -> None:
    async with picking() as (app, pilot):
        await pilot.press("down", "1", "2", "space", "tab", "t")
        assert app.is_running
        assert line_of(app, "> 2 Toy") == line_of(app, "Toy")
        await pilot.press("escape")


async def test_the_mouse_picks_and_leaves() -> None:
    async with picking() as (app, pilot):
        await pilot.click(offset=(6, line_of(app, "2 Toy")))
    assert app.return_value == Picked("toy")
    async with picking() as (app, pilot):
        await pilot.click(offset=(70, line_of(app, "[Esc] leaves")))
    assert app.return_value is None
    assert not app.is_running


async def test_a_game_can_be_learned_first() -> None:
    """The lessons stand below the games, with what they do."""
    async with picking(lessons=["shanghaien"]) as (app, pilot):
        assert line_of(app, "3 Learn Shanghaien first") == line_of(app, "2 Toy") + 1
        assert "Enter plays the game" in " ".join(characters(app).split())
        await pilot.press("up")
        text = " ".join(characters(app).split())
        assert "> 3 Learn Shanghaien first" in text
        assert "Enter begins the lesson." in text
        assert "shanghaien learn shanghaien" in text
        await pilot.press("enter")
    assert app.return_value == Picked("shanghaien", learns=True)
    async with picking(lessons=["shanghaien"]) as (app, pilot):
        await pilot.click(offset=(6, line_of(app, "Learn Shanghaien")))
    assert app.return_value == Picked("shanghaien", learns=True)


async def test_how_to_skip_the_question_for_the_game_at_hand() -> None:
    async with picking(size=(200, 60)) as (app, pilot):
        for name in BOTH:
            text = " ".join(characters(app).split())
            assert f"--game {name};" in text
            assert f'"game": "{name}" into {SETTINGS}.' in text
            await pilot.press("down")
        await pilot.press("escape")


@pytest.mark.parametrize("ascii_only", [None, True])
async def test_in_every_language(language: str, ascii_only: bool | None) -> None:
    async with picking(ascii_only=ascii_only) as (app, pilot):
        text = characters(app)
        assert "1 Shanghaien" in text
        assert "2 Toy" in text
        assert text.isascii() or not ascii_only
        assert ascii_only or say("panel_games").replace("\u00a0", " ") in text.replace("\u00a0", " "), language
        check_widths(app)
        await pilot.press("escape")


async def test_without_colours() -> None:
    async with picking(settings=replace(STILL, theme="none")) as (app, pilot):
        assert "#" not in drawn_with(app)
        assert "> 1 Shanghaien" in characters(app)
        await pilot.press("escape")


@sweep("size", [(20, 5), (80, 24), (3, 2), (40, 7), (200, 60)], every=5)
async def test_the_line_at_hand_is_seen_in_any_window(size: tuple[int, int]) -> None:
    """However many games there are."""
    games = [*BOTH, *(f"game-{number}" for number in range(3, 33))]
    async with picking(games) as (app, pilot):
        await pilot.press("up")
        await pilot.resize_terminal(*size)
        await pilot.pause()
        if size > (10, 5):
            assert "> 32 game-32" in characters(app)
        for number in range(1, 33):
            await pilot.press("down")
            if size > (10, 5):
                assert f"> {number} " in characters(app)
        await pilot.resize_terminal(80, 24)
        await pilot.press("enter")
    assert app.return_value == Picked("game-32")
