"""What a log proves, checked again from its bytes (protocol/SPEC.md, section 9)."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import FairplayCode, Illegal, InvalidFile, Malformed, ShanghaienError
from p2p_shanghaien.fairplay.contents import DrawReveal
from p2p_shanghaien.fairplay.entries import Entry, parse
from p2p_shanghaien.fairplay.hello import Meeting, Position, open_session, proof_digest
from p2p_shanghaien.fairplay.keys import PublicKey
from p2p_shanghaien.fairplay.match import OVER, Match, Session, begin
from p2p_shanghaien.fairplay.transcript import Log, Records, read, read_on, record
from p2p_shanghaien.games.api import Game, Step, Unplayable
from p2p_shanghaien.games.record import Ended, Record

__all__ = ["EXIT_CODES", "KeptHandshake", "Report", "Reveal", "Verdict", "extended", "opened", "verify"]


class Verdict(StrEnum):
    """What can be said of a log."""

    COMPLETE = "COMPLETE"
    """Every check holds, and both signed the result."""
    DECIDED = "DECIDED"
    """The chain reaches the end of the game; a signature under the result is missing."""
    INCOMPLETE = "INCOMPLETE"
    """Every check holds as far as the log goes."""
    VIOLATION = "VIOLATION"
    """A signed entry in its place breaks a rule."""
    INVALID_FILE = "INVALID FILE"
    """Anything else; it convicts nobody."""
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

SEVERITY: Final = (0, 5, 1, 3, 6)
"""Exit codes from the best to the worst; several files end with the worst of theirs."""


def worst(codes: Iterable[int]) -> int:
    """Return the exit code of a command that has looked at several files, by what each alone would end it with."""
    return max(codes, key=SEVERITY.index, default=0)


class Reveal(NamedTuple):
    """A draw in a log: `entry` decided it in `before`; with it the game had taken so many `steps`.

    `fairplay.effects.Drew.of` makes of these what it takes to work the draw out again.
    """

    steps: int
    before: Match
    entry: Entry


class Report(NamedTuple):
    """What verification found.

    `match` is the match after its last sound entry, `entries` those that led there, `steps` what they did to the game.
    `number` and `fault` say which entry (None: not in an entry) and what, for VIOLATION, INVALID FILE and UNSUPPORTED;
    `offender` is the seat convicted; `awaited` the seats whose entry or signature is missing; `torn` how many bytes of
    a record that was cut short were left aside, where the file was read to its end; `reveals` the draws; `damaged` how
    many bytes of an INVALID FILE are not sound, from the first record that does not hold to the end.
    """

    verdict: Verdict
    match: Match | None = None
    entries: tuple[Entry, ...] = ()
    steps: tuple[Step, ...] = ()
    number: int | None = None
    fault: ShanghaienError | None = None
    offender: int | None = None
    awaited: tuple[int, ...] = ()
    torn: int = 0
    reveals: tuple[Reveal, ...] = ()
    damaged: int = 0

    @property
    def session(self) -> Session | None:
        """What the hellos fixed, where they could be read."""
        return self.match.session if self.match else None

    @property
    def exit_code(self) -> int:
        """What a command that looked at this log alone ends with."""
        return EXIT_CODES[self.verdict]

    def absent(self, keys: Iterable[bytes]) -> Sequence[bytes]:
        """Return those of `keys` that took no part in the game."""
        return sorted(set(keys).difference(self.session.keys if self.session else ()))

    def record(self) -> Record:
        """The game as far as it is sound. Raises InvalidFile where there is none."""
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
    """A later handshake of a session, as a side kept it: both hellos and proofs, and how far the other's log went."""

    hellos: tuple[bytes, bytes]
    proofs: tuple[bytes, bytes]
    theirs: Position


def verify(data: bytes, games: Mapping[str, type[Game[Any]]], handshakes: Sequence[KeptHandshake] = ()) -> Report:
    """Return the verdict on a log's bytes, read record by record. Raises nothing: every error is a verdict.

    `games` are those known here. `handshakes`, kept by a side that is accused of a fork, may rebut it. An INVALID FILE
    has a match, and all that stands before the damage, wherever the opening record is sound.
    """
    try:
        match, records = _opened(data, games)
    except (InvalidFile, Malformed) as fault:
        return Report(Verdict.INVALID_FILE, fault=fault)
    except Unplayable as fault:
        return Report(Verdict.UNSUPPORTED, fault=fault)
    return _follow(records, match, Report(Verdict.INCOMPLETE, match), handshakes)


def opened(data: bytes, games: Mapping[str, type[Game[Any]]]) -> Session:
    """Return the session of a log.

    Raises InvalidFile or Malformed where its opening record is not sound, CannotConnect for a game not known here.
    """
    match, _ = _opened(data, games)
    return match.session


def extended(report: Report, data: bytes, at: int) -> Report:
    """Return the verdict on the log of `report`, which was INCOMPLETE or DECIDED, now that it has grown.

    `data` is what the log holds from byte `at` on, where its last whole record ended. Raises nothing.
    """
    return _follow(read_on(data, at), report.match, report, ()) if report.match else report


def _opened(data: bytes, games: Mapping[str, type[Game[Any]]]) -> tuple[Match, Records]:
    """Return the match that a log begins, and the records to follow. Raises as `opened`."""
    log = read(data)
    return begin(_session(log, games)), log.records


def _session(log: Log, games: Mapping[str, type[Game[Any]]]) -> Session:
    """The session of a log whose both proofs hold."""
    session = open_session(log.hellos, games)
    handshake = Meeting(log.hellos).handshake
    for seat in (0, 1):
        digest = proof_digest(handshake, session.id, seat, Position(0, session.id))
        if not PublicKey.of(session.keys[seat]).verifies(digest, log.proofs[seat]):
            raise InvalidFile(FairplayCode.BAD_PROOF, seat=seat)
    return session


def _follow(added: Records, match: Match, begun: Report, handshakes: Sequence[KeptHandshake]) -> Report:
    """Return the verdict once `added` is appended to the entries of a log that led to `match`.

    Signatures are checked when all else is, for in turns both take longer: each drives the other from the processor's
    cache. The verdict is that of the first record that does not hold, as if each had been checked whole (SPEC 9.1).
    """
    report = _unsigned(added, match, begun, handshakes)
    for number in range(len(begun.entries), len(report.entries)):
        if not match.has_signed(report.entries[number]):
            sound, unsound = _split(added, number - len(begun.entries))
            fault = Malformed(FairplayCode.BAD_SIGNATURE, number=number)
            return _unsigned(sound, match, begun, ())._replace(
                verdict=Verdict.INVALID_FILE, number=number, fault=fault, awaited=(), damaged=unsound
            )
    return report


def _unsigned(added: Records, match: Match, begun: Report, handshakes: Sequence[KeptHandshake]) -> Report:
    """Return what `_follow` does, if each entry that is sound otherwise has the right signature."""
    entries, steps, reveals = list(begun.entries), list(begun.steps), list(begun.reveals)

    def report(verdict: Verdict, number: int | None = None, fault: ShanghaienError | None = None) -> Report:
        return Report(verdict, match, tuple(entries), tuple(steps), number, fault, reveals=tuple(reveals))

    def invalid(number: int | None, fault: ShanghaienError) -> Report:
        _, unsound = _split(added, len(entries) - len(begun.entries))
        return report(Verdict.INVALID_FILE, number, fault)._replace(damaged=unsound)

    for number, data in enumerate(added.whole, start=len(entries)):
        try:
            entry = parse(data)
            if entry.number < len(entries) and match.is_fork(entry, entries[entry.number]):
                if any(_rebuts(kept, match.session, entry, entries[: entry.number + 1]) for kept in handshakes):
                    return invalid(entry.number, Malformed(FairplayCode.FORK_REBUTTED, number=entry.number))
                fault: ShanghaienError = Illegal(FairplayCode.FORK, number=entry.number)
                return report(Verdict.VIOLATION, entry.number, fault)._replace(offender=entry.seat)
            match.check_link(entry)
        except Malformed as fault:
            return invalid(number, fault)
        before = match
        try:
            match = before.append(entry)
        except Illegal as fault:
            if not match.has_signed(entry):
                return invalid(number, Malformed(FairplayCode.BAD_SIGNATURE, number=number))
            return report(Verdict.VIOLATION, number, fault)._replace(offender=entry.seat)
        entries.append(entry)
        if match.step is not None:
            steps.append(match.step)
        if isinstance(entry.decoded, DrawReveal):
            reveals.append(Reveal(len(steps), before, entry))
    if added.damage:
        return invalid(None, added.damage)
    torn = len(added.rest)
    if match.owed is None:
        return report(Verdict.COMPLETE)._replace(torn=torn)
    if match.ending is not None:
        return report(Verdict.DECIDED)._replace(awaited=tuple(range(match.owed.seat, 2)), torn=torn)
    return report(Verdict.INCOMPLETE)._replace(awaited=(match.owed.seat,), torn=torn)


def _split(added: Records, sound: int) -> tuple[Records, int]:
    """Return the first so many of the records, which are sound, and how many bytes the others have."""
    others = sum(len(record(data)) for data in added.whole[sound:])
    return Records(added.whole[:sound]), others + len(added.rest)


def _rebuts(kept: KeptHandshake, session: Session, one: Entry, chain: Sequence[Entry]) -> bool:
    """Return whether the accuser itself proved, when the later half of the fork was made, that it lacked the earlier.

    That is so if the accuser signed a length not above their number in a handshake that one half is the first to name,
    the session's own aside (SPEC 11.4). `chain` ends with the other half.
    """
    *before, other = chain
    meeting = Meeting(kept.hellos)
    handshake = meeting.handshake
    accuser = 1 - one.seat
    digest = proof_digest(handshake, session.id, accuser, kept.theirs)
    return (
        meeting.session != session.id
        and handshake in {one.handshake} ^ {other.handshake}
        and all(entry.handshake != handshake for entry in before)
        and kept.theirs.length <= one.number
        and PublicKey.of(session.keys[accuser]).verifies(digest, kept.proofs[accuser])
    )
