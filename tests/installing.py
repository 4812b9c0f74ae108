"""Installing a game of another distribution as a person does: with pip, here into a folder of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

import portalocker

from tests.cli.program import PATIENCE


def install(source: Path, folder: Path) -> None:
    """Install the distribution in `source` into `folder`, once where several processes ask for it.

    The sources are copied first: a build writes into them.
    """
    with portalocker.Lock(folder.with_suffix(".lock"), timeout=PATIENCE):
        if folder.exists():
            return
        copy = folder.with_suffix(".copy")
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", "*.mo"))
        new = folder.with_suffix(".new")
        options = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, "--target", new, copy],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        new.rename(folder)
