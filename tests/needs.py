"""The needs of tests besides Python: other programs, and files that only some systems have.

Where one is missing, its tests are skipped. In CI on Linux, where `.ci/run` has installed everything, they fail
instead.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Final, NoReturn

import pytest

COMPLETE: Final = sys.platform == "linux" and "CI" in os.environ
"""Nothing may be missing here."""


def program(name: str) -> str:
    """Return the path of a program, which may have been installed beside this Python."""
    beside = shutil.which(name, path=str(Path(sys.executable).parent))
    return shutil.which(name) or beside or missing(f"{name} is not installed")


def file(path: str) -> Path:
    """Return the path of a special file, such as a device."""
    found = Path(path)
    return found if found.exists() else missing(f"{path} does not exist on this system")


def missing(reason: str) -> NoReturn:
    """Skip the running test, or fail it where nothing may be missing."""
    if COMPLETE:
        pytest.fail(reason)
    pytest.skip(reason)
