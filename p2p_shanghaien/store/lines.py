"""Lines of JSON beside a log, one object each; handshakes among them have the form of protocol/SPEC.md, section 8.5."""

import json
from contextlib import suppress
from typing import Any

from p2p_shanghaien.fairplay.entries import MAX_NUMBER
from p2p_shanghaien.fairplay.hello import Position
from p2p_shanghaien.fairplay.keys import HASH_SIZE
from p2p_shanghaien.fairplay.verify import KeptHandshake


def line(fields: dict[str, Any]) -> bytes:
    """Return the line that holds `fields`."""
    return json.dumps(fields).encode() + b"\n"


def parsed(text: bytes) -> object:
    """Return the JSON value in `text`, or None for a line that is damaged or truncated."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def handshake(fields: object) -> KeptHandshake | None:
    """Return the handshake that `fields` hold, if they do."""
    with suppress(ValueError):
        match fields:
            case {
                "hellos": [str(host), str(guest)],
                "proofs": [str(host_proof), str(guest_proof)],
                "theirs": [int(length), str(text)],
            } if 0 <= length <= MAX_NUMBER and len(head := bytes.fromhex(text)) == HASH_SIZE:
                hellos = bytes.fromhex(host), bytes.fromhex(guest)
                proofs = bytes.fromhex(host_proof), bytes.fromhex(guest_proof)
                return KeptHandshake(hellos, proofs, Position(length, head))
    return None


def handshake_fields(kept: KeptHandshake) -> dict[str, Any]:
    """Return the fields of a handshake that was kept."""
    return {
        "hellos": [hello.hex() for hello in kept.hellos],
        "proofs": [proof.hex() for proof in kept.proofs],
        "theirs": [kept.theirs.length, kept.theirs.head.hex()],
    }
