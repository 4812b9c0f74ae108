"""Bounded reading, and writing so that a crash leaves either the old file or the new one."""

import json
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, cast

from p2p_shanghaien.errors import LocalError, StoreCode

STDIN: Final = Path("-")
"""The name that means standard input."""

_NO_WAITING: Final[int] = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""Flags that keep opening a pipe or a terminal from waiting for its other end."""


class explained:  # noqa: N801 - reads as `contextlib.suppress` does
    """Turn an operating-system error about `path` into a LocalError that a user can act on."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, OSError):
            reason = error.strerror or type(error).__name__
            raise LocalError(StoreCode.FILE_TROUBLE, path=self._path, reason=reason) from None


def make_folder(path: Path) -> None:
    """Create a folder, and those above it, for our own eyes only. Raises LocalError."""
    with explained(path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


def read_bytes(path: Path, limit: int) -> bytes:
    """Return the whole file. Raises LocalError, also where it is no regular file or has more than `limit` bytes."""
    with explained(path), open_regular(path, "rb") as file:
        # not every file says how long it is, but one that says it is too long need not be read
        if os.fstat(file.fileno()).st_size > limit or len(data := file.read(limit + 1)) > limit:
            raise LocalError(StoreCode.FILE_TOO_LARGE, path=path, limit=limit)
        return data


def read_stdin(limit: int) -> bytes:
    """Return all of standard input. Raises LocalError, also where that is more than `limit` bytes."""
    with explained(STDIN):
        # without a standard input, Python has none either
        data = sys.stdin.buffer.read(limit + 1) if sys.stdin else b""
    if len(data) > limit:
        raise LocalError(StoreCode.FILE_TOO_LARGE, path=STDIN, limit=limit)
    return data


def open_regular(path: Path, mode: str) -> BinaryIO:
    """Open the file at `path`, unbuffered for writing, without ever waiting.

    Raises OSError, and LocalError if `path` is a folder, a pipe, a device or a socket.
    """
    # a socket cannot be opened, and opening some devices has effects: so the kind is checked first
    if os.path.exists(path) and not os.path.isfile(path):
        raise LocalError(StoreCode.NOT_A_FILE, path=path)
    file = cast(BinaryIO, open(path, mode, buffering=-1 if mode == "rb" else 0, opener=_open_at_once))  # noqa: SIM115
    # it may have become another meanwhile
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise LocalError(StoreCode.NOT_A_FILE, path=path)
    return file


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | _NO_WAITING, 0o600)


def parse_json(data: bytes) -> Any:
    """Return the JSON value in `data`. Raises ValueError, also if it is nested too deeply."""
    try:
        return json.loads(data)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def keep_copy(path: Path) -> Path:
    """Give the file, which is about to be replaced, a second, unused name; return it. Raises LocalError."""
    with explained(path):
        for number in count(1):
            aside = path.with_name(f"{path.name}.old-{number}")
            try:
                os.link(path, aside)
            except FileExistsError:
                continue
            return aside
    raise AssertionError("there is always one more number")


def replace(path: Path, data: bytes) -> None:
    """Replace the file's content by `data`, readable by its owner alone. Raises LocalError.

    A device or a pipe is written to, and stays what it is.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    with explained(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                file.write(data)
            return
        try:
            write_new(temporary, data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)


def create(path: Path, data: bytes) -> bool:
    """Create the file with `data`, readable by its owner alone; return False if it exists already.

    Raises LocalError.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    with explained(path):
        try:
            write_new(temporary, data)
            # a link, unlike a rename, never replaces a file that another process made meanwhile
            os.link(temporary, path)
        except FileExistsError:
            return False
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)
    return True


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the file at `path`, created if needed, while a file beside it is read and rewritten.

    Waits for other programs that do the same. Raises LocalError.
    """
    with explained(path):
        file = open_regular(path, "ab")
    with file:
        if not lock(file, path, wait=True):
            raise LocalError(StoreCode.LIST_IN_USE, path=path)
        yield


def lock(file: BinaryIO, path: Path, *, wait: bool) -> bool:
    """Lock `file`, opened from `path`, until it is closed; return False if another process holds the lock.

    Raises LocalError if the system cannot lock it at all.
    """
    with explained(path):
        # on import it already needs a temporary folder with free space
        import portalocker  # noqa: PLC0415

    flags = portalocker.LockFlags.EXCLUSIVE
    try:
        portalocker.lock(file, flags if wait else flags | portalocker.LockFlags.NON_BLOCKING)
    except portalocker.AlreadyLocked:
        return False
    except portalocker.LockException as error:
        cause = error.args[0]
        reason = cause.strerror if isinstance(cause, OSError) else error.strerror
        raise LocalError(StoreCode.CANNOT_LOCK, path=path, reason=reason or str(cause)) from None
    return True


def sync_folder(path: Path) -> None:
    """Make a new or renamed entry of the folder durable, if the system can."""
    if os.name == "nt":  # pragma: no cover - coverage is measured where folders can be synced
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write_new(path: Path, data: bytes) -> None:
    """Write `data` to a new file, readable by its owner alone, and sync it; an older one of that name is replaced."""
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write all of `data` to a file without a buffer: a full disk fails here, and not again at closing."""
    while data:
        data = data[file.write(data) :]
