"""A game packed up to go on on another machine of its owner: the log and its private neighbour, in a zip file.

Only one copy may go on: two that both sign end in a fork, which convicts their owner. So packing takes the game's
private neighbour away from here, and unpacking refuses where the game is already.
"""

import io
import re
import zipfile
from pathlib import Path
from typing import Final

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.store.files import create, explained, make_folder, read_bytes
from p2p_shanghaien.store.logs import PRIVATE_SUFFIX, SUFFIX, hold

SUFFIX_MOVED: Final = ".moved"
MAX_BUNDLE: Final = 1 << 22
"""Bytes of a bundle, and of what is in it; a game takes well under 100 KiB."""

_NAME = re.compile(r"[0-9a-f]{64}-(?:host|guest)")


def pack(path: Path, bundle: Path) -> None:
    """Write the game whose log is at `path` to the new file `bundle`, and give it up here.

    The log stays, to be looked at; its neighbour is set aside as `.moved`. Raises LocalError, also where the game is
    being played.
    """
    private = path.with_suffix(PRIVATE_SUFFIX)
    lock = hold(private)
    try:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in (path, private):
                archive.writestr(part.name, read_bytes(part, MAX_BUNDLE))
        make_folder(bundle.absolute().parent)
        if not create(bundle, packed.getvalue()):
            raise LocalError("file_exists", path=bundle)
        with explained(private):
            private.replace(path.with_suffix(SUFFIX_MOVED))
    finally:
        lock.close()


def is_moved(path: Path) -> bool:
    """Whether the game whose log is at `path` was packed up, and has not come back since."""
    return path.with_suffix(SUFFIX_MOVED).exists() and not path.with_suffix(PRIVATE_SUFFIX).exists()


def unpack(bundle: Path, games: Path) -> Path:
    """Put the game in `bundle` among the kept ones; the path of its log. Raises LocalError."""
    name, log, private = _opened(bundle)
    path = games / f"{name}{SUFFIX}"
    neighbour = path.with_suffix(PRIVATE_SUFFIX)
    make_folder(games)
    if neighbour.exists() or (path.exists() and not log.startswith(read_bytes(path, MAX_BUNDLE))):
        raise LocalError("game_is_here", path=path)
    with explained(path):
        # an older copy of the log may stand here from before the game was moved away
        path.unlink(missing_ok=True)
    create(path, log)
    create(neighbour, private)
    return path


def _opened(bundle: Path) -> tuple[str, bytes, bytes]:
    """The name of the game in a bundle, its log and its neighbour."""
    data = read_bytes(bundle, MAX_BUNDLE)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            items = {item.filename: item for item in archive.infolist()}
            (log_name,) = (name for name in items if name.endswith(SUFFIX))
            name = log_name.removesuffix(SUFFIX)
            parts = items[log_name], items[name + PRIVATE_SUFFIX]
            if not _NAME.fullmatch(name) or sum(item.file_size for item in parts) > MAX_BUNDLE:
                raise zipfile.BadZipFile
            return name, archive.read(parts[0]), archive.read(parts[1])
    except (zipfile.BadZipFile, ValueError, KeyError, OSError, NotImplementedError, RuntimeError):
        raise LocalError("not_a_bundle", path=bundle) from None
