"""The full screen and its keys: no accident, no markup, no size that breaks it, and kept pictures."""

import asyncio
import hashlib
import hmac
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text
from textual.pilot import Pilot

from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.games.api import State, Turn
from p2p_shanghaien.games.registry import GAMES
from p2p_shanghaien.games.shanghaien import rules
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Option
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.drawing import PLAIN, BoardView, Canvas
from p2p_shanghaien.ui.full.fair import fair_lines
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.language import choose
from p2p_shanghaien.ui.presenter import Presenter
from p2p_shanghaien.ui.view import UNICODE
from tests.sweeps import sweep
from tests.ui.desk import DRAW
from tests.ui.full.desk import STILL, Game, drawn, full_table, moves, regions, settled, shown, styles, text

KEPT = Path(__file__).parent / "kept"
EVIL = "[bold red]\x1b]52;c;aGk=\x07[/]\u202e[link=x]"


def open_position() -> rules.State:
    """Player 0 has rolled in round 3, may play a trick, and decides where number 1 is."""
    for before, _, _ in moves(5):
        if before.round == 3 and before.node == Turn(0) and before.dice and not before.direction:
            assert isinstance(before, rules.State)
            return before
    raise AssertionError("no such position")


@asynccontextmanager
async def deciding(
    table: FullTable, size: tuple[int, int] = (80, 24), names: tuple[str, str] = ("Ada", "Ben")
) -> AsyncIterator[tuple[Pilot[None], "asyncio.Task[str]"]]:
    """The person, player 0, decides in the open position."""
    state = open_position()
    async with shown(table, size) as pilot:
        table.begun(Shanghaien("extra-wild"), names, 0)
        task = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        yield pilot, task
        task.cancel()
        await asyncio.wait({task})


async def test_a_move_takes_two_keys() -> None:
    async with deciding(full_table()) as (pilot, task):
        await pilot.press("3", "enter")
        assert await task == "-3<"


@pytest.mark.parametrize("name", ["board", "menu"])
async def test_a_move_takes_two_clicks(name: str) -> None:
    table = full_table()
    async with deciding(table, (120, 40)) as (pilot, task):
        sheet = table.app.screen.query_one(f"#{name}", CanvasWidget)
        region = regions(drawn(sheet))[0]
        await pilot.click(sheet, offset=(region.x + region.width // 2, region.y + region.height // 2))
        assert table.app.choosing
        picked = table.app.choosing.picked
        assert picked in [item.action for item in table.app.choosing.items]
        await pilot.click("#status")
        assert await task == picked


async def test_the_same_key_again_picks_the_other_end_and_escape_takes_back() -> None:
    table = full_table()
    async with deciding(table) as (pilot, task):
        await pilot.press("3", "3")
        assert table.app.choosing
        assert table.app.choosing.picked == "-3>"
        await pilot.press("escape", "enter")
        assert not task.done()
        await pilot.press("3", "3", "enter")
        assert await task == "-3>"


@pytest.mark.thorough
async def test_no_single_key_plays() -> None:
    """Every key, and Enter any number of times before anything is picked."""
    table = full_table()
    keys = [*"abcdefghijnprstuwxyz0123456789+-#<>!=", "enter", "space", "tab", "left", "up", "pagedown", "delete", "f5"]
    async with deciding(table) as (pilot, task):
        await pilot.press("enter", "enter", "enter")
        for key in keys:
            await pilot.press("escape", key)
            assert not task.done(), key


@pytest.mark.parametrize("me", [0, 1])
async def test_a_game_taken_up_again_is_shown_where_it_is(me: int) -> None:
    """In the whole, before anybody has said or done anything."""
    table, state = full_table(), open_position()
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), me, state)
        await settled(table, pilot)
        screen = text(table)
    assert "Round 3 of 8" in screen
    assert f"rolled {state.dice[0]} and {state.dice[1]}" in screen
    assert all(f"{card[0]}     {card[1]}" in screen for card in state.row if card[0] != "X")


@pytest.mark.thorough
async def test_the_name_of_the_game_gives_way_in_a_title_that_is_too_long_before_it_is_cut() -> None:
    table = full_table()
    async with shown(table, (80, 24)) as pilot:
        table.begun(Shanghaien("extra-wild"), ("W" * 20, "Ben"), 1, open_position())
        await settled(table, pilot)
        title = text(table).splitlines()[0]
        assert title.startswith(f" Round 3 of 8 · {'W' * 20} starts")
        assert "…" not in title
        table.notify("watchers", count=5)
        await settled(table, pilot)
        title = text(table).splitlines()[0]
        assert "… 5 watching · ● connected" in title


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_how_many_watch_is_seen_at_any_time(ascii_only: bool) -> None:
    table = full_table(replace(STILL, ascii=ascii_only))
    async with shown(table, (80, 24)) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 1, open_position())
        for code, count, corner in (
            ("watchers", 12, "12 watching"),
            ("watchers", 1, " 1 watching"),
            ("watchers_none", 0, ""),
        ):
            table.notify(code, count=count)
            await settled(table, pilot)
            title = text(table).splitlines()[0]
            assert corner in title
            assert title.rstrip().endswith("connected")
            assert ("watching" in title) == (count > 0)


async def test_keys_pressed_before_the_question_do_not_answer_it() -> None:
    table = full_table()
    state = open_position()
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
        await settled(table, pilot)
        await pilot.press("3", "enter", "r", "enter")
        task = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        assert not task.done()
        task.cancel()
        await asyncio.wait({task})


async def test_what_a_peer_calls_itself_and_says_is_text_and_nothing_else() -> None:
    table = full_table()
    async with deciding(table, (120, 40), ("Ada", EVIL)) as (pilot, _):
        table.notify("chat", name=EVIL, text=EVIL)
        await settled(table, pilot)
        screen = text(table)
        assert "[bold red]" in screen
        assert "\\x1b]52;c;aGk=\\x07[/]" in screen
        assert not set(screen) & {"\x1b", "\x07", "\u202e"}


async def test_what_is_said_without_spaces_is_shown_whole() -> None:
    table = full_table()
    said = "".join(chr(0x4E00 + place) for place in range(60))
    async with deciding(table, (80, 24)) as (pilot, _):
        table.notify("chat", name="Ben", text=said)
        await settled(table, pilot)
        assert set(said) <= set(text(table))


@pytest.mark.thorough
@sweep("dialog", [[], ["question_mark"], ["m"], ["k"], ["v"], ["slash"]], every=3, ids=str)
async def test_any_size(dialog: list[str]) -> None:
    table = full_table()
    async with deciding(table) as (pilot, task):
        await pilot.press(*dialog)
        for width, height in ((20, 5), (480, 154), (79, 24), (80, 23), (120, 40), (121, 24), (30, 60), (80, 24)):
            await pilot.resize_terminal(width, height)
            await settled(table, pilot)
        assert not task.done()
        await pilot.press("escape", "3", "enter")
        assert await task == "-3<"


async def test_too_small_a_window_says_what_it_needs() -> None:
    table = full_table()
    async with deciding(table, (60, 20)):
        assert "The table needs 80 by 24 cells; the window has 60 by 20." in text(table)


PICTURES: dict[str, tuple[tuple[int, int], Settings]] = {
    "80x24": ((80, 24), STILL),
    "120x40": ((120, 40), STILL),
    "light": ((80, 24), replace(STILL, theme="light")),
    "no-colour": ((80, 24), replace(STILL, theme="none")),
    "ascii": ((80, 24), replace(STILL, ascii=True)),
}


@pytest.mark.parametrize("name", PICTURES)
async def test_the_screen_is_as_it_was_kept(name: str) -> None:
    """KEEP_SCREENS=1 keeps them anew, to be looked at before they are committed."""
    size, settings = PICTURES[name]
    table = full_table(settings)
    async with deciding(table, size) as (pilot, _):
        await pilot.press("3")
        await settled(table, pilot)
        screen, drawn = text(table) + "\n", styles(table) + "\n"
    for kind, shown_now in (("txt", screen), ("styles", drawn)):
        path = KEPT / f"{name}.{kind}"
        if os.environ.get("KEEP_SCREENS"):
            path.write_text(shown_now, encoding="utf-8")
        assert shown_now == path.read_text(encoding="utf-8")
    if settings.ascii:
        assert screen.isascii()
    if settings.theme == "none":
        assert "#" not in drawn


async def hintless(state: State, player: int) -> Sequence[Option]:
    return ()


@sweep("code", ["fr", "de", "it"], every=3)
async def test_in_ascii_there_is_nothing_else(code: str) -> None:
    """Whatever the status line says, and whatever a key lays over the table."""
    choose(code)
    try:
        table = FullTable(GameApp(replace(STILL, ascii=True), lambda changed: None, advise=hintless))
        async with deciding(table, (120, 40), ("Zoë", "Çelik")) as (pilot, task):
            said = []
            for keys in (["h"], ["enter"], ["escape", "enter"], ["o"], ["3"], *[[key, "escape"] for key in "?mklv/q"]):
                await pilot.press(*keys[:1])
                await settled(table, pilot)
                assert text(table).isascii(), keys
                said.append(table.app.message())
                await pilot.press(*keys[1:])
            task.cancel()
            table.drew(DRAW, True)
            table.notify("interrupted_game", name="Çelik", reason="ping_timeout")
            table.thinks("Çelik")
            for key in "?v":
                await settled(table, pilot)
                said.append(table.app.message())
                assert text(table).isascii()
                await pilot.press(key)
        assert not all(sentence.isascii() for sentence in said), "there was something to put into ASCII"
    finally:
        choose("en")


async def test_the_board_is_laid_out_once_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    boards = 0

    def board(self: BoardView[Any], *arguments: Any, **options: Any) -> Sequence[Text]:
        nonlocal boards
        boards += 1
        return laid_out(self, *arguments, **options)

    board_view: type[BoardView[Any]] = type(GAMES["shanghaien"].board.load())
    laid_out = board_view.board
    monkeypatch.setattr(board_view, "board", board)
    table = full_table()
    async with deciding(table) as (pilot, task):
        for key in ("right", "3", "up", "escape", "enter", "left", "enter"):
            boards = 0
            await pilot.press(key)
            await settled(table, pilot)
            assert boards == 1, key
        assert await task


async def test_settings_change_at_once_and_are_kept() -> None:
    kept: list[Settings] = []
    table = FullTable(GameApp(STILL, kept.append))
    async with deciding(table) as (pilot, _):
        await pilot.press("m", "down", "down", "down", "enter")
        await pilot.press("right", "down", "right")
        assert [(settings.theme, settings.ascii) for settings in kept] == [("light", False), ("light", True)]
        await pilot.press("escape")
        await settled(table, pilot)
        assert table.app.theme == "table-light"
        assert text(table).isascii()


async def test_a_draw_can_be_worked_out_again_from_what_is_shown() -> None:
    table = full_table()
    game = Game(table)
    async with shown(table, (120, 40)) as pilot, game.running():
        while table.presenter.draw is None:
            await pilot.pause(0.01)
            if len(table.app.screen_stack) > 1:
                await pilot.press("y")
        draw, ours = table.presenter.draw

    def tagged(tag: str, *items: bytes | int) -> bytes:
        return hashlib.sha256(encode(f"p2p-shanghaien/1/{tag}") + encode(items)).digest()

    assert tagged("commitment", draw.session, draw.committed_at, draw.key, draw.shares[draw.seat]) == draw.commitment
    seed = tagged("outcome", draw.session, draw.number, draw.parent, *draw.shares)
    stream = b"".join(hmac.digest(seed, number.to_bytes(4, "big"), "sha256") for number in range(4))
    at, indices = 0, []
    for bound in draw.bounds:
        while stream[at] >= 256 - 256 % bound:
            at += 1
        indices.append(stream[at] % bound)
        at += 1
    assert tuple(indices) == draw.indices
    assert ours == (draw.seat == 0)
    panel = "".join(line.plain.strip() for line in fair_lines(table.presenter, Canvas(40, 24, PLAIN)))
    for value in (draw.commitment, *draw.shares, draw.session, draw.key, draw.parent, draw.state_hash):
        assert value.hex() in panel
    for width in (20, 40):
        wide = Presenter(UNICODE)
        wide.begun(Shanghaien(), ("漢字漢字漢字", "漢字"), None)
        wide.drew(draw, ours)
        assert all(line.cell_len <= width for line in fair_lines(wide, Canvas(width, 24, PLAIN)))


@pytest.mark.parametrize(
    ("me", "ours", "who"), [(0, True, "You"), (0, False, "Ben"), (1, True, "You"), (1, False, "Ada")]
)
async def test_it_is_named_who_committed_to_a_draw(me: int, ours: bool, who: str) -> None:
    table = full_table()
    async with shown(table, (120, 40)) as pilot:
        table.begun(Shanghaien(), ("Ada", "Ben"), me)
        table.drew(DRAW, ours)
        await settled(table, pilot)
        await pilot.press("v")
        assert f"Commitment to a secret number ({who}, entry 7)" in text(table)
