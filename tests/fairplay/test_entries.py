"""Entries as bytes, and the keys that sign them (SPEC 3, 5.1)."""

from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, MAX_NUMBER, Envelope, Kind, parse, sign
from p2p_shanghaien.fairplay.keys import (
    Identity,
    PublicKey,
    Tag,
    authentication_string,
    choice_commitment,
    commitment,
    fingerprint,
    is_acceptable,
    shown_key,
    tagged_hash,
)
from tests.fairplay.strangers import REFUSED_KEYS

KEY, OTHER = Identity(b"\x01" * 32), Identity(b"\x02" * 32)

hashes = st.binary(min_size=32, max_size=32)
envelopes = st.builds(
    Envelope,
    session=hashes,
    number=st.integers(0, MAX_NUMBER),
    parent=hashes,
    seat=st.integers(0, 1),
    handshake=hashes,
    kind=st.sampled_from([str(kind) for kind in Kind]) | st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    content=st.binary(max_size=500),
    state=hashes,
)


@given(envelopes)
def test_an_entry_is_read_as_it_was_signed(envelope: Envelope) -> None:
    entry = sign(KEY, envelope)
    assert len(entry.data) <= MAX_ENTRY
    again = parse(entry.data)
    assert again == entry
    assert Envelope(*again[:8]) == envelope
    assert [type(field) for field in again[:8]] == [bytes, int, bytes, int, bytes, str, bytes, bytes]
    assert PublicKey.of(KEY.public).verifies(entry.hash, entry.signature)
    assert not PublicKey.of(OTHER.public).verifies(entry.hash, entry.signature)
    assert entry.hash == tagged_hash(Tag.ENTRY, encode(envelope))


@given(envelopes, st.data())
def test_another_byte_is_another_entry_or_none(envelope: Envelope, data: st.DataObject) -> None:
    entry = sign(KEY, envelope)
    changed = bytearray(entry.data)
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        other = parse(bytes(changed))
    except Malformed:
        return
    assert not PublicKey.of(KEY.public).verifies(other.hash, other.signature)


@given(st.binary(max_size=MAX_ENTRY + 20))
def test_random_bytes_are_no_entry(data: bytes) -> None:
    with pytest.raises(Malformed):
        parse(data)


@given(envelopes, envelopes)
def test_equal_hashes_mean_equal_envelopes(one: Envelope, other: Envelope) -> None:
    assert (sign(KEY, one).hash == sign(OTHER, other).hash) == (one == other)


def test_each_field_is_signed() -> None:
    """No field can be changed under a signature."""
    entry = sign(KEY, Envelope(bytes(32), 5, bytes(32), 1, bytes(32), "action", b"x", bytes(32)))
    other = bytes([1]) * 32
    changes: dict[str, Any] = dict.fromkeys(("session", "parent", "handshake", "state"), other)
    changes |= {"number": 6, "seat": 0, "kind": "draw_reveal", "content": b"y"}
    assert set(changes) == set(Envelope._fields)
    for name, value in changes.items():
        changed = parse(encode((encode(Envelope(*entry[:8])._replace(**{name: value})), entry.signature)))
        assert changed.hash != entry.hash
        assert not PublicKey.of(KEY.public).verifies(changed.hash, changed.signature)


# Keys


def test_keys_that_nobody_holds_are_refused() -> None:
    for key in REFUSED_KEYS.values():
        assert not is_acceptable(key)
        with pytest.raises(ValueError, match="refused"):
            PublicKey(key)
    for number in range(64):
        assert is_acceptable(Identity(bytes([number]) * 32).public)


def test_a_key_must_be_on_the_curve() -> None:
    """The square roots of RFC 8032, 5.1.3, decide, which the check does not use."""
    p = 2**255 - 19
    d = -121665 * pow(121666, -1, p) % p
    for y in range(2, 1000):
        square = (y * y - 1) * pow(d * y * y + 1, -1, p) % p
        root = pow(square, (p + 3) // 8, p)
        exists = root * root % p in (square, -square % p)
        assert is_acceptable(y.to_bytes(32, "little")) == exists


def test_why_the_neutral_point_is_refused() -> None:
    """The library loads it as a key, and then one signature fits every message."""
    neutral = (1).to_bytes(32, "little")
    forged = neutral + bytes(32)
    key = Ed25519PublicKey.from_public_bytes(neutral)
    for message in (b"", b"anything", bytes(32)):
        key.verify(forged, message)
    assert not is_acceptable(neutral)


def test_a_signature_has_one_form() -> None:
    """S below the order; 64 bytes; R as it is computed."""
    order = 2**252 + 27742317777372353535851937790883648493
    signature = KEY.sign(b"message")
    s = int.from_bytes(signature[32:], "little")
    key = PublicKey.of(KEY.public)
    assert key.verifies(b"message", signature)
    for times in range(1, 15):
        assert not key.verifies(b"message", signature[:32] + (s + times * order).to_bytes(32, "little"))
    for wrong in (b"", signature[:63], signature + b"\x00", signature[32:] + signature[:32], bytes(64)):
        assert not key.verifies(b"message", wrong)
    for bit in range(512):
        flipped = (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")
        assert not key.verifies(b"message", flipped)
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(KEY.public).verify(signature, b"other")


def test_an_identity_keeps_its_key() -> None:
    assert Identity(KEY.private_bytes()).public == KEY.public
    assert KEY.private_bytes() == b"\x01" * 32
    for wrong in (b"", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="32 bytes"):
            Identity(wrong)


def test_a_commitment_binds_all_that_it_is_made_of() -> None:
    share = bytes(range(32))
    about: tuple[Any, ...] = (bytes(32), 7, KEY.public, share)
    others: tuple[Any, ...] = (b"\x01" * 32, 8, OTHER.public, bytes(32))
    for index in range(4):
        changed = (*about[:index], others[index], *about[index + 1 :])
        assert commitment(*changed) != commitment(*about)
    about, others = (*about, "2"), (*others, "3")
    for index in range(5):
        changed = (*about[:index], others[index], *about[index + 1 :])
        assert choice_commitment(*changed) != choice_commitment(*about)
    assert choice_commitment(*about) != commitment(*about[:4])


@given(st.binary(min_size=32, max_size=32))
def test_what_a_person_compares(data: bytes) -> None:
    groups = authentication_string(data).split(" ")
    assert [len(group) for group in groups] == [5, 5]
    assert all(group.isascii() and group.isdigit() for group in groups)
    assert len(fingerprint(data)) == 16
    shown = shown_key(data).split(" ")
    assert [len(group) for group in shown] == [4] * 8
    assert bytes.fromhex("".join(shown)) == fingerprint(data)
