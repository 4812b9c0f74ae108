"""Two who meet: honest sides with fixed keys and nonces, and a forger that says what it likes."""

from typing import Any

from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME
from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Head, Hello, Hellos, Invitation, Role, proof_digest
from p2p_shanghaien.fairplay.keys import Identity, Tag, tagged_hash
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.pair import guest_hello, host_hello

HOST, GUEST, STRANGER = (Identity(bytes([n]) * 32) for n in (1, 2, 3))
HOST_NONCE, GUEST_NONCE = b"\x11" * 32, b"\x22" * 32


def host(invitation: Invitation | None = None, log_head: Head | None = None, **changes: Any) -> Handshake:
    hello = host_hello(HOST, HOST_NONCE, Shanghaien(), **changes)
    return Handshake(HOST, hello, VERSIONS, invitation=invitation, head=log_head)


def guest(invitation: Invitation | None = None, log_head: Head | None = None, **changes: Any) -> Handshake:
    hello = guest_hello(GUEST, GUEST_NONCE, **changes)
    return Handshake(GUEST, hello, VERSIONS, invitation=invitation, head=log_head)


class Forger:
    """A side that sends what it likes: a hello (an object, a tuple or bytes), and proofs with any part replaced."""

    def __init__(self, hello: Any, identity: Identity) -> None:
        self.hello = hello if isinstance(hello, bytes) else encode(hello)
        self.identity = identity

    def proof(self, role: int, hellos: tuple[bytes, bytes], **changes: Any) -> tuple[Any, ...]:
        both = Hellos(*hellos)
        log_head = Head(0, both.session)
        about = {"handshake": both.handshake, "session": both.session, "seat": role, "log_head": log_head}
        said = {"length": 0, "head": both.session, "signature": b"", "seal": None}
        about |= {name: value for name, value in changes.items() if name in about}
        signature = self.identity.sign(proof_digest(*about.values()))  # type: ignore[arg-type]
        said |= {"signature": signature} | {name: value for name, value in changes.items() if name in said}
        return tuple(said.values())


def meets_guest(
    forger: Forger, victim: Handshake | None = None, *, commitment: bytes | None = None, **changes: Any
) -> Handshake:
    """Return a host that is visited by a forger."""
    victim = victim or host()
    victim.start()
    (answer,) = victim.receive(encode(("commit", commitment or tagged_hash(Tag.HELLO, forger.hello))))
    _, hello = decode(answer, MAX_FRAME)  # type: ignore[misc,str-unpack]
    assert isinstance(hello, bytes)
    assert victim.established is None
    victim.receive(encode(("hello", forger.hello, *forger.proof(Role.GUEST, (hello, forger.hello), **changes))))
    return victim


def meets_host(forger: Forger, victim: Handshake | None = None, **changes: Any) -> Handshake:
    """Return a guest that visits a forger."""
    victim = victim or guest()
    victim.start()
    (answer,) = victim.receive(encode(("hello", forger.hello)))
    _, hello, *_ = decode(answer, MAX_FRAME)  # type: ignore[misc,str-unpack]
    assert isinstance(hello, bytes)
    assert victim.established is None
    victim.receive(encode(("proof", *forger.proof(Role.HOST, (forger.hello, hello), **changes))))
    return victim


def valid(role: Role) -> Hello:
    return host_hello(HOST, HOST_NONCE, Shanghaien()) if role == Role.HOST else guest_hello(GUEST, GUEST_NONCE)


def honest_guest(**changes: Any) -> Forger:
    return Forger(valid(Role.GUEST)._replace(**changes), GUEST)


def honest_host(**changes: Any) -> Forger:
    return Forger(valid(Role.HOST)._replace(**changes), HOST)


def guest_meets(hello: bytes) -> None:
    victim = guest()
    victim.receive(encode(("hello", hello)))


P = 2**255 - 19
SMALL_ORDER_Y = (
    0,
    1,
    P - 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    P - 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
)
REFUSED_KEYS = {
    **{
        f"small order {index}, sign {sign}": (y | sign << 255).to_bytes(32, "little")
        for index, y in enumerate(SMALL_ORDER_Y)
        for sign in (0, 1)
    },
    **{f"y = p + {y}, sign {sign}": (P + y | sign << 255).to_bytes(32, "little") for y in range(19) for sign in (0, 1)},
    "not on the curve": (2).to_bytes(32, "little"),
    "31 bytes": HOST.public[:31],
    "33 bytes": HOST.public + b"\x00",
    "none": b"",
}
