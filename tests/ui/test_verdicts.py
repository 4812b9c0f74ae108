"""Sentences about logs: every verdict of the vectors has one that fits it."""

import json
import re
from pathlib import Path
from typing import Any

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.verdicts import outcome, summary
from p2p_shanghaien.ui.words import clause
from tests.sweeps import together

LOGS: list[dict[str, Any]] = json.loads(Path("protocol/vectors/logs.json").read_bytes())["tests"]


@together("vector", LOGS, ids=lambda vector: vector["id"])
def test_a_verdict_says_which_entry_it_is_about_once(vector: dict[str, Any]) -> None:
    report = verify(bytes.fromhex(vector["log"]), RULES)
    found = re.findall(r"\b(?:entry|number) \d+", summary(report))
    wanted = [] if report.number is None else [f"entry {report.number}"]
    # an entry under a wrong number says which
    assert [each for each in found if each not in wanted or found.count(each) > 1] == [
        each for each in found if report.error and report.error.code == "wrong_number" and each.startswith("number")
    ]
    assert set(wanted) <= set(found)


def test_a_file_is_not_explained_by_what_happens_on_the_wire() -> None:
    """An entry of another game in a log is another thing than two sides that want to resume different games."""
    for vector in LOGS:
        report = verify(bytes.fromhex(vector["log"]), RULES)
        if report.verdict == Verdict.INVALID_FILE:
            assert report.error is not None
            assert "resume" not in clause(report.error)


def test_a_log_and_its_record_have_one_outcome() -> None:
    """However the game ended, and also where it has not ended, or an opening that does not hold leaves no game."""
    reports = [verify(bytes.fromhex(vector["log"]), RULES) for vector in LOGS]
    found = {(report.verdict, outcome(report)) for report in reports}
    assert {words for verdict, words in found if verdict in (Verdict.INCOMPLETE, Verdict.UNSUPPORTED)} == {""}
    ended = {words for verdict, words in found if verdict in (Verdict.COMPLETE, Verdict.DECIDED)}
    assert "" not in ended
    for part in (" resigned", "abandoned", " and "):
        assert any(part in words for words in ended), part
    for report in reports:
        assert outcome(report) == (outcome(report.record()) if report.match else "")
