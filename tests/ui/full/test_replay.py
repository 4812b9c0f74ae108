"""Looking through a game on record at the full screen: by keys alone, by mouse alone, by itself, and as it grows."""

import asyncio
import os
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.fairplay.contents import Kind
from p2p_shanghaien.fairplay.transcript import length_prefixed, read
from p2p_shanghaien.fairplay.verify import Report, extended, verify
from p2p_shanghaien.games.api import State, Turn
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full import replay
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.cursor import Recorded
from p2p_shanghaien.ui.full.dialogs import InputDialog, TextDialog
from p2p_shanghaien.ui.full.replay import ReplayApp
from p2p_shanghaien.ui.language import choose
from p2p_shanghaien.ui.snapshots import Way, closing
from p2p_shanghaien.ui.view import viewpoint
from tests.pair import make_pair
from tests.protocol.files import load as load_vectors
from tests.sweeps import sweep
from tests.ui.full.desk import STILL, characters, drawn, regions
from tests.ui.ledger import RECORDS, load, moments

KEPT = Path(__file__).parent / "kept"
SHORT = RECORDS[5]
"""A game of few turns."""


def a_game(seed: int) -> bytes:
    pair = make_pair(random.Random(seed))
    pair.play(random.Random(seed + 1))
    return pair.logs[0]


LOG = a_game(14)
ENTRIES = read(LOG).entries
OPENING = len(LOG) - sum(len(length_prefixed(entry)) for entry in ENTRIES)


def of_log(data: bytes) -> Recorded:
    report = verify(data, RULES)
    return Recorded(report.record(), report)


def of_record(path: Path) -> Recorded:
    return Recorded(load(path))


def violation() -> Recorded:
    """Return a log whose last entry breaks a rule in the middle of the game."""
    tests = (test for test in load_vectors("logs") if test["verdict"] == "VIOLATION")
    logs = (of_log(bytes.fromhex(test["log"])) for test in tests)
    return max(logs, key=lambda each: len(each.record.steps))


@asynccontextmanager
async def looking(
    found: Recorded,
    size: tuple[int, int] = (80, 24),
    settings: Settings = STILL,
    growth: AsyncIterator[Report] | None = None,
) -> AsyncIterator[tuple[ReplayApp, Pilot[None]]]:
    """A person looks through what was found."""
    app = ReplayApp(found, settings, lambda changed: None, growth)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def click(app: ReplayApp, pilot: Pilot[None], means: str) -> None:
    """Click what stands for `means` on the screen in front."""
    for sheet in app.screen.query(CanvasWidget):
        for region in regions(drawn(sheet)):
            if means in region.means:
                await pilot.click(sheet, offset=(region.x + region.width // 2, region.y))
                return
    raise AssertionError(f"{means} is nowhere on the screen")


async def forward_by_key(app: ReplayApp, pilot: Pilot[None]) -> None:
    await pilot.press(random.choice(["right", "n", "enter"]))


async def back_by_key(app: ReplayApp, pilot: Pilot[None]) -> None:
    await pilot.press(random.choice(["left", "b"]))


async def forward_by_mouse(app: ReplayApp, pilot: Pilot[None]) -> None:
    await click(app, pilot, "way_next")


async def back_by_mouse(app: ReplayApp, pilot: Pilot[None]) -> None:
    await click(app, pilot, "way_back")


Hand = Callable[[ReplayApp, Pilot[None]], Awaitable[None]]


@pytest.mark.thorough
@sweep(
    "on, back, size",
    [(forward_by_key, back_by_key, (80, 24)), (forward_by_mouse, back_by_mouse, (120, 40))],
    every=2,
    ids=["keys", "mouse"],
)
async def test_a_whole_game_forward_and_back(on: Hand, back: Hand, size: tuple[int, int]) -> None:
    """At each place lies what the ledger has there: all that can be seen to happen, and nothing between."""
    seen: list[State] = []
    async with looking(of_record(SHORT), size) as (app, pilot):
        for moment in moments(SHORT):
            event, ledger = moment.events[0], moment.ledger
            # what a choice to roll comes to is not seen before the dice are, and what !r does, neither
            if event["event"] == "decision" and (event["action"] == "roll"):
                continue
            if seen:
                await on(app, pilot)
            assert app.presenter.game.state == moment.after
            seen.append(moment.after)
            screen = characters(app)
            assert f"{len(seen)}/{app.cursor.last + 1} " in screen
            assert f"Round {ledger.round} of 8" in screen
            cards = [card for card in ledger.row if card[0] != "X"]
            if cards and len(ledger.rolled) == 2:
                assert f"rolled {ledger.rolled[0]} and {ledger.rolled[1]}" in screen
            assert all(f"{card[0]}     {card[1]}" in screen for card in cards)
        await on(app, pilot)
        assert app.cursor.at == app.cursor.last == len(seen)
        assert "The game is over" in characters(app)
        await on(app, pilot)
        assert "nothing further" in characters(app)
        for state in reversed(seen):
            await back(app, pilot)
            assert app.presenter.game.state == state
        assert app.cursor.at == 0
        await back(app, pilot)
        assert "nothing further" in characters(app)


async def test_by_rounds_and_to_both_ends() -> None:
    async with looking(of_record(SHORT)) as (app, pilot):
        for keys in ("down", "r", "shift+right"):
            await pilot.press(keys)
        assert str(app.cursor.snapshot.place if app.cursor.snapshot else "") == "4"
        await pilot.press("right", "up")
        assert "Round 4: " in app.message()
        await pilot.press("p")
        assert "Round 3: " in app.message()
        await pilot.press("end")
        assert app.cursor.snapshot is None
        await pilot.press("up")
        assert "Round 8: " in app.message()
        await pilot.press("home")
        assert app.cursor.at == 0
        for means, place in (
            ("way_next_stage", "2"),
            ("way_next", "2.1.1"),
            ("way_back", "2"),
            ("way_end", ""),
            ("way_last_stage", "8"),
            ("way_start", "1"),
        ):
            await click(app, pilot, means)
            assert str(app.cursor.snapshot.place if app.cursor.snapshot else "") == place


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_every_cell_of_the_line_of_steps_leads_where_it_shows(size: tuple[int, int]) -> None:
    async with looking(of_record(SHORT), size) as (app, pilot):
        sheet = app.query_one("#progress", CanvasWidget)
        cells = [region for region in regions(drawn(sheet)) if region.means[0].isdecimal()]
        assert cells[0].means == ("0",)
        assert cells[-1].means == (str(app.cursor.last),)
        places = [int(region.means[0]) for region in cells]
        assert places == sorted(places)
        for cell in random.Random(1).sample(cells, 5):
            await pilot.click(sheet, offset=(cell.x, 0))
            assert app.cursor.at == int(cell.means[0])
            # where there are more cells than places, several stand for the same
            assert abs(drawn(sheet)[0].plain.index("●") - cell.x) <= len(cells) // app.cursor.last


async def test_the_log_stands_at_its_end_whenever_it_is_laid_out() -> None:
    """Nothing else tells it of a layout that comes long after what asked for it."""
    async with looking(of_record(SHORT), (80, 24)) as (app, pilot):
        await pilot.press("e")
        await pilot.pause()
        log, sheet = app.query_one("#log"), app.query_one("#story", CanvasWidget)
        before = log.max_scroll_y
        assert log.scroll_offset.y == before > 0
        app.story.add(*app.story)
        sheet.forget()
        await pilot.pause()
        await pilot.pause()
        assert log.scroll_offset.y == log.max_scroll_y > before
        await pilot.press("pageup")
        await pilot.pause()
        await pilot.pause()
        assert log.scroll_offset.y < log.max_scroll_y


async def test_a_sentence_of_the_log_is_gone_back_to() -> None:
    async with looking(of_record(SHORT), (120, 40)) as (app, pilot):
        await pilot.press("3")
        await pilot.press("enter")
        log, sheet = app.query_one("#log"), app.query_one("#story", CanvasWidget)
        while not log.max_scroll_y or sheet.region.bottom != log.region.bottom:
            await pilot.pause(0.01)
        region = regions(drawn(sheet))[-4]
        told = drawn(sheet)[region.y].plain.strip()
        assert await pilot.click(sheet, offset=(5, region.y))
        assert told in app.message()
        await pilot.press("l")
        await click(app, pilot, "2")
        assert len(app.screen_stack) == 1
        assert app.cursor.at == 2


@pytest.mark.parametrize(
    ("typed", "place"), [("3", "3"), ("3.2", "3.2.2"), ("2.1.1", "2.1.1"), ("start", "1"), ("end", "")]
)
async def test_to_a_place_that_is_typed(typed: str, place: str) -> None:
    async with looking(of_record(SHORT)) as (app, pilot):
        first = typed[0]
        await pilot.press(*(first if first.isdecimal() else ("g", first)), *typed[1:], "enter")
        await pilot.pause()
        assert str(app.cursor.snapshot.place if app.cursor.snapshot else "") == place


@sweep("typed, error", [("9", "no place 9"), ("3.99", "no place 3.99"), ("x[b]", "no place x[b]")], every=3)
async def test_a_place_that_there_is_not_is_asked_for_again(typed: str, error: str) -> None:
    async with looking(of_record(SHORT)) as (app, pilot):
        await pilot.press("g", *typed, "enter")
        await pilot.pause()
        assert isinstance(app.screen, InputDialog)
        assert error in characters(app)
        assert typed in characters(app)
        await pilot.press(*["backspace"] * len(typed), "2", "enter")
        await pilot.pause()
        assert app.cursor.snapshot
        assert app.cursor.snapshot.place.numbers[0] == 2
        await pilot.press("g")
        await click(app, pilot, "close")
        assert len(app.screen_stack) == 1
        assert app.cursor.snapshot.place.numbers[0] == 2


def plays(app: ReplayApp) -> bool:
    return app.is_playing


async def test_keys_that_come_faster_than_the_line_to_type_on_are_not_lost() -> None:
    async with looking(of_record(SHORT)) as (app, pilot):
        for key in ("3", ".", "2", "enter"):
            app.post_message(events.Key({".": "full_stop"}.get(key, key), None if key == "enter" else key))
        await pilot.pause()
        await pilot.pause()
        assert app.cursor.snapshot
        assert str(app.cursor.snapshot.place) == "3.2.2"
        assert len(app.screen_stack) == 1


@pytest.mark.thorough
async def test_it_plays_by_itself_and_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "SPEEDS", (9.0, 9.0, 9.0, 0.05, 0.05, 0.05))
    async with looking(of_record(SHORT)) as (app, pilot):
        await pilot.press("space")
        assert plays(app)
        assert "Pause" in characters(app)
        assert app.cursor.at == 0
        await pilot.press("+")
        while app.cursor.at == 0:
            await pilot.pause(0.02)
        assert app.cursor.at < app.cursor.last, "it plays, and does not leap"
        await pilot.press("a")
        at = app.cursor.at
        await pilot.pause(0.1)
        assert app.cursor.at == at
        await click(app, pilot, "way_play")
        while app.cursor.at == at:
            await pilot.pause(0.02)
        assert app.cursor.at > at
        await pilot.press("left")
        assert not plays(app), "whoever takes a step wants to look"
        await pilot.press("space", "question_mark")
        at = app.cursor.at
        await pilot.pause(0.1)
        assert app.cursor.at <= at + 1, "nobody sees the table while they read"
        await pilot.press("escape")
        while plays(app):
            await pilot.pause(0.05)
        assert app.cursor.at == app.cursor.last
        await pilot.press("space")
        assert app.cursor.at < app.cursor.last, "from the end it plays the game again"


@pytest.mark.thorough
async def test_speed_goes_from_slow_to_fast_and_no_further() -> None:
    async with looking(of_record(SHORT)) as (app, pilot):
        shown = []
        await pilot.press(*["-"] * 9)
        for _ in range(8):
            shown.append(re.findall(r"([\d.]+) s a step", characters(app))[0])
            await click(app, pilot, "way_faster")
        assert [float(each) for each in dict.fromkeys(shown)] == list(replay.SPEEDS)


async def test_sheets_open_by_key_and_by_mouse() -> None:
    async with looking(of_log(LOG)) as (app, pilot):
        await pilot.press("o")
        assert "No round has ended yet." in characters(app)
        await pilot.press("end")
        sheets = {"k": "American", "l": "Round 8: ", "o": "ends round 8", "v": "secret number", "?": "space bar"}
        for key, text in sheets.items():
            for by_mouse in (False, True):
                if by_mouse:
                    await click(app, pilot, app.KEYS[key])
                else:
                    await pilot.press(key)
                assert isinstance(app.screen, TextDialog)
                while not all(sheet.size.width for sheet in app.screen.query(CanvasWidget)):
                    await pilot.pause(0.01)
                canvas = "\n".join(line.plain for sheet in app.screen.query(CanvasWidget) for line in drawn(sheet))
                assert text in canvas, key
                await (click(app, pilot, "close") if by_mouse else pilot.press("escape"))
        await pilot.press("m", "down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        await pilot.press("escape", "m", "enter")
        await pilot.pause()
        await pilot.press("down", "right")
        assert characters(app).isascii()


@sweep("code", ["fr", "de"], every=2)
async def test_in_ascii_there_is_nothing_else(code: str) -> None:
    choose(code)
    try:
        app = ReplayApp(of_log(LOG), replace(STILL, ascii=True), lambda changed: None)
        async with app.run_test(size=(120, 40)) as pilot:
            for keys in (["right"], ["x", "escape"], ["end"], ["n"], *[[key, "escape"] for key in "?klvogm"]):
                await pilot.press(*keys[:1])
                await pilot.pause()
                assert characters(app).isascii(), keys
                await pilot.press(*keys[1:])
    finally:
        choose("en")


@pytest.mark.parametrize("leave", ["q", "ctrl+c", "mouse"])
async def test_leaving(leave: str) -> None:
    async with looking(of_record(SHORT)) as (app, pilot):
        await (click(app, pilot, "key_leave") if leave == "mouse" else pilot.press(leave))
        assert not app.is_running


async def test_the_fair_draw_is_that_of_the_place_shown() -> None:
    report = verify(LOG, RULES)
    reveals = [entry for entry in report.entries if entry.kind == Kind.DRAW_REVEAL]
    async with looking(of_log(LOG), (120, 40)) as (app, pilot):
        numbers = []
        for at in (0, 1, app.cursor.last):
            app.go(at)
            await pilot.pause()
            assert app.presenter.draw
            draw, _ = app.presenter.draw
            numbers.append(draw.number)
            assert f"entry {draw.committed_at}" not in characters(app)
            await pilot.press("v")
            assert f"entry {draw.committed_at}" in characters(app)
            shown = characters(app)
            await pilot.press("escape")
        assert numbers == [reveals[at].number for at in (0, 1, -1)]
        who = report.record().names[reveals[-1].seat ^ (report.match.first or 0 if report.match else 0)]
        assert f"1. Commitment to a secret number ({who}" in shown


async def test_a_record_has_no_draws_to_show() -> None:
    async with looking(of_record(SHORT), (120, 40)) as (app, _):
        assert "Fair?" not in characters(app)
        assert "secret number" not in characters(app)
        assert "Verification: not signed" in characters(app)


async def test_the_verdict_stands_on_top_at_every_place() -> None:
    async with looking(of_log(LOG)) as (app, pilot):
        for at in range(0, app.cursor.last + 1, 20):
            app.go(at)
            await pilot.pause()
            assert characters(app).splitlines()[1].startswith(" Verification: COMPLETE (")
        verdict = drawn(app.query_one("#verdict", CanvasWidget))[0]
        assert verdict.style == app.text_styles.good


@pytest.mark.parametrize("settings", [STILL, replace(STILL, theme="none"), replace(STILL, ascii=True)], ids=str)
async def test_a_violation_is_shown_where_it_happened(settings: Settings) -> None:
    found = violation()
    async with looking(found, settings=settings) as (app, pilot):
        assert "Verification: VIOLATION (" in characters(app)
        assert "broke a rule here" not in characters(app)
        assert drawn(app.query_one("#verdict", CanvasWidget))[0].style == app.text_styles.bad
        await pilot.press("end")
        screen = characters(app)
        assert re.search(r"^ \w+ broke a rule here, with entry \d+: ", screen, re.MULTILINE)
        assert drawn(app.query_one("#status", CanvasWidget))[0].style == app.text_styles.bad
        await pilot.press("left")
        assert "broke a rule here" not in characters(app)


class Growth:
    """A log that is written to while somebody looks."""

    def __init__(self, entries: int) -> None:
        self.data = self.until(entries)
        self.report = verify(self.data, RULES)
        self._queue: asyncio.Queue[Report | LocalError | None] = asyncio.Queue()

    @staticmethod
    def until(entries: int) -> bytes:
        return LOG[: OPENING + sum(len(length_prefixed(entry)) for entry in ENTRIES[:entries])]

    def grow(self, entries: int) -> None:
        data = self.until(entries)
        self.report = extended(self.report, data[len(self.data) :], len(self.data))
        self.data = data
        self._queue.put_nowait(self.report)

    def end(self, error: LocalError | None = None) -> None:
        self._queue.put_nowait(error)

    def found(self) -> Recorded:
        return Recorded(self.report.record(), self.report)

    async def tell(self) -> AsyncIterator[Report]:
        while found := await self._queue.get():
            if isinstance(found, LocalError):
                raise found
            yield found


@pytest.mark.thorough
async def test_a_growing_game_is_followed() -> None:
    growth = Growth(60)
    async with looking(growth.found(), growth=growth.tell()) as (app, pilot):
        assert "● live" in characters(app)
        assert "INCOMPLETE" in characters(app)
        before = app.cursor.last
        assert app.cursor.at == before, "whoever comes in the middle sees the game as it stands"
        await pilot.press("right")
        assert "shown as they happen" in characters(app)
        for entries in range(61, 80):
            growth.grow(entries)
            await pilot.pause()
        assert app.cursor.at == app.cursor.last > before
        assert (
            app.presenter.game.state == growth.report.record().last()
            or app.presenter.game.state == app.cursor.snapshots[-1].after
        )
        await pilot.press("left", "left")
        at = app.cursor.at
        growth.grow(100)
        await pilot.pause()
        assert app.cursor.at == at, "whoever looks back is left in peace"
        await pilot.press("end")
        growth.grow(len(ENTRIES))
        growth.end()
        await pilot.pause()
        await pilot.pause()
        screen = characters(app)
        assert "live" not in screen
        assert "COMPLETE (" in screen
        assert "The game is over" in screen


async def test_the_next_game_at_a_table_is_shown_from_its_beginning() -> None:
    """Whoever still looks back on the former one is taken along: that place is not in this game."""
    other = a_game(21)
    begun = verify(other[: len(other) * 2 // 3], RULES)
    growth = Growth(len(ENTRIES))
    queue: asyncio.Queue[Report] = asyncio.Queue()

    async def tell() -> AsyncIterator[Report]:
        while True:
            yield await queue.get()

    async with looking(growth.found(), growth=tell()) as (app, pilot):
        await pilot.press("left", "left", "left")
        queue.put_nowait(begun)
        await pilot.pause()
        assert begun.match is not None
        assert app.presenter.game.names == begun.record().names
        assert app.cursor.at == app.cursor.last
        assert app.cursor.record.steps == begun.steps
        assert "● live" in characters(app)


async def test_a_connection_that_is_lost_is_seen_in_the_corner() -> None:
    growth, connected = Growth(60), [True]
    found = growth.found()
    app = ReplayApp(found, STILL, lambda changed: None, growth.tell(), is_connected=lambda: connected[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "● live" in characters(app)
        connected[0] = False
        growth.grow(60)
        await pilot.pause()
        assert "○ connection lost" in characters(app)
        connected[0] = True
        growth.grow(61)
        await pilot.pause()
        assert "● live" in characters(app)


async def test_a_game_that_begins_while_one_looks() -> None:
    growth = Growth(0)
    async with looking(growth.found(), growth=growth.tell()) as (app, pilot):
        await pilot.press("right", "left", "down", "end", "o", "space", "space")
        await pilot.press("3", "enter")
        await pilot.pause()
        assert "so there is no place 3" in characters(app)
        await pilot.press("escape")
        growth.grow(3)
        await pilot.pause()
        assert "Round 1: " in characters(app)


async def test_what_goes_wrong_with_a_growing_log_is_said_and_ends_it() -> None:
    growth = Growth(60)
    async with looking(growth.found(), growth=growth.tell()) as (app, pilot):
        growth.end(LocalError(StoreCode.LOG_SHRANK, path="game.shlog"))
        await pilot.pause()
        assert "has lost entries" in characters(app)
        assert "live" not in characters(app)
        assert app.failure
        await pilot.press("left")
        assert "has lost entries" in characters(app)


@pytest.mark.thorough
@sweep("keys", [[], ["end"], ["g"], ["question_mark"], ["m"], ["v"], ["space"]], every=3, ids=str)
async def test_any_size(keys: list[str]) -> None:
    async with looking(of_log(LOG)) as (app, pilot):
        await pilot.press(*keys)
        for width, height in ((20, 5), (480, 154), (79, 24), (80, 23), (120, 40), (121, 24), (30, 60), (80, 24)):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            if not keys:
                assert ("The table needs" in characters(app)) == (width < 80 or height < 24)
        await pilot.press("escape", "home", "right")
        assert app.cursor.at == 1


PICTURES: dict[str, tuple[tuple[int, int], Settings, str]] = {
    "replay-80x24": ((80, 24), STILL, "3.2.1"),
    "replay-120x40": ((120, 40), STILL, "3.2.1"),
    "replay-round": ((80, 24), STILL, "3.5"),
    "replay-no-colour": ((80, 24), replace(STILL, theme="none"), "end"),
    "replay-ascii": ((120, 40), replace(STILL, ascii=True), "5.2"),
}


@pytest.mark.parametrize("name", PICTURES)
async def test_the_screen_is_as_it_was_kept(name: str) -> None:
    """KEEP_SCREENS=1 keeps them anew, to be looked at before they are committed."""
    size, settings, place = PICTURES[name]
    async with looking(of_log(LOG), size, settings) as (app, pilot):
        await pilot.press("g", *place, "enter")
        await pilot.pause()
        screen = characters(app) + "\n"
    path = KEPT / f"{name}.txt"
    if os.environ.get("KEEP_SCREENS"):
        path.write_text(screen, encoding="utf-8")
    assert screen == path.read_text(encoding="utf-8")
    if settings.ascii:
        assert screen.isascii()


async def test_every_language_has_room(language: str) -> None:
    """The keys on two lines, the line of steps on one, and the help in a sheet that scrolls."""
    async with looking(of_log(LOG)) as (app, pilot):
        await pilot.press("+", "+", "space")
        keys = drawn(app.query_one("#keys", CanvasWidget))
        assert len(keys) == 2
        nobody_to_ask = {"key_hint", "key_curve"}
        expected = {f"way_{way}" for way in Way} | set(app.KEYS.values()) - nobody_to_ask
        assert {region.means[0] for region in regions(keys)} >= expected
        (line,) = drawn(app.query_one("#progress", CanvasWidget))
        assert all(each.cell_len <= 80 for each in (*keys, line))
        await pilot.press("question_mark")
        assert isinstance(app.screen, TextDialog)


@pytest.mark.parametrize("ended", [Ended(0), Ended(1), Ended(None)])
async def test_a_game_given_up_waits_for_nobody_at_its_end(ended: Ended) -> None:
    whole = load(SHORT)
    steps = next(moment.step for moment in moments(SHORT) if isinstance(moment.after.node, Turn))
    given_up = replace(whole, steps=whole.steps[: whole.steps.index(steps) + 3], ended=ended)
    found = Recorded(given_up)
    async with looking(found) as (app, pilot):
        app.go(app.cursor.last)
        await pilot.pause()
        shown = characters(app)
        assert shown.startswith(f" Shanghaien · {closing(given_up, viewpoint(given_up.names, None))}")
        assert "is to play" not in shown
        await pilot.press("left")
        await pilot.pause()
        assert characters(app).startswith(" Shanghaien · Round 1 of 8")


async def test_the_end_shows_the_result_and_no_dice() -> None:
    async with looking(of_log(LOG)) as (app, pilot):
        app.go(app.cursor.last)
        await pilot.pause()
        shown = characters(app)
        assert shown.startswith(" Shanghaien · The game is over, ")
        assert "Round 8" not in shown.splitlines()[0]
        assert "■" not in shown
        await pilot.press("k")
        assert "Unused tricks" in characters(app)
