"""Where everything is kept."""

import os
from pathlib import Path
from typing import Final

import platformdirs

VARIABLE: Final = "SHANGHAIEN_HOME"


def home_folder() -> Path:
    """What SHANGHAIEN_HOME names, or the user's data folder by the system's custom."""
    named = os.environ.get(VARIABLE)
    return expanded(named) if named else platformdirs.user_data_path("shanghaien", appauthor=False)


def expanded(text: str) -> Path:
    """Return the path that `text` means, with `~` for a user's own folder, where there is such a user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def settings_file(home: Path) -> Path:
    """Where the name and the settings are kept in the folder `home`."""
    return home / "settings.json"
