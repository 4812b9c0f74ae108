"""What a `Peer` wants done, to be carried out in order."""

from typing import NamedTuple, TypeAlias

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay.chance import draws, outcome
from p2p_shanghaien.fairplay.contents import DrawReveal
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.match import Contributed, Ending, Match
from p2p_shanghaien.fairplay.notes import Note
from p2p_shanghaien.games.api import State, Step

__all__ = [
    "Ask",
    "Begun",
    "Closed",
    "Convicted",
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
]


class Store(NamedTuple):
    """Append an entry to the log. It must be on the disk before any later Send is carried out."""

    entry: bytes


class Send(NamedTuple):
    """Give a frame to the connection."""

    frame: bytes


class Ask(NamedTuple):
    """Our player must decide: answer with `Peer.act`."""

    state: State
    player: int


class Begun(NamedTuple):
    """The opening draw has told which seat is player 0."""

    first: int


class Drew(NamedTuple):
    """Chance has spoken: all that it takes to work the draw out again by hand (SPEC 3.5 and 6).

    `seat` committed with entry `committed_at` and opened with entry `number`, behind `parent`; `key` is its public
    key. `shares` are seat 0's and seat 1's. `state_hash` is that of the position after the draw, which the entry
    carries; whoever took the entry from the other side has found the same.
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
    indices: tuple[int, ...]
    state_hash: bytes

    @classmethod
    def of(cls, before: Match, entry: Entry) -> "Drew | None":
        """Return the draw that `entry`, which has been checked, decides in `before`; None where it decides none."""
        draw, content = before.stage, entry.decoded
        if not (isinstance(draw, Contributed) and isinstance(content, DrawReveal)):
            return None
        session, bounds, pending = before.session, before.bounds(), draw.pending
        shares = draw.shares(content.share)
        return cls(
            session=session.id,
            seat=pending.seat,
            key=session.keys[pending.seat],
            committed_at=pending.number,
            commitment=pending.commitment,
            shares=shares,
            number=entry.number,
            parent=entry.parent,
            bounds=bounds,
            indices=draws(outcome(session.id, entry.number, entry.parent, shares), bounds),
            state_hash=entry.state,
        )


class Stepped(NamedTuple):
    """The game moved on."""

    before: State
    step: Step
    after: State


class Closed(NamedTuple):
    """The match has ended, by its rules or before; only the signatures under the result may still be missing."""

    ending: Ending


class Heard(NamedTuple):
    """The other side said something beside the chain."""

    note: Note


class Offered(NamedTuple):
    """`seat` offers to abandon the game; the other seat may accept with its next decision (SPEC 5.9)."""

    seat: int


class Lapsed(NamedTuple):
    """The offer of `seat` can no longer be accepted: the other seat has decided instead."""

    seat: int


class Regained(NamedTuple):
    """Our log was older than the game: so many entries of our own were taken back from the other side (SPEC 11.2)."""

    entries: int


class Finished(NamedTuple):
    """Both have signed the result, and the other side is known to have both signatures."""


class Convicted(NamedTuple):
    """Entry `number` by `seat` breaks a rule; it has been stored as the evidence, and the match goes no further."""

    seat: int
    number: int
    offence: Illegal


Effect: TypeAlias = (
    Store | Send | Ask | Begun | Drew | Stepped | Closed | Heard | Offered | Lapsed | Regained | Finished | Convicted
)
