"""Practice and the tutor at the full screen: the key and the menu entry that take back, and what is not there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.app.advisor import Advisor
from p2p_shanghaien.app.participants.computer import Computer
from p2p_shanghaien.app.participants.human import LocalPerson
from p2p_shanghaien.app.practice_session import PracticeSession, RecordKeeper
from p2p_shanghaien.app.tutor import Tutor, TutoredPerson
from p2p_shanghaien.games.api import Acted
from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players.uniform import choose
from p2p_shanghaien.ui.full.ending import EndSheet
from p2p_shanghaien.ui.full.table import FullTable
from tests.games.playing import play
from tests.ui.full.desk import Game, full_table, settled, shown, text


@asynccontextmanager
async def practising(
    folder: Path, *, tutor: float | None = None, takes_back: bool = True, game: str = "shanghaien"
) -> AsyncIterator[tuple[FullTable, Pilot[None], "asyncio.Task[int]"]]:
    """A game of practice on the screen, the person to decide."""
    table = full_table()
    keeper = RecordKeeper(folder, ("Ada", "Computer"))
    opponent = Computer(choose, Random(3), "Computer", table.thinks)
    person = LocalPerson(table)
    if tutor is not None:
        person = TutoredPerson(table, Tutor(Advisor(game), lambda: tutor), takes_back=takes_back)
    session = PracticeSession(table, person, opponent, keeper, iter(["b", "c", "d"]).__next__)
    async with shown(table) as pilot:
        playing = asyncio.create_task(session.play(RULES[game].from_settings({})))
        await turn(table, pilot)
        yield table, pilot, playing
        playing.cancel()
        await asyncio.wait({playing})


async def turn(table: FullTable, pilot: Pilot[None]) -> None:
    """Wait until the person is to decide."""
    await until(lambda: table.app.choosing is not None, table, pilot)


async def until(condition: Any, table: FullTable, pilot: Pilot[None]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await settled(table, pilot)
            await asyncio.sleep(0.01)
    await settled(table, pilot)


def is_over(table: FullTable) -> bool:
    return table.presenter.game.is_over


async def press(table: FullTable, pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(table, pilot)


async def play_first(table: FullTable, pilot: Pilot[None], count: int = 1) -> None:
    """Play the first choice so many times."""
    for _ in range(count):
        await turn(table, pilot)
        choosing = table.app.choosing
        await press(table, pilot, "right", "enter")
        await until(lambda was=choosing: table.app.choosing is not was, table, pilot)


async def decided(table: FullTable, pilot: Pilot[None]) -> None:
    """Play first choices until one of them was a decision."""
    while not table.presenter.decisions:
        await play_first(table, pilot)
    await turn(table, pilot)


async def test_a_key_takes_the_last_decision_back(tmp_path: Path) -> None:
    async with practising(tmp_path) as (table, pilot, _):
        assert "practice" in text(table).splitlines()[0]
        assert "u Take back" in text(table)
        await press(table, pilot, "u")
        assert "nothing to take back" in text(table)
        while len(table.app.choosing.items if table.app.choosing else ()) < 2:
            await play_first(table, pilot)
        before = table.presenter.game.state
        await decided(table, pilot)
        after = table.presenter.game.state
        assert after != before
        await press(table, pilot, "u")
        await turn(table, pilot)
        assert table.presenter.game.state == before
        assert "Your last decision is taken back." in [str(told) for told in table.app.story]
        assert table.presenter.decisions == 0
        # the same decision has the same consequences
        await decided(table, pilot)
        assert table.presenter.game.state == after


async def test_the_menu_takes_back_what_there_is(tmp_path: Path) -> None:
    async with practising(tmp_path) as (table, pilot, _):
        await press(table, pilot, "m")
        menu = text(table)
        assert "Take your last decision back" not in menu
        # nobody is there for these
        assert not any(entry in menu for entry in ("Say something", "Offer to", "Accept the", "Resign"))
        await press(table, pilot, "escape")
        await decided(table, pilot)
        await press(table, pilot, "m")
        assert "1 Take your last decision back" in text(table)
        await press(table, pilot, "1", "enter")
        await until(lambda: table.presenter.decisions == 0, table, pilot)
        await turn(table, pilot)


@pytest.mark.parametrize("key", ["/", "v"])
async def test_what_needs_a_peer_says_that_there_is_none(tmp_path: Path, key: str) -> None:
    async with practising(tmp_path) as (table, pilot, _):
        assert "Say" not in text(table).splitlines()[-1]
        assert "Fair?" not in text(table).splitlines()[-1]
        await press(table, pilot, key)
        assert "Nobody is there to talk to" in text(table)


async def test_leaving_asks_and_keeps_a_record(tmp_path: Path) -> None:
    async with practising(tmp_path) as (table, pilot, playing):
        await decided(table, pilot)
        await press(table, pilot, "q")
        assert "Leave practice?" in text(table)
        assert "resume" not in text(table)
        playing.cancel()
        await asyncio.wait({playing})
    (path,) = tmp_path.iterdir()
    assert read(path.read_bytes(), RULES).is_practice


async def to_the_end(table: FullTable, pilot: Pilot[None]) -> None:
    """Play until another game is offered, below the end of this one."""
    while not is_over(table):
        await until(lambda: table.app.choosing or is_over(table), table, pilot)
        if len(table.app.screen_stack) > 1:
            await press(table, pilot, "escape")
        elif table.app.choosing:
            await press(table, pilot, "left", "enter")  # Shanghai, where it is open
    await until(lambda: "Another game of practice?" in text(table), table, pilot)
    assert isinstance(table.app.screen, EndSheet)


@pytest.mark.thorough
async def test_the_end_can_be_taken_back(tmp_path: Path) -> None:
    async with practising(tmp_path) as (table, pilot, playing):
        await to_the_end(table, pilot)
        assert "[u] Take back" in text(table)
        await press(table, pilot, "u")
        await turn(table, pilot)
        assert table.presenter.ending is None
        assert not is_over(table)
        assert len(table.app.screen_stack) == 1, "the end is put away"
        assert not playing.done()


@pytest.mark.thorough
async def test_another_game_of_practice_follows(tmp_path: Path) -> None:
    async with practising(tmp_path) as (table, pilot, playing):
        await to_the_end(table, pilot)
        await press(table, pilot, "y")
        await turn(table, pilot)
        assert not is_over(table)
        assert len(table.app.screen_stack) == 1, "the end is put away"
        assert not playing.done()


@pytest.mark.parametrize("key", ["y", "u"])
async def test_the_tutor_asks_before_it_happens(tmp_path: Path, key: str) -> None:
    """The consequences are not shown before: whoever takes back has not seen the other's answer."""
    async with practising(tmp_path, tutor=0.0) as (table, pilot, _):
        state = table.presenter.game.state
        while len(table.app.screen_stack) == 1:
            await turn(table, pilot)
            state = table.presenter.game.state
            await press(table, pilot, "right", "enter")
            await until(lambda: len(table.app.screen_stack) > 1 or table.app.choosing, table, pilot)
        screen = " ".join(text(table).split())
        assert "percentage points of win probability" in screen
        assert "Take the decision back?" in screen
        assert table.presenter.game.state == state
        await press(table, pilot, "y")
        await turn(table, pilot)
        assert table.presenter.game.state == state
        assert any("Better:" in str(told) for told in table.app.story)


async def test_the_tutor_of_a_signed_game_asks_nothing(tmp_path: Path) -> None:
    async with practising(tmp_path, tutor=0.0, takes_back=False) as (table, pilot, _):
        while len(table.app.screen_stack) == 1:
            await turn(table, pilot)
            await press(table, pilot, "right", "enter")
            await until(lambda: len(table.app.screen_stack) > 1 or table.app.choosing, table, pilot)
        screen = " ".join(text(table).split())
        assert "a signed game is never taken back" in screen
        assert "[y]" not in screen
        await press(table, pilot, "escape")
        await turn(table, pilot)


async def test_a_signed_game_has_no_such_key() -> None:
    table = full_table()
    async with shown(table) as pilot, Game(table, seed=2).running():
        await until(lambda: "Play with" in text(table), table, pilot)
        await press(table, pilot, "y")
        await turn(table, pilot)
        assert "Take back" not in text(table)
        await press(table, pilot, "m")
        assert "Take your last decision back" not in text(table)
        await press(table, pilot, "escape", "u")
        assert "A signed game is never taken back" in text(table)


@pytest.mark.parametrize("name", ["shanghaien", "halunken"])
def test_the_key_is_free_in_our_games(name: str) -> None:
    """A game's own keys come first: in a game at random, none of them is this one."""
    game = RULES[name].from_settings({})
    presenter = full_table().presenter
    presenter.begun(game, ("Ada", "Ben"), 0)
    for before, step, _ in play(game, Random(4)):
        if isinstance(step, Acted):
            asked = (before, step.player)
            assert not any(
                "u" in item.key for item in presenter.game.board_view.menu_items(*asked, presenter.game.viewpoint)
            )
