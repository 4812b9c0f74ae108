"""Notes beside the chain: bound to their connection, direction and place, and of a fixed form (SPEC 7)."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.effects import Finished, Heard
from p2p_shanghaien.fairplay.keys import Identity, Tag, tagged_hash
from p2p_shanghaien.fairplay.notes import AGAINS, MAX_NOTE, Decline, Note, NoteKind, Notes
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.text import FORBIDDEN
from tests.cheater import caught, check_dropped, check_unharmed, entry_frame
from tests.pair import make_pair
from tests.sweeps import together

HASH, SIGNATURE = bytes(range(32)), bytes(range(64))

HOST, GUEST = Identity(b"\x01" * 32), Identity(b"\x02" * 32)
HANDSHAKE = b"\x03" * 32

LETTERS = "abcxyz 0123456789äöü漢字🎲é"

WELL_FORMED: list[tuple[Any, ...]] = [
    (NoteKind.AGREE,),
    *((NoteKind.DECLINE, str(reason)) for reason in Decline),
    (NoteKind.HERE, 0, HASH),
    (NoteKind.HERE, 2**32, HASH),
    *((NoteKind.AGAIN, wish) for wish in AGAINS),
    (NoteKind.CHAT, "hello"),
    (NoteKind.CHAT, "漢字 🎲 é"),
    (NoteKind.CHAT, "x" * 400),
    (NoteKind.CHAT, "🎲" * 400),
    (NoteKind.OFFER, 0, SIGNATURE),
    (NoteKind.RESIGN, HASH, SIGNATURE),
    (NoteKind.CHALLENGE, HASH, "halunken", 1, (("blackjack", "on"), ("hands", "3")), SIGNATURE),
    (NoteKind.CHALLENGE, HASH, "漢字 🎲 é", 65535, (), SIGNATURE),
    (NoteKind.WATCHERS, 0),
    (NoteKind.WATCHERS, 20),
]


def both() -> tuple[Notes, Notes]:
    return Notes(HOST, 0, HANDSHAKE, GUEST.public), Notes(GUEST, 1, HANDSHAKE, HOST.public)


def message(frame: bytes) -> tuple[Any, ...]:
    value = decode(frame, MAX_FRAME)
    assert isinstance(value, tuple)
    return value


def signed(identity: Identity, seat: int, counter: int, body: bytes, handshake: bytes = HANDSHAKE) -> tuple[Any, ...]:
    return "note", counter, body, identity.sign(tagged_hash(Tag.NOTE, handshake, seat, counter, body))


notes_said = st.one_of(
    st.sampled_from(WELL_FORMED),
    st.text(LETTERS, min_size=1, max_size=400)
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
    .map(lambda text: (NoteKind.CHAT, text)),
    st.tuples(st.just(NoteKind.HERE), st.integers(0, 2**64 - 1), st.binary(min_size=32, max_size=32)),
    st.tuples(st.just(NoteKind.OFFER), st.integers(0, 2**64 - 1), st.binary(min_size=64, max_size=64)),
)


@given(st.lists(st.tuples(st.integers(0, 1), notes_said), max_size=12))
def test_what_one_says_the_other_reads(said: list[tuple[int, Any]]) -> None:
    sides = both()
    for seat, (kind, *words) in said:
        note = sides[1 - seat].read(message(sides[seat].write(kind, *words)))
        assert note == Note(kind, tuple(words))
        assert list(map(type, note.words)) == list(map(type, words))


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "nil": encode(None),
    "no kind": encode(()),
    "text": encode("agree"),
    "an unknown kind": encode(("greet",)),
    "a kind in bytes": encode((b"agree",)),
    "a kind in capitals": encode(("AGREE",)),
    "a map": b"\x81\xa5agree\xc0",
    "a map with a key twice": b"\x82\xa5agree\xc0\xa5agree\xc0",
    "a float": b"\x92\xa5again\xcb" + bytes(8),
    "an extension": b"\x92\xa5again\xd4\x00\x00",
    "a long form": b"\x91\xd9\x05agree",
    "bytes to spare": encode(("agree",)) + b"\xc0",
    "bytes missing": encode(("agree",))[:-1],
    "random bytes": random.Random(1).randbytes(99),
    "very deep": b"\x91" * 1500,
    "too long": encode(("chat", "x" * MAX_NOTE)),
    "agree, with a word": encode(("agree", 1)),
    "decline without a reason": encode(("decline",)),
    "an unknown reason": encode(("decline", "ugly")),
    "a reason in bytes": encode(("decline", b"declined")),
    "here alone": encode(("here",)),
    "here without a head": encode(("here", 1)),
    "here, true": encode(("here", True, HASH)),
    "here, negative": encode(("here", -1, HASH)),
    "here, 31 bytes": encode(("here", 1, HASH[:31])),
    "here, text": encode(("here", 1, "x" * 32)),
    "here, three words": encode(("here", 1, HASH, HASH)),
    "again, true": encode(("again", True)),
    "again, false": encode(("again", False)),
    "again, 3": encode(("again", 3)),
    "again, -1": encode(("again", -1)),
    "again, nil": encode(("again", None)),
    "again, text": encode(("again", "1")),
    "offer, true": encode(("offer", True, SIGNATURE)),
    "offer, negative": encode(("offer", -1, SIGNATURE)),
    "offer, 63 bytes": encode(("offer", 1, SIGNATURE[:63])),
    "offer, exchanged": encode(("offer", SIGNATURE, 1)),
    "resign alone": encode(("resign",)),
    "resign, 31 bytes": encode(("resign", HASH[:31], SIGNATURE)),
    "resign, 65 bytes": encode(("resign", HASH, SIGNATURE + b"\x00")),
    "resign, with a seat": encode(("resign", 1, HASH, SIGNATURE)),
    "challenge alone": encode(("challenge",)),
    "challenge, 31 bytes": encode(("challenge", HASH[:31], "pig", 1, (), SIGNATURE)),
    "challenge, 65 bytes": encode(("challenge", HASH, "pig", 1, (), SIGNATURE + b"\x00")),
    "challenge, a game in bytes": encode(("challenge", HASH, b"pig", 1, (), SIGNATURE)),
    "challenge, no game": encode(("challenge", HASH, "", 1, (), SIGNATURE)),
    "challenge, a long game": encode(("challenge", HASH, "x" * 65, 1, (), SIGNATURE)),
    "challenge, no rules": encode(("challenge", HASH, "pig", None, (), SIGNATURE)),
    "challenge, rules 0": encode(("challenge", HASH, "pig", 0, (), SIGNATURE)),
    "challenge, rules 65536": encode(("challenge", HASH, "pig", 65536, (), SIGNATURE)),
    "challenge, true": encode(("challenge", HASH, "pig", True, (), SIGNATURE)),
    "challenge, another normal form": encode(("challenge", HASH, "e\u0301", 1, (), SIGNATURE)),
    "challenge, settings of text": encode(("challenge", HASH, "pig", 1, ("goal",), SIGNATURE)),
    "challenge, a value that is a number": encode(("challenge", HASH, "pig", 1, (("goal", 100),), SIGNATURE)),
    "challenge, three words": encode(("challenge", HASH, "pig", 1, (("goal", "1", "2"),), SIGNATURE)),
    "challenge, a setting twice": encode(("challenge", HASH, "pig", 1, (("a", "1"), ("a", "2")), SIGNATURE)),
    "challenge, 17 settings": encode(("challenge", HASH, "g", 1, tuple((f"{n}", "v") for n in range(17)), SIGNATURE)),
    "challenge, an escape": encode(("challenge", HASH, "pig", 1, (("goal", "a\x1b[2J"),), SIGNATURE)),
    "watchers, 21": encode(("watchers", 21)),
    "watchers, -1": encode(("watchers", -1)),
    "watchers, true": encode(("watchers", True)),
    "watchers, nil": encode(("watchers", None)),
    "watchers alone": encode(("watchers",)),
    "watchers, two words": encode(("watchers", 1, 1)),
    "no text": encode(("chat",)),
    "empty text": encode(("chat", "")),
    "text in bytes": encode(("chat", b"hello")),
    "text that is too long": encode(("chat", "x" * 401)),
    "text in two": encode(("chat", "a", "b")),
    "text with a space before": encode(("chat", " hello")),
    "text with a space behind": encode(("chat", "hello\u3000")),
    "only a space": encode(("chat", "\u00a0")),
    "a new line": encode(("chat", "a\nb")),
    "an escape": encode(("chat", "\x1b]52;c;aGk=\x07")),
    "a C1 control": encode(("chat", "a\u009b2J")),
    "right to left": encode(("chat", "a\u202eb")),
    "decomposed": encode(("chat", "e\u0301")),
    "not UTF-8": b"\x92\xa4chat\xa2\xff\xfe",
    "a surrogate": b"\x92\xa4chat\xa3\xed\xa0\x80",
}


@together("body", BODIES.values(), ids=BODIES)
def test_a_note_of_another_form(body: bytes) -> None:
    _, guest = both()
    with pytest.raises(Malformed):
        guest.read(signed(HOST, 0, 0, body))


def test_each_forbidden_range_is_refused_at_both_ends() -> None:
    for first, last in FORBIDDEN:
        for code in (first, last):
            if 0xD800 <= code <= 0xDFFF:
                continue  # has no UTF-8; see "a surrogate"
            _, guest = both()
            with pytest.raises(Malformed):
                guest.read(signed(HOST, 0, 0, encode(("chat", f"a{chr(code)}b"))))


def test_a_counter_is_an_integer_and_the_next_one() -> None:
    body = encode(("agree",))
    for counter in (1, -1, 2**64 - 1):
        _, guest = both()
        with pytest.raises(Malformed, match="note_out_of_order"):
            guest.read(signed(HOST, 0, counter, body))
    for wrong in (False, None, "0", b"\x00", (0,)):
        _, guest = both()
        signature = HOST.sign(tagged_hash(Tag.NOTE, HANDSHAKE, 0, wrong, body))
        with pytest.raises(Malformed):
            guest.read(("note", wrong, body, signature))
    _, guest = both()
    guest.read(signed(HOST, 0, 0, body))
    with pytest.raises(Malformed):
        guest.read(("note", True, body, HOST.sign(tagged_hash(Tag.NOTE, HANDSHAKE, 0, True, body))))


def test_a_note_repeated_left_out_or_exchanged() -> None:
    host, guest = both()
    frames = [message(host.write(NoteKind.CHAT, text)) for text in "abc"]
    guest.read(frames[0])
    for wrong in (frames[0], frames[2]):
        with pytest.raises(Malformed, match="note_out_of_order"):
            guest.read(wrong)
    guest.read(frames[1])
    guest.read(frames[2])


def test_a_note_reflected_or_from_elsewhere() -> None:
    body = encode(("agree",))
    host, guest = both()
    with pytest.raises(Malformed, match="bad_note_signature"):
        host.read(message(host.write(NoteKind.AGREE)))
    for wrong in (
        signed(HOST, 1, 0, body),
        signed(GUEST, 0, 0, body),
        signed(HOST, 0, 0, body, handshake=bytes(32)),
        ("note", 0, encode(("chat", "other")), signed(HOST, 0, 0, body)[3]),
        ("note", 0, body, bytes(64)),
        ("note", 0, body, b""),
        ("note", 0, body, signed(HOST, 0, 0, body)[3][:63]),
        ("note", 0, body, HOST.sign(body)),
    ):
        with pytest.raises(Malformed, match="bad_note_signature"):
            guest.read(wrong)


def test_with_one_key_at_both_seats_a_reflected_note_is_refused_all_the_same() -> None:
    host = Notes(HOST, 0, HANDSHAKE, HOST.public)
    with pytest.raises(Malformed, match="bad_note_signature"):
        host.read(message(host.write(NoteKind.AGREE)))


@pytest.mark.parametrize(
    "wrong",
    [
        ("note",),
        ("note", 0),
        ("note", 0, b""),
        ("note", 0, "agree", bytes(64)),
        ("note", 0, b"", "x"),
        ("note", 0, b"", b"", 0),
    ],
    ids=repr,
)
def test_a_frame_of_another_form(wrong: tuple[Any, ...]) -> None:
    with pytest.raises(Malformed, match="not_a_note"):
        both()[1].read(wrong)


# In a game


@pytest.mark.parametrize("seat", [0, 1])
def test_bad_notes_in_a_game_cost_the_connection_and_nothing_else(seat: int) -> None:
    for body in BODIES.values():
        table = caught("draw_contribution", seat)
        check_dropped(table, encode(signed(table.own, seat, 0, body, table.due.handshake)))
        assert table.verdict().verdict == Verdict.INCOMPLETE
    table = caught("action", seat)
    stranger = make_pair(random.Random(1), identities=table.pair.identities).sides[seat].endpoint
    own_note = table.victim.endpoint.note(NoteKind.CHAT, "mine").frame
    table.pair.wires[seat].append(own_note)
    for frame in (
        own_note,
        encode(signed(table.own, 1 - seat, 0, encode(("agree",)), table.due.handshake)),
        encode(signed(table.own, seat, 7, encode(("agree",)), table.due.handshake)),
        stranger.note(NoteKind.CHAT, "from another connection").frame,
    ):
        check_dropped(table, frame)
    check_unharmed(table)


def test_what_is_said_is_passed_on_and_changes_nothing() -> None:
    table = caught("action", 0)
    match, log = table.victim.endpoint.match, table.victim.log
    for kind, *words in WELL_FORMED:
        if kind not in (NoteKind.RESIGN, NoteKind.HERE, NoteKind.OFFER, NoteKind.WATCHERS):
            frame = table.pair.sides[0].endpoint.note(kind, *words).frame
            assert table.deliver(frame) == [Heard(Note(kind, tuple(words)))]
    assert (table.victim.endpoint.match, table.victim.log) == (match, log)
    check_unharmed(table)


@pytest.mark.parametrize("watchable", [False, True])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_host_of_a_game_that_may_be_watched_says_how_many_do(seat: int, *, watchable: bool) -> None:
    pair = make_pair(random.Random(seat), watchable=watchable)
    pair.settle()
    said, heard = (pair.sides[each].endpoint for each in (seat, 1 - seat))
    frame = said.note(NoteKind.WATCHERS, 3).frame
    if seat == 0 and watchable:
        assert heard.receive(frame) == [Heard(Note(NoteKind.WATCHERS, (3,)))]
    else:
        with pytest.raises(Malformed, match="unexpected_frame"):
            heard.receive(frame)


def test_here_does_not_finish_what_is_not_finished() -> None:
    """A false "I have it" neither ends the game nor lets seat 1 leave before seat 0 has both signatures."""
    table = caught("result", 0)
    endpoint, cheater = table.victim.endpoint, table.pair.sides[0].endpoint
    for length, head in ((len(endpoint.entries), endpoint.match.head), (len(endpoint.entries) + 2, HASH)):
        assert table.deliver(cheater.note(NoteKind.HERE, length, head).frame) == []
    table.deliver(entry_frame(table.due.data))
    assert endpoint.match.expected is None
    assert table.verdict().verdict == Verdict.COMPLETE
    for length, head in (
        (len(endpoint.entries) - 1, endpoint.match.head),
        (len(endpoint.entries), endpoint.entries[-1].parent),
        (len(endpoint.entries) + 1, HASH),
    ):
        assert table.deliver(cheater.note(NoteKind.HERE, length, head).frame) == []
    assert not table.pair.finished(1)
    assert Finished() in table.deliver(cheater.note(NoteKind.HERE, len(endpoint.entries), endpoint.match.head).frame)
