"""One seat's own entries: contents that need no decision, commitments, signatures (protocol/SPEC.md, 5 and 10)."""

from collections.abc import Sequence

from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.contents import (
    CARRIERS,
    ChoiceCommit,
    ChoiceReveal,
    Content,
    DrawCommit,
    DrawContribution,
    DrawReveal,
    Kind,
    choice_of,
    kind_of,
)
from p2p_shanghaien.fairplay.entries import Entry, Envelope, sign
from p2p_shanghaien.fairplay.keys import Identity, choice_commitment, commitment
from p2p_shanghaien.fairplay.match import (
    AwaitingResult,
    ChoiceContributed,
    DrawCommitted,
    DrawContributed,
    Match,
    Opening,
)
from p2p_shanghaien.fairplay.shares import Shares
from p2p_shanghaien.games.api import Value


class Signer:
    """A maker of the entries of `seat`. Shares and salts are derived from `secret`, 32 bytes of the session.

    `match` is always the match that the entry continues, `handshake` the hash of the connection under which it is made.
    """

    def __init__(self, seat: int, identity: Identity, secret: bytes, session: bytes) -> None:
        self._seat = seat
        self._identity = identity
        self._shares = Shares(secret, session, identity.public)

    def entry(self, match: Match, handshake: bytes, content: Content) -> tuple[Entry, Match]:
        """Sign an entry, with a commitment if it leads to a draw; return it and the match that it leads to.

        Raises Illegal if no such entry may be made.
        """
        kind, after = kind_of(content), match.reached(content)
        # nothing else leads to a draw
        if isinstance(content, CARRIERS) and after.needs_commitment:
            share = self._derived(match, handshake, kind, choice_of(content))
            hidden = commitment(match.session.id, match.number, self._identity.public, share)
            content, after = content._replace(commitment=hidden), after.carrying(hidden)
        envelope = Envelope(
            session=match.session.id,
            number=match.number,
            parent=match.head,
            seat=self._seat,
            handshake=handshake,
            kind=str(kind),
            content=encode(content),
            state=after.state_hash,
        )
        entry = sign(self._identity, envelope, content)
        return entry, after.linked(entry.hash)

    def content(self, match: Match, handshake: bytes, entries: Sequence[Entry]) -> Content:
        """Return the content of the next entry if it needs no decision, without a commitment.

        `entries` are all that led to `match`.
        """
        match match.stage:
            case Opening():
                return DrawCommit()
            case DrawCommitted(kind=kind):
                return DrawContribution(self._derived(match, handshake, kind, ()))
            case DrawContributed(pending):
                return DrawReveal(self._shares.committed(entries[pending.number], pending.commitment))
            case ChoiceContributed(pending):
                legal = match.state.legal(match.player(self._seat))
                return ChoiceReveal(*self._shares.chosen(entries[pending.number], pending.commitment, legal))
            case AwaitingResult(result=result):
                return result
        raise AssertionError(match.stage)

    def hidden(self, match: Match, handshake: bytes, action: str) -> ChoiceCommit:
        """Return the commitment to `action` in a simultaneous choice."""
        salt = self._derived(match, handshake, Kind.CHOICE_COMMIT, (action,))
        return ChoiceCommit(choice_commitment(match.session.id, match.number, self._identity.public, salt, action))

    def _derived(self, match: Match, handshake: bytes, kind: str, choice: Value) -> bytes:
        """Return the share or salt of the next entry."""
        return self._shares.derive(match.number, match.head, handshake, kind, choice)
