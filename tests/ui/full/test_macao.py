"""Shadows of Macao at full screen: decisions by keys and clicks, payments step by step, and kept screens."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from p2p_shanghaien.games.api import Acted, Drawn, Step
from p2p_shanghaien.games.macao.display.full import BOARD_VIEW
from p2p_shanghaien.games.macao.display.view import end_in_sight
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.macao.rules import Phase, State
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.presenter import Presenter
from p2p_shanghaien.ui.words import say
from tests.games.macao.plain import RECONSTRUCTION
from tests.games.macao.playing import STYLES
from tests.games.macao.strategies import moments
from tests.games.macao.test_worked_examples import pile, position, side
from tests.sweeps import together
from tests.ui.full.desk import STILL, drawn, full_table, regions, settled, shown, styles, text
from tests.ui.full.test_sizes import check_widths

KEPT = Path(__file__).parent / "kept"
NAMES = ("Ada", "Ben")
PILES = (pile("politician-w", 8, "killer-a sailor-m"), pile("widow", 4), pile("dancer-j", 5), pile("", 0))


def busy() -> State:
    """Return a position in which player 0 can take, recruit in several ways, and open."""
    return position(
        side(
            "dancer-a killer-w sailor-m widow", "innkeeper-a trader-m", dead=1, opened="casino", reserved="restaurant"
        ),
        side("killer-j policeman-m croupier-a", "sailor-w politician-j killer-a killer-m dancer-w trader-a"),
        centre="gallery black-market red-room",
        piles=PILES,
    )


@asynccontextmanager
async def deciding(
    state: State,
    table: FullTable | None = None,
    size: tuple[int, int] = (80, 24),
    names: tuple[str, str] = NAMES,
) -> AsyncIterator[tuple[FullTable, Pilot[None], "asyncio.Task[str]"]]:
    table = table or full_table()
    async with shown(table, size) as pilot:
        table.begun(Macao(), names, 0, state)
        task = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        yield table, pilot, task
        task.cancel()
        await asyncio.wait({task})


def paying() -> State:
    return position(side("dancer-a killer-w sailor-m widow"), side("widow"), piles=PILES)


@pytest.mark.parametrize(
    ("keys", "action"),
    [
        ("1", "take:1"),
        ("a", "recruit:dancer-a=killer-w+sailor-m"),
        ("a22", "recruit:dancer-a=killer-w+widow"),
    ],
)
async def test_a_payment_is_chosen_by_keys(keys: str, action: str) -> None:
    """Enter plays the least wasteful one."""
    async with deciding(paying()) as (table, pilot, task):
        await pilot.press(*keys)
        if table.app.choosing and table.app.choosing.picked != action:
            await pilot.press("enter")
        assert not task.done()
        await pilot.press("enter")
        assert await task == action


async def test_escape_leads_back_step_by_step() -> None:
    async with deciding(paying()) as (table, pilot, task):
        await pilot.press("a")
        await settled(table, pilot)
        assert "Least waste" in text(table)
        await pilot.press("escape")
        await settled(table, pilot)
        assert "Least waste" not in text(table)
        await pilot.press("2", "enter")
        assert await task == "take:2"


async def test_what_lies_on_the_table_can_be_clicked() -> None:
    """A card that is recruited, then one that pays for it; a line of the status confirms."""
    async with deciding(paying()) as (table, pilot, task):
        sheet = table.app.screen.query_one("#board", CanvasWidget)
        (region,) = (each for each in regions(drawn(sheet)) if each.means == ("recruit:dancer-a=",))
        await pilot.click(sheet, offset=(region.x + 1, region.y))
        await settled(table, pilot)
        assert "Least waste" in text(table)
        assert not any("take" in means for region in regions(drawn(sheet)) for means in region.means)
        assert not task.done()
        await pilot.click("#status")
        assert await task == "recruit:dancer-a=killer-w+sailor-m"


@pytest.mark.parametrize(("phase", "action"), [(Phase.POLICEMAN, "reserve:gallery"), (Phase.LIMIT, "discard:widow")])
async def test_tiles_and_cards_are_clicked_in_other_decisions(phase: int, action: str) -> None:
    async with deciding(busy()._replace(phase=phase), size=(120, 40)) as (table, pilot, task):
        sheet = table.app.screen.query_one("#board", CanvasWidget)
        (region,) = (each for each in regions(drawn(sheet)) if each.means == (action,))
        await pilot.click(sheet, offset=(region.x + 1, region.y))
        await pilot.click("#status")
        assert await task == action


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
async def test_the_title_and_what_ends_the_game_are_whole(size: tuple[int, int]) -> None:
    """Both players need one red card, one tile is left, and names are as long as labels get."""
    six = "killer-a dancer-a policeman-a croupier-a trader-a sailor-a"
    state = position(side("widow", six), side("widow", six), centre="restaurant", piles=PILES)._replace(round=39)
    names = ("Maximiliane Alexandrina", "Bartholomäus Fürchtegott")
    async with deciding(state, size=size, names=names) as (table, _, _task):
        check_widths(table.app)
        title, *lines = text(table).splitlines()
        assert "…" not in title
        assert "39" in title
        screen = " ".join(" ".join(lines).split())
        sitting = table.presenter.game.viewpoint
        ends = say("between_parts").join(end_in_sight(state, sitting))
        assert all(word in screen for word in ends.split())


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (160, 50), (200, 60)])
async def test_any_size(size: tuple[int, int]) -> None:
    async with deciding(busy(), size=size) as (table, _, _task):
        check_widths(table.app)
        screen = text(table)
        for name in ("reconstructed cards", "6 of 7 red", "one red card of Ben ends", "restaurant", "politician-w"):
            assert name in screen


# Frames.


def frames(before: State, step: Step) -> list[State]:
    return [frame for frame, _ in groupby(BOARD_VIEW.frames(before, step, before))]


def lying(state: State) -> Counter[str]:
    """Return all cards and tiles that lie somewhere, each with the number of its copies."""
    found = Counter([*state.centre, *state.unseen])
    for each in state.sides:
        found.update([*each.blue, *each.red, *each.reserved, *each.opened, *["widow"] * each.dead])
    for each_pile in state.piles:
        found.update(card for card in (each_pile.top, *each_pile.known) if card)
    return found


@together("style", STYLES)
def test_nothing_lies_in_two_places_and_the_last_frame_has_all_that_happened(style: str) -> None:
    """Between two frames one thing moves: a card or tile leaves, or comes to lie somewhere."""
    for moment in moments(RECONSTRUCTION, Random(3), style):
        before, step, after = moment.before, moment.step, moment.after
        seen = frames(before, step)
        assert seen
        last = seen[-1]
        assert (last.sides, last.piles, last.centre) == (after.sides, after.piles, after.centre)
        whole = lying(before)
        if isinstance(step, Drawn):
            continue  # what is drawn has lain among the unseen cards until then
        for frame in seen:
            assert not lying(frame) - whole, "nothing lies in two places"
        assert lying(last) == whole


def test_cards_that_pay_go_one_after_the_other_before_the_card_is_turned() -> None:
    before = paying()
    seen = frames(before, Acted(0, "recruit:dancer-a=killer-w+widow"))
    assert [(frame.sides[0].blue, frame.sides[0].dead, frame.sides[0].red) for frame in seen] == [
        (("dancer-a", "sailor-m", "widow"), 0, ()),
        (("dancer-a", "sailor-m"), 1, ()),
        (("sailor-m",), 1, ("dancer-a",)),
        (("sailor-m",), 1, ("dancer-a",)),
        (("sailor-m",), 1, ("dancer-a",)),
    ]
    assert seen[-2].piles[3].known == ("killer-w",)
    assert seen[-1].piles[3].top == "killer-w", "under an empty pile it comes up"


def test_a_card_that_is_taken_leaves_its_pile_before_it_lies_before_the_player() -> None:
    before = paying()
    gone, there = frames(before, Acted(0, "take:2"))
    assert gone.piles[1].top == ""
    assert gone.sides == before.sides
    assert there.sides[0].blue == ("killer-w", "dancer-a", "sailor-m", "widow", "widow")


@pytest.mark.parametrize("speed", ["off", "fast"])
async def test_frames_are_shown_unless_that_is_switched_off(speed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is to move in one."""
    laid: list[tuple[State, str]] = []
    table = full_table(replace(STILL, speed=speed))

    def lay(self: Presenter, state: State) -> None:
        lay_down(self, state)
        laid.append((state, str(table.app.board(79))))

    lay_down = Presenter.lay
    monkeypatch.setattr(Presenter, "lay", lay)
    before = paying()
    step = Acted(0, "recruit:dancer-a=killer-w+sailor-m")
    after = before.apply(step.action)
    async with shown(table) as pilot:
        table.begun(Macao(), NAMES, 0, before)
        await settled(table, pilot)
        laid.clear()
        table.stepped(before, step, after)
        await settled(table, pilot)
    wanted = frames(before, step) if speed == "fast" else []
    assert [state for state, _ in laid] == [*wanted, after]
    assert ["to move" in board for _, board in laid] == [*(False for _ in wanted), True]


# Kept pictures.

PICTURES: dict[str, tuple[tuple[int, int], Settings]] = {
    "80x24": ((80, 24), STILL),
    "120x40": ((120, 40), STILL),
    "light": ((80, 24), replace(STILL, theme="light")),
    "no-colour": ((80, 24), replace(STILL, theme="none")),
    "ascii": ((80, 24), replace(STILL, ascii=True)),
}


@pytest.mark.parametrize("name", PICTURES)
async def test_the_screen_is_as_it_was_kept(name: str) -> None:
    """A card is to be recruited, and what pays for it is chosen. KEEP_SCREENS=1 keeps them anew."""
    size, settings = PICTURES[name]
    async with deciding(busy(), full_table(settings), size) as (table, pilot, _):
        await pilot.press("a")
        await settled(table, pilot)
        screen, styled = text(table) + "\n", styles(table) + "\n"
    for kind, content in (("txt", screen), ("styles", styled)):
        path = KEPT / f"macao-{name}.{kind}"
        if os.environ.get("KEEP_SCREENS"):
            path.write_text(content, encoding="utf-8")
        assert content == path.read_text(encoding="utf-8")
    if settings.ascii:
        assert screen.isascii()
    if settings.theme == "none":
        assert "#" not in styled
