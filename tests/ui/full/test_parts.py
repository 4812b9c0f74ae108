"""The dice of a full screen, by what is on them: as many pips as they show, each way round like real ones."""

from p2p_shanghaien.ui.full.drawing import DARK, Canvas, large_die
from p2p_shanghaien.ui.view import ASCII, UNICODE
from tests.sweeps import together


@together("ascii_only", [False, True])
@together("number", range(7))
def test_a_large_die_has_as_many_pips_as_it_shows(number: int, ascii_only: bool) -> None:
    canvas = Canvas(80, 24, DARK, ASCII if ascii_only else UNICODE)
    pip = "o" if ascii_only else "●"
    bare = large_die(number, canvas, "bold", boxed=False)
    rows = [line.plain for line in bare]
    assert [len(row) for row in rows] == [7, 7, 7]
    assert "".join(rows).count(pip) == number
    assert set("".join(rows)) <= {pip, " "}
    assert [row[::-1] for row in reversed(rows)] == rows, "half a turn changes nothing"
    boxed = [line.plain for line in large_die(number, canvas, "bold")]
    assert [len(row) for row in boxed] == [9] * 5
    assert [row[1:-1] for row in boxed[1:-1]] == rows
    assert "".join(boxed).isascii() == ascii_only
    assert {line.style for line in bare} == {"bold"}
