"""Paths: the folders and files of the program, the logs of games among them."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

import platformdirs

from p2p_shanghaien.store.files import explained

VARIABLE: Final = "SHANGHAIEN_HOME"
SUFFIX: Final = ".shlog"
RECORD_SUFFIX: Final = ".shrec"
SEATS: Final = ("host", "guest")


def home_folder() -> Path:
    """Return the folder that SHANGHAIEN_HOME names, or the user's data folder by the system's custom."""
    named = os.environ.get(VARIABLE)
    if named:
        return expanded(named)
    folder = platformdirs.user_data_path("shanghaien", appauthor=False)
    return _redirected(folder) if _is_from_store() else folder


def _is_from_store() -> bool:
    """Return whether this Python comes from the Microsoft Store."""
    return os.name == "nt" and "WindowsApps" in Path(sys.base_prefix).parts


def _redirected(folder: Path) -> Path:
    """Return the real path of `folder`: Windows redirects what a program from the Store keeps in AppData.

    Other programs do not see it under the given name, and only for an existing folder can the path be found.
    """
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return Path(os.path.realpath(folder))


def expanded(text: str) -> Path:
    """Return the path that `text` means, with `~` for a user's own folder, where there is such a user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def existing_file(text: str) -> Path | None:
    """Return the path that `text` means if there is anything but a folder, even a link that leads nowhere."""
    path = expanded(text)
    # unlike pathlib's, it never raises
    return path if os.path.lexists(path) and not os.path.isdir(path) else None


def settings_file(home: Path) -> Path:
    """Return the file of the name and the settings in the folder `home`."""
    return home / "settings.json"


def games_folder(home: Path) -> Path:
    """Return the folder of the logs in the folder `home`."""
    return home / "games"


def practice_folder(home: Path) -> Path:
    """Return the folder of the records of practice games in the folder `home`."""
    return home / "practice"


def watched_folder(home: Path) -> Path:
    """Return the folder of the logs of games that were watched, in the folder `home`."""
    return home / "watched"


def watched_path(watched: Path, session: bytes) -> Path:
    """Return the path of the log of a session that was watched, in the folder `watched`."""
    return watched / f"{session.hex()}-watched{SUFFIX}"


def log_path(games: Path, session: bytes, seat: int) -> Path:
    """Return the path of the log of a session in the program that plays `seat`."""
    return games / f"{session.hex()}-{SEATS[seat]}{SUFFIX}"


def seat_of(path: Path) -> int:
    """Return the seat of the program whose log is at `path`."""
    return SEATS.index("guest" if path.stem.endswith("-guest") else "host")


def all_logs(games: Path) -> Sequence[Path]:
    """Return every saved log, and every other file with such a name, the one last written first. Raises LocalError."""
    return _named(games, SUFFIX)


def all_records(practice: Path) -> Sequence[Path]:
    """Return the records of all practice games in the folder `practice`, as `all_logs`. Raises LocalError."""
    return _named(practice, RECORD_SUFFIX)


def _named(folder: Path, suffix: str) -> Sequence[Path]:
    with explained(folder):
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            return ()
    return sorted((folder / name for name in names if name.endswith(suffix)), key=last_written, reverse=True)


def last_written(path: Path) -> datetime:
    """Return when the file, or else the link, at `path` was last written; long ago if that is unknown."""
    for status in (path.stat, path.lstat):
        # no date is beyond the year 9999, but a file may claim to be
        with suppress(OSError, ValueError, OverflowError):
            return datetime.fromtimestamp(status().st_mtime).astimezone()
    return datetime.fromtimestamp(0).astimezone()
