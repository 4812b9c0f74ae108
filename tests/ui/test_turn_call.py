"""Calls to one's turn: who is called, by what the terminal understands, and by nothing that a name contains."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from p2p_shanghaien.games.api import Acted
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.ui.characters import ASCII, UNICODE
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.presenter import Presenter, ShownGame
from p2p_shanghaien.ui.turn_call import AT_ONCE, JUST_NOW, TurnCall, call_sequence, notification_kind
from tests.ui.desk import Desk
from tests.ui.full.desk import STILL, settled, shown
from tests.ui.sitting import EVIL, rolled

PLAIN = {"TERM": "xterm-256color"}
KITTY = {"TERM": "xterm-kitty"}
FOOT = {"TERM": "foot"}


def seated(*names: str, ascii_only: bool = False) -> ShownGame:
    presenter = Presenter(ASCII if ascii_only else UNICODE)
    presenter.begun(Shanghaien(), (names[0], names[1]), 0)
    return presenter.game


@pytest.mark.parametrize(
    ("environment", "kind"),
    [
        (PLAIN, None),
        ({}, None),
        ({"TERM": "dumb"}, None),
        (KITTY, 9),
        ({"TERM": "xterm-ghostty"}, 9),
        (FOOT, 777),
        ({**PLAIN, "TERM_PROGRAM": "iTerm.app"}, 9),
        ({**PLAIN, "LC_TERMINAL": "iTerm2"}, 9),
        ({**PLAIN, "TERM_PROGRAM": "WezTerm"}, 9),
        ({**PLAIN, "TERM_PROGRAM": "Apple_Terminal"}, None),
        ({**PLAIN, "TERM_PROGRAM": "vscode"}, None),
        # a multiplexer keeps it to itself, whatever runs around it
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "tmux"}, None),
        ({"TERM": "screen.xterm-256color", "TERM_PROGRAM": "iTerm.app"}, None),
        ({**KITTY, "TMUX": "/tmp/tmux-1000/default,1,0"}, None),
        ({**KITTY, "STY": "1.pts-0"}, None),
    ],
)
def test_only_terminals_that_are_known_for_it_get_a_notification(environment: dict[str, str], kind: int | None) -> None:
    assert notification_kind(environment) == kind
    assert (call_sequence(seated("Ada", "Ben"), environment) == "\a") == (kind is None)


def test_the_two_kinds() -> None:
    game = seated("Ada", "Ben")
    assert call_sequence(game, KITTY) == "\a\x1b]9;Shanghaien: it is your turn against Ben.\x1b\\"
    assert call_sequence(game, FOOT) == "\a\x1b]777;notify;Shanghaien;it is your turn against Ben.\x1b\\"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("environment", [KITTY, FOOT])
@pytest.mark.parametrize("name", [*EVIL, "a;b;c", "\x1b\\", "\x07", "\x9c", "\n", "漢" * 32, "W" * 32])
def test_no_name_ends_the_sequence_or_begins_another(name: str, environment: dict[str, str], language: str) -> None:
    choose(language)
    try:
        for ascii_only in (False, True):
            sent = call_sequence(seated("Ada", name, ascii_only=ascii_only), environment)
            assert sent.startswith("\a\x1b]")
            assert sent.endswith("\x1b\\")
            inner = sent[3:-2]
            assert inner.isprintable()
            assert inner.count(";") == (1 if environment is KITTY else 3)
            assert not inner.split(";")[1][:1].isdecimal(), "some take a number for another command"
            assert inner.isascii() or not ascii_only
            assert len(inner) < 500
    finally:
        choose("en")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Calls:
    """A table at a terminal, with a command that is only noted down, and the turns of both players."""

    def __init__(self, call: Callable[..., TurnCall], *, interactive: bool = True) -> None:
        self.clock = Clock()
        self.commands: list[tuple[str, str]] = []
        self.desk = Desk(["4"] * 9, terminal=True, interactive=interactive)
        command = lambda opponent, game, tell: self.commands.append((opponent, game))  # noqa: E731
        calls = call(command, clock=self.clock)
        self.table = PlainTable(self.desk.screen, self.desk.script, bell=True, call=calls)
        self.table.begun(Shanghaien(), ("Ada", "Ben"), 0)

    def turn(self, seconds: float) -> tuple[int, int]:
        """Let Ben take so many seconds for a turn, then Ada decide; return how often it rang, and commands were run."""
        state: Any = rolled()
        other = state._replace(player=1)
        self.table.stepped(other, Acted(1, "-5<"), other.apply("-5<"))
        self.clock.now += seconds
        self.desk.shown()
        before = len(self.commands)
        asyncio.run(self.table.decide(state, 0))
        return " ".join(self.desk.shown()).count("\a"), len(self.commands) - before


def test_a_person_calls_whoever_has_not_just_decided() -> None:
    calls = Calls(lambda command, clock: TurnCall(command, clock=clock))
    assert calls.turn(0) == (1, 1), "the first turn of all"
    assert calls.turn(JUST_NOW + 0.1) == (1, 1)
    assert calls.turn(JUST_NOW - 0.1) == (0, 0)
    assert calls.turn(100) == (1, 1)
    assert calls.commands[0] == ("Ben", "Shanghaien")


def test_a_computer_calls_only_where_it_has_not_answered_at_once() -> None:
    calls = Calls(lambda command, clock: TurnCall(command, against_computer=True, clock=clock))
    assert calls.turn(0.1) == (0, 0)
    assert calls.turn(AT_ONCE - 0.1) == (0, 0)
    assert calls.turn(AT_ONCE + 0.1) == (1, 1)
    assert calls.turn(0.1) == (0, 0)


def test_where_no_person_sits_no_command_is_run() -> None:
    calls = Calls(lambda command, clock: TurnCall(command, clock=clock), interactive=False)
    assert calls.turn(0) == (1, 0)


def test_one_turn_calls_once() -> None:
    calls = Calls(lambda command, clock: TurnCall(command, clock=clock))
    assert calls.turn(0) == (1, 1)
    state = rolled()
    calls.desk.shown()
    asyncio.run(calls.table.decide(state, 0))
    assert "\a" not in " ".join(calls.desk.shown())
    assert len(calls.commands) == 1


@pytest.mark.parametrize("against_computer", [False, True])
async def test_the_full_screen_calls_as_plain_mode_does(against_computer: bool) -> None:
    from p2p_shanghaien.ui.full.game import GameApp
    from p2p_shanghaien.ui.full.table import FullTable

    commands: list[str] = []
    call = TurnCall(
        lambda opponent, game, tell: commands.append(opponent),
        against_computer=against_computer,
        clock=Clock(),
    )
    table = FullTable(GameApp(STILL, lambda changed: None), call=call)
    async with shown(table) as pilot:
        table.begun(Shanghaien(), ("Ada", "Ben"), 0)
        state = rolled()
        deciding = asyncio.create_task(table.decide(state, 0))
        await settled(table, pilot)
        deciding.cancel()
        await asyncio.gather(deciding, return_exceptions=True)
    assert commands == ([] if against_computer else ["Ben"])
