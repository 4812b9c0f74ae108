"""The benchmark of the solver: what it measures is there, and the loop in C agrees with the solver."""

import shutil

from benchmarks import solving


def test_rows(thorough: bool) -> None:
    rows = solving.run(repeats=1, positions=3 if thorough else 1)
    if shutil.which(solving.COMPILE[0]) is None:
        assert [row.value for row in rows] == [None]
        return
    *compared, memory = rows
    for row in compared:
        assert row.ratio is not None
        assert row.ratio > 0
    assert memory.value is not None
    assert 10 < memory.value < 500
