"""The full screens before and during a game that is played, and how their user likes full screens to look."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, replace

from p2p_shanghaien.cli.lifecycle import attended
from p2p_shanghaien.cli.options import settings_of
from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.advice import Advise
from p2p_shanghaien.ui.full.looks import Looks
from p2p_shanghaien.ui.full.picking import GamePicker
from p2p_shanghaien.ui.full.table import FullTable


def full_table(home: Home, *, ascii_only: bool, bell: bool, advise: Advise | None) -> FullTable:
    """A place at a full screen that looks as the user likes it, and keeps what is changed there. Raises LocalError."""
    looks, keep = looks_of(home)
    return FullTable(looks, keep, ascii_only=ascii_only or None, bell=bell, advise=advise)


def picked_game(home: Home, games: Sequence[str], *, ascii_only: bool) -> str | None:
    """Return the one of `games` that the person picks, or None where they leave. Raises LocalError."""
    looks, _ = looks_of(home)
    return attended(GamePicker(games, home.settings_file, looks, ascii_only=ascii_only or None).attend())


def looks_of(home: Home) -> tuple[Looks, Callable[[Looks], None]]:
    """How the user likes a screen to look, and what keeps it when that changes."""
    settings = settings_of(home)
    looks = Looks(**{field.name: getattr(settings, field.name) for field in fields(Looks)})

    def keep(changed: Looks) -> None:
        values = {field.name: getattr(changed, field.name) for field in fields(Looks)}
        # looks that cannot be kept cost nobody a game
        with suppress(LocalError):
            home.keep_settings(replace(home.settings().settings, **values))

    return looks, keep
