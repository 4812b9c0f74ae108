"""A match, independent of either player's point of view: entries go in, the position and the next entry come out.

Live play, resuming, replay and verification all fold entries with this code (protocol/SPEC.md, section 5); there is
no second check of the rules anywhere. Seats are the protocol's (0 the host, 1 the guest), players the game's.
"""

from typing import Final, NamedTuple

from p2p_shanghaien.errors import Illegal, Malformed
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

__all__ = ["ABANDONED", "OVER", "RESIGNED", "Ending", "Match", "Owed", "Pending", "Session", "begin"]

OVER: Final = "over"
RESIGNED: Final = "resigned"
ABANDONED: Final = "abandoned"


class Session(NamedTuple):
    """What both hellos fixed. Pairs are indexed by seat."""

    id: bytes
    game: Game
    keys: tuple[bytes, bytes]
    names: tuple[str, str]


class Owed(NamedTuple):
    """The one entry that must come next."""

    seat: int
    kind: Kind


class Pending(NamedTuple):
    """A commitment that is not revealed yet: entry `number` by `seat` carried it (no bytes: must carry it yet).

    `contribution` is what the other seat said to it: a share in a draw, an action in a simultaneous choice.
    """

    commitment: bytes
    seat: int
    number: int
    contribution: bytes | str | None = None

    def shares(self, revealed: DrawReveal) -> tuple[bytes, bytes]:
        """Return both shares of a draw, by seat."""
        assert isinstance(self.contribution, bytes), "a draw is revealed once both have a share in it"
        return (self.contribution, revealed.share) if self.seat else (revealed.share, self.contribution)


class Ending(NamedTuple):
    """How a match ended; `seat` is who resigned."""

    reason: str
    seat: int | None = None


class Match(NamedTuple):
    """A match after some entries. `hashes` holds the session id and then every entry's hash."""

    session: Session
    hashes: tuple[bytes, ...]
    owed: Owed | None
    state: State
    state_hash: bytes
    first: int | None = None
    """The seat of player 0; None until the opening draw."""
    pending: Pending | None = None
    ending: Ending | None = None
    step: Step | None = None
    """What the last entry did to the position, if anything."""

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
        """Where `player` sits; before the opening draw, the player's own number."""
        return player ^ (self.first or 0)

    def bounds(self) -> tuple[int, ...]:
        """The bounds of the draw that is under way. The opening draw begins with the seat of player 0."""
        node = self.state.node
        bounds = node.bounds if isinstance(node, Chance) else ()
        return (2, *bounds) if self.first is None else bounds

    @property
    def needs_commitment(self) -> bool:
        """True where the entry that leads here must carry a commitment to a share, and carries none."""
        return self.pending is not None and not self.pending.commitment

    def result(self) -> Result:
        """Return what a result entry says. Only once the match has ended."""
        assert self.ending is not None, "a result needs an end"
        if self.ending.reason == RESIGNED:
            assert self.ending.seat is not None, "somebody resigned"
            return Result(RESIGNED, winner=1 - self.ending.seat)
        over = self.state.node
        if self.ending.reason == ABANDONED or not isinstance(over, Terminal):
            return Result(ABANDONED)
        scores = over.scores[self.player(0)], over.scores[self.player(1)]
        return Result(OVER, scores, None if over.winner is None else self.seat(over.winner))

    def check_place(self, entry: Entry) -> None:
        """Raise Malformed unless `entry` is the one owed: session, number, parent, seat and signature (SPEC 5.2).

        What fails here convicts nobody; what passes and then fails `append` convicts its signer.
        """
        self.check_link(entry)
        if not self.has_signed(entry):
            raise Malformed("bad_signature", number=entry.number)

    def check_link(self, entry: Entry) -> None:
        """Raise Malformed unless `entry` is the one owed, its signature aside."""
        if self.owed is None:
            raise Malformed("entry_after_the_end", number=entry.number)
        if entry.session != self.session.id:
            raise Malformed("wrong_session", number=entry.number)
        if entry.number != self.number:
            raise Malformed("wrong_number", number=entry.number, expected=self.number)
        if entry.parent != self.head:
            raise Malformed("wrong_parent", number=entry.number)
        if entry.seat != self.owed.seat:
            raise Malformed("wrong_seat", number=entry.number, seat=entry.seat)

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
        """Whether `seat` signed `digest`."""
        return PublicKey.of(self.session.keys[seat]).verifies(digest, signature)

    def append(self, entry: Entry) -> "Match":
        """Return the match after `entry`, which is in its place. Raises Illegal for a violation."""
        after = self.after(entry.decoded)
        if entry.state != after.state_hash:
            raise Illegal("wrong_state")
        return after.linked(entry.hash)

    def linked(self, digest: bytes) -> "Match":
        """Return this match with one more entry's hash at the head of the chain."""
        return Match(self.session, (*self.hashes, digest), *self[2:])

    def after(self, content: Content | Unreadable) -> "Match":
        """Return the match after `content` of the expected seat, its entry's hash not yet linked. Raises Illegal."""
        reached = self.reached(content)
        if reached.needs_commitment:
            raise Illegal("no_commitment")
        return reached

    def reached(self, content: Content | Unreadable) -> "Match":
        """Return the match after `content`, even if that lacks a commitment that it needs. Raises Illegal."""
        self._check_kind(kind_of(content))
        match content:
            case Action():
                return self._acted(content)
            case DrawContribution():
                return self._contributed(content.share, Kind.REVEAL)
            case DrawReveal():
                return self._drawn(content)
            case DrawCommit():
                return self._committed(_commitment_in(content), Kind.SHARE)
            case ChoiceCommit():
                return self._committed(content.commitment, Kind.ANSWER)
            case ChoiceContribution():
                assert self.owed is not None
                if content.action not in self.state.legal(self.player(self.owed.seat)):
                    raise Illegal("illegal_action", action=content.action)
                return self._contributed(content.action, Kind.DISCLOSURE)
            case ChoiceReveal():
                return self._chosen(content)
            case Resignation():
                return self._resigned(content)
            case Abandonment():
                return self._abandoned(content)
            case Result():
                return self._signed(content)
            case _:
                raise Illegal(content.code)

    def carrying(self, hidden: bytes) -> "Match":
        """Return this match, which needs a commitment, with this one."""
        assert self.pending is not None
        return self._replace(pending=self.pending._replace(commitment=hidden))

    def _check_kind(self, kind: str) -> None:
        """Raise Illegal unless an entry of this kind may come next."""
        assert self.owed is not None, "checked by check_place"
        if kind == self.owed.kind:
            return
        if kind not in (Kind.RESIGNATION, Kind.ABANDONMENT):
            raise Illegal("wrong_kind", kind=kind, owed=self.owed.kind.value)
        if self.ending:
            raise Illegal("already_ended")
        if kind == Kind.ABANDONMENT and self.owed.kind in (Kind.REVEAL, Kind.DISCLOSURE):
            raise Illegal("abandoned_instead_of_reveal")

    def _waiting(self, owed: Owed, pending: Pending) -> "Match":
        """Return this match with another entry expected, and the same position."""
        return Match(self.session, self.hashes, owed, self.state, self.state_hash, self.first, pending)

    def _committed(self, hidden: bytes, contribution: Kind) -> "Match":
        assert self.owed is not None
        seat = self.owed.seat
        return self._waiting(Owed(1 - seat, contribution), Pending(hidden, seat, self.number))

    def _contributed(self, contribution: bytes | str, reveal: Kind) -> "Match":
        assert self.pending is not None
        hidden, seat, number, _ = self.pending
        return self._waiting(Owed(seat, reveal), Pending(hidden, seat, number, contribution))

    def _acted(self, content: Action) -> "Match":
        node, action = self.state.node, content.action
        assert isinstance(node, Turn)
        return self._moved(Acted(node.player, action), self.state.apply(action), self.first, content)

    def _drawn(self, revealed: DrawReveal) -> "Match":
        pending = self.pending
        assert pending is not None
        key = self.session.keys[pending.seat]
        if commitment(self.session.id, pending.number, key, revealed.share) != pending.commitment:
            raise Illegal("share_not_committed")
        seed = outcome(self.session.id, self.number, self.head, pending.shares(revealed))
        first, indices = self.first, draws(seed, self.bounds())
        if first is None:
            first, *rest = indices
            indices = tuple(rest)
        if not indices:
            return self._moved(None, self.state, first, revealed)
        return self._moved(Drawn(indices), self.state.apply_chance(indices), first, revealed)

    def _chosen(self, revealed: ChoiceReveal) -> "Match":
        pending, action = self.pending, revealed.action
        assert pending is not None
        assert isinstance(pending.contribution, str)
        key = self.session.keys[pending.seat]
        if choice_commitment(self.session.id, pending.number, key, revealed.salt, action) != pending.commitment:
            raise Illegal("choice_not_committed")
        actions = (pending.contribution, action) if self.player(pending.seat) else (action, pending.contribution)
        return self._moved(Chosen(actions), self.state.apply_joint(actions), self.first, revealed)

    def _moved(self, step: Step | None, state: State, first: int | None, content: Carrier) -> "Match":
        """Return the match in which `content` has led to `state`, with the entry that is expected then."""
        assert self.owed is not None
        assert first is not None
        pending = ending = None
        match state.node:
            case Chance():
                pending = Pending(_commitment_in(content), self.owed.seat, self.number)
                owed = Owed(1 - self.owed.seat, Kind.SHARE)
            case Turn(player):
                owed = Owed(player ^ first, Kind.ACTION)
            case Simultaneous():
                owed = Owed(0, Kind.CHOICE)
            case Terminal():  # pragma: no branch - there is no other node
                owed, ending = Owed(0, Kind.RESULT), Ending(OVER)
        if pending is None and content.commitment is not None:
            raise Illegal("idle_commitment")
        digest = _state_hash(first, state)
        return Match(self.session, self.hashes, owed, state, digest, first, pending, ending, step)

    def _resigned(self, resignation: Resignation) -> "Match":
        seat, head, signature = resignation
        digest = tagged_hash(Tag.RESIGNATION, self.session.id, seat, head)
        if head not in self.hashes or not self._certified(seat, digest, signature):
            raise Illegal("false_resignation")
        return self._closed(Ending(RESIGNED, seat))

    def _abandoned(self, abandonment: Abandonment) -> "Match":
        assert self.owed is not None
        offerer = 1 - self.owed.seat
        digest = tagged_hash(Tag.OFFER, self.session.id, offerer, self.number)
        if not self._certified(offerer, digest, abandonment.signature):
            raise Illegal("false_offer")
        return self._closed(Ending(ABANDONED))

    def _certified(self, seat: int, digest: bytes, signature: bytes) -> bool:
        return len(signature) == SIGNATURE_SIZE and self.signed_by(seat, digest, signature)

    def _closed(self, ending: Ending) -> "Match":
        return self._replace(owed=Owed(0, Kind.RESULT), pending=None, ending=ending, step=None)

    def _signed(self, result: Result) -> "Match":
        assert self.owed is not None
        if result != self.result():
            raise Illegal("wrong_result")
        return self._replace(owed=Owed(1, Kind.RESULT) if self.owed.seat == 0 else None, step=None)


def _commitment_in(content: Carrier) -> bytes:
    """Return the commitment that a content carries, or no bytes if it has none of the right size."""
    match content.commitment:
        case bytes() as hidden if len(hidden) == HASH_SIZE:
            return hidden
    return b""


def begin(session: Session) -> Match:
    """Return the match before its first entry: seat 0 has to commit to a share of the opening draw."""
    state = session.game.start()
    return Match(session, (session.id,), Owed(0, Kind.OPENING), state, _state_hash(None, state))


def _state_hash(first: int | None, state: State) -> bytes:
    return tagged_hash(Tag.STATE, first, state.encode())
