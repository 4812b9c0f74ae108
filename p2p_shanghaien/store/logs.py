"""Game logs on disk (protocol/SPEC.md, section 8), each with a private neighbour that is never shown to anybody."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Final, Self

import portalocker

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.transcript import record
from p2p_shanghaien.store.files import create, explained, make_folder, sync_folder

SUFFIX: Final = ".shlog"
PRIVATE_SUFFIX: Final = ".private"
SEATS: Final = ("host", "guest")


def log_path(games: Path, session: bytes, seat: int) -> Path:
    """Where the log of a session is kept by the program that plays `seat`."""
    return games / f"{session.hex()}-{SEATS[seat]}{SUFFIX}"


class GameLog:
    """A log being written. One process plays a seat at a time: the private neighbour is locked meanwhile."""

    def __init__(self, path: Path, file: BinaryIO, lock: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._lock = lock
        self._synced = False

    @classmethod
    def start(cls, path: Path, opening: bytes, *, secret: bytes, address: str) -> Self:
        """A new log that begins with `opening` (`transcript.opening`).

        The neighbour keeps what resuming needs: the `secret` that shares are derived from, and the `address` that
        the other side was reached at or came from. Raises LocalError.
        """
        make_folder(path.parent)
        private = path.with_suffix(PRIVATE_SUFFIX)
        fields = {"secret": secret.hex(), "address": address}
        if not create(private, json.dumps(fields).encode() + b"\n"):
            raise LocalError("log_exists", path=private)
        lock = _locked(private)
        with explained(path):
            file = path.open("xb", buffering=0)
            file.write(opening)
            sync_folder(path.parent)
        return cls(path, file, lock)

    def append(self, entry: bytes) -> None:
        """Write an entry behind the others. Raises LocalError."""
        with explained(self.path):
            data = record(entry)
            while data:
                data = data[self._file.write(data) :]
            self._synced = False

    def sync(self) -> None:
        """Return once all that was appended is on the disk. Raises LocalError."""
        if not self._synced:
            with explained(self.path):
                os.fsync(self._file.fileno())
            self._synced = True

    def close(self) -> None:
        """Let go of the log and the seat."""
        self._file.close()
        self._lock.close()


def _locked(path: Path) -> BinaryIO:
    with explained(path):
        file = path.open("r+b")
    try:
        portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
    except portalocker.LockException:
        file.close()
        raise LocalError("seat_in_use", path=path) from None
    return file


def all_logs(games: Path) -> Sequence[Path]:
    """Every log kept, the one last written first. Raises LocalError."""
    if not games.exists():
        return ()
    with explained(games):
        return sorted(games.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)


def find(games: Path, text: str) -> Path:
    """The file that `text` means: a path, or how the name of one kept log begins. Raises LocalError."""
    path = Path(text).expanduser()
    if path.is_file():
        return path
    matches = [kept for kept in all_logs(games) if text and kept.name.startswith(text)]
    if len(matches) == 1:
        return matches[0]
    raise LocalError("many_such_games" if matches else "no_such_file", name=text)
