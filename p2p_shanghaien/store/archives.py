"""A game as one file for another machine of its owner: the log, its sidecar file and its data, in a zip archive.

Only one copy may continue: two that both sign end in a fork, a violation by their owner. So export takes the sidecar
away from here, and import refuses a game that is here already. Neither handles a game that could not continue there:
everything is checked before anything is written.
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
from p2p_shanghaien.fairplay.data import digest_of
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.hello import MAX_SETTINGS
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.shares import Shares
from p2p_shanghaien.fairplay.transcript import MAX_LOG
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.api import Game, Reading
from p2p_shanghaien.store.data import MAX_DATA, data_name, keep_data
from p2p_shanghaien.store.files import create, explained, make_folder, read_bytes, replace
from p2p_shanghaien.store.logs import MAX_SIDECAR, SIDECAR_SUFFIX, Sidecar, has_sidecar, hold, parse_sidecar
from p2p_shanghaien.store.paths import SUFFIX, log_path, seat_of

ARCHIVE_SUFFIX: Final = ".moved"
MAX_ARCHIVE: Final = MAX_LOG + MAX_SIDECAR + MAX_SETTINGS * MAX_DATA
"""The limit of bytes of an archive; its content is smaller than the files it is made of."""

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
"""The exceptions of `zipfile` for bytes that are no archive, or are damaged."""


class Archive(NamedTuple):
    """A game that can continue elsewhere: name and bytes of its log, bytes of its sidecar, and their content."""

    name: str
    log: bytes
    sidecar_bytes: bytes
    session: Session
    sidecar: Sidecar

    @property
    def key(self) -> bytes:
        """The public key that plays the game."""
        return self.session.keys[seat_of(Path(self.name))]


def export_archive(path: Path, archive: Path, games: Mapping[str, type[Game[Any]]]) -> None:
    """Write the game whose log is at `path` to the new file `archive`, and give it up here.

    The log stays, to be looked at; its sidecar is set aside as `.moved`. Raises LocalError, also if the game is being
    played, or could not be imported again.
    """
    beside = path.with_suffix(SIDECAR_SUFFIX)
    held = hold(beside)
    try:
        log, sidecar = read_bytes(path, MAX_LOG), read_bytes(beside, MAX_SIDECAR)
        try:
            data = _checked(path.name, log, sidecar, games).session.game.named_data()
        except ShanghaienError as error:
            raise LocalError(StoreCode.NOT_PACKED, file=path.name, reason=error) from None
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
            zipped.writestr(path.name, log)
            zipped.writestr(beside.name, sidecar)
            for digest, content in data.items():
                zipped.writestr(data_name(digest), content)
        make_folder(archive.absolute().parent)
        if not create(archive, packed.getvalue()):
            raise LocalError(StoreCode.FILE_EXISTS, path=archive)
        with explained(beside):
            beside.replace(path.with_suffix(ARCHIVE_SUFFIX))
    finally:
        held.close()


def is_archive(path: Path) -> bool:
    """Return whether the game whose log is at `path` was exported, and has not come back since."""
    return os.path.lexists(path.with_suffix(ARCHIVE_SUFFIX)) and not has_sidecar(path)


def read_archive(path: Path, games: Mapping[str, type[Game[Any]]]) -> Archive:
    """Return the game packed in the file at `path`, with nothing written. Raises LocalError."""
    return parse_archive(path, read_bytes(path, MAX_ARCHIVE), games)


def parse_archive(path: Path, data: bytes, games: Mapping[str, type[Game[Any]]]) -> Archive:
    """Return the game in the archive `data`, which came from `path` and may be anything. Raises LocalError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as zipped:
            items = zipped.infolist()
            if not 2 <= len(items) <= 2 + MAX_SETTINGS or not all(map(_is_ours, items)):
                raise LocalError(StoreCode.NOT_AN_ARCHIVE, path=path)
            name, beside, *further = (item.filename for item in items)
            log, sidecar = _content(zipped, items[0], MAX_LOG), _content(zipped, items[1], MAX_SIDECAR)
            outside = {digest_of(each): each for each in (_content(zipped, item, MAX_DATA) for item in items[2:])}
    except _BROKEN:
        raise LocalError(StoreCode.NOT_AN_ARCHIVE, path=path) from None
    if beside != name.removesuffix(SUFFIX) + SIDECAR_SUFFIX or further != list(map(data_name, outside)):
        raise LocalError(StoreCode.NOT_AN_ARCHIVE, path=path)
    try:
        return _checked(name, log, sidecar, Reading(games, outside.get) if outside else games)
    except ShanghaienError as error:
        raise LocalError(StoreCode.BAD_ARCHIVE, path=path, reason=error) from None


def import_archive(archive: Archive, games: Path) -> Path:
    """Put the game among the saved ones in the folder `games`; return the path of its log. Raises LocalError."""
    path = games / archive.name
    beside = path.with_suffix(SIDECAR_SUFFIX)
    make_folder(games)
    # an older copy of the log may be here from before the game was moved away
    older = os.path.lexists(path) and archive.log.startswith(read_bytes(path, MAX_LOG))
    if os.path.lexists(beside) or (os.path.lexists(path) and not older):
        raise LocalError(StoreCode.GAME_IS_HERE, path=path)
    for data in archive.session.game.named_data().values():
        keep_data(games, data)
    replace(path, archive.log)
    # only with its sidecar can the game continue
    if not create(beside, archive.sidecar_bytes):
        raise LocalError(StoreCode.GAME_IS_HERE, path=path)
    return path


def _is_ours(item: zipfile.ZipInfo) -> bool:
    """Return whether `export_archive` could have written this member: plain, not encrypted."""
    return (
        item.compress_type == zipfile.ZIP_DEFLATED
        and not item.flag_bits
        and stat.S_IFMT(item.external_attr >> 16) in (0, stat.S_IFREG)
        and not item.extra
        and not item.comment
    )


def _content(zipped: zipfile.ZipFile, item: zipfile.ZipInfo, limit: int) -> bytes:
    """Return the content of a member, unpacking no more than `limit` bytes, whatever sizes the archive claims.

    Raises one of `_BROKEN`.
    """
    if item.file_size > limit:
        raise zipfile.BadZipFile
    with zipped.open(item) as member:
        # with a number of bytes, no more than that are unpacked at once
        data = b"".join(iter(lambda: member.read(1 << 16), b""))
    if len(data) != item.file_size:
        raise zipfile.BadZipFile
    return data


def _checked(name: str, log: bytes, sidecar_bytes: bytes, games: Mapping[str, type[Game[Any]]]) -> Archive:
    """Return the game of these parts if they belong together and it is sound. Raises ShanghaienError."""
    report = verify(log, games)
    session = report.session
    if session is None or report.verdict == Verdict.INVALID_FILE:
        assert report.error is not None, "an opening or an entry that does not hold has an error"
        raise report.error
    if name not in (log_path(Path(), session.id, seat).name for seat in (0, 1)):
        raise LocalError(StoreCode.MISNAMED_LOG)
    try:
        sidecar = parse_sidecar(sidecar_bytes)
    except ValueError:
        raise LocalError(StoreCode.BAD_SIDECAR) from None
    if not _opens(sidecar.secret, session, report.entries, seat_of(Path(name))):
        raise LocalError(StoreCode.OTHER_SECRET)
    return Archive(name, log, sidecar_bytes, session, sidecar)


def _opens(secret: bytes, session: Session, entries: Iterable[Entry], seat: int) -> bool:
    """Return whether the shares derived from `secret` are those to which the entries of `seat` carry commitments.

    With another secret the game would continue until a share that does not match proves a violation by its owner.
    """
    shares = Shares(secret, session.id, session.keys[seat])
    return all(shares.fits(entry) for entry in entries if entry.seat == seat)
