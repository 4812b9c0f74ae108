"""A signed log as bytes (protocol/SPEC.md, section 8): written by both players alike, read by anybody."""

import struct
from typing import Final, NamedTuple

from p2p_shanghaien.errors import InvalidFile, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY
from p2p_shanghaien.fairplay.hello import MAX_HELLO
from p2p_shanghaien.fairplay.keys import SIGNATURE_SIZE

__all__ = ["MAX_LOG", "Log", "opening", "read", "record", "scan"]

MAGIC: Final = b"SHLOG\x01\r\n"
"""Names the format and its version; the line end gives away a transfer that changed bytes."""

MAX_OPENING: Final = 2 * (MAX_HELLO + SIGNATURE_SIZE) + 16
_LENGTH: Final = struct.Struct(">I")

MAX_ENTRIES: Final = 4096
"""Entries of full length for which a log has room: several times as many as any game here can have."""
MAX_LOG: Final = len(MAGIC) + _LENGTH.size + MAX_OPENING + MAX_ENTRIES * (_LENGTH.size + MAX_ENTRY)
"""Bytes of a log. What is longer is not read."""


class Log(NamedTuple):
    """What a log holds. `torn` is what is left of a record whose writing was cut short; it belongs to no entry.

    `damage` says at which length the log can no longer be told apart into records; `entries` are those before it.
    """

    hellos: tuple[bytes, bytes]
    proofs: tuple[bytes, bytes]
    entries: tuple[bytes, ...]
    torn: bytes
    damage: InvalidFile | None = None

    @property
    def opening(self) -> bytes:
        """The bytes before the first entry."""
        return opening(self.hellos, self.proofs)


def opening(hellos: tuple[bytes, bytes], proofs: tuple[bytes, bytes]) -> bytes:
    """The first bytes of a log: what two players agreed on, and their signatures under it."""
    return MAGIC + record(encode((*hellos, *proofs)))


def record(data: bytes) -> bytes:
    """`data` with its length before it."""
    return _LENGTH.pack(len(data)) + data


def read(data: bytes) -> Log:
    """Return the log in `data`. Raises InvalidFile, saying at which byte."""
    log = scan(data)
    if log.damage:
        raise log.damage
    return log


def scan(data: bytes) -> Log:
    """Return the log in `data` up to the first impossible length. Raises InvalidFile for a damaged opening."""
    if not data.startswith(MAGIC):
        raise InvalidFile("not_a_log")
    records, end, damage = _records(data, len(MAGIC), MAX_OPENING)
    if not records:
        raise damage or InvalidFile("log_without_opening")
    try:
        fields = decode(records[0], MAX_OPENING)
    except Malformed:
        raise InvalidFile("bad_opening") from None
    match fields:
        case (bytes(host), bytes(guest), bytes(host_proof), bytes(guest_proof)):
            pass
        case _:
            raise InvalidFile("bad_opening")
    if not len(host_proof) == len(guest_proof) == SIGNATURE_SIZE:
        raise InvalidFile("bad_opening")
    return Log((host, guest), (host_proof, guest_proof), tuple(records[1:]), b"" if damage else data[end:], damage)


def read_on(data: bytes, at: int) -> tuple[tuple[bytes, ...], bytes]:
    """The entries in `data`, which begins `at` so many bytes of a log, between two records; and what is torn.

    Raises InvalidFile.
    """
    records, end, damage = _records(data, 0, MAX_ENTRY, before=at)
    if damage:
        raise damage
    return tuple(records), data[end:]


def _records(data: bytes, at: int, first: int, *, before: int = 0) -> tuple[list[bytes], int, InvalidFile | None]:
    """Return the whole records from `at` on, where the last one ends, and the error if an impossible length follows.

    A tail shorter than the record it announces is left. `first` is what the first record may measure, `before` how
    many bytes of the log are not in `data`.
    """
    records: list[bytes] = []
    while at + _LENGTH.size <= len(data):
        (length,) = _LENGTH.unpack_from(data, at)
        if not 0 < length <= (MAX_ENTRY if records else first):
            return records, at, InvalidFile("bad_record_length", at=before + at, length=length)
        end = at + _LENGTH.size + length
        if end > len(data):
            break
        records.append(data[at + _LENGTH.size : end])
        at = end
    return records, at, None
