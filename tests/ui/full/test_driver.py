"""Input from terminals, byte by byte: the kitty keyboard protocol, the mouse, and reports."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual import events

from p2p_shanghaien.ui.full.driver import TerminalDriver, TerminalParser
from p2p_shanghaien.ui.lifecycle import signals_kept
from tests.cli.program import PROGRAM, experienced
from tests.cli.tmux import CHIP, CHOOSE, PICKED
from tests.sweeps import sweep, together
from tests.ui.terminal import Terminal

SIZE = "\x1b[48;24;80;480;800t"
"""The report of a window of 80 by 24 cells, 800 by 480 pixels (in-band resize, mode 2048)."""


def key(sent: str) -> tuple[str, str | None]:
    """Return the key that comes of the bytes, and its text."""
    (event,) = TerminalParser().feed(sent)
    assert isinstance(event, events.Key)
    return event.key, event.character if event.is_printable else None


@together(
    ("sent", "text"),
    [
        # AltGr as Alt, with the character that it makes on German, French and Italian keyboards
        *((f"\x1b[{ord(character)};3u", character) for character in "@{}[]|\\~#€µ²³è"),
        # AltGr as Ctrl and Alt, as on Windows
        *((f"\x1b[{ord(character)};7u", character) for character in "@{}[]|\\€"),
        # the same with the text beside it: the key is another's
        ("\x1b[113;3;64u", "@"),
        ("\x1b[113;7;64u", "@"),
        ("\x1b[101;3;8364u", "€"),
        ("\x1b[0;;64u", "@"),
        # no text, or none but the key's
        ("\x1b[97u", "a"),
        ("\x1b[97;3u", "a"),
        ("\x1b[97;2u", "A"),
        ("\x1b[97;4u", "A"),
        ("\x1b[97;65u", "A"),
        ("\x1b[97;66u", "a"),
        ("\x1b[97;131u", "a"),
        ("\x1b[223;2u", "ß"),
        ("\x1b[32;3u", " "),
        # what was not asked for: other layouts' keys, how it was pressed
        ("\x1b[97:65;2u", "A"),
        ("\x1b[55:47;2u", "/"),
        ("\x1b[64::113;3;64u", "@"),
        ("\x1b[64;3:1u", "@"),
        ("\x1b[64;3:2;64u", "@"),
        # xterm's modifyOtherKeys
        ("\x1b[27;3;64~", "@"),
    ],
)
def test_what_a_key_writes_is_its_text(sent: str, text: str) -> None:
    assert key(sent)[1] == text


@together(
    ("sent", "name"),
    [
        ("\x1b[99;5u", "ctrl+c"),
        ("\x1b[97;7u", "alt+ctrl+a"),
        ("\x1b[97;9u", "super+a"),
        ("\x1b[64;11u", "alt+super+at"),
        ("\x1b[127;3u", "alt+backspace"),
        ("\x1b[13u", "enter"),
        ("\x1b[27u", "escape"),
        ("\x1b[1;3A", "alt+up"),
        ("\x1b[1;1:1A", "up"),
        ("\x1b[A", "up"),
        ("\x1b[3~", "delete"),
        ("\x1b[5;5~", "ctrl+pageup"),
        ("\x1b[57441;2u", "left_shift"),
    ],
)
def test_a_command_writes_nothing(sent: str, name: str) -> None:
    assert key(sent) == (name, None)


@pytest.mark.parametrize(
    "sent",
    ["\x1b[97;1:3u", "\x1b[1;1:3A", "\x1b[99999999999u", "\x1b[1114112u", "\x1b[64;3;99999999999u", "\x1b[64;0u"],
    ids=repr,
)
def test_what_is_no_key_is_passed_over(sent: str) -> None:
    """One that was let go, or has no character's number; what follows is understood."""
    found = [event.character for event in TerminalParser().feed(f"{sent}x") if isinstance(event, events.Key)]
    assert [character for character in found if character] in (["x"], ["@", "x"])


@pytest.mark.parametrize("size", ["", SIZE, "\x1b[48;24;80;0;0t", "\x1b[48;0;0;0;0t", SIZE + SIZE])
def test_the_mouse_points_at_cells(size: str) -> None:
    """A report of the size says nothing of the mouse, which nobody has asked to count in pixels."""
    *_, event = TerminalParser().feed(f"{size}\x1b[<0;41;13M")
    assert isinstance(event, events.MouseDown)
    assert (event.x, event.y) == (40, 12)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """Yield a game at a full screen, before a decision."""
    experienced(tmp_path)
    (tmp_path / "settings.json").write_text(json.dumps({"speed": "off", "bell": False, "game": "shanghaien"}))
    with Terminal("play", program=PROGRAM, SHANGHAIEN_HOME=str(tmp_path)) as terminal:
        terminal.until(CHOOSE)
        yield terminal


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_signals_that_come_while_the_screen_is_drawn_hold_nothing_up(terminal: Terminal) -> None:
    """A terminal that is closed sends SIGCONT as well; each draws everything anew."""
    for _ in range(1000):
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.drain(0.002)
    while terminal.drain(1.0):
        pass
    assert CHOOSE in terminal.text()
    terminal.type("?")
    terminal.until("[Esc] closes")
    terminal.type("\x1b[27u")
    terminal.until(CHOOSE)
    leave(terminal)


async def test_a_signal_before_the_screen_costs_no_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    app = SimpleNamespace(is_running=False, return_code=None)
    done: list[str] = []
    with signals_kept():
        driver = TerminalDriver(app)
        monkeypatch.setattr(driver, "suspend_application_mode", lambda: done.append("left"))
        monkeypatch.setattr(driver, "resume_application_mode", lambda: done.append("drawn"))
        for app.is_running, app.return_code, expected in (
            (False, None, []),
            (True, None, ["left", "drawn"]),
            (True, 0, ["left", "drawn"]),
        ):
            os.kill(os.getpid(), signal.SIGCONT)
            await asyncio.sleep(0.01)
            assert done == expected


def leave(terminal: Terminal) -> None:
    terminal.type("q")
    terminal.until("[y] Yes")
    terminal.type("y")
    terminal.finish(5)


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_text_field_takes_what_alt_gr_writes(terminal: Terminal) -> None:
    terminal.type("/")
    terminal.until("Say to")
    terminal.type("a\x1b[64;3u\x1b[113;3;64ub\x1b[8364;7uc")
    terminal.until("a@@b€c")
    terminal.type("\x1b[27u")
    terminal.until(lambda text: "a@@b€c" not in text)
    leave(terminal)


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_the_mouse_works_on_after_a_report_of_the_size(terminal: Terminal) -> None:
    """The terminal supports such reports, has them switched on, and resizes."""
    terminal.type("\x1b[?2048;2$y" + SIZE)
    terminal.until(CHOOSE)
    lines = terminal.text().splitlines()
    (row,) = [number for number, line in enumerate(lines, start=1) if CHOOSE not in line and CHIP.search(line)][:1]
    found = CHIP.search(lines[row - 1])
    assert found
    click = f"\x1b[<0;{found.start() + 2};{row}M\x1b[<0;{found.start() + 2};{row}m"
    terminal.type(click)
    terminal.until(PICKED)
    terminal.type(SIZE + click)
    terminal.until(lambda text: PICKED not in text)
    assert "?2048h" in terminal.raw
    assert "?1016h" not in terminal.raw
    leave(terminal)


@pytest.mark.enable_socket
@pytest.mark.sockets
@sweep(
    "sent",
    ["\xff\xfe", "\x1b[97::;1:3u\x1b[99999999999u", "\x1b[48;0;0;0;0t" + SIZE, "\x1b[48;9999;9999;1;1t" + SIZE],
    every=4,
)
def test_no_bytes_of_a_terminal_end_the_program(terminal: Terminal, sent: str) -> None:
    terminal.write(sent.encode("latin-1"))
    terminal.type("?")
    terminal.until("[Esc] closes")
    terminal.type("\x1b[27u")
    terminal.until(CHOOSE)
    leave(terminal)
