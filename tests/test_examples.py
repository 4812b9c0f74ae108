"""The examples run as they say, and the samples are what they claim to be."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import RULES

EXAMPLES = Path(__file__).parent.parent / "examples"
PACKAGE = EXAMPLES.parent / "p2p_shanghaien"

PUBLIC = {
    *("errors", "games.api", "games.chance", "games.record", "players"),
    *("ui.full.parts", "ui.picture", "ui.view", "ui.words"),
}
"""What a game of another distribution may import of the program (CONTRIBUTING.md, "Adding a game")."""


def run(*arguments: object) -> str:
    command = [sys.executable, "-W", "error", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_two_peers(tmp_path: Path) -> None:
    assert run(EXAMPLES / "two_peers.py", tmp_path / "game.shlog").startswith("COMPLETE")
    assert verify((tmp_path / "game.shlog").read_bytes(), RULES).verdict == Verdict.COMPLETE


def test_own_player() -> None:
    won, lost = (int(part.split()[2]) for part in run(EXAMPLES / "own_player.py", 60).split(", ")[:2])
    assert won > lost, "keeping tricks and rolling on beats chance"


def test_the_samples_are_one_game() -> None:
    report = verify((EXAMPLES / "sample.shlog").read_bytes(), RULES)
    assert report.verdict == Verdict.COMPLETE
    written = record.read((EXAMPLES / "sample.shrec").read_bytes(), RULES)
    signed = list(record.events(report.record()))
    assert signed[0].pop("seats")
    assert list(record.events(written)) == signed


@pytest.mark.parametrize("path", sorted((EXAMPLES / "pig" / "shanghaien_pig").glob("*.py")), ids=lambda path: path.stem)
def test_pig_imports_what_is_public(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("p2p_shanghaien"):
            assert node.module.removeprefix("p2p_shanghaien.") in PUBLIC


def test_nothing_in_the_program_knows_pig() -> None:
    for path in PACKAGE.rglob("*.py"):
        assert "shanghaien_pig" not in path.read_text(encoding="utf-8")
