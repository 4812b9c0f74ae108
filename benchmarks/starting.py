"""The time of `shanghaien --help`, compared with a Python that does nothing."""

import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from benchmarks.report import Row

RUNS = 15


def compiled(cache: str) -> dict[str, str]:
    """This environment, with byte code kept in the folder `cache`: an installed program has it, sources may not."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": cache}


def _seconds(environment: dict[str, str], *arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - began


def run() -> list[Row]:
    """Milliseconds of the whole process; medians of runs in turn, after one that is not counted."""
    with tempfile.TemporaryDirectory() as cache:
        environment = compiled(cache)
        pairs = [
            (_seconds(environment, "-c", "pass"), _seconds(environment, "-m", "p2p_shanghaien", "--help"))
            for _ in range(RUNS + 1)
        ][1:]
    ratio = median(ours / bare for bare, ours in pairs)
    return [
        Row("python -c pass", median(bare for bare, _ in pairs) * 1000, "ms", "", 1.0),
        Row("shanghaien --help", median(ours for _, ours in pairs) * 1000, "ms", "python -c pass", ratio),
    ]
