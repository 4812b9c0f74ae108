"""Frames that ask for data from outside a game and hand them over (SPEC 4.17)."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.data import MAX_OFFER, Offering, digest_of, offer, parse_offer, parse_want, want

DECK = bytes([77, 1, 2, 3])


@given(st.binary(min_size=1, max_size=MAX_OFFER))
def test_what_is_sent_is_what_is_read(data: bytes) -> None:
    digest = sha256(data).hexdigest()
    assert digest_of(data) == digest
    assert parse_want(want(digest)) == digest
    assert parse_offer(offer(data), digest) == parse_offer(offer(data)) == data
    assert parse_want(offer(data)) is None
    assert parse_offer(want(digest)) is None


def test_as_much_as_may_be_offered_fits_a_frame() -> None:
    assert len(offer(bytes(MAX_OFFER))) <= MAX_FRAME


@pytest.mark.parametrize("items", [(), (b"",), (bytes(31),), (bytes(33),), ("0" * 64,), (None,), (bytes(32), 1)])
def test_another_want_is_malformed(items: tuple[bytes | str | None, ...]) -> None:
    with pytest.raises(Malformed, match="not_data"):
        parse_want(encode(("want", *items)))


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        ((), "not_data"),
        ((b"",), "not_data"),
        (("text",), "not_data"),
        ((None,), "not_data"),
        ((DECK, DECK), "not_data"),
        ((bytes(MAX_OFFER + 1),), "too_long"),
        ((b"M" + DECK,), "other_data"),
    ],
)
def test_other_data_are_malformed(items: tuple[bytes | str | None, ...], reason: str) -> None:
    with pytest.raises(Malformed, match=reason):
        parse_offer(encode(("data", *items)), digest_of(DECK))


def test_a_host_hands_over_what_its_settings_name_once() -> None:
    offering = Offering({digest_of(DECK): DECK})
    assert offering.asked(encode(("note",))) is None
    with pytest.raises(Malformed, match="data_not_named"):
        offering.asked(want(digest_of(b"other")))
    assert offering.asked(want(digest_of(DECK))) == (digest_of(DECK), DECK)
    with pytest.raises(Malformed, match="data_not_named"):
        offering.asked(want(digest_of(DECK)))
