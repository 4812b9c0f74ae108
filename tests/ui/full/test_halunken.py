"""Halunken & Spelunken at full screen: what lies on the table, decisions by keys and clicks, and frames."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from rich.text import Text
from textual.pilot import Pilot

from p2p_shanghaien.games.api import Acted, Chosen, Drawn, Step, Turn, deciders
from p2p_shanghaien.games.halunken.display.full import BOARD_VIEW
from p2p_shanghaien.games.halunken.display.panels import awaited
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import JACK, Phase, State
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.characters import ASCII, UNICODE
from p2p_shanghaien.ui.full.canvas_widget import CanvasWidget
from p2p_shanghaien.ui.full.drawing import DARK, PLAIN, ActionMenu, Canvas
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.presenter import Presenter
from p2p_shanghaien.ui.view import viewpoint
from tests.games.halunken.table import COLOURS, SPACES, Table, points, value
from tests.games.halunken.table import after as space_after
from tests.sweeps import sweep
from tests.ui.full.desk import STILL, drawn, full_table, regions, settled, shown, styles, text
from tests.ui.halunken import CORNERS, GAMES, load, moves, positions, states

KEPT = Path(__file__).parent / "kept"
NAMES = ("Ada", "Ben")
PLACES = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (4, 1),
    (4, 2),
    (4, 3),
    (3, 3),
    (2, 3),
    (1, 3),
    (0, 3),
    (0, 2),
    (0, 1),
]
"""Clockwise from the upper left corner: columns and rows of spaces 1 to 14."""
SIZES = [(79, 14), (80, 14), (79, 18), (79, 30), (119, 30), (300, 80)]


def board(
    state: State, me: int | None, size: tuple[int, int] = (79, 14), *, ascii_only: bool = False
) -> Sequence[Text]:
    """Return the board with all that is open to the near side."""
    charset = ASCII if ascii_only else UNICODE
    sitting = viewpoint(NAMES, me, charset)
    player = me or 0
    items = BOARD_VIEW.menu_items(state, player, sitting) if state.legal(player) else ()
    canvas = Canvas(*size, PLAIN if ascii_only else DARK, charset)
    picked = items[0].action if items else None
    return BOARD_VIEW.board(state, sitting, ActionMenu(items, picked), canvas)


def lines(drawing: Sequence[Text]) -> list[str]:
    return [line.plain.ljust(79) for line in drawing]


def who(player: int, me: int | None) -> str:
    return "You" if player == me else NAMES[player]


# What lies on the table.


@sweep("path", GAMES, every=4, ids=lambda path: path.stem)
@pytest.mark.parametrize("me", [0, 1, None])
def test_every_position_is_shown_whole(path: Path, me: int | None) -> None:
    for state, table in positions(path):
        if table.waits == "over":
            break
        seen = lines(board(state, me))
        assert len(seen) == 14
        for space, (column, row) in enumerate(PLACES, start=1):
            den = [line[1 + 9 * column : 10 + 9 * column] for line in seen[3 * row : 3 * row + 3]]
            check_den(den, space, table, me)
        far = 1 - (me or 0)
        check_side([line[47:79] for line in seen[:6]], far, table, me)
        check_side([line[47:79] for line in seen[8:14]], 1 - far, table, me)
        if table.blackjack:
            assert seen[12].split("Jack")[1][1:25] == hand(table.cards[JACK])
            assert seen[13].split("Boat")[1][:40].split() == (list(table.encoded()[13]) or ["·"])


def test_as_many_rogues_as_ever_lay_there_fit_beside_the_boat() -> None:
    boat = ["r4", "r15", "v3", "v9", "v14", "g5", "g10", "g13", "y1", "y2", "y9", "y12"]
    state = next(state for state, _ in positions(GAMES[0]) if state.round == 8)
    assert lines(board(state._replace(boat=tuple(boat)), 0))[13].split("Boat")[1][:41].split() == boat


def check_den(den: Sequence[str], space: int, table: Table, me: int | None) -> None:
    assert f" {space} " in den[0]
    if table.left[space]:
        assert den[1][1:-1].split() == [table.tops[space] or "?", "▪" * table.left[space]]
    else:
        assert den[1][1:-1].split() == ["·"]
    standing = [player for player in (0, 1) if table.captains[player] == space]
    names = [f"{'▼' if player == (me or 0) else '▲'} {who(player, me)}" for player in standing]
    if jack_space(table) == space:
        names.append("◆ Jack")
    if len(names) == 1:
        assert names[0] in den[2]
    else:
        marks = [character for character in den[2] if character in "▼▲◆"]
        assert marks in ([name[0] for name in names], [])


def jack_space(table: Table) -> int:
    """Return where Black Jack is seen: in the thefts and losses of his move he has gone there already."""
    if table.phase not in (Phase.JACK_ROB, Phase.LOSE):
        return table.jack
    goal = space_after(table.jack, table.numbers[JACK])
    while goal in table.captains:
        goal = space_after(goal, 1)
    return goal


def hand(cards: Sequence[str]) -> str:
    return "".join(f" {card if card in cards else '·'} " for card in "1234567r")


def check_side(block: Sequence[str], player: int, table: Table, me: int | None) -> None:
    crew = table.crew(player)
    assert block[0].split()[1] == who(player, me)
    earlier = f"{table.scores[player]} + " if table.hand > 1 else ""
    number = points(crew)
    assert block[0].endswith(f" {earlier}{number} point{'' if number == 1 else 's'}")
    cards = block[1][:24].replace("[", " ").replace("]", " ").replace("(", " ").replace(")", " ")
    assert cards == hand(table.cards[player])
    doubled = []
    for letter, line in zip(COLOURS, block[2:], strict=True):
        held = [rogue for rogue in crew if rogue[0] == letter]
        total = sum(map(value, held))
        found = line.split()
        assert found[0] == letter
        if line.endswith("x2"):
            doubled.append(total)
            del found[-1]
        assert found[1:] == ([*(rogue[1:] for rogue in held), str(total)] if held else ["·"])
    assert number == sum(map(value, crew)) + sum(doubled)


def standing(state: State, me: int | None) -> str:
    """Return what is written within the ring, as a text."""
    return " ".join(" ".join(line[10:37] for line in lines(board(state, me))[3:9]).split())


def test_an_auction_says_who_opened_who_bids_and_who_is_to_answer() -> None:
    found = set()
    for path in GAMES[::4]:
        for state, table in positions(path):
            if table.phase != Phase.AUCTION:
                continue
            for me in (0, 1, None):
                said = standing(state, me)
                mine = table.player == me
                assert ("Auction: bid or pass" if mine else f"{NAMES[table.player]} is to bid or pass") in said
                assert table.opener is not None
                assert f"{'you' if table.opener == me else NAMES[table.opener]} opened" in said
                bidder = 1 - table.player
                verb = "bid" if bidder == me else "bids"
                assert (f"{'you' if bidder == me else NAMES[bidder]} {verb} {table.bid}" in said) == bool(table.bid)
                assert ("passed" in said) == (not table.bid and table.player != table.opener)
                found.add((bool(table.bid), "passed" in said))
    assert found == {(False, False), (True, False), (False, True)}


def test_the_cards_of_the_round_are_shown_to_its_end() -> None:
    """With the number that was named for rum, and that equal cards cancel each other."""
    found = set()
    for path in (*GAMES[:3], *CORNERS):
        for state, table in positions(path):
            if not any(table.shown):
                continue
            said = standing(state, 0)
            for place, card in enumerate(table.shown):
                assert (f"{card} " in said) or not card, said
                if card == "r" and table.numbers[place]:
                    found.add("named")
                    assert f"= {table.numbers[place]}" in said
            if table.shown[0] == table.shown[1]:
                found.add("cancelled")
                assert "cancel" in said
    assert found == {"named", "cancelled"}


@pytest.mark.usefixtures("language")
@pytest.mark.parametrize("size", SIZES)
@sweep("ascii_only", [False, True], every=2)
def test_nothing_is_wider_than_its_place(size: tuple[int, int], ascii_only: bool) -> None:
    phases = set()
    for path in GAMES[::3]:
        for state, _ in positions(path):
            if state.phase in phases or state.phase == Phase.OVER:
                continue
            phases.add(state.phase)
            for me in (0, 1):
                drawing = board(state, me, size, ascii_only=ascii_only)
                assert len(drawing) <= size[1]
                assert all(line.cell_len <= size[0] for line in drawing)
                assert all(line.plain.isascii() for line in drawing) or not ascii_only
                sitting = viewpoint(NAMES, me)
                canvas = Canvas(40, 24, DARK)
                assert all(line.cell_len <= 40 for line in BOARD_VIEW.scores(state, sitting, canvas))
    assert len(phases) == 14


@pytest.mark.usefixtures("language")
def test_what_is_said_within_the_ring_is_said_whole() -> None:
    """Whatever the players are called: nothing but the names is shortened."""
    found = set()
    for path in GAMES[::3]:
        for state in states(path):
            if not isinstance(state.node, Turn) or state.phase in found:
                continue
            found.add(state.phase)
            for me in (0, 1, None):
                short = awaited(state, viewpoint(("Ada", "Ben"), me)).split()
                sitting = viewpoint(("W" * 20, "M" * 20), me)
                table = BOARD_VIEW.board(state, sitting, ActionMenu(), Canvas(79, 14))
                inside = [line.plain[10:37] for line in table[3:9]]
                said = " ".join(" ".join(inside).split())
                assert [word for word in short if not re.match("Ada|Ben", word)][-1] in said.split(), said
    assert len(found) == 9


def test_the_scores_list_the_rogues_that_nobody_has_seen() -> None:
    for state, table in positions(GAMES[3]):
        shown_lines = [line.plain for line in BOARD_VIEW.scores(state, viewpoint(NAMES, 0), Canvas(40, 24, DARK))]
        at = shown_lines.index("Nobody has seen yet:")
        listed = [f"{line.split()[0]}{number}" for line in shown_lines[at + 1 :] for number in line.split()[1:]]
        assert listed == list(table.pile)


def test_how_a_hand_came_out_is_shown_between_hands() -> None:
    path = next(path for path in GAMES if load(path).game == Halunken(hands="3"))
    events = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    scored = [event for event in events if event["event"] == "scored"]
    shown_hands = []
    for before, step, after in moves(path):
        overview = [line.plain for line in BOARD_VIEW.overview(before, step, viewpoint(NAMES, 0), Canvas(76, 24, DARK))]
        assert bool(overview) == (after.hand > before.hand)
        if overview:
            assert all(len(line) <= 76 for line in overview)
            shown_hands.append([int(line.split()[-1]) for line in overview if line.startswith("this hand")])
    assert shown_hands == [event["points"][::-1] for event in scored[:-1]]


async def test_how_a_hand_came_out_stays_until_it_is_put_away() -> None:
    path = next(path for path in GAMES if load(path).game == Halunken(hands="3"))
    game = moves(path)
    at = next(index for index, (before, _, after) in enumerate(game) if after.hand > before.hand)
    before, step, after = game[at]
    table = full_table()
    async with shown(table) as pilot:
        table.begun(load(path).game, NAMES, 0, before)
        table.stepped(before, step, after)
        await settled(table, pilot)
        seen = text(table)
        assert " The hand " in seen
        for player, number in enumerate(after.scores):
            assert re.search(rf"this hand +{number}$", seen, re.MULTILINE), player
        await pilot.press("escape")
        await settled(table, pilot)
        assert "Hand 2 of 3 · Setup" in text(table)
        assert [f"{number} + 0 points" in text(table) for number in after.scores] == [True, True]


# Decisions.


def find(wanted: Callable[[State], bool]) -> State:
    for path in (*GAMES, *CORNERS):
        for state in states(path):
            if wanted(state):
                return state
    raise AssertionError("no such position")


def first(phase: int, player: int | None = None) -> State:
    return find(lambda state: state.phase == phase and player in (None, state.player))


def hired() -> State:
    """Player 0 has hired Black Jack, and both choose in secret."""
    return find(lambda state: state.phase == Phase.CHOICE and state.hirer == 0 and state.round > 2)


@asynccontextmanager
async def deciding(
    state: State, me: int, table: FullTable | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[FullTable, Pilot[None], "asyncio.Task[str]"]]:
    table = table or full_table()
    async with shown(table, size) as pilot:
        table.begun(Halunken(), NAMES, me, state)
        task = asyncio.create_task(table.decide(state, me))
        await asyncio.sleep(0)
        await settled(table, pilot)
        yield table, pilot, task
        task.cancel()
        await asyncio.wait({task})


def typed(action: str) -> list[str]:
    """Return the keys that somebody guesses who has seen the table."""
    if action in ("pass", "leave"):
        return ["p" if action == "pass" else "n"]
    if "+" in action:
        return [action[0], action[-1]]
    if "=" in action or len(action) == 1:
        return [action[-1]]
    thing = action.partition(":")[2]
    return list(thing if action.startswith("at:") else thing[1:])


@cache
def phases() -> list[State]:
    """Return for each kind of decision a position in which there is most to choose from."""
    most: dict[tuple[int, bool], State] = {}
    for path in (*GAMES, *CORNERS):
        for state in states(path):
            for player in deciders(state.node):
                kind = (state.phase, state.phase == Phase.CHOICE and player == state.hirer)
                if len(state.legal(player)) > len(most[kind].legal(most[kind].player) if kind in most else ()):
                    most[kind] = state
    return list(most.values())


@sweep("kind", range(11), every=3)
async def test_every_decision_is_taken_with_the_keys_that_one_guesses(kind: int) -> None:
    """Several rogues of one value: the same keys again pick the next one."""
    table, kinds = full_table(), phases()
    assert len(kinds) == 11
    state = kinds[kind]
    me = state.hirer if state.phase == Phase.CHOICE and state.hirer is not None else state.player
    legal = state.legal(me)
    async with shown(table) as pilot:
        table.begun(Halunken(), NAMES, me, state)
        for action in {legal[0], legal[len(legal) // 2], legal[-1]}:
            task = asyncio.create_task(table.decide(state, me))
            await asyncio.sleep(0)
            await settled(table, pilot)
            assert table.app.choosing
            keys, times = typed(action), 0
            while table.app.choosing.picked != action:
                assert times < (1 if "+" in action else 4)
                times += 1
                await pilot.press(*keys)
            assert not task.done()
            await pilot.press("enter")
            assert await task == action


@pytest.mark.parametrize(
    ("phase", "action"),
    [
        (Phase.PLACE, "at:9"),
        (Phase.PLACE_JACK, None),
        (Phase.AUCTION, None),
        (Phase.LOSE, None),
        (Phase.JACK_ROB, None),
    ],
)
async def test_what_lies_on_the_board_can_be_clicked(phase: int, action: str | None) -> None:
    """Spaces, rogues of one's own crew, and those of the other's."""
    state = first(phase)
    me = state.player
    action = action or next(each for each in state.legal(me) if ":" in each)
    async with deciding(state, me, size=(120, 40)) as (table, pilot, task):
        sheet = table.app.screen.query_one("#board", CanvasWidget)
        (region,) = (region for region in regions(drawn(sheet)) if region.means == (action,))
        await pilot.click(sheet, offset=(region.x + region.width // 2, region.y + region.height // 2))
        assert table.app.choosing
        assert table.app.choosing.picked == action
        await pilot.click("#status")
        assert await task == action


async def test_a_hirer_clicks_both_cards() -> None:
    state = hired()
    action = state.legal(0)[-2]
    async with deciding(state, 0) as (table, pilot, task):
        for means in (action[0], action):
            sheet = table.app.screen.query_one("#board", CanvasWidget)
            (region,) = (region for region in regions(drawn(sheet)) if region.means == (means,))
            await pilot.click(sheet, offset=(region.x + 1, region.y))
            await settled(table, pilot)
        await pilot.click("#status")
        assert await task == action


# Secret choices.


@pytest.mark.parametrize("me", [0, 1])
async def test_of_a_secret_choice_it_is_seen_that_it_was_made(me: int) -> None:
    state = hired()
    async with deciding(state, me) as (table, pilot, _):
        before = text(table).splitlines()
        assert "chosen" not in "\n".join(before)
        table.notify("has_chosen", name=NAMES[1 - me])
        await settled(table, pilot)
        after = text(table).splitlines()
        changed = [line for line, old in zip(after, before, strict=True) if line != old][:2]
        assert "chosen" in changed[0], "beside the other's cards"
        assert "▒" in changed[1]
        assert changed[1].count("▒▒▒") == (2 if me == 1 else 1), "with Black Jack's, which the hirer chooses along"


async def test_after_the_own_choice_nothing_says_what_it_is() -> None:
    """Somebody may look over one's shoulder, or see the screen that one shares."""
    state = find(lambda state: state.phase == Phase.CHOICE and state.hirer is None)
    seen = []
    for card in state.legal(0)[:2]:
        async with deciding(state, 0) as (table, pilot, task):
            await pilot.press(card, "enter")
            assert await task == card
            table.notify("choice_made", name="Ben")
            await settled(table, pilot)
            seen.append(text(table))
    assert seen[0] == seen[1]
    assert "chosen" in seen[0]


async def test_one_is_to_choose_after_the_other() -> None:
    """The protocol asks for one choice after the other: whoever is not asked yet is not to move."""
    state = find(lambda state: state.phase == Phase.CHOICE and state.hirer is None)
    table = full_table()

    def to_move() -> list[bool]:
        rows = text(table).splitlines()
        return ["to move" in rows[line] for line in (2, 10)]

    async with shown(table) as pilot:
        table.begun(Halunken(), NAMES, 0, state)
        await settled(table, pilot)
        assert to_move() == [True, False]
        table.notify("has_chosen", name="Ben")
        task = asyncio.create_task(table.decide(state, 0))
        await asyncio.sleep(0)
        await settled(table, pilot)
        assert to_move() == [False, True]
        task.cancel()
        await asyncio.wait({task})


# Frames.


def frames(before: State, step: Step, after: State) -> list[State]:
    return list(BOARD_VIEW.frames(before, step, after))


def figures(state: State) -> tuple[int, int, int]:
    return (*state.captains, state.jack)


def walks(seen: Sequence[State]) -> list[tuple[int, int]]:
    """Return which figure is seen to go where, step by step: captains 0 and 1, Black Jack 2."""
    gone = []
    for one, other in pairwise(seen):
        gone += [(who, at) for who, (was, at) in enumerate(zip(figures(one), figures(other), strict=True)) if was != at]
    return gone


def test_a_displaced_captain_walks_on_from_its_new_space() -> None:
    """Worked example 1 of the rules: displaced before moving, past Black Jack."""
    state = find(lambda state: state.phase == Phase.CHOICE and state.hirer is None)
    state = state._replace(
        captains=(3, 5), jack=6, crews=(("r4", "r5"), ("v4",)), left=(1,) * SPACES, cards=("1234567r",) * 3
    )
    before = state._replace(tops=tuple(rogue if rogue not in ("r4", "r5", "v4") else "g9" for rogue in state.tops))
    step = Chosen(("2", "4"))
    seen = frames(before, step, before.apply_joint(step.actions))
    assert walks([before, *seen]) == [(0, 4), (0, 5), (1, 6), (1, 7), (1, 8), (1, 9), (1, 10), (1, 11)]


@sweep("path", GAMES, every=4, ids=lambda path: path.stem)
def test_figures_go_from_space_to_space_one_after_the_other(path: Path) -> None:
    """They show no more than the replay says, in its order; and no rogue is ever in two places."""
    gone: list[tuple[int, int]] = []
    for before, step, after in moves(path):
        seen = frames(before, step, after)
        for one, other in pairwise([before, *seen]):
            moved = [a != b for a, b in zip(figures(one), figures(other), strict=True)]
            assert sum(moved) <= 1 or before.phase in (Phase.LOSE, Phase.JACK_ROB)
            lying = [*other.crews[0], *other.crews[1], *other.boat]
            assert len(set(lying)) == len(lying)
            assert len(lying) + sum(other.left) == 42
        if before.phase not in (Phase.LOSE, Phase.JACK_ROB):
            gone += walks([before, *seen])
        elif seen:
            gone += walks(seen)
    assert gone == list(told(path))


def told(path: Path) -> list[tuple[int, int]]:
    """Return the same as `walks` from the replay's events."""
    gone = []
    for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines():
        event = json.loads(line)
        if event["event"] not in ("move", "displaced", "jack"):
            continue
        who = event.get("player", event.get("captain"))
        space = event["from"]
        while space != event["to"]:
            space = space % SPACES + 1
            gone.append((JACK if who is None else who, space))
    return gone


def test_cards_are_turned_over_together_before_anything_moves() -> None:
    for path in GAMES[:4]:
        for before, step, after in moves(path):
            if not isinstance(step, Chosen):
                continue
            seen = frames(before, step, after)
            faces = list(dict.fromkeys(state.shown for state in seen))
            jack = "" if before.hirer is None else step.actions[before.hirer][-1]
            assert faces == [("?", "?", "?" if jack else ""), (step.actions[0][0], step.actions[1][0], jack)]
            up = next(index for index, state in enumerate(seen) if state.shown == faces[1])
            assert {figures(state) for state in seen[: up + 1]} == {figures(before)}
            assert seen.count(seen[up]) > 2 * seen.count(seen[0]), "there is time to read them"
            assert seen[up].cards != before.cards


def test_what_only_asks_on_has_no_frames() -> None:
    for before, step, after in moves(GAMES[1]):
        if isinstance(step, Acted) and before.phase in (Phase.PLACE, Phase.AUCTION) and after.phase == Phase.AUCTION:
            assert frames(before, step, after) == []


@pytest.mark.parametrize("speed", ["off", "fast"])
async def test_frames_are_shown_unless_that_is_switched_off(speed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that is resized meanwhile is drawn again as a whole."""
    laid: list[State] = []

    def lay(self: Presenter, state: State) -> None:
        laid.append(state)
        lay_down(self, state)

    lay_down = Presenter.lay
    monkeypatch.setattr(Presenter, "lay", lay)
    table = full_table(replace(STILL, speed=speed))
    before, step, after = next(move for move in moves(GAMES[0]) if len(walks(frames(*move))) > 2)
    async with shown(table) as pilot:
        table.begun(Halunken(), NAMES, 0, before)
        await settled(table, pilot)
        table.stepped(before, step, after)
        await pilot.resize_terminal(81, 24)
        await settled(table, pilot)
        assert "Round" in text(table)
    wanted = [frame for frame, _ in groupby(frames(before, step, after))] if speed == "fast" else []
    assert laid == [*wanted, after]


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
    """The hirer picks Black Jack's card, and the other has chosen. KEEP_SCREENS=1 keeps them anew."""
    size, settings = PICTURES[name]
    async with deciding(hired(), 0, full_table(settings), size) as (table, pilot, _):
        table.notify("has_chosen", name="Ben")
        state = hired()
        await pilot.press(*state.legal(0)[-1].split("+"))
        await settled(table, pilot)
        screen, styled = text(table) + "\n", styles(table) + "\n"
    keep("halunken-" + name, txt=screen, styles=styled)
    if settings.ascii:
        assert screen.isascii()
    if settings.theme == "none":
        assert "#" not in styled


@pytest.mark.parametrize("phase", [Phase.PLACE_JACK, Phase.AUCTION, Phase.ROB_JACK])
async def test_other_screens_are_as_they_were_kept(phase: int) -> None:
    """In the last one the captain stands on Black Jack's space, and there is something to steal."""
    state = find(lambda state: state.phase == phase and len(state.legal(state.player)) > 3)
    async with deciding(state, state.player) as (table, _, _task):
        keep(f"halunken-phase-{phase}", txt=text(table) + "\n")


def keep(name: str, **shown_now: str) -> None:
    for kind, content in shown_now.items():
        path = KEPT / f"{name}.{kind}"
        if os.environ.get("KEEP_SCREENS"):
            path.write_text(content, encoding="utf-8")
        assert content == path.read_text(encoding="utf-8")


def test_a_draw_is_awaited_without_a_word() -> None:
    """The draw follows at once, and then it is seen."""
    for state in states(GAMES[0]):
        if not deciders(state.node) and state.phase != Phase.OVER:
            seen = "\n".join(lines(board(state, 0)))
            assert "to move" not in seen
    assert isinstance(first(Phase.AUCTION).node, Turn)
    assert any(isinstance(step, Drawn) for _, step, _ in moves(GAMES[0]))
