"""The signed entries (protocol/SPEC.md, section 5): at once the messages, the log's records and the evidence."""

from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.contents import MAX_ENTRY, Content, Kind, Unreadable, read
from p2p_shanghaien.fairplay.keys import HASH_SIZE, SIGNATURE_SIZE, Identity, Tag, tagged_hash

__all__ = ["MAX_ENTRY", "Entry", "Envelope", "Kind", "parse", "sign"]

MAX_NUMBER: Final = (1 << 32) - 1


class Envelope(NamedTuple):
    """The signed part of an entry, in the order of its encoding. Hashes are 32 bytes."""

    session: bytes
    number: int
    parent: bytes
    seat: int
    handshake: bytes
    kind: str
    content: bytes
    state: bytes


class Entry(NamedTuple):
    """A well-formed entry. `hash` is signed, and is the parent of the next entry."""

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
    decoded: Content | Unreadable
    """The content as a value."""


def parse(data: bytes) -> Entry:
    """Return the entry in `data`. Raises Malformed for any error but those of its content."""
    match decode(data, MAX_ENTRY):
        case (bytes() as encoded, bytes() as signature) if len(signature) == SIGNATURE_SIZE:
            fields: Any = decode(encoded, MAX_ENTRY)
        case _:
            raise Malformed(FairplayCode.NOT_AN_ENTRY)
    if type(fields) is not tuple or tuple(map(type, fields)) != _TYPES:
        raise Malformed(FairplayCode.NOT_AN_ENVELOPE)
    session, number, parent, seat, handshake, kind, content, state = fields
    if not len(session) == len(parent) == len(handshake) == len(state) == HASH_SIZE:
        raise Malformed(FairplayCode.BAD_HASH_SIZE)
    if not 0 <= number <= MAX_NUMBER or seat not in (0, 1):
        raise Malformed(FairplayCode.BAD_NUMBER)
    envelope = (session, number, parent, seat, handshake, kind, content, state)
    return Entry(*envelope, signature, tagged_hash(Tag.ENTRY, encoded), data, read(kind, content))


def sign(identity: Identity, envelope: Envelope, content: Content | None = None) -> Entry:
    """Return the entry with this `envelope`, signed by `identity`.

    `content` is the value that the envelope's content encodes; it is decoded unless it is given.
    """
    encoded = encode(envelope)
    digest = tagged_hash(Tag.ENTRY, encoded)
    signature = identity.sign(digest)
    decoded = read(envelope.kind, envelope.content) if content is None else content
    return Entry(*envelope, signature, digest, encode((encoded, signature)), decoded)


_TYPES: Final = (bytes, int, bytes, int, bytes, str, bytes, bytes)
