"""The handshake: hellos and proofs of key, through a secure channel (protocol/SPEC.md, section 4).

`Handshake` takes frames and returns frames; it has no socket, clock or randomness. Until it is `established`, nothing
that the peer's hello says may be relied on or shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final, NamedTuple, TypeAlias

from p2p_shanghaien.errors import CannotConnect, ConnectionLost, FairplayCode, Malformed, ShanghaienError
from p2p_shanghaien.fairplay.canonical import Decoded, decode, encode
from p2p_shanghaien.fairplay.channel import MAX_FRAME, WrongInvitation
from p2p_shanghaien.fairplay.entries import MAX_NUMBER
from p2p_shanghaien.fairplay.hello import Head, Hello, Hellos, Invitation, Role, parse_hello, proof_digest
from p2p_shanghaien.fairplay.keys import HASH_SIZE, Identity, PublicKey, Tag, equal, fingerprint, tagged_hash
from p2p_shanghaien.fairplay.preface import NotOurGame
from p2p_shanghaien.text import cleaned, is_visible

__all__ = [
    "Bye",
    "Established",
    "Handshake",
    "HungUp",
    "InvitationNeeded",
    "OtherSession",
    "Refused",
]

MAX_REASON: Final = 64
"""The number of code points that are shown of an unknown reason for a `bye`."""


class Bye(StrEnum):
    """The reasons of a `bye` frame (SPEC 4.12)."""

    BUSY = "busy"
    INVITATION_NEEDED = "invitation_needed"
    WRONG_INVITATION = "wrong_invitation"
    OTHER_SESSION = "other_session"
    MALFORMED = "malformed"
    LEAVING = "leaving"
    VIOLATION = "violation"
    TIMEOUT = "timeout"
    NOT_WATCHABLE = "not_watchable"


_PEER: Final[Mapping[str, FairplayCode]] = {
    Bye.BUSY: FairplayCode.PEER_BUSY,
    Bye.INVITATION_NEEDED: FairplayCode.PEER_INVITATION_NEEDED,
    Bye.WRONG_INVITATION: FairplayCode.PEER_WRONG_INVITATION,
    Bye.OTHER_SESSION: FairplayCode.PEER_OTHER_SESSION,
    Bye.MALFORMED: FairplayCode.PEER_MALFORMED,
    Bye.LEAVING: FairplayCode.PEER_LEAVING,
    Bye.VIOLATION: FairplayCode.PEER_VIOLATION,
    Bye.TIMEOUT: FairplayCode.PEER_TIMEOUT,
    Bye.NOT_WATCHABLE: FairplayCode.PEER_NOT_WATCHABLE,
}


class ByeReceived(ShanghaienError):
    """The peer closes the connection with a reason; `reason` is None if the protocol has no such reason."""

    def __init__(self, said: str) -> None:
        if code := _PEER.get(said):
            super().__init__(code)
            self.reason: Bye | None = Bye(said)
        else:
            super().__init__(FairplayCode.PEER_HUNG_UP, reason=cleaned(said, MAX_REASON, "?"))
            self.reason = None


class Refused(ByeReceived, CannotConnect):
    """The peer closed the connection before a game."""


class HungUp(ByeReceived, ConnectionLost):
    """The peer closed the connection in a game."""


class OtherSession(NotOurGame):
    """The peer comes for another session."""

    def __init__(self) -> None:
        super().__init__(FairplayCode.OTHER_SESSION)


class InvitationNeeded(CannotConnect):
    """The table takes invited guests only, and we have no invitation."""

    def __init__(self) -> None:
        super().__init__(FairplayCode.INVITATION_NEEDED)


def bye(reason: str) -> bytes:
    """Return the frame that gives our reason for closing the connection.

    It is unsigned: it informs and proves nothing.
    """
    return encode(("bye", reason))


def is_commitment(frame: bytes) -> bool:
    """Return whether a frame is a guest's first."""
    try:
        message = decode(frame, MAX_FRAME)
    except Malformed:
        return False
    match message:
        case ("commit", bytes(commitment)):
            return len(commitment) == HASH_SIZE
    return False


class Handshake:
    """One end of a handshake: send what `start`, `receive` and `authenticate` return, until `established`.

    `hello` names the channel that carries the frames; `versions` are those of the peer's preface. `head` is the head of
    our own log of the session that the hello resumes. If it is left open, the handshake pauses when it `awaits_head`,
    and `authenticate` continues it.
    """

    def __init__(
        self,
        identity: Identity,
        hello: Hello,
        versions: tuple[int, ...],
        *,
        invitation: Invitation | None = None,
        head: Head | None = None,
    ) -> None:
        self._identity = identity
        self._hello = hello
        self._versions = versions
        self._seat = hello.role
        self._invitation = invitation
        self._head = head
        self._stage: _Stage = _Awaiting() if hello.role == Role.HOST else _Committing()

    @property
    def established(self) -> "Established | None":
        """The result of the handshake, once the peer has proved its key."""
        return self._stage.established if isinstance(self._stage, _Done) else None

    @property
    def hellos(self) -> Hellos | None:
        """Both hellos, once only our own log head is missing, or nothing; until `established` they are not
        authenticated.
        """
        match self._stage:
            case _HeadDue(hellos) | _Done(Established(hellos)):
                return hellos
        return None

    @property
    def awaits_head(self) -> bool:
        """Return whether our proof is expected and waits for `authenticate`. A host has then verified the guest's."""
        return isinstance(self._stage, _HeadDue)

    def start(self) -> list[bytes]:
        """Return the frames to send before anything is received."""
        if self._seat == Role.HOST:
            return []
        return [encode(("commit", tagged_hash(Tag.HELLO, self._hello.encode())))]

    def authenticate(self, head: Head) -> list[bytes]:
        """Return the frames of our proof, for this head of our log.

        From now on the log must not change under any older connection.
        """
        assert isinstance(self._stage, _HeadDue), "our proof is not due"
        return self._proof(self._stage.hellos, self._stage.theirs, head)

    def receive(self, frame: bytes) -> list[bytes]:
        """Return the frames to send in answer to `frame`.

        Raises Malformed or CannotConnect: the connection is then of no use.
        """
        match self._stage, decode(frame, MAX_FRAME):
            case _, ("bye", Bye.INVITATION_NEEDED) if self._seat == Role.GUEST:
                raise InvitationNeeded
            case _, ("bye", str(reason)):
                raise Refused(reason)
            case _Awaiting(), ("commit", bytes(commitment)) if len(commitment) == HASH_SIZE:
                self._stage = _Committed(commitment)
                return [encode(("hello", self._hello.encode()))]
            case _Committing(), ("hello", bytes(hello)):
                return self._receive_host(hello)
            case _Committed(commitment), ("hello", bytes(hello), *proof):
                return self._receive_guest(commitment, hello, tuple(proof))
            case _Proving(hellos, ours), ("proof", *proof):
                self._establish(hellos, ours, self._checked(hellos, Role.HOST, tuple(proof)))
                return []
        raise Malformed(FairplayCode.UNEXPECTED_FRAME, expected=self._stage.expects)

    def _receive_host(self, hello: bytes) -> list[bytes]:
        host = parse_hello(hello, Role.HOST)
        self._check_hello(host)
        if self._invitation and self._invitation.host != fingerprint(host.key):
            raise WrongInvitation
        if host.private and not self._invitation:
            raise InvitationNeeded
        return self._prove_if_known(Hellos(*(hello, self._hello.encode())), None)

    def _receive_guest(self, commitment: bytes, hello: bytes, proof: tuple[Decoded, ...]) -> list[bytes]:
        if tagged_hash(Tag.HELLO, hello) != commitment:
            raise Malformed(FairplayCode.HELLO_NOT_COMMITTED)
        self._check_hello(parse_hello(hello, Role.GUEST))
        hellos = Hellos(*(self._hello.encode(), hello))
        return self._prove_if_known(hellos, self._checked(hellos, Role.GUEST, proof))

    def _check_hello(self, theirs: Hello) -> None:
        """Check that the peer's hello fits ours, the channel and its preface. Raises Malformed or CannotConnect."""
        if theirs.channel != self._hello.channel:
            raise Malformed(FairplayCode.OTHER_CHANNEL)
        if theirs.nonce == self._hello.nonce:
            raise Malformed(FairplayCode.REFLECTED_NONCE)
        if theirs.resumes != self._hello.resumes:
            raise OtherSession
        if theirs.versions != self._versions:
            raise Malformed(FairplayCode.VERSION_STRIPPED)
        if not theirs.is_normal() or (theirs.resumes is None and not is_visible(theirs.name)):
            raise Malformed(FairplayCode.BAD_NAME)

    def _prove_if_known(self, hellos: Hellos, theirs: "_Proof | None") -> list[bytes]:
        """Return our proof, or nothing while our head is still open."""
        if self._head is not None:
            return self._proof(hellos, theirs, self._head)
        if self._hello.resumes is None:
            return self._proof(hellos, theirs, Head(0, hellos.session))
        self._stage = _HeadDue(hellos, theirs)
        return []

    def _proof(self, hellos: Hellos, theirs: "_Proof | None", head: Head) -> list[bytes]:
        """Return the values of our proof: length, head, signature, MAC or nil; a guest's hello precedes them."""
        digest = proof_digest(hellos.handshake, self._session(hellos), self._seat, head)
        signature = self._identity.sign(digest)
        seal = self._invitation.mac(self._seat, hellos) if self._invitation else None
        proof = head.length, head.digest, signature, seal
        if theirs is None:
            self._stage = _Proving(hellos, signature)
            return [encode(("hello", self._hello.encode(), *proof))]
        self._establish(hellos, signature, theirs)
        return [encode(("proof", *proof))]

    def _checked(self, hellos: Hellos, role: Role, proof: tuple[Decoded, ...]) -> "_Proof":
        """Return the peer's verified proof. Raises Malformed or CannotConnect."""
        match proof:
            case (int(length), bytes(digest), bytes(signature), bytes() | None as seal):
                pass
            case _:
                raise Malformed(FairplayCode.NOT_A_PROOF)
        if type(length) is bool or not 0 <= length <= MAX_NUMBER or len(digest) != HASH_SIZE:
            raise Malformed(FairplayCode.NOT_A_PROOF)
        if self._invitation and not equal(self._invitation.mac(role, hellos), seal or b""):
            raise WrongInvitation
        session = self._session(hellos)
        if (length == 0 or self._hello.resumes is None) and (length, digest) != (0, session):
            raise Malformed(FairplayCode.NOT_A_PROOF)
        head = Head(length, digest)
        hello = parse_hello(hellos[role], role)
        if not PublicKey.of(hello.key).verifies(proof_digest(hellos.handshake, session, role, head), signature):
            raise Malformed(FairplayCode.BAD_PROOF, seat=int(role))
        return _Proof(signature, head)

    def _session(self, hellos: Hellos) -> bytes:
        return self._hello.resumes or hellos.session

    def _establish(self, hellos: Hellos, ours: bytes, theirs: "_Proof") -> None:
        proofs = (theirs.signature, ours) if self._seat else (ours, theirs.signature)
        self._stage = _Done(Established(hellos, self._seat, proofs, theirs.head))


class Established(NamedTuple):
    """The result of a handshake: the hellos, our seat, both proofs by seat, and the head of the peer's log."""

    hellos: Hellos
    seat: int
    proofs: tuple[bytes, bytes]
    theirs: Head


class _Proof(NamedTuple):
    """A verified proof: its signature, and the head of the log."""

    signature: bytes
    head: Head


@dataclass(frozen=True)
class _Awaiting:
    """A host has received nothing."""

    expects: ClassVar = "commitment"


@dataclass(frozen=True)
class _Committed:
    """A host has the guest's commitment to its hello."""

    expects: ClassVar = "guest's hello"
    commitment: bytes


@dataclass(frozen=True)
class _Committing:
    """A guest has committed to its hello."""

    expects: ClassVar = "host's hello"


@dataclass(frozen=True)
class _HeadDue:
    """Both hellos are known, and our own log head is open. A host has the guest's proof by then."""

    expects: ClassVar = "own log head"
    hellos: Hellos
    theirs: _Proof | None


@dataclass(frozen=True)
class _Proving:
    """A guest has proved its key, by the signature `ours`."""

    expects: ClassVar = "host's proof"
    hellos: Hellos
    ours: bytes


@dataclass(frozen=True)
class _Done:
    """Both have proved their keys."""

    expects: ClassVar = "nothing"
    established: Established


_Stage: TypeAlias = _Awaiting | _Committed | _Committing | _HeadDue | _Proving | _Done
"""The state of a handshake; it `expects` a frame of that name."""
