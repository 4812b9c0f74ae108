"""Verification: the verdict on a log, from its bytes alone (protocol/SPEC.md, section 9)."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import FairplayCode, Illegal, InvalidFile, Malformed, ShanghaienError
from p2p_shanghaien.fairplay.entries import Entry, parse
from p2p_shanghaien.fairplay.hello import Head, Hellos, open_session, proof_digest
from p2p_shanghaien.fairplay.keys import PublicKey
from p2p_shanghaien.fairplay.match import OVER, Match, Session, begin
from p2p_shanghaien.fairplay.transcript import Log, Records, length_prefixed, read, read_on
from p2p_shanghaien.games.api import Game, InvalidSetting, Step, Unplayable
from p2p_shanghaien.games.record import Ended, Record

__all__ = ["EXIT_CODES", "KeptHandshake", "Report", "Verdict", "extended", "verify"]


class Verdict(StrEnum):
    """The verdict on a log."""

    COMPLETE = "COMPLETE"
    """Every check holds, and both signed the result."""
    DECIDED = "DECIDED"
    """The chain reaches the end of the game; a signature of the result is missing."""
    INCOMPLETE = "INCOMPLETE"
    """Every check holds as far as the log goes."""
    VIOLATION = "VIOLATION"
    """A signed entry in its place violates a rule."""
    INVALID_FILE = "INVALID FILE"
    """Any other check fails; it proves no violation."""
    UNSUPPORTED = "UNSUPPORTED"
    """The game, or its rules version, is not known here."""


EXIT_CODES: Final = {
    Verdict.COMPLETE: 0,
    Verdict.DECIDED: 0,
    Verdict.INCOMPLETE: 5,
    Verdict.VIOLATION: 6,
    Verdict.INVALID_FILE: 3,
    Verdict.UNSUPPORTED: 1,
}


class Report(NamedTuple):
    """The result of verification.

    `match` is the match after its last sound entry, `entries` those that led there, `steps` their steps in the game.
    `number` and `error` name the entry (None: not in an entry) and the error, for VIOLATION, INVALID FILE and
    UNSUPPORTED; `violator` is the seat of that entry; `awaited` the seats whose entry or signature is missing;
    `truncated` the number of bytes of a truncated record that were ignored, if the file was read to its end; `damaged`
    the number of bytes of an INVALID FILE that are not sound, from the first record that does not hold to the end.
    """

    verdict: Verdict
    match: Match | None = None
    entries: tuple[Entry, ...] = ()
    steps: tuple[Step, ...] = ()
    number: int | None = None
    error: ShanghaienError | None = None
    violator: int | None = None
    awaited: tuple[int, ...] = ()
    truncated: int = 0
    damaged: int = 0

    @property
    def session(self) -> Session | None:
        """The session of the hellos, if they could be read."""
        return self.match.session if self.match else None

    @property
    def reason(self) -> str | None:
        """The name of the error in a verdict (SPEC 14), None if there is none: all that a game refuses has one."""
        if self.error is None:
            return None
        return (FairplayCode.BAD_SETTING if isinstance(self.error, InvalidSetting) else self.error.code).unqualified

    @property
    def exit_code(self) -> int:
        """The exit code of a command that verified only this log."""
        return EXIT_CODES[self.verdict]

    def absent(self, keys: Iterable[bytes]) -> Sequence[bytes]:
        """Return those of `keys` that took no part in the game."""
        return sorted(set(keys).difference(self.session.keys if self.session else ()))

    def record(self) -> Record:
        """The game as far as it is sound. Raises InvalidFile if there is none."""
        match = self.match
        if match is None:
            raise InvalidFile(FairplayCode.LOG_UNUSABLE, reason=self)
        names = match.session.names
        seats = (match.seat(0), match.seat(1))
        ended = None
        if match.ending and match.ending.reason != OVER:
            seat = match.ending.seat
            ended = Ended(None if seat is None else match.player(seat))
        named = (names[seats[0]], names[seats[1]])
        return Record(match.session.game, named, self.steps, ended, seats=seats)


class KeptHandshake(NamedTuple):
    """A later handshake of a session, as a seat kept it: both hellos and proofs, and the head of the peer's log."""

    hellos: tuple[bytes, bytes]
    proofs: tuple[bytes, bytes]
    theirs: Head


def verify(data: bytes, games: Mapping[str, type[Game[Any]]], handshakes: Sequence[KeptHandshake] = ()) -> Report:
    """Return the verdict on a log's bytes, read record by record. Raises nothing: every error is a verdict.

    `games` are the known ones. `handshakes`, kept by a player who is accused of a fork, may rebut it. An INVALID FILE
    has a match, and all entries before the damage, if the opening record is sound.
    """
    try:
        log = read(data)
        match = begin(_session(log, games))
    except (InvalidFile, Malformed) as error:
        return Report(Verdict.INVALID_FILE, error=error)
    except Unplayable as error:
        return Report(Verdict.UNSUPPORTED, error=error)
    return _follow(log.records, match, Report(Verdict.INCOMPLETE, match), handshakes)


def extended(report: Report, data: bytes, at: int) -> Report:
    """Return the verdict on the log of `report`, which was INCOMPLETE or DECIDED, now that it has grown.

    `data` is what the log holds from byte `at` on, where its last whole record ended. Raises nothing.
    """
    return _follow(read_on(data, at), report.match, report, ()) if report.match else report


def _session(log: Log, games: Mapping[str, type[Game[Any]]]) -> Session:
    """Return the session of a log whose both proofs hold."""
    session = open_session(log.hellos, games)
    handshake = Hellos(*log.hellos).handshake
    for seat in (0, 1):
        digest = proof_digest(handshake, session.id, seat, Head(0, session.id))
        if not PublicKey.of(session.keys[seat]).verifies(digest, log.proofs[seat]):
            raise InvalidFile(FairplayCode.BAD_PROOF, seat=seat)
    return session


def _follow(added: Records, match: Match, begun: Report, handshakes: Sequence[KeptHandshake]) -> Report:
    """Return the verdict once `added` is appended to the entries of a log that led to `match`.

    Signatures are checked when all else is, for in turns both take longer: each drives the other from the processor's
    cache. The verdict is that of the first record that does not hold, as if each had been checked whole (SPEC 9.1).
    """
    report = _fold(added, match, begun, handshakes)
    for number in range(len(begun.entries), len(report.entries)):
        if not match.has_signed(report.entries[number]):
            sound, unsound = _split(added, number - len(begun.entries))
            error = Malformed(FairplayCode.BAD_SIGNATURE, number=number)
            return _fold(sound, match, begun, ())._replace(
                verdict=Verdict.INVALID_FILE, number=number, error=error, awaited=(), damaged=unsound
            )
    return report


def _fold(added: Records, match: Match, begun: Report, handshakes: Sequence[KeptHandshake]) -> Report:
    """Return the result of `_follow`, if each entry that is sound otherwise has the right signature."""
    entries, steps = list(begun.entries), list(begun.steps)

    def report(verdict: Verdict, number: int | None = None, error: ShanghaienError | None = None) -> Report:
        return Report(verdict, match, tuple(entries), tuple(steps), number, error)

    def invalid(number: int | None, error: ShanghaienError) -> Report:
        _, unsound = _split(added, len(entries) - len(begun.entries))
        return report(Verdict.INVALID_FILE, number, error)._replace(damaged=unsound)

    for number, data in enumerate(added.whole, start=len(entries)):
        try:
            entry = parse(data)
            if entry.number < len(entries) and match.is_fork(entry, entries[entry.number]):
                if any(_rebuts(kept, match.session, entry, entries[: entry.number + 1]) for kept in handshakes):
                    return invalid(entry.number, Malformed(FairplayCode.FORK_REBUTTED, number=entry.number))
                error: ShanghaienError = Illegal(FairplayCode.FORK, number=entry.number)
                return report(Verdict.VIOLATION, entry.number, error)._replace(violator=entry.seat)
            match.check_link(entry)
        except Malformed as error:
            return invalid(number, error)
        try:
            match = match.append(entry)
        except Illegal as error:
            if not match.has_signed(entry):
                return invalid(number, Malformed(FairplayCode.BAD_SIGNATURE, number=number))
            return report(Verdict.VIOLATION, number, error)._replace(violator=entry.seat)
        entries.append(entry)
        if match.step is not None:
            steps.append(match.step)
    if added.damage:
        return invalid(None, added.damage)
    truncated = len(added.rest)
    if match.expected is None:
        return report(Verdict.COMPLETE)._replace(truncated=truncated)
    if match.ending is not None:
        return report(Verdict.DECIDED)._replace(awaited=tuple(range(match.expected.seat, 2)), truncated=truncated)
    return report(Verdict.INCOMPLETE)._replace(awaited=(match.expected.seat,), truncated=truncated)


def _split(added: Records, sound: int) -> tuple[Records, int]:
    """Return the first so many of the records, which are sound, and the number of bytes of the others."""
    others = sum(len(length_prefixed(data)) for data in added.whole[sound:])
    return Records(added.whole[:sound]), others + len(added.rest)


def _rebuts(kept: KeptHandshake, session: Session, one: Entry, chain: Sequence[Entry]) -> bool:
    """Return whether the accuser proved to lack the earlier half when the later half of the fork was made.

    That is so if the accuser signed a length not above their number in a handshake that one half is the first to name,
    the session's own aside (SPEC 11.4). `chain` ends with the other half.
    """
    *before, other = chain
    hellos = Hellos(*kept.hellos)
    handshake = hellos.handshake
    accuser = 1 - one.seat
    digest = proof_digest(handshake, session.id, accuser, kept.theirs)
    return (
        hellos.session != session.id
        and handshake in {one.handshake} ^ {other.handshake}
        and all(entry.handshake != handshake for entry in before)
        and kept.theirs.length <= one.number
        and PublicKey.of(session.keys[accuser]).verifies(digest, kept.proofs[accuser])
    )
