"""Bounded draws from two shares (protocol/SPEC.md, section 6).

Neither share alone says anything about the outcome, and the draw is unbiased: values that would favour an index are
rejected, not reduced.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from p2p_shanghaien.fairplay.keys import Tag, mac, tagged_hash

MAX_BOUND: Final = 1 << 16


def outcome(session: bytes, number: int, parent: bytes, shares: tuple[bytes, bytes]) -> bytes:
    """Return the 32-byte seed of a chance event, revealed by entry `number`; `shares` are seat 0's and seat 1's."""
    return tagged_hash(Tag.OUTCOME, session, number, parent, *shares)


def draws(seed: bytes, bounds: Sequence[int]) -> tuple[int, ...]:
    """Return one index, from 0 and below, for each bound, from the seed's byte stream."""
    stream = _stream(seed)
    return tuple(draw(stream, bound) for bound in bounds)


def draw(stream: Iterator[int], bound: int) -> int:
    """Return the first unbiased index below `bound` (1 to 65,536) in a stream of bytes.

    A bound up to 256 reads one byte at a time, a larger one two bytes, the higher first. Numbers from the largest
    multiple of the bound on are rejected.
    """
    if bound <= 256:
        ceiling = 256 - 256 % bound
        while (number := next(stream)) >= ceiling:
            pass
        return number % bound
    ceiling = MAX_BOUND - MAX_BOUND % bound
    while (number := next(stream) << 8 | next(stream)) >= ceiling:
        pass
    return number % bound


def _stream(seed: bytes) -> Iterator[int]:
    """Yield the bytes of HMAC-SHA-256 of the block number (4 bytes, higher first) under the seed, block after block."""
    block = 0
    while True:
        yield from mac(seed, block.to_bytes(4, "big"))
        block += 1
