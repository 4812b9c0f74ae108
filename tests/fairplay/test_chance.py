"""From shares to indices, enumerated exactly: no index is likelier than another, and none can be steered (SPEC 6)."""

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator
from itertools import chain, repeat

import pytest

from p2p_shanghaien.fairplay.chance import MAX_BOUND, draw, draws, outcome
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from tests.sweeps import together

SMALL = range(1, 257)
LARGE = (257, 258, 300, 365, 511, 512, 513, 1000, 4096, 21845, 21846, 32767, 32768, 32769, 40000, 65534, 65535, 65536)


class Bytes:
    """A stream of given bytes that counts how many were read."""

    def __init__(self, *data: int) -> None:
        self.read = 0
        self._bytes = iter(data)

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self.read += 1
        return next(self._bytes)


@together("bound", SMALL)
def test_every_first_byte_of_a_small_bound(bound: int) -> None:
    """Each index comes from as many bytes as every other; the rest, fewer than the bound, leads to the next byte."""
    accepted: Counter[int] = Counter()
    for first in range(256):
        # a byte 0 is always accepted and means 0
        stream = Bytes(first, 0)
        index = draw(stream, bound)
        if stream.read == 1:
            accepted[index] += 1
        else:
            assert (stream.read, index) == (2, 0)
    assert accepted == dict.fromkeys(range(bound), 256 // bound)


@pytest.mark.thorough
@together("bound", LARGE)
def test_every_first_pair_of_a_large_bound(bound: int) -> None:
    """The same for all 65,536 pairs of bytes."""
    accepted: Counter[int] = Counter()
    for first in range(65536):
        stream = Bytes(first >> 8, first & 0xFF, 0, 0)
        index = draw(stream, bound)
        if stream.read == 2:
            accepted[index] += 1
        else:
            assert (stream.read, index) == (4, 0)
    assert accepted == dict.fromkeys(range(bound), 65536 // bound)


@together("bound", [bound for bound in SMALL if 256 % bound])
def test_a_small_bound_passes_over_the_highest_bytes(bound: int) -> None:
    """Whatever is passed over, however often, the next accepted byte decides alone."""
    passed_over = range(256 - 256 % bound, 256)
    for number in (0, 1, bound - 1):
        stream = Bytes(*passed_over, *passed_over, number)
        assert draw(stream, bound) == number % bound
        assert stream.read == 2 * len(passed_over) + 1


@together("bound", [bound for bound in LARGE if 65536 % bound])
def test_a_large_bound_passes_over_the_highest_pairs(bound: int) -> None:
    passed_over = range(65536 - 65536 % bound, 65536)
    high = list(chain.from_iterable(number.to_bytes(2, "big") for number in passed_over))
    stream = Bytes(*high, *(bound - 1).to_bytes(2, "big"))
    assert draw(stream, bound) == bound - 1
    assert stream.read == len(high) + 2


def test_the_higher_byte_comes_first() -> None:
    assert draw(Bytes(1, 2), MAX_BOUND) == 258


def test_a_bound_of_one_takes_a_byte_as_well() -> None:
    stream = Bytes(200, 7)
    assert draw(stream, 1) == 0
    assert draw(stream, 256) == 7


def test_every_pair_of_dice_comes_from_as_many_pairs_of_bytes() -> None:
    """The bounds of a roll, over all pairs of accepted bytes, enumerated jointly."""
    pairs: Counter[tuple[int, int]] = Counter()
    for first in range(252):
        for second in range(252):
            stream = Bytes(first, second)
            pairs[draw(stream, 6), draw(stream, 6)] += 1
    assert pairs == {(a, b): 42 * 42 for a in range(6) for b in range(6)}


def test_small_and_large_bounds_read_one_stream() -> None:
    seed = bytes(range(32))
    stream = list(hmac.digest(seed, bytes(4), "sha256"))
    source = iter(stream)
    assert draws(seed, (6, 300, 1, 48)) == tuple(draw(source, bound) for bound in (6, 300, 1, 48))


def test_the_stream_is_hmac_of_a_block_number() -> None:
    seed = hashlib.sha256(b"seed").digest()
    blocks = [hmac.digest(seed, block.to_bytes(4, "big"), "sha256") for block in range(4)]
    assert bytes(draws(seed, tuple(repeat(256, 128)))) == b"".join(blocks)


def test_the_outcome_is_a_hash_of_everything_that_leads_to_it() -> None:
    session, parent, share, other = (hashlib.sha256(name).digest() for name in (b"s", b"p", b"0", b"1"))
    seed = outcome(session, 9, parent, (share, other))
    assert seed == tagged_hash(Tag.OUTCOME, session, 9, parent, share, other)
    others = (
        outcome(parent, 9, parent, (share, other)),
        outcome(session, 8, parent, (share, other)),
        outcome(session, 9, session, (share, other)),
        outcome(session, 9, parent, (other, share)),
        outcome(session, 9, parent, (share, share)),
    )
    assert len({seed, *others}) == 6
