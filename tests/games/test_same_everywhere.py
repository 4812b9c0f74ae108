"""Positions, records and events are the same under other hash seeds, locales, options and versions of Python."""

import sys
from functools import partial

import pytest

from tests.games.fingerprint import fingerprint
from tests.interpreters import interpreters, printed_by
from tests.sweeps import sweep

fingerprint_under = partial(printed_by, "tests.games.fingerprint")


@pytest.fixture(scope="module")
def expected() -> list[str]:
    lines = fingerprint()
    assert len(set(lines)) == len(lines)
    return lines


@sweep("seed", ["424242", "0", "1"], every=3)
def test_hash_seeds(seed: str, expected: list[str]) -> None:
    assert fingerprint_under(sys.executable, PYTHONHASHSEED=seed) == expected


@sweep("locale", ["tr_TR.UTF-8", "C", "C.UTF-8", "ar_EG.UTF-8", "de_DE.ISO-8859-1"], every=5)
def test_locales(locale: str, expected: list[str]) -> None:
    assert fingerprint_under(sys.executable, LC_ALL=locale, LANG=locale, LANGUAGE=locale, PYTHONUTF8="0") == expected


def test_optimised(expected: list[str]) -> None:
    """No rule hangs on an assertion."""
    assert fingerprint_under(sys.executable, "-OO") == expected


@pytest.mark.thorough
def test_versions_of_python(expected: list[str]) -> None:
    for interpreter in interpreters():
        assert fingerprint_under(interpreter) == expected, interpreter
