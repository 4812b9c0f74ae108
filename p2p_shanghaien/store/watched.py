"""The log of a game that is watched, on disk: whole at any moment, but for a record that is just being written."""

from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Self

from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.store.files import create, explained, lock, make_folder, open_regular, write_all
from p2p_shanghaien.store.paths import watched_path


class WatchedLog:
    """The log of a session that is watched by this program, and by no other on this machine."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.path = path
        self._file = file
        file.seek(0)
        self.kept = file.read(MAX_LOG)
        """The bytes that were there before."""
        self._end = 0

    @classmethod
    def open(cls, folder: Path, session: bytes) -> Self:
        """Open the log of a session in `folder`, made if it is not there. Raises LocalError."""
        path = watched_path(folder, session)
        make_folder(folder)
        create(path, b"")
        with ExitStack() as unless_held, explained(path):
            file = unless_held.enter_context(open_regular(path, "r+b"))
            if not lock(file, path, wait=False):
                raise LocalError(StoreCode.WATCHED_ALREADY, path=path)
            unless_held.pop_all()
        return cls(path, file)

    @property
    def is_begun(self) -> bool:
        """Return whether anything has been written to it by this program."""
        return self._end > 0

    def write(self, log: bytes) -> None:
        """Keep the bytes of the log so far, which begin with those that were written before. Raises LocalError."""
        with explained(self.path):
            if self._end == 0 and log.startswith(self.kept):
                self._end = len(self.kept)
            # else what was there is not sound, or ends with a truncated record
            self._file.seek(self._end)
            write_all(self._file, log[self._end :])
            self._file.truncate()
            self._end = len(log)

    def close(self) -> None:
        """Close it."""
        self._file.close()
