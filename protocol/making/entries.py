"""Vectors of SPEC section 5.1: the form of an entry, whatever it says and wherever it belongs."""

from collections.abc import Iterator
from typing import Any

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, MAX_NUMBER, Envelope, parse, sign
from protocol.making.common import Vector, some_bytes
from protocol.making.hellos import HOST

_ENVELOPE = Envelope(
    session=some_bytes("session"),
    number=7,
    parent=some_bytes("parent"),
    seat=0,
    handshake=some_bytes("handshake"),
    kind="action",
    content=encode(("roll", some_bytes("commitment"))),
    state=some_bytes("state"),
)


def entries() -> Iterator[Vector]:
    """Entries of the right form with their hashes, and bytes that are none."""
    yield _entry("ordinary", "an ordinary entry", _ENVELOPE)
    yield _entry("guest", "by the other seat", _ENVELOPE._replace(seat=1))
    yield _entry("first", "the first number", _ENVELOPE._replace(number=0))
    yield _entry("last", "the last number", _ENVELOPE._replace(number=MAX_NUMBER))
    yield _entry("any-kind", "the form says nothing of the kind", _ENVELOPE._replace(kind="cheat"))
    yield _entry("any-content", "the form says nothing of the content", _ENVELOPE._replace(content=b"\x80"))
    room = MAX_ENTRY - len(sign(HOST, _ENVELOPE._replace(content=bytes(256))).data)
    yield _entry("longest", "1,024 bytes", _ENVELOPE._replace(content=bytes(256 + room)))
    yield _entry("too-long", "1,025 bytes", _ENVELOPE._replace(content=bytes(257 + room)))
    changes: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("session-short", "a session id of 31 bytes", {"session": bytes(31)}),
        ("session-text", "a session id that is a string", {"session": "s" * 32}),
        ("number-negative", "a number below 0", {"number": -1}),
        ("number-large", "a number beyond four bytes", {"number": MAX_NUMBER + 1}),
        ("number-true", "true is not a number", {"number": True}),
        ("parent-nil", "no parent", {"parent": None}),
        ("parent-long", "a parent of 33 bytes", {"parent": bytes(33)}),
        ("seat-2", "no such seat", {"seat": 2}),
        ("seat-negative", "no such seat", {"seat": -1}),
        ("seat-false", "false is not a seat", {"seat": False}),
        ("handshake-short", "a handshake of 16 bytes", {"handshake": bytes(16)}),
        ("kind-bytes", "a kind that is a byte string", {"kind": b"action"}),
        ("kind-number", "a kind that is a number", {"kind": 3}),
        ("content-array", "a content that is not packed", {"content": ("roll", None)}),
        ("content-text", "a content that is a string", {"content": "roll"}),
        ("state-short", "a state hash of 31 bytes", {"state": bytes(31)}),
        ("state-nil", "no state hash", {"state": None}),
    )
    for name, comment, change in changes:
        yield _entry(name, comment, _ENVELOPE._replace(**change))
    signature = sign(HOST, _ENVELOPE).signature
    packed = encode(_ENVELOPE)
    longer = packed.replace(b"\x07", b"\xcc\x07", 1)
    for name, comment, value in (
        ("seven-items", "an item missing in the envelope", (encode(_ENVELOPE[:-1]), signature)),
        ("nine-items", "an item to spare in the envelope", (encode((*_ENVELOPE, None)), signature)),
        ("envelope-trailing", "a byte to spare in the envelope", (packed + b"\0", signature)),
        ("envelope-long-form", "a number in more bytes than it needs", (longer, signature)),
        ("envelope-map", "an envelope that is a map", (b"\x80", signature)),
        ("envelope-open", "an envelope that is not packed", (_ENVELOPE, signature)),
        ("signature-short", "a signature of 63 bytes", (packed, signature[:63])),
        ("signature-nil", "no signature", (packed, None)),
        ("one-item", "nothing where the signature stands", (packed,)),
        ("three-items", "something behind the signature", (packed, signature, None)),
        ("text", "no array", "entry"),
    ):
        yield _bytes(name, comment, encode(value))
    data = sign(HOST, _ENVELOPE).data
    yield _bytes("trailing", "a byte to spare", data + b"\0")
    yield _bytes("cut", "a byte missing", data[:-1])
    yield _bytes("long-form", "the signature with a length of two bytes", data.replace(b"\xc4\x40", b"\xc5\0\x40"))
    yield _bytes("empty", "nothing", b"")
    yield _bytes("random", "random bytes", some_bytes("random", 200))


def _entry(name: str, comment: str, envelope: Envelope) -> Vector:
    return _bytes(name, comment, sign(HOST, envelope).data)


def _bytes(name: str, comment: str, data: bytes) -> Vector:
    vector = {"id": name, "comment": comment, "data": data.hex()}
    try:
        entry = parse(data)
    except Malformed as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}
    return {
        **vector,
        "result": "valid",
        "session": entry.session.hex(),
        "number": entry.number,
        "parent": entry.parent.hex(),
        "seat": entry.seat,
        "handshake": entry.handshake.hex(),
        "kind": entry.kind,
        "content": entry.content.hex(),
        "state": entry.state.hex(),
        "hash": entry.hash.hex(),
        "signature": entry.signature.hex(),
    }
