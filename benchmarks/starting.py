"""How long `shanghaien --help` takes, beside a Python that does nothing."""

import subprocess
import sys
import time
from statistics import median

from benchmarks.report import Row

RUNS = 15


def _seconds(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def run() -> list[Row]:
    """Milliseconds of the whole process; medians of runs in turn, after one that is not counted."""
    pairs = [(_seconds("-c", "pass"), _seconds("-m", "p2p_shanghaien", "--help")) for _ in range(RUNS + 1)][1:]
    ratio = median(ours / bare for bare, ours in pairs)
    return [
        Row("python -c pass", median(bare for bare, _ in pairs) * 1000, "ms", "", 1.0),
        Row("shanghaien --help", median(ours for _, ours in pairs) * 1000, "ms", "python -c pass", ratio),
    ]
