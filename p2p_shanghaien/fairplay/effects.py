"""The effects of a `Endpoint`, to be carried out in order."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay.chance import draws, outcome
from p2p_shanghaien.fairplay.contents import DrawReveal
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.match import DrawContributed, Ending, Match, Session, begin
from p2p_shanghaien.fairplay.notes import Note
from p2p_shanghaien.games.api import State, Step

__all__ = [
    "Ask",
    "Begun",
    "ChoiceMade",
    "Closed",
    "Drew",
    "Effect",
    "Finished",
    "Heard",
    "Lapsed",
    "Offered",
    "Regained",
    "Send",
    "Stepped",
    "Store",
    "ViolationProved",
    "draws_in",
]


class Store(NamedTuple):
    """Append an entry to the log. It must be on disk before any later Send is carried out."""

    entry: bytes


class Send(NamedTuple):
    """Send a frame on the connection."""

    frame: bytes


class Ask(NamedTuple):
    """Our player must decide: answer with `Endpoint.act`."""

    state: State
    player: int


class Begun(NamedTuple):
    """The opening draw has determined the seat of player 0."""

    first: int


class ChoiceMade(NamedTuple):
    """`seat` has committed to a secret choice, and the other seat chooses next."""

    seat: int


class Drew(NamedTuple):
    """A draw, with all that is needed to compute it again by hand (SPEC 3.5 and 6).

    `seat` committed with entry `committed_at` and opened with entry `number`, behind `parent`; `key` is its public key.
    `shares` are seat 0's and seat 1's. `state_hash` is that of the position after the draw, which the entry carries; a
    seat that took the entry from the peer has computed the same.
    """

    session: bytes
    seat: int
    key: bytes
    committed_at: int
    commitment: bytes
    shares: tuple[bytes, bytes]
    number: int
    parent: bytes
    bounds: tuple[int, ...]
    state_hash: bytes

    @property
    def indices(self) -> tuple[int, ...]:
        """The draw itself, computed again: one index below each bound."""
        return draws(outcome(self.session, self.number, self.parent, self.shares), self.bounds)

    @classmethod
    def of(cls, before: Match, entry: Entry) -> "Drew | None":
        """Return the draw that `entry`, which has been checked, decides in `before`; None if it decides none."""
        draw, content = before.stage, entry.decoded
        if not (isinstance(draw, DrawContributed) and isinstance(content, DrawReveal)):
            return None
        session, pending = before.session, draw.pending
        return cls(
            session=session.id,
            seat=pending.seat,
            key=session.keys[pending.seat],
            committed_at=pending.number,
            commitment=pending.commitment,
            shares=draw.shares(content.share),
            number=entry.number,
            parent=entry.parent,
            bounds=before.bounds(),
            state_hash=entry.state,
        )


def draws_in(entries: Iterable[Entry], session: Session) -> Iterator[tuple[int, Drew]]:
    """Yield each draw of a match with these `entries`, the first ones of its log, which have been verified.

    With it comes the number of steps of the game up to the draw, its own step among them.
    """
    match, steps = begin(session), 0
    for entry in entries:
        before, match = match, match.append(entry)
        steps += match.step is not None
        if draw := Drew.of(before, entry):
            yield steps, draw


class Stepped(NamedTuple):
    """A step of the game."""

    before: State
    step: Step
    after: State


class Closed(NamedTuple):
    """The match has ended, by its rules or before; at most signatures of the result are still missing."""

    ending: Ending


class Heard(NamedTuple):
    """The peer sent a note beside the chain."""

    note: Note


class Offered(NamedTuple):
    """`seat` offers to abandon the game; the other seat may accept with its next decision (SPEC 5.9)."""

    seat: int


class Lapsed(NamedTuple):
    """The offer of `seat` can no longer be accepted: the other seat has decided instead."""

    seat: int


class Regained(NamedTuple):
    """Our log was behind the game: this number of our own entries came back from the peer (SPEC 11.2)."""

    entries: int


class Finished(NamedTuple):
    """Both have signed the result, and the peer is known to have both signatures."""


class ViolationProved(NamedTuple):
    """Entry `number` by `seat` violates a rule; it is stored as the evidence, and the match stops."""

    seat: int
    number: int
    violation: Illegal


Effect: TypeAlias = (
    Store
    | Send
    | Ask
    | Begun
    | ChoiceMade
    | Drew
    | Stepped
    | Closed
    | Heard
    | Offered
    | Lapsed
    | Regained
    | Finished
    | ViolationProved
)
