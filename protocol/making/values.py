"""Vectors of SPEC sections 2, 3.1, 3.5, 6 and 13: values, hashes, chance, text."""

import struct
from collections.abc import Iterator
from typing import Any

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.chance import draws, outcome
from p2p_shanghaien.fairplay.keys import Identity, Tag, choice_commitment, commitment, mac, tagged_hash
from p2p_shanghaien.text import MAX_CHAT, MAX_NAME, is_clean
from protocol.making.common import Vector, plain, some_bytes

_LIMIT = 1024

_VALUES: tuple[tuple[str, Any], ...] = (
    ("nil", None),
    ("false", False),
    ("true", True),
    *((f"integer {n}", n) for n in (0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53, 2**63, 2**64 - 1)),
    *((f"integer {n}", n) for n in (-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63))),
    *((f"string of {n} bytes", "a" * n) for n in (0, 1, 31, 32, 255, 256)),
    ("string of characters of 2 3 and 4 bytes", "\u00e9\u4e0a\U0001f3b2"),
    ("string with a zero", "a\x00b"),
    ("string that begins with U+FEFF", "\ufeffroll"),
    *((f"byte string of {n} bytes", some_bytes("canonical", n)) for n in (0, 1, 32, 255, 256)),
    ("byte string that is no UTF-8", b"\xff\xfe"),
    *((f"array of {n} items", [0] * n) for n in (0, 1, 15, 16)),
    ("array of every type", [None, True, 7, -7, "x", b"x", []]),
    ("true beside 1", [True, 1]),
    ("string beside byte string", ["a", b"a"]),
    ("depth 8", [[[[[[[[]]]]]]]]),
    ("depth 8 with leaves", [[[[[[[[1, "a", b"b", None]]]]]]]]),
)

_NOT_CANONICAL: tuple[tuple[str, str, str], ...] = (
    ("uint8-for-7", "7 in two bytes", "cc07"),
    ("uint8-for-127", "127 in two bytes", "cc7f"),
    ("uint32-for-65535", "65,535 in five bytes", "ce0000ffff"),
    ("uint64-for-4294967295", "2**32 - 1 in nine bytes", "cf00000000ffffffff"),
    ("int8-for-minus-32", "-32 in two bytes", "d0e0"),
    ("int32-for-minus-32768", "-32,768 in five bytes", "d2ffff8000"),
    ("int64-for-minus-2147483648", "-2**31 in nine bytes", "d3ffffffff80000000"),
    ("int16-for-128", "a positive integer in a signed form of three bytes", "d10080"),
    ("int32-for-32768", "in a signed form of five bytes", "d200008000"),
    ("int64-for-2147483648", "in a signed form of nine bytes", "d30000000080000000"),
    ("str8-for-31", "a string of 31 bytes with a length byte", "d91f" + "61" * 31),
    ("str16-for-255", "a string of 255 bytes with two length bytes", "da00ff" + "61" * 255),
    ("bin16-for-255", "a byte string of 255 bytes with two length bytes", "c500ff" + "61" * 255),
    ("array16-for-15", "an array of 15 items with two count bytes", "dc000f" + "07" * 15),
    ("uint16-for-255", "255 in three bytes", "cd00ff"),
    ("uint32-for-1", "1 in five bytes", "ce00000001"),
    ("uint64-for-1", "1 in nine bytes", "cf0000000000000001"),
    ("int8-for-7", "a positive integer in a signed form", "d007"),
    ("int8-for-minus-1", "-1 in two bytes", "d0ff"),
    ("int16-for-minus-128", "-128 in three bytes", "d1ff80"),
    ("int64-for-minus-1", "-1 in nine bytes", "d3ffffffffffffffff"),
    ("str8-short", "a string of one byte with a length byte", "d90161"),
    ("str16-short", "a string of one byte with two length bytes", "da000161"),
    ("str32-short", "a string of one byte with four length bytes", "db0000000161"),
    ("bin16-short", "a byte string of one byte with two length bytes", "c5000161"),
    ("bin32-short", "a byte string of one byte with four length bytes", "c60000000161"),
    ("array16-short", "an array of one item with two count bytes", "dc000107"),
    ("array32-short", "an array of one item with four count bytes", "dd0000000107"),
    ("float32", "a float", "ca3f800000"),
    ("float64", "a float that is a whole number", "cb3ff0000000000000"),
    ("float64-nan", "not a number", "cb7ff8000000000000"),
    ("float-in-array", "a float within an array", "92ca3f80000001"),
    ("map-empty", "an empty map", "80"),
    ("map-one", "a map", "8101c0"),
    ("map-duplicate-keys", "a map with the same key twice", "82a16101a16102"),
    ("map-in-array", "a map within an array", "9180"),
    ("map16", "a map with two count bytes", "de000101c0"),
    ("map32", "a map with four count bytes", "df0000000101c0"),
    ("map-array-key", "a map whose key is an array", "819001"),
    ("ext1", "an extension of one byte", "d40100"),
    ("ext8", "an extension with a length byte", "c70301616263"),
    ("timestamp32", "a timestamp of four bytes", "d6ff00000000"),
    ("timestamp64", "a timestamp of eight bytes", "d7ff0000000000000000"),
    ("timestamp96", "a timestamp of twelve bytes", "c70cff000000000000000000000000"),
    ("timestamp96-broken", "a timestamp whose nanoseconds are too many", "c70cffffffffffffffffffffffffff"),
    ("unused-type", "the byte that means nothing", "c1"),
    ("unused-in-array", "the byte that means nothing, within an array", "91c1"),
    ("empty", "nothing at all", ""),
    ("trailing-byte", "a value and a byte to spare", "07c0"),
    ("two-values", "two arrays", "91019101"),
    ("truncated-integer", "an integer that breaks off", "cd01"),
    ("truncated-string", "a string that breaks off", "a361"),
    ("truncated-bytes", "a byte string that breaks off", "c4206162"),
    ("truncated-array", "an array that breaks off", "9301"),
    ("truncated-length", "a length that breaks off", "da00"),
    ("utf8-lone-continuation", "a string that is no UTF-8", "a180"),
    ("utf8-overlong", "an overlong form of /", "a2c0af"),
    ("utf8-surrogate", "an encoded surrogate", "a3eda080"),
    ("utf8-beyond", "a code point beyond U+10FFFF", "a4f4908080"),
    ("utf8-cut", "a string that ends within a character", "a1c3"),
    ("depth-9", "nine arrays in each other", "91" * 8 + "90"),
    ("depth-9-leaf", "a leaf within nine arrays", "91" * 9 + "c0"),
    ("depth-200", "two hundred arrays in each other", "91" * 200 + "c0"),
    ("depth-1000", "a thousand arrays in each other", "91" * 1000 + "c0"),
    ("huge-array", "an array that says it has 2**32 - 1 items", "ddffffffff"),
    ("huge-array-nested", "arrays that each say they have 65535 items", "dcffff" * 100),
    ("huge-string", "a string that says it has 2**32 - 1 bytes", "dbffffffff"),
    ("huge-bytes", "a byte string that says it has 2**32 - 1 bytes", "c6ffffffff"),
    ("huge-map", "a map that says it has 2**32 - 1 pairs", "dfffffffff"),
    ("huge-ext", "an extension that says it has 2**32 - 1 bytes", "c9ffffffff01"),
)


def canonical() -> Iterator[Vector]:
    """Values with their bytes, and bytes that are no value's."""
    for name, value in _VALUES:
        data = encode(value)
        yield {
            "id": name.replace(",", "").replace(" ", "-"),
            "comment": name,
            "limit": _LIMIT,
            "data": data.hex(),
            "result": "valid",
            "value": plain(value),
        }
    for name, comment, data_hex in _NOT_CANONICAL:
        yield _refused_bytes(name, comment, bytes.fromhex(data_hex))
    yield _refused_bytes("too-long", "one byte more than the limit", encode(bytes(_LIMIT - 2)))
    yield _refused_bytes("too-long-garbage", "longer than the limit, whatever it is", b"\xc1" * (_LIMIT + 1))


def _refused_bytes(name: str, comment: str, data: bytes) -> Vector:
    try:
        value = decode(data, _LIMIT)
    except Malformed as error:
        return {
            "id": name,
            "comment": comment,
            "limit": _LIMIT,
            "data": data.hex(),
            "result": "invalid",
            "reason": error.code.unqualified,
        }
    raise AssertionError(f"{name} was read as {value!r}")


def hashes() -> Iterator[Vector]:
    """Yield a tagged hash for each tag, over parts as they occur and over odd ones."""
    session, parent, key = some_bytes("session"), some_bytes("parent"), Identity(some_bytes("key")).public
    parts: dict[Tag, tuple[Any, ...]] = {
        Tag.CHANNEL: (some_bytes("invitation", 16),),
        Tag.ROOM: (some_bytes("invitation", 16), some_bytes("fingerprint", 16)),
        Tag.WATCHING: (some_bytes("invitation", 16), some_bytes("fingerprint", 16)),
        Tag.HELLO: (b"guest's hello",),
        Tag.SESSION: (b"host's hello", b"guest's hello"),
        Tag.HANDSHAKE: (b"host's hello", b"guest's hello"),
        Tag.PROOF: (some_bytes("handshake"), session, 1, 0, session),
        Tag.ENTRY: (b"envelope",),
        Tag.STATE: (None, ("state", 1, ())),
        Tag.COMMITMENT: (session, 7, key, some_bytes("share")),
        Tag.CHOICE: (session, 7, key, some_bytes("salt"), "2"),
        Tag.OUTCOME: (session, 9, parent, some_bytes("share"), some_bytes("other share")),
        Tag.NOTE: (some_bytes("handshake"), 0, 3, encode(("chat", "hello"))),
        Tag.RESIGNATION: (session, 1, parent),
        Tag.OFFER: (session, 0, 12),
        Tag.CHALLENGE: (session, key, Identity(some_bytes("other key")).public, "toy", 1, (("rounds", "3"),)),
        Tag.INVITATION: (0, some_bytes("fingerprint", 16), b"host's hello", b"guest's hello"),
        Tag.FINGERPRINT: (key,),
        Tag.AUTHENTICATION: (session,),
    }
    for tag, items in parts.items():
        yield _hash(str(tag).replace(" ", "-"), "a hash as it is used", tag, items)
    yield _hash("no-parts", "an array without items", Tag.ENTRY, ())
    yield _hash("nil-part", "nil is an item", Tag.STATE, (None,))
    yield _hash("grouping", "one array is not its items", Tag.SESSION, ((b"host's hello", b"guest's hello"),))
    yield _hash("types", "a string is not a byte string", Tag.ENTRY, ("envelope",))


def _hash(name: str, comment: str, tag: Tag, parts: tuple[Any, ...]) -> Vector:
    digest = tagged_hash(tag, *parts)
    return {"id": name, "comment": comment, "tag": str(tag), "parts": plain(parts), "hash": digest.hex()}


def commitments() -> Iterator[Vector]:
    """Commitments to shares and to choices; each input changes the result."""
    key, other = (Identity(some_bytes(name)).public for name in ("key", "other key"))
    share = {"session": some_bytes("session"), "number": 7, "key": key, "share": some_bytes("share")}
    choice = {
        "session": share["session"],
        "number": 7,
        "key": key,
        "salt": some_bytes("salt"),
        "action": "2",
    }
    changes: dict[str, Any] = {
        "session": some_bytes("other session"),
        "number": 8,
        "key": other,
        "share": some_bytes("other share"),
        "salt": some_bytes("other salt"),
        "action": "3",
    }
    for kind, make, inputs in (("share", commitment, share), ("choice", choice_commitment, choice)):
        for changed in ("", *inputs):
            given = {**inputs, **({changed: changes[changed]} if changed else {})}
            digest = make(**given)
            yield {
                "id": f"{kind}-{changed}" if changed else kind,
                "comment": f"another {changed}" if changed else f"commitment to a {kind}",
                "to": kind,
                **{name: item.hex() if isinstance(item, bytes) else item for name, item in given.items()},
                "commitment": digest.hex(),
            }


def chance() -> Iterator[Vector]:
    """Seeds from shares, and indices from seeds."""
    session, parent = some_bytes("session"), some_bytes("parent")
    shares = (some_bytes("share"), some_bytes("other share"))
    cases: tuple[tuple[str, str, int, tuple[bytes, bytes]], ...] = (
        ("outcome", "both shares, seat 0's first", 9, shares),
        ("outcome-swapped", "the other way round is another outcome", 9, shares[::-1]),
        ("outcome-number", "another number is another outcome", 10, shares),
        ("outcome-equal-shares", "equal shares do not cancel out", 9, (shares[0], shares[0])),
    )
    for name, comment, number, pair in cases:
        seed = outcome(session, number, parent, pair)
        yield {
            "id": name,
            "comment": comment,
            "session": session.hex(),
            "number": number,
            "parent": parent.hex(),
            "shares": [share.hex() for share in pair],
            **_drawn(seed, (6, 6)),
        }
    for bound in (1, 2, 3, 6, 7, 48, 100, 128, 129, 255, 256, 257, 300, 1000, 32768, 40000, 65535, 65536):
        seed = some_bytes(f"seed for {bound}")
        yield {"id": f"bound-{bound}", "comment": f"twelve indices below {bound}", **_drawn(seed, (bound,) * 12)}
    yield {
        "id": "blocks",
        "comment": "more than one block of the stream",
        **_drawn(some_bytes("blocks"), (256,) * 70),
    }
    yield {
        "id": "mixed",
        "comment": "small and large bounds take from one stream",
        **_drawn(some_bytes("mixed"), (2, 300, 1, 6, 65536, 48)),
    }
    for name, bounds in (
        ("row", range(48, 42, -1)),
        ("opening", (2, *range(48, 42, -1))),
        ("last row", range(6, 0, -1)),
    ):
        yield {
            "id": name.replace(" ", "-"),
            "comment": f"the bounds of Shanghaien's {name}",
            **_drawn(some_bytes(name), tuple(bounds)),
        }
    for bound in (3, 6, 129, 255, 257, 300, 40000, 65535):
        yield {
            "id": f"rejected-{bound}",
            "comment": "the first number read is passed over",
            **_drawn(_rejecting(bound), (bound, bound)),
        }


def _drawn(seed: bytes, bounds: tuple[int, ...]) -> Vector:
    return {"seed": seed.hex(), "bounds": list(bounds), "indices": list(draws(seed, bounds))}


def _rejecting(bound: int) -> bytes:
    """Return a seed whose stream begins with a number that `bound` has to pass over."""
    form, space = ("B", 256) if bound <= 256 else (">H", 65536)
    attempt = 0
    while True:
        seed = some_bytes(f"rejected {bound} {attempt}")
        (number,) = struct.unpack_from(form, mac(seed, bytes(4)))
        if number >= space - space % bound:
            return seed
        attempt += 1


_TEXTS: tuple[tuple[str, str, bool], ...] = (
    ("plain", "Ada", True),
    ("one-character", "A", True),
    ("limit", "A" * 32, True),
    ("limit-wide", "\U0001f3b2" * 32, True),
    ("inner-space", "Ada Lovelace", True),
    ("accent-composed", "Ren\u00e9", True),
    ("chinese", "\u4e0a\u6d77\u4eba", True),
    ("arabic", "\u0645\u0631\u062d\u0628\u0627", True),
    ("hebrew", "\u05e9\u05dc\u05d5\u05dd", True),
    ("combining-without-composed-form", "x\u0301", True),
    ("markup", '[bold]"Ada"\\', True),
    ("emoji", "\U0001f40d", True),
    ("assigned-in-14", "A\U0001fae7", True),
    ("composes-since-16", "\U000105d2\u0307", False),
    ("reordered-since-15", "b\u0301\U00010efd", False),
    ("plane-1-noncharacter", "A\U0001fffe", False),
    ("last-before-tags", "A\U000dffff", False),
    ("empty", "", False),
    ("too-long", "A" * 33, False),
    ("accent-decomposed", "Rene\u0301", False),
    ("compatibility-singleton", "\u212b", False),
    ("leading-space", " Ada", False),
    ("trailing-space", "Ada ", False),
    ("only-space", " ", False),
    ("two-spaces", "Ada  Lovelace", False),
    ("single-spaces", "Ada B C", True),
    *((f"inner-{ord(c):04x}", f"A{c}B", False) for c in "\u00a0\u1680\u2000\u2002\u2009\u200a\u202f\u205f\u3000"),
    *((f"edge-{ord(c):04x}", f"Ada{c}", False) for c in "\u00a0\u1680\u2002\u2009\u200a\u202f\u205f\u3000"),
)
_FORBIDDEN_SAMPLES = (
    0x00, 0x07, 0x09, 0x0A, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160,
    0x17B4, 0x17B5, 0x180B, 0x180F, 0x200B, 0x200D, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066,
    0x206F, 0x2800, 0x3164, 0xE000, 0xF8FF, 0xFDD0, 0xFDEF, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0, 0xFFFD, 0xFFFF,
    0x13430, 0x13441, 0x1345F, 0x16FE4, 0x1BCA0, 0x1BCA3, 0x1D159, 0x1D173, 0x1D17A, 0xE0000,
    0xE0041, 0xE0100, 0xF0000, 0x100000, 0x10FFFF,
)  # fmt: skip
_BESIDE_FORBIDDEN = (
    0x7E, 0xA1, 0xAC, 0xAE, 0x350, 0x61B, 0x115E, 0x1161, 0x17B3, 0x17B6, 0x180A, 0x1810, 0x2010, 0x2027, 0x2070,
    0x27FF, 0x2801, 0x3163, 0x3165, 0xD7FB, 0xFDCF, 0xFDF0, 0xFE10, 0xFF9F, 0xFFA1, 0x16FE3, 0x1BC9F, 0x1D158, 0x1D15A,
    0x1D172, 0x1D17B,
)  # fmt: skip
_UNASSIGNED_SAMPLES = (
    0x378, 0x379, 0x380, 0x38B, 0x530, 0xCF3, 0xFEFE, 0xFF00, 0xFFEF, 0x10EFD, 0x1342F, 0x13460, 0x16FE5, 0x1BCA4,
    0x1F6DC, 0x1FAE8, 0x2A6E0, 0x3134B, 0xDFFFF,
)  # fmt: skip
_BESIDE_UNASSIGNED = (0x377, 0x37A, 0x37F, 0x384, 0x52F, 0x531, 0xCF2, 0x10EAB, 0x1F6D7, 0x1FAE7, 0x2A6DF, 0x3134A)


def texts() -> Iterator[Vector]:
    """Names and chat lines, clean and not."""
    for name, text, fine in _TEXTS:
        yield _text(name, name.replace("-", " "), text, MAX_NAME, fine)
    for code in _FORBIDDEN_SAMPLES:
        yield _text(f"forbidden-{code:04x}", f"U+{code:04X} may not occur", f"A{chr(code)}B", MAX_NAME, False)
    for code in _UNASSIGNED_SAMPLES:
        yield _text(f"unassigned-{code:04x}", f"Unicode 14.0 has no U+{code:04X}", f"A{chr(code)}B", MAX_NAME, False)
    for code in _BESIDE_UNASSIGNED:
        yield _text(f"assigned-{code:04x}", f"Unicode 14.0 has U+{code:04X}", f"A{chr(code)}B", MAX_NAME, True)
    for code in _BESIDE_FORBIDDEN:
        yield _text(f"allowed-{code:04x}", f"U+{code:04X} is beside a range", f"A{chr(code)}B", MAX_NAME, True)
    yield _text("chat-limit", "400 code points of chat", "\u4e0a" * 400, MAX_CHAT, True)
    yield _text("chat-too-long", "401 code points of chat", "\u4e0a" * 401, MAX_CHAT, False)
    yield _text("chat-two-lines", "chat is one line", "a\nb", MAX_CHAT, False)


def _text(name: str, comment: str, text: str, limit: int, fine: bool) -> Vector:
    if is_clean(text, limit) != fine:
        raise AssertionError(name)
    return {
        "id": name,
        "comment": comment,
        "text": text,
        "limit": limit,
        "result": "valid" if fine else "invalid",
    }
