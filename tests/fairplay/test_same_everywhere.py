"""A game with the same seeds gives the same log, byte for byte, under other hash seeds, locales and interpreters."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fairplay.seeded_logs import hashes

ROOT = Path(__file__).parent.parent.parent
PROBE = "import msgpack, cryptography, sys; print(sys.version_info >= (3, 11))"


def hashes_under(interpreter: str, *options: str, **environment: str) -> list[str]:
    command = [interpreter, *options, "-m", "tests.fairplay.seeded_logs"]
    env = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True, timeout=120)
    return done.stdout.decode().splitlines()


@pytest.fixture(scope="module")
def expected() -> list[str]:
    found = hashes()
    assert len(set(found)) == len(found)
    return found


@pytest.mark.parametrize("seed", ["0", "1", "424242"])
def test_hash_seeds(seed: str, expected: list[str]) -> None:
    assert hashes_under(sys.executable, PYTHONHASHSEED=seed) == expected


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.ISO-8859-1"])
def test_locales(locale: str, expected: list[str]) -> None:
    assert hashes_under(sys.executable, LC_ALL=locale, LANG=locale, PYTHONUTF8="0") == expected


def test_optimised(expected: list[str]) -> None:
    """No check hangs on an assertion."""
    assert hashes_under(sys.executable, "-OO") == expected


def test_msgpack_without_its_extension(expected: list[str]) -> None:
    assert hashes_under(sys.executable, MSGPACK_PUREPYTHON="1") == expected


def test_every_interpreter_that_has_what_is_needed(expected: list[str]) -> None:
    """Among those found on the path; this one is always there."""
    names = [sys.executable, *(f"python3.{minor}" for minor in range(11, 16)), "python3"]
    for path in {path for name in names if (path := shutil.which(name))}:
        probe = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False)
        if probe.stdout.strip() == "True":
            assert hashes_under(path) == expected
