"""A second implementation, written from SPEC alone, agrees with every vector: so the page suffices.

It knows Halunken & Spelunken and Shadows of Macao by the plain tables of these games' tests, which were written from
the games' rules.
"""

import ast
from collections import Counter
from operator import itemgetter
from pathlib import Path

import pytest

from tests.games.macao.plain import RECONSTRUCTION, RULES
from tests.protocol import independent as spec
from tests.protocol.files import Test, deck_file, each, load, log_of, value
from tests.protocol.independent_channel import open_channel
from tests.protocol.independent_data import Host as HostOfData
from tests.protocol.independent_data import ask, take
from tests.protocol.independent_game import Table
from tests.protocol.independent_halunken import Halunken
from tests.protocol.independent_handshake import check_sent, meet, read_invitation, write_invitation
from tests.protocol.independent_macao import Macao, NoDeck, WrongFile, deck_of, digest_of_file
from tests.protocol.independent_match import verify
from tests.protocol.independent_watching import Ended, Host, Place, Stopped, Watcher, read_place
from tests.sweeps import sweep

TESTS = Path(__file__).parents[1]
_TABLES = ("tests.games.halunken.table", "tests.games.macao.plain")
"""The rules of two games, which all tests of them share."""
_LIBRARY = {
    *(
        "collections",
        "collections.abc",
        "functools",
        "hashlib",
        "hmac",
        "importlib.resources",
        "itertools",
        "json",
        "os",
    ),
    *("re", "struct", "typing", "unicodedata"),
}
_PRIMITIVES = {
    "cryptography.exceptions",
    "cryptography.hazmat.primitives.asymmetric.x25519",
    "cryptography.hazmat.primitives.ciphers.aead",
}
"""The only cryptography that is not its own."""


@pytest.mark.parametrize(
    "path",
    [
        *sorted((TESTS / "protocol").glob("independent*.py")),
        *(TESTS.parent / f"{table.replace('.', '/')}.py" for table in _TABLES),
    ],
    ids=lambda path: path.stem,
)
def test_it_shares_nothing_with_the_package(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    ours = {module for module in imported if module and module.startswith(("tests.protocol.independent", *_TABLES))}
    assert imported - ours <= _LIBRARY | _PRIMITIVES


@each("canonical")
def test_canonical(test: Test) -> None:
    data = bytes.fromhex(test["data"])
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            spec.decode(data, test["limit"])
        return
    expected = value(test["value"])
    # as text, for True equals 1
    assert repr(spec.decode(data, test["limit"])) == repr(expected)
    assert spec.encode(expected) == data


@each("hashes")
def test_hashes(test: Test) -> None:
    assert spec.tagged_hash(test["tag"], *value(test["parts"])).hex() == test["hash"]


@each("commitments")
def test_commitments(test: Test) -> None:
    session, key = bytes.fromhex(test["session"]), bytes.fromhex(test["key"])
    if test["to"] == "share":
        made = spec.tagged_hash("commitment", session, test["number"], key, bytes.fromhex(test["share"]))
    else:
        salt = bytes.fromhex(test["salt"])
        made = spec.tagged_hash("choice", session, test["number"], key, salt, test["action"])
    assert made.hex() == test["commitment"]


@each("keys")
def test_keys(test: Test) -> None:
    assert (spec.key_point(bytes.fromhex(test["key"])) is not None) == (test["result"] == "valid")


@each("signatures")
def test_signatures(test: Test) -> None:
    holds = spec.signature_holds(*(bytes.fromhex(test[name]) for name in ("key", "message", "signature")))
    assert holds == (test["result"] == "valid")


@each("prefaces")
def test_prefaces(test: Test) -> None:
    frame = bytes.fromhex(test["frame"])
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            spec.read_preface(frame)
    else:
        assert spec.read_preface(frame) == test["versions"]


@each("channels")
def test_channels(test: Test) -> None:
    if test["result"] == "invalid" and "messages" not in test:
        with pytest.raises(spec.Refused):
            open_channel(test)
        return
    end = open_channel(test)
    found = end.found()
    assert found == {name: test[name] for name in found}
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            end.carry(test["messages"])
    else:
        end.carry(test["messages"])


@each("hellos")
def test_hellos(test: Test) -> None:
    data = bytes.fromhex(test["data"])
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            spec.read_hello(data, test["role"])
    else:
        assert spec.read_hello(data, test["role"]) == value(test["value"])


@each("handshakes")
def test_handshakes(test: Test) -> None:
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            meet(test)
        return
    found = meet(test)
    assert found == {name: test[name] for name in found}
    if test["authentication"]:
        assert spec.authentication_string(bytes.fromhex(test["session"])) == test["authentication"]
    check_sent(test)


@each("entries")
def test_entries(test: Test) -> None:
    data = bytes.fromhex(test["data"])
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            spec.read_entry(data)
        return
    envelope, digest, signature = spec.read_entry(data)
    found = [item.hex() if isinstance(item, bytes) else item for item in (*envelope, digest, signature)]
    names = ["session", "number", "parent", "seat", "handshake", "kind", "content", "state", "hash", "signature"]
    assert found == [test[name] for name in names]


@each("chance")
def test_chance(test: Test) -> None:
    seed = bytes.fromhex(test["seed"])
    assert spec.indices(seed, test["bounds"]) == test["indices"]
    if "shares" in test:
        session, parent = bytes.fromhex(test["session"]), bytes.fromhex(test["parent"])
        assert spec.tagged_hash("outcome", session, test["number"], parent, *map(bytes.fromhex, test["shares"])) == seed


@each("notes")
def test_notes(test: Test) -> None:
    frame, handshake, key = (bytes.fromhex(test[name]) for name in ("frame", "handshake", "key"))
    said = frame, handshake, test["seat"], key, test["counter"], test["watchable"]
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            spec.read_note(*said)
    else:
        assert spec.read_note(*said) == value(test["words"])


@each("challenges")
def test_challenges(test: Test) -> None:
    keys = bytes.fromhex(test["key"]), bytes.fromhex(test["challenged"])
    assert spec.challenge_holds(value(test["words"]), *keys) == (test["result"] == "valid")


@each("invitations")
def test_invitations(test: Test) -> None:
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            read_invitation(test["text"])
    else:
        secret, host = bytes.fromhex(test["secret"]), bytes.fromhex(test["host"])
        assert read_invitation(test["text"]) == (test["watching"], secret, host)
        assert write_invitation(test["watching"], secret, host) == test["canonical"]
        # 4.4 and 4.15
        assert spec.tagged_hash("channel", secret).hex() == test["channel_key"]
        assert spec.tagged_hash("room", secret, host)[:16].hex() == test["room"]
        # 4.16
        watching = secret if test["watching"] else spec.tagged_hash("watching", secret, host)[:16]
        assert write_invitation(True, watching, host) == test["to_watch"]


@each("texts")
def test_texts(test: Test) -> None:
    assert spec.is_clean(test["text"], test["limit"]) == (test["result"] == "valid")


@each("data")
def test_data(test: Test) -> None:
    (_check_want if test["part"] == "want" else _check_taken)(test)


def _check_want(test: Test) -> None:
    host = HostOfData([bytes.fromhex(each) for each in test["named"]])
    *frames, last = (bytes.fromhex(frame) for frame in test["frames"])
    answers = list(map(host.answer, frames))
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            host.answer(last)
        return
    answers.append(host.answer(last))
    assert [answer and answer.hex() for answer in answers] == test["sent"]
    assert all(ask(spec.decode(frame)[1]) == frame for frame in (*frames, last))


def _check_taken(test: Test) -> None:
    frame, digest = bytes.fromhex(test["frame"]), bytes.fromhex(test["digest"])
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            take(frame, digest)
    else:
        assert spec.encode(["data", take(frame, digest)]) == frame


@each("watching")
def test_watching(test: Test) -> None:
    CHECKS[test["part"]](test)


def _check_first(test: Test) -> None:
    frame = bytes.fromhex(test["frame"])
    if test["result"] == "invalid":
        with pytest.raises(spec.Refused):
            read_place(frame)
    else:
        assert read_place(frame) == place(test)


def _check_shown(test: Test) -> None:
    host = Host(log_of(test), 0)
    found = [host.shown()]
    for record in _records(test):
        host.take(record)
        found.append(host.shown())
    assert found == test["shown"]


def _check_sent(test: Test) -> None:
    host = Host(log_of(test), test["count"])
    first, end = test["sent"] or (0, 0)
    assert host.sent(place(test)) == Host(log_of(test)).entries[first:end]


def _check_watched(test: Test) -> None:
    watcher = Watcher(test["host"] and bytes.fromhex(test["host"]), bytes.fromhex(test["kept"]))
    for step in test["steps"]:
        if "connect" in step:
            assert watcher.connect().hex() == step["connect"]
            continue
        assert _outcome(watcher, bytes.fromhex(step["receive"])) in (step["outcome"], (step["outcome"], step["reason"]))
    assert watcher.log.hex() == test["log"]


def _outcome(watcher: Watcher, frame: bytes) -> str | tuple[str, str]:
    """Return what becomes of a frame, with the reason if that binds."""
    try:
        return "grown" if watcher.receive(frame) else "ignored"
    except spec.Refused:
        return "malformed"
    except Ended:
        return "ended"
    except Stopped as stopped:
        return "stopped", str(stopped)


CHECKS = {"first": _check_first, "shown": _check_shown, "sent": _check_sent, "watched": _check_watched}


def place(test: Test) -> Place:
    """Return the place of a test."""
    named = test["place"]
    return (
        (bytes.fromhex(named["session"]), named["length"], bytes.fromhex(named["head"])) if named else (None, 0, None)
    )


@each("states")
def test_states(test: Test) -> None:
    table = Table(test["settings"])
    for step in test["steps"]:
        if isinstance(step, str):
            table.act(step)
        else:
            table.draw(step)
    assert table.value() == test["value"]
    assert spec.encode(table.value()).hex() == test["data"]
    assert spec.tagged_hash("state", test["first"], table.value()).hex() == test["hash"]
    assert [sorted(table.legal(player)) for player in (0, 1)] == test["legal"]


@each("halunken_states")
def test_states_of_halunken(test: Test) -> None:
    game = Halunken(test["settings"])
    for step in test["steps"]:
        if isinstance(step, list):
            game.draw(step)
        elif "/" in step:
            game.choose(step.split("/"))
        else:
            game.act(step)
    assert game.value() == test["value"]
    assert spec.encode(game.value()).hex() == test["data"]
    assert spec.tagged_hash("state", test["first"], game.value()).hex() == test["hash"]
    assert [sorted(game.legal(player)) for player in (0, 1)] == test["legal"]


def test_states_of_macao() -> None:
    """All rules that the plain table counts come up on the way to them."""
    met = Counter[str]()
    for test in load("macao_states"):
        game = Macao(deck_of(test["settings"], outside(test)))
        for step in test["steps"]:
            if isinstance(step, list):
                game.draw(step)
            else:
                game.act(step)
        assert game.value() == test["value"], test["id"]
        assert spec.encode(game.value()).hex() == test["data"]
        assert spec.tagged_hash("state", test["first"], game.value()).hex() == test["hash"]
        assert [sorted(game.legal(player)) for player in (0, 1)] == test["legal"]
        met += game.table.rules
    assert {*met} == {*RULES}


def test_deck_bytes() -> None:
    first, *others = load("macao_deck_bytes")
    with pytest.raises(NoDeck, match="bad_setting"):
        deck_of([("deck", first["digest"])], [bytes.fromhex(first["data"])])
    for test in others:
        try:
            deck_of([("deck", test["digest"])], [bytes.fromhex(test["data"])])
        except NoDeck as error:
            found = error.args[0]
        else:
            found = None
        assert found == test.get("reason"), test["id"]


@each("macao_decks")
def test_data_files_of_decks(test: Test) -> None:
    data = deck_file(test, RECONSTRUCTION)
    if test["result"] == "valid":
        assert digest_of_file(data) == test["digest"]
        return
    with pytest.raises(WrongFile) as raised:
        digest_of_file(data)
    assert raised.value.args == (test["list"], test["number"], test["name"])


def outside(test: Test) -> list[bytes]:
    """Return the data from outside the games that a test has."""
    return list(map(bytes.fromhex, test.get("outside", ())))


@each("logs", "choices", "halunken_logs")
def test_logs(test: Test) -> None:
    check_log(test)


@sweep("test", load("macao_logs"), every=4, ids=itemgetter("id"))
def test_logs_of_macao(test: Test) -> None:
    check_log(test)


@sweep("name", ["macao", "halunken", "sample"], every=3)
def test_sample_logs(name: str) -> None:
    report = verify((TESTS.parent / "examples" / f"{name}.shlog").read_bytes())
    assert (report["verdict"], report["truncated"]) == ("COMPLETE", 0)
    assert report["result"][0] == "over"


def check_log(test: Test) -> None:
    report = verify(bytes.fromhex(test["log"]), test.get("handshakes", ""), outside(test))
    assert report["verdict"] == test["verdict"]
    assert report.get("entry") == test["entry"]
    assert report.get("seat") == test["seat"]
    assert report.get("awaiting", []) == test["awaiting"]
    if test["verdict"] == "VIOLATION":
        assert report["reason"] == test["reason"]
    assert report["truncated"] == test["truncated"]
    if "session" in test:
        for name in ("session", "sound", "head", "first", "result"):
            assert report[name] == test[name], name
        # the package tells the game's part of a draw, without the seat of player 0
        drawn = [draw["indices"] for draw in report["draws"]]
        assert [each for each in (*(first[1:] for first in drawn[:1]), *drawn[1:]) if each] == test["indices"]


def _records(test: Test) -> list[bytes]:
    """Return the entries of a sound log."""
    data = log_of(test)
    _, at = spec.read_opening(data)
    records = []
    while record := spec.read_record(data, at):
        records.append(record)
        at += 4 + len(record)
    return records


DERIVED = {
    f"{file} {test['id']}": test
    for file in ("logs", "choices", "halunken_logs", "macao_logs")
    for test in load(file)
    if "secrets" in test
}


@pytest.mark.parametrize("name", DERIVED)
def test_shares_are_derived(name: str) -> None:
    """Section 10: each share or salt is an HMAC of what fixes the entry that it, or the commitment to it, stands in."""
    test = DERIVED[name]
    secrets = [bytes.fromhex(secret) for secret in test["secrets"]]
    records = _records(test)
    committed = b""
    for record in records:
        (_, number, parent, seat, handshake, kind, packed, _), _, _ = spec.read_entry(record)
        content = spec.decode(packed)
        if kind == "draw_contribution":
            assert content == [spec.mac(secrets[seat], spec.encode([number, parent, handshake, kind, []]))]
        if kind == "draw_reveal":
            assert content[0] == committed
        if kind == "choice_commit":
            fixed = number, parent, handshake, kind
        if kind == "choice_reveal":
            assert content[1] == spec.mac(secrets[seat], spec.encode([*fixed, [content[0]]]))
        if kind in ("draw_commit", "draw_reveal", "action", "choice_reveal"):
            committed = spec.mac(secrets[seat], spec.encode([number, parent, handshake, kind, content[:-1]]))


def test_the_wild_game_has_tricks_of_every_kind() -> None:
    (test,) = (test for test in load("logs") if test["id"] == "complete-extra-wild")
    records = _records(test)
    actions = []
    for record in records:
        envelope, _, _ = spec.read_entry(record)
        if envelope[5] == "action":
            actions.append(spec.decode(envelope[6])[0])
    kinds = ("!p+", "!p-", "!b", "!r", "!w=")
    assert all(any(action.startswith(kind) for action in actions) for kind in kinds)
