"""Records that are refused, and where and why (data/invalid-records.json); nothing but RecordError is ever raised."""

import json
from codecs import BOM_UTF8
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2p_shanghaien.errors import RecordError
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.games.record import MAX_RECORD, Record, read, write
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.games.playing import play
from tests.sweeps import together
from tests.toy import Toy

RECORDS = Path(__file__).parent.parent / "records"
DATA = json.loads((Path(__file__).parent / "data" / "invalid-records.json").read_text("utf-8"))
GAMES: dict[str, type[Game[Any]]] = {"shanghaien": Shanghaien, "halunken": Halunken, "macao": Macao, "toy": Toy}


def file_of(record: dict[str, Any]) -> bytes:
    if "hex" in record:
        return bytes.fromhex(record["hex"])
    if "text" in record:
        return str(record["text"]).encode()
    text = (RECORDS / f"{record['record']}.shrec").read_text("utf-8")
    old, new = record["replace"]
    assert text.count(old) == 1
    return text.replace(old, new).encode()


@together("record", DATA["records"], ids=lambda record: record["id"])
def test_refused(record: dict[str, Any]) -> None:
    with pytest.raises(RecordError) as caught:
        read(file_of(record), RULES)
    error = caught.value
    found = {"code": error.code.unqualified, "line": error.line, "column": error.column, "token": error.token}
    assert found == {name: record[name] for name in found}
    for detail in ("part", "action", "legal"):
        if detail in record:
            assert error.details[detail] == record[detail]
    assert error.exit_code == 3


def test_every_record_has_an_id_of_its_own() -> None:
    ids = [record["id"] for record in DATA["records"]]
    assert len(ids) == len(set(ids)) > 100


def test_as_long_as_a_record_may_be() -> None:
    head = b'[Game "shanghaien"] ;'
    read(head.ljust(MAX_RECORD, b"."), RULES)
    with pytest.raises(RecordError, match="record_too_long") as caught:
        read(head.ljust(MAX_RECORD + 1, b"."), RULES)
    assert (caught.value.line, caught.value.column, caught.value.token) == (1, 1, "")
    assert MAX_RECORD == 2**20


def read_or_refuse(data: bytes) -> None:
    """Whatever `data` is, it is refused with a place in it, or read and written without loss."""
    record, error = attempt(data)
    if record is not None:
        again = read(write(record).encode(), GAMES)
        assert again.last() == record.last()
        assert (again.game, again.names, again.ended, again.tags) == (
            record.game,
            record.names,
            record.ended,
            record.tags,
        )
        assert write(again) == write(record)
    if error is not None and error.code != "not_utf8":
        line = data.removeprefix(BOM_UTF8).decode().split("\n")[error.line - 1]
        assert line.startswith(error.token, error.column - 1)
        assert min(error.line, error.column) >= 1


def attempt(data: bytes) -> tuple[Record | None, RecordError | None]:
    try:
        return read(data, GAMES), None
    except RecordError as error:
        return None, error


@given(st.binary(max_size=200))
@example(BOM_UTF8 + b"\xff")
def test_any_bytes(data: bytes) -> None:
    read_or_refuse(data)
    for name in ("shanghaien", "halunken"):
        read_or_refuse(f'[Game "{name}"]\n'.encode() + data)


PIECES = (
    *("[", "]", '"', "\\", ";", "\n", "\r\n", "\t", " ", "#", "-", "<", ">", "!", "=", "+", ".", "\ufeff", "\0"),
    *("roll", "1.", "2.", "F3", "Xp", "Xw", "56", "56-5<", "!b", "!b<", "!r", "!r12", "!p+2", "!p=F", "!w=A"),
    '[Game "shanghaien"]',
    '[Game "halunken"]',
    '[Game "toy"]',
    '[Result "0-0"]',
    '[Ended "0 resigned"]',
    '[Variant "extra-wild"]',
    '[Tricks "p8 b0 r0"]',
    '[Rounds "1"]',
)


HALUNKEN_PIECES = (
    *("\n", " ", ";", ":", "/", "+", "=", "J", ".", "r", "3", "hand:", "hand:2", "1.", "2.", "at:", "at:3", "bid:y7"),
    *("pass", "1/1", "r/r", "3+r/3", "1/r", "=4", "J=4", "J:4", "J:r", "take:", "lose:", "take:g7", "leave", "lose:y7"),
    *("1:", "v5", "1:v5", "2:v6", "4:v5"),
)
HALUNKEN_SET_UP = """[Game "halunken"]
hand:1 at:1 1:g7 at:2 2:y7 1:y1 2:y2 3:y3 4:y4 5:y5 6:y6 7:r7 8:y8 9:y9 10:y10 11:y11 12:y12 13:v3 14:v4 at:3
1."""


@given(st.lists(st.sampled_from(HALUNKEN_PIECES), max_size=30))
@example(["pass", "pass", "1/1", "1:v5", "2:v6", "J:r", "J=4"])
@example(["bid:y7", "pass", "1/r+r", "=4"])
def test_any_pieces_of_the_notation_of_halunken(pieces: list[str]) -> None:
    for between in ("", " "):
        read_or_refuse(f'[Game "halunken"]\nhand:1 {between.join(pieces)}'.encode())
        read_or_refuse(f"{HALUNKEN_SET_UP} {between.join(pieces)}".encode())


MACAO_PIECES = (
    *("\n", " ", ";", ":", "=", "+", "-", ".", "1", "d", "tile:", "tile:casino", "tile:saloon", "1.", "2.", "take:"),
    *("take:1", "take:4", "1:killer-a", "2:killer-a", "3:widow", "4:sailor-j", "1:killer-x", "recruit:", "open:"),
    *("recruit:widow", "recruit:dancer-a=widow", "open:casino=widow", "discard:widow", "reserve:casino", "widow+"),
)
MACAO_SET_UP = """[Game "macao"]
tile:casino tile:gallery tile:officers tile:red-room 1:killer-a 2:dancer-a 3:sailor-j 4:widow
1."""


@given(st.lists(st.sampled_from(MACAO_PIECES), max_size=30))
@example(["take:1", "1:killer-a", "take:1", "1:widow", "2.", "recruit:widow"])
def test_any_pieces_of_the_notation_of_macao(pieces: list[str]) -> None:
    for between in ("", " "):
        read_or_refuse(f'[Game "macao"]\n{between.join(pieces)}'.encode())
        read_or_refuse(f"{MACAO_SET_UP} {between.join(pieces)}".encode())


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_any_pieces_of_the_notation(text: str) -> None:
    read_or_refuse(text.encode())
    read_or_refuse(f'[Game "shanghaien"]\n1. F3 I2 A4 Xp Xb Xr {text}'.encode())


played = st.sampled_from((Shanghaien(), Shanghaien("extra-wild", (2, 2, 4)), Halunken(), Macao(), Toy(2)))


@given(st.integers(0, 2**64), played, st.data())
def test_damaged_records(seed: int, game: Game[Any], data: st.DataObject) -> None:
    """Bytes of a sound record changed, lost, doubled or exchanged."""
    rng = Random(seed)
    steps = tuple(step for _, step, _ in play(game, rng))
    damaged = bytearray(write(Record(game, ("Zoë", 'a "b" \\c'), steps)).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        to = min(len(damaged), at + data.draw(st.integers(1, 12)))
        match data.draw(st.sampled_from(("change", "lose", "double", "insert", "cut"))):
            case "change":
                damaged[at] = data.draw(st.integers(0, 255))
            case "lose" if to - at < len(damaged):
                del damaged[at:to]
            case "double":
                damaged[at:at] = damaged[at:to]
            case "insert":
                damaged[at:at] = data.draw(st.sampled_from(PIECES + HALUNKEN_PIECES + MACAO_PIECES)).encode()
            case "cut" if at:
                del damaged[at:]
    read_or_refuse(bytes(damaged))


@given(st.integers(0, 2**64), st.sampled_from((Shanghaien(), Halunken(), Macao())), st.data())
def test_tokens_exchanged(seed: int, game: Game[Any], data: st.DataObject) -> None:
    steps = tuple(step for _, step, _ in play(game, Random(seed)))
    words = write(Record(game, steps=steps)).split(" ")
    one, other = data.draw(st.tuples(*[st.integers(0, len(words) - 1)] * 2))
    words[one], words[other] = words[other], words[one]
    read_or_refuse(" ".join(words).encode())
