"""What a `Peer` wants done, to be carried out in order."""

from typing import NamedTuple, TypeAlias

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay.match import Ending
from p2p_shanghaien.fairplay.notes import Note
from p2p_shanghaien.games.api import State, Step


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
    Store | Send | Ask | Begun | Stepped | Closed | Heard | Offered | Lapsed | Regained | Finished | Convicted
)
