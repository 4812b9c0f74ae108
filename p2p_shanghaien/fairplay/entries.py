"""The signed entries (protocol/SPEC.md, section 5): at once the messages, the log's records and the evidence."""

from enum import StrEnum
from typing import Final, NamedTuple

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.keys import HASH_SIZE, SIGNATURE_SIZE, Identity, Tag, tagged_hash

__all__ = ["Entry", "Kind", "parse"]

MAX_ENTRY: Final = 1024
"""Bytes of a whole entry, signature included."""

MAX_NUMBER: Final = (1 << 32) - 1


class Kind(StrEnum):
    """The types of entry; which of them is owed follows from the position (SPEC 5.3)."""

    OPENING = "opening"
    """Seat 0's first: its commitment for the opening draw. [commitment]"""
    SHARE = "share"
    """The answering seat's part of a draw. [share]"""
    REVEAL = "reveal"
    """The committed share; the draw follows from it. [share, commitment or nil]"""
    ACTION = "action"
    """A decision in the open. [action, commitment or nil]"""
    CHOICE = "choice"
    """Seat 0's commitment to a simultaneous choice. [commitment]"""
    ANSWER = "answer"
    """Seat 1's simultaneous choice. [action]"""
    DISCLOSURE = "disclosure"
    """Seat 0's simultaneous choice, opened. [action, salt, commitment or nil]"""
    RESIGNATION = "resignation"
    """Closes the game with a signed resignation. [seat, head, signature]"""
    ABANDONMENT = "abandonment"
    """Closes the game by accepting the other's signed offer. [signature]"""
    RESULT = "result"
    """A signature under how the game ended. [reason, scores or nil, winner or nil]"""


CARRIERS: Final = (Kind.OPENING, Kind.ACTION, Kind.REVEAL, Kind.DISCLOSURE)
"""The kinds whose content ends with a commitment to a share, or nil."""

DECISIONS: Final = (Kind.ACTION, Kind.CHOICE, Kind.ANSWER)
"""The kinds that a player decides on; all others follow from what was said before."""


class Envelope(NamedTuple):
    """What the signature covers, in the order of its encoding. Hashes are 32 bytes."""

    session: bytes
    number: int
    parent: bytes
    seat: int
    handshake: bytes
    kind: str
    content: bytes
    state: bytes


class Entry(NamedTuple):
    """A well-formed entry. `hash` is what the signature covers and what the next entry names as its parent."""

    session: bytes
    number: int
    parent: bytes
    seat: int
    handshake: bytes
    kind: str
    content: bytes
    state: bytes
    signature: bytes
    hash: bytes
    data: bytes
    """The entry's bytes, as sent and stored."""


def parse(data: bytes) -> Entry:
    """The entry in `data`. Raises Malformed, saying what is not as it must be; the content is not looked into."""
    match decode(data, MAX_ENTRY):
        case (bytes() as encoded, bytes() as signature) if len(signature) == SIGNATURE_SIZE:
            fields = decode(encoded, MAX_ENTRY)
        case _:
            raise Malformed("not_an_entry")
    if not isinstance(fields, tuple) or tuple(map(type, fields)) != _TYPES:
        raise Malformed("not_an_envelope")
    entry = Entry(*fields, signature, tagged_hash(Tag.ENTRY, encoded), data)  # type: ignore[arg-type, call-arg]
    if not len(entry.session) == len(entry.parent) == len(entry.handshake) == len(entry.state) == HASH_SIZE:
        raise Malformed("bad_hash_size")
    if not 0 <= entry.number <= MAX_NUMBER or entry.seat not in (0, 1):
        raise Malformed("bad_number")
    return entry


def sign(identity: Identity, envelope: Envelope) -> Entry:
    """The entry that `identity` makes of `envelope`."""
    encoded = encode(envelope)
    digest = tagged_hash(Tag.ENTRY, encoded)
    signature = identity.sign(digest)
    return Entry(*envelope, signature, digest, encode((encoded, signature)))


_TYPES: Final = (bytes, int, bytes, int, bytes, str, bytes, bytes)
