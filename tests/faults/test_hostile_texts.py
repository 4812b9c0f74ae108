"""Names and texts that would write to the clipboard, ask the terminal, move its cursor or turn words round: in no view
do they reach it."""

import json
import random
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from p2p_shanghaien.text import FORBIDDEN
from tests.cli.program import PROGRAM, environment
from tests.pair import make_pair
from tests.sweeps import sweep
from tests.ui.sitting import EVIL
from tests.ui.terminal import SITTING, Terminal

FIRST = "\x1b[6n\x07\u202eAda"
SECOND = "\x9b6n\u200b\u2066Ben"
CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"
TITLE = "\x1b]2;owned\x07\x1b[2J\x85\ufeff"
SHOWN = {
    FIRST: r"\x1b[6n\x07\u202eAda",
    SECOND: r"\x9b6n\u200b\u2066Ben",
    CLIPBOARD: r"\x1b]52;c;ZXZpbA==\x07",
    TITLE: r"\x1b]2;owned\x07\x1b[2J\x85\ufeff",
    EVIL[0]: r"Ada\x1b]52;c;ZXZpbA==\x07\x1b[6n\x9b6n",
    EVIL[1]: r"\u202eBen\u200b\x1b[2J\u2066",
}
"""The escaped form of each."""

OURS = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]|[\r\n]")
"""The program's own control sequences: colours, cursor movement, modes."""

FULL_SCREENS = re.compile(r"\x1b\[[<>?0-9;]*\$?[A-Za-z]|\x1b\]22;[a-z]*\x07|[\r\n]")
"""The same at the full screen: keys and modes are asked for, and the mouse gets its pointer."""

HARMFUL = re.compile("[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in FORBIDDEN) + "]")

TAGS = f'[Game "shanghaien"]\n[First "{FIRST}"]\n[Second "{SECOND}"]\n[Event "{CLIPBOARD}"]\n[Site "{TITLE}"]\n'
MOVES = "1. D1 F4 T1 Xp A3 A4 56-5< 25-5 34-4"


class View(NamedTuple):
    """A command in a folder with hostile files, the keys then typed, what is to be seen, and the exit code."""

    words: Iterable[str]
    seen: Iterable[str]
    keys: Iterable[str] = ()
    code: int = 0
    program: Iterable[str] = PROGRAM


VIEWS = {
    "replay": View(["replay", "--plain", "record"], [FIRST, SECOND], keys=("\r", "zz\r", "\t", "\x04")),
    "export": View(["export", "record"], [FIRST, SECOND, CLIPBOARD, TITLE]),
    "a record's bad token": View(["replay", "bad"], [FIRST], code=3),
    "a record's bad tag": View(["replay", "twice"], [CLIPBOARD], code=3),
    "no such file": View(["replay", CLIPBOARD + TITLE], [CLIPBOARD, TITLE], code=1),
    "verify, of a log that was tampered with": View(["verify", "--details", FIRST], [FIRST], code=3),
    "verify, of no log": View(["verify", CLIPBOARD, TITLE], [CLIPBOARD, TITLE], code=3),
    "games": View(["games"], [FIRST, CLIPBOARD]),
    "players": View(["players"], [FIRST, TITLE]),
    "players forget": View(["players", "forget", FIRST], [FIRST]),
    "players forget, of a stranger": View(["players", "forget", SECOND], [SECOND], code=1),
    "identity import": View(["identity", "import", CLIPBOARD], [CLIPBOARD], code=1),
    "identity export": View(["identity", "export", SECOND], [SECOND]),
    "resume": View(["resume", TITLE], [TITLE], code=3),
    "import": View(["import", CLIPBOARD], [CLIPBOARD], code=1),
    "join": View(["join", FIRST], [FIRST], code=2),
    "an option's value": View(["play", "--variant", SECOND], [SECOND], code=2),
    "no such command": View([CLIPBOARD], [], code=2),
    "plain mode": View(["evil"], EVIL, keys=("\t", "?\r", "1\r"), program=SITTING),
    "plain mode, waiting and asking": View(
        ["evil_prompts"], EVIL, keys=("\t", "?\r", "\x04", "zz\r", "\t", "yes\r"), program=SITTING
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a home, and files beside it, in which everything is called something bad."""
    games = tmp_path / "home" / "games"
    games.mkdir(parents=True)
    pair = make_pair(random.Random(1))
    pair.play(random.Random(1), until=lambda pair: pair.sides[0].endpoint.match.number > 5)
    tampered = pair.logs[0].replace(b"Hanna", FIRST.encode()[:5])
    known = {"name": FIRST, "since": "2026-01-01", "games": 1}
    files = {
        "record": TAGS + MOVES,
        "bad": TAGS + MOVES + " " + FIRST,
        "twice": TAGS + f'[Event "{CLIPBOARD}"]\n' + MOVES,
        CLIPBOARD: CLIPBOARD,
        TITLE: TITLE,
        "home/players.json": json.dumps({"11" * 32: known, "22" * 32: {**known, "name": TITLE}}),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name in (FIRST, f"home/games/{FIRST}-host.shlog", f"home/games/{CLIPBOARD}-guest.shlog"):
        (tmp_path / name).write_bytes(tampered)
    return tmp_path


def terminal_in(folder: Path, *words: str) -> Terminal:
    """Return a terminal at which a program runs in a folder."""
    inside = ("/bin/sh", "-c", 'cd "$0" && exec "$@"', str(folder), *words)
    surroundings = environment(folder / "home", TERM="xterm-256color", PYTHONPATH=":".join(filter(None, sys.path)))
    return Terminal("", program=inside, **surroundings)


@sweep("name", VIEWS, every=20)
def test_no_text_does_anything_to_the_terminal(folder: Path, name: str) -> None:
    view = VIEWS[name]
    with terminal_in(folder, *view.program, *view.words) as terminal:
        before = ""
        for keys in view.keys:
            before = terminal.until(lambda text, before=before: text != before and text.endswith(":"))  # type: ignore[misc]
            terminal.type(keys)
        terminal.finish(view.code)
        written = OURS.sub("", terminal.raw)
        assert not HARMFUL.search(written)
        assert "\x1b[6n" not in terminal.raw
        assert not terminal.screen.answers
        assert not terminal.screen.title
        assert terminal.is_plain()
        for text in view.seen:
            assert SHOWN[text] in re.sub(r"\s", "", written)
        assert "Traceback" not in written


def test_no_text_does_anything_to_the_terminal_at_full_screen() -> None:
    with Terminal("evil_full") as terminal:
        terminal.until("pick with a key")
        terminal.type("?")
        terminal.until("[Esc] closes")
        terminal.type("\r")
        terminal.until(lambda text: "[Esc] closes" not in text)
        terminal.type("/")
        terminal.until("[Enter] sends it")
        terminal.type("\x03")
        terminal.finish()
        written = FULL_SCREENS.sub("", terminal.raw)
        assert not HARMFUL.search(written)
        assert "\x1b[6n" not in terminal.raw
        assert terminal.screen.title in ("", ";default"), "pyte takes the pointer's shape for a title"
        assert terminal.is_plain()
        for text in EVIL:
            assert SHOWN[text][:20] in re.sub(r"\s", "", written)


@pytest.mark.thorough
def test_no_text_does_anything_to_the_terminal_in_a_replay_at_full_screen(folder: Path) -> None:
    """With its mistakes told, its curve and its hints."""
    with terminal_in(folder, *PROGRAM, "replay", "record") as terminal:
        terminal.until("q Leave")
        for key, shown in (("k", "Scores"), ("w", "100%"), ("l", "What happened")):
            terminal.type(key)
            terminal.until(lambda text, shown=shown: "[Esc] closes" in text and shown in text)  # type: ignore[misc]
            terminal.type("\r")
            terminal.until(lambda text: "[Esc] closes" not in text)
        terminal.type("n" * 4 + "h")
        terminal.until("[Esc] closes")
        terminal.type("\rx")
        terminal.until(lambda text: "[Esc] closes" not in text)
        terminal.type("q")
        terminal.finish()
        written = FULL_SCREENS.sub("", terminal.raw)
        assert not HARMFUL.search(written)
        assert "\x1b[6n" not in terminal.raw
        assert terminal.is_plain()
        for text in (FIRST, SECOND):
            assert SHOWN[text][:16] in re.sub(r"\s", "", written)
