"""Values do not depend on the processor: the numeric libraries choose among kernels, whose last digits differ."""

import json
import os
import subprocess
import sys

import pytest

from tests.players.halunken.kernels import values
from tests.players.test_kernels import KERNELS


@pytest.mark.thorough
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: "-".join(kernel.values())[:20] or "own choice")
def test_values_are_the_same_on_every_kernel(kernel: dict[str, str]) -> None:
    others = {name: value for name, value in os.environ.items() if name not in KERNELS[2]}
    program = (sys.executable, "-W", "ignore", "-m", "tests.players.halunken.kernels")
    done = subprocess.run(program, env={**others, **kernel}, capture_output=True, text=True, check=True, timeout=240)
    found, here = json.loads(done.stdout), values()
    assert len(found) == len(here) > 10
    for ours, theirs in zip(here, found, strict=True):
        assert all(0 <= value <= 1 for value in theirs[::2])
        assert theirs[::2] == pytest.approx(ours[::2], abs=1e-5)
        assert theirs[1::2] == pytest.approx(ours[1::2], abs=1e-3)
