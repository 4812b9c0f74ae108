"""A full screen on which the person picks the game, before there is a table."""

from collections.abc import Sequence
from pathlib import Path

from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.dialogs import Menu, Question
from p2p_shanghaien.ui.presenter import Confirmation
from p2p_shanghaien.ui.words import game_name, say


class GameMenu(Menu):
    """The games by their names on the box; gives the name of one, or None."""

    title_code = "panel_games"
    close_code = "panel_games_close"

    def __init__(self, games: Sequence[str], settings: Path, below: str) -> None:
        super().__init__(games, game_name)
        self._settings = settings
        self._below = below

    def below(self) -> str:
        return say(self._below, name=self.entries[self.at], path=self._settings)


class GamePicker(FullScreen[str]):
    """Gives the one of `games` that the person picks; `file` is the one that may name it for good.

    `below` is the code of what is said below the games.
    """

    def __init__(
        self,
        games: Sequence[str],
        file: Path,
        settings: Settings,
        *,
        ascii_only: bool | None = None,
        below: str = "games_help",
    ) -> None:
        super().__init__(settings, ascii_only=ascii_only)
        self._menu = GameMenu(games, file, below)

    def on_mount(self) -> None:
        self.push_screen(self._menu, self.exit)


class Asking(FullScreen[bool]):
    """A full screen with a single question, by its code; gives the answer."""

    def __init__(self, code: str, /, settings: Settings, *, ascii_only: bool | None = None, **details: object) -> None:
        super().__init__(settings, ascii_only=ascii_only)
        self._asked = Confirmation.of(code, **details)

    def on_mount(self) -> None:
        self.push_screen(Question(self._asked), self.exit)
