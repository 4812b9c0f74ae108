"""Reading game files, and keeping little of them in memory: a command reads thousands."""

import gc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType

from p2p_shanghaien.app.library import NOT_A_LOG, read, verified
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.match import Match
from p2p_shanghaien.fairplay.verify import Report, Verdict
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


def test_a_text_record_is_known_among_files_that_are_no_logs(tmp_path: Path) -> None:
    text = (EXAMPLES / "sample.shrec").read_bytes()
    path, other = tmp_path / "text.shlog", tmp_path / "other.shlog"
    path.write_bytes(text)
    other.write_bytes(text[:-1] + b"9")
    found, none, same = verified([path, other, text])
    assert found == same == read(text)
    assert isinstance(none, Report)
    assert (none.verdict, none.reason, none.match) == (Verdict.INVALID_FILE, "not_a_log", None)
    assert (none._replace(error=None), none.exit_code) == (NOT_A_LOG._replace(error=None), NOT_A_LOG.exit_code)
    assert none.reason == NOT_A_LOG.reason
