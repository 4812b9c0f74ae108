"""Writing so that a crash leaves either the old file or the new one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from p2p_shanghaien.errors import LocalError


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an operating-system error about `path` into a LocalError that a person can act on."""
    try:
        yield
    except OSError as error:
        raise LocalError("file_trouble", path=path, reason=error.strerror or type(error).__name__) from None


def make_folder(path: Path) -> None:
    """Create a folder, and those above it, for our own eyes only. Raises LocalError."""
    with explained(path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


def read_bytes(path: Path) -> bytes:
    """The whole file. Raises LocalError."""
    with explained(path):
        return path.read_bytes()


def replace(path: Path, data: bytes) -> None:
    """Put `data` in place of the file's content, readable by its owner alone. Raises LocalError.

    A device or a pipe is written to, and stays what it is.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    with explained(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                file.write(data)
            return
        try:
            _write_new(temporary, data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)


def create(path: Path, data: bytes) -> bool:
    """Make the file with `data`, readable by its owner alone; False if it exists already. Raises LocalError."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.new")
    with explained(path):
        try:
            _write_new(temporary, data)
            # a link, unlike a rename, never takes the place of a file that another process made meanwhile
            os.link(temporary, path)
        except FileExistsError:
            return False
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(path.parent)
    return True


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the file at `path`, made if need be, while a file beside it is read and rewritten; wait for other programs
    that do. Raises LocalError.
    """
    with explained(path):
        # as soon as it is imported it wants a temporary folder with room in it
        import portalocker  # noqa: PLC0415

        file = path.open("ab")
    with file:
        try:
            portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE)
        except portalocker.LockException as error:
            raise LocalError("file_trouble", path=path, reason=error.args[-1]) from None
        yield


def sync_folder(path: Path) -> None:
    """Make a new or renamed entry of the folder last through a power cut, where the system can."""
    if os.name == "nt":
        return
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _write_new(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
