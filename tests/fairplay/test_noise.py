"""Noise NNpsk0 by the published vectors, and beside another implementation."""

import random

import pytest
from noise.connection import NoiseConnection

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.noise import NAME, Cipher, Handshake, Keys

PROLOGUE = b"John Galt"
KEY = b"This is my Austrian perspective!"
EPHEMERALS = (
    bytes.fromhex("893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a"),
    bytes.fromhex("bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b"),
)
DIGEST = "f4d03dc34495c95729ea6de9e1b59004b59733102488b3e24bc441e0be208eaf"
MESSAGES = (
    (
        b"Ludwig von Mises",
        "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944"
        "79b962b8aff8485742ac32f905ba45369e2465fb59e138a93d67a0d1266b6a54",
    ),
    (
        b"Murray Rothbard",
        "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843"
        "d6062704d5a9c422a8e834423f8c1feada7e8d0d910a1a2cd030fb584221e3",
    ),
    (b"F. A. Hayek", "e632c3763d7669067383433197a3baddf146e9e70ad4b4e9e59e0f"),
    (b"Carl Menger", "64c6bee32ea91c8474bb4c21d7a700109ad45af77b29764ba5eb1e"),
    (b"Jean-Baptiste Say", "e2fa0bed0603b62d3ccac2ecabbf3fe33f3e86514909b323361626266cb2471cc8"),
    (b"Eugen B\xf6hm von Bawerk", "0c01dc9cec1fe4ddd692e8dd32188aa351088dc91183639a53b57aa4692b5ebdef8b8ca111"),
)
"""The messages of the cacophony vector for this protocol: the initiator's and the responder's by turns."""

SMALL_ORDER = (
    *(0, 1, 2**255 - 20, 2**255 - 19, 2**255 - 18),
    int.from_bytes(bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"), "little"),
    int.from_bytes(bytes.fromhex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"), "little"),
)
"""The u coordinates whose multiples by any key are zero (RFC 7748, 6.1)."""


def ends(
    keys: tuple[bytes, bytes] = (KEY, KEY), prologues: tuple[bytes, bytes] = (PROLOGUE, PROLOGUE)
) -> tuple[Handshake, Handshake]:
    """Return an initiator and a responder."""
    first, second = (Handshake(*each) for each in zip(prologues, keys, EPHEMERALS, strict=True))
    return first, second


def shaken(initiator: Handshake, responder: Handshake) -> tuple[Keys, Keys]:
    responder.read_first(initiator.write_first())
    initiator.read_second(responder.write_second())
    return initiator.split(), responder.split()


def test_the_published_vector() -> None:
    initiator, responder = ends()
    (first, sealed_first), (second, sealed_second), *rest = MESSAGES
    assert initiator.write_first(first).hex() == sealed_first
    assert responder.read_first(bytes.fromhex(sealed_first)) == first
    assert responder.write_second(second).hex() == sealed_second
    assert initiator.read_second(bytes.fromhex(sealed_second)) == second
    keys = initiator.split()
    assert keys == responder.split()
    assert keys.digest.hex() == DIGEST
    senders, receivers = ([Cipher(key) for key in (keys.initiator, keys.responder)] for _ in range(2))
    for index, (payload, sealed) in enumerate(rest):
        assert senders[index % 2].encrypt(payload).hex() == sealed
        assert receivers[index % 2].decrypt(bytes.fromhex(sealed)) == payload


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("initiates", [True, False])
def test_it_speaks_with_another_implementation(seed: int, initiates: bool) -> None:
    rng = random.Random(seed)
    key, prologue = rng.randbytes(32), rng.randbytes(rng.randrange(80))
    ours = Handshake(prologue, key, rng.randbytes(32))
    theirs = NoiseConnection.from_name(NAME)
    theirs.set_psks(key)
    theirs.set_prologue(prologue)
    if initiates:
        theirs.set_as_responder()
        theirs.start_handshake()
        theirs.read_message(ours.write_first())
        ours.read_second(bytes(theirs.write_message()))
    else:
        theirs.set_as_initiator()
        theirs.start_handshake()
        ours.read_first(bytes(theirs.write_message()))
        theirs.read_message(ours.write_second())
    keys = ours.split()
    assert keys.digest == theirs.get_handshake_hash()
    sending, receiving = map(Cipher, keys[:2] if initiates else keys[1::-1])
    for _ in range(5):
        said, heard = rng.randbytes(rng.randrange(600)), rng.randbytes(rng.randrange(600))
        assert bytes(theirs.decrypt(sending.encrypt(said))) == said
        assert receiving.decrypt(bytes(theirs.encrypt(heard))) == heard


@pytest.mark.parametrize("index", range(48))
def test_a_changed_byte_of_either_message_is_noticed(index: int) -> None:
    initiator, responder = ends()
    first = initiator.write_first()
    with pytest.raises(Malformed):
        ends()[1].read_first(changed(first, index))
    responder.read_first(first)
    with pytest.raises(Malformed):
        initiator.read_second(changed(responder.write_second(), index))


def changed(message: bytes, index: int) -> bytes:
    return message[:index] + bytes((message[index] ^ 0x40,)) + message[index + 1 :]


@pytest.mark.parametrize(
    ("keys", "prologues"),
    [((KEY, bytes(32)), (PROLOGUE, PROLOGUE)), ((KEY, KEY), (PROLOGUE, b"John Gald"))],
    ids=["key", "prologue"],
)
def test_another_key_or_prologue_is_noticed_at_the_first_message(
    keys: tuple[bytes, bytes], prologues: tuple[bytes, bytes]
) -> None:
    initiator, responder = ends(keys, prologues)
    with pytest.raises(Malformed):
        responder.read_first(initiator.write_first())


@pytest.mark.parametrize("size", [0, 1, 16, 31, 32, 33, 47])
def test_a_message_that_is_too_short(size: int) -> None:
    initiator, responder = ends()
    first = initiator.write_first()
    with pytest.raises(Malformed):
        ends()[1].read_first(first[:size])
    responder.read_first(first)
    with pytest.raises(Malformed):
        initiator.read_second(responder.write_second()[:size])


@pytest.mark.parametrize("point", SMALL_ORDER)
@pytest.mark.parametrize("high_bit", [0, 1])
def test_points_of_small_order_are_refused(point: int, high_bit: int) -> None:
    """The peer knows the key, and sends a point with which the secret would be zero, whoever is at the other end."""
    small = (point | high_bit << 255).to_bytes(32, "little")

    class Forger(Handshake):
        def _write_ephemeral(self) -> bytes:
            self._mix_ephemeral(small)
            return small

        def _mix_exchange(self) -> None:
            self._mix_key(bytes(32))

    initiator, responder = ends()
    responder.read_first(Forger(PROLOGUE, KEY, EPHEMERALS[0]).write_first())
    with pytest.raises(Malformed):
        responder.write_second()
    forger = Forger(PROLOGUE, KEY, EPHEMERALS[1])
    forger.read_first(initiator.write_first())
    with pytest.raises(Malformed):
        initiator.read_second(forger.write_second())


def test_messages_open_once_and_in_order() -> None:
    keys, _ = shaken(*ends())
    sending = Cipher(keys.initiator)
    first, second = sending.encrypt(b"first"), sending.encrypt(b"second")
    for wrong in ((second,), (first, first), (b"",), (first[:-1],), (first + b"x",)):
        receiving = Cipher(keys.initiator)
        *before, last = wrong
        for message in before:
            receiving.decrypt(message)
        with pytest.raises(Malformed):
            receiving.decrypt(last)
    with pytest.raises(Malformed):
        Cipher(keys.responder).decrypt(first)
