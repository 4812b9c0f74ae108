"""A game with the same seeds gives the same log, byte for byte, under other hash seeds, locales and interpreters."""

import sys
from functools import partial

import pytest

from tests.fairplay.seeded_logs import hashes
from tests.interpreters import interpreters, printed_by
from tests.sweeps import sweep

hashes_under = partial(printed_by, "tests.fairplay.seeded_logs")


@pytest.fixture(scope="module")
def expected() -> list[str]:
    found = hashes()
    assert len(set(found)) == len(found)
    return found


@sweep("seed", ["424242", "0", "1"], every=3)
def test_hash_seeds(seed: str, expected: list[str]) -> None:
    assert hashes_under(sys.executable, PYTHONHASHSEED=seed) == expected


@sweep("locale", ["tr_TR.UTF-8", "C.UTF-8", "C", "de_DE.ISO-8859-1"], every=4)
def test_locales(locale: str, expected: list[str]) -> None:
    assert hashes_under(sys.executable, LC_ALL=locale, LANG=locale, PYTHONUTF8="0") == expected


def test_optimised(expected: list[str]) -> None:
    """No check hangs on an assertion."""
    assert hashes_under(sys.executable, "-OO") == expected


def test_msgpack_without_its_extension(expected: list[str]) -> None:
    assert hashes_under(sys.executable, MSGPACK_PUREPYTHON="1") == expected


@pytest.mark.thorough
def test_versions_of_python(expected: list[str]) -> None:
    for interpreter in interpreters("msgpack", "cryptography"):
        assert hashes_under(interpreter) == expected, interpreter
