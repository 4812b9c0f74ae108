"""A match, independent of either player's point of view: entries go in, the position and the next entry come out.

Live play, resuming, replay and verification all fold entries with this code (protocol/SPEC.md, section 5); there is
no second check of the rules anywhere. Seats are the protocol's (0 the host, 1 the guest), players the game's.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from p2p_shanghaien.errors import FairplayCode, GameCode, Illegal, Malformed
from p2p_shanghaien.fairplay.chance import draws, outcome
from p2p_shanghaien.fairplay.contents import (
    Abandonment,
    Action,
    Carrier,
    ChoiceCommit,
    ChoiceContribution,
    ChoiceReveal,
    Content,
    DrawCommit,
    DrawContribution,
    DrawReveal,
    Kind,
    Resignation,
    Result,
    Unreadable,
    kind_of,
)
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.keys import (
    HASH_SIZE,
    SIGNATURE_SIZE,
    PublicKey,
    Tag,
    choice_commitment,
    commitment,
    tagged_hash,
)
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Game, Simultaneous, State, Step, Terminal, Turn
from p2p_shanghaien.games.record import ABANDONED, RESIGNED

__all__ = [
    "OVER",
    "AwaitingResult",
    "ChoiceCommitted",
    "ChoiceContributed",
    "Choosing",
    "Deciding",
    "DrawCommitted",
    "DrawContributed",
    "Ending",
    "Match",
    "Opening",
    "Pending",
    "Session",
    "Signed",
    "Stage",
    "begin",
]

OVER: Final = "over"

CLOSING: Final = (Kind.RESIGNATION, Kind.ABANDONMENT)
"""The kinds that close a match, whatever else may come next."""


class Session(NamedTuple):
    """The session that both hellos fix. Pairs are indexed by seat; others may watch if it is `watchable`."""

    id: bytes
    game: Game[Any]
    keys: tuple[bytes, bytes]
    names: tuple[str, str]
    watchable: bool = False


class Pending(NamedTuple):
    """A commitment that is not revealed yet: entry `number` by `seat` carried it (no bytes: must carry it yet)."""

    commitment: bytes
    seat: int
    number: int


class Ending(NamedTuple):
    """The end of a match; `seat` is who resigned."""

    reason: str
    seat: int | None = None


@dataclass(frozen=True)
class Opening:
    """Seat 0 must commit to a share of the opening draw."""

    kind: ClassVar = Kind.DRAW_COMMIT
    seat: ClassVar = 0


@dataclass(frozen=True)
class DrawCommitted:
    """A share of a draw is committed to, and the other seat must contribute its own."""

    kind: ClassVar = Kind.DRAW_CONTRIBUTION
    pending: Pending

    @property
    def seat(self) -> int:
        """The seat that has not committed."""
        return 1 - self.pending.seat


@dataclass(frozen=True)
class DrawContributed:
    """The other seat has contributed `share`, and the committed one must be revealed."""

    kind: ClassVar = Kind.DRAW_REVEAL
    pending: Pending
    share: bytes

    @property
    def seat(self) -> int:
        """The seat that has committed."""
        return self.pending.seat

    def shares(self, revealed: bytes) -> tuple[bytes, bytes]:
        """Return both shares of the draw, by seat."""
        return (self.share, revealed) if self.seat else (revealed, self.share)


@dataclass(frozen=True)
class Deciding:
    """`seat` must decide, in the open."""

    kind: ClassVar = Kind.ACTION
    seat: int


@dataclass(frozen=True)
class Choosing:
    """Both choose at once, and seat 0 must commit to its choice."""

    kind: ClassVar = Kind.CHOICE_COMMIT
    seat: ClassVar = 0


@dataclass(frozen=True)
class ChoiceCommitted:
    """Seat 0 has committed to its choice, and seat 1 must say its own."""

    kind: ClassVar = Kind.CHOICE_CONTRIBUTION
    seat: ClassVar = 1
    pending: Pending


@dataclass(frozen=True)
class ChoiceContributed:
    """Seat 1 has chosen `action`, and seat 0 must reveal its choice."""

    kind: ClassVar = Kind.CHOICE_REVEAL
    seat: ClassVar = 0
    pending: Pending
    action: str


@dataclass(frozen=True)
class AwaitingResult:
    """The match has ended, and `seat` must sign the result."""

    kind: ClassVar = Kind.RESULT
    seat: int
    ending: Ending
    result: Result


@dataclass(frozen=True)
class Signed:
    """Both have signed the result: no entry comes any more."""

    ending: Ending
    result: Result


_OVER: Final = (AwaitingResult, Signed)
"""The stages of a match that has ended."""

Unfinished: TypeAlias = (
    Opening
    | DrawCommitted
    | DrawContributed
    | Deciding
    | Choosing
    | ChoiceCommitted
    | ChoiceContributed
    | AwaitingResult
)
"""A stage in which `seat` must make an entry of a `kind` (SPEC 5.3)."""

Stage: TypeAlias = Unfinished | Signed
"""The stage of a match between two positions, with all that is known there."""


class Match(NamedTuple):
    """A match after some entries. `hashes` holds the session id and then every entry's hash."""

    session: Session
    hashes: tuple[bytes, ...]
    stage: Stage
    state: State
    state_hash: bytes
    first: int | None = None
    """The seat of player 0; None until the opening draw."""
    step: Step | None = None
    """The change of the position by the last entry, if any."""

    @property
    def expected(self) -> Unfinished | None:
        """The stage, with the seat and the kind of the one entry that must come next; None once both have signed."""
        return None if isinstance(self.stage, Signed) else self.stage

    @property
    def pending(self) -> Pending | None:
        """The commitment that is not revealed yet, if there is one."""
        match self.stage:
            case (
                DrawCommitted(pending)
                | DrawContributed(pending)
                | ChoiceCommitted(pending)
                | ChoiceContributed(pending)
            ):
                return pending
        return None

    @property
    def ending(self) -> Ending | None:
        """The end of the match; None while it goes on."""
        return self.stage.ending if isinstance(self.stage, _OVER) else None

    @property
    def result(self) -> Result | None:
        """The result that both sign; None while the match goes on."""
        return self.stage.result if isinstance(self.stage, _OVER) else None

    @property
    def number(self) -> int:
        """The number of the next entry."""
        return len(self.hashes) - 1

    @property
    def head(self) -> bytes:
        """The parent of the next entry."""
        return self.hashes[-1]

    def player(self, seat: int) -> int:
        """The player who sits at `seat`; before the opening draw, the seat's own number."""
        return seat ^ (self.first or 0)

    def seat(self, player: int) -> int:
        """Return the seat of `player`; before the opening draw, the player's own number."""
        return player ^ (self.first or 0)

    def bounds(self) -> tuple[int, ...]:
        """The bounds of the draw that is under way. The opening draw begins with the seat of player 0."""
        node = self.state.node
        bounds = node.bounds if isinstance(node, Chance) else ()
        return (2, *bounds) if self.first is None else bounds

    @property
    def needs_commitment(self) -> bool:
        """True where the entry that leads here must carry a commitment to a share, and carries none."""
        return isinstance(self.stage, DrawCommitted) and not self.stage.pending.commitment

    def check_place(self, entry: Entry) -> None:
        """Raise Malformed unless `entry` is the one expected: session, number, parent, seat and signature (SPEC 5.2).

        What fails here proves nothing; what passes and then fails `append` proves a violation by its signer.
        """
        self.check_link(entry)
        if not self.has_signed(entry):
            raise Malformed(FairplayCode.BAD_SIGNATURE, number=entry.number)

    def check_link(self, entry: Entry) -> None:
        """Raise Malformed unless `entry` is the one expected, its signature aside."""
        stage = self._unfinished(entry.number)
        if entry.session != self.session.id:
            raise Malformed(FairplayCode.WRONG_SESSION, number=entry.number)
        if entry.number != self.number:
            raise Malformed(FairplayCode.WRONG_NUMBER, number=entry.number, expected=self.number)
        if entry.parent != self.head:
            raise Malformed(FairplayCode.WRONG_PARENT, number=entry.number)
        if entry.seat != stage.seat:
            raise Malformed(FairplayCode.WRONG_SEAT, number=entry.number, seat=entry.seat)

    def is_fork(self, entry: Entry, known: Entry) -> bool:
        """Return whether the signer of `known` has signed `entry` for the same place as well (SPEC 5.11)."""
        return (
            entry.hash != known.hash
            and entry.session == known.session
            and entry.number == known.number
            and entry.parent == known.parent
            and entry.seat == known.seat
            and self.has_signed(entry)
        )

    def has_signed(self, entry: Entry) -> bool:
        """Return whether the signature of `entry` is that of the seat that it names."""
        return self.signed_by(entry.seat, entry.hash, entry.signature)

    def signed_by(self, seat: int, digest: bytes, signature: bytes) -> bool:
        """Return whether `seat` signed `digest`."""
        return PublicKey.of(self.session.keys[seat]).verifies(digest, signature)

    def append(self, entry: Entry) -> "Match":
        """Return the match after `entry`, which is in its place. Raises Illegal for a violation."""
        after = self.after(entry.decoded)
        if entry.state != after.state_hash:
            raise Illegal(FairplayCode.WRONG_STATE)
        return after.linked(entry.hash)

    def linked(self, digest: bytes) -> "Match":
        """Return this match with one more entry's hash at the head of the chain."""
        return self._replace(hashes=(*self.hashes, digest))

    def after(self, content: Content | Unreadable) -> "Match":
        """Return the match after `content` of the expected seat, its entry's hash not yet linked.

        Raises Illegal for a violation, Malformed where no entry comes any more.
        """
        reached = self.reached(content)
        if reached.needs_commitment:
            raise Illegal(FairplayCode.NO_COMMITMENT)
        return reached

    def reached(self, content: Content | Unreadable) -> "Match":
        """Return the match after `content`, even if that lacks a commitment that it needs. Raises as `after`."""
        stage = self._unfinished()
        match stage, content:
            case Deciding(seat), Action(action):
                return self._moved(seat, Acted(self.player(seat), action), self.state.apply(action), content)
            case DrawCommitted(pending), DrawContribution(share):
                return self._waiting(DrawContributed(pending, share))
            case DrawContributed() as draw, DrawReveal():
                return self._drawn(draw, content)
            case Opening(seat=seat), DrawCommit():
                return self._waiting(DrawCommitted(Pending(_commitment_in(content), seat, self.number)))
            case Choosing(seat=seat), ChoiceCommit(hidden):
                return self._waiting(ChoiceCommitted(Pending(hidden, seat, self.number)))
            case ChoiceCommitted(pending, seat=seat), ChoiceContribution(action):
                if action not in self.state.legal(self.player(seat)):
                    raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
                return self._waiting(ChoiceContributed(pending, action))
            case ChoiceContributed() as choice, ChoiceReveal():
                return self._chosen(choice, content)
            case AwaitingResult() as ended, Result():
                return self._signed(ended, content)
            case _, Resignation():
                _check_closing(stage, Kind.RESIGNATION)
                return self._resigned(content)
            case _, Abandonment(signature):
                _check_closing(stage, Kind.ABANDONMENT)
                return self._abandoned(1 - stage.seat, signature)
            case _, Unreadable(kind, code) if kind in CLOSING:
                _check_closing(stage, kind)
                raise Illegal(code)
            case _, Unreadable(kind, code) if kind == stage.kind:
                raise Illegal(code)
        raise Illegal(FairplayCode.WRONG_KIND, kind=kind_of(content), expected=stage.kind.value)

    def carrying(self, hidden: bytes) -> "Match":
        """Return this match with this commitment, where it needs one."""
        match self.stage:
            case DrawCommitted(pending):
                return self._replace(stage=DrawCommitted(pending._replace(commitment=hidden)))
        return self

    def _unfinished(self, number: int | None = None) -> Unfinished:
        """Return the stage. Raises Malformed, with the `number` of an entry or the next, where none comes any more."""
        if isinstance(self.stage, Signed):
            raise Malformed(FairplayCode.ENTRY_AFTER_THE_END, number=self.number if number is None else number)
        return self.stage

    def _waiting(self, stage: Stage) -> "Match":
        """Return this match at another stage, and the same position."""
        return Match(self.session, self.hashes, stage, self.state, self.state_hash, self.first)

    def _drawn(self, draw: DrawContributed, revealed: DrawReveal) -> "Match":
        pending = draw.pending
        key = self.session.keys[pending.seat]
        if commitment(self.session.id, pending.number, key, revealed.share) != pending.commitment:
            raise Illegal(FairplayCode.SHARE_NOT_COMMITTED)
        seed = outcome(self.session.id, self.number, self.head, draw.shares(revealed.share))
        seated, indices = self, draws(seed, self.bounds())
        if self.first is None:
            first, *rest = indices
            seated, indices = self._replace(first=first), tuple(rest)
        step, state = (Drawn(indices), self.state.apply_chance(indices)) if indices else (None, self.state)
        return seated._moved(pending.seat, step, state, revealed)

    def _chosen(self, choice: ChoiceContributed, revealed: ChoiceReveal) -> "Match":
        pending, action = choice.pending, revealed.action
        key = self.session.keys[pending.seat]
        if choice_commitment(self.session.id, pending.number, key, revealed.salt, action) != pending.commitment:
            raise Illegal(FairplayCode.CHOICE_NOT_COMMITTED)
        actions = (choice.action, action) if self.player(pending.seat) else (action, choice.action)
        return self._moved(pending.seat, Chosen(actions), self.state.apply_joint(actions), revealed)

    def _moved(self, seat: int, step: Step | None, state: State, content: Carrier) -> "Match":
        """Return the match in which `content` of `seat` has led to `state`, at the stage that follows."""
        stage: Stage
        match state.node:
            case Chance():
                stage = DrawCommitted(Pending(_commitment_in(content), seat, self.number))
            case Turn(player):
                stage = Deciding(self.seat(player))
            case Simultaneous():
                stage = Choosing()
            case Terminal() as over:  # pragma: no branch - there is no other node
                stage = AwaitingResult(0, Ending(OVER), self._scored(over))
        if not isinstance(stage, DrawCommitted) and content.commitment is not None:
            raise Illegal(FairplayCode.IDLE_COMMITMENT)
        return Match(self.session, self.hashes, stage, state, _state_hash(self.first, state), self.first, step)

    def _scored(self, over: Terminal) -> Result:
        scores = over.scores[self.player(0)], over.scores[self.player(1)]
        return Result(OVER, scores, None if over.winner is None else self.seat(over.winner))

    def _resigned(self, resignation: Resignation) -> "Match":
        seat, head, signature = resignation
        digest = tagged_hash(Tag.RESIGNATION, self.session.id, seat, head)
        if head not in self.hashes or not self._certified(seat, digest, signature):
            raise Illegal(FairplayCode.FALSE_RESIGNATION)
        return self._waiting(AwaitingResult(0, Ending(RESIGNED, seat), Result(RESIGNED, winner=1 - seat)))

    def _abandoned(self, offerer: int, signature: bytes) -> "Match":
        if not self._certified(offerer, tagged_hash(Tag.OFFER, self.session.id, offerer, self.number), signature):
            raise Illegal(FairplayCode.FALSE_OFFER)
        return self._waiting(AwaitingResult(0, Ending(ABANDONED), Result(ABANDONED)))

    def _certified(self, seat: int, digest: bytes, signature: bytes) -> bool:
        return len(signature) == SIGNATURE_SIZE and self.signed_by(seat, digest, signature)

    def _signed(self, ended: AwaitingResult, result: Result) -> "Match":
        if result != ended.result:
            raise Illegal(FairplayCode.WRONG_RESULT)
        return self._waiting(Signed(ended.ending, result) if ended.seat else replace(ended, seat=1))


def _check_closing(stage: Unfinished, kind: str) -> None:
    """Raise Illegal unless an entry of a `kind` that closes the match may come."""
    if isinstance(stage, AwaitingResult):
        raise Illegal(FairplayCode.ALREADY_ENDED)
    if kind == Kind.ABANDONMENT and stage.kind in (Kind.DRAW_REVEAL, Kind.CHOICE_REVEAL):
        raise Illegal(FairplayCode.ABANDONED_INSTEAD_OF_REVEAL)


def _commitment_in(content: Carrier) -> bytes:
    """Return the commitment that a content carries, or no bytes if it has none of the right size."""
    match content.commitment:
        case bytes() as hidden if len(hidden) == HASH_SIZE:
            return hidden
    return b""


def begin(session: Session) -> Match:
    """Return the match before its first entry: seat 0 has to commit to a share of the opening draw."""
    state = session.game.start()
    return Match(session, (session.id,), Opening(), state, _state_hash(None, state))


def _state_hash(first: int | None, state: State) -> bytes:
    return tagged_hash(Tag.STATE, first, state.encode())
