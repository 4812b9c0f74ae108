"""Lines of JSON beside a log, one object each; their handshakes have the form of protocol/SPEC.md, section 8.5."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import accumulate
from typing import Any, Final, Never

from p2p_shanghaien.fairplay.entries import MAX_NUMBER
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.keys import HASH_SIZE, SIGNATURE_SIZE
from p2p_shanghaien.fairplay.verify import KeptHandshake

MAX_DEPTH: Final = 8
"""The depth of objects and arrays in a line, so that no verdict depends on how deep a parser can go (SPEC 8.5)."""

_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_HEX: Final = re.compile("(?:[0-9a-fA-F]{2})*")


def line(fields: dict[str, Any]) -> bytes:
    """Return the line that holds `fields`."""
    return json.dumps(fields).encode() + b"\n"


def parsed(text: bytes) -> object:
    """Return the JSON value in `text`, or None for a line that is damaged or truncated."""
    with suppress(ValueError):
        # as text: the library would guess the encoding of bytes
        found = text.decode()
        if _depth(found) <= MAX_DEPTH:
            return json.loads(found, parse_constant=_no_constant, parse_int=_integer)
    return None


def _integer(digits: str) -> int | float:
    # Python refuses integers of thousands of digits, as which no length is written
    return int(digits) if len(digits) <= 20 else float(digits)


def _depth(text: str) -> int:
    """Return how deep objects and arrays are in a text of JSON."""
    brackets = re.findall(r"[\[\]{}]", _STRING.sub("", text))
    return max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets), default=0)


def _no_constant(word: str) -> Never:
    raise ValueError(f"{word} is no JSON")


def handshake(fields: object) -> KeptHandshake | None:
    """Return the handshake in `fields`, if there is one."""
    with suppress(ValueError):
        match fields:
            case {
                "hellos": [str(host), str(guest)],
                "proofs": [str(host_proof), str(guest_proof)],
                "theirs": [int() | float() as length, str(head)],
            } if type(length) is not bool and 0 <= length <= MAX_NUMBER and length == int(length):
                hellos = _unhex(host), _unhex(guest)
                proofs = _unhex(host_proof, SIGNATURE_SIZE), _unhex(guest_proof, SIGNATURE_SIZE)
                return KeptHandshake(hellos, proofs, Head(int(length), _unhex(head, HASH_SIZE)))
    return None


def _unhex(text: str, size: int | None = None) -> bytes:
    """Return the bytes that `text` gives in hexadecimal. Raises ValueError, also if they have another size."""
    data = bytes.fromhex(text)
    # the library skips white space
    if not _HEX.fullmatch(text) or size not in (None, len(data)):
        raise ValueError("not so many bytes in hexadecimal")
    return data


def read_shown(text: bytes) -> list[KeptHandshake]:
    """Return the handshakes in a file of lines; those of any other form are skipped."""
    return [found for each in text.split(b"\n") if (found := handshake(parsed(each)))]


def handshake_lines(handshakes: Iterable[KeptHandshake]) -> bytes:
    """Return a file of these handshakes that may be published."""
    return b"".join(line(handshake_fields(each)) for each in handshakes)


def handshake_fields(kept: KeptHandshake) -> dict[str, Any]:
    """Return the fields of a saved handshake."""
    return {
        "hellos": [hello.hex() for hello in kept.hellos],
        "proofs": [proof.hex() for proof in kept.proofs],
        "theirs": [kept.theirs.length, kept.theirs.digest.hex()],
    }
