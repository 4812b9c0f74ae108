"""Watching: the part of a log that a host shows to others, and what a watcher makes of it (protocol/SPEC.md, 4.16).

Frames go in and come out; nothing here has a socket, a clock or a file. A watcher is a place in the log.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import CannotConnect, FairplayCode, Malformed
from p2p_shanghaien.fairplay.canonical import Decoded, decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.contents import Kind
from p2p_shanghaien.fairplay.data import MAX_OFFER, digest_of, offer, parse_offer
from p2p_shanghaien.fairplay.entries import MAX_NUMBER, Entry, parse
from p2p_shanghaien.fairplay.handshake import HungUp
from p2p_shanghaien.fairplay.hello import MAX_SETTINGS, Hellos
from p2p_shanghaien.fairplay.keys import HASH_SIZE, fingerprint
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.transcript import MAGIC, Log, length_prefixed
from p2p_shanghaien.fairplay.verify import Report, Verdict, extended, verify
from p2p_shanghaien.games.api import DataMissing, Game, Reading

__all__ = ["Place", "ShownLog", "Visit", "Watched", "WatchingStopped", "parse_visit", "watch"]

_FULL: Final = MAX_FRAME - 64
"""Bytes of entries that one frame carries at most; an entry has at most a quarter of them."""


class Place(NamedTuple):
    """A watcher's place: the session, the number of its entries that the watcher has, and the last one's hash.

    The hash is the session id where it has none of them. A watcher that has no log of any session is nowhere.
    """

    session: bytes
    length: int
    head: bytes


def watch(place: Place | None) -> bytes:
    """Return a watcher's first frame; None: it has no log."""
    return encode(("watch", *(place or (None, 0, None))))


class Visit(NamedTuple):
    """A visit to watch: the place to go on from, None for a watcher that has no log."""

    place: Place | None = None


def parse_visit(frame: bytes) -> Visit | None:
    """Return the visit that a first frame begins, None if it comes from no watcher. Raises Malformed."""
    match decode(frame, MAX_FRAME):
        case ("watch", None, int(length), None) if type(length) is int and length == 0:
            return Visit()
        case ("watch", bytes(session), int(length), bytes(head)) if (
            type(length) is int
            and 0 <= length <= MAX_NUMBER
            and len(session) == len(head) == HASH_SIZE
            and (length > 0 or head == session)
        ):
            return Visit(Place(session, length, head))
        case ("watch", *_):
            raise Malformed(FairplayCode.BAD_PLACE)
    return None


class ShownLog:
    """The log of one session as it is shown to watchers.

    An entry is shown once the other seat's next entry names it, and the results once both are there: so nothing is
    shown that one of the two programs could lose with its disk, and sign otherwise. Evidence of a violation is not
    shown. `data` are those that its settings name.
    """

    def __init__(self, log: Log, data: Iterable[bytes] = ()) -> None:
        self._opening = log.opening[len(MAGIC) + 4 :]
        self.data = tuple(offer(each) for each in data if len(each) <= MAX_OFFER)
        """The frames to send before the one that begins it."""
        self.session = Hellos(*log.hellos).session
        self._entries: list[bytes] = []
        self._last: Entry | None = None
        self.length = 0
        """The number of entries that are shown."""
        for entry in log.entries:
            self.append(entry)

    def append(self, data: bytes) -> None:
        """Take the next entry of the log."""
        entry, last = parse(data), self._last
        if entry.number != len(self._entries):
            return  # evidence of a fork
        self._entries.append(data)
        self._last = entry
        agreed = last and (last.kind, last.content, last.state) == (entry.kind, entry.content, entry.state)
        if agreed and entry.kind == Kind.RESULT:
            self.length = len(self._entries)
        elif last and entry.seat != last.seat:
            self.length = entry.number

    def joined(self, place: Place | None) -> tuple[bytes, int]:
        """Return the frame that begins this log for a watcher at `place`, and the number of the next entry to send.

        That is the one at its place, as far as its place is in this log; else the first.
        """
        begins = encode(("log", self._opening))
        if place is None or place.session != self.session:
            return begins, 0
        if 0 < place.length <= len(self._entries) and parse(self._entries[place.length - 1]).hash != place.head:
            return begins, 0
        return begins, place.length

    def frames(self, start: int) -> Iterator[bytes]:
        """Yield the frames that carry the entries from number `start` on that are shown by now."""
        packed: list[bytes] = []
        size = 0
        for data in self._entries[start : self.length]:
            if size + len(data) > _FULL:
                yield encode(("entries", tuple(packed)))
                packed, size = [], 0
            packed.append(data)
            size += len(data) + 3
        if packed:
            yield encode(("entries", tuple(packed)))


class WatchingStopped(CannotConnect):
    """There is nothing more to be watched at this table: `code` says why."""


class Watched:
    """A watcher's end: the log of the game that is watched, as far as it was shown and is sound.

    `games` are those that can be watched; `host` is the fingerprint of the host's key, if an invitation gave it; `kept`
    returns what there is already of the log of a session.
    """

    def __init__(
        self,
        games: Mapping[str, type[Game[Any]]],
        host: bytes | None = None,
        kept: Callable[[bytes], bytes] = lambda _: b"",
    ) -> None:
        self._games = games
        self._host = host
        self._kept = kept
        self._begun = False
        """True once the current connection has shown a log."""
        self._offered: dict[str, bytes] = {}
        """The data that have come for the next log, by digest."""
        self.report: Report | None = None
        self.data = b""
        """The log's bytes."""

    @property
    def session(self) -> Session | None:
        """The session that is watched, once there is one."""
        return self.report.session if self.report else None

    @property
    def place(self) -> Place | None:
        """The place to go on from."""
        if self.report is None or self.report.match is None:
            return None
        match = self.report.match
        return Place(match.session.id, match.number, match.head)

    def start(self) -> bytes:
        """Return the first frame to send over a new connection."""
        self._begun = False
        self._offered = {}
        return watch(self.place)

    def receive(self, frame: bytes) -> bool:
        """Take a frame of the host; return whether the log has grown, or another one has begun.

        Raises Malformed, HungUp for a `bye`, and WatchingStopped.
        """
        match decode(frame, MAX_FRAME):
            case ("bye", str(reason)):
                raise HungUp(reason)
            case ("data", *_) if len(self._offered) < MAX_SETTINGS and (data := parse_offer(frame)) is not None:
                self._offered[digest_of(data)] = data
                return False
            case ("log", bytes(opening)):
                return self._open(MAGIC + length_prefixed(opening))
            case ("entries", (*entries,)) if self._begun and entries and not self._offered:
                news = [self._take(data) for data in entries]
                return any(news)
        raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected="entries" if self._begun else "log")

    def _open(self, data: bytes) -> bool:
        report, offered = verify(data, self._games), self._offered
        self._offered = {}
        if isinstance(report.error, DataMissing) and offered:
            self._games = Reading(self._games, offered.get)
            report = verify(data, self._games)
        if report.verdict != Verdict.INCOMPLETE or report.session is None:
            raise WatchingStopped(FairplayCode.CANNOT_WATCH, reason=report.error)
        if not offered.keys() <= report.session.game.named_data().keys():
            raise Malformed(FairplayCode.DATA_NOT_NAMED, digest=min(offered))
        if self._host and fingerprint(report.session.keys[0]) != self._host:
            raise WatchingStopped(FairplayCode.OTHER_HOST)
        if self._begun and not self._is_complete:
            raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected="entries")
        self._begun = True
        if self.session and self.session.id == report.session.id:
            return False
        kept = self._kept(report.session.id)
        self.report, self.data = report, data
        self._take_up(kept, report.session.id)
        return True

    def _take_up(self, data: bytes, session: bytes) -> None:
        """Go on from a log of the session that was watched before; one that is not sound is passed over."""
        report = verify(data, self._games)
        is_sound = report.verdict in (Verdict.INCOMPLETE, Verdict.DECIDED, Verdict.COMPLETE)
        if is_sound and report.session and report.session.id == session:
            self.report, self.data = report, data[: len(data) - report.truncated]

    @property
    def _is_complete(self) -> bool:
        return self.report is not None and self.report.verdict == Verdict.COMPLETE

    def _take(self, data: Decoded) -> bool:
        """Take an entry; return whether it is a new one."""
        assert self.report is not None and self.report.match is not None, "its log has begun"  # noqa: PT018
        if not isinstance(data, bytes):
            raise Malformed(FairplayCode.NOT_AN_ENTRY)
        entry, match = parse(data), self.report.match
        if entry.number < match.number and entry.hash == match.hashes[entry.number + 1]:
            return False
        if self.report.verdict == Verdict.VIOLATION:
            return False
        # of two entries for one place one is false, and a watcher cannot know whose fault that is
        if entry.number < match.number or (entry.number == match.number and entry.parent != match.head):
            raise WatchingStopped(FairplayCode.SHOWN_TWO_GAMES, number=entry.number)
        after = extended(self.report, length_prefixed(data), len(self.data))
        if after.verdict == Verdict.INVALID_FILE:
            raise WatchingStopped(FairplayCode.CANNOT_WATCH, reason=after.error)
        self.report, self.data = after, self.data + length_prefixed(data)
        return True
