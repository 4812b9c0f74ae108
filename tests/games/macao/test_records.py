"""The shared games of Shadows of Macao as positions and as text records: read, written, replayed, and refused."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.errors import RecordError
from p2p_shanghaien.games.api import Chance, Terminal, Turn
from p2p_shanghaien.games.macao.deck import RECONSTRUCTION_DIGEST
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.record import Ended, Record, events, read, write
from tests.games.macao.plain import RECONSTRUCTION
from tests.games.macao.reading import GAMES, TEXTS, follow, lines_of, state_hash, tags_of
from tests.games.macao.strategies import moments, styles
from tests.games.strategies import generators
from tests.sweeps import examples, together

RULES = {"macao": Macao}


def move_text(text: str) -> str:
    return text.partition("\n\n")[2]


@together("path", GAMES, ids=lambda path: path.stem)
def test_states(path: Path) -> None:
    """Every position of a shared game, how much is open in it, and the result."""
    state = Macao().start()
    for line in lines_of(path):
        match line:
            case {"bounds": bounds, "draw": indices}:
                assert state.node == Chance(tuple(bounds))
                state = state.apply_chance(indices)
                assert state_hash(state.encode()) == line["state"]
            case {"player": player, "action": action, "legal": number}:
                assert state.node == Turn(player)
                assert len(state.legal(player)) == number
                state = state.apply(action)
                assert state_hash(state.encode()) == line["state"]
            case {"scores": scores, "winner": winner, "rounds": rounds}:
                assert state.node == Terminal(tuple(scores), winner)
                assert state.round == rounds
            case _:
                assert line["sha256"] == RECONSTRUCTION_DIGEST


@together("path", TEXTS, ids=lambda path: path.stem)
def test_written_as_read(path: Path) -> None:
    text = path.read_text("utf-8")
    record = read(text.encode(), RULES)
    written = write(record)
    assert tags_of(written) == tags_of(text)
    assert move_text(written) == move_text(text)
    assert read(written.encode(), RULES) == record


@together("path", TEXTS, ids=lambda path: path.stem)
def test_decisions(path: Path) -> None:
    """Every decision with all legal actions, and the result, as the file beside the record has them."""
    *decisions, result = lines_of(path.with_suffix(".decisions.jsonl"))
    found = [*events(read(path.read_bytes(), RULES))]
    assert [event for event in found if event["event"] == "decision"] == decisions
    assert found[-1].items() >= result.items()


SET_UP = (
    "tile:china-club tile:temple-bar tile:red-room tile:restaurant 1:innkeeper-j 2:innkeeper-a 3:innkeeper-j "
    "4:politician-j"
)


@together(
    ("moves", "phase"),
    [
        ("", 0),
        ("tile:china-club", 0),
        (SET_UP.rpartition(" ")[0], 0),
        (SET_UP, 1),
        (f"{SET_UP}\n1.", 1),
        (f"{SET_UP} 1. take:2", 2),
        (f"{SET_UP} 1.\ntake:2\t2:trader-m ; and so on", 1),
        (f"{SET_UP} 1. take:2 2:trader-m take:1 1:policeman-m 2.", 1),
    ],
)
def test_stops_after_any_token(moves: str, phase: int) -> None:
    """A draw that is not complete counts as not drawn; opening a round changes nothing."""
    state = read(f'[Game "macao"]\n\n{moves}'.encode(), RULES).last()
    assert state.encode()[1] == phase  # type: ignore[index]


@together(
    ("moves", "token", "code"),
    [
        ("1.", "1.", "tile_expected"),
        ("tile:saloon", "tile:saloon", "no_such_tile"),
        ("tile:Casino", "tile:Casino", "tile_expected"),
        ("casino", "casino", "tile_expected"),
        ("tile:casino tile:casino", "tile:casino", "tile_not_left"),
        ("tile:casino tile:gallery tile:officers 1:killer-a", "1:killer-a", "tile_expected"),
        ("tile:casino tile:gallery tile:officers tile:red-room tile:syndicate", "tile:syndicate", "card_expected"),
        ("tile:casino tile:gallery tile:officers tile:red-room 2:killer-a", "2:killer-a", "other_pile"),
        ("tile:casino tile:gallery tile:officers tile:red-room 1:killer-x", "1:killer-x", "no_such_card"),
        ("tile:casino tile:gallery tile:officers tile:red-room 1:killer", "1:killer", "no_such_card"),
        ("tile:casino tile:gallery tile:officers tile:red-room 1:Killer-a", "1:Killer-a", "card_expected"),
        ("tile:casino tile:gallery tile:officers tile:red-room 5:killer-a", "5:killer-a", "card_expected"),
        ("tile:casino tile:gallery tile:officers tile:red-room 1:", "1:", "card_expected"),
        ("tile:casino tile:gallery tile:officers tile:red-room 1:widow 2:widow", "2:widow", "card_not_left"),
        (f"{SET_UP} take:2", "take:2", "heading_expected"),
        (f"{SET_UP} 2.", "2.", "heading_expected"),
        (f"{SET_UP} 1. 1.", "1.", "illegal_action"),
        (f"{SET_UP} 1. take:5", "take:5", "illegal_action"),
        (f"{SET_UP} 1. recruit:widow", "recruit:widow", "illegal_action"),
        (f"{SET_UP} 1. open:china-club", "open:china-club", "illegal_action"),
        (f"{SET_UP} 1. take:2 take:1", "take:1", "card_expected"),
        (f"{SET_UP} 1. take:2 1:trader-m", "1:trader-m", "other_pile"),
        (f"{SET_UP} 1. take:2 2:innkeeper-a take:1 1:innkeeper-a", "1:innkeeper-a", "card_not_left"),
        (f"{SET_UP} 1. take:2 2:trader-m take:1 1:policeman-m take:1", "take:1", "heading_expected"),
        (f"{SET_UP} 1. take:2 2:trader-m 2.", "2.", "illegal_action"),
    ],
)
def test_refused(moves: str, token: str, code: str) -> None:
    """Whatever is not the next thing that may happen is the error, with its place."""
    with pytest.raises(RecordError) as caught:
        read(f'[Game "macao"]\n\n{moves}'.encode(), RULES)
    error = caught.value
    assert (error.token, error.code.unqualified, error.line, error.exit_code) == (token, code, 3, 3)
    assert f"{moves} "[error.column - 1 :].startswith(f"{token} ")


@together(
    ("old", "new", "line", "code"),
    [
        ('"18-20"', '"20-18"', 5, "result_not_reached"),
        ("[Result", "[Ended", 5, "bad_ended"),
        ('[Result "18-20"]', '[Ended "0 resigned"]', 5, "ended_but_over"),
        ('"reconstruction-1"', '"reconstruction-2"', 2, "unknown_deck"),
        ('"reconstruction-1"', f'"{"0" * 64}"', 2, "data_missing"),
        ('"reconstruction-1"', f'"{RECONSTRUCTION_DIGEST}"', 2, "tag_spelling"),
        ("3:sailor-j recruit:sailor-a", "3:sailor-j recruit:sailor-a take:1", 26, "after_the_end"),
        ("killer-a+policeman-m+widow", "policeman-m+killer-a+widow", 11, "illegal_action"),
        ("killer-a+policeman-m+widow", "killer-a+widow", 11, "illegal_action"),
        ("open:red-room=sailor-a+politician-j+widow", "open:red-room", 23, "illegal_action"),
    ],
)
def test_a_shared_record_changed(old: str, new: str, line: int, code: str) -> None:
    text = TEXTS[0].read_text("utf-8")
    assert text.count(old) == 1
    with pytest.raises(RecordError) as caught:
        read(text.replace(old, new).encode(), RULES)
    assert (caught.value.line, caught.value.code.unqualified) == (line, code)


def test_nothing_written_before_the_first_draw() -> None:
    record = Record(Macao(), ("Ada", "Ben"))
    assert read(write(record).encode(), RULES) == record
    assert [*events(record)][-1] == {"event": "unfinished", "to_act": None}


endings = st.sampled_from((None, Ended(0), Ended(1), Ended(None)))


@pytest.mark.thorough
@given(generators, styles, st.floats(0, 1), endings)
@settings(max_examples=examples(2))
def test_cut_at_any_step(rng: Random, style: str, share: float, ended: Ended | None) -> None:
    """A record stopped anywhere is unfinished, or ended early, and comes back with the same positions.

    A draw can come back with another index, that of another copy of the card.
    """
    steps = tuple(step for _, step, _ in moments(RECONSTRUCTION, rng, style))
    for length in {int(share * len(steps)), len(steps)}:
        over = length == len(steps)
        record = Record(Macao(), ("Zoë", "上海"), steps[:length], None if over else ended)
        text = write(record)
        again = read(text.encode(), RULES)
        assert [*again.positions()] == [*record.positions()]
        assert (again.names, again.ended) == (record.names, record.ended)
        assert write(again) == text
        *_, last = events(again)
        assert last["event"] == ("result" if over else "ended" if ended else "unfinished")


@given(generators, styles)
@settings(max_examples=examples(5))
def test_the_plain_table_reads_what_is_written(rng: Random, style: str) -> None:
    steps = tuple(step for _, step, _ in moments(RECONSTRUCTION, rng, style))
    text = write(Record(Macao(), steps=steps))
    *_, table = follow(text)
    assert table.waits == "over"
    assert tags_of(text)["Result"] == "-".join(map(str, table.scores()))


@pytest.mark.thorough
@given(generators, styles)
@settings(max_examples=examples(15))
def test_cut_after_every_token(rng: Random, style: str) -> None:
    """A text that stops after any token of the moves is a sound record, and unfinished but for the last."""
    steps = tuple(step for _, step, _ in moments(RECONSTRUCTION, rng, style))
    text = write(Record(Macao(), steps=steps))
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("[Result"))
    header = len(text) - len(move_text(text))
    ends = [at for at in range(header, len(text)) if text[at].isspace()]
    positions = [read(text[:end].encode(), RULES).last() for end in ends]
    assert isinstance(positions[-1].node, Terminal)
    assert not any(isinstance(position.node, Terminal) for position in positions[:-1])
