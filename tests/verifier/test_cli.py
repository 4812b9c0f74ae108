"""The command line of the verifier in JavaScript prints what `shanghaien verify --json` prints."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import shanghaien
from tests.protocol.files import load
from tests.sweeps import together
from tests.verifier.node import VERIFIER, node

SAMPLE = VERIFIER.parents[1] / "examples" / "sample.shlog"


def reports(*arguments: str | Path) -> tuple[int, list[dict[str, Any]]]:
    """Run the command line; return its exit code and what it printed, line by line."""
    done = node("cli.js", *arguments)
    assert done.stderr == ""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_each_file_has_a_line() -> None:
    code, (sample, missing) = reports(SAMPLE, "missing.shlog")
    assert (sample["file"], sample["verdict"], sample["exit"]) == (str(SAMPLE), "COMPLETE", 0)
    assert (missing["file"], missing["verdict"], missing["exit"]) == ("missing.shlog", None, 1)
    assert missing.keys() == sample.keys()
    assert code == 1


@pytest.mark.thorough
def test_both_programs_print_the_same(tmp_path: Path) -> None:
    (rebutted,) = (test for test in load("logs") if test["id"] == "fork-rebutted")
    fork, shown, missing = tmp_path / "fork.shlog", tmp_path / "shown.txt", tmp_path / "missing.shlog"
    fork.write_bytes(bytes.fromhex(rebutted["log"]))
    shown.write_text(rebutted["handshakes"], encoding="utf-8")
    arguments = [SAMPLE, fork, missing]
    code, found = reports("--handshakes", shown, *arguments)
    ours = shanghaien(tmp_path, "verify", "--json", "--handshakes", shown, *arguments)
    assert code == ours.returncode == 3
    expected = [json.loads(line) for line in ours.stdout.splitlines()]
    # a file that is not there has a reason of the program's own
    found[-1]["reason"] = expected[-1]["reason"] = None
    assert found == expected
    assert reports(missing, fork)[0] == 6


@pytest.mark.thorough
def test_every_log_of_the_vectors_byte_for_byte(tmp_path: Path) -> None:
    files = []
    for name in ("logs", "halunken_logs", "macao_logs"):
        for number, test in enumerate(load(name)):
            # data would stand beside all logs of a folder
            (tmp_path / f"{name} {number}").mkdir()
            files.append(tmp_path / f"{name} {number}" / "log.shlog")
            files[-1].write_bytes(bytes.fromhex(test["log"]))
    ours = shanghaien(tmp_path, "verify", "--json", *files).stdout
    theirs = node("cli.js", *files).stdout
    one, other = (
        [json.dumps(json.loads(line), sort_keys=True) for line in text.splitlines()] for text in (ours, theirs)
    )
    assert len(one) == len(files) > 300
    assert one == other


@pytest.mark.thorough
@together("arguments", [(), ("--handshakes", "missing.txt", SAMPLE), ("--other",)])
def test_wrong_arguments(arguments: tuple[str | Path, ...]) -> None:
    done = node("cli.js", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.thorough
def test_data_beside_the_log(tmp_path: Path) -> None:
    (there,) = (test for test in load("macao_logs") if test["id"] == "deck-there")
    log = tmp_path / "there.shlog"
    log.write_bytes(bytes.fromhex(there["log"]))
    (deck,) = map(bytes.fromhex, there["outside"])
    beside = tmp_path / f"{sha256(deck).hexdigest()}.shdata"
    for content, verdict in ((None, "UNSUPPORTED"), (deck, there["verdict"]), (deck + b" ", "UNSUPPORTED")):
        if content is not None:
            beside.write_bytes(content)
        (report,) = reports(log)[1]
        assert report["verdict"] == verdict
    # one that cannot be read is as good as missing
    beside.unlink()
    beside.mkdir()
    assert reports(log)[1][0]["reason"] == "data_missing"
