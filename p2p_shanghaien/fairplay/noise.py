"""Noise_NNpsk0_25519_ChaChaPoly_SHA256, of the Noise Protocol Framework, revision 34 (protocol/SPEC.md, 4.4)."""

import hmac
from hashlib import sha256
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from p2p_shanghaien.errors import FairplayCode, Malformed

__all__ = ["Cipher", "Handshake", "Keys"]

NAME: Final = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
KEY_SIZE: Final = 32
TAG_SIZE: Final = 16


class Keys(NamedTuple):
    """The keys that a handshake makes: the initiator's to send with, the responder's, and a third from the same HKDF.

    `digest` is the handshake hash, which depends on every byte that was sent.
    """

    initiator: bytes
    responder: bytes
    third: bytes
    digest: bytes


class Cipher:
    """One direction of a channel: a key, and the number of the next message."""

    def __init__(self, key: bytes) -> None:
        self._aead = ChaCha20Poly1305(key)
        self._number = 0

    def encrypt(self, plain: bytes, data: bytes = b"") -> bytes:
        """Return `plain` encrypted, and authenticated together with `data`."""
        return self._aead.encrypt(self._nonce(), plain, data)

    def decrypt(self, message: bytes, data: bytes = b"") -> bytes:
        """Return the content of `message`, the next one. Raises Malformed."""
        try:
            return self._aead.decrypt(self._nonce(), message, data)
        except InvalidTag:
            raise Malformed(FairplayCode.NOT_SEALED) from None

    def _nonce(self) -> bytes:
        number, self._number = self._number, self._number + 1
        return bytes(4) + number.to_bytes(8, "little")


class Handshake:
    """One end of a handshake: the initiator calls `write_first`, `read_second`; the responder the other two.

    `key` is the pre-shared key, `ephemeral` our private key for this handshake alone, 32 random bytes.
    """

    def __init__(self, prologue: bytes, key: bytes, ephemeral: bytes) -> None:
        self._ephemeral = X25519PrivateKey.from_private_bytes(ephemeral)
        self._digest = self._chaining = sha256(NAME).digest()
        self._key = b""
        self._theirs = b""
        self._mix_digest(prologue)
        self._chaining, digest, self._key = _hkdf(self._chaining, key)
        self._mix_digest(digest)

    def write_first(self, payload: bytes = b"") -> bytes:
        """Return the initiator's message."""
        return self._write_ephemeral() + self._encrypt(payload)

    def read_first(self, message: bytes) -> bytes:
        """Return the payload of the initiator's message. Raises Malformed, as for another key; needs no exchange."""
        return self._decrypt(self._read_ephemeral(message))

    def write_second(self, payload: bytes = b"") -> bytes:
        """Return the responder's message. Raises Malformed if the initiator's ephemeral key is of small order."""
        written = self._write_ephemeral()
        self._mix_exchange()
        return written + self._encrypt(payload)

    def read_second(self, message: bytes) -> bytes:
        """Return the payload of the responder's message. Raises Malformed."""
        sealed = self._read_ephemeral(message)
        self._mix_exchange()
        return self._decrypt(sealed)

    def split(self) -> Keys:
        """Return the keys, after both messages."""
        return Keys(*_hkdf(self._chaining, b""), self._digest)

    def _write_ephemeral(self) -> bytes:
        public = self._ephemeral.public_key().public_bytes_raw()
        self._mix_ephemeral(public)
        return public

    def _read_ephemeral(self, message: bytes) -> bytes:
        self._theirs = message[:KEY_SIZE]
        self._mix_ephemeral(self._theirs)
        return message[KEY_SIZE:]

    def _mix_ephemeral(self, public: bytes) -> None:
        self._mix_digest(public)
        self._mix_key(public)

    def _mix_exchange(self) -> None:
        try:
            self._mix_key(self._ephemeral.exchange(X25519PublicKey.from_public_bytes(self._theirs)))
        except ValueError:  # too short, or the result is zero: a point of small order
            raise Malformed(FairplayCode.NOT_SEALED) from None

    def _mix_key(self, material: bytes) -> None:
        self._chaining, self._key, _ = _hkdf(self._chaining, material)

    def _mix_digest(self, data: bytes) -> None:
        self._digest = sha256(self._digest + data).digest()

    # each key encrypts one payload, so its number is always 0

    def _encrypt(self, payload: bytes) -> bytes:
        message = Cipher(self._key).encrypt(payload, self._digest)
        self._mix_digest(message)
        return message

    def _decrypt(self, message: bytes) -> bytes:
        payload = Cipher(self._key).decrypt(message, self._digest)
        self._mix_digest(message)
        return payload


def _hkdf(chaining: bytes, material: bytes) -> tuple[bytes, bytes, bytes]:
    """Return the three outputs of HKDF; two of them are the same as if only two were wanted."""
    secret = hmac.digest(chaining, material, "sha256")
    first = hmac.digest(secret, b"\x01", "sha256")
    second = hmac.digest(secret, first + b"\x02", "sha256")
    return first, second, hmac.digest(secret, second + b"\x03", "sha256")
