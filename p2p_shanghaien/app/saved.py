"""Unfinished games on disk, and damage to them."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from p2p_shanghaien.app.library import UNFINISHED, rules_beside
from p2p_shanghaien.errors import AppCode, InvalidFile, LocalError, Quit, ShanghaienError
from p2p_shanghaien.fairplay.hello import Hellos, Role
from p2p_shanghaien.fairplay.keys import SHARE_SIZE
from p2p_shanghaien.fairplay.match import Match, Session
from p2p_shanghaien.fairplay.transcript import MAX_LOG, length_prefixed, read
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from p2p_shanghaien.net.addresses import DEFAULT_PORT
from p2p_shanghaien.session.negotiation import Side
from p2p_shanghaien.session.series import Saved
from p2p_shanghaien.short_name import ShortName
from p2p_shanghaien.store.archives import is_archive
from p2p_shanghaien.store.catalogue import SHORTEST, short_name
from p2p_shanghaien.store.files import read_bytes
from p2p_shanghaien.store.home import COMPUTER, IDENTITY, Home
from p2p_shanghaien.store.logs import (
    DAMAGED_SUFFIX,
    SIDECAR_SUFFIX,
    TRUNCATED_SUFFIX,
    GameLog,
    Sidecar,
    SidecarUnreadable,
    damaged_sidecar,
    has_sidecar,
    is_played,
    read_sidecar,
    renew_sidecar,
    salvaged,
)
from p2p_shanghaien.store.paths import all_logs, log_path, seat_of


def is_unheard(report: Report, seat: int, sidecar: Sidecar) -> bool:
    """Return whether `seat`, which has this `sidecar`, has both signatures, and the peer may lack our own."""
    return seat == Role.GUEST and report.verdict == Verdict.COMPLETE and not sidecar.delivered


class NotResumable(LocalError):
    """A game that does not continue here: it has ended, or was moved to another machine."""


class Damage(NamedTuple):
    """Damage to a file: `what` it is, as the end of the codes of questions and news, the error's code, the details."""

    what: str
    code: AppCode
    details: dict[str, object]


class SavedGame(NamedTuple):
    """A game on disk that can go on, from `match`. `size` is the log's in bytes.

    `is_sidecar_lost` if the sidecar was damaged: `sidecar` then has what could be saved, and a new secret.
    """

    path: Path
    size: int
    match: Match
    report: Report
    sidecar: Sidecar
    seat: int
    is_sidecar_lost: bool

    @property
    def session(self) -> Session:
        """The session."""
        return self.match.session

    @property
    def sidecar_path(self) -> Path:
        """The path of the sidecar."""
        return self.path.with_suffix(SIDECAR_SUFFIX)

    @property
    def name(self) -> ShortName:
        """The name of the game for the user."""
        return short_name(self.path)

    @property
    def digits(self) -> str:
        """The digits that name the game on the peer's machine as well, in all likelihood."""
        return self.session.id.hex()[:SHORTEST]

    @property
    def is_damaged(self) -> bool:
        """True if only the beginning of the log is sound."""
        return self.report.verdict == Verdict.INVALID_FILE

    def damages(self) -> Iterator[Damage]:
        """Yield what is damaged."""
        if self.is_damaged:
            aside = self.path.with_suffix(DAMAGED_SUFFIX)
            yield Damage("log", AppCode.DAMAGED_LOG, {"file": self.name, "reason": self.report.error, "aside": aside})
        if self.is_sidecar_lost:
            yield Damage(
                "sidecar",
                AppCode.DAMAGED_SIDECAR,
                {"file": self.sidecar_path, "aside": damaged_sidecar(self.path)},
            )

    def opponent(self, home: Home) -> "SavedGame | None":
        """Return the game at the computer's seat, if it was played against the computer here. Raises LocalError."""
        log = computers_log(home, self.session) if self.seat == Role.HOST else None
        return read_saved(home, log) if log else None

    def only_lacks_its_end(self, opponent: "SavedGame | None") -> bool:
        """Return whether nothing is left but to bring a peer, who is not `opponent`, what its log may lack: the end.

        Raises LocalError where not even that is left.
        """
        if any(game.report.verdict != Verdict.COMPLETE for game in (self, opponent) if game):
            return False
        if opponent or self.sidecar.key == COMPUTER:
            raise NotResumable(AppCode.NOT_RESUMABLE, file=self.name, reason=self.report)
        return True

    def log(self) -> bytes:
        """Return the bytes of the log, as far as it is sound. Raises LocalError."""
        opening = read(read_bytes(self.path, MAX_LOG)).opening
        return opening + b"".join(length_prefixed(entry.data) for entry in self.report.entries)

    def take_up(self) -> Saved:
        """Return the game for the session to continue: no other process may play its seat now. Raises LocalError."""
        if self.is_sidecar_lost:
            renew_sidecar(self.path, self.sidecar)
        rest = (self.report.damaged, DAMAGED_SUFFIX) if self.is_damaged else (self.report.truncated, TRUNCATED_SUFFIX)
        log = GameLog.reopen(self.path, *rest, size=self.size)
        sidecar = self.sidecar
        return Saved(self.match, self.report.entries, self.seat, sidecar.secret, log, sidecar.resigned)


class Prospects(NamedTuple):
    """A game's future: whose entry it waits for, and whether it goes on from here.

    `is_ours` if it waits for our entry, and we can sign it; `is_unheard` if the peer may lack our last signature;
    `is_moved` if it was transferred to another machine; `is_played` if a program on this machine plays it now.
    """

    is_unfinished: bool = False
    is_ours: bool = False
    is_unheard: bool = False
    is_moved: bool = False
    is_played: bool = False
    is_resumable: bool = False


def prospects(home: Home, log: Path, report: Report, passed_over: Callable[[LocalError], object]) -> Prospects:
    """Return the prospects of the game in the saved `log`.

    There are none of a game that is over, or of a log that holds none. `passed_over` is told of a sidecar, or a key,
    that cannot be read.
    """
    session, seat = report.session, seat_of(log)
    if session is None:
        return Prospects()
    sidecar = _own_sidecar(home, log, session.keys[seat], passed_over)
    unheard = sidecar is not None and is_unheard(report, seat, sidecar)
    unfinished = report.verdict in UNFINISHED
    if not unheard and not unfinished:
        return Prospects()
    played = sidecar is not None and is_played(log)
    return Prospects(
        is_unfinished=unfinished,
        is_ours=unfinished and sidecar is not None and seat in report.awaited,
        is_unheard=unheard,
        is_moved=is_archive(log),
        is_played=played,
        is_resumable=sidecar is not None and not played,
    )


def _own_sidecar(home: Home, log: Path, key: bytes, passed_over: Callable[[LocalError], object]) -> Sidecar | None:
    """Return the sidecar of a game that the user of this home can continue; `key` is that of the seat."""
    if not has_sidecar(log):
        return None
    try:
        sidecar = read_sidecar(log)
        # the computer's seat goes on together with the person's
        return sidecar if sidecar.key == IDENTITY and home.holder(key) else None
    except LocalError as error:
        passed_over(error)
        return None


async def agree_to_repair(games: Iterable[SavedGame], side: Side, *, repair: bool, asks: bool) -> None:
    """Ask if the damaged parts of `games` may be set aside, unless the user has said so by `repair`.

    Only a person is asked. Raises InvalidFile if nobody agrees; nothing has been changed then.
    """
    for game in games:
        for what, code, details in game.damages():
            if repair:
                side.observer.notify(f"repairing_{what}", **details)
            elif not asks or not await _agrees(side, what, details):
                raise InvalidFile(code, digits=game.name.digits, **details)


async def _agrees(side: Side, what: str, details: dict[str, object]) -> bool:
    """Return whether the user agrees; leaving, or the end of the input, is a no."""
    try:
        return await side.decider.agrees(f"repair_{what}", **details)
    except (Quit, asyncio.CancelledError):
        return False


def latest(home: Home, passed_over: Callable[[ShanghaienError], object] = lambda _: None) -> SavedGame:
    """Return the unfinished game that was played last, or else a damaged one, or one whose end the peer may lack.

    `passed_over` is notified of errors in others. Raises LocalError for none.
    """
    damaged: SavedGame | None = None
    unheard: SavedGame | None = None
    for path in all_logs(home.games):
        if not has_sidecar(path):
            continue
        try:
            game = read_saved(home, path)
        except NotResumable:
            continue
        except (LocalError, InvalidFile) as error:
            passed_over(error)
            continue
        if game.sidecar.key == COMPUTER:
            continue
        if game.is_sidecar_lost:
            passed_over(SidecarUnreadable(game.sidecar_path))
        elif game.report.verdict in UNFINISHED:
            return game
        # the sidecar of a damaged game says whether it had come to its end
        if game.is_sidecar_lost or (game.is_damaged and not game.sidecar.delivered):
            damaged = damaged or game
        elif is_unheard(game.report, game.seat, game.sidecar):
            unheard = unheard or game
    found = damaged or unheard
    if found is None:
        raise LocalError(AppCode.NOTHING_TO_RESUME, folder=home.games)
    return found


def read_saved(home: Home, path: Path) -> SavedGame:
    """Return the game at `path`; a log that lies there without its sidecar can only be looked at.

    Raises NotResumable where it cannot go on, saying why, LocalError where a file cannot be read, InvalidFile for a log
    without a sound beginning.
    """
    data = read_bytes(path, MAX_LOG)
    report = verify(data, rules_beside(path))
    match = report.match
    if is_archive(path):
        raise NotResumable(AppCode.MOVED_ELSEWHERE, file=short_name(path))
    if match is None and not (report.verdict == Verdict.UNSUPPORTED and _is_named_after_opening(path, data)):
        raise InvalidFile(AppCode.OPENING_DAMAGED, file=path, reason=report.error)
    is_kept = report.verdict in UNFINISHED or has_sidecar(path)
    if match is None or report.verdict == Verdict.VIOLATION or not is_kept:
        raise NotResumable(AppCode.NOT_RESUMABLE, file=short_name(path), reason=report)
    seat = seat_of(path)
    key = _key_name(home, match.session.keys[seat])
    try:
        sidecar = read_sidecar(path, key)
    except SidecarUnreadable:
        if key is None:
            raise
        address = f" {DEFAULT_PORT}" if seat == Role.HOST else ""
        sidecar = salvaged(path, Sidecar(secrets.token_bytes(SHARE_SIZE), key, address))
        return SavedGame(path, len(data), match, report, sidecar, seat, is_sidecar_lost=True)
    return SavedGame(path, len(data), match, report, sidecar, seat, is_sidecar_lost=False)


def computers_log(home: Home, session: Session) -> Path | None:
    """Return the log of the computer's seat in the game of that session, if it was against the computer here.

    The key decides, and not the sidecar, which may be damaged. Raises LocalError.
    """
    path = log_path(home.games, session.id, Role.GUEST)
    is_ours = home.holder(session.keys[Role.GUEST], COMPUTER) is not None
    return path if is_ours and has_sidecar(path) else None


def _key_name(home: Home, public: bytes) -> str | None:
    """Return the name of the key in the home that has this public key, if one has."""
    return next((name for name in (IDENTITY, COMPUTER) if home.holder(public, name)), None)


def _is_named_after_opening(path: Path, data: bytes) -> bool:
    """Return whether the log's name is that of its hellos' session: if not, an unknown game is a damaged name."""
    return path.name.startswith(Hellos(*read(data).hellos).session.hex())
