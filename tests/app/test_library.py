"""What is kept of game files that have been read: a command reads thousands of them."""

import gc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType

from p2p_shanghaien.app.library import read, verified
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.match import Match
from tests.sweeps import together

EXAMPLES = Path(__file__).parents[2] / "examples"


def held(value: object) -> Iterator[object]:
    """Yield `value` and all that it keeps in memory, each object once; code aside, which every value shares."""
    seen: dict[int, object] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if id(each) not in seen and not isinstance(each, type | ModuleType | FunctionType | BuiltinFunctionType):
            seen[id(each)] = each
            waiting += gc.get_referents(each)
    yield from seen.values()


@together("path", sorted(EXAMPLES.glob("*.shlog")), ids=str)
def test_the_report_on_a_log_that_was_read_keeps_one_match_and_no_entries(path: Path) -> None:
    for report in (read(path), *verified([path])):
        kept = Counter(map(type, held(report)))
        assert kept[Match] == 1
        assert not kept[Entry]
