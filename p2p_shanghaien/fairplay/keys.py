"""Identities, signatures, hashes, commitments and MACs (protocol/SPEC.md, sections 3 and 4)."""

import hmac
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Final, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.games.api import Value

__all__ = ["Identity", "PublicKey", "authentication_string", "fingerprint"]

HASH_SIZE: Final = 32
KEY_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64
SHARE_SIZE: Final = 32
NONCE_SIZE: Final = 32
INVITATION_SIZE: Final = 16
ROOM_SIZE: Final = 16

_PREFIX: Final = "p2p-shanghaien/1/"


class Tag(StrEnum):
    """The purpose of a hash. No two purposes share one, so no hash can be passed off as another."""

    CHANNEL = "channel"
    ROOM = "room"
    WATCHING = "watching"
    HELLO = "hello"
    SESSION = "session"
    HANDSHAKE = "handshake"
    PROOF = "proof"
    ENTRY = "entry"
    STATE = "state"
    COMMITMENT = "commitment"
    CHOICE = "choice"
    OUTCOME = "outcome"
    NOTE = "off-chain"
    RESIGNATION = "resignation"
    OFFER = "offer"
    CHALLENGE = "challenge"
    INVITATION = "invitation"
    FINGERPRINT = "fingerprint"
    AUTHENTICATION = "authentication string"


_TAGS: Final = {tag: encode(_PREFIX + tag) for tag in Tag}


def tagged_hash(tag: Tag, *parts: Value) -> bytes:
    """Return SHA-256 over the canonical tag string followed by the canonical array of `parts`; 32 bytes."""
    return sha256(_TAGS[tag] + encode(parts)).digest()


def commitment(session: bytes, number: int, key: bytes, share: bytes) -> bytes:
    """Return the commitment to a `share`, bound to the entry `number` that carries it and to its signer."""
    return tagged_hash(Tag.COMMITMENT, session, number, key, share)


def choice_commitment(session: bytes, number: int, key: bytes, salt: bytes, action: str) -> bytes:
    """Return the commitment to an action of a simultaneous choice."""
    return tagged_hash(Tag.CHOICE, session, number, key, salt, action)


def mac(secret: bytes, message: bytes) -> bytes:
    """Return HMAC-SHA-256; 32 bytes."""
    return hmac.digest(secret, message, "sha256")


def equal(a: bytes, b: bytes) -> bool:
    """Return whether two secret values are equal, in constant time."""
    return hmac.compare_digest(a, b)


def fingerprint(key: bytes) -> bytes:
    """Return the 16-byte fingerprint of a public key."""
    return tagged_hash(Tag.FINGERPRINT, key)[:16]


def shown_key(key: bytes) -> str:
    """Return a public key's fingerprint as people compare it: groups of four hexadecimal digits."""
    text = fingerprint(key).hex()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def authentication_string(session: bytes) -> str:
    """Return the SAS, two groups of five digits that both players' screens show (SPEC 4.10)."""
    number = int.from_bytes(tagged_hash(Tag.AUTHENTICATION, session)[:8], "big") % 10**10
    return f"{number // 10**5:05d} {number % 10**5:05d}"


class Identity:
    """A private key. Its bytes are secret; `public` identifies it to others."""

    def __init__(self, private: bytes) -> None:
        """Make an identity of 32 bytes from a secure source. Raises ValueError for another length."""
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public: bytes = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def private_bytes(self) -> bytes:
        """Return the 32 secret bytes."""
        return self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())

    def sign(self, message: bytes) -> bytes:
        """Return the 64-byte Ed25519 signature over `message`."""
        return self._key.sign(message)


class PublicKey:
    """A public key that verifies its owner's signatures."""

    def __init__(self, data: bytes) -> None:
        """Load a key. Raises ValueError for bytes that no honest key has (SPEC 3.3)."""
        if not is_acceptable(data):
            raise ValueError("refused key")
        self._key = Ed25519PublicKey.from_public_bytes(data)

    @classmethod
    @lru_cache(maxsize=1024)
    def of(cls, data: bytes) -> Self:
        """Return the key for `data`, made once."""
        return cls(data)

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Return whether `signature` over `message` is valid by SPEC 3.4."""
        # some libraries check more than the equation, others do not
        if signature[:KEY_SIZE] in _SMALL_ORDER_POINTS:
            return False
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


_P: Final = 2**255 - 19
_D: Final = -121665 * pow(121666, -1, _P) % _P
_ORDER_8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER: Final = frozenset((0, 1, _P - 1, _ORDER_8, _P - _ORDER_8))
"""The y coordinates of the eight points of small order, with which signatures can be forged."""
_SMALL_ORDER_POINTS: Final = frozenset(
    (y | sign << 255).to_bytes(KEY_SIZE, "little") for y in _SMALL_ORDER for sign in (0, 1)
)
"""Their encodings; two of these ten are of no point, and no signature begins with them anyway."""


def is_acceptable(key: bytes) -> bool:
    """Return whether `key` is 32 bytes that encode a point canonically, and none of the small-order points."""
    if len(key) != KEY_SIZE:
        return False
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= _P or y in _SMALL_ORDER:
        return False
    return _on_curve(y)


def _on_curve(y: int) -> bool:
    """Return whether a point with this y exists: x squared = (y*y - 1) / (d*y*y + 1) must be a square.

    The product of the two halves is one exactly where their quotient is, and needs no inverse.
    """
    return pow((y * y - 1) * (_D * y * y + 1), (_P - 1) // 2, _P) in (0, 1)
