"""How two programs meet: versions, hellos, proofs of key (protocol/SPEC.md, section 4).

`Handshake` takes frames and gives frames; it owns no socket, clock or randomness. Until it is `established`, nothing
the other side says about itself may be believed or shown.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, FairplayCode, Malformed, ShanghaienError
from p2p_shanghaien.fairplay.canonical import Decoded, decode, encode
from p2p_shanghaien.fairplay.entries import MAX_NUMBER
from p2p_shanghaien.fairplay.hello import (
    VERSIONS,
    Hello,
    Invitation,
    Meeting,
    NotOurGame,
    Position,
    Role,
    parse_hello,
    parse_preface,
    preface,
    proof_digest,
)
from p2p_shanghaien.fairplay.keys import HASH_SIZE, Identity, PublicKey, Tag, equal, fingerprint, tagged_hash
from p2p_shanghaien.text import cleaned, is_visible

__all__ = [
    "Bye",
    "Established",
    "Handshake",
    "HungUp",
    "InvitationNeeded",
    "OtherSession",
    "Refused",
    "WrongInvitation",
]

MAX_FRAME: Final = 4096
MAX_REASON: Final = 64
"""Code points that are shown of an unknown reason for hanging up."""


class Bye(StrEnum):
    """The reasons that a `bye` frame may give (SPEC 4.11)."""

    BUSY = "busy"
    WRONG_INVITATION = "wrong_invitation"
    OTHER_SESSION = "other_session"
    MALFORMED = "malformed"
    LEAVING = "leaving"
    VIOLATION = "violation"
    TIMEOUT = "timeout"


_PEER: Final[Mapping[str, FairplayCode]] = {
    Bye.BUSY: FairplayCode.PEER_BUSY,
    Bye.WRONG_INVITATION: FairplayCode.PEER_WRONG_INVITATION,
    Bye.OTHER_SESSION: FairplayCode.PEER_OTHER_SESSION,
    Bye.MALFORMED: FairplayCode.PEER_MALFORMED,
    Bye.LEAVING: FairplayCode.PEER_LEAVING,
    Bye.VIOLATION: FairplayCode.PEER_VIOLATION,
    Bye.TIMEOUT: FairplayCode.PEER_TIMEOUT,
}


class ByeReceived(ShanghaienError):
    """The peer hangs up and says why; `reason` is None for what is no reason of the protocol."""

    def __init__(self, said: str) -> None:
        if code := _PEER.get(said):
            super().__init__(code)
            self.reason: Bye | None = Bye(said)
        else:
            super().__init__(FairplayCode.PEER_HUNG_UP, reason=cleaned(said, MAX_REASON, "?"))
            self.reason = None


class Refused(ByeReceived, CannotConnect):
    """The peer hung up before a game."""


class HungUp(ByeReceived, ConnectionLost):
    """The peer hung up in a game."""


class OtherSession(NotOurGame):
    """The peer comes for another session."""

    def __init__(self) -> None:
        super().__init__(FairplayCode.OTHER_SESSION)


class WrongInvitation(CannotConnect):
    """The invitation is not that of the table."""

    def __init__(self) -> None:
        super().__init__(FairplayCode.WRONG_INVITATION)


class InvitationNeeded(CannotConnect):
    """The table takes invited guests only, and we have no invitation."""

    def __init__(self) -> None:
        super().__init__(FairplayCode.INVITATION_NEEDED)


def bye(reason: str) -> bytes:
    """Return the frame that says why we hang up. Unsigned: it informs and proves nothing."""
    return encode(("bye", reason))


class Handshake:
    """One side of a handshake: send what `start`, `receive` and `prove` return, until `established`.

    `position` is how far our own log of the session that the hello resumes goes. Where it is left open, the handshake
    comes to a stop when it `awaits_position`, and `prove` goes on.
    """

    def __init__(
        self,
        identity: Identity,
        hello: Hello,
        *,
        invitation: Invitation | None = None,
        position: Position | None = None,
    ) -> None:
        self._identity = identity
        self._hello = hello
        self._seat = hello.role
        self._invitation = invitation
        self._position = position
        self._preface: tuple[int, ...] = ()
        """The versions in the other side's preface, which its signed hello must repeat."""
        self._promise = b""
        self.meeting: Meeting | None = None
        """Both hellos, once both are known; until `established` the host's is only its word."""
        self._expects = _Expects.PREFACE
        self._proofs: dict[int, bytes] = {}
        self._theirs: Position | None = None

    @property
    def established(self) -> "Established | None":
        """What was agreed, once the other side has proved its key."""
        if self._expects != _Expects.NOTHING:
            return None
        assert self.meeting is not None
        assert self._theirs is not None
        return Established(self.meeting, self._seat, (self._proofs[0], self._proofs[1]), self._theirs)

    @property
    def awaits_position(self) -> bool:
        """Whether our proof is due, and waits for `prove`. A host has then checked the guest's."""
        return self._expects == _Expects.POSITION

    def start(self) -> list[bytes]:
        """What to send before anything is received."""
        return [preface()]

    def prove(self, position: Position) -> list[bytes]:
        """What to send when our proof is due: from now on our log must go exactly so far, over any older connection."""
        assert self.awaits_position, "our proof is not due"
        self._position = position
        return self._proof()

    def receive(self, frame: bytes) -> list[bytes]:
        """What to send in answer to `frame`. Raises Malformed or CannotConnect: the connection is then of no use."""
        if self._expects == _Expects.PREFACE:
            return self._receive_preface(frame)
        match self._expects, decode(frame, MAX_FRAME):
            case _, ("bye", str(reason)):
                raise Refused(reason)
            case (_Expects.PROMISE, ("promise", bytes(promise))) if len(promise) == HASH_SIZE:
                self._promise, self._expects = promise, _Expects.GUEST
                return [encode(("hello", self._hello.encode()))]
            case _Expects.HOST, ("hello", bytes(hello)):
                return self._receive_host(hello)
            case _Expects.GUEST, ("hello", bytes(hello), *proof):
                return self._receive_guest(hello, tuple(proof))
            case _Expects.PROOF, ("proof", *proof):
                self._check_proof(Role.HOST, tuple(proof))
                self._expects = _Expects.NOTHING
                return []
        raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected=self._expects.value)

    def _receive_preface(self, frame: bytes) -> list[bytes]:
        self._preface = theirs = parse_preface(frame)
        if not set(theirs) & set(VERSIONS):
            raise NotOurGame(FairplayCode.OTHER_VERSION, theirs=_listed(theirs), ours=_listed(VERSIONS))
        if self._seat == Role.HOST:
            self._expects = _Expects.PROMISE
            return []
        self._expects = _Expects.HOST
        return [encode(("promise", tagged_hash(Tag.HELLO, self._hello.encode())))]

    def _receive_host(self, hello: bytes) -> list[bytes]:
        host = parse_hello(hello, Role.HOST)
        self._meet(hello, self._hello.encode(), host)
        if self._invitation and self._invitation.host != fingerprint(host.key):
            raise WrongInvitation
        if host.private and not self._invitation:
            raise InvitationNeeded
        return self._prove_if_known()

    def _receive_guest(self, hello: bytes, proof: tuple[Decoded, ...]) -> list[bytes]:
        if tagged_hash(Tag.HELLO, hello) != self._promise:
            raise Malformed(FairplayCode.HELLO_NOT_PROMISED)
        self._meet(self._hello.encode(), hello, parse_hello(hello, Role.GUEST))
        self._check_proof(Role.GUEST, proof)
        return self._prove_if_known()

    def _meet(self, host: bytes, guest: bytes, theirs: Hello) -> None:
        if theirs.nonce == self._hello.nonce:
            raise Malformed(FairplayCode.REFLECTED_NONCE)
        if theirs.resumes != self._hello.resumes:
            raise OtherSession
        if theirs.versions != self._preface:
            raise Malformed(FairplayCode.VERSION_STRIPPED)
        if not theirs.is_normal() or (theirs.resumes is None and not is_visible(theirs.name)):
            raise Malformed(FairplayCode.BAD_NAME)
        self.meeting = Meeting((host, guest))

    def _prove_if_known(self) -> list[bytes]:
        """Our proof; nothing yet where our position is still to be told."""
        if self._hello.resumes is not None and self._position is None:
            self._expects = _Expects.POSITION
            return []
        return self._proof()

    def _proof(self) -> list[bytes]:
        """Our half of what both sides prove: length, head, signature, MAC or nil; a guest's hello comes with it."""
        assert self.meeting is not None
        session = self._hello.resumes or self.meeting.session
        position = self._position or Position(0, session)
        digest = proof_digest(self.meeting.handshake, session, self._seat, position)
        signature = self._proofs[self._seat] = self._identity.sign(digest)
        seal = self._invitation.mac(self._seat, self.meeting.hellos) if self._invitation else None
        proof = position.length, position.head, signature, seal
        if self._seat == Role.HOST:
            self._expects = _Expects.NOTHING
            return [encode(("proof", *proof))]
        self._expects = _Expects.PROOF
        return [encode(("hello", self._hello.encode(), *proof))]

    def _check_proof(self, role: Role, proof: tuple[Decoded, ...]) -> None:
        meeting = self.meeting
        assert meeting is not None
        match proof:
            case (int(length), bytes(head), bytes(signature), bytes() | None as seal):
                pass
            case _:
                raise Malformed(FairplayCode.NOT_A_PROOF)
        if type(length) is bool or not 0 <= length <= MAX_NUMBER or len(head) != HASH_SIZE:
            raise Malformed(FairplayCode.NOT_A_PROOF)
        if self._invitation and not equal(self._invitation.mac(role, meeting.hellos), seal or b""):
            raise WrongInvitation
        session = self._hello.resumes or meeting.session
        if (length == 0 or self._hello.resumes is None) and (length, head) != (0, session):
            raise Malformed(FairplayCode.NOT_A_PROOF)
        position = Position(length, head)
        hello = parse_hello(meeting.hellos[role], role)
        if not PublicKey.of(hello.key).verifies(proof_digest(meeting.handshake, session, role, position), signature):
            raise Malformed(FairplayCode.BAD_PROOF, seat=int(role))
        self._proofs[role], self._theirs = signature, position


class Established(NamedTuple):
    """What a handshake has come to: the hellos, our seat, both proofs by seat, and how far the other's log goes."""

    meeting: Meeting
    seat: int
    proofs: tuple[bytes, bytes]
    theirs: Position


class _Expects(StrEnum):
    """The frame that a handshake waits for."""

    PREFACE = "preface"
    PROMISE = "promise"
    HOST = "host's hello"
    GUEST = "guest's hello"
    POSITION = "own position"
    PROOF = "host's proof"
    NOTHING = "nothing"


def _listed(versions: tuple[int, ...]) -> str:
    return ", ".join(str(version) for version in versions)
