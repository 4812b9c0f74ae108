"""The one byte string that stands for a value (protocol/SPEC.md, section 2).

Canonical values are arrays, integers, strings, byte strings, booleans and nil in the shortest msgpack form. Maps,
floats and extensions do not exist, so there is never a second way to write the same thing.
"""

from typing import Final, TypeAlias

import msgpack

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.games.api import Value

Decoded: TypeAlias = "bool | int | str | bytes | tuple[Decoded, ...] | None"
"""A value read from bytes: arrays come as tuples."""

MAX_DEPTH: Final = 8
"""Arrays within arrays, the outermost counted."""

MAX_ITEMS: Final = 512
"""Of an array. No message has as many; without a bound, nested arrays of a few bytes would reserve megabytes."""

_ROOM: Final = 1024
"""Bytes that an encoding has room in at first; to reserve as many as msgpack would takes longer than most encodings."""

_LEAVES: Final = frozenset((bool, int, str, bytes, type(None)))


def encode(value: Value) -> bytes:
    """The canonical bytes of `value`: a `Value` and nothing else, for msgpack would write floats and maps too."""
    data: bytes = msgpack.Packer(buf_size=_ROOM).pack(value)
    return data


def decode(data: bytes, limit: int) -> Decoded:
    """The value whose canonical bytes are `data`, at most `limit` of them. Raises Malformed."""
    if len(data) > limit:
        raise Malformed(FairplayCode.TOO_LONG, length=len(data), limit=limit)
    try:
        value = msgpack.unpackb(data, use_list=False, max_array_len=MAX_ITEMS)
    except (ValueError, TypeError):
        raise Malformed(FairplayCode.NOT_CANONICAL) from None
    if not _is_canonical(value, MAX_DEPTH) or encode(value) != data:
        raise Malformed(FairplayCode.NOT_CANONICAL)
    decoded: Decoded = value
    return decoded


def _is_canonical(value: object, depth: int) -> bool:
    """Whether `value` is made of canonical types alone, no deeper than `depth`."""
    if type(value) is not tuple:
        return type(value) in _LEAVES
    if depth == 0:
        return False
    return _LEAVES.issuperset(map(type, value)) or all(_is_canonical(item, depth - 1) for item in value)
