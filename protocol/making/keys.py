"""Vectors of SPEC sections 3.3 and 3.4: keys that are refused, and the signature equation at its edges.

The forgeries need scalars and points, which no library hands out; the arithmetic is that of the independent check. What
is expected is written down here by construction, never computed.
"""

from collections.abc import Iterator
from hashlib import sha512

from p2p_shanghaien.fairplay.keys import Identity
from protocol.making.common import Vector, some_bytes
from tests.protocol.independent import BASE, L, P, Point, add, decode_point, encode_point, multiply

_E = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SIGN = 1 << 255
_SMALL_ORDER = (
    ("neutral", 1, "the neutral point"),
    ("neutral-sign", 1 | _SIGN, "the neutral point with a sign that it cannot have"),
    ("neutral-long", P + 1, "the neutral point, y not reduced"),
    ("neutral-long-sign", P + 1 | _SIGN, "the neutral point, y not reduced, with a sign"),
    ("order-2", P - 1, "the point of order 2"),
    ("order-2-sign", P - 1 | _SIGN, "the point of order 2 with a sign that it cannot have"),
    ("order-4", 0, "a point of order 4"),
    ("order-4-sign", _SIGN, "the other point of order 4"),
    ("order-4-long", P, "a point of order 4, y not reduced"),
    ("order-4-long-sign", P | _SIGN, "the other point of order 4, y not reduced"),
    ("order-8-a", _E, "a point of order 8"),
    ("order-8-a-sign", _E | _SIGN, "a point of order 8"),
    ("order-8-b", P - _E, "a point of order 8"),
    ("order-8-b-sign", P - _E | _SIGN, "a point of order 8"),
)
"""The fourteen encodings, as little-endian numbers, that libraries take for one of the eight points."""

_MESSAGE = some_bytes("message")


def _bytes(number: int) -> bytes:
    return number.to_bytes(32, "little")


def _point(data: bytes) -> Point:
    point = decode_point(data)
    assert point is not None
    return point


_ORDER_8 = _point(_bytes(_E))
_SCALAR = int.from_bytes(some_bytes("scalar"), "little") % L
_KEY = multiply(_SCALAR, BASE)


def keys() -> Iterator[Vector]:
    """Yield which 32 bytes may be a key."""
    for name in ("host", "guest"):
        yield _key(f"honest-{name}", "an ordinary key", Identity(some_bytes(name)).public, fine=True)
    yield _key("base", "the base point", encode_point(BASE), fine=True)
    yield _key("base-sign", "its negative", _bytes(int.from_bytes(encode_point(BASE), "little") | _SIGN), fine=True)
    yield _key("mixed-order", "a part of order 8 is allowed", encode_point(add(_KEY, _ORDER_8)), fine=True)
    on_curve = [y for y in range(2, 40) if decode_point(_bytes(y))]
    off_curve = [y for y in range(2, 40) if not decode_point(_bytes(y))]
    yield _key("smallest-y", "the smallest y that is allowed", _bytes(on_curve[0]), fine=True)
    for name, number, comment in _SMALL_ORDER:
        yield _key(name, comment, _bytes(number), fine=False)
    yield _key("off-curve", "no point has this y", _bytes(off_curve[0]), fine=False)
    yield _key("off-curve-sign", "no point has this y", _bytes(off_curve[1] | _SIGN), fine=False)
    reduced = next(y for y in on_curve if y < 19)
    yield _key("long", "a point of the group, y not reduced", _bytes(P + reduced), fine=False)
    yield _key("long-sign", "a point of the group, y not reduced", _bytes(P + reduced | _SIGN), fine=False)
    yield _key("all-ones", "the largest number", b"\xff" * 32, fine=False)
    yield _key("largest-without-sign", "the largest y", _bytes(_SIGN - 1), fine=False)
    yield _key("short", "31 bytes", Identity(some_bytes("host")).public[:31], fine=False)
    yield _key("33-bytes", "33 bytes", Identity(some_bytes("host")).public + b"\0", fine=False)
    yield _key("empty", "no bytes", b"", fine=False)


def _key(name: str, comment: str, key: bytes, *, fine: bool) -> Vector:
    return {"id": name, "comment": comment, "key": key.hex(), "result": "valid" if fine else "invalid"}


def signatures() -> Iterator[Vector]:
    """Yield which 64 bytes are a signature of a key under a message."""
    yield from _ordinary()
    yield from _scalars()
    yield from _points()
    for name, number, comment in _SMALL_ORDER:
        r = next(r for r in range(1, 1000) if _challenge(encode_point(multiply(r, BASE)), _bytes(number)) % 8 == 0)
        forged = encode_point(multiply(r, BASE)) + _bytes(r)
        yield _signature(
            f"forged-{name}", f"satisfies the equation under {comment}", _bytes(number), forged, fine=False
        )


def _ordinary() -> Iterator[Vector]:
    identity = Identity(some_bytes("host"))
    key, signature = identity.public, identity.sign(_MESSAGE)
    yield _signature("honest", "an ordinary signature", key, signature, fine=True)
    for number in (1, 2, 3):
        message = some_bytes(f"message {number}")
        yield _signature(f"honest-{number}", "another one", key, identity.sign(message), fine=True, message=message)
    yield _signature("other-message", "another message", key, signature, fine=False, message=some_bytes("other"))
    yield _signature("other-key", "another key", Identity(some_bytes("guest")).public, signature, fine=False)
    for at in (0, 31, 32, 63):
        flipped = bytearray(signature)
        flipped[at] ^= 1
        yield _signature(f"flipped-{at}", f"a bit of byte {at} flipped", key, bytes(flipped), fine=False)
    yield _signature("swapped", "S before R", key, signature[32:] + signature[:32], fine=False)
    yield _signature("short", "63 bytes", key, signature[:63], fine=False)
    yield _signature("long", "65 bytes", key, signature + b"\0", fine=False)
    yield _signature("empty", "no bytes", key, b"", fine=False)
    yield _signature("zeros", "nothing but zeros", key, bytes(64), fine=False)


def _scalars() -> Iterator[Vector]:
    """S at and beyond its limit."""
    key = encode_point(_KEY)
    signature = _made(key, 12345)
    scalar = int.from_bytes(signature[32:], "little")
    yield _signature("any-r", "made with an r of the signer's choice", key, signature, fine=True)
    yield _signature("another-r", "a second signature under the same message", key, _made(key, 54321), fine=True)
    for times in (1, 2, 8, 15):
        longer = signature[:32] + _bytes(scalar + times * L)
        yield _signature(f"s-plus-{times}-l", f"S + {times} L", key, longer, fine=False)
    yield _signature("s-sign", "S with its highest bit set", key, signature[:32] + _bytes(scalar | _SIGN), fine=False)
    yield _signature("s-is-l", "S = L", key, signature[:32] + _bytes(L), fine=False)
    yield _signature("s-all-ones", "the largest S", key, signature[:32] + b"\xff" * 32, fine=False)


def _points() -> Iterator[Vector]:
    """R and keys with a part of small order, and R in odd encodings."""
    key = encode_point(_KEY)
    neutral = _bytes(1)
    yield _signature("r-neutral", "R is the neutral point: the equation holds", key, _made(key, 0), fine=False)
    for name, number, comment in (
        ("r-neutral-sign", 1 | _SIGN, "R is the neutral point with a sign"),
        ("r-neutral-long", P + 1, "R is the neutral point, y not reduced"),
        ("r-neutral-long-sign", P + 1 | _SIGN, "R is the neutral point, y not reduced, with a sign"),
    ):
        odd = _bytes(number)
        yield _signature(name, comment, key, odd + _made(key, 0, odd)[32:], fine=False)
    assert _made(key, 0)[:32] == neutral
    for name, torsion in (
        ("order-8", _ORDER_8),
        ("order-4", multiply(2, _ORDER_8)),
        ("order-2", multiply(4, _ORDER_8)),
    ):
        shifted = encode_point(add(multiply(777, BASE), torsion))
        comment = f"R has a part of {name.replace('-', ' ')}: valid only with the cofactor"
        yield _signature(f"r-mixed-{name}", comment, key, _made(key, 777, shifted), fine=False)
    mixed = encode_point(add(_KEY, _ORDER_8))
    for times in range(8):
        yield _small_r(mixed, times)
    residue = {_challenge(encode_point(multiply(r, BASE)), mixed) % 8: r for r in range(200, 0, -1)}
    for rest, r in sorted(residue.items()):
        comment = "a key of mixed order, h a multiple of 8" if rest == 0 else "the same, valid only with the cofactor"
        yield _signature(f"key-mixed-{rest}", comment, mixed, _made(mixed, r), fine=rest == 0)
    shifted_r = next(r for r in range(1, 200) if _challenge(_shifted(r), mixed) % 8 == 7)
    signature = _made(mixed, shifted_r, _shifted(shifted_r))
    yield _signature("key-and-r-mixed", "the parts of order 8 of key and R cancel out", mixed, signature, fine=True)


def _small_r(key: bytes, times: int) -> Vector:
    """R of small order, under a key of mixed order, with a message for which the equation of 3.4 holds."""
    odd = encode_point(multiply(times, _ORDER_8))
    messages = (some_bytes(f"message for {times}: {attempt}") for attempt in range(1000))
    message = next(each for each in messages if (_challenge(odd, key, each) + times) % 8 == 0)
    signature = odd + _bytes(_challenge(odd, key, message) * _SCALAR % L)
    comment = f"R is {times} times a point of order 8: the equation holds under a key of mixed order"
    return _signature(f"r-small-{times}", comment, key, signature, fine=False, message=message)


def _shifted(r: int) -> bytes:
    return encode_point(add(multiply(r, BASE), _ORDER_8))


def _challenge(r_bytes: bytes, key: bytes, message: bytes = _MESSAGE) -> int:
    return int.from_bytes(sha512(r_bytes + key + message).digest(), "little") % L


def _made(key: bytes, r: int, r_bytes: bytes | None = None) -> bytes:
    """Return the signature with this r under _MESSAGE, with _SCALAR; `r_bytes` are its R where it is not r times the
    base.
    """
    r_bytes = r_bytes or encode_point(multiply(r, BASE))
    return r_bytes + _bytes((r + _challenge(r_bytes, key) * _SCALAR) % L)


def _signature(
    name: str, comment: str, key: bytes, signature: bytes, *, fine: bool, message: bytes = _MESSAGE
) -> Vector:
    return {
        "id": name,
        "comment": comment,
        "key": key.hex(),
        "message": message.hex(),
        "signature": signature.hex(),
        "result": "valid" if fine else "invalid",
    }
