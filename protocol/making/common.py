"""The shared parts of all vectors: how they are written, and bytes that come out the same every time."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

Vector = dict[str, Any]
"""One test of a file: `id`, `comment`, inputs, and what is expected."""

MAX_PLAIN = 1 << 53
"""Integers beyond it are written as text, for readers whose JSON knows only floats."""


def some_bytes(label: str, size: int = 32) -> bytes:
    """Bytes that look random and are always the same for `label`."""
    blocks = (sha256(f"{label}/{block}".encode()).digest() for block in range(-(-size // 32)))
    return b"".join(blocks)[:size]


def plain(value: Any) -> Any:
    """Return a canonical value in JSON: `{"bytes": hex}` for byte strings, `{"integer": text}` for large integers."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= MAX_PLAIN:
        return {"integer": str(value)}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def file_text(about: str, vectors: Iterable[Vector]) -> str:
    """Return a file of vectors. Raises ValueError where an id comes twice."""
    tests = [{"id": "", "comment": "", **vector} for vector in vectors]
    ids = [test["id"] for test in tests]
    if len(set(ids)) < len(ids):
        raise ValueError(sorted(name for name in ids if ids.count(name) > 1))
    return json.dumps({"protocol": 1, "about": about, "tests": tests}, indent=1) + "\n"
