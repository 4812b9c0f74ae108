"""The full screen during events, dialogs over the table, and how long they stay."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from itertools import product

import pytest
from textual import events
from textual.pilot import Pilot

from p2p_shanghaien.games.api import Acted, Drawn, Step, Turn, advance
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rules import State
from p2p_shanghaien.session.participant import Accept, Chat, Command, Offer, Resign
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.ui.full.dialogs import TextDialog
from p2p_shanghaien.ui.full.game import MENU
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.words import say
from tests.sweeps import sweep
from tests.ui.full.desk import STILL, full_table, moves, settled, shown, text

SAVED = ShortName(date(2026, 11, 28), ("Ada", "Ben"), "078865ab")

GAME = moves(5)


def roll() -> tuple[State, Step, State]:
    """Two dice fall for player 0."""
    for before, step, after in GAME:
        if isinstance(step, Drawn) and after.node == Turn(0) and after.dice:
            return before, step, after
    raise AssertionError("no such roll")


@pytest.mark.parametrize("speed", ["off", "slow"])
async def test_dice_are_seen_to_fall_and_no_key_meant_for_them_plays(speed: str) -> None:
    table = full_table(replace(STILL, speed=speed))
    before, step, after = roll()
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, before)
        await settled(table, pilot)
        table.stepped(before, step, after)
        deciding = asyncio.create_task(table.decide(after, 0))
        seen, pressed = set(), False
        while table.app.choosing is None:
            assert isinstance(table.presenter.game.state, State)
            seen.add(table.presenter.game.state.dice)
            if len(seen) == 2 and not pressed:
                pressed = True
                await pilot.press(str(after.dice[0]), "enter")
            await asyncio.sleep(0.01)
        assert bool(seen - {(), after.dice}) == (speed == "slow"), seen
        assert table.presenter.game.state == after
        await pilot.press("enter")
        assert not deciding.done()
        deciding.cancel()
        await asyncio.wait({deciding})


async def test_how_a_round_came_out_stays_until_it_is_put_away() -> None:
    table = full_table()
    at = next(i for i, (_, step, _) in enumerate(GAME) if isinstance(step, Acted) and step.action == "#")
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, GAME[at][0])
        for move in GAME[at : at + 4]:
            table.stepped(*move)
        await settled(table, pilot)
        for key in ("3", "x", "left", "space", "tab"):
            await pilot.press(key)
            assert isinstance(table.app.screen, TextDialog), key
        assert "The round" in text(table)
        await pilot.press("escape")
        assert "The round" not in text(table)
        await pilot.press("o")
        assert "The round" in text(table)


async def test_keys_that_follow_each_other_at_once_put_it_away_once() -> None:
    table = full_table()
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0)
        await settled(table, pilot)
        await pilot.press("question_mark")
        reading = table.app.screen
        assert isinstance(reading, TextDialog)
        for key in ("escape", "q"):
            reading.post_message(events.Key(key, None))
        await settled(table, pilot)
        assert len(table.app.screen_stack) == 1
        assert "Help" in text(table)


def resigned(table: FullTable) -> None:
    table.notify("resigned", name="Ben", other="Ada")


def proved(table: FullTable) -> None:
    table.notify("peer_broke_rules", name="Ben", number=7, reason="bad_signature")


@sweep(
    "ending, title",
    [
        (resigned, "Ben resigns: Ada wins"),
        (lambda table: table.notify("resigned", name="Ada", other="Ben"), "Ada resigns: Ben wins"),
        (lambda table: table.notify("abandoned"), "The game is abandoned by consent."),
        (proved, "The game is over: Ben broke a rule."),
    ],
    every=4,
)
async def test_nobody_is_to_act_in_a_game_that_has_ended(ending: Callable[[FullTable], None], title: str) -> None:
    """In the middle of a turn, before and after the roll."""
    before, _, after = roll()
    for state in (before, after):
        table = full_table()
        async with shown(table) as pilot:
            table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, state)
            deciding = asyncio.create_task(table.decide(after, 0))
            await settled(table, pilot)
            ending(table)
            deciding.cancel()
            await settled(table, pilot)
            first, *rest = text(table).splitlines()
            assert first.startswith(f" Shanghaien · {title}")
            for word in ("Round ", "start", "our turn", "is to play", "rolled", "dice left", "[Enter]"):
                assert word not in "\n".join([first, *rest[:19]])
            await pilot.press("m")
            assert say("menu_resign") not in text(table)
            assert say("menu_settings") in text(table)
            await pilot.press("escape", "q")
            assert say("full_leave_over") in text(table)
            await asyncio.wait({deciding})


@sweep("size", [(80, 24), (120, 40), (200, 60)], every=3)
async def test_after_the_end_the_result_is_in_the_title_and_the_scores_can_be_read(size: tuple[int, int]) -> None:
    table = full_table()
    async with shown(table, size) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, GAME[-1][0])
        table.stepped(*GAME[-1])
        asking = asyncio.create_task(table.rematch())
        await settled(table, pilot)
        await pilot.press("escape")
        await settled(table, pilot)
        await pilot.press("end")
        screen = text(table)
        assert screen.splitlines()[0].startswith(f" Shanghaien · {table.presenter.ending}")
        assert say("play_again", result="").strip() in screen
        for word in ("Round 8 of", "■ ■", "6 dice left", "The tavern row is being drawn"):
            assert word not in screen
        assert lines_of(screen, say("shanghaien:total"))
        for key, title in (
            ("k", "key_scores"),
            ("l", "panel_log"),
            ("o", "shanghaien:overview"),
            ("v", "panel_fair"),
        ):
            await pilot.press(key)
            assert say(title) in text(table), key
            if key == "k":
                assert lines_of(text(table), say("shanghaien:heading_A")).count("weaker's 1") == 1
            await pilot.press("escape")
            assert say("play_again", result="").strip() in text(table)
            assert not asking.done()
        await pilot.press("y")
        assert await asking
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, GAME[0][0])
        await settled(table, pilot)
        assert "Round 1 of 8" in text(table)


async def test_a_table_that_is_closed_says_so() -> None:
    """The connection was lost for good: the game has not ended, but nobody is to act here any more."""
    table = full_table()
    _, _, after = roll()

    async def session() -> int:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, after)
        table.notify("log_5", game=SAVED)
        return 5

    seen = []

    async def run() -> None:
        async with table.app.run_test() as pilot:
            while say("full_closed") not in text(table) or say("panel_closed_soon") not in text(table):
                await pilot.pause(0.01)
            seen.append(text(table))
            await pilot.press("enter")

    table.app.run_async = lambda **_: run()  # type: ignore[method-assign]
    assert await table.run_session(session()) == 5
    title = seen[0].splitlines()[0]
    assert title.startswith(f" Shanghaien · {say('full_closed')}")
    assert title.endswith(say("link_closed"))
    assert "rolled" not in seen[0]


@pytest.mark.parametrize("language", ["fr"], indirect=True)
@pytest.mark.usefixtures("language")
async def test_a_letter_that_answers_is_no_key_of_the_table() -> None:
    """In French, o is yes; it also shows the last round."""
    table = full_table()
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, roll()[2])
        asking = asyncio.create_task(table.confirm("play_again", result=""))
        await settled(table, pilot)
        await pilot.press("o")
        assert await asking
        await settled(table, pilot)
        assert table.app.notice is None
        assert len(table.app.screen_stack) == 1


def lines_of(screen: str, word: str) -> str:
    return next(line for line in screen.splitlines() if word in line)


def entries(table: FullTable) -> list[str]:
    """Return the entries of the menu, which is open, as they are numbered on the screen."""
    return re.findall(r"^[ >]+\d ([^ ].*?)\s*$", text(table), re.MULTILINE)


async def take(table: FullTable, pilot: Pilot[None], code: str) -> None:
    """Take an entry of the menu by its number."""
    await pilot.press("m")
    await settled(table, pilot)
    await pilot.press(str(entries(table).index(say(code)) + 1), "enter")


@pytest.mark.parametrize(
    ("code", "more", "command"),
    [
        ("menu_offer", [], Offer()),
        ("menu_accept", [], Accept()),
        ("menu_resign", ["y"], Resign()),
        ("menu_resign", ["n"], None),
        ("menu_say", ["h", "i", "enter"], Chat("hi")),
        ("menu_say", ["h", "i", "escape"], None),
    ],
)
async def test_the_menu(code: str, more: list[str], command: Command | None) -> None:
    table = full_table()
    async with shown(table) as pilot:
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, roll()[2])
        await settled(table, pilot)
        listening = asyncio.create_task(table.command())
        if code == "menu_accept":
            table.notify("offered", name="Ben")
            await settled(table, pilot)
        await take(table, pilot, code)
        await pilot.press(*more)
        await settled(table, pilot)
        assert len(table.app.screen_stack) == 1
        assert (listening.result() if listening.done() else None) == command
        listening.cancel()
        await asyncio.wait({listening})


async def test_the_menu_has_what_can_be_done_now_and_nothing_else() -> None:
    """Nothing to accept before it was offered, no second offer, nobody to talk to while the connection is lost."""
    table = full_table()

    async def offered() -> set[str]:
        await settled(table, pilot)
        await pilot.press("m")
        await settled(table, pilot)
        found = set(entries(table))
        await pilot.press("escape")
        codes = {code for code in MENU if say(code) in found}
        assert len(codes) == len(found)
        return codes

    async with shown(table) as pilot:
        always = {"menu_settings", "menu_leave"}
        assert await offered() == always
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, roll()[2])
        usual = {*always, "menu_rules", "menu_say", "menu_offer", "menu_resign"}
        assert await offered() == usual
        table.notify("offered", name="Ben")
        assert await offered() == usual | {"menu_accept"}
        table.notify("offer_lapsed", name="Ben")
        assert await offered() == usual
        for made in ("offer_kept", "offer_made"):
            table.notify(made, name="Ben")
            assert await offered() == usual - {"menu_offer"}
        table.notify("own_offer_lapsed", name="Ben")
        assert await offered() == usual
        table.notify("interrupted_game", name="Ben", reason="ping_timeout")
        assert await offered() == usual - {"menu_say"}
        table.notify("reconnected", name="Ben")
        table.notify("offered", name="Ben")
        action = next(action for action in roll()[2].legal(0) if action.startswith("-"))
        table.stepped(roll()[2], Acted(0, action), advance(roll()[2], Acted(0, action)))
        assert await offered() == usual, "an offer that was declined by a decision"
        table.notify("offered", name="Ben")
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, roll()[2])
        assert await offered() == usual, "an offer in an earlier game"
        table.notify("abandoned")
        assert await offered() == {*always, "menu_rules"}


async def test_a_key_to_talk_is_shown_while_there_is_somebody_to_talk_to() -> None:
    table = full_table()

    async def shows_key() -> bool:
        await settled(table, pilot)
        return say("key_say") in text(table).splitlines()[-1] + text(table).splitlines()[-2]

    async with shown(table, (120, 40)) as pilot:
        table.notify("waiting")
        assert not await shows_key()
        table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, roll()[2])
        assert await shows_key()
        table.notify("interrupted_game", name="Ben", reason="ping_timeout")
        assert not await shows_key()
        table.notify("reconnected", name="Ben")
        assert await shows_key()
        table.notify("abandoned")
        assert not await shows_key()


@sweep("language, size", [*product(LANGUAGES, [(80, 24)]), ("en", (100, 30)), ("en", (120, 40))], every=3)
async def test_many_choices_leave_room_for_the_log(language: str, size: tuple[int, int]) -> None:
    """All tricks in one hand, and a crew of every nationality."""
    state = roll()[2]
    crew = tuple(f"{nationality}3" for nationality in NATIONALITIES)
    state = state._replace(tricks=("bbppprrw", ""), crews=(crew, ()), tricked=(False, False))
    table = full_table()
    choose(language)
    try:
        async with shown(table, size) as pilot:
            table.begun(Shanghaien("extra-wild"), ("Ada", "Ben"), 0, state)
            deciding = asyncio.create_task(table.decide(state, 0))
            await asyncio.sleep(0)
            await settled(table, pilot)
            app = table.app
            for _ in range(0, len(state.legal(0)), 5):
                assert table.app.choosing
                table.app.choosing.step(5)
                app.show_choosing()
                await settled(table, pilot)
                assert app.screen.query_one("#log").size.height >= 2
                assert app.screen.query_one("#status").region.bottom <= size[1] - 3
                picked = next(o for o in table.app.choosing.items if o.action == table.app.choosing.picked)
                assert f"[{picked.keys[0]}] {picked.label}" in text(table), "what is picked is seen"
            deciding.cancel()
            await asyncio.wait({deciding})
    finally:
        choose("en")
