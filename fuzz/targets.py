"""The targets. Each takes any bytes, and lets nothing out but what it may not be stopped by: a bug.

Signatures and hashes would stop a fuzzer at the door, so most targets sign what it invents: they are the cheater that
has a key. Inputs are laid out as `fuzz.seeds` writes them.
"""

from contextlib import suppress
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

from fuzz import games
from fuzz.games import KEYS, SECRET, Place
from p2p_shanghaien.errors import (
    CannotConnect,
    ConnectionLost,
    Illegal,
    LocalError,
    Malformed,
    RecordError,
    ShanghaienError,
)
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import NO_KEY, ChannelOpening
from p2p_shanghaien.fairplay.contents import read as read_content
from p2p_shanghaien.fairplay.data import MAX_OFFER, Offering, digest_of, parse_offer
from p2p_shanghaien.fairplay.effects import Effect, ViolationProved
from p2p_shanghaien.fairplay.endpoint import Endpoint
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, Entry, Envelope, Kind, parse, sign
from p2p_shanghaien.fairplay.hello import Head, Role
from p2p_shanghaien.fairplay.keys import Tag, tagged_hash
from p2p_shanghaien.fairplay.match import Match
from p2p_shanghaien.fairplay.notes import Notes
from p2p_shanghaien.fairplay.transcript import Records, length_prefixed
from p2p_shanghaien.fairplay.transcript import read as read_log
from p2p_shanghaien.fairplay.verify import Report, Verdict, verify
from p2p_shanghaien.fairplay.watching import ShownLog, Watched, parse_visit, watch
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Reading
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.games.macao.game import Macao
from p2p_shanghaien.net.addresses import Address
from p2p_shanghaien.net.addresses import parse as parse_address
from p2p_shanghaien.net.pcp import parse_answer
from p2p_shanghaien.net.port_mapping import granted
from p2p_shanghaien.net.relay_rooms import forwarded_for, network_of, parse_introduction
from p2p_shanghaien.net.upnp import parse_description
from p2p_shanghaien.store.archives import parse_archive
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.verdicts import details, summary
from p2p_shanghaien.ui.words import say
from tests.fairplay import strangers
from tests.pair import GAMES

KINDS = tuple(Kind)
RAW, ENTRY, NOTE, ACT, RESIGN = range(5)
"""The kinds of parts of an input to `frames`."""

HONEST, SEALED, OTHER = range(3)
"""The kinds of parts of an input to `channels`; a part of any other kind is sent as it is."""

AGAIN, NEXT, SIGNED, SHOWN = range(4)
"""The kinds of parts of an input to `watching`: a new connection, what the host sends next, an entry that the expected
seat signs, or a frame as it is.
"""

FROM_GUEST, FROM_HOST, TO_HOST, TO_GUEST = range(4)
"""The kinds of an input to `handshakes`: a hello by somebody who has a key, or frames as they come."""


def entries(data: bytes) -> None:
    """Parse bytes as an entry; then as the content of an entry at some place of a game, signed by the expected seat."""
    with suppress(Malformed):
        assert parse(data).data == data
    if len(data) < 3:
        return
    place = _place(data[:2], games.places())
    if place.match.expected is None:
        return
    entry = _signed(place.match, place.game.handshake, data[2], data[3:])
    if entry is None:
        return
    place.match.check_place(entry)
    try:
        after = place.match.append(entry)
    except Illegal as violation:
        _has_words(violation)
        return
    assert (after.number, after.head) == (place.match.number + 1, entry.hash)
    assert after.expected is None or after.expected.kind in KINDS


def logs(data: bytes) -> None:
    """Parse bytes as a log; or as a log cut off at some place and continued at will by the expected seat."""
    if not data or data[0]:
        _look_at(verify(data, GAMES))
        return
    if len(data) < 3:
        return
    place = _place(data[1:3], games.places(with_whole=False))
    kept = sum(4 + len(entry.data) for entry in place.game.entries[place.at :])
    log = place.game.log[: len(place.game.log) - kept]
    match = place.match
    for kind, content in _parts(data[3:]):
        entry = _signed(match, place.game.handshake, kind, content) if match.expected else None
        if entry is None:
            break
        log += length_prefixed(entry.data)
        try:
            match = match.append(entry)
        except Illegal:
            break
    report = verify(log, GAMES)
    _look_at(report)
    assert report.match == match, "what verification follows is what was played"
    assert report.verdict != Verdict.INVALID_FILE, "each entry is in its place"


def records(data: bytes) -> None:
    """Bytes as a text record; if it is one, its canonical form says the same."""
    try:
        game = record.read(data, GAMES)
    except RecordError as error:
        _has_words(error)
        return
    events = list(record.events(game))
    text = record.write(game)
    again = record.read(text.encode(), GAMES)
    assert list(record.events(again)) == events
    assert record.write(again) == text


def channels(data: bytes) -> None:
    """Messages to one end of a channel: the other end's own, any bytes, or any payload that the other end encrypts."""
    if not data:
        return
    role = Role(data[0] % 2)
    ours, theirs = (
        ChannelOpening(role, (SECRET, NO_KEY), SECRET),
        ChannelOpening(Role(1 - role), (SECRET,), SECRET[::-1]),
    )
    coming = theirs.start()
    try:
        for message in ours.start():
            coming += theirs.receive(message)
        for kind, content in _parts(data[1:]):
            message = content
            if kind == HONEST and coming:
                message = coming.pop(0)
            elif kind == SEALED and theirs.channel:
                message = theirs.channel._sending.encrypt(content)
            if ours.channel:
                frame = ours.channel.open(message)
                assert kind == SEALED, "nobody else has the key"
                assert content == frame + b"\1" + bytes(len(content) - len(frame) - 1)
            else:
                for answer in ours.receive(message):
                    coming += theirs.receive(answer)
    except (Malformed, CannotConnect) as error:
        _has_words(error)


def handshakes(data: bytes) -> None:
    """A hello by a forger with a key, properly promised and signed; or frames, one after the other."""
    if not data:
        return
    kind, rest = data[0] % 4, data[1:]
    try:
        if kind == FROM_GUEST:
            strangers.meets_guest(strangers.Forger(rest, strangers.GUEST))
        elif kind == FROM_HOST:
            strangers.meets_host(strangers.Forger(rest, strangers.HOST))
        else:
            side = strangers.host() if kind == TO_HOST else strangers.guest()
            side.start()
            for _, frame in _parts(rest):
                side.receive(frame)
    except (Malformed, CannotConnect) as error:
        _has_words(error)


def frames(data: bytes) -> None:
    """Frames to one seat of a game: as they come, or entries and notes signed by the other; and its own decisions."""
    if len(data) < 4:
        return
    place = _place(data[:2], games.places())
    seat, claimed = data[2] % 2, min(place.at + data[3], len(place.game.entries))
    match, stored = place.match, place.game.entries[: place.at]
    handshake = place.game.handshake
    endpoint = Endpoint(match, seat, KEYS[seat], secret=SECRET, entries=stored)
    notes = Notes(KEYS[seat], seat, handshake, KEYS[1 - seat].public)
    effects = endpoint.resume(handshake, notes, Head(claimed, place.game.matches[claimed].head))
    written = 0
    for kind, content in _parts(data[4:]):
        assert not any(isinstance(effect, ViolationProved) and effect.seat == seat for effect in effects), (
            "the honest seat"
        )
        frame = content
        if kind % 5 == NOTE:
            digest = tagged_hash(Tag.NOTE, handshake, 1 - seat, written, content)
            frame, written = encode(("note", written, content, KEYS[1 - seat].sign(digest))), written + 1
        elif kind % 5 == ENTRY:
            expected = endpoint.match.expected
            entry = (
                content
                and expected
                and expected.seat != seat
                and _signed(endpoint.match, handshake, content[0], content[1:])
            )
            if not entry:
                continue
            frame = encode(("entry", entry.data))
        elif kind % 5 == ACT:
            effects = _decide(endpoint, content)
            continue
        elif kind % 5 == RESIGN:
            effects = endpoint.resign()
            continue
        try:
            effects = endpoint.receive(frame)
        except (Malformed, ConnectionLost) as error:
            _has_words(error)
            return


def watching(data: bytes) -> None:
    """Bytes as a first frame; then frames to a watcher: a host's own, entries that a seat signs, and any others."""
    with suppress(Malformed):
        visit = parse_visit(data)
        assert visit is None or watch(visit.place) == data
    if len(data) < 3:
        return
    place = _place(data[:2], games.places(with_whole=False))
    log = read_log(place.game.log)
    shown = ShownLog(log._replace(records=Records(log.entries[: place.at])))
    watched, coming = Watched(GAMES), list[bytes]()
    try:
        for kind, content in _parts(data[2:]):
            frame = content
            if kind % 4 == AGAIN:
                visit = parse_visit(watched.start())
                assert visit is not None
                begins, start = shown.joined(visit.place)
                coming = [begins, *shown.frames(start)]
                continue
            if kind % 4 == NEXT and coming:
                frame = coming.pop(0)
            elif kind % 4 == SIGNED and content and watched.report and watched.report.match:
                match = watched.report.match
                entry = match.expected and _signed(match, place.game.handshake, content[0], content[1:])
                if not entry:
                    continue
                frame = encode(("entries", (entry.data,)))
            watched.receive(frame)
    except (Malformed, CannotConnect, ConnectionLost) as error:
        _has_words(error)
    if watched.report:
        _look_at(watched.report)
        again = verify(watched.data, GAMES)
        assert again._replace(error=None) == watched.report._replace(error=None), "what was watched is what is kept"
        assert again.verdict not in (Verdict.INVALID_FILE, Verdict.UNSUPPORTED)


def data(data: bytes) -> None:
    """A guest's frame to a host with a deck, and a host's to the guest that asked for it; or a file of a deck."""
    deck = reconstruction().canonical()
    if not data or data[0]:
        try:
            found = Macao.canonical_data("deck", data[1:])
        except Malformed as error:
            _has_words(error)
            return
        assert len(found) <= MAX_OFFER
        assert Macao.canonical_data("deck", found) == found
        game = Reading({Macao.NAME: Macao}, lambda _: found)[Macao.NAME].from_settings({"deck": digest_of(found)})
        assert all(say(code, **details) for code, details in game.data_news())
        return
    try:
        assert Offering({digest_of(deck): deck}).asked(data[1:]) in (None, (digest_of(deck), deck))
        assert parse_offer(data[1:], digest_of(deck)) in (None, deck)
    except Malformed as error:
        _has_words(error)


def archives(data: bytes) -> None:
    """Bytes as a packed game; or packed properly, a log and what stands beside it."""
    if not data or data[0]:
        packed = data[1:]
    else:
        (_, log), (_, private) = (*_parts(data[1:]), (0, b""), (0, b""))[:2]
        made = BytesIO()
        with ZipFile(made, "w", ZIP_DEFLATED) as zipped:
            zipped.writestr(f"{games.small()[0].name}-host.shlog", log)
            zipped.writestr(f"{games.small()[0].name}-host.private", private)
        packed = made.getvalue()
    try:
        archive = parse_archive(Path("fuzzed"), packed, GAMES)
    except LocalError as error:
        _has_words(error)
        return
    assert verify(archive.log, GAMES).verdict not in (Verdict.INVALID_FILE, Verdict.UNSUPPORTED)
    assert archive.sidecar.key.isalpha(), "it names a file in the home"


def relays(data: bytes) -> None:
    """Bytes as the first message to a relay, and as the header by which a proxy says for whom it connects."""
    introduction = parse_introduction(data)
    assert introduction is None or introduction.encode() == data
    address = forwarded_for([data.decode("latin-1")])
    if address is not None:
        assert network_of(network_of(address).removesuffix("/64")) == network_of(address)


def routers(data: bytes) -> None:
    """Bytes as the answer of a router that was searched for, or asked to open a port.

    A URL that it gives leads to it and nowhere else; an address that it gives can be typed.
    """
    url = parse_description(data, "192.168.1.1")
    assert url is None or urlsplit(url).netloc.split(":")[0] == "192.168.1.1"
    try:
        external = granted(parse_answer(data), "192.168.1.1", 48126).external
    except CannotConnect as error:
        _has_words(error)
        return
    address = Address(str(external.address), external.port)
    assert parse_address(str(address)) == address
    assert not address.is_private


def _decide(endpoint: Endpoint, choice: bytes) -> list[Effect]:
    """Try to decide for one of the legal actions, whether it is asked for or not."""
    legal = endpoint.match.state.legal(endpoint.player)
    with suppress(Illegal):
        return endpoint.act(legal[choice[0] % len(legal)] if legal and choice else "")
    return []


def _place(at: bytes, places: tuple[Place, ...]) -> Place:
    return places[int.from_bytes(at, "big") % len(places)]


def _parts(data: bytes) -> list[tuple[int, bytes]]:
    """Parts of an input: a number, the length in two bytes, so many bytes (or as many as there are)."""
    parts, at = [], 0
    while at + 3 <= len(data):
        end = at + 3 + int.from_bytes(data[at + 1 : at + 3], "big")
        parts.append((data[at], data[at + 3 : end]))
        at = end
    return parts


def _signed(match: Match, handshake: bytes, kind: int, content: bytes) -> Entry | None:
    """Return the entry with this content by the expected seat; with the state after it, as far as there is one.

    None if it is too long to be an entry.
    """
    assert match.expected is not None
    name = KINDS[kind] if kind < len(KINDS) else "other"
    state = bytes(32)
    with suppress(Illegal):
        state = match.after(read_content(name, content)).state_hash
    envelope = Envelope(
        match.session.id, match.number, match.head, match.expected.seat, handshake, name, content, state
    )
    made = sign(KEYS[match.expected.seat], envelope)
    return parse(made.data) if len(made.data) <= MAX_ENTRY else None


def _look_at(report: Report) -> None:
    """All that a command shows of a log."""
    if report.error:
        _has_words(report.error)
    assert summary(report)
    if report.match:
        shown = report.record()
        list(details(report))
        list(record.events(shown))
        record.write(shown)


def _has_words(error: ShanghaienError) -> None:
    """Check that the error has a message that no terminal takes for anything else."""
    sentence = say(error.code, **error.details)
    assert printable(sentence.replace("\n", " ")) == sentence.replace("\n", " ")
