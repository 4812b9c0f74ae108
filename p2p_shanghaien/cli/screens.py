"""The full screens before and during a game that is played, and how their user likes full screens to look."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from p2p_shanghaien.cli.lifecycle import attended
from p2p_shanghaien.cli.options import settings_of
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.players import Advise
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.full.picking import GamePicker
from p2p_shanghaien.ui.full.table import FullTable
from p2p_shanghaien.ui.full.theme import OFFERED


def full_table(home: Home, *, ascii_only: bool, bell: bool, advise: Advise | None) -> FullTable:
    """A place at a full screen that looks as the user likes it, and keeps what is changed there. Raises LocalError."""
    settings, keep = kept_settings(home)
    return FullTable(settings, keep, ascii_only=ascii_only or None, bell=bell, advise=advise)


def picked_game(home: Home, games: Sequence[str], *, ascii_only: bool) -> str | None:
    """Return the one of `games` that the person picks, or None where they leave. Raises LocalError."""
    settings, _ = kept_settings(home)
    return attended(GamePicker(games, home.settings_file, settings, ascii_only=ascii_only or None).attend())


def kept_settings(home: Home) -> tuple[Settings, Callable[[Settings], None]]:
    """Return the user's settings, and what keeps those that are changed at a full screen."""

    def keep(changed: Settings) -> None:
        values = {name: getattr(changed, name) for name in OFFERED}
        # settings that cannot be kept cost nobody a game
        with suppress(LocalError):
            home.keep_settings(replace(home.settings().settings, **values))

    return settings_of(home), keep
