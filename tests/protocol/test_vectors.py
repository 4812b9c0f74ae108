"""The package agrees with every vector, and making the vectors anew gives the same files."""

from hashlib import sha256
from typing import Any

import pytest

from p2p_shanghaien.errors import CannotConnect, Malformed, RecordError
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.challenge import parse_challenge
from p2p_shanghaien.fairplay.chance import draws, outcome
from p2p_shanghaien.fairplay.channel import MAX_FRAME, ChannelOpening, Secured
from p2p_shanghaien.fairplay.data import MAX_OFFER, Offering, digest_of, offer, parse_offer
from p2p_shanghaien.fairplay.effects import Heard
from p2p_shanghaien.fairplay.entries import parse
from p2p_shanghaien.fairplay.handshake import Handshake, HungUp
from p2p_shanghaien.fairplay.hello import Head, Invitation, Role, parse_hello
from p2p_shanghaien.fairplay.invitation import read, written
from p2p_shanghaien.fairplay.keys import (
    Identity,
    PublicKey,
    Tag,
    authentication_string,
    choice_commitment,
    commitment,
    is_acceptable,
    tagged_hash,
)
from p2p_shanghaien.fairplay.notes import Note, NoteKind, Notes
from p2p_shanghaien.fairplay.preface import parse_preface
from p2p_shanghaien.fairplay.transcript import Records
from p2p_shanghaien.fairplay.transcript import read as read_log
from p2p_shanghaien.fairplay.verify import verify
from p2p_shanghaien.fairplay.watching import Place, ShownLog, Visit, Watched, WatchingStopped, parse_visit, watch
from p2p_shanghaien.games import record
from p2p_shanghaien.games.api import Acted, Chosen, Drawn, Game, Simultaneous, State, Step, Turn, advance, deciders
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.macao.codes import MacaoCode
from p2p_shanghaien.games.macao.deck import from_canonical, from_file, reconstruction
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.store.lines import read_shown
from p2p_shanghaien.text import is_clean
from p2p_shanghaien.ui.verdicts import fields
from protocol.make_vectors import FILES, FOLDER, made
from protocol.making.hellos import GUEST, HOST
from protocol.making.notes import listener
from protocol.making.table import KNOWN
from tests.games.macao.plain import RECONSTRUCTION
from tests.protocol.files import Test, deck_file, each, load, log_of, value

SLOW = ("states", "macao_states", "macao_logs")
"""The files that take long to make."""


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in SLOW)) for name in FILES])
def test_making_them_anew_changes_nothing(name: str) -> None:
    assert (FOLDER / f"{name}.json").read_bytes().decode() == made(name)


def test_there_are_no_other_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(FILES)


@pytest.mark.parametrize(
    "name", ["canonical", "keys", "signatures", "hellos", "invitations", "handshakes", "entries", "notes", "texts"]
)
def test_both_results_occur(name: str) -> None:
    assert {test["result"] for test in load(name)} == {"valid", "invalid"}


def test_every_tag_has_a_hash() -> None:
    assert {test["tag"] for test in load("hashes")} == set(Tag)


def test_every_verdict_has_a_log() -> None:
    verdicts = {test["verdict"] for test in load("logs")}
    assert verdicts == {"COMPLETE", "DECIDED", "INCOMPLETE", "VIOLATION", "INVALID FILE", "UNSUPPORTED"}


def _tuples(plain: Any) -> Any:
    """Lists as the tuples that decoding gives."""
    return tuple(_tuples(item) for item in plain) if isinstance(plain, list) else plain


@each("canonical")
def test_canonical(test: Test) -> None:
    data = bytes.fromhex(test["data"])
    if test["result"] == "invalid":
        with pytest.raises(Malformed) as raised:
            decode(data, test["limit"])
        assert raised.value.code.unqualified == test["reason"]
        return
    expected = _tuples(value(test["value"]))
    # as text, for True equals 1
    assert repr(decode(data, test["limit"])) == repr(expected)
    assert encode(expected) == data


@each("hashes")
def test_hashes(test: Test) -> None:
    assert tagged_hash(Tag(test["tag"]), *value(test["parts"])).hex() == test["hash"]


@each("commitments")
def test_commitments(test: Test) -> None:
    session, number, key = bytes.fromhex(test["session"]), test["number"], bytes.fromhex(test["key"])
    if test["to"] == "share":
        made = commitment(session, number, key, bytes.fromhex(test["share"]))
    else:
        made = choice_commitment(session, number, key, bytes.fromhex(test["salt"]), test["action"])
    assert made.hex() == test["commitment"]


def test_commitments_differ() -> None:
    made = [test["commitment"] for test in load("commitments")]
    assert len(set(made)) == len(made)


@each("keys")
def test_keys(test: Test) -> None:
    key = bytes.fromhex(test["key"])
    if test["result"] == "valid":
        assert is_acceptable(key)
        PublicKey.of(key)
    else:
        assert not is_acceptable(key)
        with pytest.raises(ValueError, match="refused"):
            PublicKey.of(key)


@each("signatures")
def test_signatures(test: Test) -> None:
    key, message, signature = (bytes.fromhex(test[name]) for name in ("key", "message", "signature"))
    holds = is_acceptable(key) and PublicKey.of(key).verifies(message, signature)
    assert holds == (test["result"] == "valid")


@each("prefaces")
def test_prefaces(test: Test) -> None:
    frame = bytes.fromhex(test["frame"])
    if test["result"] == "invalid":
        with pytest.raises(CannotConnect, match=test["reason"]):
            parse_preface(frame)
    else:
        assert list(parse_preface(frame)) == test["versions"]


@each("hellos")
def test_hellos(test: Test) -> None:
    data, role = bytes.fromhex(test["data"]), Role(test["role"])
    if test["result"] == "invalid":
        with pytest.raises(Malformed) as raised:
            parse_hello(data, role)
        assert raised.value.code.unqualified == test["reason"]
    else:
        hello = parse_hello(data, role)
        assert tuple(hello) == _tuples(value(test["value"]))
        assert hello.encode() == data


@each("channels")
def test_channels(test: Test) -> None:
    role = Role(test["role"])
    side = ChannelOpening(role, tuple(map(bytes.fromhex, test["keys"])), bytes.fromhex(test["ephemeral"]))
    first, *steps = test["exchange"]
    assert [message.hex() for message in side.start()] == first["send"]
    refused = steps.pop() if test["result"] == "invalid" and "messages" not in test else None
    for step in steps:
        assert side.channel is None
        assert [message.hex() for message in side.receive(bytes.fromhex(step["receive"]))] == step["send"]
    if refused:
        with pytest.raises((Malformed, CannotConnect)) as raised:
            side.receive(bytes.fromhex(refused["receive"]))
        assert raised.value.code.unqualified == test["reason"]
        return
    channel = side.channel
    assert channel is not None
    key, name = bytes.fromhex(test["key"]), bytes.fromhex(test["channel"])
    assert channel.secured == Secured(tuple(test["versions"]), name, key)
    for said in test["messages"]:
        message = bytes.fromhex(said["message"])
        if said["frame"] is None:
            with pytest.raises(Malformed, match=test["reason"]):
                channel.open(message)
        elif said["from"] == role:
            assert channel.seal(bytes.fromhex(said["frame"])) == message
        else:
            assert channel.open(message).hex() == said["frame"]


@each("handshakes")
def test_handshakes(test: Test) -> None:
    hello = parse_hello(bytes.fromhex(test["hello"]), Role(test["role"]))
    invitation, head = test["invitation"], test["position"]
    side = Handshake(
        Identity(bytes.fromhex(test["private_key"])),
        hello,
        tuple(test["versions"]),
        invitation=invitation and Invitation(bytes.fromhex(invitation["secret"]), bytes.fromhex(invitation["host"])),
        head=head and Head(head["length"], bytes.fromhex(head["head"])),
    )
    first, *steps = test["exchange"]
    assert [frame.hex() for frame in side.start()] == first["send"]
    refused = steps.pop() if test["result"] == "invalid" else None
    for step in steps:
        assert side.established is None
        assert [frame.hex() for frame in side.receive(bytes.fromhex(step["receive"]))] == step["send"]
    if refused:
        with pytest.raises((Malformed, CannotConnect)) as raised:
            side.receive(bytes.fromhex(refused["receive"]))
        assert raised.value.code.unqualified == test["reason"]
        assert side.established is None
        return
    established = side.established
    assert established is not None
    hellos = established.hellos
    assert hellos.handshake.hex() == test["handshake"]
    assert (hello.resumes or hellos.session).hex() == test["session"]
    assert established.theirs == (test["theirs"]["length"], bytes.fromhex(test["theirs"]["head"]))
    if test["authentication"]:
        assert authentication_string(hellos.session) == test["authentication"]


@pytest.mark.parametrize("name", ["new", "one-key", "invited", "insisting", "resumed"])
def test_each_side_of_a_handshake_receives_what_the_other_sends(name: str) -> None:
    views = {test["id"]: test["exchange"] for test in load("handshakes")}
    host, guest = views[f"{name}-host"], views[f"{name}-guest"]
    for ours, theirs in ((host, guest), (guest, host)):
        received = [step["receive"] for step in ours[1:]]
        assert received == [frame for step in theirs for frame in step["send"]]


@each("entries")
def test_entries(test: Test) -> None:
    data = bytes.fromhex(test["data"])
    if test["result"] == "invalid":
        with pytest.raises(Malformed) as raised:
            parse(data)
        assert raised.value.code.unqualified == test["reason"]
        return
    entry = parse(data)
    assert entry.data == data
    assert (entry.number, entry.seat, entry.kind) == (test["number"], test["seat"], test["kind"])
    for name in ("session", "parent", "handshake", "content", "state", "hash", "signature"):
        assert getattr(entry, name).hex() == test[name]


@each("chance")
def test_chance(test: Test) -> None:
    seed = bytes.fromhex(test["seed"])
    assert list(draws(seed, test["bounds"])) == test["indices"]
    if "shares" in test:
        session, parent = bytes.fromhex(test["session"]), bytes.fromhex(test["parent"])
        first, second = map(bytes.fromhex, test["shares"])
        assert outcome(session, test["number"], parent, (first, second)) == seed


@each("notes")
def test_notes(test: Test) -> None:
    notes = Notes(Identity(bytes(32)), 1 - test["seat"], bytes.fromhex(test["handshake"]), bytes.fromhex(test["key"]))
    writer = Notes({0: HOST, 1: GUEST}[test["seat"]], test["seat"], bytes.fromhex(test["handshake"]), b"")
    for _ in range(test["counter"]):
        earlier = decode(writer.write(NoteKind.AGREE), 4096)
        assert isinstance(earlier, tuple)
        notes.read(earlier)
    if test["result"] == "invalid":
        with pytest.raises(Malformed) as raised:
            _heard(test, notes)
        assert raised.value.code.unqualified == test["reason"]
    else:
        kind, *words = said(test)
        assert _heard(test, notes) == (NoteKind(kind), tuple(words))


def _heard(test: Test, notes: Notes) -> Note:
    """Return the note of a test, which `notes` read, and a peer as well if it depends on the game."""
    frame = bytes.fromhex(test["frame"])
    message = decode(frame, 4096)
    assert isinstance(message, tuple)
    note = notes.read(message)
    if note.kind == NoteKind.WATCHERS:
        assert listener(test["seat"], watchable=test["watchable"]).receive(frame) == [Heard(note)]
    return note


def said(test: Test) -> tuple[Any, ...]:
    """Return the words of a test as they are decoded from a note."""
    words = decode(encode(value(test["words"])), 4096)
    assert isinstance(words, tuple)
    return words


@each("challenges")
def test_challenges(test: Test) -> None:
    challenge = parse_challenge(said(test)[1:])
    keys = bytes.fromhex(test["key"]), bytes.fromhex(test["challenged"])
    assert challenge.is_between(*keys) == (test["result"] == "valid")


@each("invitations")
def test_invitations(test: Test) -> None:
    if test["result"] == "invalid":
        with pytest.raises(Malformed) as raised:
            read(test["text"])
        assert raised.value.code.unqualified == test["reason"]
        return
    invitation = read(test["text"])
    assert invitation == Invitation(bytes.fromhex(test["secret"]), bytes.fromhex(test["host"]), test["watching"])
    assert written(invitation.watching) == test["to_watch"]
    assert written(invitation) == test["canonical"]
    assert (invitation.channel_key.hex(), invitation.room.hex()) == (test["channel_key"], test["room"])


@each("texts")
def test_texts(test: Test) -> None:
    assert is_clean(test["text"], test["limit"]) == (test["result"] == "valid")


@each("watching")
def test_watching(test: Test) -> None:
    CHECKS[test["part"]](test)


def _check_first(test: Test) -> None:
    frame = bytes.fromhex(test["frame"])
    if test["result"] == "invalid":
        with pytest.raises(Malformed) as raised:
            parse_visit(frame)
        assert raised.value.code.unqualified == test["reason"]
    else:
        assert parse_visit(frame) == Visit(place(test))
        assert watch(place(test)) == frame


def _check_shown(test: Test) -> None:
    log = read_log(log_of(test))
    shown = ShownLog(log._replace(records=Records(())))
    assert shown.length == test["shown"][0]
    for entry, length in zip(log.entries, test["shown"][1:], strict=True):
        shown.append(entry)
        assert shown.length == length


def _check_sent(test: Test) -> None:
    log = read_log(log_of(test))
    shown = ShownLog(log._replace(records=Records(log.entries[: test["count"]])))
    begins, start = shown.joined(place(test))
    assert decode(begins, MAX_FRAME) == ("log", log.opening[12:])
    frames = [decode(frame, MAX_FRAME) for frame in shown.frames(start)]
    sent = [entry for word, entries in frames for entry in entries if word == "entries"]  # type: ignore
    first, end = test["sent"] or (0, 0)
    assert sent == list(log.entries[first:end])


def _check_watched(test: Test) -> None:
    kept = bytes.fromhex(test["kept"])
    watched = Watched(KNOWN, test["host"] and bytes.fromhex(test["host"]), lambda _: kept)
    for step in test["steps"]:
        if "connect" in step:
            assert watched.start().hex() == step["connect"]
            continue
        reason = None
        try:
            outcome = "grown" if watched.receive(bytes.fromhex(step["receive"])) else "ignored"
        except (Malformed, WatchingStopped, HungUp) as error:
            outcome = {Malformed: "malformed", WatchingStopped: "stopped", HungUp: "ended"}[type(error)]
            reason = error.code.unqualified
        assert (outcome, reason) == (step["outcome"], step["reason"])
    assert watched.data.hex() == test["log"]


@each("data")
def test_data(test: Test) -> None:
    def check() -> None:
        if test["part"] == "data":
            data = parse_offer(bytes.fromhex(test["frame"]), test["digest"])
            assert data is not None
            assert offer(data).hex() == test["frame"]
            return
        named = [bytes.fromhex(each) for each in test["named"]]
        offering = Offering({digest_of(each): each for each in named})
        found = [offering.asked(bytes.fromhex(frame)) for frame in test["frames"]]
        sent = [offer(data).hex() if len(data) <= MAX_OFFER else None for _, data in filter(None, found)]
        assert sent == test["sent"]

    if test["result"] == "valid":
        check()
        return
    with pytest.raises(Malformed) as raised:
        check()
    assert raised.value.code.unqualified == test["reason"]


CHECKS = {"first": _check_first, "shown": _check_shown, "sent": _check_sent, "watched": _check_watched}


def place(test: Test) -> Place | None:
    """Return the place of a test."""
    named = test["place"]
    return named and Place(bytes.fromhex(named["session"]), named["length"], bytes.fromhex(named["head"]))


@each("states")
def test_states(test: Test) -> None:
    check_state(Shanghaien.from_settings(dict(test["settings"])), test)


@each("halunken_states")
def test_states_of_halunken(test: Test) -> None:
    check_state(Halunken.from_settings(dict(test["settings"])), test)


@each("macao_states")
def test_states_of_macao(test: Test) -> None:
    check_state(KNOWN["macao"].from_settings(dict(test["settings"])), test)


@each("macao_deck_bytes")
def test_deck_bytes(test: Test) -> None:
    data = bytes.fromhex(test["data"])
    assert sha256(data).hexdigest() == test["digest"]
    if test["result"] == "valid":
        assert from_canonical(data).canonical() == data
    else:
        with pytest.raises(Malformed):
            from_canonical(data)


def test_the_first_deck_is_the_reconstruction() -> None:
    first, *_ = load("macao_deck_bytes")
    assert reconstruction() == from_canonical(bytes.fromhex(first["data"]))


def check_state(game: Game[Any], test: Test) -> None:
    state = game.start()
    for step in test["steps"]:
        state = advance(state, _step(state, step))
    assert encode(state.encode()).hex() == test["data"]
    assert tagged_hash(Tag.STATE, test["first"], state.encode()).hex() == test["hash"]
    assert decode(bytes.fromhex(test["data"]), 4096) == _tuples(test["value"])
    asked = deciders(state.node)
    assert [sorted(state.legal(player)) if player in asked else [] for player in (0, 1)] == test["legal"]


def _step(state: State, step: Any) -> Step:
    match state.node:
        case Turn(player):
            return Acted(player, step)
        case Simultaneous():
            first, second = step.split("/")
            return Chosen((first, second))
        case _:
            return Drawn(tuple(step))


@each("logs", "choices", "halunken_logs", "macao_logs")
def test_logs(test: Test) -> None:
    report = verify(bytes.fromhex(test["log"]), KNOWN, read_shown(test.get("handshakes", "").encode()))
    found = fields("", report, None)
    del found["file"]
    assert found == {name: test.get(name) for name in found}
    if report.match is None:
        return
    assert [list(step.indices) for step in report.steps if isinstance(step, Drawn)] == test["indices"]


@each("macao_decks")
def test_data_files_of_decks(test: Test) -> None:
    data = deck_file(test, RECONSTRUCTION)
    if test["result"] == "valid":
        assert sha256(from_file(data).canonical()).hexdigest() == test["digest"]
        return
    with pytest.raises(Malformed) as raised:
        from_file(data)
    error = raised.value
    if test["list"] is None:
        assert error.code.unqualified == test["reason"]
        return
    assert error.code.unqualified == {"cards": "bad_card", "tiles": "bad_tile"}[test["list"]]
    assert (error.details["number"], error.details["id"]) == (test["number"], test["name"])
    reason = error.details["reason"]
    assert isinstance(reason, Malformed)
    assert reason.code.unqualified == test["reason"]


def test_every_error_of_a_data_file_of_a_deck_is_there() -> None:
    codes = [*MacaoCode]
    of_files = {code.unqualified for code in codes[codes.index(MacaoCode.NOT_JSON) :]}
    assert {test.get("reason") for test in load("macao_decks")} - {None} == of_files - {"bad_card", "bad_tile"}


@each("records", "halunken_records", "macao_records")
def test_records(test: Test) -> None:
    data = bytes.fromhex(test["data"])
    if test["result"] == "invalid":
        with pytest.raises(RecordError) as raised:
            record.read(data, KNOWN)
        error = raised.value
        found = (error.code.unqualified, error.line, error.column, error.token)
        assert found == (test["reason"], test["line"], test["column"], test["token"])
        return
    read = record.read(data, KNOWN)
    assert list(record.events(read)) == test["events"]
    assert record.write(read) == test["canonical"]
    assert list(record.events(record.read(test["canonical"].encode(), KNOWN))) == test["events"]
