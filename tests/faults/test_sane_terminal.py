"""However a program is stopped or ended, at its prompt or full screen, the shell that it was started from has a
terminal as before."""

import math
import random
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil
import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.home import COMPUTER, Home
from tests.cli.program import PROGRAM, Running, environment, experienced, logs
from tests.cli.tmux import PICKED
from tests.pair import Pair, make_pair
from tests.store.kept import OWN, keep
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


@pytest.mark.thorough
def test_a_full_screen_that_others_have_stopped_goes_on_as_well(tmp_path: Path) -> None:
    """Stopped without a word, it could not leave the terminal as it was; or it was not stopped at all."""
    with shell(tmp_path, shlex.join(FULL), "clear", "echo Suspended.", "read _", "fg", "stty -a >after") as terminal:
        terminal.until(FULL_CHOICE)
        process = program_in(terminal)
        for _ in range(3):
            process.send_signal(signal.SIGCONT)
        terminal.until(FULL_CHOICE)
        process.send_signal(signal.SIGSTOP)
        terminal.until("Suspended.")
        terminal.type("\r\n")
        terminal.until(FULL_CHOICE, "q Leave")
        terminal.type("\x1b[C")
        terminal.until("[Enter] plays it")
        left(terminal)
        terminal.finish()
    assert said(tmp_path, "after") == said(tmp_path, "before")


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_replay_at_the_end_of_a_game_can_be_suspended_and_so_can_the_game_after_it(tmp_path: Path) -> None:
    """Ctrl-Z, then `fg`, at each of the two screens; both go on where they were."""
    at_the_last_decision(tmp_path)
    resume = shlex.join((*PROGRAM, "resume", "--against", "random"))
    again = ("stty -a >suspended", "clear", "echo Suspended.", "read _", "fg")
    with shell(tmp_path, resume, *again, *again, *again, "stty -a >after") as terminal:
        while "Another game?" not in terminal.until(lambda text: FULL_CHOICE in text or "Another game?" in text):
            terminal.type("\x1b[C")
            terminal.until(PICKED)
            terminal.type("\r")
            terminal.until(lambda text: PICKED not in text)
        for before, there in (("", "Another game?"), ("r", "Verification:"), ("q", "Another game?")):
            terminal.type(before)
            terminal.until(there)
            terminal.type("\x1a")
            assert terminal.until("Suspended.").strip() == "Suspended."
            assert program_in(terminal).status() == psutil.STATUS_STOPPED
            assert said(tmp_path, "suspended") == said(tmp_path, "before")
            assert terminal.is_plain()
            terminal.type("\r")
            terminal.until(there)
        terminal.type("n")
        terminal.finish(0)
    assert said(tmp_path, "after") == said(tmp_path, "before")


def at_the_last_decision(root: Path) -> None:
    """Keep a game against the computer in which the person decides once more."""
    home = Home(root)
    home.adopt(OWN, in_place=False)
    (root / "settings.json").write_text('{"speed": "off", "bell": false}')

    def played(entries: float) -> Pair:
        rng = random.Random(9)
        pair = make_pair(rng, identities=(OWN, home.identity(COMPUTER)))
        pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number >= entries)
        return pair

    last = played(math.inf).sides[0].endpoint.match.number
    pair = next(pair for pair in map(played, range(last - 1, 0, -1)) if pair.sides[0].asked)
    for seat in (0, 1):
        keep(home.games, pair, seat)


def test_a_program_that_has_left_its_full_screen_is_suspended_as_any_other(tmp_path: Path) -> None:
    """Its farewell may take time; nothing of the screen comes back."""
    program = (
        "import asyncio\n"
        "from p2p_shanghaien.settings import Settings\n"
        "from p2p_shanghaien.ui.full.picking import Asking\n"
        "async def left():\n"
        "    await Asking('full_leave_over', Settings()).present()\n"
        "    await asyncio.to_thread(input, 'Farewell.')\n"
        "asyncio.run(left())\n"
    )
    command = shlex.join((sys.executable, "-c", program))
    commands = (command, "clear", "echo Suspended.", "read _", "fg && echo Done.", "stty -a >after")
    with shell(tmp_path, *commands) as terminal:
        terminal.until("Leave the table?")
        terminal.type("y")
        terminal.until("Farewell.")
        terminal.type("\x1a")
        terminal.until("Suspended.")
        terminal.type("\r")
        terminal.until(lambda text: text.count("python") > 0)
        assert terminal.is_plain()
        terminal.type("\r")
        assert terminal.finish(0).endswith("Done.")
        assert terminal.is_plain()
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
