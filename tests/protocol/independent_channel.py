"""One end of a secure channel, written from protocol/SPEC.md, section 4.4, and the pages that it names, alone.

These are revision 34 of the Noise Protocol Framework ("Noise" below), RFC 7748 and RFC 8439. X25519 and
ChaCha20-Poly1305 themselves are a library's; everything of Noise is here.
"""

import hashlib
import struct
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from tests.protocol.independent import Refused, encode, mac, read_preface

HOST, GUEST = 0, 1
PREFACE = bytes.fromhex("7032702d7368616e67686169656e0001")
NOISE = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
BLOCK = 512


def hkdf(chaining_key: bytes, material: bytes) -> tuple[bytes, bytes, bytes]:
    """Noise, 4.3: three outputs; the first two are also those of the HKDF with two."""
    secret = mac(chaining_key, material)
    first = mac(secret, b"\x01")
    second = mac(secret, first + b"\x02")
    return first, second, mac(secret, second + b"\x03")


def nonce(number: int) -> bytes:
    """Noise, 12.3."""
    return bytes(4) + struct.pack("<Q", number)


class Symmetric:
    """Noise, 5.2: the symmetric state of an NNpsk0, from the token `psk` on."""

    def __init__(self, prologue: bytes, key: bytes) -> None:
        # the name is longer than a hash, so it is hashed
        self.chaining_key = self.hash = hashlib.sha256(NOISE).digest()
        self.mix_hash(prologue)
        self.chaining_key, mixed, self.key = hkdf(self.chaining_key, key)
        self.mix_hash(mixed)

    def mix_hash(self, data: bytes) -> None:
        self.hash = hashlib.sha256(self.hash + data).digest()

    def mix_key(self, material: bytes) -> None:
        self.chaining_key, self.key, _ = hkdf(self.chaining_key, material)

    def mix_ephemeral(self, public: bytes) -> None:
        """The token `e`, which with a pre-shared key is mixed into both (Noise, 9.2)."""
        self.mix_hash(public)
        self.mix_key(public)

    def empty_payload(self) -> bytes:
        """Return the encrypted payload of a message: the tag alone. Its key is always new, so its number is 0."""
        tag = ChaCha20Poly1305(self.key).encrypt(nonce(0), b"", self.hash)
        self.mix_hash(tag)
        return tag


def seal(key: bytes, number: int, frame: bytes) -> bytes:
    """4.4: the message that carries a frame as the sender's `number`-th."""
    payload = frame + b"\x01"
    return ChaCha20Poly1305(key).encrypt(nonce(number), payload + bytes(-len(payload) % BLOCK), None)


def unseal(key: bytes, number: int, message: bytes) -> bytes:
    """4.4: the frame in the sender's `number`-th message. Raises Refused."""
    # 1.4
    if len(message) > 4624:
        raise Refused("too_long")
    try:
        payload = ChaCha20Poly1305(key).decrypt(nonce(number), message, None)
    except InvalidTag:
        raise Refused("not_sealed") from None
    content = payload.rstrip(b"\x00")
    # zero bytes that fill blocks of their own bring the length to no multiple that it had not reached before
    if len(payload) % BLOCK or content[-1:] != b"\x01" or len(payload) - len(content) >= BLOCK:
        raise Refused("not_sealed")
    return content[:-1]


class End:
    """The end of a channel that a vector describes."""

    def __init__(self, test: dict[str, Any]) -> None:
        self.role = test["role"]
        self.keys = list(map(bytes.fromhex, test["keys"]))
        self.private = X25519PrivateKey.from_private_bytes(bytes.fromhex(test["ephemeral"]))
        self.public = self.private.public_key().public_bytes_raw()
        self.versions: list[int] = []
        self.key = self.name = b""
        self.transport: dict[int, bytes] = {}
        """The key for what each role sends."""

    def receive(self, message: bytes | None) -> list[bytes]:
        """4.3 and 4.4: return what is sent after a message; after None, at first. Raises Refused."""
        if message is None:
            return [PREFACE]
        if not self.versions:
            return self._receive_preface(message)
        if len(message) != 48:
            raise Refused("not_sealed")
        if self.role == HOST:
            return self._answer(message[:32], message[32:])
        return self._finish(message[:32], message[32:])

    def _receive_preface(self, preface: bytes) -> list[bytes]:
        self.versions = read_preface(preface)
        if 1 not in self.versions:
            raise Refused("other_version")
        guest, host = (preface, PREFACE) if self.role == HOST else (PREFACE, preface)
        self.prologue = encode(["p2p-shanghaien channel", guest, host])
        if self.role == HOST:
            return []
        (self.key,) = self.keys
        self.state = Symmetric(self.prologue, self.key)
        self.state.mix_ephemeral(self.public)
        return [self.public + self.state.empty_payload()]

    def _answer(self, theirs: bytes, payload: bytes) -> list[bytes]:
        for key in self.keys:
            state = Symmetric(self.prologue, key)
            state.mix_ephemeral(theirs)
            if state.empty_payload() == payload:
                break
        else:
            raise Refused("wrong_invitation")
        self.key, self.state = key, state
        self.state.mix_ephemeral(self.public)
        self._exchange_keys(theirs)
        message = self.public + self.state.empty_payload()
        self._split()
        return [message]

    def _finish(self, theirs: bytes, payload: bytes) -> list[bytes]:
        self.state.mix_ephemeral(theirs)
        self._exchange_keys(theirs)
        if self.state.empty_payload() != payload:
            raise Refused("not_sealed")
        self._split()
        return []

    def _exchange_keys(self, theirs: bytes) -> None:
        """The token `ee`."""
        try:
            shared = self.private.exchange(X25519PublicKey.from_public_bytes(theirs))
        except ValueError:
            # the library's refusal of a result that is zero
            raise Refused("not_sealed") from None
        self.state.mix_key(shared)

    def _split(self) -> None:
        """Noise, 5.2, and the name of 4.4."""
        self.transport[GUEST], self.transport[HOST], naming = hkdf(self.state.chaining_key, b"")
        self.name = mac(naming, self.state.hash)

    def found(self) -> dict[str, Any]:
        """Return what the end knows when the channel is open."""
        return {"versions": self.versions, "key": self.key.hex(), "channel": self.name.hex()}

    def carry(self, messages: list[dict[str, Any]]) -> None:
        """Check each message as its sender makes it and as its receiver opens it.

        Raises Refused at a last one that has no frame, AssertionError at anything else that differs.
        """
        numbers = {HOST: 0, GUEST: 0}
        for at, item in enumerate(messages):
            sender = item["from"]
            key, number, message = self.transport[sender], numbers[sender], bytes.fromhex(item["message"])
            numbers[sender] += 1
            try:
                frame = unseal(key, number, message)
            except Refused:
                assert (item["frame"], at, sender) == (None, len(messages) - 1, 1 - self.role), "refused too early"
                raise
            assert frame.hex() == item["frame"]
            assert seal(key, number, frame) == message


def open_channel(test: dict[str, Any]) -> End:
    """Play the end that a vector describes until its channel is open.

    Raises Refused at the last message, AssertionError if this end refuses another or sends anything else.
    """
    end = End(test)
    exchange = test["exchange"]
    for at, step in enumerate(exchange):
        received = step["receive"]
        try:
            sent = end.receive(None if received is None else bytes.fromhex(received))
        except Refused:
            assert (at, step["send"]) == (len(exchange) - 1, []), "refused too early"
            raise
        assert [message.hex() for message in sent] == step["send"]
    assert end.transport, "the channel is not open"
    return end
