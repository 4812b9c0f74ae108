"""One value, one byte string (SPEC 2)."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import MAX_DEPTH, Decoded, decode, encode
from p2p_shanghaien.fairplay.verify import verify
from tests.pair import GAMES, make_pair
from tests.sweeps import together
from tests.toy import Toy

LIMIT = 1 << 20

leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
    st.binary(max_size=300),
)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=20).map(tuple), max_leaves=40)


def depth(value: Decoded) -> int:
    return 1 + max(map(depth, value), default=0) if isinstance(value, tuple) else 0


def typed(value: Decoded) -> object:
    """Return a value with its types, for to Python True is 1."""
    return tuple(map(typed, value)) if isinstance(value, tuple) else (type(value), value)


@given(values.filter(lambda value: depth(value) <= MAX_DEPTH))
def test_what_is_encoded_is_decoded_types_and_all(value: Decoded) -> None:
    data = encode(value)
    assert typed(decode(data, len(data))) == typed(value)
    with pytest.raises(Malformed, match="too_long"):
        decode(data, len(data) - 1)


@given(values, values)
def test_different_values_have_different_bytes(one: Decoded, other: Decoded) -> None:
    assert (encode(one) == encode(other)) == (typed(one) == typed(other))


@given(st.binary(max_size=200))
@example(b"\xd6\xff\x00\x00\x00\x00")
@example(b"\xc7\x0c\xff" + b"\xff" * 12)
@example(b"\x82\xc0\xc0\xc0\xc0")
@example(b"\x81\x90\xc0")
def test_any_bytes_are_either_the_encoding_of_a_value_or_malformed(data: bytes) -> None:
    try:
        value = decode(data, LIMIT)
    except Malformed:
        return
    assert encode(value) == data
    assert depth(value) <= MAX_DEPTH


@given(values, st.data())
def test_a_changed_byte_is_another_value_or_malformed(value: Decoded, data: st.DataObject) -> None:
    encoded = bytearray(encode(value))
    at = data.draw(st.integers(0, len(encoded) - 1))
    encoded[at] ^= data.draw(st.integers(1, 255))
    try:
        other = decode(bytes(encoded), LIMIT)
    except Malformed:
        return
    assert typed(other) != typed(value)


def test_depth_is_capped() -> None:
    for inside in (b"\x90", b"\x91\xc0", b"\x92\xc0\xc0"):
        decode(b"\x91" * (MAX_DEPTH - 1) + inside, LIMIT)
        for arrays in (MAX_DEPTH, MAX_DEPTH + 1, 600, 1023, 1024, 5000, 100_000):
            with pytest.raises(Malformed):
                decode(b"\x91" * arrays + inside, LIMIT)


LONGER_THAN_NEEDED = {
    "7 in two bytes": "cc07",
    "7 in three": "cd0007",
    "7 in five": "ce00000007",
    "7 in nine": "cf0000000000000007",
    "7, signed": "d007",
    "200 in three": "cd00c8",
    "200, signed": "d100c8",
    "-1 in two": "d0ff",
    "-1 in three": "d1ffff",
    "-200 in five": "d2ffffff38",
    "-200 in nine": "d3ffffffffffffff38",
    "2**63, signed to nothing": "d37fffffffffffffff",
    "text": "d90161",
    "text in three": "da000161",
    "text in five": "db0000000161",
    "bytes in three": "c5000161",
    "bytes in five": "c60000000161",
    "an array": "dc0001c0",
    "an array in five": "dd00000001c0",
}

NO_VALUES = {
    "nothing": "",
    "an unused byte": "c1",
    "an empty map": "80",
    "a map": "81a161c0",
    "a map with a key twice": "82a161c0a161c0",
    "a long map": "de0001a161c0",
    "a float": "ca00000000",
    "a double": "cb0000000000000000",
    "a double that is a whole number": "cb3ff0000000000000",
    "not a number": "cb7ff8000000000000",
    "extensions": "d40000",
    "a timestamp": "d6ff00000000",
    "a long timestamp": "d7ff0000000000000000",
    "the longest timestamp": "c70cff000000000000000000000000",
    "a bad timestamp": "c705ff0000000000",
    "text that is not UTF-8": "a1ff",
    "an overlong form": "a2c080",
    "a surrogate": "a3eda080",
    "beyond Unicode": "a4f4908080",
    "an array that ends early": "92c0",
    "text that ends early": "a261",
    "bytes that end early": "c40261",
    "a number that ends early": "cd00",
    "two values": "c0c0",
    "an array of billions": "ddffffffff",
    "bytes of billions": "c6ffffffff",
    "text of billions": "dbffffffff",
    "a map of billions": "dfffffffff",
}


@together("data", [*LONGER_THAN_NEEDED.values(), *NO_VALUES.values()], ids=[*LONGER_THAN_NEEDED, *NO_VALUES])
def test_malformed(data: str) -> None:
    for whole in (bytes.fromhex(data), b"\x91" + bytes.fromhex(data), b"\x92\xc0" + bytes.fromhex(data)):
        with pytest.raises(Malformed):
            decode(whole, LIMIT)


def test_the_limits_of_integers() -> None:
    for number in (
        -(2**63),
        -(2**31) - 1,
        -(2**31),
        -129,
        -128,
        -33,
        -32,
        -1,
        0,
        127,
        128,
        255,
        256,
        2**16,
        2**32,
        2**64 - 1,
    ):
        assert decode(encode(number), 9) == number
    for number in (-(2**63) - 1, 2**64):
        with pytest.raises(OverflowError):
            encode(number)


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, 1j, range(3), Ellipsis, test_malformed], ids=lambda value: type(value).__name__
)
def test_what_is_no_value_has_no_encoding(value: object) -> None:
    with pytest.raises(TypeError):
        encode(value)  # type: ignore[arg-type]


def test_the_states_of_games_are_canonical_values() -> None:
    """msgpack would write floats and maps as well; no state may hold any."""
    for game in (None, Toy(), Toy(opening="draw")):
        rng = random.Random(5)
        pair = make_pair(rng, game)
        pair.play(rng)
        for state in verify(pair.sides[0].log, GAMES).record().positions():
            data = encode(state.encode())
            assert encode(decode(data, LIMIT)) == data
