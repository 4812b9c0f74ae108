"""How two programs meet: versions, hellos, proofs of key (protocol/SPEC.md, section 4).

`Handshake` takes frames and gives frames; it owns no socket, clock or randomness. Until it is `established`, nothing
the other side says about itself may be believed or shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, TypeAlias

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
        self._stage: _Stage = _Greeting()

    @property
    def established(self) -> "Established | None":
        """What was agreed, once the other side has proved its key."""
        return self._stage.established if isinstance(self._stage, _Done) else None

    @property
    def met(self) -> Meeting | None:
        """Both hellos, once nothing is due but our own position, or nothing at all; until `established` only words."""
        match self._stage:
            case _PositionDue(meeting) | _Done(Established(meeting)):
                return meeting
        return None

    @property
    def awaits_position(self) -> bool:
        """Whether our proof is due, and waits for `prove`. A host has then checked the guest's."""
        return isinstance(self._stage, _PositionDue)

    def start(self) -> list[bytes]:
        """What to send before anything is received."""
        return [preface()]

    def prove(self, position: Position) -> list[bytes]:
        """What to send when our proof is due: from now on our log must go exactly so far, over any older connection."""
        assert isinstance(self._stage, _PositionDue), "our proof is not due"
        return self._proof(self._stage.meeting, self._stage.theirs, position)

    def receive(self, frame: bytes) -> list[bytes]:
        """What to send in answer to `frame`. Raises Malformed or CannotConnect: the connection is then of no use."""
        stage = self._stage
        if isinstance(stage, _Greeting):
            return self._receive_preface(frame)
        match stage, decode(frame, MAX_FRAME):
            case _, ("bye", str(reason)):
                raise Refused(reason)
            case _Greeted(versions), ("promise", bytes(promise)) if len(promise) == HASH_SIZE:
                self._stage = _Promised(versions, promise)
                return [encode(("hello", self._hello.encode()))]
            case _Promising(versions), ("hello", bytes(hello)):
                return self._receive_host(versions, hello)
            case _Promised() as promised, ("hello", bytes(hello), *proof):
                return self._receive_guest(promised, hello, tuple(proof))
            case _Proving(meeting, ours), ("proof", *proof):
                self._establish(meeting, ours, self._checked(meeting, Role.HOST, tuple(proof)))
                return []
        raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected=stage.expects)

    def _receive_preface(self, frame: bytes) -> list[bytes]:
        theirs = parse_preface(frame)
        if not set(theirs) & set(VERSIONS):
            raise NotOurGame(FairplayCode.OTHER_VERSION, theirs=_listed(theirs), ours=_listed(VERSIONS))
        if self._seat == Role.HOST:
            self._stage = _Greeted(theirs)
            return []
        self._stage = _Promising(theirs)
        return [encode(("promise", tagged_hash(Tag.HELLO, self._hello.encode())))]

    def _receive_host(self, versions: tuple[int, ...], hello: bytes) -> list[bytes]:
        host = parse_hello(hello, Role.HOST)
        self._check_hello(host, versions)
        if self._invitation and self._invitation.host != fingerprint(host.key):
            raise WrongInvitation
        if host.private and not self._invitation:
            raise InvitationNeeded
        return self._prove_if_known(Meeting((hello, self._hello.encode())), None)

    def _receive_guest(self, promised: "_Promised", hello: bytes, proof: tuple[Decoded, ...]) -> list[bytes]:
        if tagged_hash(Tag.HELLO, hello) != promised.promise:
            raise Malformed(FairplayCode.HELLO_NOT_PROMISED)
        self._check_hello(parse_hello(hello, Role.GUEST), promised.versions)
        meeting = Meeting((self._hello.encode(), hello))
        return self._prove_if_known(meeting, self._checked(meeting, Role.GUEST, proof))

    def _check_hello(self, theirs: Hello, versions: tuple[int, ...]) -> None:
        """Raise Malformed or CannotConnect unless the other side's hello fits ours, and its preface."""
        if theirs.nonce == self._hello.nonce:
            raise Malformed(FairplayCode.REFLECTED_NONCE)
        if theirs.resumes != self._hello.resumes:
            raise OtherSession
        if theirs.versions != versions:
            raise Malformed(FairplayCode.VERSION_STRIPPED)
        if not theirs.is_normal() or (theirs.resumes is None and not is_visible(theirs.name)):
            raise Malformed(FairplayCode.BAD_NAME)

    def _prove_if_known(self, meeting: Meeting, theirs: "_Proof | None") -> list[bytes]:
        """Our proof; nothing yet where our position is still to be told."""
        if self._position is not None:
            return self._proof(meeting, theirs, self._position)
        if self._hello.resumes is None:
            return self._proof(meeting, theirs, Position(0, meeting.session))
        self._stage = _PositionDue(meeting, theirs)
        return []

    def _proof(self, meeting: Meeting, theirs: "_Proof | None", position: Position) -> list[bytes]:
        """Our half of what both sides prove: length, head, signature, MAC or nil; a guest's hello comes with it."""
        digest = proof_digest(meeting.handshake, self._session(meeting), self._seat, position)
        signature = self._identity.sign(digest)
        seal = self._invitation.mac(self._seat, meeting.hellos) if self._invitation else None
        proof = position.length, position.head, signature, seal
        if theirs is None:
            self._stage = _Proving(meeting, signature)
            return [encode(("hello", self._hello.encode(), *proof))]
        self._establish(meeting, signature, theirs)
        return [encode(("proof", *proof))]

    def _checked(self, meeting: Meeting, role: Role, proof: tuple[Decoded, ...]) -> "_Proof":
        """Return the other side's proof. Raises Malformed or CannotConnect unless it holds."""
        match proof:
            case (int(length), bytes(head), bytes(signature), bytes() | None as seal):
                pass
            case _:
                raise Malformed(FairplayCode.NOT_A_PROOF)
        if type(length) is bool or not 0 <= length <= MAX_NUMBER or len(head) != HASH_SIZE:
            raise Malformed(FairplayCode.NOT_A_PROOF)
        if self._invitation and not equal(self._invitation.mac(role, meeting.hellos), seal or b""):
            raise WrongInvitation
        session = self._session(meeting)
        if (length == 0 or self._hello.resumes is None) and (length, head) != (0, session):
            raise Malformed(FairplayCode.NOT_A_PROOF)
        position = Position(length, head)
        hello = parse_hello(meeting.hellos[role], role)
        if not PublicKey.of(hello.key).verifies(proof_digest(meeting.handshake, session, role, position), signature):
            raise Malformed(FairplayCode.BAD_PROOF, seat=int(role))
        return _Proof(signature, position)

    def _session(self, meeting: Meeting) -> bytes:
        return self._hello.resumes or meeting.session

    def _establish(self, meeting: Meeting, ours: bytes, theirs: "_Proof") -> None:
        proofs = (theirs.signature, ours) if self._seat else (ours, theirs.signature)
        self._stage = _Done(Established(meeting, self._seat, proofs, theirs.position))


class Established(NamedTuple):
    """What a handshake has come to: the hellos, our seat, both proofs by seat, and how far the other's log goes."""

    meeting: Meeting
    seat: int
    proofs: tuple[bytes, bytes]
    theirs: Position


class _Proof(NamedTuple):
    """A side's proof that holds: its signature, and how far its log goes."""

    signature: bytes
    position: Position


@dataclass(frozen=True)
class _Greeting:
    """Nothing has been received."""

    expects: ClassVar = "preface"


@dataclass(frozen=True)
class _Greeted:
    """A host has the versions in the guest's preface, which its signed hello must repeat."""

    expects: ClassVar = "promise"
    versions: tuple[int, ...]


@dataclass(frozen=True)
class _Promised:
    """A host has the guest's commitment to its hello, too."""

    expects: ClassVar = "guest's hello"
    versions: tuple[int, ...]
    promise: bytes


@dataclass(frozen=True)
class _Promising:
    """A guest has the versions in the host's preface, and has committed to its own hello."""

    expects: ClassVar = "host's hello"
    versions: tuple[int, ...]


@dataclass(frozen=True)
class _PositionDue:
    """Both hellos are known, and our own position is to be told. A host has the guest's proof by then."""

    expects: ClassVar = "own position"
    meeting: Meeting
    theirs: _Proof | None


@dataclass(frozen=True)
class _Proving:
    """A guest has proved its key, by the signature `ours`."""

    expects: ClassVar = "host's proof"
    meeting: Meeting
    ours: bytes


@dataclass(frozen=True)
class _Done:
    """Both have proved their keys."""

    expects: ClassVar = "nothing"
    established: Established


_Stage: TypeAlias = _Greeting | _Greeted | _Promised | _Promising | _PositionDue | _Proving | _Done
"""How far a handshake has come; it `expects` a frame of that name."""


def _listed(versions: tuple[int, ...]) -> str:
    return ", ".join(str(version) for version in versions)
