"""Signed notes beside the chain: agreement, sign of life, another game, chat, offers (protocol/SPEC.md, section 7).

A note is bound to its connection, its direction and its place in that direction, so it can be neither forged nor
repeated elsewhere. Notes are not logged, and none changes the game: a resignation or an offer takes effect when an
entry embeds it.
"""

from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.canonical import Decoded, decode, encode
from p2p_shanghaien.fairplay.challenge import parse_challenge
from p2p_shanghaien.fairplay.hello import MAX_WATCHERS
from p2p_shanghaien.fairplay.keys import HASH_SIZE, SIGNATURE_SIZE, Identity, PublicKey, Tag, tagged_hash
from p2p_shanghaien.games.api import Value
from p2p_shanghaien.text import MAX_CHAT, is_clean

__all__ = ["Decline", "Note", "NoteKind", "Notes"]

MAX_NOTE: Final = 2048


class NoteKind(StrEnum):
    """The kind of a note."""

    AGREE = "agree"
    """The guest accepts the game as the host proposes it."""
    DECLINE = "decline"
    """No game: a `Decline`."""
    HERE = "here"
    """Length and head of the sender's log, sent when the last entry has arrived, and as a sign of life."""
    AGAIN = "again"
    """Another game: one of `AGAINS`."""
    CHAT = "chat"
    """A line of text."""
    OFFER = "offer"
    """An offer to abandon the game by consent at entry `number`: number and signature."""
    RESIGN = "resign"
    """A resignation: the head its signer knows, and the signature."""
    CHALLENGE = "challenge"
    """A challenge to a rematch: the items of a `Challenge`."""
    WATCHERS = "watchers"
    """The number of people who watch the game at the host's."""


class Decline(StrEnum):
    """The reasons of a note that declines a game."""

    DECLINED = "declined"
    GAME_UNKNOWN = "game_unknown"
    RULES_UNKNOWN = "rules_unknown"
    DATA_MISSING = "data_missing"
    OTHER_SETTINGS = "other_settings"


NO_MORE, IF_YOU_LIKE, ONE_MORE = 0, 1, 2
_DECLINES: Final = frozenset(Decline)
AGAINS: Final = (NO_MORE, IF_YOU_LIKE, ONE_MORE)


class Note(NamedTuple):
    """A verified note."""

    kind: NoteKind
    words: tuple[Decoded, ...] = ()


Form: TypeAlias = tuple[type, ...]
_FORMS: Final[dict[NoteKind, Form]] = {
    NoteKind.AGREE: (),
    NoteKind.DECLINE: (str,),
    NoteKind.HERE: (int, bytes),
    NoteKind.AGAIN: (int,),
    NoteKind.CHAT: (str,),
    NoteKind.OFFER: (int, bytes),
    NoteKind.RESIGN: (bytes, bytes),
    NoteKind.CHALLENGE: (bytes, str, int, tuple, bytes),
    NoteKind.WATCHERS: (int,),
}


class Notes:
    """The notes of a connection in both directions, as one seat writes and reads them."""

    def __init__(self, identity: Identity, seat: int, handshake: bytes, their_key: bytes) -> None:
        self._identity = identity
        self._seat = seat
        self._handshake = handshake
        self._their_key = their_key
        self._written = 0
        self._read = 0

    def write(self, kind: NoteKind, *words: Value) -> bytes:
        """Return the frame of our next note."""
        body = encode((str(kind), *words))
        signature = self._identity.sign(self._digest(self._seat, self._written, body))
        frame = encode(("note", self._written, body, signature))
        self._written += 1
        return frame

    def read(self, message: tuple[Decoded, ...]) -> Note:
        """Return the note in a decoded frame that begins with "note".

        Raises Malformed: the connection cannot be trusted.
        """
        match message:
            case ("note", int(counter), bytes(body), bytes(signature)) if type(counter) is int:
                pass
            case _:
                raise Malformed(FairplayCode.NOT_A_NOTE)
        if counter != self._read:
            raise Malformed(FairplayCode.NOTE_OUT_OF_ORDER, counter=counter, expected=self._read)
        digest = self._digest(1 - self._seat, counter, body)
        if not PublicKey.of(self._their_key).verifies(digest, signature):
            raise Malformed(FairplayCode.BAD_NOTE_SIGNATURE, counter=counter)
        self._read += 1
        return _parse(body)

    def _digest(self, seat: int, counter: int, body: bytes) -> bytes:
        return tagged_hash(Tag.NOTE, self._handshake, seat, counter, body)


def _parse(body: bytes) -> Note:
    match decode(body, MAX_NOTE):
        case (str(name), *words) if name in _FORMS:
            note = Note(NoteKind(name), tuple(words))
        case _:
            raise Malformed(FairplayCode.NOT_A_NOTE)
    if tuple(map(type, words)) != _FORMS[note.kind] or not _is_sound(note):
        raise Malformed(FairplayCode.NOT_A_NOTE)
    return note


def _is_sound(note: Note) -> bool:
    """Return whether the items are within the limits of their kind, beyond their types."""
    match note.kind, note.words:
        case NoteKind.DECLINE, (str(reason),):
            return reason in _DECLINES
        case NoteKind.AGAIN, (wish,):
            return wish in AGAINS
        case NoteKind.CHAT, (str(text),):
            return is_clean(text, MAX_CHAT)
        case NoteKind.HERE, (int(length), bytes(head)):
            return length >= 0 and len(head) == HASH_SIZE
        case NoteKind.OFFER, (int(number), bytes(signature)):
            return number >= 0 and len(signature) == SIGNATURE_SIZE
        case NoteKind.RESIGN, (bytes(head), bytes(signature)):
            return len(head) == HASH_SIZE and len(signature) == SIGNATURE_SIZE
        case NoteKind.WATCHERS, (int(count),):
            return 0 <= count <= MAX_WATCHERS
        case NoteKind.CHALLENGE, words:
            parse_challenge(words)
    return True
