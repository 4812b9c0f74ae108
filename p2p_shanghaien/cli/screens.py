"""The full screen, with the settings that the home keeps."""

from dataclasses import fields, replace

from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.full.looks import Looks
from p2p_shanghaien.ui.full.table import FullTable


def full_table(home: Home, *, ascii_only: bool, bell: bool) -> FullTable:
    """A place at a full screen that looks as the user likes it, and keeps what is changed there. Raises LocalError."""
    settings = home.settings()
    looks = Looks(**{field.name: getattr(settings, field.name) for field in fields(Looks)})

    def keep(changed: Looks) -> None:
        values = {field.name: getattr(changed, field.name) for field in fields(Looks)}
        home.keep_settings(replace(home.settings(), **values))

    return FullTable(looks, keep, ascii_only=ascii_only or None, bell=bell)
