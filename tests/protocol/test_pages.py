"""The pages under protocol/ say what the code and the vectors say, and what they point at exists."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from p2p_shanghaien import unassigned
from p2p_shanghaien.fairplay import canonical, chance, channel, entries, handshake, hello, keys, notes, transcript
from p2p_shanghaien.games import record
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.rules import State
from p2p_shanghaien.text import FORBIDDEN, MAX_CHAT, MAX_NAME
from protocol.making.table import KNOWN
from tests.protocol.files import load
from tests.sweeps import together

ROOT = Path(__file__).parents[2]
PROTOCOL = ROOT / "protocol"
SPEC = (PROTOCOL / "SPEC.md").read_text(encoding="utf-8")
RECORD = (PROTOCOL / "RECORD.md").read_text(encoding="utf-8")
THREATS = (PROTOCOL / "THREATS.md").read_text(encoding="utf-8")


def section(page: str, number: str) -> str:
    """Return the text of a section, its parts included."""
    start = re.search(rf"^#+ {re.escape(number)} ", page, re.MULTILINE)
    assert start, number
    end = re.search(rf"^#+ (?!{re.escape(number)}\.)[\d.]+ ", page[start.end() :], re.MULTILINE)
    return page[start.start() : start.end() + end.start() if end else None]


def quoted(text: str) -> set[str]:
    """Everything in backquotes."""
    return set(re.findall(r"`([^`\n]+)`", text))


def headings(page: str) -> dict[str, str]:
    """Number to title."""
    return dict(re.findall(r"^#+ ([\d.]+) (.+)$", page, re.MULTILINE))


def test_sections_are_numbered_without_gaps() -> None:
    for page in (SPEC, RECORD):
        numbers = [tuple(map(int, number.split("."))) for number in headings(page)]
        assert numbers == sorted(numbers)
        for number in numbers:
            assert number[-1] == 1 or (*number[:-1], number[-1] - 1) in numbers


def cited(text: str) -> Iterator[str]:
    """Yield what some code cites: numbers of SPEC's sections, or titles."""
    yield from re.findall(r"SPEC(?:\.md)?,? (?:sections? )?(\d+(?:\.\d+)?)", text)
    yield from re.findall(r'(?:SPEC|RECORD)(?:\.md)?, "([^"]+)"', text)


def test_sections_that_the_code_cites_exist() -> None:
    known = {*headings(SPEC), *headings(SPEC).values(), *headings(RECORD).values()}
    folders = [ROOT / name for name in ("p2p_shanghaien", "tests", "protocol", "benchmarks", "examples")]
    paths = [path for folder in folders for path in folder.rglob("*.py")]
    verifier = PROTOCOL / "verifier"
    paths += [path for folder in ("core", "games", "test") for path in (verifier / folder).rglob("*.js")]
    found = [(path.name, place) for path in paths for place in cited(path.read_text(encoding="utf-8"))]
    assert len(found) > 20
    assert [(name, place) for name, place in found if place not in known] == []


PAGES = sorted(path for path in PROTOCOL.rglob("*.md") if "node_modules" not in path.parts)


@together("page", PAGES, ids=lambda path: str(path.relative_to(PROTOCOL)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.+)", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        found = target[1:] in anchors if target.startswith("#") else (page.parent / target).exists()
        assert found, target


def test_tags() -> None:
    table = section(SPEC, "3.1")
    assert set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)) == set(keys.Tag)


def test_kinds_of_entries() -> None:
    kinds = set(map(str, entries.Kind))
    assert set(re.findall(r"^\| `([a-z_]+)` \|", section(SPEC, "5.4"), re.MULTILINE)) == kinds
    assert kinds <= quoted(section(SPEC, "5.3"))


def test_kinds_of_notes() -> None:
    table = section(SPEC, "7.3")
    assert set(re.findall(r'^\| `\["([a-z]+)"', table, re.MULTILINE)) == set(map(str, notes.NoteKind))
    assert set(notes.Decline) <= quoted(table)


def test_reasons_of_byes() -> None:
    assert set(handshake.Bye) <= quoted(section(SPEC, "4.12"))


def test_sizes() -> None:
    sizes = {
        "message that carries a frame": f"{channel.MAX_MESSAGE:,} bytes",
        "frame": f"{channel.MAX_FRAME:,} bytes",
        "hello": f"{hello.MAX_HELLO:,} bytes",
        "entry, signature included": f"{entries.MAX_ENTRY:,} bytes",
        "body of a note": f"{notes.MAX_NOTE:,} bytes",
        "opening record of a log (8)": f"{transcript.MAX_OPENING:,} bytes",
        "depth of a canonical value, the outermost array counted": str(canonical.MAX_DEPTH),
        "display name": f"{MAX_NAME} code points",
        "word: name of a game, of a setting, value of a setting": f"{hello.MAX_WORD} code points",
        "settings of a hello": str(hello.MAX_SETTINGS),
        "watchers of a game": str(hello.MAX_WATCHERS),
        "chat line": f"{MAX_CHAT} code points",
        "bound of a draw": f"1 to {chance.MAX_BOUND:,}",
    }
    rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section(SPEC, "1.4"), re.MULTILINE))
    assert sizes.items() <= rows.items()


def test_forbidden_ranges() -> None:
    ranges = []
    for row in re.findall(r"^\| (U\+[^|]+) \|", section(SPEC, "13"), re.MULTILINE):
        for item in row.split(", "):
            ends = [int(digits, 16) for digits in re.findall(r"U\+([0-9A-F]+)", item)]
            ranges.append((ends[0], ends[-1]))
    assert sorted(ranges) == sorted(FORBIDDEN)


def test_unassigned_ranges() -> None:
    (block,) = re.findall(r"^```\n(.+?)^```$", section(SPEC, "13"), re.MULTILINE | re.DOTALL)
    ends = [[int(end, 16) for end in item.split("-")] for item in block.split()]
    assert [(item[0], item[-1]) for item in ends] == list(unassigned.RANGES)


def test_fields_of_a_state() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \| ", section(SPEC, "12.4"), re.MULTILINE)
    assert [name for _, name in rows] == list(State._fields)
    assert [int(at) for at, _ in rows] == list(range(len(State._fields)))


def test_every_error_of_the_vectors_is_named() -> None:
    known = quoted(section(SPEC, "14"))
    files = [
        "canonical",
        "prefaces",
        "channels",
        "hellos",
        "handshakes",
        "entries",
        "notes",
        "watching",
        "logs",
        "choices",
        "macao_logs",
        "records",
        "macao_records",
    ]
    steps = [step for name in files for test in load(name) for step in (test, *test.get("steps", ()))]
    reasons = {step["reason"] for step in steps if step.get("reason")}
    byes = {"peer_busy", "peer_hung_up", "peer_leaving", "peer_not_watchable"}
    assert reasons - byes <= known


def test_every_illegal_entry_has_a_log() -> None:
    (row,) = re.findall(r"^\| entry, illegal \|(.+)\|$", section(SPEC, "14"), re.MULTILINE)
    shown = {test["reason"] for test in load("logs") + load("choices") if test["verdict"] == "VIOLATION"}
    assert shown == quoted(row)


def test_every_error_of_macao_has_a_vector() -> None:
    """Those in its settings and its records, and all illegal but what only choices and closing entries can be."""
    (records,) = re.findall(r"^\| text record .+? \|(.+)\|$", section(SPEC, "14"), re.MULTILINE)
    logs = {test["reason"] for test in load("macao_logs")}
    assert {"bad_setting", "data_missing"} <= logs
    assert {"illegal_action", "no_commitment", "idle_commitment", "wrong_state", "wrong_result", "fork"} <= logs
    read = {test["reason"] for test in load("macao_records") if test["result"] == "invalid"}
    assert quoted(records.rpartition("of Shadows of Macao")[2]) <= read
    assert {"illegal_action", "after_the_end", "ended_but_over", "result_not_reached", "result_but_unfinished"} <= read


EXAMPLES = re.findall(r"^```\n(.+?)^```$", RECORD, re.MULTILINE | re.DOTALL)


def test_the_example_record_of_halunken() -> None:
    *_, text, _ = EXAMPLES
    assert record.write(record.read(text.encode(), KNOWN)) == text


def test_the_example_record_of_macao() -> None:
    *_, text = EXAMPLES
    assert record.write(record.read(text.encode(), {"macao": Macao})) == text


def test_every_event_of_macao_is_described() -> None:
    *_, text = EXAMPLES
    described = quoted(section(RECORD, "8.4")) | quoted(section(RECORD, "4"))
    vectors = (event for test in load("macao_records") for event in test.get("events", []))
    for event in (*record.events(record.read(text.encode(), {"macao": Macao})), *vectors):
        assert {event["event"], *event} - {"event"} <= described


def test_fields_of_a_state_of_macao() -> None:
    rows = re.findall(r"^\| (\d+) \| (\w+) \| ", section(SPEC, "16.4"), re.MULTILINE)
    state = Macao().start()
    values = dict(zip((name for _, name in rows), state.encode(), strict=True))  # type: ignore[arg-type]
    assert values["unseen"] == state.unseen
    assert values["dead"] == tuple(side.dead for side in state.sides)
    assert [values[name] for name in ("player", "phase", "pile", "round", "centre")] == [0, 0, -1, 1, ()]


def test_the_example_record_and_its_events() -> None:
    text, events, *_ = EXAMPLES
    read = record.read(text.encode(), RULES)
    replayed = list(record.events(read))
    for line in events.splitlines():
        assert line == "…" or json.loads(line) in replayed


EVENTS = re.findall(r"^\| `(\w+)`", section(RECORD, "7.4"), re.MULTILINE)
"""The events of Halunken & Spelunken."""


def test_every_event_is_described() -> None:
    described = quoted(section(RECORD, "4"))
    for test in load("records"):
        for event in test.get("events", []):
            assert {event["event"], *event} - {"event"} <= described
    described = quoted(section(RECORD, "4.1")) | quoted(section(RECORD, "7.4"))
    events = [event for test in load("halunken_records") for event in test.get("events", [])]
    assert {event["event"] for event in events} == {*EVENTS, "decision", "unfinished", "ended"}
    for event in events:
        assert {event["event"], *event} - {"event"} <= described


SHOWN = [line.split(" | ")[-1].removesuffix(" |") for line in THREATS.splitlines() if re.match(r"\| (?!attack)", line)]
"""The tests of each attack: a cell for each."""

PROOF = re.compile(r"(?:`([^`]+)`|(fuzzing))(?: \(([^)]+)\))?(?:, |$)")
"""A file of tests, the model's script, or fuzzing; and which part of it."""


def proofs() -> list[tuple[str, set[str]]]:
    """Everything that any cell names: the file, or "fuzzing", and its parts."""
    found = [match for cell in SHOWN for match in PROOF.finditer(cell)]
    return [(match[1] or match[2], set(match[3].split(", ")) if match[3] else set()) for match in found]


def test_every_threat_names_what_shows_that_it_is_stopped() -> None:
    assert len(SHOWN) > 50
    assert [cell for cell in SHOWN if not cell or PROOF.sub("", cell)] == []


def test_threats_name_tests_that_exist() -> None:
    assert (PROTOCOL / "model/check").exists()
    files = {name for name, _ in proofs()} - {"fuzzing", "model/check"}
    for name in files:
        text = (ROOT / "tests" / name).read_text(encoding="utf-8")
        assert re.search(r"^(?:    )?(?:async )?def test_|^Test\w+ = ", text, re.MULTILINE), name
    vectors = {path.stem for path in (PROTOCOL / "vectors").glob("*.json")}
    assert set[str]().union(*(parts for name, parts in proofs() if name == "protocol/test_vectors.py")) <= vectors


def test_threats_name_what_is_fuzzed_and_every_test_of_faults() -> None:
    targets = re.findall(r"^def ([a-z]\w*)\(data: bytes\)", (ROOT / "fuzz/targets.py").read_text(), re.MULTILINE)
    assert set[str]().union(*(parts for name, parts in proofs() if name == "fuzzing")) == set(targets)
    errors = {f"faults/{path.name}" for path in (ROOT / "tests/faults").glob("test_*.py")}
    assert errors <= {name for name, _ in proofs()}
