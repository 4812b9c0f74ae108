"""The shared games of Halunken & Spelunken as text records: read, written, replayed, and refused."""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.errors import RecordError
from p2p_shanghaien.games.api import Terminal, Turn
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.record import Ended, Record, events, read, write
from tests.games.halunken.reading import RECORDS, follow, tags_of
from tests.games.halunken.strategies import moments, options, styles
from tests.games.strategies import generators
from tests.sweeps import examples, together

RULES = {"halunken": Halunken}
GAMES = sorted((RECORDS / "records").glob("*.shrec"))
CORNERS = sorted((RECORDS / "corners").glob("*.shrec"))
PARTIAL = sorted((RECORDS / "partial").glob("*.shrec"))

# the line, the column and the token that are to be named, and the reason
ILLEGAL = [
    ("01-no-such-rogue", 9, 13, "2:y13", "no_such_rogue"),
    ("02-rogue-twice", 9, 23, "6:y1", "rogue_not_left"),
    ("03-wrong-den", 10, 18, "6:r8", "other_den"),
    ("04-dens-out-of-order", 9, 28, "2:v8", "other_den"),
    ("05-captain-on-captain", 9, 18, "at:2", "illegal_action"),
    ("06-jack-on-captain", 9, 106, "at:6", "illegal_action"),
    ("07-no-such-space", 9, 8, "at:15", "illegal_action"),
    ("08-bid-not-held", 13, 4, "bid:v9", "illegal_action"),
    ("09-bid-not-higher", 13, 11, "bid:y6", "illegal_action"),
    ("10-auction-is-over", 13, 16, "pass", "choices_expected"),
    ("11-bid-after-own-pass", 11, 14, "bid:v5", "choices_expected"),
    ("12-card-used", 11, 14, "3/4", "illegal_action"),
    ("13-jack-card-of-nobody", 11, 14, "6+2/4", "illegal_action"),
    ("14-jack-card-missing", 13, 16, "1/2", "illegal_action"),
    ("15-jack-card-of-the-other", 13, 16, "1+5/2", "illegal_action"),
    ("16-jack-card-used", 13, 16, "1/2+7", "illegal_action"),
    ("17-one-card-only", 10, 14, "3", "choices_expected"),
    ("18-names-the-others-number", 12, 18, "=3", "illegal_action"),
    ("19-names-nothing", 12, 18, "5:g5", "illegal_action"),
    ("20-theft-by-the-richer", 13, 22, "take:v5", "rogue_expected"),
    ("21-loses-what-is-not-held", 10, 33, "lose:v11", "illegal_action"),
    ("22-drawn-card-used", 11, 36, "J:7", "card_not_left"),
    ("23-no-drawn-card", 12, 1, "3.", "card_expected"),
    ("24-number-beyond-seven", 17, 46, "J=8", "number_expected"),
    ("25-round-number", 11, 1, "3.", "heading_expected"),
    ("26-no-round-number", 11, 1, "pass", "heading_expected"),
    ("27-after-the-end", 17, 50, "pass", "after_the_end"),
    ("28-result-does-not-follow", 7, 1, '[Result "46-80"]', "result_not_reached"),
    ("29-ended-but-over", 7, 1, '[Ended "0 resigned"]', "ended_but_over"),
    ("30-unknown-theft", 6, 1, '[Theft "perhaps"]', "unknown_choice"),
    ("31-unknown-hands", 5, 1, '[Hands "2"]', "unknown_choice"),
    ("32-no-jack-in-the-simple-game", 9, 106, "at:9", "heading_expected"),
    ("33-upper-case", 13, 4, "bid:V8", "illegal_action"),
    ("34-not-utf-8", 13, 24, "\\xff", "not_utf8"),
    ("35-leaves-what-must-be-taken", 13, 35, "leave", "illegal_action"),
    ("36-jack-theft-must-be-taken", 13, 32, "leave", "illegal_action"),
    ("37-second-hand-not-opened", 18, 1, "at:7", "heading_expected"),
]


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@together("path", GAMES + CORNERS + PARTIAL, ids=name_of)
def test_written_as_read(path: Path) -> None:
    text = path.read_text("utf-8")
    record = read(text.encode(), RULES)
    assert write(record) == text
    assert isinstance(record.last().node, Terminal) == (path not in PARTIAL)


def test_a_partial_record_waits_for_everything() -> None:
    """There is one for each phase, and two that ended early."""
    phases = {read(path.read_bytes(), RULES).last().encode()[0] for path in PARTIAL}  # type: ignore[index]
    assert phases == {*range(14)}
    ended = [read(path.read_bytes(), RULES).ended for path in PARTIAL]
    assert [each for each in ended if each] == [Ended(1), Ended(None)]


@together("path", GAMES + CORNERS + PARTIAL, ids=name_of)
def test_events(path: Path) -> None:
    """Every event equals the line beside the record."""
    record = read(path.read_bytes(), RULES)
    expected = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    found = [json.loads(json.dumps(event)) for event in events(record)]
    for mine, theirs in zip(found, expected, strict=False):
        assert mine == theirs
    assert len(found) == len(expected)


@together("path", GAMES, ids=name_of)
def test_states(path: Path) -> None:
    """Every position of a shared game, whole, and what it waits for."""
    lines = (RECORDS / "states" / f"{path.stem}.jsonl").read_text("utf-8").splitlines()
    for state, line in zip(read(path.read_bytes(), RULES).positions(), lines, strict=True):
        expected = json.loads(line)
        assert json.loads(json.dumps(state.encode())) == expected["state"]
        kind = type(state.node).__name__.lower().replace("chance", "draw").replace("terminal", "over")
        assert kind == expected["waits"].partition(" ")[0]


@together(("name", "line", "column", "token", "code"), ILLEGAL, ids=[name for name, *_ in ILLEGAL])
def test_illegal(name: str, line: int, column: int, token: str, code: str) -> None:
    with pytest.raises(RecordError) as caught:
        read((RECORDS / "illegal" / f"{name}.shrec").read_bytes(), RULES)
    error = caught.value
    assert (error.line, error.column, error.token, error.code.unqualified) == (line, column, token, code)
    assert error.exit_code == 3


def test_every_illegal_record_is_tried() -> None:
    assert [path.stem for path in sorted((RECORDS / "illegal").iterdir())] == [name for name, *_ in ILLEGAL]


SET_UP = "hand:1 at:1 1:g7 at:2 2:y7 1:y1 2:y2 3:y3 4:y4 5:y5 6:y6 7:r7 8:y8 9:y9 10:y10 11:y11 12:y12 13:v3 14:v4"


@together(
    ("moves", "phase"),
    [
        ("", 0),
        ("hand:1", 0),
        ("hand:1 at:1 1:g7 at:2 2:y7", 1),
        ("hand:1 at:1 1:g7 at:2 2:y7 1:y1 2:y2", 1),
        (SET_UP, 2),
        (f"{SET_UP} at:3", 3),
        (f"{SET_UP} at:3 1.", 3),
        (f"{SET_UP} at:3\n\n1.\npass\tpass 1/1 1:v5", 6),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6", 9),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 J:r", 11),
    ],
)
def test_stops_after_any_token(moves: str, phase: int) -> None:
    """A draw of several rogues that is not complete counts as not drawn; opening a round changes nothing."""
    state = read(f'[Game "halunken"]\n\n{moves}'.encode(), RULES).last()
    assert state.encode()[0] == phase  # type: ignore[index]


@together(
    ("moves", "token"),
    [
        # the tokens of a draw that is not complete are checked all the same
        ("hand:1 at:1 1:g7 at:2 2:y7 1:y1 3:y3", "3:y3"),
        ("hand:1 at:1 1:g7 at:2 2:y7 1:y1 2:y1", "2:y1"),
        ("hand:1 at:1 1:g7 at:2 2:y7 1:y1 2:g1", "2:g1"),
        ("hand:1 at:1 1:g7 at:2 2:y7 1:y1 pass", "pass"),
        (f"{SET_UP} at:3 1. pass pass 1/1 2:v5", "2:v5"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:y1", "1:y1"),
        # each hand and each round is opened once, in its turn
        ("at:1", "at:1"),
        ("hand:2", "hand:2"),
        ("hand:1 hand:1", "hand:1"),
        ("hand:01", "hand:01"),
        ("1.", "1."),
        (f"{SET_UP} 1.", "1."),
        (f"{SET_UP} at:3 pass", "pass"),
        (f"{SET_UP} at:3 1. 1.", "1."),
        (f"{SET_UP} at:3 1. hand:1", "hand:1"),
        (f"{SET_UP} at:3 1. pass 1. pass", "1."),
        # one spelling each
        ("hand:1 at:01", "at:01"),
        ("hand:1 at:0", "at:0"),
        ("hand:1 at:-1", "at:-1"),
        ("hand:1 at:\u0661", "at:\u0661"),
        ("hand:1 1", "1"),
        ("hand:1 at:1 01:g7", "01:g7"),
        ("hand:1 at:1 1:g07", "1:g07"),
        ("hand:1 at:1 1:G7", "1:G7"),
        ("hand:1 at:1 1:", "1:"),
        ("hand:1 at:1 g7", "g7"),
        (f"{SET_UP} at:3 1. g7", "g7"),
        (f"{SET_UP} at:3 1. pass pass 1/", "1/"),
        (f"{SET_UP} at:3 1. pass pass /1", "/1"),
        (f"{SET_UP} at:3 1. pass pass 1/1/1", "1/1/1"),
        (f"{SET_UP} at:3 1. pass pass 1 / 1", "1"),
        (f"{SET_UP} at:3 1. pass pass R/1", "R/1"),
        (f"{SET_UP} at:3 1. pass pass 8/1", "8/1"),
        (f"{SET_UP} at:3 1. bid:y7 pass 1/2+", "1/2+"),
        (f"{SET_UP} at:3 1. bid:y7 pass 1/2+3+4", "1/2+3+4"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 j:1", "j:1"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 J:8", "J:8"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 J=1", "J=1"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 J:", "J:"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 J:r J:1", "J:1"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 J:r J=0", "J=0"),
        (f"{SET_UP} at:3 1. pass pass 1/1 1:v5 2:v6 J:r J=r", "J=r"),
    ],
)
def test_refused(moves: str, token: str) -> None:
    """Whatever is not the next thing that may happen is the error."""
    with pytest.raises(RecordError) as caught:
        read(f'[Game "halunken"]\n\n{moves}'.encode(), RULES)
    assert caught.value.token == token
    assert caught.value.line == 3
    column = caught.value.column
    assert f"{moves} "[column - 1 :].startswith(f"{token} ")


def test_absent_tags_are_the_printed_game() -> None:
    assert read(b'[Game "halunken"]', RULES).game == Halunken.from_settings({})
    assert dict(Halunken.from_settings({}).settings) == {"blackjack": "on", "hands": "1", "theft": "takes"}


endings = st.sampled_from((None, Ended(0), Ended(1), Ended(None)))


@given(options, generators, styles, st.floats(0, 1), endings)
@settings(max_examples=examples(2))
def test_cut_at_any_step(given_: dict[str, str], rng: Random, style: str, share: float, ended: Ended | None) -> None:
    """A record stopped anywhere is unfinished, or ended early, and comes back as it was, to the step."""
    game = Halunken.from_settings(given_)
    steps = tuple(step for _, step, _ in moments(given_, rng, style))
    for length in {int(share * len(steps)), len(steps)}:
        over = length == len(steps)
        record = Record(game, ("Zoë", "上海"), steps[:length], None if over else ended)
        text = write(record)
        again = read(text.encode(), RULES)
        assert again == record
        assert write(again) == text
        *_, last = events(again)
        assert last["event"] == ("result" if over else "ended" if ended else "unfinished")
        node = again.last().node
        assert isinstance(node, Terminal) == over
        if last["event"] == "unfinished":
            assert last["to_act"] == (node.player if isinstance(node, Turn) else None)


@given(options, generators, styles)
@settings(max_examples=examples(5))
def test_the_plain_table_reads_what_is_written(given_: dict[str, str], rng: Random, style: str) -> None:
    steps = tuple(step for _, step, _ in moments(given_, rng, style))
    text = write(Record(Halunken.from_settings(given_), steps=steps))
    *_, table = follow(text)
    assert table.waits == "over"
    assert tags_of(text)["Result"] == f"{table.scores[0]}-{table.scores[1]}"


@given(generators, styles)
@settings(max_examples=examples(15))
def test_cut_after_every_token(rng: Random, style: str) -> None:
    """A text that stops after any token of the moves is a sound record, and unfinished but for the last."""
    steps = tuple(step for _, step, _ in moments({"blackjack": "on", "hands": "1", "theft": "may"}, rng, style))
    text = write(Record(Halunken.from_settings({"theft": "may"}), steps=steps))
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("[Result"))
    header = len(text) - len(text.partition("\n\n")[2])
    ends = [at for at in range(header, len(text)) if text[at].isspace()]
    positions = [read(text[:end].encode(), RULES).last() for end in ends]
    assert isinstance(positions[-1].node, Terminal)
    assert not any(isinstance(position.node, Terminal) for position in positions[:-1])
