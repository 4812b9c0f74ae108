"""The benchmark of the solver: what it measures is there, and the loop in C agrees with the solver."""

import shutil
from pathlib import Path

import pytest

from benchmarks import solving
from tests import needs


def test_the_loop_in_c_agrees(tmp_path: Path) -> None:
    needs.program(solving.COMPILE[0])
    problem = solving.problem(solving.fresh_round(("", ""), 4))
    assert solving.Loop(tmp_path).prepare(problem)() == pytest.approx(solving.solved(problem), abs=2e-6)


@pytest.mark.thorough
def test_rows() -> None:
    rows = solving.run(repeats=1, positions=3)
    if shutil.which(solving.COMPILE[0]) is None:
        assert [row.value for row in rows] == [None]
        return
    *compared, memory = rows
    for row in compared:
        assert row.ratio is not None
        assert row.ratio > 0
    assert memory.value is not None
    assert 10 < memory.value < 500
