"""Data from outside the games, such as decks of cards, kept under their digest in the folder `data` of the home."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.files import create, make_folder, read_bytes

MAX_DATA: Final = 65_536
"""The limit of bytes of one piece of data."""

_DIGEST: Final = re.compile("[0-9a-f]{64}")


def kept_data(home: Path, digest: str) -> bytes | None:
    """Return the data of that digest kept in the folder `home`; None if there are none, or others in their place."""
    if not _DIGEST.fullmatch(digest):
        return None
    try:
        data = read_bytes(_path(home, digest), MAX_DATA)
    except LocalError:
        return None
    return data if sha256(data).hexdigest() == digest else None


def keep_data(home: Path, data: bytes) -> str:
    """Keep `data` in the folder `home` and return its digest. Raises LocalError."""
    digest = sha256(data).hexdigest()
    path = _path(home, digest)
    make_folder(path.parent)
    create(path, data)
    return digest


def _path(home: Path, digest: str) -> Path:
    return home / "data" / digest
