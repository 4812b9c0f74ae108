"""Vectors of SPEC sections 4.3, 4.6 and 4.9: prefaces, hellos and invitations as text."""

from collections.abc import Iterator
from typing import Any

from p2p_shanghaien.errors import CannotConnect, Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.hello import Hello, Invitation, Role, parse_hello
from p2p_shanghaien.fairplay.invitation import ALPHABET, read, written
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.fairplay.preface import VERSIONS, parse_preface, preface
from protocol.making.common import Vector, plain, some_bytes

HOST, GUEST = (Identity(some_bytes(name)) for name in ("host", "guest"))
CHANNEL = some_bytes("channel")
_SETTINGS = (("variant", "standard"), ("tricks", "p3 b3 r2"))


def host_hello(label: str = "", /, **changes: Any) -> Hello:
    """Return a host's hello; `label` makes its nonce."""
    nonce = some_bytes(f"host's nonce {label}")
    hello = Hello(
        VERSIONS, Role.HOST, nonce, HOST.public, "Hanna", "shanghaien", 1, _SETTINGS, None, False, False, CHANNEL
    )
    return hello._replace(**changes)


def guest_hello(label: str = "", /, **changes: Any) -> Hello:
    """Return a guest's hello; `label` makes its nonce."""
    nonce = some_bytes(f"guest's nonce {label}")
    hello = Hello(VERSIONS, Role.GUEST, nonce, GUEST.public, "Gustav", None, None, (), None, False, False, CHANNEL)
    return hello._replace(**changes)


def prefaces() -> Iterator[Vector]:
    """Yield the first frame, and what is none."""
    yield _preface("this-version", "what this version sends", preface())
    yield _preface("later", "versions 1 and 2", preface((1, 2)))
    yield _preface("other", "version 7 alone", preface((7,)))
    yield _preface("many", "32 versions", preface(tuple(range(1, 33))))
    yield _preface("no-version", "no version at all", preface(()))
    yield _preface("too-many", "33 versions", preface(tuple(range(1, 34))))
    yield _preface("odd", "half a version", preface() + b"\0")
    yield _preface("other-word", "another magic word", preface().replace(b"shang", b"SHANG"))
    yield _preface("http", "another kind of program", b"GET / HTTP/1.1\r\n\r\n")
    yield _preface("empty", "nothing", b"")


def _preface(name: str, comment: str, frame: bytes) -> Vector:
    vector = {"id": name, "comment": comment, "frame": frame.hex()}
    try:
        return {**vector, "result": "valid", "versions": list(parse_preface(frame))}
    except CannotConnect as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}


def hellos() -> Iterator[Vector]:
    """Hellos as they may be, and with each item as it may not be."""
    yield _hello("host", "a host proposes a game", host_hello())
    yield _hello("guest", "a guest takes what is proposed", guest_hello())
    insisting = guest_hello(game="shanghaien", rules=1, settings=(("variant", "extra-wild"),))
    yield _hello("guest-insists", "a guest insists on a setting", insisting)
    yield _hello("host-private", "an invitation is needed", host_hello(private=True))
    yield _hello("host-watchable", "others may watch", host_hello(watchable=True))
    yield _hello("host-resumes", "a host goes on with a session", host_hello(resumes=some_bytes("session")))
    yield _hello("other-game", "any game's name will do", host_hello(game="halunken", rules=3, settings=()))
    yield _hello("versions", "several versions", host_hello(versions=(1, 2, 65535)))
    yield _hello("wide-name", "32 code points of four bytes", host_hello(name="\U0001f3b2" * 32))
    settings = tuple((f"s{n}", "x") for n in range(16))
    yield _hello("32-versions", "as many versions as there may be", host_hello(versions=tuple(range(1, 33))))
    yield _hello("version-twice", "a version twice", host_hello(versions=(1, 1)))
    yield _hello("guest-private", "what a guest says here is not asked", guest_hello(private=True))
    yield _hello("guest-watchable", "nor here", guest_hello(watchable=True))
    yield _hello("decomposed-name", "the form of a hello asks for no normal form", host_hello(name="Rene\u0301"))
    yield _hello("16-settings", "as many settings as there may be", host_hello(settings=settings))
    broken: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("no-versions", "no version", {"versions": ()}),
        ("33-versions", "a version too many", {"versions": tuple(range(1, 34))}),
        ("version-0", "there is no version 0", {"versions": (0,)}),
        ("version-0-too", "nor beside another", {"versions": (1, 0)}),
        ("version-65536", "a version beyond two bytes", {"versions": (65536,)}),
        ("version-true", "true is not 1", {"versions": (True,)}),
        ("wrong-role", "a guest's role in a host's hello", {"role": 1}),
        ("role-2", "no such role", {"role": 2}),
        ("role-false", "false is not 0", {"role": False}),
        ("short-nonce", "a nonce of 31 bytes", {"nonce": bytes(31)}),
        ("text-nonce", "a nonce that is a string", {"nonce": "n" * 32}),
        ("text-key", "a key that is a string", {"key": "k" * 32}),
        ("array-key", "a key that is an array of its bytes", {"key": tuple(HOST.public)}),
        ("short-key", "a key of 31 bytes", {"key": HOST.public[:31]}),
        ("neutral-key", "the neutral point for a key", {"key": b"\1" + bytes(31)}),
        ("long-key", "a key whose y is not reduced", {"key": b"\xee" + b"\xff" * 30 + b"\x7f"}),
        ("empty-name", "no name", {"name": ""}),
        ("long-name", "a name of 33 code points", {"name": "A" * 33}),
        ("escape-name", "a name that moves the cursor", {"name": "A\x1b[2J"}),
        ("unassigned-name", "a code point that Unicode 14.0 does not assign", {"name": "A\u0cf3"}),
        ("bom-name", "a name that begins with U+FEFF", {"name": "\ufeffHanna"}),
        ("bytes-name", "a name that is a byte string", {"name": b"Hanna"}),
        ("no-game", "a host without a game", {"game": None}),
        ("bad-game", "a game's name with a line break", {"game": "a\nb"}),
        ("no-rules", "a host without a rules version", {"rules": None}),
        ("rules-0", "there is no rules version 0", {"rules": 0}),
        ("rules-65536", "a rules version beyond two bytes", {"rules": 65536}),
        ("rules-true", "true is not 1", {"rules": True}),
        ("17-settings", "one setting too many", {"settings": (*settings, ("more", "x"))}),
        ("setting-twice", "a setting with two values", {"settings": (("a", "1"), ("a", "2"))}),
        ("setting-triple", "a setting of three words", {"settings": (("a", "1", "2"),)}),
        ("setting-number", "a setting that is no word", {"settings": (("a", 1),)}),
        ("setting-empty", "a setting without a value", {"settings": (("a", ""),)}),
        ("setting-long", "a value of 65 code points", {"settings": (("a", "x" * 65),)}),
        ("settings-nil", "no list of settings", {"settings": None}),
        ("short-resumes", "a session id of 16 bytes", {"resumes": bytes(16)}),
        ("private-0", "0 is not false", {"private": 0}),
        ("watchable-0", "0 is not false", {"watchable": 0}),
        ("watchable-1", "1 is not true", {"watchable": 1}),
        ("watchable-nil", "nil is not false", {"watchable": None}),
        ("no-channel", "a hello that names no channel", {"channel": None}),
        ("short-channel", "the name of a channel with 31 bytes", {"channel": bytes(31)}),
    )
    for name, comment, changes in broken:
        yield _hello(name, comment, host_hello(**changes))
    without = (item for name, item in host_hello()._asdict().items() if name != "watchable")
    yield _hello("eleven-items", "the item `watchable` is missing", tuple(without))
    yield _hello("thirteen-items", "an item to spare", (*host_hello(), None))
    yield _hello("no-array", "a string", "hello")
    yield _hello("trailing", "a byte to spare", host_hello(), b"\0")
    long = tuple((f"{n}" + "\U0001f3b2" * 30, "\U0001f3b2" * 30) for n in range(5))
    yield _hello("too-long", "more than 1,024 bytes", host_hello(settings=long))
    for name, comment, size in (("longest", "1,024 bytes", 1024), ("too-long-1", "1,025 bytes", 1025)):
        room = size - len(host_hello(settings=long[:3]).encode())
        # each of these characters has two bytes, and such words take 5 bytes more
        words = "\u00e9" * 50, "a" * (room - 105)
        hello = host_hello(settings=(*long[:3], words))
        assert len(hello.encode()) == size
        yield _hello(name, comment, hello)


def _hello(name: str, comment: str, value: Any, more: bytes = b"") -> Vector:
    role = Role.GUEST if name.startswith("guest") else Role.HOST
    data = encode(value) + more
    vector = {"id": name, "comment": comment, "role": int(role), "data": data.hex()}
    try:
        return {**vector, "result": "valid", "value": plain(parse_hello(data, role))}
    except Malformed as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}


def invitations() -> Iterator[Vector]:
    """Invitations as people write them, and as they mistype them."""
    text = written(Invitation(some_bytes("invitation", 16), some_bytes("fingerprint", 16)))
    groups = text.split("-")
    to_watch = written(Invitation(some_bytes("invitation", 16), some_bytes("fingerprint", 16), is_to_watch=True))
    yield _invitation("canonical", "as a host shows it", text)
    yield _invitation("zeros", "all bytes 0", written(Invitation(bytes(16), bytes(16))))
    yield _invitation("ones", "all bytes 255", written(Invitation(b"\xff" * 16, b"\xff" * 16)))
    yield _invitation("small", "small letters", text.lower())
    yield _invitation("together", "without hyphens", "".join(groups))
    yield _invitation("apart", "with spaces, line ends and a full stop", " " + "\n".join(map(" ".join, groups)) + ".")
    yield _invitation("dashes", "with the dashes of a word processor", "\u2013".join(groups))
    yield _invitation(
        "lookalikes", "i, L and o for 1 and 0", text.replace("1", "i", 1).replace("1", "L").replace("0", "o")
    )
    for place in (1, 7, 13):
        wrong = [*groups]
        wrong[place - 1] = wrong[place - 1][1:] + wrong[place - 1][:1]
        yield _invitation(f"group-{place}", f"the characters of group {place} in another order", "-".join(wrong))
    yield _invitation("swapped", "groups 5 and 6 swapped", "-".join([*groups[:4], groups[5], groups[4], *groups[6:]]))
    yield _invitation("letter-u", "U is no digit", "-".join([*groups[:-1], "U" + groups[-1][1:]]))
    yield _invitation("to-watch", "to watch, with the same 32 bytes", to_watch)
    watching = written(Invitation(some_bytes("invitation", 16), some_bytes("fingerprint", 16)).watching)
    yield _invitation("derived", "the invitation to watch at the same table", watching)
    yield _invitation("to-watch-small", "the same in small letters, without hyphens", watching.replace("-", "").lower())
    ones = written(Invitation(b"\xff" * 16, b"\xff" * 16, is_to_watch=True))
    yield _invitation("to-watch-ones", "to watch, all bytes 255", ones)
    for kind in (2, 3, 8, 15):
        yield _invitation(f"kind-{kind}", f"the first four bits say {kind}", "-".join([_first(kind), *groups[1:]]))
    yield _invitation("lost", "a character is missing in the middle", text[:20] + text[21:])
    yield _invitation("no-end", "the last group is missing", "-".join(groups[:-1]))
    yield _invitation("longer", "a character too many at the end", text + "0")
    yield _invitation("nothing", "nothing at all", "")


def _first(kind: int) -> str:
    """Return a first group whose four bits say `kind`, followed by zeros."""
    digit = 2 * kind
    return f"{ALPHABET[digit]}000{ALPHABET[(1 + 2 * digit) % 31]}"


def _invitation(name: str, comment: str, text: str) -> Vector:
    vector = {"id": name, "comment": comment, "text": text}
    try:
        found = read(text)
    except Malformed as error:
        return {**vector, "result": "invalid", "reason": error.code.unqualified}
    parts: dict[str, object] = {"secret": found.secret.hex(), "host": found.host.hex(), "watching": found.is_to_watch}
    parts |= {"canonical": written(found), "channel_key": found.channel_key.hex(), "room": found.room.hex()}
    return {**vector, "result": "valid", **parts, "to_watch": written(found.watching)}
