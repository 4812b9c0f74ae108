"""Vectors of SPEC section 4.17: what a guest asks of a host, and what a guest makes of the data that come."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.data import MAX_OFFER, Offering, offer, parse_offer, want
from p2p_shanghaien.games.macao.deck import reconstruction
from protocol.making.common import Vector, some_bytes

_DECK = reconstruction().canonical()
_SHORT = b"\0"
_LONGEST = (some_bytes("longest") * 125)[:MAX_OFFER]
_LARGE = _LONGEST + b"\0"


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def data() -> Iterator[Vector]:
    """Yield both parts, each of which has a form of its own."""
    yield from _asked()
    yield from _handed_over()


# --- what a host is asked for ---------------------------------------------------------------------------------------


def _asked() -> Iterator[Vector]:
    deck, short, longest = (want(_digest(each)) for each in (_DECK, _SHORT, _LONGEST))
    yield _want("deck", "the deck that the settings name", [_DECK], [deck])
    yield _want("two", "one after the other, in any order", [_DECK, _SHORT], [short, deck])
    yield _want("longest", "as much as a frame may carry", [_LONGEST], [longest])
    yield _want("large", "more than a frame may carry: the host declines", [_LARGE], [want(_digest(_LARGE))])
    yield _want("twice", "the same data a second time", [_SHORT], [short, short])
    yield _want("other", "data that no setting names", [_SHORT], [deck])
    yield _want("none", "the settings name none", [], [deck])
    digest = bytes.fromhex(_digest(_SHORT))
    for name, comment, items in (
        ("short-digest", "a digest of 31 bytes", (digest[:31],)),
        ("long-digest", "a digest of 33 bytes", (digest + b"\0",)),
        ("text", "a digest as text", (_digest(_SHORT),)),
        ("nil", "no digest", (None,)),
        ("alone", "a word alone", ()),
        ("three-items", "an item to spare", (digest, digest)),
    ):
        yield _want(f"want-{name}", comment, [_SHORT], [encode(("want", *items))])
    yield _want("want-trailing", "a byte to spare", [_SHORT], [short + b"\0"])
    yield _want("want-too-long", "more than 4,096 bytes", [_SHORT], [encode(("want", digest, bytes(4096)))])


def _want(name: str, comment: str, named: Iterable[bytes], frames: list[bytes]) -> Vector:
    named = list(named)
    vector: Vector = {
        "id": name,
        "comment": comment,
        "part": "want",
        "named": [each.hex() for each in named],
        "frames": [frame.hex() for frame in frames],
    }
    offering = Offering({_digest(each): each for each in named})
    sent = []
    try:
        for frame in frames:
            asked = offering.asked(frame)
            assert asked is not None
            sent.append(offer(asked[1]).hex() if len(asked[1]) <= MAX_OFFER else None)
    except Malformed as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}
    return {**vector, "result": "valid", "sent": sent}


# --- what a guest is handed -----------------------------------------------------------------------------------------


def _handed_over() -> Iterator[Vector]:
    yield _data("handed-deck", "the deck that was asked for", _DECK, offer(_DECK))
    yield _data("handed-short", "one byte", _SHORT, offer(_SHORT))
    yield _data("handed-longest", "as much as a frame may carry", _LONGEST, offer(_LONGEST))
    yield _data("handed-large", "a byte more", _LARGE, offer(_LARGE))
    yield _data("handed-other", "a byte more than was asked for", _DECK, offer(_DECK + b" "))
    yield _data("handed-changed", "a byte changed", _DECK, offer(_DECK[:-1] + b"["))
    yield _data("handed-empty", "no bytes, which have that digest", b"", offer(b""))
    for name, comment, items in (
        ("text", "data as text", (_SHORT.decode(),)),
        ("nil", "nil", (None,)),
        ("alone", "a word alone", ()),
        ("three-items", "an item to spare", (_SHORT, _digest(_SHORT))),
        ("array", "data in an array", ((_SHORT,),)),
    ):
        yield _data(f"handed-{name}", comment, _SHORT, encode(("data", *items)))
    yield _data("handed-trailing", "a byte to spare", _SHORT, offer(_SHORT) + b"\0")
    yield _data("handed-too-long", "more than 4,096 bytes", _SHORT, encode(("data", bytes(4096))))


def _data(name: str, comment: str, wanted: bytes, frame: bytes) -> Vector:
    vector: Vector = {
        "id": name,
        "comment": comment,
        "part": "data",
        "digest": _digest(wanted),
        "frame": frame.hex(),
    }
    try:
        found = parse_offer(frame, _digest(wanted))
    except Malformed as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}
    assert found == wanted
    return {**vector, "result": "valid"}
