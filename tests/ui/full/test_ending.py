"""The end of a game at the full screen: one sheet with its last round, its scores, what turned it, and what is next."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.analysis.turning_points import turning_points
from p2p_shanghaien.app.analysis import analyse
from p2p_shanghaien.app.hints import hints
from p2p_shanghaien.errors import AppCode, LocalError, TakeBack
from p2p_shanghaien.fairplay.verify import Report, verify
from p2p_shanghaien.games.api import Game, State, Step
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.ui.full.annotations import Annotator
from p2p_shanghaien.ui.full.cursor import Recorded
from p2p_shanghaien.ui.full.dialogs import ConfirmDialog, TextDialog
from p2p_shanghaien.ui.full.ending import EndSheet
from p2p_shanghaien.ui.full.game import GameApp
from p2p_shanghaien.ui.full.replay import ReplayApp
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.language import choose
from p2p_shanghaien.ui.post_game import PostGame
from p2p_shanghaien.ui.words import say
from tests.sweeps import sweep
from tests.ui.full.desk import STILL, characters, full_table, settled, shown, text

SAMPLES = {name: Path(f"examples/{name}.shlog") for name in ("sample", "halunken")}

Asking = asyncio.Task[bool]


@cache
def report(name: str = "sample") -> Report:
    return verify(SAMPLES[name].read_bytes(), RULES)


@cache
def analysis(name: str = "sample") -> Analysis:
    return analyse(report(name).record())


def last_move(name: str = "sample") -> tuple[Game[State], State, Step, State]:
    """Return the game, and its last step between two positions."""
    record = report(name).record()
    *_, before, after = record.positions()
    return record.game, before, record.steps[-1], after


async def verified(name: str = "sample") -> tuple[str, Report]:
    return "0123abcd", report(name)


async def step_through(record: Record, _: object) -> None:
    raise AssertionError(record)


def post_game(find: Callable[[Record], Awaitable[Analysis]] | None = None, name: str = "sample") -> PostGame:
    async def found(record: Record) -> Analysis:
        assert record.steps == report(name).steps
        return analysis(name)

    return PostGame(lambda: verified(name), find or found, hints, step_through)


@asynccontextmanager
async def ended(
    looked_back: PostGame | None,
    name: str = "sample",
    size: tuple[int, int] = (80, 24),
    *,
    ascii_only: bool = False,
) -> AsyncIterator[tuple[FullTable, Pilot[None], Asking]]:
    """A game that has just ended at a table, where another one is asked for."""
    settings = replace(STILL, ascii=ascii_only)
    table = FullTable(GameApp(settings, lambda changed: None, post_game=looked_back))
    game, before, step, after = last_move(name)
    async with shown(table, size) as pilot:
        table.begun(game, ("Ada", "Ben"), 0, before)
        table.stepped(before, step, after)
        asking = asyncio.create_task(table.rematch())
        await seen(table, pilot)
        try:
            yield table, pilot, asking
        finally:
            asking.cancel()
            await asyncio.wait({asking})


async def seen(table: FullTable, pilot: Pilot[None]) -> None:
    """Wait until the sheet stands there with its question."""
    for _ in range(20):
        await settled(table, pilot)
        if isinstance(table.app.screen, EndSheet) and say("full_yes") in text(table):
            return
    raise AssertionError(text(table))


async def known(table: FullTable) -> None:
    """Wait until what turned the game is known, and a replay that was asked for has been shown."""
    working = [worker for worker in table.app.workers if worker.group in ("review", "replay")]
    if working:
        await table.app.workers.wait_for_complete(working)


async def everything(table: FullTable, pilot: Pilot[None]) -> str:
    """Return all that stands on the sheet, screen by screen."""
    await pilot.press("home")
    screens = [text(table)]
    while True:
        await pilot.press("pagedown")
        await pilot.pause()
        if text(table) == screens[-1]:
            return "\n".join(screens)
        screens.append(text(table))


@sweep("size, ascii_only", [((80, 24), False), ((120, 40), True), ((200, 60), False)], every=3)
async def test_one_sheet_has_the_last_round_the_scores_and_the_turning_points(
    size: tuple[int, int], ascii_only: bool
) -> None:
    async with ended(post_game(), size=size, ascii_only=ascii_only) as (table, pilot, asking):
        await known(table)
        await settled(table, pilot)
        result = str(table.presenter.ending)
        screen = text(table)
        assert result in screen.splitlines()[0], "the result is in the header"
        assert say("play_again", result=result) in " ".join(screen.split()), "and in the question"
        told = " ".join((await everything(table, pilot)).split())
        assert re.search(r"Round 8 +1 +[A-Z][0-9a-z]|ends round 8", told)
        for nationality in NATIONALITIES:
            assert say(f"shanghaien:heading_{nationality}") in told
        assert "scores its own strength" in told, "the widest column is not cut off"
        assert say("shanghaien:total") in told
        assert say("turning_mistakes") in told
        assert say("turning_luck") in told
        for number in range(1, 7):
            assert f"[{number}] " in told
        assert not asking.done()


@pytest.mark.thorough
async def test_halunken_shows_both_crews_of_the_last_hand_whole_at_80_columns() -> None:
    async with ended(post_game(name="halunken"), "halunken") as (table, pilot, _):
        lines = (await everything(table, pilot)).splitlines()
        total = next(line for line in lines if line.strip().startswith(say("halunken:total")))
        scores = last_move("halunken")[3].node.scores  # type: ignore[union-attr]
        assert sorted(map(int, total.split()[1:])) == sorted(scores)


async def test_what_turned_the_game_follows_and_the_screen_waits_for_nothing() -> None:
    found: asyncio.Future[Analysis] = asyncio.get_running_loop().create_future()

    async def later(_: Record) -> Analysis:
        return await found

    async with ended(post_game(later), size=(80, 60)) as (table, pilot, asking):
        assert say("turning_awaited") in text(table)
        found.set_result(analysis())
        await known(table)
        await settled(table, pilot)
        assert say("turning_awaited") not in text(table)
        assert say("turning_mistakes") in text(table)
        await pilot.press("y")
        assert await asking


async def test_another_game_can_be_played_before_it_is_known() -> None:
    async def never(_: Record) -> Analysis:
        return await asyncio.Event().wait()  # type: ignore[return-value]

    async with ended(post_game(never)) as (table, pilot, asking):
        await pilot.press("y")
        assert await asking
        await settled(table, pilot)
        assert not isinstance(table.app.screen, EndSheet)
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
        await settled(table, pilot)
        assert "Welcome" not in text(table)


@pytest.mark.parametrize(("key", "meant"), [("y", True), ("n", False), ("q", False)])
async def test_a_key_answers(key: str, meant: bool) -> None:
    async with ended(None) as (_, pilot, asking):
        await pilot.press("escape", "enter", "x", "7")
        assert not asking.done(), "these are no answers"
        await pilot.press(key)
        assert await asking == meant


async def test_without_a_log_to_look_back_on_nothing_is_offered_for_it() -> None:
    async with ended(None) as (table, pilot, asking):
        assert say("key_replay") not in text(table)
        assert say("turning_awaited") not in await everything(table, pilot)
        await pilot.press("r", "a", "1")
        assert not asking.done()
        assert isinstance(table.app.screen, EndSheet)


async def test_an_error_is_told_in_place_of_turning_points() -> None:
    async def fails(_: Record) -> Analysis:
        raise LocalError(AppCode.ADVICE_FAILED, reason="boom")

    async with ended(post_game(fails), size=(80, 60)) as (table, pilot, _):
        await known(table)
        await settled(table, pilot)
        assert "boom" in text(table)


async def test_a_log_that_cannot_be_read_is_not_replayed() -> None:
    async def unreadable() -> tuple[str, Report]:
        raise LocalError(AppCode.ADVICE_FAILED, reason="boom")

    async with ended(post_game()._replace(report=unreadable), size=(80, 60)) as (table, pilot, asking):
        await known(table)
        await pilot.press("r")
        await known(table)
        await settled(table, pilot)
        assert isinstance(table.app.screen, TextDialog)
        assert "boom" in text(table)
        await pilot.press("escape", "y")
        assert await asking


async def test_a_replay_does_not_wait_for_the_analysis() -> None:
    async def never(_: Record) -> Analysis:
        return await asyncio.Event().wait()  # type: ignore[return-value]

    async with ended(post_game(never), size=(120, 40)) as (table, pilot, _):
        await pilot.press("r")
        for _number in range(20):
            await settled(table, pilot)
        assert "shanghaien replay 0123abcd" in text(table), "this terminal cannot be lent"


async def test_a_shows_the_analysis() -> None:
    async with ended(post_game(), size=(120, 40)) as (table, pilot, asking):
        await known(table)
        await pilot.press("a")
        await settled(table, pilot)
        assert isinstance(table.app.screen, TextDialog)
        assert say("panel_analysis") in text(table)
        assert "Win probability of You" in text(table)
        await pilot.press("escape")
        await settled(table, pilot)
        assert say("panel_ending") in text(table)
        assert not asking.done()


async def test_a_terminal_that_cannot_be_lent_says_how_to_replay_it() -> None:
    """The screen of a test is such a terminal."""
    async with ended(post_game(), size=(120, 40)) as (table, pilot, _):
        await known(table)
        await pilot.press("r")
        await known(table)
        await settled(table, pilot)
        assert "shanghaien replay 0123abcd" in text(table)


async def test_a_game_that_was_given_up_has_its_end_in_the_question() -> None:
    table = full_table()
    game, before, *_ = last_move()
    async with shown(table) as pilot:
        table.begun(game, ("Ada", "Ben"), 0, before)
        table.notify("resigned", name="Ben", other="Ada")
        asking = asyncio.create_task(table.rematch())
        await seen(table, pilot)
        screen = " ".join(text(table).split())
        assert screen.count("Ben resigns: Ada wins") == 2, "in the header and in the question"
        assert say("shanghaien:total") not in screen
        await pilot.press("n")
        assert not await asking


async def test_whoever_wants_no_other_game_needs_no_farewell() -> None:
    table = FullTable(GameApp(STILL, lambda changed: None))
    game, before, step, after = last_move()
    over = asyncio.Event()

    async def session() -> int:
        table.begun(game, ("Ada", "Ben"), 0, before)
        table.stepped(before, step, after)
        assert not await table.rematch()
        over.set()
        return 0

    screens = []

    async def run() -> None:
        async with table.app.run_test() as pilot:
            await seen(table, pilot)
            await pilot.press("n")
            await over.wait()
            await pilot.pause(0.2)
            screens.append(text(table) if table.app.is_running else "")

    table.app.run_async = lambda **_: run()  # type: ignore[method-assign]
    async with asyncio.timeout(20):
        assert await table.run_session(session()) == 0
    assert say("panel_closed_soon") not in screens[0]


async def refused(table: FullTable, pause: float = 0.1) -> None:
    """Play the last move of a game, whose opponent wants no other one after a pause, before that is answered here."""
    game, before, step, after = last_move()
    table.begun(game, ("Ada", "Ben"), 0, before)
    table.stepped(before, step, after)
    asking = asyncio.create_task(table.rematch())
    await asyncio.sleep(pause)
    asking.cancel()
    await asyncio.wait({asking})
    table.notify("no_more")


async def test_the_farewell_stands_below_the_end_where_the_other_has_had_enough() -> None:
    table = FullTable(GameApp(STILL, lambda changed: None))

    async def session() -> int:
        await refused(table)
        return 0

    screens = []

    async def run() -> None:
        async with table.app.run_test() as pilot:
            while say("panel_closed_soon") not in text(table):
                await pilot.pause(0.01)
            screens.append(text(table))
            await pilot.press("enter")

    table.app.run_async = lambda **_: run()  # type: ignore[method-assign]
    assert await table.run_session(session()) == 0
    assert say("panel_ending") in screens[0], "what was read is not taken away"
    assert say("no_more") in " ".join(screens[0].split())
    assert say("full_yes") not in screens[0]


@pytest.mark.parametrize("pause", [0, 0.1])
@pytest.mark.parametrize("meant", [True, False])
async def test_a_challenge_is_asked_for_below_the_end(meant: bool, pause: float) -> None:
    table = FullTable(GameApp(STILL, lambda changed: None))
    answers = []

    async def session() -> int:
        await refused(table, pause)
        answers.append(await table.confirm("challenge", name="Ben"))
        table.notify("challenge_kept" if meant else "abandoned", name="Ben")
        return 0

    screens = []

    async def run() -> None:
        async with table.app.run_test() as pilot:
            while say("challenge", name="Ben") not in text(table):
                await pilot.pause(0.01)
            screens.append(text(table))
            await pilot.press("y" if meant else "n")
            while meant and say("panel_closed_soon") not in text(table):
                await pilot.pause(0.01)
            screens.append(text(table) if meant else "")
            await pilot.press("enter")

    table.app.run_async = lambda **_: run()  # type: ignore[method-assign]
    async with asyncio.timeout(20):
        assert await table.run_session(session()) == 0
    assert answers == [meant]
    assert say("panel_ending") in screens[0], "what was read is not taken away"
    if meant:
        assert say("panel_ending") in screens[1]
        assert say("challenge_kept", name="Ben") in " ".join(screens[1].split())


async def test_the_last_decision_can_be_taken_back_below_the_end() -> None:
    async with ended(post_game()) as (table, pilot, asking):
        asking.cancel()
        practising = asyncio.create_task(table.confirm("practice_again"))
        while say("practice_again") not in text(table):
            await settled(table, pilot)
        assert isinstance(table.app.screen, EndSheet)
        assert f"[u] {say('key_undo')}" in text(table)
        await pilot.press("u")
        with pytest.raises(TakeBack):
            await practising
        *_, before, _ = report().record().positions()
        table.taken_back([], before)
        await settled(table, pilot)
        assert len(table.app.screen_stack) == 1, "the end is put away"


async def test_what_must_not_be_answered_in_haste_is_not_below_the_end_either() -> None:
    async with ended(post_game()) as (table, pilot, asking):
        asking.cancel()
        confirming = asyncio.create_task(table.confirm("play_with_doubtful_guest", name="Ben"))
        while not isinstance(table.app.screen, ConfirmDialog):
            await settled(table, pilot)
        await pilot.press("y", "enter")
        await settled(table, pilot)
        assert not confirming.done()
        await pilot.press("e", "s", "enter")
        assert await confirming


@pytest.mark.parametrize(("language", "yes"), [("de", "j"), ("fr", "o"), ("it", "s")])
async def test_it_is_asked_and_answered_in_each_language(language: str, yes: str) -> None:
    choose(language)
    try:
        async with ended(post_game()) as (table, pilot, asking):
            assert " ".join(say("play_again", result="").strip().split()) in " ".join(text(table).split())
            await pilot.press(yes)
            assert await asking
    finally:
        choose("en")


async def test_the_end_of_a_replay_tells_the_same_and_leads_to_the_places() -> None:
    async def found(_: Record) -> Analysis:
        return analysis()

    annotator = Annotator(hints("shanghaien"), found)
    app = ReplayApp(Recorded(report().record(), report()), STILL, lambda changed: None, annotator=annotator)
    async with app.run_test(size=(80, 70)) as pilot:
        await pilot.press("e", "k")
        await app.workers.wait_for_complete()
        await pilot.pause()
        screen = characters(app).splitlines()
        assert any(say("turning_mistakes") in line for line in screen)
        first = turning_points(analysis()).mistakes[0]
        row = next(number for number, line in enumerate(screen) if say("turning_mistakes") in line) + 1
        await pilot.click(offset=(10, row))
        await pilot.pause()
        assert app.cursor.steps <= first.step
        assert app.cursor.at == app.cursor.shown_after(first.step)


def test_a_game_has_both_kinds_of_turning_points() -> None:
    assert [len(part) for part in turning_points(analysis())] == [3, 3]
    assert isinstance(report("halunken").record().game, Halunken)
