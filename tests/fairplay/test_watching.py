"""Watching: what a host shows of its log, and what a watcher makes of any frames (SPEC 4.16)."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.data import MAX_OFFER, digest_of, offer
from p2p_shanghaien.fairplay.entries import parse
from p2p_shanghaien.fairplay.handshake import HungUp, bye
from p2p_shanghaien.fairplay.keys import fingerprint
from p2p_shanghaien.fairplay.transcript import Log, Records, opening, read
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.fairplay.watching import Place, ShownLog, Visit, Watched, WatchingStopped, parse_visit, watch
from p2p_shanghaien.games.api import DataMissing, Game, Reading
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.decked import Decked
from tests.pair import GAMES, make_pair
from tests.protocol.files import Test, load
from tests.sweeps import examples, together
from tests.toy import Toy

HASHES = st.binary(min_size=32, max_size=32)
PLACES = st.builds(Place, HASHES, st.integers(1, 2**32 - 1), HASHES) | HASHES.map(lambda it: Place(it, 0, it))
ENDED = (Verdict.INCOMPLETE, Verdict.DECIDED, Verdict.COMPLETE)


def a_game(game: Game[Any], seed: int, **how: Any) -> bytes:
    """Return the host's log of a whole game that may be watched."""
    rng = random.Random(seed)
    pair = make_pair(rng, game, watchable=True, **how)
    pair.play(rng)
    return pair.logs[0]


PLAYED = {
    "shanghaien": a_game(Shanghaien(), 1),
    "halunken": a_game(Halunken(), 2),
    "choices": a_game(Toy(2), 3),
    "draws": a_game(Toy(1, opening="draw"), 4),
}
LOGS = {test["id"]: test for name in ("logs", "choices", "halunken_logs") for test in load(name)}
SOUND = [test for test in LOGS.values() if test["verdict"] in ENDED and not test["truncated"]]
ENTRY = read(PLAYED["draws"]).entries[0]


def first(log: Log, count: int) -> Log:
    """Return the log with the first `count` of its entries."""
    return log._replace(records=Records(log.entries[:count]))


def following(watched: Watched, shown: ShownLog) -> Iterator[bytes]:
    """Yield the frames that a host sends to a watcher that has just connected."""
    visit = parse_visit(watched.start())
    assert visit is not None
    begins, start = shown.joined(visit.place)
    yield begins
    yield from shown.frames(start)


# First frames


@given(st.none() | PLACES)
def test_a_place_comes_back(place: Place | None) -> None:
    assert parse_visit(watch(place)) == Visit(place)


VALUES = st.none() | st.booleans() | st.integers(-2, 2**32) | HASHES | st.text(max_size=3)


@given(
    st.binary(max_size=200)
    | st.lists(VALUES, max_size=4).map(lambda items: encode(("watch", *items)))
    | st.tuples(VALUES, st.just(0) | VALUES, VALUES).map(lambda items: encode(("watch", *items)))
)
def test_any_other_first_frame_is_malformed_or_no_watchers(frame: bytes) -> None:
    try:
        visit = parse_visit(frame)
    except Malformed:
        return
    if visit is None:
        value = decode(frame, MAX_FRAME)
        assert not isinstance(value, tuple) or value[:1] != ("watch",)
    else:
        assert watch(visit.place) == frame


def test_what_a_guest_says_first_is_no_visit() -> None:
    for frame in (encode(("commit", bytes(32))), encode(("watching", None, 0, None)), encode("watch"), bye("leaving")):
        assert parse_visit(frame) is None


# The host's side


@together("test", SOUND, ids=lambda test: test["id"])
def test_what_is_shown_is_what_an_entry_of_the_other_seat_names(test: Test) -> None:
    log = read(bytes.fromhex(test["log"]))
    shown = ShownLog(first(log, 0))
    seats: list[int] = []
    for data in log.entries:
        shown.append(data)
        seats.append(parse(data).seat)
        count = len(seats)
        named = sum(any(seat != seats[number] for seat in seats[number:]) for number in range(count))
        is_whole = count == len(log.entries) and test["verdict"] == Verdict.COMPLETE
        assert shown.length == (count if is_whole else named)
    assert shown.length == ShownLog(log).length, "a log that was read is shown as one that has grown"


@together("name", [name for name, test in LOGS.items() if test["verdict"] == Verdict.VIOLATION])
def test_evidence_is_not_shown(name: str) -> None:
    data = bytes.fromhex(LOGS[name]["log"])
    report = verify(data, GAMES)
    assert report.number is not None
    log = first(read(data), len(report.entries) + 1)
    shown = ShownLog(log)
    assert shown.length <= len(report.entries)
    assert list(shown.frames(shown.length)) == []


@given(st.sampled_from(sorted(PLAYED)), st.data())
def test_a_watcher_is_sent_what_is_behind(name: str, data: st.DataObject) -> None:
    log = read(PLAYED[name])
    entries = list(map(parse, log.entries))
    session = entries[0].session
    count, length = data.draw(st.integers(0, len(entries))), data.draw(st.integers(0, len(entries)))
    shown = ShownLog(first(log, count))
    place = Place(session, length, entries[length - 1].hash if length else session)
    begins, start = shown.joined(place)
    assert (decode(begins, MAX_FRAME), start) == (("log", log.opening[12:]), length)
    assert shown.joined(None) == (begins, 0)
    assert shown.joined(place._replace(session=bytes(32))) == (begins, 0)
    elsewhere = place._replace(head=bytes(32))
    assert shown.joined(elsewhere) == (begins, 0 if 0 < length <= count else length)
    frames = [decode(frame, MAX_FRAME) for frame in shown.frames(start)]
    sent = [entry for _, packed in frames for entry in packed]  # type: ignore[misc, union-attr, str-unpack]
    assert sent == list(log.entries[start : shown.length])


# The watcher's side


@settings(max_examples=examples(4))
@given(st.sampled_from(sorted(PLAYED)), st.data())
def test_a_watcher_that_is_cut_anywhere_ends_with_the_hosts_log(name: str, data: st.DataObject) -> None:
    log = read(PLAYED[name])
    watched = Watched(GAMES)
    lengths = sorted(data.draw(st.lists(st.integers(0, len(log.entries)), max_size=5)))
    for length in lengths:
        frames = list(following(watched, ShownLog(first(log, length))))
        for frame in frames[: data.draw(st.integers(0, len(frames)))]:
            watched.receive(frame)
        assert PLAYED[name].startswith(watched.data)
        if data.draw(st.booleans()):  # the program was started again, with what is on its disk
            kept = watched.data
            watched = Watched(GAMES, kept=lambda _, kept=kept: kept)  # type: ignore[misc]
    for frame in following(watched, ShownLog(log)):
        watched.receive(frame)
    assert watched.data == PLAYED[name]
    assert watched.report == verify(PLAYED[name], GAMES)
    assert watched.report
    assert watched.report.verdict == Verdict.COMPLETE


@together("name", sorted(PLAYED))
def test_a_watcher_follows_entry_by_entry(name: str) -> None:
    log = read(PLAYED[name])
    host, watched = ShownLog(first(log, 0)), Watched(GAMES)
    begins, sent = host.joined(None)
    assert (watched.place, watched.session) == (None, None)
    assert watched.receive(begins)
    for data in log.entries:
        host.append(data)
        frames = list(host.frames(sent))
        assert len(frames) <= 1
        assert all(map(watched.receive, frames))
        sent = host.length
        assert watched.place
        assert watched.place.length == sent
        assert not any(map(watched.receive, host.frames(max(0, sent - 3)))), "it has them"
    assert watched.data == PLAYED[name]
    assert watched.session
    assert watched.session.watchable


def met(name: str = "draws", count: int = 5, host: bytes | None = None) -> Watched:
    """Return a watcher that was shown a log and its first `count` entries."""
    watched = Watched(GAMES, host)
    log = read(PLAYED[name])
    watched.receive(encode(("log", log.opening[12:])))
    watched.receive(encode(("entries", log.entries[:count])))
    assert watched.place
    assert watched.place.length == count
    return watched


@given(
    st.binary(max_size=300)
    | st.builds(lambda items: encode(("entries", tuple(items))), st.lists(st.binary(max_size=40) | VALUES, max_size=3))
    | st.builds(
        lambda word, items: encode((word, *items)),
        st.sampled_from(["entries", "entry", "bye", "watch", "note", ""]),
        st.lists(VALUES, max_size=3),
    )
)
def test_garbage_is_malformed_and_costs_nothing(frame: bytes) -> None:
    for watched in (Watched(GAMES), met()):
        before = watched.data
        with pytest.raises((Malformed, HungUp, WatchingStopped)) as caught:
            watched.receive(frame)
        assert watched.data == before
        if caught.type is WatchingStopped:
            assert frame.startswith(b"\x92\xa3log")


@given(st.binary(max_size=300), st.booleans())
def test_an_opening_record_that_is_none_ends_the_watching(opened: bytes, again: bool) -> None:
    watched = met() if again else Watched(GAMES)
    watched.start()
    before = watched.data
    with pytest.raises(WatchingStopped, match="cannot_watch"):
        watched.receive(encode(("log", opened)))
    assert watched.data == before


@given(st.sampled_from(sorted(PLAYED)), st.data())
def test_no_change_of_an_entry_gets_into_the_log(name: str, data: st.DataObject) -> None:
    """Whatever is changed, an entry is a duplicate, malformed or the end of the watching."""
    entries = read(PLAYED[name]).entries
    count = data.draw(st.integers(1, min(12, len(entries) - 1)))
    watched = met(name, count)
    before = watched.data
    number = data.draw(st.integers(max(0, count - 3), count))
    changed = bytearray(entries[number])
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        assert not watched.receive(encode(("entries", (bytes(changed),))))
    except (Malformed, WatchingStopped):
        pass
    else:
        assert parse(bytes(changed)).hash == parse(entries[number]).hash, "the signature alone was changed"
    assert watched.data == before


def test_an_invitation_admits_one_host_only() -> None:
    (host, guest) = (fingerprint(key) for key in session_keys())
    met(host=host)
    with pytest.raises(WatchingStopped, match="other_host"):
        met(host=guest)


def session_keys() -> tuple[bytes, bytes]:
    match = verify(PLAYED["draws"], GAMES).match
    assert match is not None
    return match.session.keys


def test_another_game_follows_the_first_when_that_is_complete() -> None:
    log, other = read(PLAYED["draws"]), read(PLAYED["choices"])
    watched = met(count=len(log.entries) - 1)
    with pytest.raises(Malformed, match="unexpected_frame"):
        watched.receive(encode(("log", other.opening[12:])))
    watched.receive(encode(("entries", log.entries[-1:])))
    assert watched.receive(encode(("log", other.opening[12:])))
    assert watched.data == PLAYED["choices"][: len(other.opening)]


def test_after_a_violation_nothing_counts() -> None:
    """An illegal entry is evidence, whatever it is shown for (SPEC 5.11)."""
    data = bytes.fromhex(LOGS["share-short"]["log"])
    log = read(data)
    watched = Watched(GAMES)
    watched.receive(encode(("log", log.opening[12:])))
    assert watched.receive(encode(("entries", log.entries)))
    assert watched.data == data
    assert watched.report
    assert watched.report.verdict == Verdict.VIOLATION
    for entry in (*log.entries, ENTRY):
        assert not watched.receive(encode(("entries", (entry,))))
    assert watched.data == data


KEPT: dict[str, tuple[bytes, int]] = {
    "nothing": (b"", 0),
    "garbage": (b"SHLOG", 0),
    "an opening": (opening(read(PLAYED["draws"]).hellos, read(PLAYED["draws"]).proofs), 0),
    "a truncated log": (PLAYED["draws"][:-7], len(read(PLAYED["draws"]).entries) - 1),
    "the whole log": (PLAYED["draws"], len(read(PLAYED["draws"]).entries)),
    "another game's": (PLAYED["choices"], 0),
    "a log with an entry too many": (PLAYED["draws"] + b"\0\0\0\1\7", 0),
}


@together("kept, count", KEPT.values(), ids=KEPT)
def test_a_log_of_an_earlier_visit_is_continued_if_it_is_sound(kept: bytes, count: int) -> None:
    log, asked = read(PLAYED["draws"]), list[bytes]()

    def look(session: bytes) -> bytes:
        asked.append(session)
        return kept

    watched = Watched(GAMES, kept=look)
    assert watched.receive(encode(("log", log.opening[12:])))
    assert asked == [parse(ENTRY).session]
    assert watched.place
    assert watched.place.length == count
    for frame in ShownLog(log).frames(0):
        watched.receive(frame)
    assert watched.data == PLAYED["draws"]


@together("reason", ["leaving", "busy", "not_watchable", "timeout", "weather"])
def test_a_bye_ends_it(reason: str) -> None:
    for watched in (Watched(GAMES), met()):
        with pytest.raises(HungUp) as caught:
            watched.receive(bye(reason))
        assert caught.value.code == (FairplayCode.PEER_HUNG_UP if reason == "weather" else f"peer_{reason}")


DECK = bytes([77, 1, 2, 3])
DECKED = {"decked": Decked}


def decked_log() -> Log:
    """Return the log of a game by a deck that a watcher lacks."""
    games = Reading(DECKED, lambda _: DECK)
    return read(a_game(games["decked"].from_settings({"deck": digest_of(DECK)}), 5, games=games))


def test_a_watcher_is_sent_the_data_that_it_needs() -> None:
    log = decked_log()
    shown = ShownLog(log, [DECK, bytes(MAX_OFFER + 1)])
    assert shown.data == (offer(DECK),)
    watched = Watched(Reading(DECKED, lambda _: None))
    # a connection later, too
    for _ in range(2):
        watched.start()
        assert not any(map(watched.receive, shown.data))
        watched.receive(shown.joined(watched.place)[0])
        for frame in shown.frames(0):
            watched.receive(frame)
    assert watched.report is not None
    assert watched.report.verdict == Verdict.COMPLETE
    assert watched.session is not None
    assert watched.session.game.named_data() == {digest_of(DECK): DECK}


def test_a_watcher_without_the_data_stops() -> None:
    log = decked_log()
    for sent in ((), (offer(b"M" + DECK),)):
        watched = Watched(Reading(DECKED, lambda _: None))
        for frame in sent:
            assert not watched.receive(frame)
        with pytest.raises(WatchingStopped, match="cannot_watch") as raised:
            watched.receive(ShownLog(log).joined(None)[0])
        assert isinstance(raised.value.details["reason"], DataMissing)


def test_data_that_belong_to_no_log_are_malformed() -> None:
    begins = ShownLog(read(PLAYED["draws"])).joined(None)[0]
    watched = Watched(GAMES)
    watched.receive(offer(DECK))
    with pytest.raises(Malformed, match="data_not_named"):
        watched.receive(begins)
    watched = met()
    watched.receive(offer(DECK))
    with pytest.raises(Malformed, match="unexpected_frame"):
        watched.receive(encode(("entries", (ENTRY,))))
    watched = Watched(GAMES)
    for number in range(16):
        assert not watched.receive(offer(bytes([number])))
    with pytest.raises(Malformed, match="unexpected_frame"):
        watched.receive(offer(DECK))
    # what came before a cut is forgotten
    watched.start()
    assert watched.receive(begins)
