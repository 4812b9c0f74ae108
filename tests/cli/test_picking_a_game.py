"""With several games installed, `play` and `host` ask in full-screen mode which one is meant, and only there."""

import json
import os
import re
import signal
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, Running, environment, experienced, logs
from tests.cli.tmux import CHOOSE
from tests.sweeps import sweep
from tests.toy import INSTALLED
from tests.ui.terminal import ROOT, Terminal

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

QUESTION = "Which game?"
TOY = " Toy · "
SHANGHAIEN = "Round 1 of 8 · "
HOSTING = ("host", "--bind", "127.0.0.1", "--port", "0", "--no-announce", "--name", "Hanna")
WITH_TOY = os.pathsep.join(map(str, (INSTALLED, ROOT)))
SOON = 15.0
"""Seconds that a busy machine may take over what takes less than two."""


def at(home: Path, *arguments: str, **settings: object) -> Terminal:
    """Start the program in a terminal, where Shanghaien and the toy are installed, and what else chance brings."""
    experienced(home)
    (home / "settings.json").write_text(json.dumps({"speed": "off", "bell": False, **settings}))
    return Terminal("", program=(*PROGRAM, *arguments), **environment(home, TERM="xterm-256color", PYTHONPATH=WITH_TOY))


def offered(terminal: Terminal, name: str) -> int:
    """Return the number under which the game of that name is offered, once it is."""
    line = re.compile(rf"^ *>? *(\d) {name}$", re.MULTILINE)
    found = line.search(terminal.until(lambda text: QUESTION in text and line.search(text) is not None))
    assert found
    return int(found[1])


def pick(terminal: Terminal, name: str) -> None:
    """Go down to the game of that name and take it."""
    number = offered(terminal, name)
    terminal.type("\x1b[B" * (number - 1))
    terminal.until(f"> {number} {name}")
    terminal.type("\r")


def leave(terminal: Terminal) -> None:
    """Leave a game at the full screen."""
    terminal.type("\x03")
    terminal.finish(5)


@pytest.mark.parametrize(("name", "shown"), [("Toy", TOY), ("Shanghaien", SHANGHAIEN)])
def test_play_asks_and_plays_what_is_picked(tmp_path: Path, name: str, shown: str) -> None:
    with at(tmp_path, "play") as terminal:
        assert offered(terminal, "Shanghaien") == 1
        assert offered(terminal, "Toy") > 1
        terminal.until("> 1 Shanghaien")
        assert QUESTION in terminal.raw
        pick(terminal, name)
        terminal.until(CHOOSE, shown)
        leave(terminal)
    assert len(logs(tmp_path)) == 2


@pytest.mark.thorough
def test_a_number_picks_as_well(tmp_path: Path) -> None:
    with at(tmp_path, "play") as terminal:
        terminal.type(f"{offered(terminal, 'Toy')}\r")
        terminal.until(CHOOSE, TOY)
        leave(terminal)


def test_host_asks_and_its_guest_plays_what_is_picked(tmp_path: Path) -> None:
    with at(tmp_path / "here", *HOSTING) as terminal:
        pick(terminal, "Toy")
        found = re.search(r"shanghaien join (\S+:\d+)", terminal.until("shanghaien join 127.0.0.1:"))
        assert found
        with Running(tmp_path / "there", "join", found[1], "--player", "random", PYTHONPATH=WITH_TOY) as guest:
            terminal.until("[y] Yes")
            terminal.type("y")
            terminal.until(CHOOSE, TOY)
            assert QUESTION not in guest.output
            leave(terminal)


@sweep("command, keys", product([("play",), HOSTING], ["\x1b", "q", "\x03"]), every=6)
def test_whoever_leaves_plays_nothing(tmp_path: Path, command: tuple[str, ...], keys: str) -> None:
    with at(tmp_path, *command) as terminal:
        terminal.until(QUESTION)
        terminal.type(keys)
        text = terminal.finish(1)
        assert "You have left the table." in text
        assert terminal.is_plain()
        assert terminal.echoes
    assert logs(tmp_path) == []


@pytest.mark.parametrize(
    "end",
    [
        lambda terminal: os.kill(terminal.pid, signal.SIGTERM),
        lambda terminal: os.kill(terminal.pid, signal.SIGHUP),
        lambda terminal: terminal.vanish(),
    ],
    ids=["SIGTERM", "SIGHUP", "terminal gone"],
)
def test_it_ends_when_it_is_asked_to(tmp_path: Path, end: Callable[[Terminal], None]) -> None:
    with at(tmp_path, "play") as terminal:
        terminal.until(QUESTION)
        end(terminal)
        assert terminal.status(SOON) == 1
    assert logs(tmp_path) == []


@sweep(
    "arguments, settings, shown",
    [
        (("--game", "toy"), {}, TOY),
        (("--game", "toy"), {"game": "shanghaien"}, TOY),
        (("--opening", "turn"), {}, TOY),
        (("--variant", "extra-wild"), {}, SHANGHAIEN),
        ((), {"game": "toy"}, TOY),
        (("--hands", "3"), {}, " Halunken & Spelunken · "),
        (("--plain",), {}, "Your choice"),
        ((), {"plain": True}, "Your choice"),
    ],
    every=3,
    ids=str,
)
def test_nothing_is_asked_where_the_answer_is_known(
    tmp_path: Path, arguments: tuple[str, ...], settings: dict[str, object], shown: str
) -> None:
    with at(tmp_path, "play", *arguments, **settings) as terminal:
        terminal.until(shown)
        terminal.until(CHOOSE if shown.startswith(" ") else shown)
        assert QUESTION not in terminal.raw
        terminal.type("\x03")
        terminal.finish(5)


def test_only_games_that_have_the_level_are_offered(tmp_path: Path) -> None:
    """Every game has `random`; one for which the settings stand is not replaced by another that has the level."""
    with at(tmp_path, "play", "--against", "random") as terminal:
        pick(terminal, "Toy")
        terminal.until(CHOOSE)
        leave(terminal)
    with at(tmp_path, "play", "--against", "easy", game="toy") as terminal:
        text = terminal.finish(2)
        assert "Toy has no computer player easy." in text
        assert QUESTION not in terminal.raw


def test_a_game_in_the_settings_that_is_not_installed_answers_nothing(tmp_path: Path) -> None:
    with at(tmp_path, "play", game="chess") as terminal:
        terminal.until(QUESTION)
        terminal.type("q")
        terminal.finish(1)


@pytest.mark.thorough
def test_a_computer_player_is_not_asked(tmp_path: Path) -> None:
    with at(tmp_path, "play", "--player", "random", "--against", "random") as terminal:
        terminal.finish(0)
        assert QUESTION not in terminal.raw
    assert len(logs(tmp_path)) == 2


@pytest.mark.thorough
def test_nothing_is_resumed_by_its_answer(tmp_path: Path) -> None:
    """A game under way is the game that it is."""
    with at(tmp_path, "play", "--game", "toy") as terminal:
        terminal.until(CHOOSE)
        leave(terminal)
    with at(tmp_path, "resume") as terminal:
        terminal.until(CHOOSE, TOY)
        assert QUESTION not in terminal.raw
        leave(terminal)
