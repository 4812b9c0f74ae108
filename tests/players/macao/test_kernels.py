"""Values are the same on every processor, to the last digit, though the numeric libraries choose among kernels."""

import json
import os
import subprocess
import sys

import pytest

from tests.players.macao.kernels import values
from tests.players.test_kernels import KERNELS


@pytest.mark.thorough
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: "-".join(kernel.values())[:20] or "own choice")
def test_values_are_the_same_on_every_kernel(kernel: dict[str, str]) -> None:
    others = {name: value for name, value in os.environ.items() if name not in KERNELS[2]}
    program = (sys.executable, "-W", "ignore", "-m", "tests.players.macao.kernels")
    done = subprocess.run(program, env={**others, **kernel}, capture_output=True, text=True, check=True, timeout=240)
    found = json.loads(done.stdout)
    assert len(found) > 10
    assert found == values()
