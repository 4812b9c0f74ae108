"""Positions, records and events are the same under other hash seeds, locales, options and versions of Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.fingerprint import fingerprint

ROOT = Path(__file__).parent.parent.parent
PROBE = "import sys; sys.stdout.write('.'.join(map(str, sys.version_info[:2])))"


def interpreters() -> list[str]:
    """This interpreter, and every other that the package supports and that answers when called."""
    found = [sys.executable]
    for minor in range(11, 16):
        path = shutil.which(f"python3.{minor}")
        if path and sys.version_info[1] != minor:
            answer = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False)
            if answer.returncode == 0 and answer.stdout == f"3.{minor}":
                found.append(path)
    return found


def fingerprint_under(interpreter: str, *options: str, **environment: str) -> list[str]:
    command = [interpreter, *options, "-m", "tests.games.fingerprint"]
    env = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True, timeout=120)
    return done.stdout.decode().splitlines()


@pytest.fixture(scope="module")
def expected() -> list[str]:
    lines = fingerprint()
    assert len(set(lines)) == len(lines)
    return lines


@pytest.mark.parametrize("seed", ["0", "1", "424242"])
def test_hash_seeds(seed: str, expected: list[str]) -> None:
    assert fingerprint_under(sys.executable, PYTHONHASHSEED=seed) == expected


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8", "de_DE.ISO-8859-1"])
def test_locales(locale: str, expected: list[str]) -> None:
    assert fingerprint_under(sys.executable, LC_ALL=locale, LANG=locale, LANGUAGE=locale, PYTHONUTF8="0") == expected


def test_optimised(expected: list[str]) -> None:
    """No rule hangs on an assertion."""
    assert fingerprint_under(sys.executable, "-OO") == expected


@pytest.mark.parametrize("interpreter", interpreters())
def test_versions_of_python(interpreter: str, expected: list[str]) -> None:
    assert fingerprint_under(interpreter) == expected
