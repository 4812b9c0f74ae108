"""A game packed up to go on on another machine of its owner: the log and its private neighbour, in a zip file.

Only one copy may go on: two that both sign end in a fork, which convicts their owner. So packing takes the game's
private neighbour away from here, and unpacking refuses where the game is already. Neither packs nor unpacks what could
not go on there: all is checked before anything is written.
"""

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import LocalError, ShanghaienError, StoreCode
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.shares import Shares
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.fairplay.verify import Verdict, opened, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.store.files import create, explained, make_folder, read_bytes, replace
from p2p_shanghaien.store.logs import MAX_PRIVATE, PRIVATE_SUFFIX, Private, hold, parse_private
from p2p_shanghaien.store.place import SUFFIX, log_path, seat_of

SUFFIX_MOVED: Final = ".moved"
MAX_BUNDLE: Final = MAX_LOG + MAX_PRIVATE
"""Bytes of a bundle; what is in it is smaller than the files it is made of."""

_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
)
"""What `zipfile` raises for bytes that are no archive, or no longer the one they were."""


class Bundle(NamedTuple):
    """A game that can go on somewhere: the name and the bytes of its log, those of its neighbour, and what they say."""

    name: str
    log: bytes
    neighbour: bytes
    session: Session
    private: Private

    @property
    def key(self) -> bytes:
        """The public key that plays the game."""
        return self.session.keys[seat_of(Path(self.name))]


def pack(path: Path, bundle: Path, games: Mapping[str, type[Game[Any]]]) -> None:
    """Write the game whose log is at `path` to the new file `bundle`, and give it up here.

    The log stays, to be looked at; its neighbour is set aside as `.moved`. Raises LocalError, also where the game is
    being played, or could not be unpacked again.
    """
    private = path.with_suffix(PRIVATE_SUFFIX)
    held = hold(private)
    try:
        log, neighbour = read_bytes(path, MAX_LOG), read_bytes(private, MAX_PRIVATE)
        try:
            _checked(path.name, log, neighbour, games)
        except ShanghaienError as error:
            raise LocalError(StoreCode.NOT_PACKED, file=path.name, reason=error) from None
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(path.name, log)
            archive.writestr(private.name, neighbour)
        make_folder(bundle.absolute().parent)
        if not create(bundle, packed.getvalue()):
            raise LocalError(StoreCode.FILE_EXISTS, path=bundle)
        with explained(private):
            private.replace(path.with_suffix(SUFFIX_MOVED))
    finally:
        held.close()


def is_moved(path: Path) -> bool:
    """Whether the game whose log is at `path` was packed up, and has not come back since."""
    return os.path.lexists(path.with_suffix(SUFFIX_MOVED)) and not os.path.lexists(path.with_suffix(PRIVATE_SUFFIX))


def read_bundle(path: Path, games: Mapping[str, type[Game[Any]]]) -> Bundle:
    """Return the game packed in the file at `path`, with nothing written. Raises LocalError."""
    return parse_bundle(path, read_bytes(path, MAX_BUNDLE), games)


def parse_bundle(path: Path, data: bytes, games: Mapping[str, type[Game[Any]]]) -> Bundle:
    """Return the game packed in `data`, which came from `path` and may be anything. Raises LocalError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            items = archive.infolist()
            if len(items) != 2 or not all(map(_is_ours, items)):
                raise LocalError(StoreCode.NOT_A_BUNDLE, path=path)
            name, beside = (item.filename for item in items)
            log, neighbour = _content(archive, items[0], MAX_LOG), _content(archive, items[1], MAX_PRIVATE)
    except _BROKEN:
        raise LocalError(StoreCode.NOT_A_BUNDLE, path=path) from None
    if beside != name.removesuffix(SUFFIX) + PRIVATE_SUFFIX:
        raise LocalError(StoreCode.NOT_A_BUNDLE, path=path)
    try:
        return _checked(name, log, neighbour, games)
    except ShanghaienError as error:
        raise LocalError(StoreCode.BAD_BUNDLE, path=path, reason=error) from None


def unpack(bundle: Bundle, games: Path) -> Path:
    """Put the game among those kept in the folder `games`; return the path of its log. Raises LocalError."""
    path = games / bundle.name
    neighbour = path.with_suffix(PRIVATE_SUFFIX)
    make_folder(games)
    # an older copy of the log may stand here from before the game was moved away
    older = os.path.lexists(path) and bundle.log.startswith(read_bytes(path, MAX_LOG))
    if os.path.lexists(neighbour) or (os.path.lexists(path) and not older):
        raise LocalError(StoreCode.GAME_IS_HERE, path=path)
    replace(path, bundle.log)
    # only with its neighbour can the game go on
    if not create(neighbour, bundle.neighbour):
        raise LocalError(StoreCode.GAME_IS_HERE, path=path)
    return path


def _is_ours(item: zipfile.ZipInfo) -> bool:
    """Return whether `pack` could have written this member: a plain file, neither encrypted nor packed otherwise."""
    return (
        item.compress_type == zipfile.ZIP_DEFLATED
        and not item.flag_bits
        and stat.S_IFMT(item.external_attr >> 16) in (0, stat.S_IFREG)
        and not item.extra
        and not item.comment
    )


def _content(archive: zipfile.ZipFile, item: zipfile.ZipInfo, limit: int) -> bytes:
    """Return what a member holds, unpacking no more than `limit` bytes, whatever sizes the archive claims.

    Raises one of `_BROKEN`.
    """
    if item.file_size > limit:
        raise zipfile.BadZipFile
    with archive.open(item) as member:
        # with a number of bytes, no more than that are unpacked at once
        data = b"".join(iter(lambda: member.read(1 << 16), b""))
    if len(data) != item.file_size:
        raise zipfile.BadZipFile
    return data


def _checked(name: str, log: bytes, neighbour: bytes, games: Mapping[str, type[Game[Any]]]) -> Bundle:
    """Return the game of these parts if they belong together and it is sound. Raises ShanghaienError."""
    session, report = opened(log, games), verify(log, games)
    if report.fault and report.verdict == Verdict.INVALID_FILE:
        raise report.fault
    if name not in (log_path(Path(), session.id, seat).name for seat in (0, 1)):
        raise LocalError(StoreCode.MISNAMED_LOG)
    try:
        private = parse_private(neighbour)
    except ValueError:
        raise LocalError(StoreCode.BAD_NEIGHBOUR) from None
    if not _opens(private.secret, session, report.entries, seat_of(Path(name))):
        raise LocalError(StoreCode.OTHER_SECRET)
    return Bundle(name, log, neighbour, session, private)


def _opens(secret: bytes, session: Session, entries: Iterable[Entry], seat: int) -> bool:
    """Return whether the shares derived from `secret` are those to which the entries of `seat` carry commitments.

    With another secret the game would go on until a share that does not fit convicts its owner.
    """
    shares = Shares(secret, session.id, session.keys[seat])
    return all(shares.fits(entry) for entry in entries if entry.seat == seat)
