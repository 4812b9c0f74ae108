"""The plain table plays the shared games as they are written down: what it is compared with is right."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.games.halunken.reading import RECORDS, follow, tags_of
from tests.games.halunken.table import DECK, RULES, points
from tests.sweeps import together

GAMES = sorted((RECORDS / "records").glob("*.shrec"))
OTHERS = sorted((RECORDS / "corners").glob("*.shrec")) + sorted((RECORDS / "partial").glob("*.shrec"))


def test_every_record_is_here() -> None:
    assert len(GAMES) == 12
    assert len(OTHERS) == 9 + 16
    assert len([*(RECORDS / "states").iterdir()]) == 12


@together("path", GAMES, ids=lambda path: path.stem)
def test_states(path: Path) -> None:
    """Every position of a shared game, whole, and what it waits for."""
    lines = (RECORDS / "states" / f"{path.stem}.jsonl").read_text("utf-8").splitlines()
    expected = [json.loads(line) for line in lines]
    tables = follow(path.read_text("utf-8"))
    for table, position in zip(tables, expected, strict=True):
        assert table.waits == position["waits"]
        assert json.loads(json.dumps(table.encoded())) == position["state"]
    scores = "-".join(map(str, table.scores))
    assert table.waits == "over"
    assert scores == tags_of(path.read_text("utf-8"))["Result"]


@together("path", GAMES + OTHERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_decisions(path: Path) -> None:
    """The deciders, the legal actions and the choices, as the replay beside the record has it."""
    events = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    decisions = [event for event in events if event["event"] == "decision"]
    asked: list[tuple[int, list[str]]] = []
    for table in follow(path.read_text("utf-8")):
        now = [(player, sorted(table.legal(player))) for player in (0, 1) if table.legal(player)]
        asked += now
    if now and events[-1]["event"] in ("unfinished", "ended"):
        del asked[-len(now) :]  # awaited, not made
    assert asked == [(event["player"], event["legal"]) for event in decisions]
    if events[-1]["event"] == "unfinished":
        awaited = int(table.waits[-1]) if table.waits.startswith("turn") else None
        assert events[-1]["to_act"] == awaited


def test_every_rule_comes_up_in_the_shared_games() -> None:
    found: Counter[str] = Counter()
    for path in GAMES:
        *_, table = follow(path.read_text("utf-8"))
        found += table.rules
    assert found.keys() == {*RULES}


def test_the_deck() -> None:
    assert len(DECK) == len({*DECK}) == 42
    assert [len([rogue for rogue in DECK if rogue[0] == colour]) for colour in "rvgy"] == [9, 10, 11, 12]


@pytest.mark.parametrize(
    ("crew", "score"),
    [("v14 v11 y1 y2", 53), ("v14 v11 y1 y2 y3", 37), ("r4 v3", 11), ("r15", 30), ("", 0), ("v3 v4 g2 g13", 37)],
)
def test_points(crew: str, score: int) -> None:
    assert points(crew.split()) == score
