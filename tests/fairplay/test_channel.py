"""Prefaces, and the opening of a channel frame by frame (SPEC 4.3, 4.4)."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import CannotConnect, Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import (
    BLOCK,
    MAX_FRAME,
    MAX_MESSAGE,
    NO_KEY,
    Channel,
    ChannelOpening,
    Secured,
    WrongInvitation,
)
from p2p_shanghaien.fairplay.handshake import bye
from p2p_shanghaien.fairplay.hello import Invitation, Role
from p2p_shanghaien.fairplay.noise import Cipher
from p2p_shanghaien.fairplay.preface import VERSIONS, preface
from tests.sweeps import together


def openings() -> tuple[ChannelOpening, ChannelOpening]:
    """Return both ends of a new connection, the host's first."""
    return ChannelOpening(Role.HOST, (NO_KEY,), b"\x01" * 32), ChannelOpening(Role.GUEST, (NO_KEY,), b"\x02" * 32)


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


KEY, OTHER_KEY = b"\x07" * 32, b"\x08" * 32


def opened(host_keys: Sequence[bytes], guest_key: bytes) -> tuple[Channel, Channel]:
    """Return both ends of a channel, the host's first."""
    host, guest = (
        ChannelOpening(Role.HOST, host_keys, b"\x01" * 32),
        ChannelOpening(Role.GUEST, (guest_key,), b"\x02" * 32),
    )
    wires = [guest.start(), host.start()]
    while any(wires):
        for seat, side in enumerate((host, guest)):
            while wires[seat]:
                wires[1 - seat] += side.receive(wires[seat].pop(0))
    assert host.channel is not None
    assert guest.channel is not None
    return host.channel, guest.channel


@pytest.mark.parametrize(
    ("host_keys", "guest_key"), [((NO_KEY,), NO_KEY), ((KEY, NO_KEY), KEY), ((KEY, NO_KEY), NO_KEY)]
)
def test_both_ends_know_the_same(host_keys: Sequence[bytes], guest_key: bytes) -> None:
    ends = opened(host_keys, guest_key)
    assert ends[0].secured == ends[1].secured
    assert (ends[0].secured.key, ends[0].secured.versions) == (guest_key, VERSIONS)
    for sender, receiver in (ends, ends[::-1]):
        for frame in (b"", b"one", b"two"):
            assert receiver.open(sender.seal(frame)) == frame


@pytest.mark.parametrize(("host_keys", "guest_key"), [((NO_KEY,), KEY), ((KEY, NO_KEY), OTHER_KEY)])
def test_a_key_that_the_host_does_not_have(host_keys: Sequence[bytes], guest_key: bytes) -> None:
    with pytest.raises(WrongInvitation):
        opened(host_keys, guest_key)


@pytest.mark.parametrize("message", [b"", bytes(47), bytes(49), encode(("commit", bytes(32)))])
def test_a_message_of_another_length(message: bytes) -> None:
    for side in openings():
        side.start()
        side.receive(preface())
        with pytest.raises(Malformed, match="not_sealed"):
            side.receive(message)


@pytest.mark.parametrize(
    "payload", [b"", bytes(BLOCK), b"\1" + bytes(BLOCK - 2), b"\1" + bytes(2 * BLOCK - 1), b"\2" * BLOCK]
)
def test_a_payload_of_another_form(payload: bytes) -> None:
    """Whoever has the key has sealed it so."""
    message = Cipher(bytes(32)).encrypt(payload)
    with pytest.raises(Malformed, match="not_sealed"):
        Channel(Secured(VERSIONS, bytes(32), NO_KEY), bytes(32), bytes(32)).open(message)


def test_a_message_that_is_too_long() -> None:
    host, guest = opened((NO_KEY,), NO_KEY)
    assert host.open(guest.seal(bytes(MAX_FRAME))) == bytes(MAX_FRAME)
    with pytest.raises(Malformed, match="not_sealed"):
        host.open(guest.seal(bytes(MAX_MESSAGE)))


def test_an_invitation_makes_a_key_and_a_room() -> None:
    """Each host, and each invitation, has its own; neither tells the invitation."""
    invitations = [Invitation(bytes([a]) * 16, bytes([b]) * 16) for a in (1, 2) for b in (1, 2)]
    assert len({each.room for each in invitations}) == 4
    assert {len(each.room) for each in invitations} == {16}
    assert len({each.channel_key for each in invitations}) == 2
    assert NO_KEY not in {each.channel_key for each in invitations}


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
