"""Game logs on disk (protocol/SPEC.md, section 8), each with a private sidecar file that is never shown to anybody.

The sidecar is a file of JSON lines: first what the session began with, once more the key of its channels, then each
further handshake that an entry of ours names, each further address, that we have resigned, and that the peer has the
whole game; empty lines and truncated lines are passed over. It is locked by the process that plays the seat, and
compacted when the game is taken up again.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, Self

from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.fairplay.channel import NO_KEY
from p2p_shanghaien.fairplay.entries import parse
from p2p_shanghaien.fairplay.hello import MAX_HELLO, MAX_WATCHERS, Hellos
from p2p_shanghaien.fairplay.transcript import MAX_ENTRIES, MAX_LOG, length_prefixed
from p2p_shanghaien.fairplay.verify import KeptHandshake
from p2p_shanghaien.store import lines
from p2p_shanghaien.store.files import (
    create,
    explained,
    lock,
    make_folder,
    open_regular,
    parse_json,
    read_bytes,
    replace,
    sync_folder,
    write_all,
    write_new,
)
from p2p_shanghaien.store.paths import seat_of

if TYPE_CHECKING:
    from p2p_shanghaien.fairplay.handshake import Established

SIDECAR_SUFFIX: Final = ".private"
TRUNCATED_SUFFIX: Final = ".truncated"
DAMAGED_SUFFIX: Final = ".damaged"

MAX_SIDECAR: Final = MAX_ENTRIES * 5 * MAX_HELLO
"""The limit of bytes of a sidecar: room for a handshake, with both hellos in hexadecimal, to every entry of a log."""

MAX_ASIDE: Final = 1 << 28
"""The limit of bytes of all that has been set aside of a log."""

SECRET_SIZE: Final = 32
_KEY_NAME: Final = re.compile("[a-z]{1,32}")
_CHANNEL_KEY: Final = re.compile("[0-9a-f]{64}")
_ROOM: Final = re.compile("[0-9a-f]{32}")
_WATCHING: Final = re.compile("([0-9a-f]{32})?")
_MAX_FIRST_LINE: Final = 1 << 12
"""The limit of bytes of a sidecar's first line."""

_NAMED: Final = "entry"
"""Field of a handshake in a sidecar: the number of our first entry that names it. Files of older versions lack it."""


class Sidecar(NamedTuple):
    """The facts about a game beside its log.

    The secret that shares are derived from, our key's name in the store, the address where the peer was last reached,
    or where we listened for it, the pre-shared key of the channels to it, whether it is known to have the whole game,
    whether we have resigned, and when the game began, by the clock of this machine; the relay at which the two meet, as
    its address was given, and the room there, if there is one; how many may watch at our table, and the secret of the
    invitation to watch, if they need one.
    """

    secret: bytes
    key: str
    address: str
    channel_key: bytes = NO_KEY
    delivered: bool = False
    resigned: bool = False
    begun: datetime | None = None
    relay: str = ""
    room: bytes = b""
    watchers: int = 0
    watching: bytes = b""


class SidecarUnreadable(LocalError):
    """A sidecar that does not begin with the start of a game."""

    def __init__(self, path: Path) -> None:
        super().__init__(StoreCode.SIDECAR_UNREADABLE, path=path)


class GameLog:
    """A log being written."""

    def __init__(self, path: Path, file: BinaryIO, sidecar: BinaryIO) -> None:
        self.path = path
        self._file = file
        self._sidecar = sidecar
        self._synced = False
        self._unnamed: KeptHandshake | None = None
        """The handshake of the current connection, until an entry of ours names it."""
        self._noted: dict[str, object] = {}
        """Facts that the sidecar already holds."""

    @classmethod
    def start(cls, path: Path, opening: bytes, sidecar: Sidecar) -> Self:
        """Return a new log that begins with `opening` (`transcript.opening`). Raises LocalError."""
        make_folder(path.parent)
        beside = path.with_suffix(SIDECAR_SUFFIX)
        if not create(beside, _beginning(sidecar)):
            raise LocalError(StoreCode.LOG_EXISTS, path=beside)
        with ExitStack() as on_failure:
            on_failure.callback(path.unlink, missing_ok=True)
            on_failure.callback(beside.unlink, missing_ok=True)
            locked = hold(beside)
            on_failure.callback(locked.close)
            with explained(path):
                file = path.open("xb", buffering=0)
                on_failure.callback(file.close)
                write_all(file, opening)
                sync_folder(path.parent)
            on_failure.pop_all()
        return cls(path, file, locked)

    @classmethod
    def reopen(cls, path: Path, rest: int, aside: str = TRUNCATED_SUFFIX, *, size: int | None = None) -> Self:
        """Continue the log at `path`, whose last `rest` bytes belong to no entry: they are set aside.

        They are kept in the file with the suffix `aside`. `size` is the number of bytes of the log that were read.
        Raises LocalError, also if another process plays this seat, or has played it since.
        """
        with ExitStack() as on_failure:
            locked = on_failure.enter_context(_held_and_compacted(path))
            with explained(path):
                if size is not None and path.stat().st_size != size:
                    raise LocalError(StoreCode.LOG_CHANGED, path=path)
                if rest:
                    _set_aside(path, rest, path.with_suffix(aside))
                file = path.open("ab", buffering=0)
            on_failure.pop_all()
        return cls(path, file, locked)

    def append(self, entry: bytes) -> None:
        """Append an entry. Raises LocalError."""
        self._keep_handshake(entry)
        with explained(self.path):
            write_all(self._file, length_prefixed(entry))
            self._synced = False

    def sync(self) -> None:
        """Wait until all appended entries are on disk. Raises LocalError."""
        if not self._synced:
            with explained(self.path):
                os.fsync(self._file.fileno())
            self._synced = True

    def add_handshake(self, established: "Established") -> None:
        """Take the handshake of a further connection; it is saved with our first entry that names it."""
        self._unnamed = KeptHandshake(established.hellos, established.proofs, established.theirs)

    def set_address(self, address: str) -> None:
        """Save the new address of the peer. Raises LocalError."""
        self._fact("address", address)

    def mark_resigned(self) -> None:
        """Save that we resign, until an entry says so. Raises LocalError."""
        self._fact("resigned", True)

    def mark_delivered(self) -> None:
        """Save that the peer has the whole game, too. Raises LocalError."""
        self._fact("delivered", True)

    def close(self) -> None:
        """Close the log and free the seat."""
        self._file.close()
        self._sidecar.close()

    def discard(self) -> None:
        """Delete a log without entries: no game has come of it. Raises LocalError."""
        with explained(self.path):
            self.path.unlink()
            self.path.with_suffix(SIDECAR_SUFFIX).unlink()

    def _keep_handshake(self, data: bytes) -> None:
        """Save the current handshake if the entry `data`, about to be written, is our first that names it.

        It can then rebut a fork (SPEC 11.4), and one that no entry of ours names never can: so a peer that connects
        again and again makes no file grow. Raises LocalError.
        """
        if self._unnamed is None:
            return
        entry = parse(data)
        if entry.seat == seat_of(self.path) and entry.handshake == Hellos(*self._unnamed.hellos).handshake:
            self._note({_NAMED: entry.number, **lines.handshake_fields(self._unnamed)})
            self._unnamed = None

    def _fact(self, name: str, value: object) -> None:
        if self._noted.get(name) != value:
            self._note({name: value})
            self._noted[name] = value

    def _note(self, fields: dict[str, Any]) -> None:
        with explained(self.path.with_suffix(SIDECAR_SUFFIX)):
            self._sidecar.seek(0, os.SEEK_END)
            write_all(self._sidecar, b"\n" + lines.line(fields))
            os.fsync(self._sidecar.fileno())


def has_sidecar(path: Path) -> bool:
    """Return whether the log at `path` has a sidecar, whatever is in it."""
    return os.path.lexists(path.with_suffix(SIDECAR_SUFFIX))


def read_sidecar(path: Path, key: str | None = None) -> Sidecar:
    """Return the facts beside the log at `path`; `key` as for `parse_sidecar`. Raises LocalError."""
    beside = path.with_suffix(SIDECAR_SUFFIX)
    try:
        return parse_sidecar(read_bytes(beside, MAX_SIDECAR), key)
    except ValueError:
        raise SidecarUnreadable(beside) from None


def parse_sidecar(data: bytes, key: str | None = None) -> Sidecar:
    """Return the content of a sidecar. Raises ValueError if it cannot be one.

    `key` replaces the name of our key, if that is known otherwise: the name may be damaged.
    """
    first, *further = data.splitlines() or [b""]
    match parse_json(first):
        case {"secret": str(secret), "key": str(name), "address": str(address), **fields} if _KEY_NAME.fullmatch(
            key or name
        ):
            delivered, resigned = (fields.get(fact) is True for fact in ("delivered", "resigned"))
            sidecar = Sidecar(bytes.fromhex(secret), key or name, address, NO_KEY, delivered, resigned, _moment(fields))
            sidecar = _with_watchers(_with_way(sidecar, fields), fields)
        case _:
            raise ValueError("not what a game began with")
    if len(sidecar.secret) != SECRET_SIZE:
        raise ValueError("not a secret")
    return _with_facts(sidecar, further)


def _with_way(sidecar: Sidecar, fields: Mapping[Any, Any]) -> Sidecar:
    """Return `sidecar` with the key of channels, and the relay, that are in a line's `fields`."""
    match fields:
        case {"channel_key": str(key)} if _CHANNEL_KEY.fullmatch(key):
            sidecar = sidecar._replace(channel_key=bytes.fromhex(key))
    match fields:
        case {"relay": str(relay), "room": str(room)} if _ROOM.fullmatch(room):
            sidecar = sidecar._replace(relay=relay, room=bytes.fromhex(room))
    return sidecar


def _with_watchers(sidecar: Sidecar, fields: Mapping[Any, Any]) -> Sidecar:
    """Return `sidecar` with how many may watch, and their invitation's secret, by the first line's `fields`."""
    match fields:
        case {"watchers": int(count), "watching": str(secret)} if (
            type(count) is int and 0 < count <= MAX_WATCHERS and _WATCHING.fullmatch(secret)
        ):
            return sidecar._replace(watchers=count, watching=bytes.fromhex(secret))
    return sidecar


def _moment(fields: Mapping[Any, Any]) -> datetime | None:
    """Return when the game began by the first line's `fields`, if they say so."""
    match fields:
        case {"begun": str(text)}:
            with suppress(ValueError):
                return datetime.fromisoformat(text)
    return None


def read_begun(path: Path) -> datetime | None:
    """Return when the game began that has its sidecar at `path`, if that says so; nothing more of it is read."""
    with suppress(OSError, LocalError, ValueError), open_regular(path, "rb") as file:
        fields = parse_json(file.readline(_MAX_FIRST_LINE))
        return _moment(fields) if isinstance(fields, dict) else None
    return None


def _with_facts(sidecar: Sidecar, further: Iterable[bytes]) -> Sidecar:
    for line in further:
        match lines.parsed(line):
            case {"address": str(address)}:
                sidecar = sidecar._replace(address=address)
            case {"channel_key": str(key), **fields}:
                sidecar = _with_way(sidecar, {"channel_key": key, **fields})
            case {"delivered": True}:
                sidecar = sidecar._replace(delivered=True)
            case {"resigned": True}:
                sidecar = sidecar._replace(resigned=True)
    return sidecar


def read_handshakes(path: Path) -> Sequence[KeptHandshake]:
    """Return the later handshakes of a game in `path`.

    That is the sidecar, or a file made of it for others (SPEC 8.5). Raises LocalError.
    """
    return lines.read_shown(read_bytes(path, MAX_SIDECAR))


def read_on(path: Path, start: int) -> bytes:
    """Return the bytes of the log at `path` from byte `start` on.

    Raises LocalError, also if it is shorter.
    """
    with explained(path), open_regular(path, "rb") as file:
        if file.seek(0, os.SEEK_END) < start:
            raise LocalError(StoreCode.LOG_SHRANK, path=path)
        file.seek(start)
        # anything longer than a log is no entry, and is detected by that
        return file.read(MAX_LOG)


def is_played(path: Path) -> bool:
    """Return whether a program on this machine plays the seat whose log is at `path`."""
    try:
        held = _held(path.with_suffix(SIDECAR_SUFFIX))
    except LocalError:
        return False
    if held is None:
        return True
    held.close()
    return False


def _beginning(sidecar: Sidecar) -> bytes:
    """Return the first lines of a sidecar.

    Without the channel's key, and the relay, a game at a private table is lost, so they stand there twice.
    """
    way = {"channel_key": sidecar.channel_key.hex(), **_relay_fields(sidecar)}
    return _first_line(sidecar) + (lines.line(way) if sidecar.channel_key != NO_KEY else b"")


def _relay_fields(sidecar: Sidecar) -> dict[str, str]:
    return {"relay": sidecar.relay, "room": sidecar.room.hex()} if sidecar.relay else {}


def _first_line(sidecar: Sidecar) -> bytes:
    fields = {**sidecar._asdict(), "secret": sidecar.secret.hex(), "channel_key": sidecar.channel_key.hex()}
    del fields["relay"], fields["room"], fields["watchers"], fields["watching"]
    fields |= _relay_fields(sidecar)
    if sidecar.watchers:
        fields |= {"watchers": sidecar.watchers, "watching": sidecar.watching.hex()}
    begun = fields.pop("begun")
    return lines.line({**fields, "begun": begun.isoformat(timespec="seconds")} if begun else fields)


def _held_and_compacted(path: Path) -> BinaryIO:
    """Hold the sidecar of the log at `path`, compacted. Raises LocalError."""
    beside = path.with_suffix(SIDECAR_SUFFIX)
    with ExitStack() as on_failure:
        held = on_failure.enter_context(hold(beside))
        before = held.read()
        after = _compacted(path, before)
        if len(after) >= len(before):
            on_failure.pop_all()
            return held
        temporary = beside.with_name(f"{beside.name}.new")
        with explained(beside):
            write_new(temporary, after)
            # held before it is put in place: at no moment may another process take the seat
            rewritten = on_failure.enter_context(hold(temporary))
            try:
                temporary.replace(beside)
            except PermissionError:
                # Windows replaces no open file; then the old content stays
                rewritten.close()
                temporary.unlink()
                on_failure.pop_all()
                return held
            sync_folder(beside.parent)
        on_failure.pop_all()
    held.close()
    return rewritten


def _compacted(path: Path, data: bytes) -> bytes:
    """Return the content that a sidecar with the lines `data` has to keep: current facts, and handshakes.

    A handshake without `_NAMED` is of use only if an entry names it, in the log or in what was set aside of it.
    """
    parts = (part for part in (path, *map(path.with_suffix, (TRUNCATED_SUFFIX, DAMAGED_SUFFIX))) if part.exists())
    entries = b"".join(read_bytes(part, MAX_ASIDE) for part in parts)
    try:
        kept = [_beginning(parse_sidecar(data))]
    except ValueError:
        raise SidecarUnreadable(path.with_suffix(SIDECAR_SUFFIX)) from None
    for line in data.splitlines()[1:]:
        match lines.parsed(line):
            case {"address": str()} | {"delivered": True} | {"resigned": True} | {"channel_key": str()}:
                continue
            case {**fields} if handshake := lines.handshake(fields):
                if _NAMED not in fields and Hellos(*handshake.hellos).handshake not in entries:
                    continue
        if line:
            kept.append(line + b"\n")
    return b"".join(kept)


def damaged_sidecar(path: Path) -> Path:
    """Return the path for the damaged sidecar of the log at `path`."""
    return path.with_suffix(SIDECAR_SUFFIX + DAMAGED_SUFFIX)


def salvaged(path: Path, lost: Sidecar) -> Sidecar:
    """Return `lost`, in place of a sidecar's damaged first line, with the facts of the others. Raises LocalError."""
    return _with_facts(lost, read_bytes(path.with_suffix(SIDECAR_SUFFIX), MAX_SIDECAR).splitlines()[1:])


def renew_sidecar(path: Path, sidecar: Sidecar) -> None:
    """Set the sidecar of the log at `path`, whose first line is damaged, aside.

    A file that begins with `sidecar` replaces it; the other lines stay. Raises LocalError.
    """
    beside = path.with_suffix(SIDECAR_SUFFIX)
    data = read_bytes(beside, MAX_SIDECAR)
    with explained(beside):
        _keep_aside(data, damaged_sidecar(path))
    replace(beside, b"\n".join([_first_line(sidecar).rstrip(), *data.splitlines()[1:], b""]))


def _keep_aside(data: bytes, beside: Path) -> None:
    with open_regular(beside, "ab") as aside:
        write_all(aside, data)
        os.fsync(aside.fileno())


def _set_aside(path: Path, rest: int, beside: Path) -> None:
    """Move the last `rest` bytes of the log to the file `beside`; nothing is deleted."""
    with path.open("r+b") as file:
        file.seek(-rest, os.SEEK_END)
        start = file.tell()
        _keep_aside(file.read(), beside)
        file.truncate(start)
        file.flush()
        os.fsync(file.fileno())


def hold(path: Path) -> BinaryIO:
    """Open and lock the sidecar at `path`: no other process plays the seat until it is closed. Raises LocalError."""
    held = _held(path)
    if held is None:
        raise LocalError(StoreCode.SEAT_IN_USE, path=path)
    return held


def _held(path: Path) -> BinaryIO | None:
    """Return the sidecar at `path`, opened and locked, or None if another process holds it. Raises LocalError."""
    with ExitStack() as unless_held, explained(path):
        file = unless_held.enter_context(open_regular(path, "r+b"))
        # whoever played the seat until now may have put another file in its place
        if lock(file, path, wait=False) and os.path.samestat(os.fstat(file.fileno()), path.stat()):
            unless_held.pop_all()
            return file
    return None
