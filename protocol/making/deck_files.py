"""Vectors of RECORD.md 8.5: data files of decks of Shadows of Macao, and where each error in one is reported."""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any, Final

from p2p_shanghaien.errors import Code, Malformed
from p2p_shanghaien.games.macao.codes import MacaoCode
from p2p_shanghaien.games.macao.deck import from_file, reconstruction
from protocol.making.common import Vector
from tests.games.macao.plain import RECONSTRUCTION
from tests.protocol.files import patched

_LISTS: Final[dict[Code, str]] = {MacaoCode.BAD_CARD: "cards", MacaoCode.BAD_TILE: "tiles"}

# entries by their places: cards 0 killer-a, 11 policeman-j (two copies), 16 trader-a, 24 sailor-a, 32 the widow, and
# 28 to 31 the politicians; tiles 0 restaurant, 4 casino
_CARD, _TRADER, _SAILOR, _WIDOW = (f"/cards/{place}" for place in (11, 16, 24, 32))
_TILE, _DEMAND = "/tiles/4", "/tiles/0"


def _set(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def _add(path: str, value: object) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def _remove(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


def _entry(path: str) -> Any:
    _, kind, place = path.split("/")
    return RECONSTRUCTION[kind][int(place)]


def _missing(path: str, name: str, *fields: str) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    for field in fields:
        yield f"{name}-no-{field}", f'"{field}" is missing', [_remove(f"{path}/{field}")]


def _values(path: str, name: str, comment: str, *values: object) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    for number, value in enumerate(values, start=1):
        yield f"{name}-{number}", comment, [_set(path, value)]


_DECKS: Final[Sequence[tuple[str, str, list[dict[str, Any]]]]] = (
    ("whole", "the file of the reconstruction", []),
    ("note", "name, source, note and names are no part of the deck", [
        _set("/name", "my-box-2"), _set("/source", "somebody's box"), _set("/note", {"any": [1, None]}),
        _remove("/names"),
    ]),
    ("cost-order", "letters of a cost in another order", [
        _set(f"{_CARD}/cost", "mww"), _set(f"{_TILE}/cost", "mmmwa"),
    ]),
    ("pair-order", "letters of a pair in another order", [_set(f"{_TRADER}/pair", "wa")]),
    ("id-digit", "an id with a digit", [_set(f"{_CARD}/id", "policeman-j9")]),
    ("red-none", "a red side that gives nothing", [_set(f"{_CARD}/red", "")]),
    ("red-other", "a red side that gives another resource", [_set(f"{_CARD}/red", "a")]),
    ("coins-least", "-9 coins", [_set(f"{_CARD}/coins", -9)]),
    ("coins-most", "20 coins of a politician", [_set("/cards/28/coins", 20)]),
    ("cost-long", "costs as long as they get", [_set(f"{_CARD}/cost", "wwwmma"), _set(f"{_TILE}/cost", "awmjawmj")]),
    ("file-order", "another order of the cards is another deck", [
        _remove("/cards/0"), _add("/cards/-", _entry("/cards/0")),
    ]),
    ("two-of-a-kind", "a second card of a kind and a resource", [
        _set("/cards/0/count", 1), _add("/cards/1", _entry("/cards/0") | {"id": "killer-a2", "coins": 1, "count": 1}),
    ]),
    ("five-resources", "five resources", [_set("/resources", "awmjz"), _set(f"{_CARD}/cost", "zzz")]),
)  # fmt: skip
"""Files that pass: name, comment, and what is changed in that of the reconstruction."""

_ERRORS: Final[Sequence[tuple[str, str, list[dict[str, Any]]]]] = (
    # The file.
    *_missing("", "file", "format", "name", "source", "resources", "cards", "tiles"),
    ("file-field", "a field that there is not", [_add("/version", 1)]),
    *_values("/format", "format", "another format", "macao-cards-2", 1),
    *_values("/name", "name", "no name of a deck", "", "My box", "a" * 65, "box\n", 3),
    *_values("/source", "source", "no source", "", "a" * 65, 3),
    *_values("/resources", "resources", "no 3 to 8 different small letters without d",
             "aw", "awmd", "awma", "abcefghij", "AWMJ", 4),
    *_values("/cards", "cards", "no list", {}, None, "killer-a"),
    *_values("/tiles", "tiles", "no list", {}, None, "casino"),
    ("kind-missing", "no trader", [*[_remove("/cards/16")] * 4, _set("/cards/0/count", 8)]),
    ("no-widow", "no widow", [_remove(_WIDOW)]),
    ("too-few", "44 characters", [_set(f"{_CARD}/count", 1)]),
    ("too-many", "46 characters", [_set(f"{_CARD}/count", 3)]),
    ("tile-missing", "nine tiles", [_remove(_TILE)]),
    # A card.
    *_missing(_CARD, "card", "id", "kind", "blue", "cost", "red", "coins", "count"),
    *_missing(_TRADER, "trader", "pair"),
    ("card-field", "a field that there is not", [_add(f"{_CARD}/colour", "red")]),
    *_values(_CARD, "card", "no object", "policeman-j", ["policeman-j"], 3),
    *_values(f"{_CARD}/kind", "kind", "no kind", "", "Policeman", "thief", 3),
    *_values(f"{_CARD}/id", "id", "no id of this card", "policeman-a", "policeman", "policeman-j0", "policeman-j10",
             "policeman-j\n", "widow", "", 3),
    *_values(f"{_CARD}/blue", "blue", "no single ordinary resource", "", "d", "x", "jj", 3),
    *_values(f"{_CARD}/cost", "cost", "no 1 to 6 ordinary resources", "", "wwmwwmw", "wwd", "WWM", "w w", 3),
    *_values(f"{_CARD}/red", "red", "more than one ordinary resource, or another one", "jj", "d", "x", 3),
    *_values(f"{_SAILOR}/red", "red-sailor", "no two equal ordinary resources", "", "a", "aw", "aaa", "dd", 3),
    *_values(f"{_CARD}/coins", "coins", "no whole number from -9 to 20", -10, 21, "4", True, None),
    *_values(f"{_CARD}/count", "count", "no whole number from 1 on", 0, -1, "2", True, None),
    *_values(f"{_TRADER}/pair", "pair", "no two different ordinary resources", "", "a", "aa", "awm", "ad", 3),
    ("pair-of-another", "a pair of no trader", [_add(f"{_CARD}/pair", "aw")]),
    ("pair-empty", "an empty pair of no trader", [_add(f"{_CARD}/pair", "")]),
    *_values(f"{_WIDOW}/id", "widow-id", "no id of the widow", "widow-d", "widow2", ""),
    *_values(f"{_WIDOW}/blue", "widow-blue", "a widow without a diamond", "", "a", "dd"),
    *_values(f"{_WIDOW}/red", "widow-red", "a member without a diamond", "", "a", "dd"),
    *_values(f"{_WIDOW}/cost", "widow-cost", "no cost of ordinary resources", "", "d"),
    *_values(f"{_WIDOW}/coins", "widow-coins", "other coins of the widow", -1, 2),
    *_values(f"{_WIDOW}/count", "widow-count", "other copies of the widow", 1, 8),
    ("widow-pair", "a pair of the widow", [_add(f"{_WIDOW}/pair", "aw")]),
    ("card-twice", "two cards with one id", [_set("/cards/1/id", "killer-a"), _set("/cards/1/blue", "a")]),
    ("two-widows", "a second entry for the widow", [_add("/cards/-", _entry(_WIDOW))]),
    ("rich", "as many coins as the best politician", [_set(f"{_CARD}/coins", 5)]),
    ("poor-politicians", "no politician is the richest; the first card that is as rich is named",
     [_set(f"/cards/{place}/coins", 3) for place in (28, 29, 30, 31)]),
    # A tile.
    *_missing(_TILE, "tile", "id", "value", "cost"),
    *_missing(_DEMAND, "demand", "condition"),
    ("tile-field", "a field that there is not", [_add(f"{_TILE}/colour", "red")]),
    ("tile-both", "a condition of a tile with a cost", [_add(f"{_TILE}/condition", "blue 6")]),
    ("demand-both", "a cost of a tile with a condition", [_add(f"{_DEMAND}/cost", "awm")]),
    *_values(_TILE, "tile", "no object", "casino", ["casino"], 5),
    *_values(f"{_TILE}/id", "tile-id", "no tile", "", "saloon", "Casino", 3),
    *_values(f"{_TILE}/value", "tile-value", "another value than 6", 5, 7, "6", True),
    *_values(f"{_DEMAND}/value", "demand-value", "another value than 5", 4, 6, "5"),
    *_values(f"{_TILE}/cost", "tile-cost", "no 1 to 8 ordinary resources", "", "awmmmawma", "awmmd", "AWM", 3),
    *_values(f"{_DEMAND}/condition", "condition", "another condition", "", "identical 5", "blue 6", 4),
    ("tile-twice", "a tile more", [_add("/tiles/-", _entry(_TILE))]),
)  # fmt: skip
"""Files with one error each."""


def _doubled(path: str) -> bytes:
    """Return the file with the cost of an entry in it twice."""
    written = json.dumps(_entry(path))
    whole = json.dumps(RECONSTRUCTION)
    assert whole.count(written) == 1
    return whole.replace(written, f'{written[:-1]}, "cost": "w"}}').encode()


_BYTES: Final[Sequence[tuple[str, str, bytes]]] = (
    ("canonical", "canonical bytes will do as well", reconstruction().canonical()),
    ("byte-order-mark", "a byte order mark is skipped", b"\xef\xbb\xbf" + json.dumps(RECONSTRUCTION).encode()),
    ("empty", "nothing", b""),
    ("not-json", "no JSON", b"{'format': 1}"),
    ("not-utf8", "no UTF-8", b'{"format": "\xff"}'),
    ("not-a-number", "NaN is no JSON", b'{"note": NaN}'),
    ("not-an-object", "no object", b'"macao-cards-1"'),
    ("not-canonical", "an array that is not the canonical form", reconstruction().canonical() + b"\n"),
    ("field-twice", "a field of the file twice", b'{"format": "macao-cards-1", "format": "macao-cards-1"}'),
    ("card-field-twice", "a field of a card twice", _doubled(_CARD)),
    ("tile-field-twice", "a field of a tile twice", _doubled(_TILE)),
)
"""Files that are no changes of that of the reconstruction."""


def deck_files() -> Iterator[Vector]:
    """Yield files that are decks, and those that are none."""
    for name, comment, patch in (*_DECKS, *_ERRORS):
        data = json.dumps(patched(RECONSTRUCTION, patch)).encode()
        yield {"id": name, "comment": comment, "patch": patch, **_evaluated(data)}
    for name, comment, data in _BYTES:
        yield {"id": name, "comment": comment, "data": data.hex(), **_evaluated(data)}


def _evaluated(data: bytes) -> Vector:
    try:
        canonical = from_file(data).canonical()
    except Malformed as error:
        return {"result": "invalid", **_place(error)}
    return {"result": "valid", "digest": sha256(canonical).hexdigest()}


def _place(error: Malformed) -> Vector:
    """Return the entry that an error names, if it is in one, and the reason."""
    if error.code not in _LISTS:
        return {"list": None, "number": None, "name": None, "reason": error.code.unqualified}
    reason = error.details["reason"]
    assert isinstance(reason, Malformed)
    number, name = error.details["number"], error.details["id"]
    return {"list": _LISTS[error.code], "number": number, "name": name, "reason": reason.code.unqualified}
