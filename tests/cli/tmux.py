"""Programs at full screen, each in a terminal of tmux's that keys are sent to and that is read."""

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Self

import psutil

from tests import needs
from tests.cli.program import PATIENCE, PROGRAM, experienced
from tests.ui.terminal import ROOT

CHOOSE = "pick with a key"
PICKED = "[Enter] plays it"
CHIP = re.compile(r"\[([a-z0-9#+-])\] (\S*)")
"""An offer: its key, and the first of its words."""


def home(folder: Path, **settings: object) -> Path:
    """Return a new home, in which nothing is animated or offered, and which game is played is known."""
    folder.mkdir(parents=True)
    experienced(folder)
    usual = {"speed": "off", "bell": False, "game": "shanghaien"}
    (folder / "settings.json").write_text(json.dumps({**usual, **settings}))
    return folder


class Tmux:
    """A tmux server of the test's own, which ends with it, whatever still runs there."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(self._command("kill-server"), capture_output=True, timeout=PATIENCE, check=False)

    def __call__(self, *words: object) -> str:
        """Return what a command of tmux's says."""
        ended = subprocess.run(
            self._command(*words), capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def _command(self, *words: object) -> list[str]:
        return [needs.program("tmux"), "-u", "-S", str(self._socket), "-f", "/dev/null", *map(str, words)]


class Window:
    """A command of the program in a terminal of its own, with a home of its own."""

    def __init__(self, tmux: Tmux, home: Path, size: tuple[int, int], *arguments: object, **more: str) -> None:
        self._tmux = tmux
        self.home = home
        self._name = f"{home.name}-{time.monotonic_ns()}"
        self._ended = home / f"ended-{self._name}"
        surroundings = {
            "SHANGHAIEN_HOME": str(home),
            "SHANGHAIEN_LANG": "en",
            "PYTHONPATH": ":".join(filter(None, sys.path)),
            "PYTHONWARNINGS": "error",
            "LC_ALL": "C.UTF-8",
            **more,
        }
        named = [word for name, value in surroundings.items() for word in ("-e", f"{name}={value}")]
        width, height = size
        command = shlex.join([*PROGRAM, *map(str, arguments)])
        where = ("-s", self._name, "-x", width, "-y", height, "-c", ROOT)
        keeping = (";", "set-option", "-w", "-t", self._name, "remain-on-exit", "on")
        # tmux itself does not always know how a program ended
        tmux("new-session", "-d", *where, *named, f"{command}; echo $? >{shlex.quote(str(self._ended))}", *keeping)

    def keys(self, *keys: str) -> None:
        """Press keys, as tmux calls them."""
        self._tmux("send-keys", "-t", self._name, *keys)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-t", self._name, "-l", text)

    def text(self, *how: str) -> str:
        return self._tmux("capture-pane", "-p", *how, "-t", self._name)

    def until(self, *wanted: str | Callable[[str], object]) -> str:
        """Return the screen as soon as all that is `wanted` stands on it, or holds for it, and it is drawn whole."""
        end = time.monotonic() + PATIENCE
        text, before = self.text(), None
        while not (text == before and all(it(text) if callable(it) else it in text for it in wanted)):
            assert time.monotonic() < end, f"{wanted!r} never came:\n{text}"
            time.sleep(0.02)
            text, before = self.text(), text
        return text

    def resize(self, width: int, height: int) -> None:
        self._tmux("resize-window", "-t", self._name, "-x", width, "-y", height)

    def ask(self, form: str) -> str:
        """Return what tmux knows of the terminal, by one of its formats."""
        return self._tmux("display-message", "-p", "-t", self._name, f"#{{{form}}}").strip()

    @property
    def process(self) -> psutil.Process:
        """The program."""
        (process,) = psutil.Process(int(self.ask("pane_pid"))).children()
        return process

    @property
    def has_ended(self) -> bool:
        """True once the program has ended."""
        return self._ended.exists()

    def exit_code(self) -> int:
        """Return what the program ends with."""
        self.until(lambda _: self._ended.exists() and self._ended.read_text().endswith("\n"))
        return int(self._ended.read_text())

    def move(self, key: str) -> None:
        """Play the choice of that key."""
        self.keys(key)
        self.until(PICKED)
        self.keys("Enter")
        self.until(lambda text: PICKED not in text)

    def answer(self, asked: str, key: str) -> None:
        """Press a key once `asked` is there, which is then gone."""
        self.until(asked)
        self.keys(key)
        self.until(lambda text: asked not in text)

    def choose(self, entry: str) -> None:
        """Take an entry of the menu."""
        self.keys("m")
        # an entry's words may stand elsewhere on the screen before the menu is there
        found = re.search(rf"(\d) {entry}", self.until(partial(re.search, rf"\d {entry}")))
        assert found
        self.keys(found[1])
        self.until(f"> {found[1]} {entry}")
        self.keys("Enter")
        self.until(lambda text: f"{found[1]} {entry}" not in text)
