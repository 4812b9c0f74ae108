"""Values do not depend on the processor: the numeric libraries choose among kernels, whose last digits differ."""

import json
import os
import subprocess
import sys

import pytest

from tests.players.kernels import values
from tests.sweeps import sweep

KERNELS = [
    {"OPENBLAS_CORETYPE": "Prescott"},
    {"OPENBLAS_CORETYPE": "Haswell"},
    {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX2 FMA3 AVX512F"},
    {},
]
"""Settings that OpenBLAS and numpy read when they are loaded; what a machine or a version lacks is passed over."""


@pytest.mark.thorough
@sweep("kernel", KERNELS, every=2, ids=lambda kernel: "-".join(kernel.values())[:20] or "own choice")
def test_values_are_the_same_on_every_kernel(kernel: dict[str, str]) -> None:
    others = {name: value for name, value in os.environ.items() if name not in KERNELS[2]}
    program = (sys.executable, "-W", "ignore", "-m", "tests.players.kernels")
    done = subprocess.run(program, env={**others, **kernel}, capture_output=True, text=True, check=True, timeout=240)
    found, here = json.loads(done.stdout), values()
    assert len(found) == len(here) > 10
    for (chance, margin, *options), (own_chance, own_margin, *own_options) in zip(found, here, strict=True):
        assert all(0 <= value <= 1 for value in (chance, *options[::2]))
        assert chance == pytest.approx(own_chance, abs=1e-5)
        assert margin == pytest.approx(own_margin, abs=1e-4)
        assert options == pytest.approx(own_options, abs=1e-4)
