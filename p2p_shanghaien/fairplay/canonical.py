"""The canonical encoding of values (protocol/SPEC.md, section 2).

Canonical values are arrays, integers, strings, byte strings, booleans and nil in the shortest msgpack form. There are
no maps, floats or extensions, so every value has exactly one encoding.
"""

from typing import Final, TypeAlias

import msgpack

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.games.api import Value

Decoded: TypeAlias = "bool | int | str | bytes | tuple[Decoded, ...] | None"
"""A decoded value, with tuples for arrays."""

MAX_DEPTH: Final = 8
"""The greatest depth of arrays within arrays, the outermost counted."""

MAX_ITEMS: Final = 512
"""The limit of items of an array.

No message has as many; without a limit, nested arrays of a few bytes would reserve megabytes.
"""

_ROOM: Final = 1024
"""The initial buffer size of an encoding; to reserve msgpack's default takes longer than most encodings."""

_LEAVES: Final = frozenset((bool, int, str, bytes, type(None)))


def encode(value: Value) -> bytes:
    """Return the canonical bytes of `value`.

    It must be a `Value`: msgpack would encode floats and maps, too.
    """
    data: bytes = msgpack.Packer(buf_size=_ROOM).pack(value)
    return data


def decode(data: bytes, limit: int) -> Decoded:
    """Return the value whose canonical bytes are `data`, at most `limit` of them. Raises Malformed."""
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
    """Return whether `value` consists of canonical types only, no deeper than `depth`."""
    if type(value) is not tuple:
        return type(value) in _LEAVES
    if depth == 0:
        return False
    return _LEAVES.issuperset(map(type, value)) or all(_is_canonical(item, depth - 1) for item in value)
