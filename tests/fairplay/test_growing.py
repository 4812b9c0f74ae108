"""A log that grows is judged as it would be if it had been whole from the beginning."""

import random
from collections.abc import Iterator

import pytest

from p2p_shanghaien.fairplay import transcript
from p2p_shanghaien.fairplay.verify import Report, Verdict, extended, verify
from p2p_shanghaien.games.registry import RULES
from tests.pair import make_pair
from tests.protocol.files import load
from tests.sweeps import sweep

GROWING = (Verdict.INCOMPLETE, Verdict.DECIDED)


def ends(data: bytes) -> Iterator[int]:
    """Yield where the opening and each whole record of a log end."""
    at = len(transcript.MAGIC)
    while at + 4 <= len(data):
        at += 4 + int.from_bytes(data[at : at + 4])
        if at > len(data):
            return
        yield at


def whole_game() -> bytes:
    pair = make_pair(random.Random(8))
    pair.play(random.Random(9))
    return pair.logs[0]


LOGS = {"a whole game": whole_game()} | {test["id"]: bytes.fromhex(test["log"]) for test in load("logs")}


def said(report: Report) -> tuple[Report, str]:
    """Return a report as a value: two errors of the same kind are not equal."""
    return report._replace(error=None), str(report.error)


@sweep("name", LOGS, every=4)
def test_grown_at_once(name: str) -> None:
    data = LOGS[name]
    wanted = said(verify(data, RULES))
    rng = random.Random(name)
    places = list(ends(data))
    for at in rng.sample(places, min(len(places), 6)):
        for truncated in (0, min(7, len(data) - at)):
            begun = verify(data[: at + truncated], RULES)
            if begun.verdict in GROWING and begun.truncated == truncated:
                assert said(extended(begun, data[at:], at)) == wanted


@pytest.mark.thorough
def test_grown_byte_by_byte() -> None:
    """A truncated record is an entry once it is written completely."""
    data = LOGS["a whole game"]
    report = verify(data[: next(ends(data))], RULES)
    rng = random.Random(3)
    at = seen = next(ends(data))
    while seen < len(data):
        seen = min(len(data), seen + rng.randrange(1, 400))
        assert report.verdict in GROWING
        report = extended(report, data[at:seen], at)
        at = seen - report.truncated
        assert said(report) == said(verify(data[:seen], RULES))
    assert report.verdict == Verdict.COMPLETE


def test_a_bad_length_is_said_where_it_stands_in_the_log() -> None:
    data = LOGS["a whole game"]
    at = list(ends(data))[5]
    report = extended(verify(data[:at], RULES), b"\xff\xff\xff\xff", at)
    assert said(report) == said(verify(data[:at] + b"\xff\xff\xff\xff", RULES))
    assert report.verdict == Verdict.INVALID_FILE
    assert report.error
    assert report.error.details["at"] == at
