"""Logs that a stranger made, who wrote a verifier of their own from SPEC alone: each is judged as SPEC has it by now.

`strangers/more.json.gz` has one fault a log, to catch a verifier that lacks one check; `strangers/ambiguous.json.gz` a
log for each place where SPEC left two answers open. Both have the form of protocol/vectors/logs.json. They are older
than the items `watchable` and `channel` of a hello (4.6), which mean nothing to a verifier, and than the names of six
kinds of entries (5.4): they are read as if they had both items and these names.
"""

import gzip
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from p2p_shanghaien.fairplay import entries, hello
from p2p_shanghaien.fairplay.entries import Kind
from p2p_shanghaien.fairplay.hello import MAX_HELLO, Hello
from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.games.api import Drawn
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.lines import read_shown
from tests.protocol import independent, independent_match
from tests.protocol.files import Test
from tests.sweeps import sweep, together

FOLDER = Path(__file__).parent / "strangers"

SETTLED: dict[str, dict[str, Any]] = {
    # what stands behind a proved violation changes nothing (9.1)
    "length-after-violation": {"verdict": "VIOLATION", "exit": 6, "reason": "wrong_kind", "entry": 2, "seat": 0},
    "too-long-after-violation": {"verdict": "VIOLATION", "exit": 6, "reason": "wrong_kind", "entry": 2, "seat": 0},
    # the first record that does not hold is named
    "length-after-invalid": {"reason": "wrong_number", "entry": 2},
    # UNSUPPORTED says nothing of what comes later
    "unsupported-length-0": {"verdict": "UNSUPPORTED", "exit": 1, "reason": "game_unknown"},
    # the session's first handshake excuses nobody (11.4)
    "shown-first-handshake": {"verdict": "VIOLATION", "exit": 6, "reason": "fork", "seat": 0},
    # a truncated tail is reported only if the file is read to its end (9.3)
    "torn-after-violation": {"torn": 0},
    "unsupported-torn": {"torn": 0},
    "opening-bad-then-torn": {"torn": 0},
    # section 14 has other names, which bind nobody
    "other-session-alone": {"reason": "wrong_session"},
    "fork-other-session": {"reason": "wrong_session"},
    "duplicate-after-end": {"reason": "entry_after_the_end"},
}
"""Questions that were decided otherwise than the stranger had assumed."""


def _load(name: str) -> list[Test]:
    tests: list[Test] = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))["tests"]
    return [{**test, **SETTLED.get(test["id"], {})} for test in tests]


LOGS = {test["id"]: test for name in ("more", "ambiguous") for test in _load(name)}


KINDS = {
    "opening": Kind.DRAW_COMMIT,
    "share": Kind.DRAW_CONTRIBUTION,
    "reveal": Kind.DRAW_REVEAL,
    "choice": Kind.CHOICE_COMMIT,
    "answer": Kind.CHOICE_CONTRIBUTION,
    "disclosure": Kind.CHOICE_REVEAL,
}
"""The kinds of entries that had other names."""


@pytest.fixture(autouse=True)
def _read_as_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (hello, entries, independent):
        monkeypatch.setattr(module, "decode", partial(_of_today, module.decode))


def _of_today(decode: Callable[..., Any], data: bytes, *limit: int) -> Any:
    """Return the value in `data`: a hello with all items, an envelope with the name that its kind has now."""
    match found := decode(data, *limit):
        case [*items] if limit == (MAX_HELLO,) and len(items) == len(Hello._fields) - 2:
            return type(found)((*items, False, bytes(32)))
        case [_, _, _, _, _, str() as kind, _, _]:
            return type(found)((*found[:5], str(KINDS.get(kind, kind)), *found[6:]))
    return found


def test_nothing_is_settled_that_is_not_there() -> None:
    assert SETTLED.keys() <= LOGS.keys()
    assert len(LOGS) == 79


@together("name", LOGS)
def test_the_package_agrees(name: str) -> None:
    test = LOGS[name]
    report = verify(bytes.fromhex(test["log"]), RULES, read_shown(test.get("handshakes", "").encode()))
    reason = report.error.code.unqualified if report.error else None
    assert (report.verdict, reason) == (test["verdict"], test["reason"])
    assert (report.exit_code, report.number, report.violator) == (test["exit"], test["entry"], test["seat"])
    assert (list(report.awaited), report.truncated) == (test["awaiting"], test["torn"])
    if "session" in test:
        match = report.match
        assert match is not None
        assert (match.session.id.hex(), match.number, match.head.hex()) == (
            test["session"],
            test["sound"],
            test["head"],
        )
        assert match.first == test["first"]
        assert [list(step.indices) for step in report.steps if isinstance(step, Drawn)] == test["indices"]
        assert json.loads(json.dumps(match.result)) == test["result"]


@sweep("name", LOGS, every=8)
def test_the_second_implementation_agrees(name: str) -> None:
    test = LOGS[name]
    report = independent_match.verify(bytes.fromhex(test["log"]), test.get("handshakes", ""))
    found = [report.get(field) for field in ("verdict", "entry", "seat", "truncated")]
    assert found == [test[field] for field in ("verdict", "entry", "seat", "torn")]
    assert report.get("awaiting", []) == test["awaiting"]
    if test["verdict"] == "VIOLATION":
        assert report["reason"] == test["reason"]
    if "session" in test:
        for field in ("session", "sound", "head", "first", "result"):
            assert report[field] == test[field], field
