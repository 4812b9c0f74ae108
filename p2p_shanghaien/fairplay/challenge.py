"""Challenges to a rematch: signed when the other has left, and passed on when the two meet next (SPEC 7.5)."""

from typing import Any, NamedTuple, Self

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.hello import is_game, is_rules_version, parse_settings
from p2p_shanghaien.fairplay.keys import HASH_SIZE, SIGNATURE_SIZE, Identity, PublicKey, Tag, tagged_hash
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.games.api import Game, Value
from p2p_shanghaien.text import is_normal

__all__ = ["Challenge", "Terms", "sign_challenge"]


class Terms(NamedTuple):
    """A game with its rules version and every setting, as a host proposes it."""

    game: str
    rules: int
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, game: Game[Any]) -> Self:
        """Return the terms that propose `game`."""
        return cls(game.NAME, game.RULES_VERSION, game.settings)


class Challenge(NamedTuple):
    """A challenge to a game on these terms, after that of `session`; `signature` is by the challenger's key."""

    session: bytes
    terms: Terms
    signature: bytes

    @property
    def words(self) -> tuple[Value, ...]:
        """The items of a note behind its kind."""
        return (self.session, *self.terms, self.signature)

    def is_between(self, challenger: bytes, challenged: bytes) -> bool:
        """Return whether the holder of one key has signed this for the holder of the other."""
        digest = _digest(self.session, challenger, challenged, self.terms)
        return PublicKey.of(challenger).verifies(digest, self.signature)


def sign_challenge(identity: Identity, challenged: bytes, session: Session) -> Challenge:
    """Challenge the holder of the key `challenged`, the opponent of `session`, to another game like that one."""
    terms = Terms.of(session.game)
    return Challenge(session.id, terms, identity.sign(_digest(session.id, identity.public, challenged, terms)))


def parse_challenge(words: tuple[object, ...]) -> Challenge:
    """Return the challenge in the items of a note behind its kind; signed by anybody. Raises Malformed."""
    match words:
        case (bytes(session), str(game), int(rules), tuple(items), bytes(signature)):
            settings = parse_settings(items)
        case _:
            raise Malformed(FairplayCode.NOT_A_NOTE)
    texts = (game, *(text for setting in settings for text in setting))
    has_sizes = len(session) == HASH_SIZE and len(signature) == SIGNATURE_SIZE
    if not (has_sizes and is_game(game) and is_rules_version(rules) and all(map(is_normal, texts))):
        raise Malformed(FairplayCode.NOT_A_NOTE)
    return Challenge(session, Terms(game, rules, settings), signature)


def _digest(session: bytes, challenger: bytes, challenged: bytes, terms: Terms) -> bytes:
    return tagged_hash(Tag.CHALLENGE, session, challenger, challenged, *terms)
