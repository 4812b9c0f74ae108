"""Tools that several benchmarks share."""

from benchmarks.alone import alone


def fill(megabytes: int) -> int:
    """Have so much memory for a moment."""
    return len(b"x" * (megabytes << 20))


def test_memory_is_that_of_the_call_alone() -> None:
    """Neither what this process has had counts, nor what was measured before."""
    fill(300)
    large, with_large = alone(fill, 200)
    small, with_small = alone(fill, megabytes=1)
    assert (large, small) == (200 << 20, 1 << 20)
    assert 200 < with_large < 300
    assert 1 < with_small < 100
