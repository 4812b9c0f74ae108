"""The examples run as they say, and the samples are what they claim to be."""

import subprocess
import sys
from pathlib import Path

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games import record
from p2p_shanghaien.games.registry import RULES

EXAMPLES = Path(__file__).parent.parent / "examples"


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
