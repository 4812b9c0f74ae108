"""A second implementation of protocol/SPEC.md, sections 2 to 8 and 13, written from that page alone.

It shares nothing with the package: its own MessagePack, its own Ed25519 in plain integers. It is slow and short, and
shows that the page suffices. Section 4 goes on in `independent_channel` and `independent_handshake`, 5 and 9 in
`independent_match`, 12 in `independent_game`.
"""

import hashlib
import hmac
import json
import os
import re
import struct
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Any


class Refused(Exception):
    """A refusal that the page demands of a receiver; the argument gives the reason, in section 14's words if it has
    one.
    """


# --- 2 Canonical values ---------------------------------------------------------------------------------------------

_SIGNED = ((0xD0, ">b"), (0xD1, ">h"), (0xD2, ">i"), (0xD3, ">q"))
_UNSIGNED = ((0xCC, ">B"), (0xCD, ">H"), (0xCE, ">I"), (0xCF, ">Q"))
_STRINGS = ((0xD9, ">B"), (0xDA, ">H"), (0xDB, ">I"))
_BYTES = ((0xC4, ">B"), (0xC5, ">H"), (0xC6, ">I"))
_ARRAYS = ((0xDC, ">H"), (0xDD, ">I"))
_SIZED = {code: form for forms in (_SIGNED, _UNSIGNED, _STRINGS, _BYTES, _ARRAYS) for code, form in forms}


def encode(value: Any) -> bytes:
    """2.2"""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        if -32 <= value < 128:
            return bytes([value & 0xFF])
        return _shortest(_UNSIGNED if value > 0 else _SIGNED, value)
    if isinstance(value, bytes):
        return _shortest(_BYTES, len(value)) + value
    if isinstance(value, str):
        data = value.encode()
        return (bytes([0xA0 + len(data)]) if len(data) < 32 else _shortest(_STRINGS, len(data))) + data
    head = bytes([0x90 + len(value)]) if len(value) < 16 else _shortest(_ARRAYS, len(value))
    return head + b"".join(map(encode, value))


def _shortest(forms: Sequence[tuple[int, str]], number: int) -> bytes:
    for code, form in forms:
        try:
            return bytes([code]) + struct.pack(form, number)
        except struct.error:
            continue
    raise OverflowError(number)


def decode(data: bytes, limit: int = 1 << 20) -> Any:
    """2.3: the value that `data` is the encoding of. Arrays come as lists."""
    if len(data) > limit:
        raise Refused("too_long")
    try:
        value, end = _read(data, 0, 8)
    except (IndexError, struct.error, UnicodeDecodeError):
        raise Refused("not_canonical") from None
    if end != len(data) or encode(value) != data:
        raise Refused("not_canonical")
    return value


def _read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    code = data[at]
    at += 1
    if code < 0x80 or code >= 0xE0:
        return code - 256 * (code >= 0xE0), at
    if code in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[code], at
    number = code & (0x1F if code & 0xE0 == 0xA0 else 0x0F)
    if code in _SIZED:
        (number,) = struct.unpack_from(_SIZED[code], data, at)
        at += struct.calcsize(_SIZED[code])
    if 0xCC <= code <= 0xD3:
        return number, at
    if code & 0xF0 == 0x90 or code in (0xDC, 0xDD):
        if depth == 0:
            raise Refused("not_canonical")
        items = []
        for _ in range(number):
            item, at = _read(data, at, depth - 1)
            items.append(item)
        return items, at
    if code & 0xE0 == 0xA0 or 0xD9 <= code <= 0xDB or 0xC4 <= code <= 0xC6:
        if at + number > len(data):
            raise Refused("not_canonical")
        piece = data[at : at + number]
        return piece if 0xC4 <= code <= 0xC6 else piece.decode(), at + number
    raise Refused("not_canonical")


def has_form(value: Any, *forms: Any) -> bool:
    """Return whether `value` is a list of items that each have their form: a type, a length of bytes, or a tuple of
    forms.
    """
    return isinstance(value, list) and len(value) == len(forms) and all(map(_fits, value, forms))


def _fits(value: Any, form: Any) -> bool:
    if isinstance(form, tuple):
        return any(_fits(value, each) for each in form)
    if isinstance(form, int):
        return isinstance(value, bytes) and len(value) == form
    return value is None if form is None else type(value) is form


# --- 3 Keys, signatures and hashes ----------------------------------------------------------------------------------


def tagged_hash(tag: str, *items: Any) -> bytes:
    """3.1"""
    return hashlib.sha256(encode("p2p-shanghaien/1/" + tag) + encode(items)).digest()


def mac(key: bytes, message: bytes) -> bytes:
    """3.6"""
    return hmac.new(key, message, "sha256").digest()


P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
E = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER_Y = (0, 1, P - 1, E, P - E)

Point = tuple[int, int, int, int]
"""Extended coordinates X, Y, Z, T of RFC 8032, 5.1.4: x = X/Z, y = Y/Z, x*y = T/Z."""
NEUTRAL: Point = (0, 1, 1, 0)


def add(a: Point, b: Point) -> Point:
    """RFC 8032, 5.1.4."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    w, x, y, z = f - e, h - g, h + g, f + e
    return w * x % P, y * z % P, x * y % P, w * z % P


def multiply(number: int, point: Point) -> Point:
    """`number` times `point`."""
    total = NEUTRAL
    while number:
        if number & 1:
            total = add(total, point)
        point = add(point, point)
        number >>= 1
    return total


def encode_point(point: Point) -> bytes:
    """RFC 8032, 5.1.2."""
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode_point(data: bytes) -> Point | None:
    """RFC 8032, 5.1.3, for a y that is below P; None where no point has it."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2**255 - 1), number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


BASE = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little")) or NEUTRAL


@lru_cache(maxsize=256)
def key_point(key: bytes) -> Point | None:
    """3.3: the point of a key, None for one that is refused."""
    y = int.from_bytes(key, "little") & (2**255 - 1)
    return None if len(key) != 32 or y >= P or y in SMALL_ORDER_Y else decode_point(key)


@lru_cache(maxsize=4096)
def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """3.4"""
    point = key_point(key)
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or len(signature) != 64 or scalar >= L:
        return False
    if int.from_bytes(signature[:32], "little") & (2**255 - 1) in SMALL_ORDER_Y:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    minus = (P - point[0], point[1], 1, P - point[3])
    both = (NEUTRAL, BASE, minus, add(BASE, minus))
    total = NEUTRAL
    for bit in range(252, -1, -1):
        total = add(add(total, total), both[(scalar >> bit & 1) + 2 * (challenge >> bit & 1)])
    return encode_point(total) == signature[:32]


# --- 4 Handshake ----------------------------------------------------------------------------------------------------


def read_preface(frame: bytes) -> list[int]:
    """4.3"""
    numbers = frame[14:]
    if frame[:14] != b"p2p-shanghaien" or len(numbers) % 2 or not 2 <= len(numbers) <= 64:
        raise Refused("not_our_protocol")
    return [int.from_bytes(numbers[at : at + 2], "big") for at in range(0, len(numbers), 2)]


_HELLO = (list, int, bytes, bytes, str, (str, None), (int, None), list, (bytes, None), bool, bool, bytes)


def read_hello(data: bytes, role: int) -> list[Any]:
    """4.6"""
    hello = decode(data, 1024)
    if not has_form(hello, *_HELLO):
        raise Refused("not_a_hello")
    versions, their_role, nonce, key, name, game, rules, settings, resumes, _, _, channel = hello
    if not 1 <= len(versions) <= 32 or not all(type(version) is int and 1 <= version <= 65535 for version in versions):
        raise Refused("not_a_hello")
    if their_role != role:
        raise Refused("wrong_role")
    if len(nonce) != 32 or len(channel) != 32 or (resumes is not None and len(resumes) != 32):
        raise Refused("bad_hash_size")
    if key_point(key) is None:
        raise Refused("refused_key")
    if not is_permitted(name, 32) or not (game is None or is_permitted(game, 64)):
        raise Refused("bad_name")
    if (rules is not None and not 1 <= rules <= 65535) or (role == 0 and (game is None or rules is None)):
        raise Refused("not_a_hello")
    if not are_settings(settings):
        raise Refused("bad_setting")
    return list(hello)


def are_settings(items: list[Any]) -> bool:
    """4.6: the settings of a hello, their normal form aside."""
    words = [word for item in items if has_form(item, str, str) for word in item]
    names = words[::2]
    if len(names) != len(items) or len(names) > 16 or len(set(names)) < len(names):
        return False
    return all(is_permitted(word, 64) for word in words)


def proof_digest(handshake: bytes, session: bytes, seat: int, length: int, head: bytes) -> bytes:
    """4.8"""
    return tagged_hash("proof", handshake, session, seat, length, head)


def invitation_mac(secret: bytes, seat: int, fingerprint: bytes, host: bytes, guest: bytes) -> bytes:
    """4.9"""
    return mac(secret, tagged_hash("invitation", seat, fingerprint, host, guest))


def fingerprint(key: bytes) -> bytes:
    """3.7"""
    return tagged_hash("fingerprint", key)[:16]


def authentication_string(session: bytes) -> str:
    """4.10"""
    digits = f"{int.from_bytes(tagged_hash('authentication string', session)[:8], 'big') % 10**10:010}"
    return f"{digits[:5]} {digits[5:]}"


# --- 5.1 Entries, 6 Chance, 7 Notes, 8 Log, 13 Text -----------------------------------------------------------------


def read_entry(data: bytes) -> tuple[list[Any], bytes, bytes]:
    """5.1: the eight items of the envelope, the entry's hash, the signature."""
    entry = decode(data, 1024)
    if not has_form(entry, bytes, 64):
        raise Refused("not_an_entry")
    envelope = decode(entry[0], 1024)
    if not has_form(envelope, bytes, int, bytes, int, bytes, str, bytes, bytes):
        raise Refused("not_an_envelope")
    session, number, parent, seat, handshake, _, _, state = envelope
    if {len(session), len(parent), len(handshake), len(state)} != {32}:
        raise Refused("bad_hash_size")
    if not 0 <= number < 2**32 or seat not in (0, 1):
        raise Refused("bad_number")
    return envelope, tagged_hash("entry", entry[0]), entry[1]


def stream(seed: bytes) -> Iterator[int]:
    """6.2"""
    block = 0
    while True:
        yield from mac(seed, struct.pack(">I", block))
        block += 1


def indices(seed: bytes, bounds: Sequence[int]) -> list[int]:
    """6.3"""
    source = stream(seed)
    found = []
    for bound in bounds:
        size = 1 if bound <= 256 else 2
        space = 256**size
        while True:
            number = int.from_bytes(bytes(next(source) for _ in range(size)), "big")
            if number < space - space % bound:
                break
        found.append(number % bound)
    return found


_WORDS: dict[str, tuple[Any, ...]] = {
    "agree": (),
    "decline": (str,),
    "here": (int, 32),
    "again": (int,),
    "chat": (str,),
    "offer": (int, 64),
    "resign": (32, 64),
    "challenge": (32, str, int, list, 64),
    "watchers": (int,),
}


def read_note(
    frame: bytes, handshake: bytes, seat: int, key: bytes, counter: int, watchable: bool = False
) -> list[Any]:
    """7: the kind and its words, of a note that `seat` sends as its `counter`-th in a game that others may watch."""
    note = decode(frame, 4096)
    if not has_form(note, str, int, bytes, bytes) or note[0] != "note":
        raise Refused("not_a_note")
    _, theirs, body, signature = note
    if theirs != counter:
        raise Refused("note_out_of_order")
    if not signature_holds(key, tagged_hash("off-chain", handshake, seat, counter, body), signature):
        raise Refused("bad_note_signature")
    words = decode(body, 2048)
    if not isinstance(words, list) or not words or not isinstance(words[0], str) or words[0] not in _WORDS:
        raise Refused("not_a_note")
    if not has_form(words, str, *_WORDS[words[0]]):
        raise Refused("not_a_note")
    match words:
        case ["decline", reason]:
            fine = reason in ("declined", "game_unknown", "rules_unknown", "data_missing", "other_settings")
        case ["again", wish]:
            fine = wish in (0, 1, 2)
        case ["chat", text]:
            fine = is_clean(text, 400)
        case ["here" | "offer", number, _]:
            fine = number >= 0
        case ["watchers", count]:
            fine = 0 <= count <= 20 and seat == 0 and watchable
        case ["challenge", _, game, rules, settings, _]:
            fine = is_clean(game, 64) and 0 < rules < 1 << 16 and are_settings(settings)
            fine = fine and all(is_clean(word, 64) for setting in settings for word in setting)
        case _:
            fine = True
    if not fine:
        raise Refused("not_a_note")
    return words


def challenge_holds(words: list[Any], key: bytes, challenged: bytes) -> bool:
    """7.5: whether the body of the note is a challenge by the holder of `key` to that of `challenged`."""
    _, session, game, rules, settings, signature = words
    return signature_holds(key, tagged_hash("challenge", session, key, challenged, game, rules, settings), signature)


def read_opening(data: bytes) -> tuple[list[bytes], int]:
    """8.1 and 8.2: the opening record's four items, and where it ends."""
    if data[:8] != bytes.fromhex("53484c4f47010d0a"):
        raise Refused("not_a_log")
    record = read_record(data, 8, 2192)
    if record is None:
        raise Refused("log_without_opening")
    try:
        opening = decode(record, 2192)
    except Refused:
        raise Refused("bad_opening") from None
    if not has_form(opening, bytes, bytes, 64, 64):
        raise Refused("bad_opening")
    return opening, 12 + len(record)


def read_record(data: bytes, at: int, limit: int = 1024) -> bytes | None:
    """8.1: return the record at a place, None if the file ends or a truncated tail begins there."""
    if at + 4 > len(data):
        return None
    length = int.from_bytes(data[at : at + 4], "big")
    if not 1 <= length <= limit:
        raise Refused("bad_record_length")
    return data[at + 4 : at + 4 + length] if at + 4 + length <= len(data) else None


def read_shown(text: str) -> list[dict[str, Any]]:
    """8.5: the handshakes in a file of lines."""
    found = []
    for line in text.split("\n"):
        if _deepest(line) > 8:
            continue
        try:
            # 8.5: as the nearest double, and of any length
            shown = json.loads(line, parse_constant=_no_constant, parse_int=float)
        except (ValueError, Refused):
            continue
        if isinstance(shown, dict) and _is_shown(shown):
            found.append(shown)
    return found


def _deepest(text: str) -> int:
    """8.5: how deep objects and arrays are in a line, the outermost counted."""
    depth = deepest = 0
    in_text = escaped = False
    for character in text:
        if in_text:
            in_text = escaped or character != '"'
            escaped = not escaped and character == "\\"
        elif character == '"':
            in_text = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _no_constant(word: str) -> Any:
    raise Refused(word)


def _is_shown(shown: dict[str, Any]) -> bool:
    for name, size in (("hellos", None), ("proofs", 64)):
        pair = shown.get(name)
        if not isinstance(pair, list) or len(pair) != 2 or not all(_is_hex(item, size) for item in pair):
            return False
    theirs = shown.get("theirs")
    if not isinstance(theirs, list) or len(theirs) != 2 or not _is_hex(theirs[1], 32):
        return False
    length = theirs[0]
    return type(length) is float and 0 <= length < 2**32 and length == int(length)


def _is_hex(text: Any, size: int | None) -> bool:
    if not isinstance(text, str) or len(text) % 2 or not set(text) <= set("0123456789abcdefABCDEF"):
        return False
    return size is None or len(text) == 2 * size


_SPACES = {0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000}
_UNCLEAN = """
    0-1F 7F-9F AD-AD 34F-34F 61C-61C 115F-1160 17B4-17B5 180B-180F 200B-200F 2028-202E 2060-206F 2800-2800 3164-3164
    D800-DFFF E000-F8FF FDD0-FDEF FE00-FE0F FEFF-FEFF FFA0-FFA0 FFF0-FFFF 13430-1345F 16FE4-16FE4 1BCA0-1BCA3
    1D159-1D159 1D173-1D17A E0000-10FFFF
"""


def _read_ranges(text: str) -> list[tuple[int, int]]:
    ends = [item.split("-") for item in text.split()]
    return [(int(item[0], 16), int(item[-1], 16)) for item in ends]


with open(f"{os.path.dirname(__file__)}/../../protocol/SPEC.md", encoding="utf-8") as _page:
    _UNASSIGNED = re.findall(r"^```\n(378-379 .+?)^```$", _page.read(), re.MULTILINE | re.DOTALL)[0]
"""A table that is too long to be copied by hand: the only fenced one of section 13."""

_RANGES = _read_ranges(_UNCLEAN + _UNASSIGNED)


def is_permitted(text: str, limit: int) -> bool:
    """13, without its rule 2"""
    codes = [ord(character) for character in text]
    return (
        1 <= len(codes) <= limit
        and 0x20 not in (codes[0], codes[-1])
        and "  " not in text
        and not _SPACES & set(codes)
        and not any(map(_is_refused, codes))
    )


@cache
def _is_refused(code: int) -> bool:
    return any(first <= code <= last for first, last in _RANGES)


def is_normal(text: str) -> bool:
    """13, rule 2"""
    return unicodedata.normalize("NFC", text) == text


def is_clean(text: str, limit: int) -> bool:
    """13"""
    return is_permitted(text, limit) and is_normal(text)
