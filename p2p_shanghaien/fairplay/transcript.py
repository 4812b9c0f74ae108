"""A signed log as bytes (protocol/SPEC.md, section 8)."""

import struct
from typing import Final, NamedTuple

from p2p_shanghaien.errors import FairplayCode, InvalidFile, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY
from p2p_shanghaien.fairplay.hello import MAX_HELLO
from p2p_shanghaien.fairplay.keys import SIGNATURE_SIZE

__all__ = ["MAX_LOG", "Log", "Records", "length_prefixed", "opening", "read", "read_on"]

MAGIC: Final = b"SHLOG\x01\r\n"
"""The format and its version; the line end reveals a transfer that changed bytes."""

MAX_OPENING: Final = 2 * (MAX_HELLO + SIGNATURE_SIZE) + 16
_LENGTH: Final = struct.Struct(">I")
MAX_BEGINNING: Final = len(MAGIC) + _LENGTH.size + MAX_OPENING
"""The limit of bytes before the first entry."""

MAX_ENTRIES: Final = 4096
"""The number of entries of full length for which a log has room: several times as many as any game here can have."""
MAX_LOG: Final = MAX_BEGINNING + MAX_ENTRIES * (_LENGTH.size + MAX_ENTRY)
"""The limit of bytes of a log. Longer files are not read."""


class Records(NamedTuple):
    """Complete records, and the `rest` of the bytes behind them.

    The rest is a truncated record; with `damage`, it begins with a length that is not permitted.
    """

    whole: tuple[bytes, ...]
    rest: bytes = b""
    damage: InvalidFile | None = None


class Log(NamedTuple):
    """The content of a log: its opening record and the records behind it."""

    hellos: tuple[bytes, bytes]
    proofs: tuple[bytes, bytes]
    records: Records

    @property
    def entries(self) -> tuple[bytes, ...]:
        """The entries, up to the first length that is not permitted."""
        return self.records.whole

    @property
    def opening(self) -> bytes:
        """The bytes before the first entry."""
        return opening(self.hellos, self.proofs)


def opening(hellos: tuple[bytes, bytes], proofs: tuple[bytes, bytes]) -> bytes:
    """Return the first bytes of a log: the agreement of two players, and their signatures."""
    return MAGIC + length_prefixed(encode((*hellos, *proofs)))


def length_prefixed(data: bytes) -> bytes:
    """Return `data` behind its length: a record of a log (SPEC 8)."""
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
    begins = len(MAGIC) + len(length_prefixed(begun))
    return Log((host, guest), (host_proof, guest_proof), _records(data, begins, MAX_ENTRY))


def read_on(data: bytes, at: int) -> Records:
    """Return the entries in `data`, which begins at byte `at` of a log, between two records."""
    return _records(data, 0, MAX_ENTRY, before=at)


def _records(data: bytes, at: int, limit: int, *, before: int = 0, at_most: int = MAX_LOG) -> Records:
    """Return the records from `at` on, no more than `at_most`, each of at most `limit` bytes.

    `before` is the number of bytes of the log before `data`.
    """
    whole: list[bytes] = []
    while (start := at + _LENGTH.size) <= len(data) and len(whole) < at_most:
        (length,) = _LENGTH.unpack_from(data, at)
        if not 0 < length <= limit:
            damage = InvalidFile(FairplayCode.BAD_RECORD_LENGTH, at=before + at, length=length)
            return Records(tuple(whole), data[at:], damage)
        end = start + length
        if end > len(data):
            break
        whole.append(data[start:end])
        at = end
    return Records(tuple(whole), data[at:])
