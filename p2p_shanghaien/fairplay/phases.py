"""The phases of a peer: what it takes and may do in each (protocol/SPEC.md, 11.6, has the same tables)."""

from enum import StrEnum
from typing import Final, NamedTuple

__all__ = ["RULES", "Deed", "Phase", "Received", "Response", "Rules"]


class Phase(StrEnum):
    """The phase of one seat's program in a match."""

    UNCONNECTED = "unconnected"
    """The program was started, and does not know how far the peer's log goes."""
    CATCHING_UP = "catching_up"
    """The peer has proved to have more entries than we have."""
    PARTED = "parted"
    """The head that the peer has proved is none of ours: the chains differ."""
    OUR_TURN = "our_turn"
    """The match goes on, and the next entry is ours."""
    THEIR_TURN = "their_turn"
    """The match goes on, and the next entry is the peer's."""
    CLOSING = "closing"
    """The match has ended, and a result is missing."""
    SIGNED = "signed"
    """We have both results, and do not know that the peer has."""
    FINISHED = "finished"
    """Both have both results."""
    CONVICTED = "convicted"
    """A violation is stored as the last of our log."""


class Received(StrEnum):
    """A kind of well-formed frame, by what it means to our side."""

    NEXT = "next entry"
    DUPLICATE = "duplicate"
    FORK = "fork"
    OFFER = "`offer`"
    RESIGN = "`resign`"
    HERE = "`here`"
    OTHER_NOTE = "other note"


class Response(StrEnum):
    """The reaction to a frame."""

    TAKE = "take"
    IGNORE = "ignore"
    CONVICT = "convict"
    DROP = "drop"
    """Drop the connection: it is malformed, or out of place."""


class Deed(StrEnum):
    """An act of our side, by itself or for its person."""

    SIGN = "sign"
    """Make the entry that is ours to make, and what follows from it."""
    DECIDE = "decide"
    ACCEPT = "accept"
    """Accept an offer to abandon."""
    OFFER = "offer"
    """Offer to abandon, once the peer has to decide."""
    RESIGN = "resign"
    """Resign: at once on our turn, by a note on a connection, else when there is one."""


class Rules(NamedTuple):
    """The rules of a phase. `leads_to`: where one entry, taken or made, or a `here` can lead, the phase itself aside.

    A new connection leads anywhere, but from `FINISHED` only to `PARTED`, and from `CONVICTED` nowhere.
    """

    receives: dict[Received, Response]
    does: frozenset[Deed]
    leads_to: frozenset[Phase]


def _row(responses: str, deeds: str, leads_to: str) -> Rules:
    received = dict(zip(Received, map(Response, responses.split()), strict=True))
    return Rules(received, frozenset(map(Deed, deeds.split())), frozenset(map(Phase, leads_to.split())))


# in the order of `Received`: next entry, duplicate, fork, offer, resign, here, other note
RULES: Final[dict[Phase, Rules]] = {
    Phase.UNCONNECTED: _row("drop drop drop drop drop drop drop", "offer resign", ""),
    Phase.CATCHING_UP: _row(
        "take ignore convict take take ignore take", "offer resign", "our_turn their_turn closing signed convicted"
    ),
    Phase.PARTED: _row("drop ignore convict take take ignore take", "offer resign", "convicted"),
    Phase.OUR_TURN: _row(
        "drop ignore convict take take ignore take",
        "sign decide accept offer resign",
        "their_turn closing convicted",
    ),
    Phase.THEIR_TURN: _row("take ignore convict take take ignore take", "offer resign", "our_turn closing convicted"),
    Phase.CLOSING: _row("take ignore convict ignore ignore ignore take", "sign", "signed convicted"),
    Phase.SIGNED: _row("drop ignore convict ignore ignore take take", "", "finished convicted"),
    Phase.FINISHED: _row("drop ignore convict ignore ignore ignore take", "", "convicted"),
    Phase.CONVICTED: _row("ignore ignore ignore ignore ignore ignore ignore", "", ""),
}
