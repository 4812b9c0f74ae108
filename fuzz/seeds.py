"""The seeds of each target: the vectors, the examples, the records of the tests, and games played for it."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from fuzz import games
from fuzz.targets import (
    ACT,
    AGAIN,
    ENTRY,
    FROM_GUEST,
    FROM_HOST,
    HONEST,
    KINDS,
    NEXT,
    NOTE,
    OTHER,
    RAW,
    RESIGN,
    SEALED,
    SHOWN,
    SIGNED,
    TO_GUEST,
    TO_HOST,
)
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import BLOCK, MAX_FRAME
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.transcript import Records, read
from p2p_shanghaien.fairplay.watching import ShownLog
from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.net.pcp import NONCE
from p2p_shanghaien.net.relay_rooms import ROOM, End, Introduction
from tests.net import fake_igd, fake_router

ROOT = Path(__file__).parents[1]


def entries() -> Iterator[bytes]:
    """Yield the vectors, and at each place of the games the entry that came next."""
    for test in _vectors("entries"):
        yield bytes.fromhex(test["data"])
    for index, place in enumerate(games.places()):
        if place.at < len(place.game.entries):
            entry = place.game.entries[place.at]
            yield index.to_bytes(2, "big") + _kind(entry) + entry.content


def logs() -> Iterator[bytes]:
    """Yield the vectors, the sample, and from each place of the small games what came next."""
    for test in _vectors("logs"):
        yield bytes.fromhex(test["log"])
    yield (ROOT / "examples" / "sample.shlog").read_bytes()
    for index, place in enumerate(games.places(with_whole=False)):
        following = place.game.entries[place.at :][:8]
        yield b"\0" + index.to_bytes(2, "big") + b"".join(_part(_kind(entry), entry.content) for entry in following)


def records() -> Iterator[bytes]:
    """Yield the vectors, the sample, and the records of the tests."""
    for test in _vectors("records"):
        yield bytes.fromhex(test["data"])
    yield (ROOT / "examples" / "sample.shrec").read_bytes()
    for path in (ROOT / "tests" / "records").glob("*.shrec"):
        yield path.read_bytes()
    for name in ("valid-records.json", "invalid-records.json"):
        yield from _texts(json.loads((ROOT / "tests" / "games" / "data" / name).read_text(encoding="utf-8")))


def channels() -> Iterator[bytes]:
    """Yield what the vectors send to either end, and frames through an open channel."""
    for test in _vectors("prefaces"):
        yield b"\0" + _part(bytes((OTHER,)), bytes.fromhex(test["frame"]))
    for test in _vectors("channels"):
        received = [bytes.fromhex(step["receive"]) for step in test["exchange"] if step["receive"]]
        yield bytes((test["role"],)) + b"".join(_part(bytes((OTHER,)), message) for message in received)
        frames = [bytes.fromhex(said["frame"]) for said in test.get("messages", ()) if said["frame"] is not None]
        ended = [frame + b"\1" + bytes(-(len(frame) + 1) % BLOCK) for frame in frames]
        opened = _part(bytes((HONEST,)), b"") * 2
        yield bytes((test["role"],)) + opened + b"".join(_part(bytes((SEALED,)), payload) for payload in ended)


def handshakes() -> Iterator[bytes]:
    """Yield the vectors: hellos and handshakes."""
    for test in _vectors("hellos"):
        yield bytes((FROM_GUEST if test["role"] else FROM_HOST,)) + bytes.fromhex(test["data"])
    for test in _vectors("handshakes"):
        received = [bytes.fromhex(step["receive"]) for step in test["exchange"] if step["receive"]]
        yield bytes((TO_GUEST if test["role"] else TO_HOST,)) + b"".join(_part(b"\0", frame) for frame in received)


def frames() -> Iterator[bytes]:
    """From each place of the games: what the other seat said next, redelivered or new; notes; decisions."""
    notes = [body for test in _vectors("notes") if (body := _body(test["frame"]))]
    for index, place in enumerate(games.places()):
        for seat in (0, 1):
            start = index.to_bytes(2, "big") + bytes((seat,))
            following = place.game.entries[place.at :][:6]
            stored = [_part(bytes((RAW,)), encode(("entry", entry.data))) for entry in following]
            yield start + bytes((len(following),)) + b"".join(stored)
            said = [_part(bytes((ENTRY,)), _kind(entry) + entry.content) for entry in following if entry.seat != seat]
            yield start + b"\0" + _part(bytes((ACT,)), b"\0") + b"".join(said)
        note = _part(bytes((NOTE,)), notes[index % len(notes)])
        yield start + b"\0" + note + _part(bytes((RESIGN,)), b"") + note


def watching() -> Iterator[bytes]:
    """Yield the vectors; and from each place of the small games what a host shows, and the entries that come next."""
    begins = _part(bytes((AGAIN,)), b"") + _part(bytes((NEXT,)), b"")
    for test in _vectors("watching"):
        if test["part"] == "first":
            yield bytes.fromhex(test["frame"])
        if test["part"] == "watched":
            received = [bytes.fromhex(step["receive"]) for step in test["steps"] if "receive" in step]
            yield bytes(2) + b"".join(_part(bytes((SHOWN,)), frame) for frame in received)
    for index, place in enumerate(games.places(with_whole=False)):
        start = index.to_bytes(2, "big") + begins + _part(bytes((NEXT,)), b"") * 4
        seen = place.game.entries[: place.at]
        yield (
            start + begins + b"".join(_part(bytes((SHOWN,)), encode(("entries", (entry.data,)))) for entry in seen[-4:])
        )
        log = read(place.game.log)
        at = ShownLog(log._replace(records=Records(log.entries[: place.at]))).length
        following = place.game.entries[at : at + 6]
        signed = (_part(bytes((SIGNED,)), _kind(entry) + entry.content) for entry in following)
        yield start + b"".join(signed) + begins


def data() -> Iterator[bytes]:
    """Yield the frames of the vectors, and the reconstruction in both forms of a file."""
    for test in _vectors("data"):
        for frame in test.get("frames", [test.get("frame")]):
            yield b"\0" + bytes.fromhex(frame)
    yield b"\1" + (ROOT / "p2p_shanghaien/games/macao/macao-cards.json").read_bytes()
    yield b"\1" + reconstruction().canonical()


def archives() -> Iterator[bytes]:
    """Yield a game of each kind and what stands beside it, to be packed, and packed already."""
    private = json.dumps({"secret": games.SECRET.hex(), "key": "identity", "address": "127.0.0.1"}).encode()
    for game in (*games.small(), *games.whole()):
        packed = BytesIO()
        with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
            archive.writestr(f"{game.name}-host.shlog", game.log)
            archive.writestr(f"{game.name}-host.private", private)
        yield b"\1" + packed.getvalue()
        if len(game.log) < 1 << 16:
            yield b"\0" + _part(b"\0", game.log) + _part(b"\0", private)


def relays() -> Iterator[bytes]:
    """Yield introductions, and addresses as proxies forward them."""
    for end in End:
        yield Introduction(end, games.SECRET[:ROOM]).encode()
    for address in ("192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "fe80::1%eth0"):
        yield f"198.51.100.1, {address}".encode()


def routers() -> Iterator[bytes]:
    """Yield answers of routers, each result among them, and one by an older version."""
    asked = fake_router.Asked(2, 1, 3600, bytes(16), games.SECRET[:NONCE], 6, 48126, 48126, bytes(16))
    for result in range(14):
        yield fake_router.answer(asked, result=result)
    for address in ("192.168.1.1", "100.64.0.1", "0.0.0.0"):
        yield fake_router.answer(asked, address)
    yield bytes.fromhex("0081000100000064")
    for location in ("http://192.168.1.1:5000/rootDesc.xml", "http://192.168.1.2/", "http://u@192.168.1.1:80/"):
        yield fake_igd.found(location)


def _body(frame: str) -> bytes | None:
    """Return the body of a note in a frame, as far as it has one."""
    match decode(bytes.fromhex(frame), MAX_FRAME):
        case (_, _, bytes(body), *_):
            return body
    return None


def _vectors(name: str) -> list[dict[str, Any]]:
    tests: list[dict[str, Any]] = json.loads((ROOT / "protocol" / "vectors" / f"{name}.json").read_bytes())["tests"]
    return tests


def _texts(plain: Any) -> Iterator[bytes]:
    """Yield every text of several words within JSON."""
    match plain:
        case str() if "[" in plain:
            yield plain.encode()
        case dict():
            yield from _texts(list(plain.values()))
        case list():
            for item in plain:
                yield from _texts(item)


def _kind(entry: Entry) -> bytes:
    return bytes((KINDS.index(entry.kind),))


def _part(kind: bytes, content: bytes) -> bytes:
    return kind + len(content).to_bytes(2, "big") + content
