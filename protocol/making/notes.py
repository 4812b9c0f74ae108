"""Vectors of SPEC section 7: notes of each kind, and what is none."""

from collections.abc import Iterator
from typing import Any

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.hello import open_session
from p2p_shanghaien.fairplay.keys import Identity, Tag, tagged_hash
from p2p_shanghaien.fairplay.match import begin
from p2p_shanghaien.fairplay.notes import MAX_NOTE, NoteKind, Notes
from protocol.making.common import Vector, plain, some_bytes
from protocol.making.hellos import GUEST, HOST
from protocol.making.table import KNOWN, meet

_HANDSHAKE = some_bytes("handshake")
_KEYS = (HOST, GUEST)
_HASH, _SIGNATURE = some_bytes("head"), some_bytes("signature", 64)
_SETTINGS = (("variant", "standard"), ("tricks", "p3 b3 r2"))

_GOOD: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("agree", ("agree",)),
    *(
        (f"decline-{reason}", ("decline", reason))
        for reason in ("declined", "game_unknown", "rules_unknown", "data_missing")
    ),
    ("decline-other_settings", ("decline", "other_settings")),
    ("here", ("here", 170, _HASH)),
    ("here-nothing", ("here", 0, _HASH)),
    *((f"again-{wish}", ("again", wish)) for wish in (0, 1, 2)),
    ("chat", ("chat", "Well played!")),
    ("chat-limit", ("chat", "\u4e0a" * 400)),
    ("offer", ("offer", 12, _SIGNATURE)),
    ("resign", ("resign", _HASH, _SIGNATURE)),
    ("challenge", ("challenge", _HASH, "shanghaien", 1, _SETTINGS, _SIGNATURE)),
    ("challenge-unknown", ("challenge", _HASH, "chess", 65535, (), _SIGNATURE)),
    ("challenge-full", ("challenge", _HASH, "g" * 64, 1, tuple((f"s{n}", "v") for n in range(16)), _SIGNATURE)),
)
_BAD: tuple[tuple[str, str, Any], ...] = (
    ("unknown-kind", "no such kind", ("hum",)),
    ("no-kind", "an empty body", ()),
    ("kind-number", "a kind that is a number", (1,)),
    ("body-text", "a body that is no array", "agree"),
    ("agree-more", "a word to spare", ("agree", 1)),
    ("decline-nothing", "no reason", ("decline",)),
    ("decline-other", "no such reason", ("decline", "tired")),
    ("here-negative", "a negative length", ("here", -1, _HASH)),
    ("here-true", "true is not a length", ("here", True, _HASH)),
    ("here-short", "a head of 31 bytes", ("here", 1, _HASH[:31])),
    ("again-3", "no such wish", ("again", 3)),
    ("again-true", "true is not 1", ("again", True)),
    ("chat-empty", "nothing said", ("chat", "")),
    ("chat-long", "401 code points", ("chat", "a" * 401)),
    ("chat-escape", "a line that moves the cursor", ("chat", "\x1b]52;c;AAAA\x07")),
    ("chat-lines", "two lines", ("chat", "a\nb")),
    ("chat-bytes", "a byte string", ("chat", b"hello")),
    ("offer-negative", "a negative number", ("offer", -1, _SIGNATURE)),
    ("offer-short", "a signature of 63 bytes", ("offer", 12, _SIGNATURE[:63])),
    ("resign-short", "a signature of 63 bytes", ("resign", _HASH, _SIGNATURE[:63])),
    ("resign-no-head", "no head", ("resign", _SIGNATURE)),
    ("challenge-short", "a session of 31 bytes", ("challenge", _HASH[:31], "shanghaien", 1, _SETTINGS, _SIGNATURE)),
    ("challenge-nil", "no game", ("challenge", _HASH, None, 1, _SETTINGS, _SIGNATURE)),
    ("challenge-rules-0", "no such rules version", ("challenge", _HASH, "shanghaien", 0, _SETTINGS, _SIGNATURE)),
    ("challenge-rules-true", "true is not 1", ("challenge", _HASH, "shanghaien", True, _SETTINGS, _SIGNATURE)),
    ("challenge-escape", "a game that moves the cursor", ("challenge", _HASH, "a\x1b[2J", 1, (), _SIGNATURE)),
    ("challenge-normal", "a game in another normal form", ("challenge", _HASH, "e\u0301", 1, (), _SIGNATURE)),
    (
        "challenge-setting-normal",
        "a setting in another normal form",
        ("challenge", _HASH, "shanghaien", 1, (("e\u0301", "on"),), _SIGNATURE),
    ),
    (
        "challenge-setting-twice",
        "a setting twice",
        ("challenge", _HASH, "shanghaien", 1, (("a", "on"), ("a", "off")), _SIGNATURE),
    ),
    (
        "challenge-settings-17",
        "17 settings",
        ("challenge", _HASH, "g", 1, tuple((f"s{n}", "v") for n in range(17)), _SIGNATURE),
    ),
    ("challenge-signature", "a signature of 63 bytes", ("challenge", _HASH, "shanghaien", 1, (), _SIGNATURE[:63])),
    ("challenge-unsigned", "no signature", ("challenge", _HASH, "shanghaien", 1, _SETTINGS)),
)


def notes() -> Iterator[Vector]:
    """Notes from the guest (seat 1) to the host, and what the host says of those who watch."""
    for name, words in _GOOD:
        yield _evaluated(name, f"a note of the kind {words[0]}", _frame(encode(words)))
    for name, comment, words in _BAD:
        yield _evaluated(name, comment, _frame(encode(words)))
    body = encode(("agree",))
    elsewhere = _frame(body, handshake=some_bytes("other handshake"))
    yield _evaluated("later", "the eighth note", _frame(body, 7), 7)
    yield _evaluated("skipped", "a note is missing", _frame(body, 1), 0)
    yield _evaluated("repeated", "a note that was there before", _frame(body, 0), 1)
    yield _evaluated("counter-false", "false is not 0", _frame(body, False))
    yield _evaluated("other-handshake", "a note of another connection", elsewhere)
    yield _evaluated("own", "a note of the receiver's own, sent back", _frame(body, seat=0, signer=HOST))
    yield _evaluated("other-seat", "signed for the other direction", _frame(body, seat=0))
    yield _evaluated("other-signer", "signed by another key", _frame(body, signer=HOST))
    yield _evaluated("not-canonical", "a body with a map", _frame(b"\x80"))
    yield _evaluated("too-long", "a body of more than 2,048 bytes", _frame(encode(("chat", "a" * MAX_NOTE))))
    yield _evaluated("short-signature", "a signature of 63 bytes", encode(("note", 0, body, bytes(63))))
    yield _evaluated("three-items", "no signature", encode(("note", 0, body)))
    yield _evaluated("text-body", "a body that is a string", encode(("note", 0, "agree", bytes(64))))
    for count, comment in ((0, "nobody watches"), (1, "one watches"), (20, "as many watch as may")):
        yield _watchers(f"watchers-{count}", comment, (count,))
    for name, comment, words in (
        ("watchers-21", "more watch than may", (21,)),
        ("watchers-negative", "a negative number", (-1,)),
        ("watchers-true", "true is not 1", (True,)),
        ("watchers-nil", "no number", (None,)),
        ("watchers-text", "a number that is a string", ("1",)),
        ("watchers-nothing", "nothing said", ()),
        ("watchers-more", "an item to spare", (1, 1)),
    ):
        yield _watchers(name, comment, words)
    yield _watchers("watchers-guest", "the guest has nobody to count", (1,), seat=1)
    yield _watchers("watchers-unwatchable", "in a game that nobody may watch", (1,), watchable=False)


def _watchers(name: str, comment: str, words: tuple[Any, ...], seat: int = 0, *, watchable: bool = True) -> Vector:
    """Return what the other seat makes of the note `watchers`."""
    frame = _frame(encode(("watchers", *words)), seat=seat, signer=_KEYS[seat])
    return _evaluated(name, comment, frame, seat=seat, watchable=watchable)


def _frame(
    body: bytes, counter: int = 0, *, handshake: bytes = _HANDSHAKE, seat: int = 1, signer: Identity = GUEST
) -> bytes:
    digest = tagged_hash(Tag.NOTE, handshake, seat, counter, body)
    return encode(("note", counter, body, signer.sign(digest)))


def _evaluated(
    name: str, comment: str, frame: bytes, expected: int = 0, *, seat: int = 1, watchable: bool = False
) -> Vector:
    """Return what the receiver makes of a frame of `seat` after `expected` notes."""
    vector = {
        "id": name,
        "comment": comment,
        "handshake": _HANDSHAKE.hex(),
        "seat": seat,
        "key": _KEYS[seat].public.hex(),
        "watchable": watchable,
        "counter": expected,
        "frame": frame.hex(),
    }
    try:
        note = _reader(expected, seat).read(_message(frame))
        if note.kind == NoteKind.WATCHERS:
            listener(seat, watchable=watchable).receive(frame)
    except Malformed as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}
    return {**vector, "result": "valid", "words": plain((str(note.kind), *note.words))}


def _message(frame: bytes) -> tuple[Any, ...]:
    message = decode(frame, 4096)
    assert isinstance(message, tuple)
    return message


def listener(seat: int, *, watchable: bool) -> Endpoint:
    """Return the receiver of the notes of `seat`, in a game that has just begun."""
    session = open_session(meet("notes", watchable=watchable), KNOWN)
    endpoint = Endpoint(begin(session), 1 - seat, _KEYS[1 - seat], secret=some_bytes("secret"))
    endpoint.begin(_HANDSHAKE, _reader(0, seat))
    return endpoint


def _reader(expected: int, seat: int) -> Notes:
    """Return a reader of the notes of `seat`, as it is after `expected` of them."""
    notes = Notes(_KEYS[1 - seat], 1 - seat, _HANDSHAKE, _KEYS[seat].public)
    writer = Notes(_KEYS[seat], seat, _HANDSHAKE, _KEYS[1 - seat].public)
    for _ in range(expected):
        notes.read(_message(writer.write(NoteKind.AGREE)))
    return notes
