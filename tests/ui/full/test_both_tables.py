"""Both tables are told the same and say the same, warn of the same, and take the same for an answer."""

import asyncio
import io
from collections.abc import Iterator, Sequence

import pytest
from rich.console import Console
from textual.pilot import Pilot

from p2p_shanghaien.app.user_interface import UserInterface
from p2p_shanghaien.games.api import State
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.ui.full.drawing import DARK
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.language import choose
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.presenter import DELIBERATE, TONES, Tone
from p2p_shanghaien.ui.screen import Screen
from tests.sweeps import sweep
from tests.ui.desk import DRAW, Desk, Script
from tests.ui.full.desk import STILL, full_table, moves, settled, shown, text
from tests.ui.full.test_screen import open_position

PEOPLE = {"name": "Ben", "other": "Ada", "text": "hello"}
DETAILS = {**PEOPLE, "remote": "192.0.2.7", "key": "0123 4567", "number": 7, "count": 1}
WARNINGS = [code for code, tone in TONES.items() if tone == Tone.WARNING and code not in DELIBERATE]


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    choose("en")


def happens(told: UserInterface, me: int) -> None:
    """Whatever a session tells, up to the end of a game."""
    told.notify("waiting")
    told.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), me)
    told.drew(DRAW, True)
    for number, (before, step, after) in enumerate(moves(5)):
        told.stepped(before, step, after)
        if number % 20 == 0:
            told.notify("chat", **DETAILS)
    for code in (*WARNINGS, "resigned", "abandoned", "log_5", "reconnected"):
        told.notify(code, reason="bad_signature", path="game.shlog", **DETAILS)


async def put_away(table: FullTable, pilot: Pilot[None]) -> None:
    await settled(table, pilot)
    while len(table.app.screen_stack) > 1:
        await pilot.press("escape")
        await settled(table, pilot)


@sweep("language, me", [("de", 1), ("en", 0)], every=2)
async def test_they_say_the_same(language: str, me: int) -> None:
    choose(language)
    desk, table = Desk(), full_table()
    happens(desk.table, me)
    printed = "".join("\n".join(desk.shown()).split())
    async with shown(table, (120, 40)) as pilot:
        happens(table, me)
        await put_away(table, pilot)
        sentences = [("| " if each.tone == Tone.CHAT else "") + str(each) for each in table.app.story]
    assert len(sentences) > 100
    at = 0
    for sentence in sentences:
        at = printed.find("".join(sentence.split()), at)
        assert at >= 0, sentence


@pytest.mark.parametrize("code", WARNINGS)
async def test_a_warning_strikes_the_eye(code: str) -> None:
    """Warnings look like `ui.screen.WARNING` and `bad`, and other messages do not."""
    file, table = io.StringIO(), full_table()
    screen = Screen(Console(file=file, width=200, force_terminal=True, color_system="standard", highlight=False))
    plain = PlainTable(screen, Script(screen, (), interactive=True))
    plain.notify("waiting")
    assert "\x1b" not in file.getvalue()
    plain.notify(code, reason="bad_signature", **DETAILS)
    assert "\x1b[1;37;41m" in file.getvalue()
    async with shown(table, (120, 40)) as pilot:
        table.notify("waiting")
        table.notify(code, reason="bad_signature", **DETAILS)
        await settled(table, pilot)
        first, *lines = table.app.log_lines(78)
        assert not first.style
        assert lines
        assert {line.style for line in lines} == {DARK.bad}


WORDS = [
    ("en", "yes", True),
    ("en", "y", None),
    ("en", "n", False),
    ("de", "ja", True),
    ("de", "j", None),
    ("de", "yes", True),
    ("de", "Nein", False),
    ("fr", "oui", True),
    ("it", "si", True),
    ("it", "sì", True),
]


@sweep("language, typed, meant", WORDS, every=3)
async def test_a_deliberate_question_takes_the_same_words(language: str, typed: str, meant: bool | None) -> None:
    choose(language)
    code, no = min(DELIBERATE), "no"
    desk, table = Desk([typed, no]), full_table()
    plain = await desk.table.confirm(code, **DETAILS)
    assert (plain, len(desk.script.prompts)) == (bool(meant), 2 if meant is None else 1)
    async with shown(table) as pilot:
        asking = asyncio.create_task(table.confirm(code, **DETAILS))
        await asyncio.sleep(0)
        await settled(table, pilot)
        await pilot.press(*typed, "enter")
        await settled(table, pilot)
        assert asking.done() == (meant is not None)
        if meant is None:
            await pilot.press(*["backspace"] * len(typed), *no, "enter")
        assert await asking == plain


@pytest.mark.parametrize(
    ("language", "key", "meant"),
    [("en", "y", True), ("de", "j", True), ("de", "y", True), ("de", "N", False), ("fr", "o", True), ("it", "s", True)],
)
async def test_a_letter_answers_any_other_question(language: str, key: str, meant: bool) -> None:
    choose(language)
    table = full_table()
    assert await Desk([key]).table.confirm("play_again", result="") == meant
    async with shown(table) as pilot:
        asking = asyncio.create_task(table.confirm("play_again", result=""))
        await asyncio.sleep(0)
        await settled(table, pilot)
        await pilot.press(key)
        assert await asking == meant


async def level(state: State, player: int) -> Sequence[Option]:
    """Everything is worth the same."""
    return [Option(action, PositionValue(0.5, 0.0)) for action in state.legal(player)]


async def test_hints_of_equal_value_stand_in_the_same_order() -> None:
    state = open_position()
    desk = Desk(["h"])
    desk.table.advise = level
    desk.table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
    await desk.table.show_hints(state, [(0, None)])
    lines = " ".join(desk.shown())
    table = FullTable(GameApp(STILL, lambda changed: None, advise=level))
    async with shown(table, (120, 40)) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
        deciding = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        await pilot.press("h")
        await settled(table, pilot)
        rows = [line.split("] ", 1)[1].strip() for line in text(table).splitlines() if "50.0%" in line]
        deciding.cancel()
        await asyncio.wait({deciding})
    assert len(rows) == len(state.legal(0))
    at = [lines.index(row) for row in rows]
    assert at == sorted(at)
