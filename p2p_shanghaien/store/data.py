"""Data from outside the games, such as decks of cards: files beside the logs of the games, named by digest."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.files import make_folder, read_bytes, replace

DATA_SUFFIX: Final = ".shdata"
MAX_DATA: Final = 65_536
"""The limit of bytes of one piece of data."""

_DIGEST: Final = re.compile("[0-9a-f]{64}")


def data_name(digest: str) -> str:
    """Return the name of the file with the data of that digest."""
    return digest + DATA_SUFFIX


def kept_data(folder: Path, digest: str) -> bytes | None:
    """Return the data of that digest kept in `folder`; None if there are none, or others in their place."""
    if not _DIGEST.fullmatch(digest):
        return None
    try:
        data = read_bytes(folder / data_name(digest), MAX_DATA)
    except LocalError:
        return None
    return data if sha256(data).hexdigest() == digest else None


def keep_data(folder: Path, data: bytes) -> str:
    """Keep `data` in `folder`, in place of a damaged file, and return its digest. Raises LocalError."""
    digest = sha256(data).hexdigest()
    if kept_data(folder, digest) is None:
        make_folder(folder)
        replace(folder / data_name(digest), data)
    return digest
