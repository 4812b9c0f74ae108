"""Places are counted as a record writes rounds and turns."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_shanghaien.errors import UsageError
from p2p_shanghaien.games.record import Record, read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.snapshots import MoveNumber, Snapshot, snapshots, until
from p2p_shanghaien.ui.words import describe
from tests.sweeps import sweep
from tests.ui.ledger import RECORDS, load

BEGIN = '[Game "shanghaien"]\n[First "Ada"]\n[Second "Ben"]\n'


def named(record: Record, text: str) -> Snapshot:
    return until(tuple(snapshots(record)), text, "shanghaien")[-1]


def part(moves: str, tags: str = "") -> Record:
    return read(f"{BEGIN}{tags}\n{moves}".encode(), RULES)


def cut_records(path: Path) -> Iterator[tuple[str, Record]]:
    """Yield each round as laid out and each turn, by its place, with the record as it is cut off behind it."""
    text = path.read_text(encoding="utf-8")
    tags = "".join(line for line in re.findall(r"\[.*\]\n", text) if not line.startswith("[Result"))
    tokens = re.sub(r"\[.*\]\n", "", text).split()
    place, turn = 0, 0
    for index, token in enumerate(tokens):
        if token.endswith("."):
            place, turn = int(token[:-1]), -6
            continue
        turn += 1
        if turn >= 0:
            name = f"{place}.{turn}" if turn else f"{place}"
            yield name, read(f"{tags}\n{' '.join(tokens[: index + 1])}".encode(), RULES)


@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_a_place_is_where_the_record_has_that_token(path: Path) -> None:
    whole = tuple(snapshots(load(path)))
    count = 0
    for name, cut in cut_records(path):
        assert until(whole, name, "shanghaien")[-1].after == cut.last()
        count += 1
    assert count == len({stop.place.numbers for stop in whole})


@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_the_parts_of_a_turn(path: Path) -> None:
    """The roll, the trick, the second roll, the placement, as the turn's token has them."""
    seen = tuple(snapshots(load(path)))
    tokens = re.findall(r"^\d\. (?:\S\S ){6}(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(tokens) == 8
    for number, line in enumerate(tokens, start=1):
        for turn, token in enumerate(line.split(), start=1):
            parts = [token] if token == "#" else re.findall(r"\d\d|!\w(?:=\w|[+-]\d)?|-\d", token)
            assert until(seen, f"{number}.{turn}", "shanghaien")[-1].place == ((number, turn), len(parts)), token
            assert until(seen, f"{number}.{turn}.1", "shanghaien")[-1].place == ((number, turn), 1)


def test_a_part_of_a_turn() -> None:
    record = part("1. F3 I2 A4 C2 F3 S2 56-5< 36-3 34")
    assert [str(stop.place) for stop in snapshots(record)] == ["1", "1.1.1", "1.1.2", "1.2.1", "1.2.2", "1.3.1"]
    assert named(record, "1.2.1").after.legal(1) == ("-3", "-6")
    assert named(record, "1.2") == named(record, "1.2.2")


def test_start_and_end() -> None:
    record = load(RECORDS[0])
    seen = tuple(snapshots(record))
    assert until(seen, "start", "shanghaien") == seen[:1]
    assert until(seen, "end", "shanghaien") == seen
    assert seen[-1].after == record.last()
    assert until((), "end", "shanghaien") == until((), "start", "shanghaien") == ()


def test_an_unfinished_turn_is_a_place() -> None:
    assert named(part("1. F3 I2 A4 C2 F3 S2 56"), "1.1").place == ((1, 1), 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no place"),
        ("3.", "no place"),
        ("-1", "no place"),
        ("1.2.3.4", "no place"),
        ("٣", "no place"),
        ("3\n", "no place"),
        ("99999999999", "no place"),
        ("0", "no place 0 in this game. The nearest is 1."),
        ("9", "no place 9 in this game. The nearest is 8."),
        ("9.1", "no place 9.1 in this game. The nearest is 8."),
        ("1.99", "no place 1.99 in this game. The nearest is 1."),
        ("1.1.9", "no place 1.1.9 in this game. The nearest is 1.1.2."),
        ("1.1.0", "no place 1.1.0 in this game. The nearest is 1.1.1."),
        ("1.0.1", "no place 1.0.1 in this game. The nearest is 1."),
    ],
)
def test_what_there_is_not_is_said(text: str, words: str) -> None:
    with pytest.raises(UsageError) as raised:
        until(tuple(snapshots(load(RECORDS[0]))), text, "shanghaien")
    assert words in describe(raised.value)


def test_places_of_a_game_with_hands_rounds_and_turns() -> None:
    place = MoveNumber((0, 0, 0))
    seen = []
    for opened in (0, 1, 2, None, 2, 1, 2, 0, 1):
        place = place.after(opened)
        seen.append((str(place), place.stage_number))
    assert seen == [
        ("0", "0"),
        ("1", "1"),
        ("1.1.1", "1"),
        ("1.1.2", "1"),
        ("1.2.1", "1"),
        ("2", "2"),
        ("2.1.1", "2"),
        ("2:0", "2:0"),
        ("2:1", "2:1"),
    ]


def test_the_first_step_of_a_stage_may_count_in_it() -> None:
    place = MoveNumber((0, 0, 0))
    seen = []
    for opened in (0, None, 2, 1, 2, None, 1, 0):
        place = place.after(opened, 1)
        seen.append(str(place))
    assert seen == ["0.1.1", "0.1.2", "0.2.1", "1.1.1", "1.2.1", "1.2.2", "2.1.1", "2:0.1.1"]


@pytest.mark.parametrize("text", ["1:3", "3:", ":3", "1:3:5", "3.1:5"])
def test_a_colon_is_for_games_that_count_three_numbers(text: str) -> None:
    with pytest.raises(UsageError):
        named(load(RECORDS[0]), text)


def test_before_anything_lies_there() -> None:
    with pytest.raises(UsageError) as raised:
        until((), "1", "shanghaien")
    assert "Nothing has happened yet" in describe(raised.value)
