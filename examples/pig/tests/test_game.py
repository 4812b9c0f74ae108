"""Options, text records and replay events."""

import pytest

from p2p_shanghaien.errors import Code, GameCode, RecordError
from p2p_shanghaien.games.api import InvalidSetting, Terminal, Turn
from p2p_shanghaien.games.record import Record, events, read, write
from shanghaien_pig import SPEC
from shanghaien_pig.game import Pig, PigCode

RECORD = """\
[Game "pig"]
[First "Ada"]
[Second "Ben"]
[Goal "20"]
[Result "21-3"]

654h 541
1 3h
6h
"""


def record(moves: str, goal: int = 20) -> Record:
    return read(f'[Game "pig"] [Goal "{goal}"]\n{moves}'.encode(), {"pig": Pig})


def test_options_have_one_spelling() -> None:
    assert Pig.from_settings({}) == Pig(100)
    assert dict(Pig.from_settings({"goal": "50"}).settings) == {"goal": "50"}
    assert Pig.from_settings({}).settings == (("goal", SPEC.settings[0].default),)


@pytest.mark.parametrize("goal", ["", "9", "201", "020", "+20", "2e1", "20.0", "٢٠", "9" * 5000])
def test_a_bad_goal_is_refused(goal: str) -> None:
    with pytest.raises(InvalidSetting) as raised:
        Pig.from_settings({"goal": goal})
    assert raised.value.setting == "goal"


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(InvalidSetting) as raised:
        Pig.from_settings({"sides": "8"})
    assert raised.value.setting == "sides"


def test_a_record_is_read_and_written() -> None:
    found = read(RECORD.encode(), {"pig": Pig})
    assert found.last().node == Terminal((21, 3), 0)
    assert write(found) == RECORD


@pytest.mark.parametrize("moves", ["", "r", "6", "65r", "654h", "654h r", "654h 541", "654h 541\n1", "654h 541\n5r"])
def test_an_unfinished_record_is_read_and_written(moves: str) -> None:
    assert write(record(moves, goal=100)).rstrip("\n").partition("\n\n")[2] == moves


def test_a_record_may_stop_before_the_die() -> None:
    assert not isinstance(record("r").last().node, Turn)
    assert record("6").last().node == Turn(0)
    assert record("61").last().node == Turn(1)


@pytest.mark.parametrize(
    ("moves", "column", "code"),
    [
        ("654h h", 6, GameCode.ILLEGAL_ACTION),  # nothing to bank
        ("66666", 1, GameCode.ILLEGAL_ACTION),  # 24 are enough
        ("65 4h", 1, PigCode.NOT_A_TURN),  # only the last turn may stop early
        ("70h", 1, PigCode.NOT_A_TURN),
        ("615h", 1, PigCode.NOT_A_TURN),
        ("5rh", 1, PigCode.NOT_A_TURN),
        ("6666h 5", 7, GameCode.AFTER_THE_END),
    ],
)
def test_a_mistake_in_a_record_is_found_where_it_is(moves: str, column: int, code: Code) -> None:
    with pytest.raises(RecordError) as raised:
        record(moves)
    assert (raised.value.code, raised.value.line, raised.value.column) == (code, 2, column)


def test_replay_events() -> None:
    told = [event for event in events(record("6h 541\n6h")) if event["event"] not in ("decision", "players")]
    assert told == [
        {"event": "roll", "player": 0, "die": 6, "total": 6},
        {"event": "turn", "player": 0, "scores": [6, 0]},
        {"event": "roll", "player": 1, "die": 5, "total": 5},
        {"event": "roll", "player": 1, "die": 4, "total": 9},
        {"event": "roll", "player": 1, "die": 1, "total": 0},
        {"event": "turn", "player": 1, "scores": [6, 0]},
        {"event": "roll", "player": 0, "die": 6, "total": 6},
        {"event": "turn", "player": 0, "scores": [12, 0]},
        {"event": "unfinished", "to_act": 1},
    ]
