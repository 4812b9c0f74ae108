"""Both ends of watching a game, written from protocol/SPEC.md, section 4.16, alone."""

from hashlib import sha256
from typing import Any

from tests.protocol.independent import (
    Refused,
    decode,
    encode,
    fingerprint,
    has_form,
    read_entry,
    read_opening,
    read_record,
)
from tests.protocol.independent_match import IllegalEntry, Match, Unsupported, open_match

LIMIT = 4096
BEGINNING = bytes.fromhex("53484c4f47010d0a")


class Stopped(Exception):
    """The end of watching; the argument gives the reason, in section 14's words."""


class Ended(Exception):
    """A bye; the argument gives its reason."""


Place = tuple[bytes | None, int, bytes | None]
"""The session of a watcher's log, the number of its entries and the hash of the last one; nil, 0, nil without a log."""


def read_place(frame: bytes) -> Place:
    """Return the place that a first frame names. Raises Refused."""
    value = decode(frame, LIMIT)
    if not has_form(value, str, (32, None), int, (32, None)) or value[0] != "watch":
        raise Refused("bad_place")
    session, length, head = value[1:]
    if not 0 <= length < 2**32 or (length == 0 and head != session) or (length > 0 and None in (session, head)):
        raise Refused("bad_place")
    return session, length, head


class Host:
    """A host with the first `count` entries of a log (None: all), as a watcher sees it."""

    def __init__(self, log: bytes, count: int | None = None) -> None:
        opening, at = read_opening(log)
        self.opening, self.match = log[12:at], open_match(opening)
        self.entries: list[bytes] = []
        self.seats: list[int] = []
        """The author of each entry, an illegal one at the end included."""
        while (record := read_record(log, at)) and len(self.seats) != count:
            self.take(record)
            at += 4 + len(record)

    def take(self, record: bytes) -> None:
        """Store the next record of the log."""
        envelope, digest, _ = read_entry(record)
        if envelope[1] != self.match.number:
            return  # evidence of a fork names an earlier entry
        self.seats.append(envelope[3])
        try:
            self.match.take(envelope, digest)
            self.entries.append(record)
        except IllegalEntry:
            pass

    def shown(self) -> int:
        """Return the number of entries that are shown."""
        if self.match.expected is None:
            return len(self.entries)
        later = [number for number, seat in enumerate(self.seats) if seat != self.seats[-1]]
        return later[-1] + 1 if later else 0

    def start(self, place: Place) -> int:
        """Return the number of the first entry that a watcher at that place is sent."""
        session, length, head = place
        if session != self.match.session or (0 < length <= self.match.number and self.match.hashes[length] != head):
            return 0
        return length

    def sent(self, place: Place) -> list[bytes]:
        """Return the entries that are behind for a watcher at that place."""
        return self.entries[self.start(place) : self.shown()]


class Watcher:
    """A watcher with an invitation of the host with that fingerprint, or none, and a log of an earlier visit."""

    def __init__(self, host: bytes | None, kept: bytes = b"") -> None:
        self.host, self.kept = host, kept
        self.match: Match | None = None
        self.log = b""
        self.opened = False
        """A log has come under this connection."""
        self.violated = False
        self.data: list[str] = []
        """The digests of the data that have come for the next log."""

    def connect(self) -> bytes:
        """Return the first frame."""
        self.opened, self.data = False, []
        if self.match is None:
            return encode(["watch", None, 0, None])
        return encode(["watch", self.match.session, self.match.number, self.match.hashes[-1]])

    def receive(self, frame: bytes) -> bool:
        """Take a frame, and return whether the log has grown or another one begun. Raises Refused, Stopped, Ended."""
        value = decode(frame, LIMIT)
        if has_form(value, str, str) and value[0] == "bye":
            raise Ended(value[1])
        if has_form(value, str, bytes) and value[0] == "data" and 0 < len(value[1]) <= 4000 and len(self.data) < 16:
            self.data.append(sha256(value[1]).hexdigest())
            return False
        if has_form(value, str, bytes) and value[0] == "log":
            return self._begin(value[1])
        if not has_form(value, str, list) or value[0] != "entries" or not value[1] or not self.opened or self.data:
            raise Refused("unexpected_frame")
        grown = [self._take(entry) for entry in value[1]]
        return any(grown)

    def _begin(self, record: bytes) -> bool:
        if self.opened and (self.match is None or self.match.expected is not None):
            raise Refused("unexpected_frame")
        try:
            if not 0 < len(record) <= 2192:
                raise Refused("bad_record_length")
            opening = decode(record, 2192)
            if not has_form(opening, bytes, bytes, 64, 64):
                raise Refused("bad_opening")
            match = open_match(opening)
        except (Refused, Unsupported):
            raise Stopped("cannot_watch") from None
        data, self.data = self.data, []
        if not {*data} <= {setting[1] for setting in decode(opening[0])[7]}:
            raise Refused("data_not_named")
        if self.host and fingerprint(match.keys[0]) != self.host:
            raise Stopped("other_host")
        self.opened = True
        if self.match and self.match.session == match.session:
            return False
        self.match, self.log = match, BEGINNING + len(record).to_bytes(4, "big") + record
        if self.kept.startswith(self.log):
            for entry in Host(self.kept).entries:
                self._take(entry)
        return True

    def _take(self, data: Any) -> bool:
        """Return whether an entry is new."""
        assert self.match is not None
        if type(data) is not bytes:
            raise Refused("not_an_entry")
        envelope, digest, signature = read_entry(data)
        number, parent = envelope[1:3]
        if self.violated:
            return False
        if number < self.match.number:
            if digest != self.match.hashes[number + 1]:
                raise Stopped("shown_two_games")
            return False
        if number == self.match.number and parent != self.match.hashes[-1]:
            raise Stopped("shown_two_games")
        try:
            self.match.check_place(envelope, digest, signature)
            self.match.take(envelope, digest)
        except Refused:
            raise Stopped("cannot_watch") from None
        except IllegalEntry:
            self.violated = True
        self.log += len(data).to_bytes(4, "big") + data
        return True
