"""Where everything is kept."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import platformdirs

VARIABLE: Final = "SHANGHAIEN_HOME"


def home_folder() -> Path:
    """What SHANGHAIEN_HOME names, or the user's data folder by the system's custom."""
    named = os.environ.get(VARIABLE)
    if named:
        return expanded(named)
    folder = platformdirs.user_data_path("shanghaien", appauthor=False)
    return _redirected(folder) if _is_from_store() else folder


def _is_from_store() -> bool:
    """Return whether this Python comes from the Microsoft Store."""
    return os.name == "nt" and "WindowsApps" in Path(sys.base_prefix).parts


def _redirected(folder: Path) -> Path:
    """Return where `folder` really is: Windows redirects what a program from the Store keeps in AppData.

    Other programs do not see it under the name that it was given, and only a folder that exists says where it is.
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


def settings_file(home: Path) -> Path:
    """Where the name and the settings are kept in the folder `home`."""
    return home / "settings.json"


def games_folder(home: Path) -> Path:
    """Return where logs are kept in the folder `home`."""
    return home / "games"
