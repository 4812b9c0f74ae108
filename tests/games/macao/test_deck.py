"""The data file of a deck: what is read, each error in one, and the digest by which two players agree on a deck."""

import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.games.macao.codes import MacaoCode
from p2p_shanghaien.games.macao.deck import (
    RECONSTRUCTION_DIGEST,
    Card,
    Deck,
    Tile,
    from_canonical,
    read,
    reconstruction,
)
from p2p_shanghaien.games.macao.words import WORDS
from p2p_shanghaien.store.data import MAX_DATA
from tests.games.macao.plain import RECONSTRUCTION
from tests.sweeps import together

Change = Callable[[dict[str, Any]], object]


def file_of(file: object) -> bytes:
    return json.dumps(file).encode()


def changed(change: Change) -> bytes:
    file = deepcopy(RECONSTRUCTION)
    change(file)
    return file_of(file)


def card(number: int, **fields: object) -> Change:
    """Return a change of the fields of a card, counted from 1."""
    return lambda file: file["cards"][number - 1].update(fields)


def tile(number: int, **fields: object) -> Change:
    return lambda file: file["tiles"][number - 1].update(fields)


def document(**fields: object) -> Change:
    """Return a change of fields of the file itself."""
    return lambda file: file.update(fields)


def without(field: str, kind: str = "", number: int = 0) -> Change:
    return lambda file: (file[kind][number - 1] if kind else file).pop(field)


def both(*changes: Change) -> Change:
    return lambda file: [change(file) for change in changes]


def again(kind: str, number: int) -> Change:
    return lambda file: file[kind].append(dict(file[kind][number - 1]))


# a card of each kind that matters: 1 is killer-a, 12 policeman-j (two copies), 17 trader-a, 25 sailor-a, 33 the widow
IN_A_CARD: list[tuple[Change, int, MacaoCode]] = [
    (without("id", "cards", 12), 12, MacaoCode.FIELD_MISSING),
    *((without(name, "cards", 12), 12, MacaoCode.FIELD_MISSING) for name in ("kind", "blue", "cost", "red", "coins")),
    (without("count", "cards", 12), 12, MacaoCode.FIELD_MISSING),
    (without("pair", "cards", 17), 17, MacaoCode.FIELD_MISSING),
    (card(12, colour="red"), 12, MacaoCode.FIELD_UNKNOWN),
    (lambda file: file["cards"].__setitem__(11, "policeman-j"), 12, MacaoCode.NOT_AN_OBJECT),
    (lambda file: file["cards"].__setitem__(11, ["policeman-j"]), 12, MacaoCode.NOT_AN_OBJECT),
    *((card(12, kind=each), 12, MacaoCode.BAD_KIND) for each in ("", "Policeman", "thief", None, 3, ["policeman"])),
    *((card(12, id=each), 12, MacaoCode.BAD_ID) for each in ("policeman-a", "policeman", "policeman-j0", "widow")),
    *((card(12, id=each), 12, MacaoCode.BAD_ID) for each in ("policeman-j10", "policeman-j\n", "", 3, None)),
    *((card(12, blue=each), 12, MacaoCode.BAD_BLUE) for each in ("", "d", "x", "jj", None, 3, ["j"])),
    *((card(12, cost=each), 12, MacaoCode.BAD_COST) for each in ("", "wwmwwmw", "wwd", "WWM", "w w", None, 3, ["w"])),
    *((card(12, red=each), 12, MacaoCode.BAD_RED) for each in ("jj", "d", "x", "ja", None, 3, ["j"])),
    *((card(25, red=each), 25, MacaoCode.BAD_RED_SAILOR) for each in ("", "a", "aw", "aaa", "dd", "xx", None, 3)),
    *((card(12, coins=each), 12, MacaoCode.BAD_COINS) for each in (-10, 21, 4.0, "4", True, None, [4])),
    *((card(12, count=each), 12, MacaoCode.BAD_COUNT) for each in (0, -1, 46, 2.0, "2", True, None, [2])),
    *((card(17, pair=each), 17, MacaoCode.BAD_PAIR) for each in ("", "a", "aa", "awm", "ad", "ax", None, 3)),
    (card(12, pair="aw"), 12, MacaoCode.PAIR_OF_NO_TRADER),
    (card(12, pair=""), 12, MacaoCode.PAIR_OF_NO_TRADER),
    (card(33, pair="aw"), 33, MacaoCode.PAIR_OF_NO_TRADER),
    *((card(33, id=each), 33, MacaoCode.BAD_WIDOW_ID) for each in ("widow-d", "widow2", "", None)),
    *((card(33, blue=each), 33, MacaoCode.BAD_WIDOW_RESOURCE) for each in ("", "a", "dd", None)),
    *((card(33, red=each), 33, MacaoCode.BAD_WIDOW_RESOURCE) for each in ("", "a", "dd", None)),
    *((card(33, cost=each), 33, MacaoCode.BAD_COST) for each in ("", "d", None)),
    *((card(33, coins=each), 33, MacaoCode.BAD_WIDOW_COINS) for each in (-1, 0, 2)),
    (card(33, coins=-2.0), 33, MacaoCode.BAD_COINS),
    *((card(33, count=each), 33, MacaoCode.BAD_WIDOW_COUNT) for each in (1, 3, 8)),
    (card(2, id="killer-a", blue="a"), 2, MacaoCode.CARD_TWICE),
    (again("cards", 33), 34, MacaoCode.SEVERAL_WIDOWS),
    (card(12, coins=5), 12, MacaoCode.AS_RICH_AS_A_POLITICIAN),
    (card(1, coins=20), 1, MacaoCode.AS_RICH_AS_A_POLITICIAN),
    (both(*(card(number, coins=-3) for number in (29, 30, 31, 32))), 1, MacaoCode.AS_RICH_AS_A_POLITICIAN),
]
IN_A_TILE: list[tuple[Change, int, MacaoCode]] = [
    (without("id", "tiles", 5), 5, MacaoCode.FIELD_MISSING),
    (without("value", "tiles", 5), 5, MacaoCode.FIELD_MISSING),
    (without("cost", "tiles", 5), 5, MacaoCode.FIELD_MISSING),
    (without("condition", "tiles", 1), 1, MacaoCode.FIELD_MISSING),
    (tile(5, colour="red"), 5, MacaoCode.FIELD_UNKNOWN),
    (tile(5, condition="blue 6"), 5, MacaoCode.FIELD_UNKNOWN),
    (tile(1, cost="awm"), 1, MacaoCode.FIELD_UNKNOWN),
    (lambda file: file["tiles"].__setitem__(4, 5), 5, MacaoCode.NOT_AN_OBJECT),
    *((tile(5, id=each), 5, MacaoCode.NOT_A_TILE) for each in ("", "saloon", "Casino", None, 3, ["casino"])),
    *((tile(5, value=each), 5, MacaoCode.BAD_VALUE) for each in (5, 7, 6.0, "6", True, None)),
    *((tile(1, value=each), 1, MacaoCode.BAD_VALUE) for each in (6, 4, 5.0, "5")),
    *((tile(5, cost=each), 5, MacaoCode.BAD_COST) for each in ("", "awmmmawma", "awmmd", "AWM", None, 3)),
    *((tile(1, condition=each), 1, MacaoCode.BAD_CONDITION) for each in ("", "identical 5", "blue 6", None, 4)),
    (again("tiles", 5), 11, MacaoCode.TILE_TWICE),
]
NO_LISTS: tuple[object, ...] = ({}, None, "casino", 3)
IN_THE_FILE: list[tuple[bytes, MacaoCode]] = [
    *((data, MacaoCode.NOT_JSON_AT) for data in (b"", b"{", b"{'format'}", b'{"format": }', b"{} {}", b"[1,]")),
    *((data, MacaoCode.NOT_JSON) for data in (b'"\xff"', b"[" * 100_000, b"9" * 5000)),
    *((file_of(each), MacaoCode.NOT_AN_OBJECT) for each in ([], "cards", 3, None, True, [RECONSTRUCTION])),
    (b'{"format": "macao-cards-1", "format": "macao-cards-1"}', MacaoCode.FIELD_TWICE),
    *((data, MacaoCode.NOT_JSON) for data in (b'{"note": NaN}', b'{"note": -Infinity}')),
    *(
        (changed(without(name)), MacaoCode.FIELD_MISSING)
        for name in ("format", "name", "source", "resources", "cards", "tiles")
    ),
    (changed(document(version=1)), MacaoCode.FIELD_UNKNOWN),
    *((changed(document(format=each)), MacaoCode.BAD_FORMAT) for each in ("macao-cards-2", 1, None)),
    *((changed(document(name=each)), MacaoCode.BAD_NAME) for each in ("", "Box", "my box", "a" * 65, "box\n", 3, None)),
    *((changed(document(source=each)), MacaoCode.BAD_SOURCE) for each in ("", "a" * 65, 3, None)),
    *(
        (changed(document(resources=each)), MacaoCode.BAD_RESOURCES)
        for each in ("", "aw", "awmd", "awma", "abcefghij", "AWMJ", "awmé", "awm\n", None, 4, ["a", "w", "m"])
    ),
    *((changed(document(cards=each)), MacaoCode.NOT_A_LIST) for each in NO_LISTS),
    *((changed(document(tiles=each)), MacaoCode.NOT_A_LIST) for each in NO_LISTS),
    (changed(document(cards=[])), MacaoCode.KIND_MISSING),
    (changed(lambda file: file["cards"].pop()), MacaoCode.KIND_MISSING),
    (changed(lambda file: file["cards"].__delitem__(slice(4))), MacaoCode.KIND_MISSING),
    (changed(card(12, count=1)), MacaoCode.WRONG_TOTAL),
    (changed(card(12, count=3)), MacaoCode.WRONG_TOTAL),
    (changed(lambda file: file["tiles"].pop()), MacaoCode.TILE_MISSING),
    (changed(document(tiles=[])), MacaoCode.TILE_MISSING),
]


def caught(data: bytes, reader: Callable[[bytes], Deck] = read) -> Malformed:
    with pytest.raises(Malformed) as raised:
        reader(data)
    assert raised.value.exit_code == 3
    return raised.value


def is_said(error: Malformed) -> bool:
    """Return True if the error has a sentence, and all that it needs."""
    template = WORDS[error.code.unqualified]
    assert isinstance(template, str)
    return {name for _, name, _, _ in Formatter().parse(template) if name} == error.details.keys()


@together(("change", "number", "code"), IN_A_CARD, ids=[f"{number} {code}" for _, number, code in IN_A_CARD])
def test_an_error_in_a_card_names_it(change: Change, number: int, code: MacaoCode) -> None:
    error = caught(changed(change))
    found = json.loads(changed(change))["cards"][number - 1]
    name = found.get("id") if isinstance(found, dict) else None
    assert error.code is MacaoCode.BAD_CARD
    assert (error.details["number"], error.details["id"]) == (number, name if isinstance(name, str) else "?")
    reason = error.details["reason"]
    assert isinstance(reason, Malformed)
    assert reason.code is code
    assert is_said(error)
    assert is_said(reason)


@together(("change", "number", "code"), IN_A_TILE, ids=[f"{number} {code}" for _, number, code in IN_A_TILE])
def test_an_error_in_a_tile_names_it(change: Change, number: int, code: MacaoCode) -> None:
    error = caught(changed(change))
    assert error.code is MacaoCode.BAD_TILE
    assert error.details["number"] == number
    reason = error.details["reason"]
    assert isinstance(reason, Malformed)
    assert reason.code is code
    assert is_said(error)
    assert is_said(reason)


@together(("data", "code"), IN_THE_FILE, ids=[code for _, code in IN_THE_FILE])
def test_an_error_in_the_file(data: bytes, code: MacaoCode) -> None:
    error = caught(data)
    assert error.code is code
    assert is_said(error)


@together(("kind", "number", "code"), [("cards", 12, MacaoCode.BAD_CARD), ("tiles", 5, MacaoCode.BAD_TILE)])
def test_a_field_that_stands_twice_is_an_error_of_its_entry(kind: str, number: int, code: MacaoCode) -> None:
    entry = RECONSTRUCTION[kind][number - 1]
    written = json.dumps(entry)
    data = file_of(RECONSTRUCTION).replace(written.encode(), f'{written[:-1]}, "cost": "w"}}'.encode())
    error = caught(data)
    reason = error.details["reason"]
    assert isinstance(reason, Malformed)
    assert (error.code, error.details["number"], error.details["id"]) == (code, number, entry["id"])
    assert (reason.code, reason.details) == (MacaoCode.FIELD_TWICE, {"field": "cost"})


def test_every_error_of_a_file_is_tried() -> None:
    tried = {code for *_, code in (*IN_A_CARD, *IN_A_TILE, *IN_THE_FILE)}
    codes = [*MacaoCode]
    of_files = {*codes[codes.index(MacaoCode.NOT_JSON) :]}
    assert tried == of_files - {MacaoCode.BAD_CARD, MacaoCode.BAD_TILE, MacaoCode.NOT_CANONICAL}


def test_every_error_has_a_sentence() -> None:
    assert not [code for code in MacaoCode if code.unqualified not in WORDS]


def test_what_a_sentence_says() -> None:
    error = caught(changed(card(12, cost="wwd")))
    reason = error.details["reason"]
    assert isinstance(reason, Malformed)
    inner = str(WORDS["bad_cost"]).format(**reason.details)
    outer = str(WORDS["bad_card"]).format(**error.details | {"reason": inner})
    assert outer == 'card 12 (policeman-j): "cost" must be 1 to 6 letters out of awmj'


def test_the_deck_that_everybody_has() -> None:
    deck = reconstruction()
    assert sha256(deck.canonical()).hexdigest() == RECONSTRUCTION_DIGEST
    assert (deck.name, deck.source) == ("reconstruction-1", "reconstruction")
    assert deck.card["trader-a"] == Card("trader-a", "trader", "a", "mjj", "a", 3, 1, "aw")
    assert deck.tile["casino"] == Tile("casino", 6, cost="awmmm")
    assert deck.tile["temple-bar"] == Tile("temple-bar", 5, condition="blue 6")
    assert len(deck.face_down) == 46
    assert deck.face_down.count("widow") == 1


def test_a_deck_is_a_value() -> None:
    file = deepcopy(RECONSTRUCTION) | {"name": "other", "source": "somebody", "note": 3}
    del file["names"]
    same, other = read(file_of(file)), read(changed(card(1, coins=4)))
    assert same == reconstruction() != other
    assert hash(same) == hash(reconstruction())
    assert same.canonical() == reconstruction().canonical() != other.canonical()
    assert pickle.loads(pickle.dumps(same)) == same
    assert (same.name, same.source) == ("other", "somebody")


@together(
    "change",
    [
        card(12, cost="mww"),
        card(17, pair="wa"),
        card(12, id="policeman-j1"),
        card(1, red=""),
        card(1, coins=-9),
        card(1, cost="wwwmmj"),
        tile(5, cost="mmmawwaj"),
        lambda file: file["cards"].reverse(),
        lambda file: file["tiles"].reverse(),
        both(card(1, count=1), lambda file: file["cards"].append(file["cards"][0] | {"id": "killer-a9", "coins": 1})),
    ],
)
def test_what_a_box_may_have(change: Change) -> None:
    deck = read(changed(change))
    assert from_canonical(deck.canonical()) == deck
    assert len(deck.canonical()) < MAX_DATA
    assert sum(each.copies for each in deck.cards) == 45 + 7


def test_letters_are_in_the_order_of_the_resources() -> None:
    deck = read(changed(both(card(12, cost="mww"), card(17, pair="wa"), tile(5, cost="mmmwa"))))
    assert deck == reconstruction()


def test_a_file_may_begin_with_a_byte_order_mark() -> None:
    assert read(b"\xef\xbb\xbf" + file_of(RECONSTRUCTION)) == reconstruction()


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=3), st.data())
def test_nothing_but_malformed_is_raised(value: object, data: st.DataObject) -> None:
    """Whatever stands in a place of the file."""
    file = deepcopy(RECONSTRUCTION)
    entry = data.draw(st.sampled_from([file, *file["cards"], *file["tiles"]]))
    entry[data.draw(st.sampled_from(sorted(entry)))] = value
    try:
        deck = read(file_of(file))
    except Malformed as error:
        assert is_said(error)  # noqa: PT017
    else:
        assert from_canonical(deck.canonical()) == deck


CANONICAL = reconstruction().canonical()


@together(
    "data",
    [
        file_of(RECONSTRUCTION),
        CANONICAL + b"\n",
        CANONICAL.replace(b",", b", ", 1),
        CANONICAL.replace(b"macao-cards-1", b"macao-cards-2"),
        CANONICAL.replace(b'"wwm"', b'"mww"'),
        b'"abcd"',
        b"[]",
        b"[1,2,3]",
        b'["macao-cards-1","awmj",3,[]]',
        b'["macao-cards-1","awmj",[3],[]]',
        b'["macao-cards-1","awmj",[["killer-a"]],[]]',
        b'["macao-cards-1","awmj",[],[["casino",6,"awmmm"]]]',
    ],
)
def test_other_bytes_are_no_canonical_form(data: bytes) -> None:
    error = caught(data, from_canonical)
    assert error.code is MacaoCode.NOT_CANONICAL
    assert is_said(error)


def test_a_canonical_form_passes_what_a_file_must_pass() -> None:
    assert caught(CANONICAL.replace(b'"wwm"', b'"wwd"'), from_canonical).code is MacaoCode.BAD_CARD
    assert caught(b"[", from_canonical).code is MacaoCode.NOT_JSON_AT


def test_the_file_is_part_of_the_package() -> None:
    pyproject = Path(__file__).parents[3].joinpath("pyproject.toml").read_text("utf-8")
    assert '"p2p_shanghaien.games.macao" = ["*.json"]' in pyproject
