"""Vectors of SPEC section 4.16: first frames, what a host shows of its log, and what a watcher makes of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.data import MAX_OFFER, offer
from p2p_shanghaien.fairplay.entries import Entry, Kind, parse
from p2p_shanghaien.fairplay.handshake import HungUp, bye
from p2p_shanghaien.fairplay.keys import fingerprint
from p2p_shanghaien.fairplay.transcript import MAGIC, opening, read
from p2p_shanghaien.fairplay.watching import Place, ShownLog, Watched, WatchingStopped, parse_visit, watch
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.registry import RULES
from protocol.making.common import Vector, some_bytes
from protocol.making.hellos import GUEST, HOST, guest_hello, host_hello
from protocol.making.table import Played, at_random, played, proofs

_SESSION, _HEAD = some_bytes("session"), some_bytes("head")
_MADE = Path(__file__).parents[1] / "vectors"


def watching() -> Iterator[Vector]:
    """Yield the three parts, each of which has a form of its own."""
    yield from _first_frames()
    yield from _shown_logs()
    yield from _sent()
    yield from _watched()


# --- first frames ---------------------------------------------------------------------------------------------------


def _first_frames() -> Iterator[Vector]:
    good: tuple[tuple[str, str, Place | None], ...] = (
        ("nothing", "a watcher that has no log", None),
        ("opening", "a watcher that has a log without entries", Place(_SESSION, 0, _SESSION)),
        ("middle", "a watcher that has twelve entries", Place(_SESSION, 12, _HEAD)),
        ("limit", "as many entries as there can be", Place(_SESSION, (1 << 32) - 1, _HEAD)),
    )
    for name, comment, place in good:
        yield _first(name, comment, watch(place))
    bad: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
        ("false", "false is not 0", ("watch", None, False, None)),
        ("true", "true is not 1", ("watch", _SESSION, True, _HEAD)),
        ("nil-length", "nil is not 0", ("watch", None, None, None)),
        ("no-session", "a head of no session", ("watch", None, 1, _HEAD)),
        ("no-session-head", "a head of no session, and no entries", ("watch", None, 0, _HEAD)),
        ("no-session-length", "entries of no session", ("watch", None, 1, None)),
        ("no-head", "a session without a head", ("watch", _SESSION, 0, None)),
        ("no-last", "entries without a head", ("watch", _SESSION, 12, None)),
        ("head", "no entries, and another head than the session id", ("watch", _SESSION, 0, _HEAD)),
        ("negative", "a negative number of entries", ("watch", _SESSION, -1, _HEAD)),
        ("beyond", "more entries than there can be", ("watch", _SESSION, 1 << 32, _HEAD)),
        ("short-session", "a session id of 31 bytes", ("watch", _SESSION[:31], 1, _HEAD)),
        ("short-head", "a head of 31 bytes", ("watch", _SESSION, 1, _HEAD[:31])),
        ("text-session", "a session id that is a string", ("watch", "s" * 32, 1, _HEAD)),
        ("text-head", "a head that is a string", ("watch", _SESSION, 1, "h" * 32)),
        ("three-items", "an item missing", ("watch", _SESSION, 1)),
        ("five-items", "an item to spare", ("watch", _SESSION, 1, _HEAD, None)),
        ("alone", "a word alone", ("watch",)),
    )
    for name, comment, value in bad:
        yield _first(name, comment, encode(value))
    yield _first("trailing", "a byte to spare", watch(None) + b"\0")
    yield _first("long-form", "a number longer than necessary", watch(None).replace(b"\0", b"\xcc\0"))
    yield _first("too-long", "more than 4,096 bytes", encode(("watch", None, 0, bytes(4096))))


def _first(name: str, comment: str, frame: bytes) -> Vector:
    vector = {"id": f"first-{name}", "comment": comment, "part": "first", "frame": frame.hex()}
    try:
        visit = parse_visit(frame)
    except Malformed as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}
    assert visit is not None
    return {**vector, "result": "valid", "place": _plain(visit.place)}


def _plain(place: Place | None) -> Vector | None:
    return place and {"session": place.session.hex(), "length": place.length, "head": place.head.hex()}


# --- the host's side ------------------------------------------------------------------------------------------------


class _Named(NamedTuple):
    """A log of the other vectors."""

    file: str
    id: str

    @property
    def data(self) -> bytes:
        """The bytes of the log."""
        tests = json.loads((_MADE / f"{self.file}.json").read_text(encoding="utf-8"))["tests"]
        return next(bytes.fromhex(test["log"]) for test in tests if test["id"] == self.id)


_LOGS: tuple[tuple[str, str, _Named], ...] = (
    ("whole", "a whole game of Shanghaien", _Named("logs", "complete")),
    ("one-key", "a short game between two seats with one key", _Named("logs", "complete-one-key")),
    ("halunken", "a whole game of Halunken with secret choices", _Named("halunken_logs", "whole-guest")),
    ("toy", "choices and draws in every order", _Named("choices", "complete-bid-1")),
    ("committed", "the other's choice is awaited", _Named("halunken_logs", "before-choice_contribution")),
    ("contributed", "the reveal of a choice is awaited", _Named("halunken_logs", "before-choice_reveal")),
    ("resigned", "a resignation in place of the opening", _Named("logs", "complete-resigned")),
    ("resigned-other", "the other seat's resignation", _Named("logs", "complete-resigned-other")),
    ("resigned-for-reveal", "a resignation in place of a reveal", _Named("logs", "complete-resigned-for-reveal")),
    (
        "resigned-for-contribution",
        "a resignation in place of a contribution",
        _Named("choices", "resigned-for-choice_contribution"),
    ),
    ("abandoned", "a game that was abandoned", _Named("logs", "complete-abandoned")),
    ("abandoned-at-once", "abandoned in place of the opening", _Named("logs", "complete-abandoned-at-once")),
    ("decided-0", "nobody has signed the result", _Named("logs", "decided-0")),
    ("decided-1", "seat 1 has not signed the result", _Named("logs", "decided-1")),
    ("no-entries", "a game that has just begun", _Named("logs", "incomplete-0")),
    ("fork", "evidence of a fork is not shown", _Named("logs", "fork-later")),
    ("fork-result", "nor behind the results", _Named("logs", "fork-result")),
    ("illegal", "nor is an illegal entry", _Named("logs", "share-short")),
    ("illegal-kind", "nor a result long before the end", _Named("logs", "kind-result")),
)


def _shown_logs() -> Iterator[Vector]:
    for name, comment, log in _LOGS:
        yield {**_shown(name, comment, log.data), "log": log._asdict()}
    game = _game()
    ended = game.closed(0, Kind.RESIGNATION, (0, game.matches[0].head, game.resignation(0, game.matches[0].head)), 1)
    match = game.matches[0]
    for entry in ended:
        match = match.append(entry)
    wrong = game.following(match).forge(match.number, Kind.RESULT, ("resigned", None, 0))
    stated = game.following(match).forge(match.number, Kind.RESULT, match.result, state=some_bytes("state"))
    for name, comment, last in (
        ("illegal-result", "nor a result that is not the match's", wrong),
        ("illegal-state", "nor a result with another state", stated),
    ):
        data = game.log(0, *ended, last)
        yield {**_shown(name, comment, data), "log": data.hex()}


def _shown(name: str, comment: str, data: bytes) -> Vector:
    """Return the number of entries that are shown before the first entry and after each."""
    log = read(data)
    shown = ShownLog(log._replace(records=log.records._replace(whole=())))
    numbers = [shown.length]
    for entry in log.entries:
        shown.append(entry)
        numbers.append(shown.length)
    return {"id": f"shown-{name}", "comment": comment, "part": "shown", "shown": numbers}


def _sent() -> Iterator[Vector]:
    log = _Named("halunken_logs", "whole-guest")
    content = read(log.data)
    session = ShownLog(content).session
    hashes = [parse(entry).hash for entry in content.entries]

    def at(length: int) -> Place:
        return Place(session, length, hashes[length - 1] if length else session)

    whole = len(hashes)
    cases: tuple[tuple[str, str, int, Place | None], ...] = (
        ("fresh", "a watcher that has no log", 20, None),
        ("fresh-nothing", "a watcher that has no log, and a game that has just begun", 0, None),
        ("fresh-whole", "a watcher that has no log, and a game that has ended", whole, None),
        ("opening", "a watcher that has the opening record", 20, at(0)),
        ("middle", "a watcher that has seven entries", 20, at(7)),
        ("last", "a watcher that has all that is shown", 20, at(19)),
        ("ahead", "a watcher that has what is not shown yet", 20, at(20)),
        ("further", "a watcher that has more entries than the host", 20, at(22)),
        ("further-nothing", "a watcher that has entries, and a host that has none", 0, at(22)),
        ("further-other", "the same, with a head that no chain has", 20, Place(session, 22, _HEAD)),
        ("complete", "a watcher that has the whole game", whole, at(whole)),
        ("results", "a watcher that lacks the results", whole, at(whole - 2)),
        ("other-session", "a watcher of another game", 20, Place(_SESSION, 7, hashes[6])),
        ("other-session-opening", "a watcher of another game without entries", 20, Place(_SESSION, 0, _SESSION)),
        ("other-head", "a watcher that has another entry", 20, Place(session, 7, _HEAD)),
        ("other-length", "the head of another place", 20, Place(session, 7, hashes[7])),
        ("other-last", "another entry in the place of the last one", 20, Place(session, 20, _HEAD)),
    )
    for name, comment, count, place in cases:
        shown = ShownLog(content._replace(records=content.records._replace(whole=content.entries[:count])))
        _, start = shown.joined(place)
        yield {
            "id": f"sent-{name}",
            "comment": comment,
            "part": "sent",
            "log": log._asdict(),
            "count": count,
            "place": _plain(place),
            "sent": [start, shown.length] if start < shown.length else None,
        }


# --- the watcher's side ---------------------------------------------------------------------------------------------


class _Watcher:
    """A watcher with what it is shown, step by step."""

    def __init__(self, host: bytes | None = None, kept: bytes = b"") -> None:
        self.vector: Vector = {"host": host and host.hex(), "kept": kept.hex(), "steps": []}
        self._watched = Watched(RULES, host, lambda _: kept)
        self.connect()

    def connect(self) -> None:
        """Connect, for the first time or again."""
        self.vector["steps"].append({"connect": self._watched.start().hex()})

    def show(self, frame: bytes) -> None:
        """Receive a frame."""
        step: Vector = {"receive": frame.hex(), "reason": None}
        try:
            step["outcome"] = "grown" if self._watched.receive(frame) else "ignored"
        except (Malformed, WatchingStopped, HungUp) as error:
            outcomes: dict[type, str] = {Malformed: "malformed", WatchingStopped: "stopped", HungUp: "ended"}
            step |= {"outcome": outcomes[type(error)], "reason": error.code.unqualified}
        self.vector["steps"].append(step)

    def seen(self, name: str, comment: str, *outcomes: str) -> Vector:
        """Return the vector; raises AssertionError unless the frames had these outcomes."""
        found = [step["reason"] or step["outcome"] for step in self.vector["steps"] if "outcome" in step]
        if found != list(outcomes):
            raise AssertionError(f"{name}: {found}")
        head = {"id": f"watched-{name}", "comment": comment, "part": "watched"}
        return {**head, **self.vector, "log": self._watched.data.hex()}


def _game() -> Played:
    return played("watched", watchable=True)


def _other() -> Played:
    return played("watched too", watchable=True)


def _log(game: Played) -> bytes:
    """Return the frame that begins a log."""
    return encode(("log", game.opening[len(MAGIC) + 4 :]))


def _entries(*entries: Entry | bytes) -> bytes:
    return encode(("entries", tuple(entry.data if isinstance(entry, Entry) else entry for entry in entries)))


def _resigned(game: Played) -> list[Entry]:
    """Return the entries of a complete game of three."""
    head = game.matches[0].head
    return game.closed(0, Kind.RESIGNATION, (0, head, game.resignation(0, head)))


def _watched() -> Iterator[Vector]:
    yield from _followed()
    yield from _connected_again()
    yield from _second_logs()
    yield from _malformed()
    yield from _handed_data()
    yield from _two_games()
    yield from _unsound()
    yield from _refused_logs()


def _followed() -> Iterator[Vector]:
    game = _game()
    first = game.entries

    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(*first[:3]))
    watcher.show(_entries(first[3]))
    yield watcher.seen("from-the-beginning", "a log and its first entries", "grown", "grown", "grown")

    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(*first[:3]))
    watcher.show(_entries(*first[1:5]))
    watcher.show(_entries(*first[:5]))
    yield watcher.seen("again", "entries that it has are ignored", "grown", "grown", "grown", "ignored")

    watcher = _Watcher(fingerprint(HOST.public))
    watcher.show(_log(game))
    watcher.show(_entries(*_resigned(game)))
    watcher.show(bye("leaving"))
    yield watcher.seen("complete", "by invitation, to the end", "grown", "grown", "peer_leaving")

    settings = Halunken(blackjack="off").settings
    secret = played("watched secrets", at_random("watched secrets"), settings, game=Halunken.NAME, watchable=True)
    place = secret.find(Kind.CHOICE_REVEAL)
    watcher = _Watcher()
    watcher.show(_log(secret))
    for at in range(0, place - 2, 5):
        watcher.show(_entries(*secret.entries[at : min(at + 5, place - 2)]))
    watcher.show(_entries(*secret.entries[place - 2 : place + 1]))
    outcomes = ["grown"] * (len(watcher.vector["steps"]) - 1)
    yield watcher.seen("secret", "a secret choice of Halunken, and its reveal", *outcomes)

    private = played("standard")
    watcher = _Watcher()
    watcher.show(_log(private))
    watcher.show(_entries(private.entries[0]))
    yield watcher.seen("unwatchable", "what the hello says is the guest's affair", "grown", "grown")

    for reason, code in (("busy", "peer_busy"), ("not_watchable", "peer_not_watchable"), ("tired", "peer_hung_up")):
        watcher = _Watcher()
        watcher.show(bye(reason))
        yield watcher.seen(f"bye-{reason}", "the host takes no watcher", code)


def _connected_again() -> Iterator[Vector]:
    game, other = _game(), _other()
    first = game.entries

    def cut(kept: int = 3) -> _Watcher:
        watcher = _Watcher()
        watcher.show(_log(game))
        watcher.show(_entries(*first[:kept]))
        watcher.connect()
        return watcher

    watcher = cut()
    watcher.show(_log(game))
    watcher.show(_entries(*first[3:5]))
    yield watcher.seen("cut", "after a cut it goes on where it was", "grown", "grown", "ignored", "grown")

    watcher = cut()
    watcher.show(_log(game))
    watcher.show(_entries(*first[:5]))
    yield watcher.seen("cut-from-0", "the host begins with the first entry", "grown", "grown", "ignored", "grown")

    watcher = cut()
    watcher.show(_log(other))
    watcher.show(_entries(*other.entries[:2]))
    yield watcher.seen("cut-other", "after a cut another game is on", "grown", "grown", "grown", "grown")

    watcher = cut()
    watcher.show(_entries(first[3]))
    yield watcher.seen("cut-no-log", "after a cut the log comes first", "grown", "grown", "unexpected_frame")

    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.connect()
    watcher.show(_log(game))
    watcher.show(_entries(*first[:2]))
    yield watcher.seen("cut-at-once", "a cut before any entry", "grown", "ignored", "grown")

    watcher = _Watcher(kept=game.log(3))
    watcher.show(_log(game))
    watcher.show(_entries(*first[:3]))
    watcher.show(_entries(*first[2:4]))
    yield watcher.seen("kept", "a log of an earlier visit is continued", "grown", "ignored", "grown")


def _second_logs() -> Iterator[Vector]:
    game, other = _game(), _other()

    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(*_resigned(game)))
    watcher.show(_log(game))
    watcher.show(_log(other))
    watcher.show(_entries(*other.entries[:2]))
    comment = "the same log, then another game's, after COMPLETE"
    yield watcher.seen("second", comment, "grown", "grown", "ignored", "grown", "grown")

    for name, comment, log in (
        ("second-early", "another game before COMPLETE", _log(other)),
        ("second-same-early", "the same log once more before COMPLETE", _log(game)),
    ):
        watcher = _Watcher()
        watcher.show(_log(game))
        watcher.show(_entries(*game.entries[:2]))
        watcher.show(log)
        yield watcher.seen(name, comment, "grown", "grown", "unexpected_frame")

    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(*_resigned(game)[:2]))
    watcher.show(_log(other))
    yield watcher.seen("second-decided", "one result is missing", "grown", "grown", "unexpected_frame")


def _handed_data() -> Iterator[Vector]:
    """Yield data where none belong; the settings of this game name none."""
    game = _game()
    data = [offer(bytes([number])) for number in range(17)]
    watcher = _Watcher()
    watcher.show(data[0])
    watcher.show(_log(game))
    yield watcher.seen("data-not-named", "data that no setting of the log names", "ignored", "data_not_named")

    watcher = _Watcher()
    for frame in data:
        watcher.show(frame)
    outcomes = ["ignored"] * 16
    yield watcher.seen("data-too-many", "more data than there can be settings", *outcomes, "unexpected_frame")

    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(data[0])
    watcher.show(_entries(game.entries[0]))
    yield watcher.seen("data-late", "entries between data and their log", "grown", "ignored", "unexpected_frame")

    watcher = _Watcher()
    watcher.show(data[0])
    watcher.connect()
    watcher.show(_log(game))
    yield watcher.seen("data-cut", "data that came over another connection are forgotten", "ignored", "grown")

    for name, comment, reason, frame in (
        ("empty", "no bytes of data", "not_data", offer(b"")),
        ("large", "more data than may be handed over", "too_long", offer(bytes(MAX_OFFER + 1))),
        ("want", "a watcher is asked for data", "unexpected_frame", encode(("want", bytes(32)))),
    ):
        watcher = _Watcher()
        watcher.show(frame)
        yield watcher.seen(f"data-{name}", comment, reason)


def _malformed() -> Iterator[Vector]:
    game = _game()
    entry = game.entries[0].data
    for name, comment, reason, frame in (
        ("no-log", "entries before the log", "unexpected_frame", _entries(entry)),
        ("text-log", "an opening record that is a string", "unexpected_frame", encode(("log", "opening"))),
        ("log-alone", "no opening record", "unexpected_frame", encode(("log",))),
        ("log-more", "an item to spare", "unexpected_frame", encode(("log", game.opening[12:], None))),
        ("map", "a frame that is not canonical", "not_canonical", b"\x80"),
        ("long", "a frame that is too long", "too_long", encode(("log", bytes(4096)))),
        ("bye-number", "a reason that is a number", "unexpected_frame", encode(("bye", 1))),
    ):
        watcher = _Watcher()
        watcher.show(frame)
        yield watcher.seen(name, comment, reason)
    for name, comment, reason, frame in (
        ("no-entries", "no entry at all", "unexpected_frame", encode(("entries", ()))),
        ("entries-bytes", "no array", "unexpected_frame", encode(("entries", entry))),
        ("entries-more", "an item to spare", "unexpected_frame", encode(("entries", (entry,), None))),
        ("text-entry", "an entry that is a string", "not_an_entry", encode(("entries", ("entry",)))),
        ("empty-entry", "an entry of no bytes", "not_canonical", _entries(b"")),
        ("garbage-entry", "an entry that is no value", "not_canonical", _entries(b"\xc1")),
        ("number-entry", "a value that is no entry", "not_an_entry", _entries(b"\7")),
        ("long-entry", "an entry that is too long", "too_long", _entries(encode((bytes(1024), bytes(64))))),
        ("entry", "an entry as players send it", "unexpected_frame", encode(("entry", entry))),
        ("watch", "its own first frame", "unexpected_frame", watch(None)),
    ):
        watcher = _Watcher()
        watcher.show(_log(game))
        watcher.show(frame)
        yield watcher.seen(name, comment, "grown", reason)
    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(game.entries[0], game.entries[1], b"\7"))
    yield watcher.seen("entries-then-number", "the entries before it are kept", "grown", "not_an_entry")


def _two_games() -> Iterator[Vector]:
    game, other = _game(), _other()
    share = (some_bytes("a share"),)
    fork = game.forge(1, "draw_contribution", share)
    unsigned = game.forge(1, "draw_contribution", share, signer=0)
    parted = game.forge(3, game.entries[3].kind, game.entries[3].content, parent=some_bytes("a parent"))
    for name, comment, entry in (
        ("fork", "two entries of one seat with one number", fork),
        ("fork-unsigned", "another entry, which nobody signed", unsigned),
        ("fork-opening", "another first entry", game.forge(0, "draw_commit", share)),
        ("fork-seat", "another entry, by the other seat", game.forge(1, "draw_contribution", share, seat=0)),
        ("parent", "the next entry has another parent", parted),
        ("other-session", "an entry of another game, of a number that it has", other.entries[1]),
        ("other-session-next", "the next entry of another game", other.entries[3]),
    ):
        watcher = _Watcher()
        watcher.show(_log(game))
        watcher.show(_entries(*game.entries[:3]))
        watcher.show(_entries(entry))
        yield watcher.seen(name, comment, "grown", "grown", "shown_two_games")
    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(*game.entries[:3], fork, game.entries[3]))
    yield watcher.seen("fork-behind", "the entries before it in the frame are kept", "grown", "shown_two_games")
    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(*game.entries[:3]))
    watcher.connect()
    watcher.show(_log(game))
    watcher.show(_entries(game.entries[0], fork))
    yield watcher.seen("fork-cut", "over another connection", "grown", "grown", "ignored", "shown_two_games")
    watcher = _Watcher(kept=game.log(3))
    watcher.show(_log(game))
    watcher.show(_entries(game.entries[0], fork))
    yield watcher.seen("fork-kept", "against a log of an earlier visit", "grown", "shown_two_games")


def _unsound() -> Iterator[Vector]:
    game = _game()
    share = (some_bytes("a share"),)
    elsewhere = game.forge(1, "draw_contribution", share, session=some_bytes("a session"))
    for name, comment, entry in (
        ("skipped", "an entry is missing", game.entries[2]),
        (
            "signature",
            "the next entry, signed by the other seat's key",
            game.forge(1, "draw_contribution", share, signer=0),
        ),
        ("seat", "the next entry is by the wrong seat", game.forge(1, "draw_contribution", share, seat=0)),
        ("session", "the next entry names another session", elsewhere),
    ):
        watcher = _Watcher()
        watcher.show(_log(game))
        watcher.show(_entries(game.entries[0], entry))
        yield watcher.seen(name, comment, "grown", "cannot_watch")
    ended = _resigned(game)
    match = game.matches[0]
    for entry in ended:
        match = match.append(entry)
    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(*ended))
    watcher.show(_entries(game.following(match).forge(match.number, "result", match.result)))
    yield watcher.seen("after-the-end", "an entry after both results", "grown", "grown", "cannot_watch")

    illegal = game.forge(1, "draw_contribution", (share[0][:31],))
    watcher = _Watcher()
    watcher.show(_log(game))
    watcher.show(_entries(game.entries[0], illegal))
    watcher.show(_entries(game.entries[1]))
    watcher.show(_entries(illegal))
    watcher.show(_entries(game.forge(0, "draw_commit", share)))
    watcher.show(_log(_other()))
    outcomes = ["grown", "grown", "ignored", "ignored", "ignored", "unexpected_frame"]
    yield watcher.seen("illegal", "a violation is the end of the log", *outcomes)


def _refused_logs() -> Iterator[Vector]:
    game = _game()
    watcher = _Watcher(fingerprint(GUEST.public))
    watcher.show(_log(game))
    yield watcher.seen("other-host", "another host than that of the invitation", "other_host")
    watcher = _Watcher(fingerprint(HOST.public))
    watcher.show(_log(game))
    yield watcher.seen("host", "the host of the invitation", "grown")
    hellos, unknown, later = (
        (host_hello(watchable=True, **changes).encode(), guest_hello().encode())
        for changes in ({}, {"game": "unknown", "settings": ()}, {"rules": 2})
    )
    resumed = host_hello(resumes=_SESSION).encode(), guest_hello(resumes=_SESSION).encode()
    nonce = some_bytes("one nonce")
    mirrored = host_hello(nonce=nonce).encode(), guest_hello(nonce=nonce).encode()
    settings = host_hello(settings=(("variant", "x"),)).encode(), guest_hello().encode()
    for name, comment, both, signed in (
        ("game-unknown", "a game that is not known", unknown, proofs(unknown)),
        ("rules-unknown", "later rules of a known game", later, proofs(later)),
        ("settings", "settings that the game does not have", settings, proofs(settings)),
        ("proofs", "the proofs exchanged", hellos, proofs(hellos)[::-1]),
        ("hellos", "the hellos exchanged", hellos[::-1], proofs(hellos)),
        ("resumed", "the hellos of a resumed game", resumed, proofs(resumed)),
        ("nonces", "both hellos have one nonce", mirrored, proofs(mirrored)),
    ):
        watcher = _Watcher()
        watcher.show(encode(("log", opening(both, signed)[len(MAGIC) + 4 :])))
        yield watcher.seen(f"log-{name}", comment, "cannot_watch")
    for name, comment, data in (
        ("empty", "an opening record of no bytes", b""),
        ("garbage", "an opening record that is no value", b"\xc1"),
        ("long", "an opening record that is too long", bytes(2193)),
    ):
        watcher = _Watcher()
        watcher.show(encode(("log", data)))
        yield watcher.seen(f"log-{name}", comment, "cannot_watch")
