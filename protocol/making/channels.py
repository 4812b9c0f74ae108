"""Vectors of SPEC section 4.4: channels, seen from each side."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from p2p_shanghaien.errors import CannotConnect, Malformed
from p2p_shanghaien.fairplay import noise
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.channel import NO_KEY, Channel, ChannelOpening
from p2p_shanghaien.fairplay.hello import Invitation, Role
from p2p_shanghaien.fairplay.preface import preface
from protocol.making.common import Vector, some_bytes

_EPHEMERALS = (some_bytes("host's ephemeral key"), some_bytes("guest's ephemeral key"))
_KEY = Invitation(some_bytes("invitation", 16), bytes(16)).channel_key
_WATCHING_KEY = Invitation(some_bytes("invitation", 16), bytes(16)).watching.channel_key
_OTHER_KEY = Invitation(some_bytes("other invitation", 16), bytes(16)).channel_key
_FRAMES = tuple(
    encode(frame)
    for frame in (
        ("commit", some_bytes("commitment")),
        ("hello", some_bytes("hello", 300)),
        ("hello", some_bytes("hello", 310), 0, some_bytes("head"), some_bytes("signature", 64), None),
        ("proof", 0, some_bytes("head"), some_bytes("signature", 64), None),
        ("bye", "leaving"),
    )
)
_SMALL = bytes.fromhex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")
"""A point of order 8 (RFC 7748, 6.1)."""


class _Setup(NamedTuple):
    """The keys of both ends; the host's first."""

    keys: tuple[Sequence[bytes], Sequence[bytes]] = ((NO_KEY,), (NO_KEY,))

    def openings(self) -> tuple[ChannelOpening, ChannelOpening]:
        """Return both ends of a new connection, the host's first."""
        host, guest = (ChannelOpening(role, self.keys[role], _EPHEMERALS[role]) for role in Role)
        return host, guest

    def opened(self) -> tuple[bytes, bytes, Channel, Channel]:
        """Return the messages that open the channel, and both ends of it; the host's first."""
        host, guest = self.openings()
        (first,) = guest.receive(preface())
        host.receive(preface())
        (second,) = host.receive(first)
        guest.receive(second)
        if host.channel is None or guest.channel is None:
            raise AssertionError("the channel is not open")
        return second, first, host.channel, guest.channel


_OPEN = _Setup()
_INVITED = _Setup(((_KEY, NO_KEY), (_KEY,)))
_UNINVITED = _Setup(((_KEY, NO_KEY), (NO_KEY,)))
_WATCHED = _Setup(((_KEY, _WATCHING_KEY, NO_KEY), (_WATCHING_KEY,)))


def channels() -> Iterator[Vector]:
    """Yield what comes in, what is answered, and what is then said."""
    for name, comment, setup in (
        ("open", "a table without an invitation", _OPEN),
        ("invited", "a private table, and a guest with the invitation", _INVITED),
        ("uninvited", "a private table, and a guest without the invitation", _UNINVITED),
        ("watching", "a private table that may be watched, and a watcher with the invitation to watch", _WATCHED),
    ):
        second, first, *_ = setup.opened()
        yield _seen(f"{name}-host", f"{comment}, seen by the host", setup, Role.HOST, [preface(), first])
        yield _seen(f"{name}-guest", f"{comment}, seen by the guest", setup, Role.GUEST, [preface(), second])
    later = preface((1, 2))
    yield _seen("later-host", "a guest that also speaks version 2", _OPEN, Role.HOST, [later, _first(later)])
    yield _seen("later-guest", "a host that also speaks version 2", _OPEN, Role.GUEST, [later, _second(host=later)])
    yield from _refused()
    yield from _transport()


def _first(guest: bytes = preface(), key: bytes = NO_KEY, payload: bytes = b"") -> bytes:
    """Return the first message of a guest with this preface and key."""
    return noise.Handshake(_prologue(guest), key, _EPHEMERALS[Role.GUEST]).write_first(payload)


def _prologue(guest: bytes = preface(), host: bytes = preface()) -> bytes:
    return encode(("p2p-shanghaien channel", guest, host))


def _second(payload: bytes = b"", host: bytes = preface(), kind: type[noise.Handshake] = noise.Handshake) -> bytes:
    """Return the second message of a host with this preface."""
    prologue = _prologue(host=host)
    made = kind(prologue, NO_KEY, _EPHEMERALS[Role.HOST])
    made.read_first(noise.Handshake(prologue, NO_KEY, _EPHEMERALS[Role.GUEST]).write_first())
    return made.write_second(payload)


class _Forger(noise.Handshake):
    """A handshake whose ephemeral key is of small order; everything else is as it should be."""

    def _write_ephemeral(self) -> bytes:
        self._mix_ephemeral(_SMALL)
        return _SMALL

    def _mix_exchange(self) -> None:
        # anybody who knows the key knows this result
        self._mix_key(bytes(32))


def _small_first() -> bytes:
    return _Forger(_prologue(), NO_KEY, _EPHEMERALS[Role.GUEST]).write_first()


def _refused() -> Iterator[Vector]:
    second, first, *_ = _OPEN.opened()
    to_host: tuple[tuple[str, str, _Setup, list[bytes]], ...] = (
        ("other-version", "a guest that speaks version 2 alone", _OPEN, [preface((2,))]),
        ("other-program", "another kind of program", _OPEN, [b"GET / HTTP/1.1\r\n\r\n"]),
        ("other-key", "a guest with another invitation", _INVITED, [preface(), _first(key=_OTHER_KEY)]),
        (
            "watching-key",
            "a watcher, at a table that nobody may watch",
            _INVITED,
            [preface(), _first(key=_WATCHING_KEY)],
        ),
        ("key-for-open", "a guest with an invitation, at a table without one", _OPEN, [preface(), _first(key=_KEY)]),
        ("changed-preface", "a preface changed on its way", _OPEN, [preface((1, 2)), first]),
        ("changed-point", "a bit of the ephemeral key changed", _OPEN, [preface(), _changed(first, 5)]),
        ("changed-tag", "a bit of the tag changed", _OPEN, [preface(), _changed(first, 40)]),
        ("short", "a byte too few", _OPEN, [preface(), first[:-1]]),
        ("empty", "an empty message", _OPEN, [preface(), b""]),
        ("payload", "a payload, encrypted as it should be", _OPEN, [preface(), _first(payload=b"x")]),
        ("small-order", "an ephemeral key of small order", _OPEN, [preface(), _small_first()]),
        ("reflected", "our own preface and a host's message", _OPEN, [preface(), second]),
        ("clear", "a frame outside a channel", _OPEN, [preface(), _FRAMES[0]]),
    )
    for name, comment, setup, messages in to_host:
        yield _seen(f"host-{name}", comment, setup, Role.HOST, messages)
    to_guest: tuple[tuple[str, str, list[bytes]], ...] = (
        ("other-version", "a host that speaks version 2 alone", [preface((2,))]),
        ("other-key", "the message of a host with another key", [preface(), _INVITED.opened()[0]]),
        ("changed-point", "a bit of the ephemeral key changed", [preface(), _changed(second, 5)]),
        ("changed-tag", "a bit of the tag changed", [preface(), _changed(second, 40)]),
        ("short", "a byte too few", [preface(), second[:-1]]),
        ("payload", "a payload, encrypted as it should be", [preface(), _second(b"x")]),
        ("small-order", "an ephemeral key of small order", [preface(), _second(kind=_Forger)]),
        ("reflected", "our own message sent back", [preface(), first]),
    )
    for name, comment, messages in to_guest:
        yield _seen(f"guest-{name}", comment, _OPEN, Role.GUEST, messages)


def _changed(message: bytes, at: int) -> bytes:
    return message[:at] + bytes((message[at] ^ 1,)) + message[at + 1 :]


def _seen(name: str, comment: str, setup: _Setup, role: Role, received: Sequence[bytes]) -> Vector:
    """Return the view of the side `role`. If it refuses, it refuses the last message."""
    vector: Vector = {
        "id": name,
        "comment": comment,
        "role": int(role),
        "keys": [key.hex() for key in setup.keys[role]],
        "ephemeral": _EPHEMERALS[role].hex(),
    }
    side = setup.openings()[role]
    exchange: list[Any] = [{"receive": None, "send": [message.hex() for message in side.start()]}]
    for number, message in enumerate(received, start=1):
        exchange.append({"receive": message.hex(), "send": []})
        try:
            exchange[-1]["send"] = [answer.hex() for answer in side.receive(message)]
        except (Malformed, CannotConnect) as error:
            if number < len(received):
                raise AssertionError(f"{name} is refused too early") from error
            return {**vector, "exchange": exchange, "result": "invalid", "reason": error.code.unqualified}
    if side.channel is None:
        raise AssertionError(f"{name} comes to no end")
    secured = side.channel.secured
    found = {"versions": list(secured.versions), "key": secured.key.hex(), "channel": secured.channel.hex()}
    return {**vector, "exchange": exchange, "result": "valid", **found, "messages": []}


def _transport() -> Iterator[Vector]:
    """Yield what is said through an open channel; and what the host refuses to open."""
    both = (Role.GUEST, Role.HOST)
    yield _said("handshake", "the frames of a handshake", _INVITED, list(zip(both * 2, _FRAMES, strict=False)))
    sizes = (0, 1, 510, 511, 512, 1023, 4096)
    frames = [some_bytes(f"frame of {size}", size) for size in sizes]
    yield _said("sizes", "frames of several lengths", _OPEN, [(Role.GUEST, frame) for frame in frames])
    yield _said("zeros", "frames that end with zero bytes", _OPEN, [(Role.HOST, bytes(3)), (Role.HOST, b"\1\0")])
    *_, host, guest = _OPEN.opened()
    one, other = guest.seal(_FRAMES[0]), guest.seal(_FRAMES[4])
    for name, comment, before, message in (
        ("changed", "a bit of a message changed", [], _changed(one, 7)),
        ("cut", "a byte too few", [], one[:-1]),
        ("repeated", "a message twice", [(Role.GUEST, _FRAMES[0])], one),
        ("later", "the second message first", [], other),
        ("reflected", "our own message", [], host.seal(_FRAMES[0])),
        ("empty", "an empty message", [], b""),
        ("clear", "a frame outside the channel", [], _FRAMES[0]),
        ("no-end", "a payload of zero bytes", [], _sealed(bytes(512))),
        ("other-end", "a payload that ends with 2", [], _sealed(bytes(511) + b"\2")),
        ("511", "a payload of 511 bytes", [], _sealed(b"\1" + bytes(510))),
        ("no-payload", "an empty payload", [], _sealed(b"")),
        ("block-to-spare", "512 zero bytes more than needed", [], _sealed(b"x\1" + bytes(1022))),
        ("too-long", "a frame of 4,608 bytes", [], _sealed(bytes(4608) + b"\1" + bytes(511))),
    ):
        vector = _said(f"refused-{name}", comment, _OPEN, before)
        vector["messages"].append({"from": 1, "frame": None, "message": message.hex()})
        yield {**vector, "result": "invalid", "reason": _refusal(vector)}


def _sealed(payload: bytes) -> bytes:
    """Return the guest's first message through the channel with any payload."""
    guest = noise.Handshake(_prologue(), NO_KEY, _EPHEMERALS[Role.GUEST])
    guest.write_first()
    guest.read_second(_OPEN.opened()[0])
    return noise.Cipher(guest.split().initiator).encrypt(payload)


def _said(name: str, comment: str, setup: _Setup, said: Sequence[tuple[Role, bytes]]) -> Vector:
    """Return the host's view of a channel through which these frames go."""
    _, first, *ends = setup.opened()
    vector = _seen(f"said-{name}", comment, setup, Role.HOST, [preface(), first])
    for sender, frame in said:
        message = ends[sender].seal(frame)
        vector["messages"].append({"from": int(sender), "frame": frame.hex(), "message": message.hex()})
    return vector


def _refusal(vector: Vector) -> str:
    """Return the name of the error with which the host refuses the last message."""
    *_, host, _ = _OPEN.opened()
    try:
        for message in vector["messages"]:
            host.open(bytes.fromhex(message["message"]))
    except Malformed as error:
        return error.code.unqualified
    raise AssertionError(f"{vector['id']} is not refused")
