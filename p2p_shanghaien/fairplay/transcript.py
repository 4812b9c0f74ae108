"""A signed log as bytes (protocol/SPEC.md, section 8): written by both players alike, read by anybody."""

import struct
from typing import Final, NamedTuple

from p2p_shanghaien.errors import FairplayCode, InvalidFile, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY
from p2p_shanghaien.fairplay.hello import MAX_HELLO
from p2p_shanghaien.fairplay.keys import SIGNATURE_SIZE

__all__ = ["MAX_LOG", "Log", "Records", "opening", "read", "read_on", "record"]

MAGIC: Final = b"SHLOG\x01\r\n"
"""Names the format and its version; the line end gives away a transfer that changed bytes."""

MAX_OPENING: Final = 2 * (MAX_HELLO + SIGNATURE_SIZE) + 16
_LENGTH: Final = struct.Struct(">I")

MAX_ENTRIES: Final = 4096
"""Entries of full length for which a log has room: several times as many as any game here can have."""
MAX_LOG: Final = len(MAGIC) + _LENGTH.size + MAX_OPENING + MAX_ENTRIES * (_LENGTH.size + MAX_ENTRY)
"""Bytes of a log. What is longer is not read."""


class Records(NamedTuple):
    """Whole records, and the `rest` of the bytes behind them.

    The rest is what a write that was cut short left of a record; with `damage`, it begins with an impossible length.
    """

    whole: tuple[bytes, ...]
    rest: bytes = b""
    damage: InvalidFile | None = None


class Log(NamedTuple):
    """The bytes of a log: what its opening record holds, and the records behind that."""

    hellos: tuple[bytes, bytes]
    proofs: tuple[bytes, bytes]
    records: Records

    @property
    def entries(self) -> tuple[bytes, ...]:
        """The entries, up to the first impossible length."""
        return self.records.whole

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
    """Return the log in `data`. Raises InvalidFile unless its opening is sound."""
    if not data.startswith(MAGIC):
        raise InvalidFile(FairplayCode.NOT_A_LOG)
    first = _records(data, len(MAGIC), MAX_OPENING, at_most=1)
    if not first.whole:
        raise first.damage or InvalidFile(FairplayCode.LOG_WITHOUT_OPENING)
    (begun,) = first.whole
    try:
        fields = decode(begun, MAX_OPENING)
    except Malformed:
        raise InvalidFile(FairplayCode.BAD_OPENING) from None
    match fields:
        case (bytes(host), bytes(guest), bytes(host_proof), bytes(guest_proof)):
            pass
        case _:
            raise InvalidFile(FairplayCode.BAD_OPENING)
    if not len(host_proof) == len(guest_proof) == SIGNATURE_SIZE:
        raise InvalidFile(FairplayCode.BAD_OPENING)
    return Log((host, guest), (host_proof, guest_proof), _records(data, len(MAGIC) + len(record(begun)), MAX_ENTRY))


def read_on(data: bytes, at: int) -> Records:
    """Return the entries in `data`, which begins `at` so many bytes of a log, between two records."""
    return _records(data, 0, MAX_ENTRY, before=at)


def _records(data: bytes, at: int, limit: int, *, before: int = 0, at_most: int = MAX_LOG) -> Records:
    """Return the records from `at` on, no more than `at_most`, each of no more than `limit` bytes.

    `before` is how many bytes of the log are not in `data`.
    """
    whole: list[bytes] = []
    while at + _LENGTH.size <= len(data) and len(whole) < at_most:
        (length,) = _LENGTH.unpack_from(data, at)
        if not 0 < length <= limit:
            damage = InvalidFile(FairplayCode.BAD_RECORD_LENGTH, at=before + at, length=length)
            return Records(tuple(whole), data[at:], damage)
        end = at + _LENGTH.size + length
        if end > len(data):
            break
        whole.append(data[at + _LENGTH.size : end])
        at = end
    return Records(tuple(whole), data[at:])
