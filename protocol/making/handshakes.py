"""Vectors of SPEC sections 4.5 to 4.10: whole handshakes, seen from each side."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from p2p_shanghaien.errors import CannotConnect, Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.handshake import Handshake, bye
from p2p_shanghaien.fairplay.hello import Head, Hello, Hellos, Invitation, Role, proof_digest
from p2p_shanghaien.fairplay.keys import Identity, Tag, authentication_string, fingerprint, tagged_hash
from p2p_shanghaien.fairplay.preface import VERSIONS
from protocol.making.common import Vector, some_bytes
from protocol.making.hellos import GUEST, HOST, guest_hello, host_hello


class _Setup(NamedTuple):
    """The setup of both ends of a handshake; the host's first."""

    hellos: tuple[Hello, Hello]
    invitations: tuple[Invitation | None, Invitation | None] = (None, None)
    heads: tuple[Head | None, Head | None] = (None, None)
    identities: tuple[Identity, Identity] = (HOST, GUEST)

    def with_hello(self, seat: int, /, **changes: Any) -> "_Setup":
        """Return the same with one side's hello changed."""
        hellos = list(self.hellos)
        hellos[seat] = hellos[seat]._replace(**changes)
        return self._replace(hellos=(hellos[0], hellos[1]))


_INVITATION = Invitation(some_bytes("invitation", 16), fingerprint(HOST.public))
_SESSION = some_bytes("session")
_NEW = _Setup((host_hello(), guest_hello()))
_INVITED = _Setup((host_hello(private=True), guest_hello()), (_INVITATION, _INVITATION))
_RESUMED = _Setup(
    (host_hello("resumed", resumes=_SESSION), guest_hello("resumed", resumes=_SESSION)),
    heads=(Head(12, some_bytes("twelfth")), Head(11, some_bytes("eleventh"))),
)
_WHOLE: tuple[tuple[str, str, _Setup], ...] = (
    ("new", "a new game", _NEW),
    ("one-key", "both sides have one key", _NEW._replace(identities=(HOST, HOST)).with_hello(1, key=HOST.public)),
    ("invited", "a new game by invitation", _INVITED),
    ("insisting", "the guest insists on a setting", _NEW.with_hello(1, settings=(("variant", "standard"),))),
    ("watchable", "a new game that others may watch", _NEW.with_hello(0, watchable=True)),
    ("guest-watchable", "the guest says watchable, which is not asked", _NEW.with_hello(1, watchable=True)),
    ("resumed", "going on with a session; the guest has one entry less", _RESUMED),
)


def handshakes() -> Iterator[Vector]:
    """Yield what comes in, what is answered, and what follows."""
    for name, comment, setup in _WHOLE:
        yield _seen(f"{name}-host", f"{comment}, seen by the host", setup, Role.HOST, _frames(setup, Role.GUEST))
        yield _seen(f"{name}-guest", f"{comment}, seen by the guest", setup, Role.GUEST, _frames(setup, Role.HOST))
    yield from _refused_by_host()
    yield from _refused_by_guest()


def _proof(setup: _Setup, role: int, **changes: Any) -> tuple[Any, ...]:
    """Length, head, signature and MAC, as `role` sends them, or with changes by these names."""
    hellos = Hellos(*(setup.hellos[0].encode(), setup.hellos[1].encode()))
    session = setup.hellos[role].resumes or hellos.session
    head = setup.heads[role] or Head(0, session)
    invitation = setup.invitations[role]
    items: dict[str, Any] = {
        "length": head.length,
        "head": head.digest,
        "signature": setup.identities[role].sign(proof_digest(hellos.handshake, session, role, head)),
        "mac": invitation.mac(role, hellos) if invitation else None,
    }
    return tuple((items | changes).values())


def _frames(setup: _Setup, role: int, **changes: Any) -> list[bytes]:
    """Return the frames that `role` sends, its proof with changes."""
    hello, proof = setup.hellos[role].encode(), _proof(setup, role, **changes)
    if role == Role.HOST:
        return [encode(("hello", hello)), encode(("proof", *proof))]
    return [encode(("commit", tagged_hash(Tag.HELLO, hello))), encode(("hello", hello, *proof))]


def _seen(name: str, comment: str, setup: _Setup, role: int, received: Sequence[bytes]) -> Vector:
    """Return the view of the side `role`. If it refuses, it refuses the last frame."""
    invitation, head = setup.invitations[role], setup.heads[role]
    vector: Vector = {
        "id": name,
        "comment": comment,
        "role": int(role),
        "private_key": setup.identities[role].private_bytes().hex(),
        "hello": setup.hellos[role].encode().hex(),
        "versions": list(VERSIONS),
        "invitation": invitation and {"secret": invitation.secret.hex(), "host": invitation.host.hex()},
        "position": head and {"length": head.length, "head": head.digest.hex()},
    }
    side = Handshake(setup.identities[role], setup.hellos[role], VERSIONS, invitation=invitation, head=head)
    exchange: list[Any] = [{"receive": None, "send": [frame.hex() for frame in side.start()]}]
    for number, frame in enumerate(received, start=1):
        exchange.append({"receive": frame.hex(), "send": []})
        try:
            exchange[-1]["send"] = [answer.hex() for answer in side.receive(frame)]
        except (Malformed, CannotConnect) as error:
            if number < len(received):
                raise AssertionError(f"{name} is refused too early") from error
            return {**vector, "exchange": exchange, "result": "invalid", "reason": error.code.unqualified}
    established = side.established
    if established is None:
        raise AssertionError(f"{name} comes to no end")
    hellos, resumed = established.hellos, setup.hellos[role].resumes
    return {
        **vector,
        "exchange": exchange,
        "result": "valid",
        "handshake": hellos.handshake.hex(),
        "session": (resumed or hellos.session).hex(),
        "authentication": None if resumed else authentication_string(hellos.session),
        "theirs": {"length": established.theirs.length, "head": established.theirs.digest.hex()},
    }


def _refused_by_host() -> Iterator[Vector]:
    commitment, hello = _frames(_NEW, Role.GUEST)
    bare = encode(("hello", _NEW.hellos[1].encode()))
    cases: tuple[tuple[str, str, list[bytes]], ...] = (
        (
            "not-committed",
            "a hello that differs from its commitment",
            [encode(("commit", some_bytes("commit"))), hello],
        ),
        ("no-commitment", "a hello without a commitment", [hello]),
        ("short-commitment", "a commitment of 31 bytes", [encode(("commit", bytes(31)))]),
        ("no-proof", "a hello without a proof", [commitment, bare]),
        ("early-entry", "an entry instead of a commitment", [encode(("entry", b""))]),
        ("map-frame", "a frame that is not canonical", [b"\x80"]),
        ("bye", "the other side has another guest", [bye("busy")]),
        ("other-bye", "a bye with a reason of its own", [bye("something else")]),
        ("position", "a new game that has an entry", _frames(_NEW, 1, length=1)),
        ("head", "a new game whose head is not the session id", _frames(_NEW, 1, head=bytes(32))),
        ("flipped", "a proof that the guest did not sign", _frames(_NEW, 1, signature=HOST.sign(bytes(32)))),
        ("short-signature", "a signature of 63 bytes", _frames(_NEW, 1, signature=bytes(63))),
        ("length-false", "false is not 0", _frames(_NEW, 1, length=False)),
        ("text-mac", "a MAC that is a string", _frames(_NEW, 1, mac="mac")),
    )
    for name, comment, frames in cases:
        yield _seen(f"host-{name}", comment, _NEW, Role.HOST, frames)
    hellos: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("reflected-nonce", "the guest repeats the host's nonce", {"nonce": _NEW.hellos[0].nonce}),
        ("two-hosts", "equal roles", {"role": 0}),
        ("stripped", "the hello names a version that the preface does not", {"versions": (1, 2)}),
        ("other-channel", "the hello names another channel", {"channel": some_bytes("other channel")}),
        ("other-session", "the guest wants to go on with a session", {"resumes": _SESSION}),
        ("neutral-key", "the neutral point for a key", {"key": b"\1" + bytes(31)}),
        ("other-key", "a proof by another key than the hello's", {"key": HOST.public}),
        ("decomposed-name", "a name that is not in NFC", {"name": "Rene\u0301"}),
        ("decomposed-setting", "a setting that is not in NFC", {"settings": (("e\u0301", "x"),)}),
    )
    for name, comment, changes in hellos:
        yield _seen(f"host-{name}", comment, _NEW, Role.HOST, _frames(_NEW.with_hello(1, **changes), Role.GUEST))
    earlier = _NEW.with_hello(0, nonce=some_bytes("earlier nonce"))
    replayed = _frames(earlier, Role.GUEST)
    yield _seen("host-replayed", "the frames of an earlier handshake", _NEW, Role.HOST, replayed)
    old = _frames(_NEW, Role.GUEST, signature=_proof(earlier, Role.GUEST)[2])
    yield _seen("host-replayed-signature", "the signature of an earlier handshake", _NEW, Role.HOST, old)
    other_secret = Invitation(some_bytes("other invitation", 16), _INVITATION.host)
    elsewhere = Invitation(_INVITATION.secret, fingerprint(GUEST.public))
    macs: tuple[tuple[str, str, Any], ...] = (
        ("no-mac", "a guest without an invitation", None),
        ("other-secret", "a guest with another secret", other_secret.mac(1, _encoded(_INVITED))),
        ("other-invitation", "a guest whom another host invited", elsewhere.mac(1, _encoded(_INVITED))),
        ("host-mac", "the host's own MAC", _INVITATION.mac(0, _encoded(_INVITED))),
    )
    for name, comment, mac in macs:
        yield _seen(f"host-{name}", comment, _INVITED, Role.HOST, _frames(_INVITED, Role.GUEST, mac=mac))


def _encoded(setup: _Setup) -> tuple[bytes, bytes]:
    return setup.hellos[0].encode(), setup.hellos[1].encode()


def _refused_by_guest() -> Iterator[Vector]:
    hello, proof = _frames(_NEW, Role.HOST)
    own = encode(("proof", *_proof(_NEW, Role.GUEST)))
    other = _frames(_NEW.with_hello(1, nonce=some_bytes("earlier nonce")), Role.HOST)[1]
    cases: tuple[tuple[str, str, list[bytes]], ...] = (
        ("no-hello", "a proof before the hello", [proof]),
        ("two-hellos", "a hello instead of the proof", [hello, hello]),
        ("other-proof", "a proof for another handshake", [hello, other]),
        ("own-proof", "our own proof sent back", [hello, own]),
        ("uninvited", "the host wants an invitation", [bye("invitation_needed")]),
    )
    for name, comment, frames in cases:
        yield _seen(f"guest-{name}", comment, _NEW, Role.GUEST, frames)
    hellos: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("reflected-nonce", "the host repeats our nonce", {"nonce": _NEW.hellos[1].nonce}),
        ("two-guests", "equal roles", {"role": 1}),
        ("private", "an invitation is needed", {"private": True}),
        ("decomposed-name", "a name that is not in NFC", {"name": "Rene\u0301"}),
        ("other-session", "the host goes on with a session", {"resumes": _SESSION}),
        ("other-channel", "the hello names another channel", {"channel": some_bytes("other channel")}),
        ("stripped", "the hello names a version that the preface does not", {"versions": (1, 2)}),
    )
    for name, comment, changes in hellos:
        yield _seen(f"guest-{name}", comment, _NEW, Role.GUEST, _frames(_NEW.with_hello(0, **changes), Role.HOST)[:1])
    unproved = _frames(_INVITED, Role.HOST, mac=None)
    yield _seen("guest-no-mac", "a host that does not know the invitation", _INVITED, Role.GUEST, unproved)
    misled = _INVITED._replace(invitations=(None, Invitation(_INVITATION.secret, fingerprint(GUEST.public))))
    yield _seen("guest-other-host", "a host that is not who invited us", misled, Role.GUEST, unproved[:1])
