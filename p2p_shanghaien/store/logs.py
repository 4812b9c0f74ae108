"""Game logs on disk (protocol/SPEC.md, section 8), each with a private neighbour that is never shown to anybody.

The neighbour is a file of JSON lines: first what the session began with, then each further handshake, each further
address, that our side has resigned, and that the other side has the whole game; empty lines and lines cut short are
passed over. It is locked by the process that plays the seat.
"""

import json
import os
import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.entries import MAX_NUMBER
from p2p_shanghaien.fairplay.handshake import Established
from p2p_shanghaien.fairplay.hello import MAX_HELLO, Position
from p2p_shanghaien.fairplay.keys import HASH_SIZE
from p2p_shanghaien.fairplay.transcript import MAX_ENTRIES, MAX_LOG, record
from p2p_shanghaien.fairplay.verify import KeptHandshake
from p2p_shanghaien.store.files import (
    create,
    explained,
    lock,
    make_folder,
    open_regular,
    parse_json,
    read_bytes,
    sync_folder,
)
from p2p_shanghaien.store.place import expanded
from p2p_shanghaien.text import nearest

SUFFIX: Final = ".shlog"
PRIVATE_SUFFIX: Final = ".private"
TORN_SUFFIX: Final = ".torn"
SEATS: Final = ("host", "guest")

MAX_PRIVATE: Final = MAX_ENTRIES * 5 * MAX_HELLO
"""Bytes of a private neighbour: room for a handshake, with both hellos in hexadecimal, to every entry of a log."""

SECRET_SIZE: Final = 32
_KEY_NAME: Final = re.compile("[a-z]{1,32}")


class Private(NamedTuple):
    """What is known of a game beside its log: the secret that shares are derived from, our key's name in the store,
    where the other side was last reached at, or where we listened for it, whether it is known to have the whole game,
    and whether our side has resigned."""

    secret: bytes
    key: str
    address: str
    delivered: bool = False
    resigned: bool = False


def log_path(games: Path, session: bytes, seat: int) -> Path:
    """Where the log of a session is kept by the program that plays `seat`."""
    return games / f"{session.hex()}-{SEATS[seat]}{SUFFIX}"


def seat_of(path: Path) -> int:
    """The seat that is played by the program that keeps its log at `path`."""
    return SEATS.index("guest" if path.stem.endswith("-guest") else "host")


class GameLog:
    """A log being written."""

    def __init__(self, path: Path, file: BinaryIO, neighbour: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._neighbour = neighbour
        self._synced = False

    @classmethod
    def start(cls, path: Path, opening: bytes, private: Private) -> Self:
        """A new log that begins with `opening` (`transcript.opening`). Raises LocalError."""
        make_folder(path.parent)
        neighbour = path.with_suffix(PRIVATE_SUFFIX)
        if not create(neighbour, _line({**private._asdict(), "secret": private.secret.hex()})):
            raise LocalError("log_exists", path=neighbour)
        with ExitStack() as on_failure:
            on_failure.callback(path.unlink, missing_ok=True)
            on_failure.callback(neighbour.unlink, missing_ok=True)
            locked = hold(neighbour)
            on_failure.callback(locked.close)
            with explained(path):
                file = path.open("xb", buffering=0)
                on_failure.callback(file.close)
                _write(file, opening)
                sync_folder(path.parent)
            on_failure.pop_all()
        return cls(path, file, locked)

    @classmethod
    def reopen(cls, path: Path, torn: int) -> Self:
        """Go on with the log at `path`, whose last `torn` bytes belong to no entry: they are set aside.

        Raises LocalError, also where another process plays this seat.
        """
        with ExitStack() as on_failure:
            locked = on_failure.enter_context(hold(path.with_suffix(PRIVATE_SUFFIX)))
            with explained(path):
                if torn:
                    _set_aside(path, torn)
                file = path.open("ab", buffering=0)
            on_failure.pop_all()
        return cls(path, file, locked)

    def append(self, entry: bytes) -> None:
        """Write an entry behind the others. Raises LocalError."""
        with explained(self.path):
            _write(self._file, record(entry))
            self._synced = False

    def sync(self) -> None:
        """Return once all that was appended is on the disk. Raises LocalError."""
        if not self._synced:
            with explained(self.path):
                os.fsync(self._file.fileno())
            self._synced = True

    def met(self, established: Established) -> None:
        """Keep a further handshake: it can rebut a fork that we are accused of (SPEC 11.4). Raises LocalError."""
        kept = KeptHandshake(established.meeting.hellos, established.proofs, established.theirs)
        self._note(_handshake_fields(kept))

    def moved(self, address: str) -> None:
        """Keep where the other side is reached from now on. Raises LocalError."""
        self._note({"address": address})

    def resigned(self) -> None:
        """Keep that our side gives the game up, until an entry says so. Raises LocalError."""
        self._note({"resigned": True})

    def delivered(self) -> None:
        """Keep that the other side has the whole game, too. Raises LocalError."""
        self._note({"delivered": True})

    def close(self) -> None:
        """Let go of the log and the seat."""
        self._file.close()
        self._neighbour.close()

    def discard(self) -> None:
        """Take away a log without entries: no game has come of it. Raises LocalError."""
        with explained(self.path):
            self.path.unlink()
            self.path.with_suffix(PRIVATE_SUFFIX).unlink()

    def _note(self, fields: dict[str, Any]) -> None:
        with explained(self.path.with_suffix(PRIVATE_SUFFIX)):
            self._neighbour.seek(0, os.SEEK_END)
            _write(self._neighbour, b"\n" + _line(fields))
            os.fsync(self._neighbour.fileno())


def read_private(path: Path) -> Private:
    """What is kept beside the log at `path`. Raises LocalError."""
    neighbour = path.with_suffix(PRIVATE_SUFFIX)
    try:
        return parse_private(read_bytes(neighbour, MAX_PRIVATE))
    except ValueError:
        raise LocalError("bad_private_file", path=neighbour) from None


def parse_private(data: bytes) -> Private:
    """Return what the private neighbour of a log says. Raises ValueError where it cannot be one."""
    first, *further = data.splitlines() or [b""]
    match parse_json(first):
        case {"secret": str(secret), "key": str(key), "address": str(address), **others} if _KEY_NAME.fullmatch(key):
            private = Private(bytes.fromhex(secret), key, address, others.get("delivered") is True)
        case _:
            raise ValueError("not what a game began with")
    if len(private.secret) != SECRET_SIZE:
        raise ValueError("not a secret")
    for line in further:
        # a line whose writing was cut short says nothing
        with suppress(ValueError):
            match parse_json(line):
                case {"address": str(address)}:
                    private = private._replace(address=address)
                case {"delivered": True}:
                    private = private._replace(delivered=True)
                case {"resigned": True}:
                    private = private._replace(resigned=True)
    return private


def read_handshakes(path: Path) -> Sequence[KeptHandshake]:
    """The later handshakes of a game that stand in `path`: the file beside its log, or what was made of it for others
    (SPEC 8.5). Raises LocalError.
    """
    kept = []
    for line in read_bytes(path, MAX_PRIVATE).splitlines():
        with suppress(ValueError):
            match parse_json(line):
                case {
                    "hellos": [str(host), str(guest)],
                    "proofs": [str(host_proof), str(guest_proof)],
                    "theirs": [int(length), str(text)],
                } if 0 <= length <= MAX_NUMBER and len(head := bytes.fromhex(text)) == HASH_SIZE:
                    hellos = bytes.fromhex(host), bytes.fromhex(guest)
                    proofs = bytes.fromhex(host_proof), bytes.fromhex(guest_proof)
                    kept.append(KeptHandshake(hellos, proofs, Position(length, head)))
    return kept


def handshake_lines(handshakes: Iterable[KeptHandshake]) -> bytes:
    """The file with these handshakes that may be shown to anybody (SPEC 8.5)."""
    return b"".join(_line(_handshake_fields(each)) for each in handshakes)


def _handshake_fields(kept: KeptHandshake) -> dict[str, Any]:
    return {
        "hellos": [hello.hex() for hello in kept.hellos],
        "proofs": [proof.hex() for proof in kept.proofs],
        "theirs": [kept.theirs.length, kept.theirs.head.hex()],
    }


def all_logs(games: Path) -> Sequence[Path]:
    """Every log kept, and whatever else is called one, the one last written first. Raises LocalError."""
    with explained(games):
        try:
            names = os.listdir(games)
        except FileNotFoundError:
            return ()
    return sorted((games / name for name in names if name.endswith(SUFFIX)), key=last_written, reverse=True)


def last_written(path: Path) -> datetime:
    """Return when the file, or else the link, at `path` was last written; long ago where nobody can tell."""
    for status in (path.stat, path.lstat):
        # no date is beyond the year 9999, but a file may claim to be
        with suppress(OSError, ValueError, OverflowError):
            return datetime.fromtimestamp(status().st_mtime).astimezone()
    return datetime.fromtimestamp(0).astimezone()


def read_on(path: Path, start: int) -> bytes:
    """What the log at `path` holds from byte `start` on. Raises LocalError, also where it holds less than that."""
    with explained(path), open_regular(path, "rb") as file:
        if file.seek(0, os.SEEK_END) < start:
            raise LocalError("log_shrank", path=path)
        file.seek(start)
        # what is longer than a log is no entry, and is found out by that
        return file.read(MAX_LOG)


def is_played(path: Path) -> bool:
    """Whether a program on this machine plays the seat whose log is at `path`."""
    try:
        hold(path.with_suffix(PRIVATE_SUFFIX)).close()
    except LocalError as error:
        return error.code == "seat_in_use"
    return False


def find(games: Path, text: str) -> Path:
    """The file that `text` means: a path, or how the name of one kept log begins. Raises LocalError."""
    path = expanded(text)
    is_folder = os.path.isdir(path)  # unlike pathlib's, it never raises
    if os.path.lexists(path) and not is_folder:
        return path
    matches = [kept for kept in all_logs(games) if text and kept.name.startswith(text)]
    if len(matches) == 1:
        return matches[0]
    if text and is_folder:
        raise LocalError("folder_named", path=path)
    if matches:
        raise LocalError("many_such_games", name=text)
    # names are random digits, some of which any two have in common
    near = nearest(text, (kept.name[: len(text)] for kept in all_logs(games)), 0.75)
    raise LocalError("no_such_file", name=text, nearest=near)


def _line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def _write(file: BinaryIO, data: bytes) -> None:
    """Write all of `data` to a file without a buffer: what does not fit fails here, and not again at closing."""
    while data:
        data = data[file.write(data) :]


def _set_aside(path: Path, torn: int) -> None:
    """Move the last `torn` bytes of the log to a file beside it: never deleted, and no longer in the way."""
    with path.open("r+b") as file:
        file.seek(-torn, os.SEEK_END)
        start = file.tell()
        with open_regular(path.with_suffix(TORN_SUFFIX), "ab") as aside:
            _write(aside, file.read())
            os.fsync(aside.fileno())
        file.truncate(start)
        file.flush()
        os.fsync(file.fileno())


def hold(path: Path) -> BinaryIO:
    """The private neighbour at `path`, opened and held: no other process plays the seat until it is closed.

    Raises LocalError.
    """
    with explained(path):
        file = open_regular(path, "r+b")
    try:
        if not lock(file, path, wait=False):
            raise LocalError("seat_in_use", path=path)
    except LocalError:
        file.close()
        raise
    return file
