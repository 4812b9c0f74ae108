"""The log file: read as written, and damage seen (SPEC 8)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.errors import InvalidFile
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import MAX_ENTRY
from p2p_shanghaien.fairplay.hello import MAX_HELLO
from p2p_shanghaien.fairplay.transcript import MAGIC, MAX_OPENING, Log, Records, length_prefixed, opening, read
from tests.sweeps import together

hellos = st.binary(max_size=MAX_HELLO)
proofs = st.binary(min_size=64, max_size=64)
entries = st.lists(st.binary(min_size=1, max_size=MAX_ENTRY), max_size=8)


@given(st.tuples(hellos, hellos), st.tuples(proofs, proofs), entries, st.integers(0, 2000))
def test_a_log_is_read_as_it_was_written(
    both: tuple[bytes, bytes], signatures: tuple[bytes, bytes], said: list[bytes], cut: int
) -> None:
    begun = opening(both, signatures)
    data = begun + b"".join(map(length_prefixed, said))
    assert read(data) == Log(both, signatures, Records(tuple(said)))
    # cut anywhere behind the opening: what is whole is there, and what is left over is kept
    cut = max(len(begun), len(data) - cut)
    log = read(data[:cut])
    assert log.entries == tuple(said[: len(log.entries)])
    assert begun + b"".join(map(length_prefixed, log.entries)) + log.records.rest == data[:cut]
    if len(log.entries) < len(said):
        assert len(log.records.rest) < len(length_prefixed(said[len(log.entries)]))
    else:
        assert log.records.rest == b""


@given(st.binary(max_size=300))
def test_random_bytes_are_no_log(data: bytes) -> None:
    for whole in (data, MAGIC + data, MAGIC + length_prefixed(data or b"\xc0")):
        with pytest.raises(InvalidFile):
            read(whole)


def test_the_magic_word_shows_a_transfer_that_changed_line_ends() -> None:
    assert bytes.fromhex("53484c4f47010d0a") == MAGIC
    good = opening((b"a", b"b"), (bytes(64), bytes(64)))
    for spoilt in (
        good.replace(b"\r\n", b"\n"),
        good.replace(b"\n", b"\r\n"),
        good[1:],
        b"\xef\xbb\xbf" + good,
        b"",
        MAGIC[:-1],
    ):
        with pytest.raises(InvalidFile, match="not_a_log"):
            read(spoilt)


def test_lengths_that_cannot_be() -> None:
    good = opening((b"a", b"b"), (bytes(64), bytes(64)))
    for length in (0, MAX_ENTRY + 1, 0x7FFFFFFF, 0xFFFFFFFF):
        for tail in (b"", b"x", bytes(MAX_ENTRY + 1)):
            bad = length.to_bytes(4, "big") + tail
            whole, rest, damage = read(good + length_prefixed(b"entry") + bad).records
            assert (whole, rest) == ((b"entry",), bad)
            assert damage is not None
            assert (damage.code, damage.details) == ("bad_record_length", {"at": len(good) + 9, "length": length})
    for length in (0, MAX_OPENING + 1, 0xFFFFFFFF):
        with pytest.raises(InvalidFile, match="bad_record_length"):
            read(MAGIC + length.to_bytes(4, "big") + good[12:])


@together(
    "fields",
    [
        (),
        (b"a", b"b", bytes(64)),
        (b"a", b"b", bytes(64), bytes(64), bytes(64)),
        (b"a", b"b", bytes(64), bytes(63)),
        (b"a", b"b", bytes(65), bytes(64)),
        ("a", b"b", bytes(64), bytes(64)),
        (b"a", None, bytes(64), bytes(64)),
        (b"a", b"b", bytes(64), True),
        ((b"a", b"b"), (bytes(64), bytes(64))),
        None,
        b"",
    ],
)
def test_an_opening_of_another_form(fields: object) -> None:
    with pytest.raises(InvalidFile, match="bad_opening"):
        read(MAGIC + length_prefixed(encode(fields)))  # type: ignore[arg-type]
    good = encode((b"a", b"b", bytes(64), bytes(64)))
    for spoilt in (good + b"\x00", good[:-1], b"\xdc\x00\x04" + good[1:], random.Random(1).randbytes(200)):
        with pytest.raises(InvalidFile, match="bad_opening"):
            read(MAGIC + length_prefixed(spoilt))


def test_a_torn_tail_is_shorter_than_the_record_it_announces() -> None:
    good = opening((b"a", b"b"), (bytes(64), bytes(64))) + length_prefixed(b"whole")
    for truncated in (b"\x00", b"\x00\x00\x04", b"\x00\x00\x04\x00", b"\x00\x00\x04\x00" + bytes(1023)):
        assert read(good + truncated).records == Records((b"whole",), truncated)
    assert read(good + b"\x00\x00\x04\x00" + bytes(1024)).entries[-1] == bytes(1024)
