"""The phases of an endpoint: what it takes and may do in each (protocol/SPEC.md, 11.6, has the same tables)."""

from enum import StrEnum
from typing import Final, NamedTuple

__all__ = ["RULES", "Act", "Phase", "Received", "Response", "Rules"]


class Phase(StrEnum):
    """The phase of one seat's program in a match."""

    UNCONNECTED = "unconnected"
    """The program was started, and does not know the head of the peer's log."""
    CATCHING_UP = "catching_up"
    """The peer has proved to have more entries than we have."""
    PARTED = "parted"
    """The head that the peer has proved is not in our chain: the chains differ."""
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
    VIOLATION = "violation"
    """A violation is stored as the last of our log."""


class Received(StrEnum):
    """A kind of well-formed frame, by its meaning to us."""

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
    PROVE = "prove"
    DROP = "drop"
    """Drop the connection: it is malformed, or out of place."""


class Act(StrEnum):
    """An act of our program, by itself or for its user."""

    SIGN = "sign"
    """Make the expected entry of ours, and what follows from it."""
    DECIDE = "decide"
    ACCEPT = "accept"
    """Accept an offer to abandon."""
    OFFER = "offer"
    """Offer to abandon, once the peer has to decide."""
    RESIGN = "resign"
    """Resign: at once on our turn, by a note on a connection, else when there is one."""


class Rules(NamedTuple):
    """The rules of a phase. `leads_to`: where one entry, taken or made, or a `here` can lead, the phase itself aside.

    A new connection leads anywhere, but from `FINISHED` only to `PARTED`, and from `VIOLATION` nowhere.
    """

    receives: dict[Received, Response]
    does: frozenset[Act]
    leads_to: frozenset[Phase]


def _row(responses: str, deeds: str, leads_to: str) -> Rules:
    received = dict(zip(Received, map(Response, responses.split()), strict=True))
    return Rules(received, frozenset(map(Act, deeds.split())), frozenset(map(Phase, leads_to.split())))


# in the order of `Received`: next entry, duplicate, fork, offer, resign, here, other note
RULES: Final[dict[Phase, Rules]] = {
    Phase.UNCONNECTED: _row("drop drop drop drop drop drop drop", "offer resign", ""),
    Phase.CATCHING_UP: _row(
        "take ignore prove take take ignore take", "offer resign", "our_turn their_turn closing signed violation"
    ),
    Phase.PARTED: _row("drop ignore prove take take ignore take", "offer resign", "violation"),
    Phase.OUR_TURN: _row(
        "drop ignore prove take take ignore take",
        "sign decide accept offer resign",
        "their_turn closing violation",
    ),
    Phase.THEIR_TURN: _row("take ignore prove take take ignore take", "offer resign", "our_turn closing violation"),
    Phase.CLOSING: _row("take ignore prove ignore ignore ignore take", "sign", "signed violation"),
    Phase.SIGNED: _row("drop ignore prove ignore ignore take take", "", "finished violation"),
    Phase.FINISHED: _row("drop ignore prove ignore ignore ignore take", "", "violation"),
    Phase.VIOLATION: _row("ignore ignore ignore ignore ignore ignore ignore", "", ""),
}
