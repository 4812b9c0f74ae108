"""A full screen on which the person picks the game, before there is a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full.base import FullScreen
from p2p_shanghaien.ui.full.dialogs import ConfirmDialog, Menu
from p2p_shanghaien.ui.presenter import Confirmation
from p2p_shanghaien.ui.words import game_name, say


class Picked(NamedTuple):
    """A game by its name, to be played, or to be learned first."""

    game: str
    learns: bool = False


class GameMenu(Menu):
    """The games by their names on the box, then the lessons; gives the name of an entry, or None.

    `below` is the code of what is said below a game.
    """

    title_code = "panel_games"
    close_code = "panel_games_close"

    def __init__(self, games: Sequence[str], lessons: Sequence[str], settings: Path, below: str) -> None:
        super().__init__([*games, *lessons])
        self._games = len(games)
        self._settings = settings
        self._below = below

    @property
    def picked(self) -> Picked:
        """The choice that the entry at hand stands for."""
        return Picked(self.entries[self.at], learns=self.at >= self._games)

    def labels(self) -> Sequence[str]:
        names = list(map(game_name, self.entries))
        names[self._games :] = (say("menu_learn", game=name) for name in names[self._games :])
        return [f"{number} {name}" for number, name in enumerate(names, start=1)]

    def below(self) -> str:
        game, learns = self.picked
        return say("lesson_games_help" if learns else self._below, name=game, path=self._settings)


class GamePicker(FullScreen[Picked]):
    """Gives the one of `games` that the person picks, or the one of `lessons`, the games that can be learned here.

    `file` is the one that may name a game for good; `below` is the code of what is said below the games.
    """

    def __init__(
        self,
        games: Sequence[str],
        file: Path,
        settings: Settings,
        *,
        ascii_only: bool | None = None,
        lessons: Sequence[str] = (),
        below: str = "games_help",
    ) -> None:
        super().__init__(settings, ascii_only=ascii_only)
        self._menu = GameMenu(games, lessons, file, below)

    def on_mount(self) -> None:
        self.push_screen(self._menu, lambda entry: self.exit(None if entry is None else self._menu.picked))


class Asking(FullScreen[bool]):
    """A full screen with a single question, by its code; gives the answer."""

    def __init__(self, code: str, /, settings: Settings, *, ascii_only: bool | None = None, **details: object) -> None:
        super().__init__(settings, ascii_only=ascii_only)
        self._asked = Confirmation.of(code, **details)

    def on_mount(self) -> None:
        self.push_screen(ConfirmDialog(self._asked), self.exit)
