"""Calls in a process of their own, so that their memory is theirs alone."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


def alone(function: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> tuple[_T, float]:
    """Call a function of a module in a new process; return its result, and the most memory of the process in MB."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.alone"],
        input=pickle.dumps((function, arguments, named)),
        stdout=subprocess.PIPE,
        check=True,
    )
    result: tuple[_T, float] = pickle.loads(done.stdout)
    return result


def _peak_memory() -> float:
    """Return the most memory that this process has had, not counting what started it (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


if __name__ == "__main__":
    function, arguments, named = pickle.load(sys.stdin.buffer)
    result = function(*arguments, **named)
    sys.stdout.buffer.write(pickle.dumps((result, _peak_memory())))
