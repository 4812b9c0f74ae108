"""Annotations in full-screen mode of a replay: mistakes, the curve of win probability, and hints."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.app.analysis import analyse
from p2p_shanghaien.app.hints import hints
from p2p_shanghaien.errors import AppCode, LocalError
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import Acted, State, Turn
from p2p_shanghaien.games.record import Record, read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.players import Advise, Option, PositionValue
from p2p_shanghaien.ui.full.annotations import HERE, Annotator
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.cursor import Recorded
from p2p_shanghaien.ui.full.replay import ReplayApp
from tests.ui.full.desk import STILL, characters, drawn, regions
from tests.ui.ledger import RECORDS
from tests.ui.review.samples import Marked, analysed, marked, recorded

RECORD = recorded(RECORDS[3])


def costly() -> list[Marked]:
    return marked(analysed(RECORDS[3]))


async def advise(state: State, player: int) -> Sequence[Option]:
    """Return the last action is the best, the first wins never."""
    legal = state.legal(player)
    return [Option(action, PositionValue(place / len(legal), float(place))) for place, action in enumerate(legal)]


async def review(record: Record) -> Analysis:
    assert record is RECORD
    return analysed(RECORDS[3])


@asynccontextmanager
async def looking(
    annotator: Annotator | None = Annotator(advise, review),  # noqa: B008 - a tuple
    size: tuple[int, int] = (80, 24),
    growth: AsyncIterator[Report] | None = None,
) -> AsyncIterator[tuple[ReplayApp, Pilot[None]]]:
    app = ReplayApp(Recorded(RECORD), STILL, lambda changed: None, growth, annotator)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield app, pilot


async def pressed(app: ReplayApp, pilot: Pilot[None], *keys: str) -> None:
    """Press keys and wait until all that they ask for has been found out."""
    for key in keys:
        await pilot.press(key)
        await app.workers.wait_for_complete()
        await pilot.pause()


def test_the_game_has_something_to_show() -> None:
    assert {decided.grade for _, decided in costly()} == {"blunder", "mistake", "inaccuracy"}


@pytest.mark.thorough
async def test_x_goes_from_mistake_to_mistake() -> None:
    """Each time the position is the one that had to be decided in, and the decision and a better one are told."""
    async with looking() as (app, pilot):
        places = []
        for step, decided in costly():
            await pressed(app, pilot, "x")
            places.append(app.cursor.at)
            assert app.cursor.steps <= step
            between = RECORD.steps[app.cursor.steps : step]
            assert all(isinstance(each, Acted) for each in between)
            told = " ".join(characters(app).split())
            assert f"[{decided.action}]" in told
            assert f"[{decided.best}]" in told
            assert str(decided.grade) in told
        assert places == sorted(set(places))
        await pressed(app, pilot, "x")
        assert app.cursor.at == places[-1]
        assert "no more mistakes" in characters(app)
        for place in places[-2::-1]:
            await pressed(app, pilot, "X")
            assert app.cursor.at == place
        await pressed(app, pilot, "X")
        assert "no more mistakes" in characters(app)


async def test_a_remark_leads_to_the_decision_it_is_on() -> None:
    async with looking(size=(120, 40)) as (app, pilot):
        await pressed(app, pilot, "x")
        at, story = app.cursor.at, app.query_one("#story", CanvasWidget)
        await pilot.click(story, offset=(4, regions(drawn(story))[-1].y))
        await pilot.pause()
        assert app.cursor.at == at + 1
        assert isinstance(app.cursor.snapshots[app.cursor.at].step, Acted)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_curve_is_read_and_leads_anywhere(size: tuple[int, int]) -> None:
    async with looking(size=size) as (app, pilot):
        await pressed(app, pilot, "4")
        await pressed(app, pilot, "enter", "w")
        shown = characters(app)
        assert "100%" in shown
        assert "50%" in shown
        sheet = max(app.screen.query(CanvasWidget), key=lambda sheet: len(regions(drawn(sheet))))
        (arrow,) = [line.plain for line in drawn(sheet) if line.plain.strip() == HERE]
        columns = regions(drawn(sheet))
        assert len({region.y for region in columns}) == 1
        (under,) = [region for region in columns if region.x == arrow.index(HERE)]
        # several places may share a column
        nearby = [region for region in columns if abs(region.x - under.x) <= 1]
        assert (
            min(int(region.means[0]) for region in nearby)
            <= app.cursor.at
            <= max(int(region.means[0]) for region in nearby)
        )
        places = [int(region.means[0]) for region in columns]
        assert places == sorted(places)
        assert (places[0], places[-1]) == (0, app.cursor.last)
        last = columns[-1]
        await pilot.click(sheet, offset=(last.x, last.y + 3))
        await pilot.pause()
        assert len(app.screen_stack) == 1
        assert app.cursor.at == app.cursor.last


async def test_a_hint_weighs_what_may_be_done_and_marks_what_was() -> None:
    async with looking() as (app, pilot):
        at = next(
            index
            for index, stop in enumerate(app.cursor.snapshots)
            if isinstance(stop.after.node, Turn) and len(stop.after.legal(stop.after.node.player)) > 2
        )
        app.go(at)
        await pressed(app, pilot, "h")
        stop, (done, *_) = app.cursor.snapshots[at], RECORD.steps[app.cursor.steps :]
        assert isinstance(done, Acted)
        legal = stop.after.legal(done.player)
        lines = [line for line in characters(app).splitlines() if "%" in line]
        assert [line.split("[")[1].split("]")[0] for line in lines] == list(legal)[::-1]
        assert [f"[{done.action}]" in line for line in lines] == [">[" in line for line in lines]
        await pilot.press("escape", "end")
        await pressed(app, pilot, "h")
        assert "Nobody has a choice" in characters(app)


async def test_nobody_is_asked_who_may_not_be() -> None:
    """Neither is anybody in a game between two people that can go on."""
    async with looking(None) as (app, pilot):
        for key in "hwx":
            await pressed(app, pilot, key)
            assert "no hints in a game between two people" in " ".join(characters(app).split())
            await pilot.press("escape")
        assert app.cursor.at == 0


async def test_a_game_that_goes_on_is_not_analysed_yet() -> None:
    async def growth() -> AsyncIterator[Report]:
        await asyncio.Event().wait()
        yield Report(Verdict.INCOMPLETE)

    async with looking(growth=growth()) as (app, pilot):
        at = app.cursor.at
        await pilot.press("x")
        await pilot.pause()
        assert app.cursor.at == at
        assert "once it is over" in characters(app)


async def test_the_screen_goes_on_while_it_is_found_out() -> None:
    found, asked = asyncio.Event(), 0

    async def slow(record: Record) -> Analysis:
        nonlocal asked
        asked += 1
        await found.wait()
        return analysed(RECORDS[3])

    async with looking(Annotator(advise, slow)) as (app, pilot):
        await pilot.press("x")
        await pilot.pause()
        assert "being analysed" in characters(app)
        await pilot.press("right", "right")
        assert app.cursor.at == 2
        await pilot.press("end")
        await pilot.press("X")
        found.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.cursor.steps <= costly()[-1].step
        asked_before = asked
        await pressed(app, pilot, "X", "w")
        assert asked == asked_before


async def test_every_language_has_room(language: str) -> None:
    """The keys on three lines at most, and at least two left for what happened."""
    async with looking() as (app, _):
        keys = drawn(app.query_one("#keys", CanvasWidget))
        assert len(keys) <= 3
        assert {region.means[0] for region in regions(keys)} >= {
            "way_mistake",
            "way_last_mistake",
            "key_hint",
            "key_curve",
        }
        assert all(region.x + region.width <= 80 for region in regions(keys))
        assert app.query_one("#log").size.height >= 2


def failing(what: str) -> tuple[Advise, Callable[[Record], Awaitable[Analysis]]]:
    async def no_advice(state: State, player: int) -> Sequence[Option]:
        raise LocalError(AppCode.ADVICE_FAILED, reason=what)

    async def no_review(record: Record) -> Analysis:
        raise LocalError(AppCode.ADVICE_FAILED, reason=what)

    return no_advice, no_review


@pytest.mark.parametrize("key", ["h", "w", "x"])
async def test_what_cannot_be_found_out_is_explained(key: str) -> None:
    async with looking(Annotator(*failing("it is too late"))) as (app, pilot):
        await pressed(app, pilot, "right", key)
        assert "it is too late" in " ".join(characters(app).split())
        await pilot.press("escape", "right")
        assert app.cursor.at == 2


@pytest.mark.usefixtures("_toy_is_installed")
async def test_simultaneous_choices_have_hints_for_both_and_their_remarks_in_one_place() -> None:
    record = read(b'[Game "toy"]\n[First "Ada"]\n[Second "Ben"]\n[Rounds "1"]\n\n2:2 3:3 1:1', RULES)

    async def reviewed(record: Record) -> Analysis:
        return analyse(record)

    annotator = Annotator(hints("toy"), reviewed)
    app = ReplayApp(Recorded(record), STILL, lambda changed: None, None, annotator)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pressed(app, pilot, "h")
        seen = " ".join(characters(app).split())
        for name, other in (("Ada", "Ben"), ("Ben", "Ada")):
            assert f"How often {name} should choose each action while {other} chooses at the same time" in seen
        assert seen.count("100% 50.0%") == 2
        assert seen.count(">[3]") == 2
        await pressed(app, pilot, "escape", "end", "X")
        assert app.cursor.steps == 1
        seen = " ".join(characters(app).split())
        for name in ("Ada", "Ben"):
            assert f"2.1 {name}: do: 3 [3]. Better: do: 1 [1]. A blunder" in seen
        await pressed(app, pilot, "X")
        assert "no more mistakes" in characters(app)
