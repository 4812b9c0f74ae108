"""The contents of entries, one type for each kind (protocol/SPEC.md, 5.4).

The fields of a type are in the order of its encoding: `encode` takes a content as it is, and `read` decodes one.
Further requirements depend on the position; `match.py` checks them.
"""

from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.canonical import Decoded, decode
from p2p_shanghaien.fairplay.keys import HASH_SIZE, SHARE_SIZE

__all__ = [
    "Abandonment",
    "Action",
    "Carrier",
    "ChoiceCommit",
    "ChoiceContribution",
    "ChoiceReveal",
    "Content",
    "DrawCommit",
    "DrawContribution",
    "DrawReveal",
    "Kind",
    "Resignation",
    "Result",
    "Unreadable",
    "read",
]

MAX_ENTRY: Final = 1024
"""The limit of bytes of a whole entry, signature included."""


class Kind(StrEnum):
    """The kinds of entry, as on the wire; the position determines which of them is expected (SPEC 5.3)."""

    DRAW_COMMIT = "draw_commit"
    DRAW_CONTRIBUTION = "draw_contribution"
    DRAW_REVEAL = "draw_reveal"
    ACTION = "action"
    CHOICE_COMMIT = "choice_commit"
    CHOICE_CONTRIBUTION = "choice_contribution"
    CHOICE_REVEAL = "choice_reveal"
    RESIGNATION = "resignation"
    ABANDONMENT = "abandonment"
    RESULT = "result"


DECISIONS: Final = (Kind.ACTION, Kind.CHOICE_COMMIT, Kind.CHOICE_CONTRIBUTION)
"""The kinds that need a player's decision; all others follow from earlier entries."""


class DrawCommit(NamedTuple):
    """Seat 0's first entry: a commitment to a share of the opening draw."""

    commitment: Decoded = None

    @classmethod
    def of(cls, values: Decoded) -> "DrawCommit | None":
        """Return the content of these values, or None if they have another form.

        The other types have the same method.
        """
        match values:
            case (bytes() as commitment,) if len(commitment) == HASH_SIZE:
                return cls(commitment)
        return None


class DrawContribution(NamedTuple):
    """The share of the seat that has not committed, in the clear."""

    share: bytes

    @classmethod
    def of(cls, values: Decoded) -> "DrawContribution | None":
        match values:
            case (bytes() as share,) if len(share) == SHARE_SIZE:
                return cls(share)
        return None


class DrawReveal(NamedTuple):
    """The committed share, which determines the draw."""

    share: bytes
    commitment: Decoded = None

    @classmethod
    def of(cls, values: Decoded) -> "DrawReveal | None":
        match values:
            case (bytes() as share, commitment) if len(share) == SHARE_SIZE:
                return cls(share, commitment)
        return None


class Action(NamedTuple):
    """An open decision."""

    action: str
    commitment: Decoded = None

    @classmethod
    def of(cls, values: Decoded) -> "Action | None":
        match values:
            case (str() as action, commitment):
                return cls(action, commitment)
        return None


class ChoiceCommit(NamedTuple):
    """Seat 0's commitment to its simultaneous choice."""

    commitment: bytes

    @classmethod
    def of(cls, values: Decoded) -> "ChoiceCommit | None":
        match values:
            case (bytes() as commitment,) if len(commitment) == HASH_SIZE:
                return cls(commitment)
        return None


class ChoiceContribution(NamedTuple):
    """Seat 1's simultaneous choice, in the clear."""

    action: str

    @classmethod
    def of(cls, values: Decoded) -> "ChoiceContribution | None":
        match values:
            case (str() as action,):
                return cls(action)
        return None


class ChoiceReveal(NamedTuple):
    """Seat 0's simultaneous choice, and the salt that hid it."""

    action: str
    salt: bytes
    commitment: Decoded = None

    @classmethod
    def of(cls, values: Decoded) -> "ChoiceReveal | None":
        match values:
            case (str() as action, bytes() as salt, commitment) if len(salt) == SHARE_SIZE:
                return cls(action, salt, commitment)
        return None


class Resignation(NamedTuple):
    """A signed resignation, which closes the match."""

    seat: int
    head: bytes
    signature: bytes

    @classmethod
    def of(cls, values: Decoded) -> "Resignation | None":
        match values:
            case (seat, bytes() as head, bytes() as signature) if type(seat) is int and seat in (0, 1):
                return cls(seat, head, signature)
        return None


class Abandonment(NamedTuple):
    """The signature of the peer's offer to abandon, which closes the match."""

    signature: bytes

    @classmethod
    def of(cls, values: Decoded) -> "Abandonment | None":
        match values:
            case (bytes() as signature,):
                return cls(signature)
        return None


class Result(NamedTuple):
    """The end of the match, by seat: the reason, the scores, the seat that won."""

    reason: str
    scores: tuple[int, int] | None = None
    winner: int | None = None

    @classmethod
    def of(cls, values: Decoded) -> "Result | None":
        # another type, such as a boolean, must not be equal to one of these
        match values:
            case (str() as reason, None, winner) if winner is None or type(winner) is int:
                return cls(reason, None, winner)
            case (str() as reason, (first, second), winner) if winner is None or type(winner) is int:
                return cls(reason, (first, second), winner) if type(first) is type(second) is int else None
        return None


class Unreadable(NamedTuple):
    """Content that does not have the form of its `kind`, which may be unknown: a violation, `code`."""

    kind: str
    code: FairplayCode


Carrier: TypeAlias = DrawCommit | DrawReveal | Action | ChoiceReveal
"""A content that ends with the commitment to a share, 32 bytes, or None.

The commitment is there if the entry leads to a draw; `match.py` checks this.
"""
CARRIERS: Final = (DrawCommit, DrawReveal, Action, ChoiceReveal)

Content: TypeAlias = Carrier | DrawContribution | ChoiceCommit | ChoiceContribution | Resignation | Abandonment | Result

_TYPES: Final[dict[str, Any]] = {
    Kind.DRAW_COMMIT: DrawCommit,
    Kind.DRAW_CONTRIBUTION: DrawContribution,
    Kind.DRAW_REVEAL: DrawReveal,
    Kind.ACTION: Action,
    Kind.CHOICE_COMMIT: ChoiceCommit,
    Kind.CHOICE_CONTRIBUTION: ChoiceContribution,
    Kind.CHOICE_REVEAL: ChoiceReveal,
    Kind.RESIGNATION: Resignation,
    Kind.ABANDONMENT: Abandonment,
    Kind.RESULT: Result,
}
_KINDS: Final[dict[type, Kind]] = {type_: Kind(kind) for kind, type_ in _TYPES.items()}


def kind_of(content: Content | Unreadable) -> str:
    """Return the kind of the entry with this content."""
    return content.kind if isinstance(content, Unreadable) else _KINDS[type(content)]


def read(kind: str, data: bytes) -> Content | Unreadable:
    """Return the content that `data` encodes in an entry of this `kind`."""
    try:
        values = decode(data, MAX_ENTRY)
    except Malformed:
        return Unreadable(kind, FairplayCode.MALFORMED_CONTENT)
    type_ = _TYPES.get(kind)
    content: Content | None = type_ and type_.of(values)
    if content is None:
        return Unreadable(kind, FairplayCode.WRONG_RESULT if kind == Kind.RESULT else FairplayCode.MALFORMED_CONTENT)
    return content


def choice_of(content: Carrier) -> tuple[str | bytes, ...]:
    """Return the part of a content before its commitment, from which the committed share is derived (SPEC 10)."""
    before: tuple[Any, ...] = content[:-1]
    return before
