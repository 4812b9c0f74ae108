"""The verifier in JavaScript agrees with every vector that a verifier meets, and with the logs of strangers."""

import json
import re
from pathlib import Path

import pytest

from tests.protocol.files import FOLDER, Test, load
from tests.protocol.test_strangers import LOGS
from tests.verifier.node import VERIFIER, node

SPEC = (FOLDER.parent / "SPEC.md").read_text(encoding="utf-8")

QUICK = (
    "canonical",
    "hashes",
    "commitments",
    "keys",
    "signatures",
    "texts",
    "hellos",
    "entries",
    "chance",
    "challenges",
)
"""Files whose tests take next to no time."""

WITHOUT = re.compile(r"^without (\w+): .+$", re.MULTILINE)


def run(*paths: Path) -> None:
    """Run some files, or all of protocol/vectors; each test that is not left out must pass."""
    done = node("test/vectors.js", *paths)
    assert done.returncode == 0, done.stdout + done.stderr
    left_out = WITHOUT.findall(done.stdout)
    run = [path for path in paths or FOLDER.glob("*.json") if path.stem not in left_out]
    count = sum(len(json.loads(path.read_text(encoding="utf-8"))["tests"]) for path in run)
    assert done.stdout.splitlines()[-1] == f"{count} passed, 0 failed"


def write(path: Path, tests: list[Test], **more: object) -> Path:
    path.write_text(json.dumps({**more, "tests": tests}), encoding="utf-8")
    return path


def test_quick_vectors() -> None:
    run(*(FOLDER / f"{name}.json" for name in QUICK))


@pytest.mark.thorough
def test_all_vectors() -> None:
    run()


@pytest.mark.thorough
def test_logs_of_strangers(tmp_path: Path) -> None:
    # `torn` was the name of `truncated` when they were made
    tests = [{**test, "truncated": test["torn"]} for test in LOGS.values()]
    run(write(tmp_path / "strangers.json", tests, older=True))


def test_a_wrong_vector_is_noticed(tmp_path: Path) -> None:
    right, *others = load("hashes")
    done = node("test/vectors.js", write(tmp_path / "hashes.json", [{**right, "hash": "00" * 32}, *others]))
    assert done.returncode == 1
    assert f"hashes/{right['id']}: " in done.stdout
    assert done.stdout.splitlines()[-1] == f"{len(others)} passed, 1 failed"


def test_refused_characters_are_those_of_spec() -> None:
    section = SPEC[SPEC.index("## 13 Text") : SPEC.index("## 14 ")]
    source = (VERIFIER / "core" / "text.js").read_text(encoding="utf-8")
    for name, place in {
        "SPACES": r"it has none of ([^(]+)\(",
        "FORBIDDEN": r"((?:^\| U\+.+\n)+)",
        "UNASSIGNED": r"^```\n([^`]+)^```",
    }.items():
        (here,) = re.findall(rf'^const {name} = ["`]([^"`]+)["`];', source, re.MULTILINE)
        (there,) = re.findall(place, section, re.MULTILINE)
        assert ranges(here) == ranges(re.sub(r"\|[^|]+\|$", "", there, flags=re.MULTILINE))


def ranges(text: str) -> list[tuple[int, int]]:
    """Return the first and last code point of each range, however it is written."""
    found = re.findall(r"([\dA-F]+)(?:[-–](?:U\+)?([\dA-F]+))?", text.replace("U+", "").replace(",", " "))
    return [(int(first, 16), int(last or first, 16)) for first, last in found]
