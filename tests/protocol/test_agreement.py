"""The package and the second implementation judge alike where no vector was written: damaged bytes, damaged logs."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay import canonical
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.text import is_clean
from protocol.making.table import KNOWN
from tests.protocol import independent as spec
from tests.protocol import independent_match
from tests.protocol.files import load

LOGS = {test["id"]: bytes.fromhex(test["log"]) for test in load("logs") + load("halunken_logs")}
ENCODED = [
    data for data in (bytes.fromhex(test["data"]) for test in load("canonical") + load("entries")) if len(data) < 400
]

LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=40) | st.binary(max_size=40)


def nested(depth: int) -> st.SearchStrategy[Any]:
    """Values of at most `depth` arrays in each other."""
    return LEAVES if depth == 0 else LEAVES | st.lists(nested(depth - 1), max_size=4)


def both(data: bytes) -> tuple[str | None, str | None]:
    """Return what each makes of some bytes, as text (for True equals 1); None where they are refused."""
    try:
        package: str | None = repr(_lists(canonical.decode(data, 1024)))
    except Malformed:
        package = None
    try:
        second: str | None = repr(spec.decode(data, 1024))
    except spec.Refused:
        second = None
    return package, second


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value


@given(nested(3))
def test_values_have_one_encoding(value: Any) -> None:
    data = canonical.encode(value)
    assert data == spec.encode(value)
    assert both(data) == (repr(value), repr(value))


@given(st.sampled_from(ENCODED), st.data())
def test_damaged_bytes_are_read_alike(data: bytes, draw: st.DataObject) -> None:
    at = draw.draw(st.integers(0, len(data)))
    cut = draw.draw(st.integers(0, 2))
    damaged = data[:at] + draw.draw(st.binary(max_size=3)) + data[at + cut :]
    package, second = both(damaged)
    assert package == second


@given(st.binary(max_size=60))
def test_any_bytes_are_read_alike(data: bytes) -> None:
    package, second = both(data)
    assert package == second


@given(st.text(max_size=5))
def test_text_is_judged_alike(text: str) -> None:
    assert is_clean(text, 4) == spec.is_clean(text, 4)


@pytest.mark.thorough
def test_every_code_point_of_the_first_planes_is_judged_alike() -> None:
    for code in range(0x20000):
        text = f"A{chr(code)}B"
        assert is_clean(text, 3) == spec.is_clean(text, 3), hex(code)
        assert is_clean(chr(code), 1) == spec.is_clean(chr(code), 1), hex(code)


@pytest.mark.parametrize(
    "name", ["complete-resigned", "incomplete-5", "fork-later", "decided-1", "before-choice_reveal"]
)
def test_damaged_logs_are_judged_alike(name: str) -> None:
    log = LOGS[name]
    chosen = random.Random(name)
    for _ in range(60):
        damaged = bytearray(log)
        damaged[chosen.randrange(len(log))] ^= 1 << chosen.randrange(8)
        judged_alike(bytes(damaged))


@pytest.mark.parametrize("name", ["complete-resigned", "incomplete-5", "before-choice_reveal"])
def test_logs_cut_short_are_judged_alike(name: str) -> None:
    log = LOGS[name]
    for length in range(0, len(log), 13):
        judged_alike(log[:length])


def judged_alike(log: bytes) -> None:
    """Assert that both give the same verdict on the same ground."""
    report, second = verify(log, KNOWN), independent_match.verify(log)
    assert report.verdict == second["verdict"]
    if report.verdict == Verdict.VIOLATION:
        assert report.error is not None
        found = (report.number, report.violator, report.error.code.unqualified)
        assert found == (second["entry"], second["seat"], second["reason"])
    if report.match is not None:
        assert (report.match.number, report.truncated) == (second["sound"], second["truncated"])
