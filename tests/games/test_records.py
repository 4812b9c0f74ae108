"""Text records that are read: the shared games, oddly written ones, unfinished and ended ones."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.games.api import Terminal, Turn, has_decided
from p2p_shanghaien.games.record import PRACTICE, Ended, Record, events, read, write
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.games.playing import play
from tests.games.strategies import generators, preferences, shanghaiens
from tests.sweeps import examples, together

RECORDS = sorted((Path(__file__).parent.parent / "records").glob("*.shrec"))
DATA = json.loads((Path(__file__).parent / "data" / "valid-records.json").read_text("utf-8"))


def moves_of(text: str) -> list[str]:
    """Return the lines below the tags."""
    return text.partition("\n\n")[2].splitlines()


def test_the_shared_records_are_here() -> None:
    assert [path.stem for path in RECORDS] == [f"{number:02}" for number in range(1, 13)]


def test_practice_is_known_by_its_tag() -> None:
    practice = Record(Shanghaien(), tags={"Event": "at home", **PRACTICE})
    assert practice.is_practice
    assert read(write(practice).encode(), RULES).is_practice
    assert not Record(Shanghaien(), tags={"Practice": "no"}).is_practice
    assert not Record(Shanghaien()).is_practice


def test_an_action_without_an_alternative_decides_nothing() -> None:
    record = read(RECORDS[0].read_bytes(), RULES)
    made = [event for event in events(record) if event["event"] == "decision"]
    assert any(len(event["legal"]) == 1 for event in made)
    for player in (0, 1):
        wanted = sum(event["player"] == player and len(event["legal"]) > 1 for event in made)
        steps = zip(record.positions(), record.steps, strict=False)
        assert sum(has_decided(before, step, player) for before, step in steps) == wanted


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_shared_record(path: Path) -> None:
    """Every event equals the line beside it, and writing gives the same moves back."""
    record = read(path.read_bytes(), RULES)
    expected = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    found = [json.loads(json.dumps(event)) for event in events(record)]
    assert len(found) == len(expected) > 100
    for mine, theirs in zip(found, expected, strict=True):
        assert mine == theirs
    text = write(record)
    assert moves_of(text) == moves_of(path.read_text("utf-8"))
    assert read(text.encode(), RULES) == record
    for line in path.read_text("utf-8").splitlines()[:5]:
        assert line in text.splitlines()


@together("case", DATA["records"], ids=lambda case: case["id"])
def test_read_though_odd(case: dict[str, Any]) -> None:
    data = bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode()
    record = read(data, RULES)
    assert moves_of(write(record)) == case["moves"]
    node = record.last().node
    assert (node.player if isinstance(node, Turn) else None) == case["to_act"]
    *_, last = events(record)
    if "ended" in case:
        assert last == {"event": "ended", **case["ended"]}
    else:
        assert last == {"event": "unfinished", "to_act": case["to_act"]}
    assert [*record.names] == case.get("names", ["?", "?"])
    assert dict(record.game.settings) == case.get("options", {"variant": "standard", "tricks": "p3 b3 r2"})
    assert record.tags == case.get("tags", {})
    assert record.seats is None
    again = read(write(record).encode(), RULES)
    assert write(again) == write(record)
    assert [*again.positions()] == [*record.positions()]


def test_every_case_has_an_id_of_its_own() -> None:
    ids = [case["id"] for case in DATA["records"]]
    assert len(ids) == len(set(ids)) > 30


def test_what_is_written_in_full() -> None:
    record = Record(
        Shanghaien("extra-wild", (4, 4, 0)), ('A"d"a', "B\\"), ended=Ended(1), tags={"Event": "Club", "Site": "?"}
    )
    assert write(record) == (
        '[Game "shanghaien"]\n[First "A\\"d\\"a"]\n[Second "B\\\\"]\n[Variant "extra-wild"]\n[Tricks "p4 b4 r0"]\n'
        '[Ended "1 resigned"]\n[Event "Club"]\n[Site "?"]\n\n1.\n'
    )


def test_a_log_adds_the_seats() -> None:
    """With the seats of both players, once they are drawn; before that there is no `players` event."""
    steps = tuple(step for _, step, _ in play(Shanghaien(), Random(1)))
    first, *_ = events(Record(Shanghaien(), ("Ada", "Ben"), steps, seats=(1, 0)))
    assert first == {
        "event": "players",
        "names": ["Ada", "Ben"],
        "variant": "standard",
        "tricks": {"p": 3, "b": 3, "r": 2},
        "seats": [1, 0],
    }
    undrawn = Record(Shanghaien(), ("Ada", "Ben"), seats=(0, 1))
    assert [*events(undrawn)] == [{"event": "unfinished", "to_act": None}]


names = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=12)
endings = st.sampled_from((None, Ended(0), Ended(1), Ended(None)))


@pytest.mark.thorough
@given(shanghaiens, generators, preferences, names, names, endings)
@settings(max_examples=examples(12))
def test_cut_at_every_step(
    game: Shanghaien, rng: Random, prefer: str, one: str, other: str, ended: Ended | None
) -> None:
    """A record stopped anywhere is unfinished, or ended early, and comes back as it was."""
    steps = tuple(step for _, step, _ in play(game, rng, prefer))
    for length in range(len(steps) + 1):
        over = length == len(steps)
        record = Record(game, (one, other), steps[:length], None if over else ended, {"Event": other})
        text = write(record)
        again = read(text.encode(), RULES)
        # of two equal cards a record does not say which was drawn, so steps may differ where positions do not
        assert [*again.positions()] == [*record.positions()]
        assert (again.game, again.names, again.ended) == (game, (one, other), record.ended)
        assert again.tags == {"Event": other}
        assert write(again) == text
        assert [*events(again)] == [*events(record)]
        last = [*events(again)][-1]
        assert last["event"] == ("result" if over else "ended" if ended else "unfinished")
        assert isinstance(again.last().node, Terminal) == over


@given(generators, preferences)
@settings(max_examples=examples(8))
def test_cut_after_every_token(rng: Random, prefer: str) -> None:
    """A text that stops after any token of the moves is a sound record, and unfinished but for the last."""
    text = write(Record(Shanghaien(), steps=tuple(step for _, step, _ in play(Shanghaien(), rng, prefer))))
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("[Result"))
    header = len(text) - len(text.partition("\n\n")[2])
    ends = [at for at in range(header, len(text)) if text[at].isspace()]
    positions = [read(text[:end].encode(), RULES).last() for end in ends]
    assert isinstance(positions[-1].node, Terminal)
    assert not any(isinstance(position.node, Terminal) for position in positions[:-1])
