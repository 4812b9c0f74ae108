"""Where everything is kept."""

import os
from pathlib import Path
from typing import Final

import platformdirs

VARIABLE: Final = "SHANGHAIEN_HOME"


def home_folder() -> Path:
    """What SHANGHAIEN_HOME names, or the user's data folder by the system's custom."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else platformdirs.user_data_path("shanghaien", appauthor=False)


def settings_file(home: Path) -> Path:
    """Where the name and the settings are kept in the folder `home`."""
    return home / "settings.json"
