"""Shares and salts, derived from a secret of the session (protocol/SPEC.md, section 10).

After a crash a program makes the same share for the same entry, and a new one if anything before the entry differs.
"""

from p2p_shanghaien.errors import FairplayCode, LocalError
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.contents import CARRIERS, Carrier, choice_of
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.keys import choice_commitment, commitment, mac
from p2p_shanghaien.games.api import Value


class Shares:
    """The shares and salts of one seat. `secret` is 32 bytes, `key` its public key."""

    def __init__(self, secret: bytes, session: bytes, key: bytes) -> None:
        self._secret = secret
        self._session = session
        self._key = key

    def derive(self, number: int, parent: bytes, handshake: bytes, kind: str, choice: Value) -> bytes:
        """Return the share or salt of the entry with this place and kind, and with `choice` before any commitment."""
        return mac(self._secret, encode((number, parent, handshake, kind, choice)))

    def committed(self, entry: Entry, hidden: bytes) -> bytes:
        """Return the share to which `entry`, one of ours, carries the commitment `hidden`.

        Raises LocalError if the secret is not the one that it was made with: another share would be a violation of
        ours.
        """
        assert isinstance(entry.decoded, CARRIERS), "it carries a commitment"
        share = self._share(entry, entry.decoded)
        if commitment(self._session, entry.number, self._key, share) != hidden:
            raise LocalError(FairplayCode.SECRET_LOST, number=entry.number)
        return share

    def fits(self, entry: Entry) -> bool:
        """Return whether `entry`, one of ours that has been checked, carries no commitment but to its share."""
        content = entry.decoded
        if not isinstance(content, CARRIERS) or content.commitment is None:
            return True
        share = self._share(entry, content)
        return commitment(self._session, entry.number, self._key, share) == content.commitment

    def _share(self, entry: Entry, content: Carrier) -> bytes:
        """Return the share of `entry`, which says `content`."""
        return self.derive(entry.number, entry.parent, entry.handshake, entry.kind, choice_of(content))

    def chosen(self, entry: Entry, hidden: bytes, legal: tuple[str, ...]) -> tuple[str, bytes]:
        """Return the action out of `legal`, with its salt, that `entry`, one of ours, hides in the commitment `hidden`.

        Raises LocalError like `committed`.
        """
        for action in legal:
            salt = self.derive(entry.number, entry.parent, entry.handshake, entry.kind, (action,))
            if choice_commitment(self._session, entry.number, self._key, salt, action) == hidden:
                return action, salt
        raise LocalError(FairplayCode.SECRET_LOST, number=entry.number)
