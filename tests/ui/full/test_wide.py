"""Windows larger than 80x24: what both hold by name, the log beside the table, and the analysis of a replay."""

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.errors import AppCode, LocalError
from p2p_shanghaien.fairplay.verify import Report, Verdict
from p2p_shanghaien.games.api import Game, State, Turn
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import State as HalunkenState
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.rules import State as MacaoState
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import State as ShanghaienState
from p2p_shanghaien.players import Option
from p2p_shanghaien.ui.full.annotations import Annotator
from p2p_shanghaien.ui.full.app import HEIGHT, WIDTH
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.cursor import Recorded
from p2p_shanghaien.ui.full.replay import ReplayApp
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.review.lines import lines
from p2p_shanghaien.ui.review.review import Review
from p2p_shanghaien.ui.view import viewpoint
from p2p_shanghaien.ui.words import say
from tests.games.macao.plain import RECONSTRUCTION
from tests.games.macao.playing import HOARDER
from tests.games.macao.strategies import moments
from tests.sweeps import sweep
from tests.toy import Toy
from tests.ui.full.desk import STILL, characters, drawn, full_table, moves, regions, settled, shown, text
from tests.ui.full.test_sizes import check_widths
from tests.ui.halunken import GAMES, states
from tests.ui.ledger import RECORDS
from tests.ui.review.samples import analysed, recorded

KEPT = Path(__file__).parent / "kept"
RECORD = recorded(RECORDS[3])
SIZES = [
    (80, 24), (80, 30), (80, 43), (80, 50), (80, 80), (100, 30), (119, 40), (120, 24), (120, 29), (120, 36), (120, 40),
    (121, 60), (132, 43), (145, 40), (159, 40), (160, 39), (160, 40), (160, 50), (180, 45), (200, 24),
    (200, 60), (300, 80),
]  # fmt: skip


def late_round() -> ShanghaienState:
    """Return a position in which both crews have sailors and jokers, and player 0 has many choices."""
    state = next(b for b, _, _ in moves(5) if b.round == 6 and b.node == Turn(0) and b.dice)
    assert isinstance(state, ShanghaienState)
    return state


def late_hand() -> HalunkenState:
    """Return a position with large crews, in which player 0 decides."""
    return max(
        (state for path in GAMES for state in states(path) if state.node == Turn(0)),
        key=lambda state: min(map(len, state.crews)),
    )


def late_turn() -> MacaoState:
    """Return a position with many cards before both, in which player 0 decides, and the end in sight twice."""
    found = (moment.after for moment in moments(RECONSTRUCTION, Random(4), HOARDER) if moment.after.node == Turn(0))
    state = max(found, key=lambda state: min(len(side.blue) + len(side.red) for side in state.sides))
    return state._replace(centre=state.deck.tile_ids[:1])


GAMES_LATE: dict[str, tuple[Game[Any], Callable[[], State]]] = {
    "shanghaien": (Shanghaien("extra-wild"), late_round),
    "halunken": (Halunken(), late_hand),
    "macao": (Macao(), late_turn),
}
"""Each game with a position in which there is much to show."""


@asynccontextmanager
async def deciding(
    state: State, game: Game[Any], size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[FullTable, Pilot[None]]]:
    """Player 0, at the screen, decides in `state`."""
    table = full_table()
    async with shown(table, size) as pilot:
        table.begun(game, ("Ada", "Ben"), 0, state)
        task = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        yield table, pilot
        task.cancel()
        await asyncio.wait({task})


def widget(app: FullScreen[Any], name: str) -> CanvasWidget:
    return app.screen_stack[0].query_one(f"#{name}", CanvasWidget)


def plain(app: FullScreen[Any], name: str) -> list[str]:
    return [line.plain for line in drawn(widget(app, name))]


# A game that is played.


async def test_both_crews_by_name_stand_below_the_table() -> None:
    """Each sailor by nationality and value, each joker by its trick, with strength and points as the rules count."""
    state = late_round()
    async with deciding(state, Shanghaien("extra-wild")) as (table, _):
        head, *rows = plain(table.app, "holdings")
        seen = [line[:79].rstrip() for line in text(table).splitlines()]
        assert [line.rstrip() for line in (head, *rows)] == seen[-len(rows) - 2 : -1]
    far, near = head.index("▲ Ben"), head.index("▼ You")
    tricks = {"p": "die +/-1", "b": "both dice", "r": "roll again", "w": "wild"}
    strengths = [
        {n: sum(int(c[1]) if c[1].isdigit() else 2 for c in crew if c[0] == n) for n in NATIONALITIES}
        for crew in state.crews
    ]
    assert any(card[1] in tricks for crew in state.crews for card in crew), "there is a joker"
    for nationality in NATIONALITIES:
        (row,) = (row for row in rows if row.strip().startswith(say(f"shanghaien:nationality_{nationality}")))
        for player, cell in ((1, row[far : near - 2]), (0, row[near : near + near - far - 2])):
            cards = sorted(card[1] for card in state.crews[player] if card[0] == nationality)
            own, other = strengths[player][nationality], strengths[1 - player][nationality]
            if not cards:
                assert cell.strip() == "·"
                continue
            points = own if not other else other if own > other else 0
            names = " ".join(tricks.get(mark, mark) for mark in cards)
            strength = [f"= {own}"] if len(cards) > 1 else []
            assert " ".join(cell.split()) == " ".join([names, *strength, str(points)])
        to_come = sorted(card[1] for card in state.pile if card[0] == nationality)
        assert row[head.index("tavern") + len("tavern") :].split() == to_come


async def test_rogues_are_named_by_colour_and_those_not_seen_yet_stand_below() -> None:
    state = late_hand()
    async with deciding(state, Halunken()) as (table, _):
        board, unseen = plain(table.app, "board"), plain(table.app, "holdings")
        assert unseen[0] in text(table)
    for letter, name in zip("rvgy", ("red", "violet", "grey", "yellow"), strict=True):
        rows = [line for line in board if re.match(rf"\s*{name} +(\d|·)", line[46:])]
        assert len(rows) == 2, "one for each crew"
        for player, row in ((1, rows[0]), (0, rows[1])):
            values = sorted(int(rogue[1:]) for rogue in state.crews[player] if rogue[0] == letter)
            assert row[55:70].split() == (list(map(str, values)) or ["·"])
        (row,) = (line for line in unseen if line.split()[0] == name)
        left = sorted(int(rogue[1:]) for rogue in state.pile if rogue[0] == letter)
        assert row.split()[1:] == (list(map(str, left)) or ["·"])


async def test_a_crew_that_is_too_large_for_names_keeps_its_letters() -> None:
    """Every rogue stands on the table, on as many lines as it takes, and each can be clicked where it may be paid."""
    state = late_hand()
    deck = sorted({r for crew in state.crews for r in crew} | set(state.pile) | set(state.boat))
    whole = state._replace(crews=(tuple(deck[::2]), tuple(deck[1::2])))
    async with deciding(state, Halunken()) as (table, pilot):
        table.presenter.lay(whole)
        table.app.redraw()
        await settled(table, pilot)
        board = plain(table.app, "board")
        check_widths(table.app)
    for player in (0, 1):
        for letter in "rvgy":
            values = sorted(int(rogue[1:]) for rogue in whole.crews[player] if rogue[0] == letter)
            assert any(" ".join(map(str, values[:4])) in line[46:] for line in board)


@pytest.mark.usefixtures("_toy_is_installed")
@sweep(
    "game, size",
    product([Shanghaien("extra-wild"), Halunken(), Macao(), Toy()], [(120, 24), (120, 40), (200, 60)]),
    every=4,
    ids=lambda value: getattr(value, "NAME", str(value)),
)
async def test_the_log_stands_beside_the_table_of_any_game(game: Game[Any], size: tuple[int, int]) -> None:
    table = full_table()
    async with shown(table, size) as pilot:
        table.begun(game, ("Ada", "Ben"), 0)
        for number in range(50):
            table.notify("chat", name="Ben", text=f"sentence {number}")
        await settled(table, pilot)
        await pilot.pause()  # scrolled to its end
        log, board = table.app.query_one("#log"), widget(table.app, "board")
        assert log.region.x >= 79
        assert log.region.x >= board.region.right
        assert log.size.height >= size[1] // 3
        assert "sentence 49" in text(table)
        assert f"sentence {50 - size[1] // 3 + 2}" in text(table)


async def test_scores_stand_above_the_log_where_names_have_no_room_below() -> None:
    for size, beside in (((120, 30), True), ((120, 40), False), ((100, 30), False)):
        async with deciding(late_round(), Shanghaien("extra-wild"), size) as (table, _):
            assert bool(plain(table.app, "scores")) == beside
            assert bool(plain(table.app, "holdings")) == (size == (120, 40))


# Any size.


def check_whole(app: FullScreen[Any], size: tuple[int, int]) -> None:
    """Whatever is shown is shown whole, the log apart, which has a few lines at least."""
    keys = widget(app, "keys").region
    assert keys.bottom == size[1]
    for sheet in app.screen_stack[0].query(CanvasWidget):
        if sheet.id in ("story", "small") or not drawn(sheet):
            continue
        assert sheet.region.height == len(drawn(sheet)), sheet.id
        assert sheet.region.right <= size[0], sheet.id
        assert sheet.id == "keys" or sheet.region.bottom <= keys.y, sheet.id
    assert app.query_one("#log").size.height >= 2
    check_widths(app)


@sweep("name, size", product(GAMES_LATE, SIZES), every=7)
async def test_all_that_is_shown_is_shown_whole(name: str, size: tuple[int, int]) -> None:
    game, late = GAMES_LATE[name]
    async with deciding(late(), game, size) as (table, _):
        check_whole(table.app, size)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*GAMES_LATE, "replay"])
async def test_a_window_that_is_resized_looks_as_if_it_had_always_been_so(name: str) -> None:
    rounds = [(80, 24), (200, 60), (120, 40), (119, 40), (120, 30), (60, 20), (160, 40), (80, 50), (121, 24)]

    @asynccontextmanager
    async def opened(size: tuple[int, int]) -> AsyncIterator[tuple[FullScreen[Any], Pilot[None]]]:
        if name == "replay":
            async with looking(size) as (app, pilot):
                yield app, pilot
        else:
            game, late = GAMES_LATE[name]
            async with deciding(late(), game, size) as (table, pilot):
                yield table.app, pilot

    async with opened((80, 24)) as (app, pilot):
        for size in [*rounds, *rounds[::-2]]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await app.workers.wait_for_complete() if name == "replay" else None
            await pilot.pause()
            for _ in range(8):
                await pilot.pause()
            async with opened(size) as (fresh, _):
                expected = characters(fresh)
            # the remarks of an analysis that was wanted once stay in the log
            if name != "replay" or size[0] >= 160:
                assert characters(app) == expected, size
            if size[0] >= WIDTH and size[1] >= HEIGHT:
                check_whole(app, size)


# The analysis beside a replay.


async def no_advice(state: State, player: int) -> Sequence[Option]:
    raise AssertionError("nobody asks for hints")


async def review(record: Record) -> Analysis:
    assert record is RECORD
    return analysed(RECORDS[3])


ANNOTATOR = Annotator(no_advice, review)


@asynccontextmanager
async def looking(
    size: tuple[int, int] = (200, 60),
    annotator: Annotator | None = ANNOTATOR,
    growth: AsyncIterator[Report] | None = None,
) -> AsyncIterator[tuple[ReplayApp, Pilot[None]]]:
    app = ReplayApp(Recorded(RECORD), STILL, lambda changed: None, growth, annotator)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        if growth is None:
            await app.workers.wait_for_complete()
        await pilot.pause()
        yield app, pilot


@pytest.mark.thorough
async def test_the_analysis_says_of_each_step_what_analyse_says() -> None:
    """The lines of `analyse --all` between two places stand beside the table there, and the win probability."""
    sitting, analysis = viewpoint(RECORD.names, None), analysed(RECORDS[3])
    printed = [str(line) for line in lines(Review.of(RECORD, analysis, sitting), everything=True, drawn=False)]
    told = [line for line in printed if re.match(r"\d+\.\d+(\.\d+)? ", line)]
    async with looking() as (app, pilot):
        seen: list[str] = []
        for at in range(app.cursor.last + 1):
            app.go(at)
            await pilot.pause()
            words = " ".join(" ".join(plain(app, "analysis")).split())
            assert words in " ".join(" ".join(line[79:].strip() for line in characters(app).splitlines()).split())
            steps = app.cursor.steps
            value = (analysis.steps[steps - 1].after if steps else analysis.start).to_player(0)
            assert f"Win probability of Ada here: {value.chance / 10_000:.1f}%" in words
            seen += [each for each in told if " ".join(each.split()) in words and each not in seen]
        assert seen == told


@sweep("size", [(160, 40), (200, 60), (300, 80)], every=2)
async def test_the_course_of_the_win_probability_leads_anywhere(size: tuple[int, int]) -> None:
    async with looking(size) as (app, pilot):
        sheet = widget(app, "analysis")
        assert "100%" in characters(app)
        last = regions(drawn(sheet))[-1]
        await pilot.click(sheet, offset=(last.x, last.y + 2))
        await pilot.pause()
        assert app.cursor.at == app.cursor.last
        check_whole(app, size)
        has_sums = say("review_sums") in characters(app)
        assert has_sums == (size[1] >= 60)


async def test_it_stands_there_only_where_there_is_room_for_it() -> None:
    async with looking((159, 60)) as (app, pilot):
        assert not plain(app, "analysis")
        for size, there in (((160, 40), True), ((160, 39), False), ((80, 24), False), ((200, 60), True)):
            await pilot.resize_terminal(*size)
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert bool(plain(app, "analysis")) == there, size


async def test_a_game_is_analysed_once_whoever_asks() -> None:
    asked, found = 0, asyncio.Event()

    async def slow(record: Record) -> Analysis:
        nonlocal asked
        asked += 1
        await found.wait()
        return analysed(RECORDS[3])

    app = ReplayApp(Recorded(RECORD), STILL, lambda changed: None, None, Annotator(no_advice, slow))
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.pause()
        assert say("critique_awaited") in " ".join(plain(app, "analysis"))
        await pilot.press("w", "right", "right")
        await pilot.resize_terminal(80, 24)
        await pilot.resize_terminal(200, 60)
        assert app.cursor.at == 2
        found.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert asked == 1


async def test_why_there_is_no_analysis_stands_there_once() -> None:
    async def fails(record: Record) -> Analysis:
        raise LocalError(AppCode.ADVICE_FAILED, reason="it is too late")

    async with looking(annotator=Annotator(no_advice, fails)) as (app, pilot):
        assert "it is too late" in " ".join(plain(app, "analysis"))
        await pilot.press("right")
        await pilot.pause()
        assert characters(app).count("it is too late") == 1
        assert app.cursor.at == 1


async def test_nothing_stands_there_where_nobody_may_be_asked() -> None:
    async def growth() -> AsyncIterator[Report]:
        await asyncio.Event().wait()
        yield Report(Verdict.INCOMPLETE)

    for annotator, grows in ((None, None), (ANNOTATOR, growth())):
        async with looking(annotator=annotator, growth=grows) as (app, _):
            assert not plain(app, "analysis")
            assert "%" not in characters(app)


# Kept pictures.


@pytest.mark.parametrize("name", ["late-120x40", "analysis-160x40", "analysis-200x60"])
async def test_the_screen_is_as_it_was_kept(name: str) -> None:
    """KEEP_SCREENS=1 keeps them anew, to be looked at before they are committed."""
    kind, _, size = name.partition("-")
    width, height = map(int, size.split("x"))
    if kind == "late":
        async with deciding(late_round(), Shanghaien("extra-wild"), (width, height)) as (table, _pilot):
            screen = text(table)
    else:
        async with looking((width, height)) as (app, pilot):
            await pilot.press("x", "x")
            await app.workers.wait_for_complete()
            await pilot.pause()
            screen = characters(app)
    path = KEPT / f"{name}.txt"
    if os.environ.get("KEEP_SCREENS"):
        path.write_text(screen + "\n", encoding="utf-8")
    assert screen + "\n" == path.read_text(encoding="utf-8")


# Hexadecimal digits.


@pytest.mark.thorough
@sweep("size", [(120, 40), (80, 24), (200, 60)], every=3)
async def test_no_hash_stands_in_a_replay_but_behind_its_key(size: tuple[int, int]) -> None:
    async with looking(size) as (app, pilot):
        for key in ("right", "end", "m", "escape", "question_mark", "escape", "k", "escape", "l", "escape"):
            await pilot.press(key)
            await pilot.pause()
            assert not re.search("[0-9a-f]{8}", characters(app)), key
