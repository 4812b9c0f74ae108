"""The benchmark of the analysis: what it measures is there."""

import pytest

from benchmarks import analysing


@pytest.mark.thorough
def test_rows() -> None:
    rows = {row.name: row for row in analysing.run(games=2)}
    mean, slowest = rows["a game analysed, in the mean"], rows["a game analysed, the slowest"]
    assert mean.value is not None
    assert slowest.ratio is not None
    assert mean.value > 0
    assert slowest.ratio >= 1
    memory = rows["peak memory of the process"].value
    assert memory is not None
    assert 10 < memory < 1000
