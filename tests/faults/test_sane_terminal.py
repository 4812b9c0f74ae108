"""However a program is stopped or ended, at its prompt or full screen, the shell that it was started from has a
terminal as before."""

import shlex
import signal
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil
import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import PROGRAM, Running, environment, experienced, logs
from tests.sweeps import sweep
from tests.ui.terminal import SITTING, Terminal

CHOICE = "Your choice"
FULL_CHOICE = "pick with a key"


def shell(folder: Path, *commands: str) -> Terminal:
    """A shell that runs commands at a terminal, and has their jobs stop and go on as it would a person's.

    It changes nothing of the terminal by itself. `stty` says what there is to change.
    """
    script = "; ".join(["set -m", f"cd {shlex.quote(str(folder))}", "stty -a >before", *commands])
    experienced(folder)
    return Terminal(
        "", program=("/bin/sh", "-c", script), **environment(folder, TERM="xterm-256color", PYTHONPATH=str(Path.cwd()))
    )


def said(folder: Path, when: str) -> str:
    """Return what `stty` said of the terminal then."""
    settings = (folder / when).read_text()
    assert " icanon " in settings
    assert " echo " in settings
    return settings


def program_in(terminal: Terminal) -> psutil.Process:
    """Return what the shell has started."""
    (process,) = psutil.Process(terminal.pid).children()
    return process


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_suspended_program_goes_on_with_the_line_that_was_half_typed(tmp_path: Path) -> None:
    """Ctrl-Z at the prompt, then `fg`."""
    here, there = tmp_path / "here", tmp_path / "there"
    host = shlex.join((*PROGRAM, "host", "--bind", "127.0.0.1", "--port", "0", "--name", "Hanna", "--plain"))
    with shell(here, host, "stty -a >suspended", "echo Suspended.", "read _", "fg", "stty -a >after") as terminal:
        screen = terminal.until("Waiting for a guest")
        address = screen.partition("shanghaien join ")[2].split()[0]
        guest = Running(there, "join", address, "--player", "random")
        try:
            terminal.until("yes or no:")
            terminal.type("y\r")
            terminal.until(CHOICE)
            terminal.type("say not y")
            terminal.until("say not y")
            terminal.type("\x1a")
            terminal.until("Suspended.")
            assert program_in(terminal).status() == psutil.STATUS_STOPPED
            assert said(here, "suspended") == said(here, "before")
            assert terminal.is_plain()
            terminal.type("\r")
            terminal.until(lambda text: text.endswith(": say not y"))
            terminal.type("et\r")
            guest.wait_for("Hanna: not yet")
            terminal.type("roll\r")
            terminal.until(lambda text: "You rolled" in text and CHOICE in text.rpartition("You rolled")[2])
            assert "was lost" not in guest.output
            terminal.type("\x04")
            terminal.finish()
        finally:
            guest.stop()
    assert said(here, "after") == said(here, "before")
    for log in (*logs(here), *logs(there)):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


def test_a_suspended_full_screen_is_drawn_again_with_what_was_half_chosen(tmp_path: Path) -> None:
    """Ctrl-Z, then `fg`."""
    commands = ("stty -a >suspended", "clear", "echo Suspended.", "read _", "fg", "stty -a >after")
    with shell(tmp_path, shlex.join(FULL), *commands) as terminal:
        terminal.until(FULL_CHOICE)
        terminal.type("\x1b[C")
        terminal.until("[Enter] plays it")
        terminal.type("\x1a")
        shown = terminal.until("Suspended.")
        assert shown.strip() == "Suspended."
        assert program_in(terminal).status() == psutil.STATUS_STOPPED
        assert said(tmp_path, "suspended") == said(tmp_path, "before")
        assert terminal.is_plain()
        terminal.type("\r")
        terminal.until("[Enter] plays it")
        terminal.until("q Leave")
        terminal.type("\r")
        terminal.until(lambda text: "[Enter] plays it" not in text)
        left(terminal)
        terminal.finish()
    assert said(tmp_path, "after") == said(tmp_path, "before")


def keys(typed: str) -> Callable[[Terminal], None]:
    return lambda terminal: terminal.type(typed)


def sent(number: signal.Signals) -> Callable[[Terminal], None]:
    return lambda terminal: program_in(terminal).send_signal(number)


def nothing(terminal: Terminal) -> None:
    """It ends by itself."""


def left(terminal: Terminal) -> None:
    """The keys that leave the full screen."""
    terminal.type("q")
    terminal.until("[y] Yes")
    terminal.type("y")


PLAY = (*PROGRAM, "play", "--plain")
FULL = (*PROGRAM, "play", "--game", "shanghaien")
BROKEN = (*SITTING, "broken")


@sweep(
    "command, end, status",
    [
        (PLAY, keys("\x04"), 5),
        (PLAY, keys("-5\x03"), 5),
        (PLAY, sent(signal.SIGINT), 5),
        (PLAY, sent(signal.SIGTERM), 5),
        (PLAY, sent(signal.SIGHUP), 5),
        (FULL, left, 5),
        (FULL, keys("r\x03"), 5),
        (FULL, sent(signal.SIGINT), 5),
        (FULL, sent(signal.SIGTERM), 5),
        (FULL, sent(signal.SIGHUP), 5),
        (BROKEN, nothing, 1),
    ],
    ids=[
        *("Ctrl-D", "Ctrl-C", "SIGINT", "SIGTERM", "SIGHUP"),
        *("full, leave", "full, Ctrl-C", "full, SIGINT", "full, SIGTERM", "full, SIGHUP"),
        "exception",
    ],
    every=5,
)
def test_a_program_that_ends_at_its_prompt_leaves_the_terminal_as_it_was(
    tmp_path: Path, command: Sequence[str], end: Callable[[Terminal], None], status: int
) -> None:
    with shell(tmp_path, shlex.join(command), "status=$?", "stty -a >after", "exit $status") as terminal:
        terminal.until(FULL_CHOICE if command == FULL else CHOICE)
        assert not terminal.is_plain(), "lines can be pasted whole"
        end(terminal)
        screen = terminal.finish(status)
        assert terminal.is_plain()
    if status == 5:
        assert "shanghaien resume" in screen
    assert ("Traceback" in screen) == (command == BROKEN)
    assert said(tmp_path, "after") == said(tmp_path, "before")
