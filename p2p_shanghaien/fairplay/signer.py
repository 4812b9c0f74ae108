"""One seat's own entries: contents that take no decision, commitments, signatures (protocol/SPEC.md, 5 and 10)."""

from collections.abc import Sequence

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay.canonical import Decoded, encode
from p2p_shanghaien.fairplay.entries import CARRIERS, Entry, Envelope, Kind, sign
from p2p_shanghaien.fairplay.keys import Identity, choice_commitment, commitment
from p2p_shanghaien.fairplay.match import Match
from p2p_shanghaien.fairplay.shares import Shares
from p2p_shanghaien.games.api import Value


class Signer:
    """Makes the entries of `seat`. Shares and salts are derived from `secret`, 32 bytes that belong to the session.

    `match` is always the match that the entry continues, `handshake` the hash of the connection it is made under.
    """

    def __init__(self, seat: int, identity: Identity, secret: bytes, session: bytes) -> None:
        self._seat = seat
        self._identity = identity
        self._shares = Shares(secret, session, identity.public)

    def entry(self, match: Match, handshake: bytes, kind: Kind, content: tuple[Decoded, ...]) -> tuple[Entry, Match]:
        """Sign an entry, with a commitment where it leads to a draw; return it and the match that it leads to.

        Raises Illegal where no such entry may be made.
        """
        whole, after = self._completed(match, handshake, kind, content)
        envelope = Envelope(
            session=match.session.id,
            number=match.number,
            parent=match.head,
            seat=self._seat,
            handshake=handshake,
            kind=str(kind),
            content=encode(whole),
            state=after.state_hash,
        )
        entry = sign(self._identity, envelope)
        return entry, after.linked(entry.hash)

    def content(self, match: Match, handshake: bytes, kind: Kind, entries: Sequence[Entry]) -> tuple[Decoded, ...]:
        """Return what an entry of a `kind` that takes no decision says, a commitment aside.

        `entries` are all that led to `match`.
        """
        pending = match.pending
        match kind:
            case Kind.OPENING:
                return ()
            case Kind.SHARE:
                return (self._derived(match, handshake, Kind.SHARE, ()),)
            case Kind.REVEAL:
                assert pending is not None
                return (self._shares.committed(entries[pending.number], pending.commitment),)
            case Kind.DISCLOSURE:
                assert pending is not None
                legal = match.state.legal(match.player(self._seat))
                return self._shares.chosen(entries[pending.number], pending.commitment, legal)
            case Kind.RESULT:
                result = match.result()
                assert isinstance(result, tuple)
                return result
        raise AssertionError(kind)

    def hidden(self, match: Match, handshake: bytes, action: str) -> bytes:
        """Return the commitment to `action` in a simultaneous choice."""
        salt = self._derived(match, handshake, Kind.CHOICE, (action,))
        return choice_commitment(match.session.id, match.number, self._identity.public, salt, action)

    def _completed(
        self, match: Match, handshake: bytes, kind: Kind, content: tuple[Decoded, ...]
    ) -> tuple[tuple[Decoded, ...], Match]:
        """Return `content` with the commitment, or the nil, that belongs behind it, and the match that it leads to."""
        if kind not in CARRIERS:
            return content, match.after(kind, content)
        if kind != Kind.OPENING:
            try:
                return (*content, None), match.after(kind, (*content, None))
            except Illegal as error:
                if error.code != "no_commitment":
                    raise
        share = self._derived(match, handshake, kind, content)
        hidden = commitment(match.session.id, match.number, self._identity.public, share)
        return (*content, hidden), match.after(kind, (*content, hidden))

    def _derived(self, match: Match, handshake: bytes, kind: Kind, choice: Value) -> bytes:
        """Return the share or salt that belongs to the next entry."""
        return self._shares.derive(match.number, match.head, handshake, kind, choice)
