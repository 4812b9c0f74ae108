"""The engine's benchmark plays whole games, and its rows can be shown."""

from benchmarks import engine
from benchmarks.report import Row, table


def test_plays_whole_games() -> None:
    """The first action is always taken: ten dice are rolled and placed in each round, then Shanghai."""
    assert engine.play_shanghaien(lambda: 0.0) == 8 * (10 * 2 + 1)


def test_rows() -> None:
    rows = engine.run(seconds=0.01, rounds=1)
    first, *others = rows
    assert first.name == "Shanghaien (Python)"
    assert first.value is not None
    assert first.value > 1000
    assert first.ratio == 1.0
    assert others, "OpenSpiel's games, or that it is not installed"
    for row in others:
        assert (row.value is None) == (row.ratio is None)
        assert row.value is None or row.ratio_to == "Shanghaien"


def test_table() -> None:
    rows = [
        Row("a", 381_234.5, "decisions/s", "", 1.0),
        Row("longer", 0.01234, "ms", "a", 3.14159),
        Row("none", None, "", "", None),
    ]
    assert table(rows).splitlines() == [
        "| what   |            measured | ratio | to |",
        "|--------|--------------------:|------:|----|",
        "| a      | 381,000 decisions/s |  1.00 |    |",
        "| longer |           0.0123 ms |  3.14 | a  |",
        "| none   |                     |       |    |",
    ]
