"""Frames that prove nothing cost only the connection: no violation, no harm to the log (SPEC 4.2, 5.2)."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from p2p_shanghaien.errors import ConnectionLost
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, Entry
from p2p_shanghaien.fairplay.handshake import bye
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.games.api import Value
from tests.cheater import (
    Table,
    caught,
    check_dropped,
    check_proved,
    check_proves_nothing,
    check_unharmed,
    entry_frame,
    entry_in,
    forged,
    with_signature,
    words,
)
from tests.pair import identity, make_pair
from tests.sweeps import sweep
from tests.toy import Toy

ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the curve's base point."""

NEUTRAL_POINT = b"\x01" + bytes(31)
"""A small-order point's encoding: as a signature's R it fits with S = 0 where the key is such a point as well."""


def misplaced(table: Table) -> dict[str, bytes]:
    """Entries that are well-formed and not in their place, most of them signed by the cheater."""
    due, own, other = table.due, table.own, table.other
    s = int.from_bytes(due.signature[32:], "little")
    more = {
        "another session": table.forged(session=bytes(32)),
        "session of the handshake": table.forged(session=due.handshake),
        "a number too high": table.forged(number=due.number + 1),
        "the highest number": table.forged(number=2**32 - 1),
        "another parent": table.forged(parent=bytes(32)),
        "itself for a parent": table.forged(parent=due.hash),
        "the other's seat": table.forged(seat=1 - due.seat),
        "the other's key": forged(other, due),
        "the other's seat and key": forged(other, due, seat=1 - due.seat),
        "another handshake": table.forged(handshake=bytes(32)),
        "an offence under another handshake": table.forged(handshake=bytes(32), content=b""),
        "no signature at all": with_signature(due, bytes(64)),
        "a neutral signature": with_signature(due, NEUTRAL_POINT + bytes(32)),
        "a signature under something else": with_signature(due, own.sign(due.parent)),
        "a signature under the envelope itself": with_signature(due, own.sign(_envelope(due))),
        "S plus the order": with_signature(due, due.signature[:32] + (s + ORDER).to_bytes(32, "little")),
        "the negative S": with_signature(due, due.signature[:32] + (ORDER - s).to_bytes(32, "little")),
        "R and S exchanged": with_signature(due, due.signature[32:] + due.signature[:32]),
    }
    if table.entries:
        last = table.entries[-1]
        more["the parent's parent"] = table.forged(parent=last.parent)
        more["the number before"] = table.forged(number=due.number - 1)
        more["the number and the parent before"] = table.forged(
            number=last.number, parent=last.parent, seat=1 - last.seat
        )
        more["the last entry, by the other seat"] = forged(own, last, seat=1 - last.seat)
        more["the last entry changed, unsigned"] = (
            forged(own, last, kind="other") if last.seat != table.seat else due.data[:-1]
        )
        more["the last signature"] = with_signature(due, last.signature)
    return more


def _envelope(entry: Entry) -> bytes:
    return encode(entry[:8])


PLACES = {
    "the opening": ("draw_commit", 0, 0),
    "the first share": ("draw_contribution", 1, 0),
    "the first reveal": ("draw_reveal", 0, 0),
    "an action of the host": ("action", 0, 9),
    "an action of the guest": ("action", 1, 9),
    "a share of the host": ("draw_contribution", 0, 9),
    "a reveal of the guest": ("draw_reveal", 1, 9),
    "the host's result": ("result", 0, 0),
    "the guest's result": ("result", 1, 0),
}


def at(place: str) -> Table:
    kind, seat, number = PLACES[place]
    game = Toy() if kind == "result" else None
    return caught(kind, seat, game=game, when=lambda pair, entry: entry.number >= number)


@pytest.mark.parametrize("place", PLACES)
def test_entries_out_of_place(place: str) -> None:
    table = at(place)
    for name, data in misplaced(table).items():
        check_dropped(table, entry_frame(data))
        if name != "another handshake" and name != "an offence under another handshake":
            check_proves_nothing(table, data)
    check_unharmed(table)


def misshapen(table: Table) -> dict[str, bytes]:
    """Bytes that are no entry, though signed by the cheater."""
    fields: list[Any] = list(table.due[:8])

    def signed(envelope: bytes, signature: Value = None) -> bytes:
        return encode((envelope, table.own.sign(tagged_hash(Tag.ENTRY, envelope)) if signature is None else signature))

    def changed(index: int, value: Value) -> bytes:
        return signed(encode([*fields[:index], value, *fields[index + 1 :]]))

    whole = encode(fields)
    shapes = {
        "seven fields": signed(encode(fields[:7])),
        "nine fields": signed(encode([*fields, None])),
        "a field missing in front": signed(encode(fields[1:])),
        "a map for an envelope": signed(b"\x81\xa1a\xc0"),
        "a float in the envelope": signed(whole[:-34] + b"\xcb" + bytes(8)),
        "an envelope in the open": encode((fields, table.due.signature)),
        "text for an envelope": encode(("x" * 200, table.due.signature)),
        "bytes to spare in the envelope": signed(whole + b"\x00"),
        "bytes missing in the envelope": signed(whole[:-1]),
        "an envelope of nothing": signed(b""),
        "nil for an envelope": signed(b"\xc0"),
        "a long number": signed(_long_number(whole, table.due.number)),
        "a long array": signed(b"\xdc\x00\x08" + whole[1:]),
        "true for a number": changed(1, True),
        "false for a number": changed(1, False),
        "a negative number": changed(1, -1),
        "a number of 33 bits": changed(1, 2**32),
        "text for a number": changed(1, str(table.due.number)),
        "nil for a number": changed(1, None),
        "a boolean for the seat": changed(3, bool(table.seat)),
        "seat 2": changed(3, 2),
        "seat -1": changed(3, -1),
        "bytes for a kind": changed(5, table.due.kind.encode()),
        "nil for a kind": changed(5, None),
        "text for content": changed(6, "content"),
        "content in the open": changed(6, words(table.due)),
        "nil for content": changed(6, None),
        "three items": encode((whole, table.due.signature, None)),
        "no signature": encode((whole,)),
        "a short signature": signed(whole, table.due.signature[:63]),
        "a long signature": signed(whole, table.due.signature + b"\x00"),
        "an empty signature": signed(whole, b""),
        "text for a signature": signed(whole, "x" * 64),
        "nothing": b"",
        "nil": b"\xc0",
        "an entry in an entry": encode((table.due.data, table.due.signature)),
        "a map": b"\x82" + table.due.data[1:],
        "more than an entry may have": signed(encode([*fields[:6], bytes(MAX_ENTRY), fields[7]])),
        "just more than an entry may have": _padded(table, MAX_ENTRY + 1),
    }
    for index, name in ((0, "session"), (2, "parent"), (4, "handshake"), (7, "state")):
        for wrong in (fields[index][:31], fields[index] + b"\x00", b"", "x" * 32, None, 1):
            shapes[f"{wrong!r:.12} for the {name}"] = changed(index, wrong)
    return shapes


def _padded(table: Table, size: int) -> bytes:
    """Return the entry that is due, with content that makes it just so long."""
    data = table.forged(content=bytes(512))
    data = table.forged(content=bytes(512 + size - len(data)))
    assert len(data) == size
    return data


def test_an_entry_of_the_highest_size_is_looked_into() -> None:
    table = caught("action", 0)
    check_proved(table, _padded(table, MAX_ENTRY), "malformed_content")


def _long_number(envelope: bytes, number: int) -> bytes:
    """Return the envelope with its number in two bytes more than it needs."""
    at_ = 1 + 34
    short = encode(number)
    assert envelope[at_ : at_ + len(short)] == short
    return envelope[:at_] + b"\xce" + number.to_bytes(4, "big") + envelope[at_ + len(short) :]


@pytest.mark.parametrize("place", PLACES)
def test_bytes_that_are_no_entry(place: str) -> None:
    table = at(place)
    for data in misshapen(table).values():
        check_dropped(table, entry_frame(data))
        if 0 < len(data) <= MAX_ENTRY:
            check_proves_nothing(table, data)
    check_unharmed(table)


def test_true_is_not_entry_1_and_false_is_not_seat_0() -> None:
    """At the places where Python would find them equal."""
    table = caught("draw_contribution", 1, when=lambda pair, entry: entry.number == 1)
    fields = list(table.due[:8])
    for index, value in ((1, True), (3, True)):
        data = forged(table.own, table.due, **{("number" if index == 1 else "seat"): value})
        assert fields[index] == value
        check_dropped(table, entry_frame(data), "not_an_envelope")
    table = caught("draw_commit", 0)
    for field in ("number", "seat"):
        check_dropped(table, entry_frame(table.forged(**{field: False})), "not_an_envelope")


def wrong_frames(table: Table) -> list[bytes]:
    rng = random.Random(1)
    data = table.due.data
    good = entry_frame(data)
    return [
        b"",
        b"\xc0",
        b"\xc1",
        b"\x00",
        b"\x90",
        b"p2p-shanghaien\x00\x01",
        b"<html>",
        good + b"\x00",
        good[:-1],
        good[1:],
        b"\xdc\x00\x02" + good[1:],
        b"\x81" + good[1:],
        encode(("entry",)),
        encode(("entry", data, None)),
        encode(("entry", None)),
        encode(("entry", data.hex())),
        encode(("entry", (data,))),
        encode((b"entry", data)),
        encode(("Entry", data)),
        encode(("entry", data[:-1])),
        encode(("entry", data + b"\x00")),
        encode(("hello", data)),
        encode(("commit", bytes(32))),
        encode(("proof", 0, bytes(32), bytes(64), None)),
        encode(("note",)),
        encode(("note", 0, b"", bytes(64))),
        encode(("bye",)),
        encode(("bye", 1)),
        encode(("bye", "leaving", 1)),
        encode(data),
        data,
        encode(("entry", bytes(MAX_FRAME))),
        bytes(MAX_FRAME + 1),
        b"\x91" * MAX_FRAME,
        b"\x91" * 100_000,
        b"\xdd\xff\xff\xff\xff" * 800,
        b"\xdc\x0f\xf0" * 1300,
        b"\x81\xa1a" * 1300,
        b"\x82\xa5entry\xc0\xa5entry\xc0",
        *(rng.randbytes(rng.randrange(1, 400)) for _ in range(300)),
        *(_spoilt(good, rng) for _ in range(300)),
    ]


def _spoilt(frame: bytes, rng: random.Random) -> bytes:
    at_ = rng.randrange(len(frame))
    return frame[:at_] + bytes([frame[at_] ^ rng.randrange(1, 256)]) + frame[at_ + 1 :]


@sweep("place", PLACES, every=3)
def test_frames_that_say_nothing(place: str) -> None:
    table = at(place)
    for frame in wrong_frames(table):
        check_dropped(table, frame)
    check_unharmed(table)


@pytest.mark.parametrize("reason", ["leaving", "busy", "", "\x1b]52;c;aGk=\x07", "x" * 4000])
def test_a_bye_ends_the_connection_and_proves_nothing(reason: str) -> None:
    table = caught("action", 0)
    log = table.victim.log
    with pytest.raises(ConnectionLost) as lost:
        table.deliver(bye(reason))
    assert "\x1b" not in str(lost.value.details)
    assert table.victim.log == log
    assert table.verdict().verdict == Verdict.INCOMPLETE


# Entries that are genuine, at another time


def test_the_same_entry_again_is_ignored() -> None:
    """Whoever cannot know whether a frame has arrived may send it again."""
    table = caught("action", 0, when=lambda pair, entry: entry.number > 20)
    log, match = table.victim.log, table.victim.endpoint.match
    for entry in [*table.entries, *reversed(table.entries)]:
        assert table.deliver(entry_frame(entry.data)) == []
    assert (table.victim.log, table.victim.endpoint.match) == (log, match)
    table.deliver(entry_frame(table.due.data))
    assert table.deliver(entry_frame(table.due.data)) == []
    table.pair.play(random.Random(0))
    for entry in table.entries:
        assert table.deliver(entry_frame(entry.data)) == []
    assert table.verdict().verdict == Verdict.COMPLETE


def test_an_entry_left_out() -> None:
    """The next one does not fit; sent in order after all, both do."""
    table = caught("action", 0, when=lambda pair, entry: words(entry)[0] == "roll")
    reveal = forged(table.own, table.due, number=table.due.number + 2, parent=table.due.hash, kind="draw_reveal")
    check_dropped(table, entry_frame(reveal), "wrong_number")
    check_proves_nothing(table, reveal)
    check_unharmed(table)


def test_two_entries_exchanged() -> None:
    """A placement's answer is a roll: whoever reveals and then acts has two entries on their way at once."""
    for seat in (0, 1):
        rng = random.Random(seat)
        table = caught("draw_reveal", seat, when=lambda pair, entry: pair.sides[entry.seat].asked is not None)
        table.pair.act_at_random(seat, rng)
        action = entry_in(table.pair.wires[1 - seat].popleft())
        assert action is not None
        assert (action.kind, action.number) == ("action", table.due.number + 1)
        check_dropped(table, entry_frame(action.data), "wrong_number")
        table.deliver(entry_frame(table.due.data))
        check_unharmed(Table(table.pair, seat, action))


def test_entries_of_another_session_between_the_same_two() -> None:
    """All of a whole game, one after the other, where one entry is awaited."""
    table = caught("action", 1, when=lambda pair, entry: entry.number > 10)
    rng = random.Random("another")
    other = make_pair(rng, identities=table.pair.identities)
    other.play(rng)
    for entry in other.sides[0].endpoint.entries:
        check_dropped(table, entry_frame(entry.data), "wrong_session", "wrong_number")
        check_proves_nothing(table, entry.data)
    check_unharmed(table)


@pytest.mark.parametrize("seat", [0, 1])
def test_acting_out_of_turn(seat: int) -> None:
    """The honest peer's entry is expected; the cheater signs for itself, or in the other's name."""
    actions: dict[str, Callable[[Table], bytes]] = {
        "for itself": lambda table: table.next("action", "roll", bytes(32)),
        "as the other": lambda table: table.next("action", "roll", bytes(32), seat=1 - seat),
        "a share": lambda table: table.next("draw_contribution", bytes(32)),
        "a result": lambda table: table.next("result", "over", (0, 0), None),
        "a resignation": lambda table: table.next("resignation", seat, table.session, bytes(64)),
    }
    table = _owed_by_the_honest_side(seat)
    for action in actions.values():
        data = action(table)
        check_dropped(table, entry_frame(data), "wrong_seat", "bad_signature")
        check_proves_nothing(table, data)


def _owed_by_the_honest_side(seat: int) -> Table:
    table = caught("action", seat, when=lambda pair, entry: words(entry)[0].startswith("-"))
    table.deliver(entry_frame(table.due.data))
    expected = table.victim.endpoint.match.expected
    assert expected is not None
    assert expected.seat == 1 - seat
    return table


def test_an_entry_in_the_honest_sides_own_name_is_never_taken() -> None:
    """With one key at both seats the cheater can sign it; still nobody else speaks for a seat."""
    rng = random.Random(3)
    key = identity(rng)
    pair = make_pair(rng, identities=(key, key))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 20)
    seat = next(seat for seat in (0, 1) if pair.sides[seat].asked)
    table = Table(pair, 1 - seat, pair.sides[0].endpoint.entries[-1])
    legal = table.victim.endpoint.match.state.legal(table.victim.endpoint.player)
    check_dropped(table, entry_frame(table.next("action", legal[0], None, seat=seat)), "own_entry")
