"""`shanghaien replay` at a real terminal: the full screen where there is one, else lines, and a sane terminal after."""

import os
import random
import signal
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.transcript import length_prefixed, read
from tests.cli.program import PROGRAM
from tests.pair import make_pair
from tests.protocol.files import load
from tests.sweeps import sweep
from tests.ui.terminal import Terminal

WRITTEN = Path(__file__).parent.parent / "records" / "07.shrec"


def replaying(home: Path, arguments: str, **environment: str) -> Terminal:
    """Return the program in a terminal of 80 by 24."""
    return Terminal(f"replay {arguments}", program=PROGRAM, **{"SHANGHAIEN_HOME": str(home), **environment})


def a_log(path: Path, entries: int | None = None) -> Path:
    """Return a signed log, as far as so many entries."""
    pair = make_pair(random.Random(14))
    pair.play(random.Random(15))
    log = read(pair.logs[0])
    left_out = log.entries[entries:] if entries is not None else ()
    path.write_bytes(pair.logs[0][: len(pair.logs[0]) - sum(len(length_prefixed(entry)) for entry in left_out)])
    return path


def test_a_person_looks_through_a_game(tmp_path: Path) -> None:
    log = a_log(tmp_path / "game.shlog")
    with replaying(tmp_path, str(log)) as terminal:
        terminal.until("Verification: COMPLETE (")
        terminal.until(" 1/100 ")
        terminal.type("\x1b[C")  # right
        terminal.until(" 2/100 ")
        screen = terminal.until("rolled").splitlines()
        row, column = next((y, line.index("Step")) for y, line in enumerate(screen, start=1) if "Step" in line)
        terminal.type(f"\x1b[<0;{column - 1};{row}M\x1b[<0;{column - 1};{row}m")  # a click on the arrow before it
        terminal.until(" 3/100 ")
        terminal.type("3.5\r")
        terminal.until("ends round 3")
        terminal.type("q")
        assert "COMPLETE (" in terminal.finish().replace("\n", "")
        assert terminal.is_plain()
        assert terminal.echoes


@pytest.mark.parametrize(("arguments", "term"), [("--plain", "xterm-256color"), ("", "dumb")])
def test_lines_where_they_are_wanted_or_nothing_else_can_be(tmp_path: Path, arguments: str, term: str) -> None:
    with replaying(tmp_path, f"{arguments} {WRITTEN}", TERM=term) as terminal:
        terminal.until("Step 1 of 166")
        assert "?1049h" not in terminal.raw
        terminal.type("q\r")
        terminal.finish()


def test_lines_where_the_settings_say_so(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"plain": true}')
    with replaying(tmp_path, str(WRITTEN)) as terminal:
        terminal.until("Step 1 of 166")


def test_a_violation_is_said_on_the_screen_and_by_the_exit_code(tmp_path: Path) -> None:
    test = next(test for test in load("logs") if test["verdict"] == "VIOLATION" and test["sound"] > 60)
    path = tmp_path / "bad.shlog"
    path.write_bytes(bytes.fromhex(test["log"]))
    with replaying(tmp_path, str(path)) as terminal:
        terminal.until("Verification: VIOLATION (")
        terminal.type("e")
        terminal.until("broke a rule here")
        terminal.type("q")
        assert "VIOLATION (" in terminal.finish(6).replace("\n", "")


@sweep("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], every=2)
def test_the_terminal_is_left_as_it_was_found(tmp_path: Path, ending: signal.Signals) -> None:
    with replaying(tmp_path, str(WRITTEN)) as terminal:
        terminal.until("Verification: ")
        if ending == signal.SIGINT:
            terminal.interrupt()
        else:
            os.kill(terminal.pid, ending)
        terminal.finish()
        assert terminal.is_plain()
        assert terminal.echoes


def test_a_growing_game_is_followed_and_what_goes_wrong_with_it_is_said(tmp_path: Path) -> None:
    log = a_log(tmp_path / "game.shlog", 60)
    beginning = log.read_bytes()
    with replaying(tmp_path, f"--follow {log}") as terminal:
        terminal.until("● live")
        a_log(log, 100)
        terminal.until("Round 5 of 8", "INCOMPLETE")
        log.write_bytes(beginning)
        terminal.until("lost entries")
        terminal.type("q")
        assert "lost entries" in terminal.finish(1).replace("\n", " ")
        assert terminal.is_plain()


def test_a_record_cannot_be_followed(tmp_path: Path) -> None:
    with replaying(tmp_path, f"--follow {WRITTEN}") as terminal:
        assert "signed logs" in terminal.finish(2)
