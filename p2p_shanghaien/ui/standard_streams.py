"""Standard streams: one that is closed, full or gone causes no more than an error message."""

import io
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO, cast

from p2p_shanghaien.errors import CliCode, LocalError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

ERRORS: Final = 2
"""The descriptor of standard error."""


def is_terminal(descriptor: int) -> bool:
    """Return whether a terminal is there, and not gone."""
    with suppress(OSError):
        return os.isatty(descriptor)
    return False


def to_nowhere(descriptor: int) -> None:
    """Let `descriptor` read nothing and write nowhere from now on."""
    with open(os.devnull, "r+b") as nowhere:
        os.dup2(nowhere.fileno(), descriptor)


class Writing(io.FileIO):
    """Standard output or standard error, unbuffered.

    What standard error, or a terminal that is gone, does not take is lost: nobody is there to be told. Other output
    that cannot be written raises LocalError, or BrokenPipeError where its reader has had enough, and once only: what
    comes after it goes nowhere.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self._loses = descriptor == ERRORS or is_terminal(descriptor)

    def write(self, data: "ReadableBuffer", /) -> int:
        size = memoryview(data).nbytes
        if not size:
            return 0  # a library asks so whether bytes can be written, and takes an error for a no
        try:
            return super().write(data)
        except OSError as error:
            if self._loses:
                return size
            to_nowhere(self.fileno())
            if isinstance(error, BrokenPipeError):
                raise
            raise LocalError(CliCode.OUTPUT_NOT_WRITTEN, reason=error.strerror) from None


def open_streams(unwritable: str) -> None:
    """Open the standard streams again, so that writing to them behaves as `Writing` says.

    A closed one reads nothing and writes nowhere. `unwritable` names the handler of encoding errors.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            # else the next file that we open gets this number, and whatever is printed
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = _writing(1, sys.stdout, unwritable)
    sys.stderr = _writing(ERRORS, sys.stderr, unwritable)


def _writing(descriptor: int, before: TextIO | None, unwritable: str) -> TextIO:
    if before is None:
        return io.TextIOWrapper(io.BufferedWriter(Writing(descriptor)), "utf-8", unwritable)
    if not isinstance(before, io.TextIOWrapper):
        return before
    raw = getattr(before.buffer, "raw", before.buffer)  # without PYTHONUNBUFFERED, or with it
    if not isinstance(raw, io.FileIO):
        before.reconfigure(errors=unwritable)  # the console of Windows
        return before
    writing = Writing(descriptor)
    return io.TextIOWrapper(
        cast(BinaryIO, writing) if raw is before.buffer else io.BufferedWriter(writing),
        before.encoding,
        unwritable,
        line_buffering=before.line_buffering,
        write_through=before.write_through,
    )
