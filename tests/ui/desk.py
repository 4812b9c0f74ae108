"""A line table with scripted answers, whose output can be looked at."""

import io
from collections.abc import Iterable, Sequence

from rich.console import Console

from p2p_shanghaien.errors import Quit
from p2p_shanghaien.fairplay.effects import Drew
from p2p_shanghaien.players import Advise
from p2p_shanghaien.ui.plain import PlainTable
from p2p_shanghaien.ui.post_game import PostGame
from p2p_shanghaien.ui.screen import Screen

DRAW = Drew(
    session=bytes(32),
    seat=1,
    key=bytes(32),
    committed_at=7,
    commitment=bytes(32),
    shares=(bytes(32), bytes(32)),
    number=9,
    parent=bytes(32),
    bounds=(6, 6),
    state_hash=bytes(32),
)
"""A draw, as far as it is shown."""


class Script:
    """A reader that gives prepared lines, one a question, then leaves."""

    def __init__(self, screen: Screen, lines: Iterable[str], interactive: bool) -> None:
        self.is_interactive = interactive
        self.prompts: list[str] = []
        self.completions: Sequence[str] = ()
        self.draft = ""
        self.forgot = 0
        self._screen = screen
        self._lines = iter(lines)

    def forget(self) -> None:
        self.forgot += 1

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> None:
        self._screen.show(prompt)
        self.prompts.append(prompt)
        self.completions = completions

    async def read(self, prompt: str, completions: Sequence[str] = ()) -> str:
        self.ask(prompt, completions)
        for line in self._lines:
            return line
        raise Quit


class Desk:
    """A table without colour, `width` by `height`; a terminal only where `terminal` says so."""

    def __init__(
        self,
        lines: Iterable[str] = (),
        *,
        ascii_only: bool | None = None,
        interactive: bool = True,
        terminal: bool = False,
        height: int = 24,
        advise: Advise | None = None,
        post_game: PostGame | None = None,
    ) -> None:
        self._file = io.StringIO()
        console = Console(
            file=self._file,
            width=80,
            height=height,
            color_system=None,
            force_terminal=terminal,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self.screen = Screen(console, ascii_only=ascii_only)
        self.script = Script(self.screen, lines, interactive)
        self.table = PlainTable(self.screen, self.script, advise=advise, post_game=post_game)

    def shown(self) -> list[str]:
        """Return the lines shown since the last call."""
        text = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        return text.splitlines()
