"""A match, seen by nobody in particular: entries go in, the position and who owes what come out.

Live play, resuming, replay and verification all fold entries with this code (protocol/SPEC.md, section 5); there is
no second check of the rules anywhere. Seats are the protocol's (0 the host, 1 the guest), players the game's.
"""

from typing import Final, NamedTuple

from p2p_shanghaien.errors import Illegal, Malformed
from p2p_shanghaien.fairplay.canonical import Decoded, decode, encode
from p2p_shanghaien.fairplay.chance import draws, outcome
from p2p_shanghaien.fairplay.entries import MAX_ENTRY, Entry, Kind
from p2p_shanghaien.fairplay.keys import (
    HASH_SIZE,
    SHARE_SIZE,
    SIGNATURE_SIZE,
    PublicKey,
    Tag,
    choice_commitment,
    commitment,
    tagged_hash,
)
from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Game, Over, Simultaneous, State, Step, Turn

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
    """A commitment not yet opened: entry `number` by `seat` carried it; `answer` is what the other seat said to it."""

    commitment: bytes
    seat: int
    number: int
    answer: bytes | str | None = None


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
        waits = self.state.waits
        bounds = waits.bounds if isinstance(waits, Chance) else ()
        return (2, *bounds) if self.first is None else bounds

    def needs_commitment(self) -> bool:
        """Whether the entry that led here had to carry a commitment."""
        return self.owed is not None and self.owed.kind == Kind.SHARE

    def result(self) -> Decoded:
        """The content of a result entry: reason, scores and winner, by seat. Only once the match has ended."""
        assert self.ending is not None, "a result needs an end"
        if self.ending.reason == RESIGNED:
            assert self.ending.seat is not None, "somebody resigned"
            return RESIGNED, None, 1 - self.ending.seat
        over = self.state.waits
        if self.ending.reason == ABANDONED or not isinstance(over, Over):
            return ABANDONED, None, None
        scores = tuple(over.scores[self.player(seat)] for seat in (0, 1))
        return OVER, scores, None if over.winner is None else self.seat(over.winner)

    def check_place(self, entry: Entry) -> None:
        """Raise Malformed unless `entry` is the one owed: session, number, parent, seat and signature (SPEC 5.2).

        What fails here convicts nobody; what passes and then fails `append` convicts its signer.
        """
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
        if not self.signed_by(entry.seat, entry.hash, entry.signature):
            raise Malformed("bad_signature", number=entry.number)

    def signed_by(self, seat: int, digest: bytes, signature: bytes) -> bool:
        """Whether `seat` signed `digest`."""
        return PublicKey.of(self.session.keys[seat]).verifies(digest, signature)

    def append(self, entry: Entry) -> "Match":
        """The match after `entry`, which is in its place. Raises Illegal for an offence."""
        try:
            content = decode(entry.content, MAX_ENTRY)
        except Malformed:
            raise Illegal("malformed_content") from None
        after = self.after(entry.kind, content)
        if entry.state != after.state_hash:
            raise Illegal("wrong_state")
        return after.linked(entry.hash)

    def linked(self, digest: bytes) -> "Match":
        """This match with one more entry's hash at the head of the chain."""
        return Match(self.session, (*self.hashes, digest), *self[2:])

    def after(self, kind: str, content: Decoded) -> "Match":
        """The match once the seat that owes has said this, its entry's hash not yet linked. Raises Illegal."""
        owed = self.owed
        assert owed is not None, "checked by check_place"
        if kind != owed.kind:
            return self._ended_early(kind, content)
        # `str() as x` says what `str(x)` does, several times faster before Python 3.13
        match owed.kind, content:
            case Kind.ACTION, (str() as action, carried):
                return self._acted(action, carried)
            case Kind.SHARE, (bytes() as share,) if len(share) == SHARE_SIZE:
                return self._answered(share, Kind.REVEAL)
            case Kind.REVEAL, (bytes() as share, carried) if len(share) == SHARE_SIZE:
                return self._revealed(share, carried)
            case (Kind.OPENING, (bytes() as commitment_,)) if len(commitment_) == HASH_SIZE:
                return self._committed(commitment_, Kind.SHARE)
            case (Kind.CHOICE, (bytes() as commitment_,)) if len(commitment_) == HASH_SIZE:
                return self._committed(commitment_, Kind.ANSWER)
            case Kind.ANSWER, (str() as action,):
                if action not in self.state.legal(self.player(owed.seat)):
                    raise Illegal("illegal_action", action=action)
                return self._answered(action, Kind.DISCLOSURE)
            case Kind.DISCLOSURE, (str() as action, bytes() as salt, carried) if len(salt) == SHARE_SIZE:
                return self._disclosed(action, salt, carried)
            case Kind.RESULT, result:
                return self._signed(result)
        raise Illegal("malformed_content")

    def _committed(self, commitment_: bytes, answer: Kind) -> "Match":
        assert self.owed is not None
        seat = self.owed.seat
        return self._replace(owed=Owed(1 - seat, answer), pending=Pending(commitment_, seat, self.number), step=None)

    def _answered(self, answer: bytes | str, opening: Kind) -> "Match":
        assert self.pending is not None
        hidden, seat, number, _ = self.pending
        return self._replace(owed=Owed(seat, opening), pending=Pending(hidden, seat, number, answer), step=None)

    def _acted(self, action: str, carried: Decoded) -> "Match":
        waits = self.state.waits
        assert isinstance(waits, Turn)
        return self._moved(Acted(waits.player, action), self.state.apply(action), carried)

    def _revealed(self, share: bytes, carried: Decoded) -> "Match":
        pending = self.pending
        assert pending is not None
        assert isinstance(pending.answer, bytes)
        key = self.session.keys[pending.seat]
        if commitment(self.session.id, pending.number, key, share) != pending.commitment:
            raise Illegal("share_not_committed")
        shares = (share, pending.answer) if pending.seat == 0 else (pending.answer, share)
        indices = draws(outcome(self.session.id, self.number, self.head, shares), self.bounds())
        if self.first is None:
            return self._replace(first=indices[0])._drawn(indices[1:], carried)
        return self._drawn(indices, carried)

    def _drawn(self, indices: tuple[int, ...], carried: Decoded) -> "Match":
        if not indices:
            return self._moved(None, self.state, carried)
        return self._moved(Drawn(indices), self.state.draw(indices), carried)

    def _disclosed(self, action: str, salt: bytes, carried: Decoded) -> "Match":
        pending = self.pending
        assert pending is not None
        assert isinstance(pending.answer, str)
        key = self.session.keys[pending.seat]
        if choice_commitment(self.session.id, pending.number, key, salt, action) != pending.commitment:
            raise Illegal("choice_not_committed")
        actions = (pending.answer, action) if self.player(pending.seat) else (action, pending.answer)
        return self._moved(Chosen(actions), self.state.choose(actions), carried)

    def _moved(self, step: Step | None, state: State, carried: Decoded) -> "Match":
        """The position has changed: find who owes what now, and take the commitment that a draw needs."""
        assert self.owed is not None
        assert self.first is not None
        waits = state.waits
        pending = ending = None
        match waits:
            case Chance():
                if not isinstance(carried, bytes) or len(carried) != HASH_SIZE:
                    raise Illegal("no_commitment")
                pending = Pending(carried, self.owed.seat, self.number)
                owed = Owed(1 - self.owed.seat, Kind.SHARE)
            case Turn(player):
                owed = Owed(player ^ self.first, Kind.ACTION)
            case Simultaneous():
                owed = Owed(0, Kind.CHOICE)
            case Over():
                owed, ending = Owed(0, Kind.RESULT), Ending(OVER)
        if pending is None and carried is not None:
            raise Illegal("idle_commitment")
        digest = _state_hash(self.first, state)
        return Match(self.session, self.hashes, owed, state, digest, self.first, pending, ending, step)

    def _ended_early(self, kind: str, content: Decoded) -> "Match":
        """What may stand in place of the entry owed."""
        assert self.owed is not None
        if kind not in (Kind.RESIGNATION, Kind.ABANDONMENT):
            raise Illegal("wrong_kind", kind=kind, owed=self.owed.kind.value)
        if self.ending:
            raise Illegal("already_ended")
        return self._resigned(content) if kind == Kind.RESIGNATION else self._abandoned(content)

    def _resigned(self, content: Decoded) -> "Match":
        match content:
            case (int() as seat, bytes() as head, bytes() as signature) if seat in (0, 1) and type(seat) is not bool:
                pass
            case _:
                raise Illegal("malformed_content")
        digest = tagged_hash(Tag.RESIGNATION, self.session.id, seat, head)
        if head not in self.hashes or not self._certified(seat, digest, signature):
            raise Illegal("false_resignation")
        return self._closed(Ending(RESIGNED, seat))

    def _abandoned(self, content: Decoded) -> "Match":
        assert self.owed is not None
        if self.owed.kind in (Kind.REVEAL, Kind.DISCLOSURE):
            raise Illegal("abandoned_instead_of_reveal")
        match content:
            case (bytes() as signature,):
                pass
            case _:
                raise Illegal("malformed_content")
        offerer = 1 - self.owed.seat
        digest = tagged_hash(Tag.OFFER, self.session.id, offerer, self.number)
        if not self._certified(offerer, digest, signature):
            raise Illegal("false_offer")
        return self._closed(Ending(ABANDONED))

    def _certified(self, seat: int, digest: bytes, signature: bytes) -> bool:
        return len(signature) == SIGNATURE_SIZE and self.signed_by(seat, digest, signature)

    def _closed(self, ending: Ending) -> "Match":
        return self._replace(owed=Owed(0, Kind.RESULT), pending=None, ending=ending, step=None)

    def _signed(self, result: Decoded) -> "Match":
        assert self.owed is not None
        # compared as bytes: True equals 1, but is not the same result
        if encode(result) != encode(self.result()):
            raise Illegal("wrong_result")
        return self._replace(owed=Owed(1, Kind.RESULT) if self.owed.seat == 0 else None, step=None)


def begin(session: Session) -> Match:
    """The match before its first entry: seat 0 owes the commitment for the opening draw."""
    state = session.game.start()
    return Match(session, (session.id,), Owed(0, Kind.OPENING), state, _state_hash(None, state))


def _state_hash(first: int | None, state: State) -> bytes:
    return tagged_hash(Tag.STATE, first, state.encode())
