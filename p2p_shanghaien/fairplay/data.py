"""Data from outside the games, such as a deck of cards, for a guest or a watcher that lacks them (SPEC 4.17).

They are named by their SHA-256 in a setting of the host's signed hello, so the frames themselves need no signature.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.keys import HASH_SIZE

__all__ = ["MAX_OFFER", "Offering", "digest_of", "offer", "parse_offer", "parse_want", "want"]

MAX_OFFER: Final = 4_000
"""The limit of bytes of data that are offered: one frame carries them."""


def digest_of(data: bytes) -> str:
    """Return the digest by which settings name `data`."""
    return sha256(data).hexdigest()


def want(digest: str) -> bytes:
    """Return the frame by which a guest asks for the data of that digest."""
    return encode(("want", bytes.fromhex(digest)))


def offer(data: bytes) -> bytes:
    """Return the frame that carries `data`, at most MAX_OFFER bytes."""
    return encode(("data", data))


def parse_want(frame: bytes) -> str | None:
    """Return the digest of the data that a frame asks for; None for another frame. Raises Malformed."""
    match decode(frame, MAX_FRAME):
        case ("want", bytes(digest)) if len(digest) == HASH_SIZE:
            return digest.hex()
        case ("want", *_):
            raise Malformed(FairplayCode.NOT_DATA)
    return None


class Offering:
    """The data that a host hands over, by digest, each once."""

    def __init__(self, named: Mapping[str, bytes]) -> None:
        self._named = dict(named)

    def asked(self, frame: bytes) -> tuple[str, bytes] | None:
        """Return the data that a frame asks for, after their digest; None for another frame.

        They may be more than MAX_OFFER bytes, and are to be declined then. Raises Malformed.
        """
        digest = parse_want(frame)
        if digest is None:
            return None
        if digest not in self._named:
            raise Malformed(FairplayCode.DATA_NOT_NAMED, digest=digest)
        return digest, self._named.pop(digest)


def parse_offer(frame: bytes, digest: str | None = None) -> bytes | None:
    """Return the data that a frame carries, which must be those of `digest`, if one is given; None for another frame.

    Raises Malformed.
    """
    match decode(frame, MAX_FRAME):
        case ("data", bytes(data)) if data:
            if len(data) > MAX_OFFER:
                raise Malformed(FairplayCode.TOO_LONG, length=len(data), limit=MAX_OFFER)
            if digest is not None and digest_of(data) != digest:
                raise Malformed(FairplayCode.OTHER_DATA, digest=digest)
            return data
        case ("data", *_):
            raise Malformed(FairplayCode.NOT_DATA)
    return None
