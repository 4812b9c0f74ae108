"""Prefaces, and the opening of a channel frame by frame (SPEC 4.3, 4.4)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import CannotConnect, Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import BLOCK, NO_KEY, Channel, Opening, Secured
from p2p_shanghaien.fairplay.handshake import bye
from p2p_shanghaien.fairplay.hello import Role
from p2p_shanghaien.fairplay.preface import VERSIONS, preface
from tests.sweeps import together


def openings() -> tuple[Opening, Opening]:
    """Return both ends of a new connection, the host's first."""
    return Opening(Role.HOST, (NO_KEY,), b"\x01" * 32), Opening(Role.GUEST, (NO_KEY,), b"\x02" * 32)


@pytest.mark.parametrize("versions", [(2,), (2, 3), (65535,), (256,), tuple(range(2, 34))])
def test_other_versions_are_told_to_both_and_nothing_else_happens(versions: tuple[int, ...]) -> None:
    for side in openings():
        with pytest.raises(CannotConnect, match="other_version") as error:
            side.receive(preface(versions))
        assert error.value.details["theirs"] == ", ".join(map(str, versions))
        assert error.value.details["ours"] == ", ".join(map(str, VERSIONS))


@together(
    "frame",
    [
        b"",
        b"p2p-shanghaien",
        b"p2p-shanghaien\x00",
        b"p2p-shanghaien\x00\x01\x00",
        b"p2p-shanghaien" + bytes(66),
        b"P2P-SHANGHAIEN\x00\x01",
        b"GET / HTTP/1.1\r\n\r\n",
        bye("busy"),
        encode(("hello", b"")),
        random.Random(1).randbytes(100),
    ],
)
def test_another_kind_of_program(frame: bytes) -> None:
    for side in openings():
        with pytest.raises(CannotConnect, match="not_our_protocol"):
            side.receive(frame)


def test_a_version_that_was_stripped_from_a_preface_opens_no_channel() -> None:
    """Whoever is in between changes the host's preface, or the guest's."""
    host, guest = openings()
    host.receive(preface())
    (message,) = guest.receive(preface((1, 2)))
    with pytest.raises(CannotConnect, match="wrong_invitation"):
        host.receive(message)
    host, guest = openings()
    host.receive(preface((1, 2)))
    (message,) = guest.receive(preface())
    with pytest.raises(CannotConnect, match="wrong_invitation"):
        host.receive(message)


@given(st.binary(max_size=4096), st.binary(min_size=32, max_size=32))
def test_what_is_sealed_opens_and_has_a_length_of_few(frame: bytes, key: bytes) -> None:
    secured = Secured(VERSIONS, bytes(32), NO_KEY)
    message = Channel(secured, key, bytes(32)).seal(frame)
    assert Channel(secured, bytes(32), key).open(message) == frame
    assert len(message) % BLOCK == 16
    assert len(frame) < len(message) - 16 <= len(frame) + BLOCK


@given(st.binary(max_size=1100))
def test_what_nobody_sealed_does_not_open(message: bytes) -> None:
    with pytest.raises(Malformed):
        Channel(Secured(VERSIONS, bytes(32), NO_KEY), bytes(32), bytes(32)).open(message)
