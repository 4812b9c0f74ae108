"""Both verifiers read the same handshakes in a file that is shown with a log (SPEC 8.5), however it is written."""

import json
import re
from pathlib import Path

from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.lines import read_shown
from tests.protocol.files import load
from tests.verifier.node import node

(REBUTTED,) = (test for test in load("logs") if test["id"] == "fork-rebutted")
LINE = REBUTTED["handshakes"].strip()
HEAD = json.loads(LINE)["theirs"][1]
DIGIT = re.compile("[0-9]")
LENGTH = f"[{json.loads(LINE)['theirs'][0]},"
DEEP = "[" * 100_000 + "]" * 100_000

COUNT = {
    "fraction": (LENGTH, "[1.0,"),
    "exponent": (LENGTH, "[10e-1,"),
    "nearest double": (LENGTH, "[1.00000000000000000001,"),
    "deep in a string": ("{", '{"more": "[[[[[[[[[", '),
    "8 deep": ("{", '{"more": [[[[[[[]]]]]]], '),
    "digits": ("{", f'{{"more": {"9" * 5000}, '),
    "surrogate": ("{", '{"more": "\\ud800", '),
    "prototype": ("{", '{"__proto__": {"theirs": 0}, '),
    "escape": ("hellos", "\\u0068ellos"),
    "twice": ("{", '{"theirs": null, '),
    "return": (" ", "\r"),
}
COUNT_NOT = {
    "9 deep": ("{", '{"more": [[[[[[[[]]]]]]]], '),
    "very deep": ("{", f'{{"more": {DEEP}, '),
    "very deep and replaced": ("{", f'{{"more": {DEEP}, "more": 0, '),
    "zero": (LENGTH, "[01,"),
    "plus": (LENGTH, "[+1,"),
    "infinity": (LENGTH, "[1e400,"),
    "control": ("{", '{"more": "\x01", '),
    "byte order mark": ("{", "\ufeff{"),
    "no-break space": ("{", "\xa0{"),
    "form feed": ("{", "\f{"),
    "digits of another script": (HEAD, DIGIT.sub(lambda digit: chr(ord("\u0660") + int(digit[0])), HEAD, count=1)),
    "half a byte": ('"hellos": ["', '"hellos": ["0'),
    "three hellos": ('"hellos": [', '"hellos": ["", '),
    "prefix": ('"hellos": ["', '"hellos": ["0x'),
}


def test_the_same_lines_count(tmp_path: Path) -> None:
    tests = []
    for name, (old, new) in {**COUNT, **COUNT_NOT}.items():
        assert old in LINE
        outcome = {"verdict": "INVALID FILE", "exit": 3, "reason": "fork_rebutted", "seat": None}
        if name in COUNT_NOT:
            outcome = {"verdict": "VIOLATION", "exit": 6, "reason": "fork", "seat": 1, "damaged": 0}
        tests.append({**REBUTTED, **outcome, "id": name, "handshakes": LINE.replace(old, new, 1)})
    for test in tests:
        report = verify(bytes.fromhex(test["log"]), RULES, read_shown(test["handshakes"].encode()))
        assert (report.verdict, report.violator) == (test["verdict"], test["seat"]), test["id"]
    path = tmp_path / "shown.json"
    path.write_text(json.dumps({"tests": tests}), encoding="utf-8")
    done = node("test/vectors.js", path)
    assert done.stdout == f"{len(tests)} passed, 0 failed\n"
