"""The hellos of a handshake, and the session that they fix (protocol/SPEC.md, section 4)."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import FairplayCode, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.keys import (
    HASH_SIZE,
    INVITATION_SIZE,
    NONCE_SIZE,
    ROOM_SIZE,
    PublicKey,
    Tag,
    mac,
    tagged_hash,
)
from p2p_shanghaien.fairplay.match import Session
from p2p_shanghaien.fairplay.preface import MAX_VERSIONS
from p2p_shanghaien.games.api import Game, Unplayable
from p2p_shanghaien.text import MAX_NAME, is_normal, is_permitted

__all__ = ["Head", "Hello", "Hellos", "Invitation", "Role", "open_session", "parse_hello"]

MAX_HELLO: Final = 1024
MAX_SETTINGS: Final = 16
MAX_WORD: Final = 64
"""The limit of code points of a game's name, of a setting's name and of its value."""
MAX_WATCHERS: Final = 20
"""The limit of people who watch a game."""


class Role(IntEnum):
    """The role in a handshake, which is also the seat."""

    HOST = 0
    GUEST = 1


class Hello(NamedTuple):
    """A hello: a program's key and name, and the game that its user wants.

    A host names the game, its rules version and every setting. A guest leaves out what it accepts as proposed (None,
    None, and only the settings that it insists on). `resumes` is the session to resume, None for a new game; `private`
    (of a host) says that an invitation is needed, `watchable` that others may watch. `channel` names the secure channel
    through which the hello is sent.
    """

    versions: tuple[int, ...]
    role: int
    nonce: bytes
    key: bytes
    name: str
    game: str | None
    rules: int | None
    settings: tuple[tuple[str, str], ...]
    resumes: bytes | None
    private: bool
    watchable: bool
    channel: bytes

    def encode(self) -> bytes:
        """Return the hello's canonical bytes."""
        return encode(self)

    def is_normal(self) -> bool:
        """Return whether all text is in NFC: a player requires it, a verifier does not (SPEC 13)."""
        words = (word for setting in self.settings for word in setting)
        return all(map(is_normal, (self.name, self.game or "", *words)))


def parse_hello(data: bytes, role: Role) -> Hello:
    """Return the hello in `data`, which must be of `role`; its text may be in any normal form. Raises Malformed."""
    match decode(data, MAX_HELLO):
        case (
            tuple(versions),
            int(their_role),
            bytes(nonce),
            bytes(key),
            str(name),
            str() | None as game,
            int() | None as rules,
            tuple(settings),
            bytes() | None as resumes,
            bool(private),
            bool(watchable),
            bytes(channel),
        ) if not isinstance(their_role, bool) and not isinstance(rules, bool):
            pass
        case _:
            raise Malformed(FairplayCode.NOT_A_HELLO)
    if not 0 < len(versions) <= MAX_VERSIONS or not all(type(each) is int and 0 < each < 1 << 16 for each in versions):
        raise Malformed(FairplayCode.NOT_A_HELLO)
    if their_role != role:
        raise Malformed(FairplayCode.WRONG_ROLE)
    if len(nonce) != NONCE_SIZE or len(channel) != HASH_SIZE or (resumes is not None and len(resumes) != HASH_SIZE):
        raise Malformed(FairplayCode.BAD_HASH_SIZE)
    try:
        PublicKey.of(key)
    except ValueError:
        raise Malformed(FairplayCode.REFUSED_KEY) from None
    if not is_permitted(name, MAX_NAME) or not (game is None or is_game(game)):
        raise Malformed(FairplayCode.BAD_NAME)
    if not (rules is None or is_rules_version(rules)):
        raise Malformed(FairplayCode.NOT_A_HELLO)
    if role == Role.HOST and (game is None or rules is None):
        raise Malformed(FairplayCode.NOT_A_HELLO)
    numbers = tuple(version for version in versions if isinstance(version, int))
    wanted = parse_settings(settings)
    return Hello(numbers, their_role, nonce, key, name, game, rules, wanted, resumes, private, watchable, channel)


def is_game(name: str) -> bool:
    """Return whether `name` may name a game, its normal form aside."""
    return is_permitted(name, MAX_WORD)


def is_rules_version(number: int) -> bool:
    """Return whether a number may be the version of a game's rules."""
    return not isinstance(number, bool) and 0 < number < 1 << 16


def parse_settings(items: tuple[object, ...]) -> tuple[tuple[str, str], ...]:
    """Return the settings in a decoded array, whose text may be in any normal form. Raises Malformed."""
    settings = []
    for item in items:
        match item:
            case (str(name), str(value)) if is_permitted(name, MAX_WORD) and is_permitted(value, MAX_WORD):
                settings.append((name, value))
            case _:
                raise Malformed(FairplayCode.BAD_SETTING)
    if len(settings) > MAX_SETTINGS or len({name for name, _ in settings}) < len(settings):
        raise Malformed(FairplayCode.BAD_SETTING)
    return tuple(settings)


class Hellos(NamedTuple):
    """Both hellos as bytes, the host's first, and their hashes."""

    host: bytes
    guest: bytes

    @property
    def handshake(self) -> bytes:
        """The handshake hash, which every entry made under this connection names."""
        return tagged_hash(Tag.HANDSHAKE, *self)

    @property
    def session(self) -> bytes:
        """The session id of a new game."""
        return tagged_hash(Tag.SESSION, *self)


class Head(NamedTuple):
    """The length and head of a log: the number of entries, and the last one's hash, or the session id without any."""

    length: int
    digest: bytes


def proof_digest(handshake: bytes, session: bytes, seat: int, head: Head) -> bytes:
    """Return the digest that a program signs to prove its key, both hellos, and the head of its log."""
    return tagged_hash(Tag.PROOF, handshake, session, seat, head.length, head.digest)


class Invitation(NamedTuple):
    """An invitation from a host: a secret, and the fingerprint of the host's key.

    It is to watch (SPEC 4.16) or, as a rule, to play.
    """

    secret: bytes
    host: bytes
    is_to_watch: bool = False

    @property
    def channel_key(self) -> bytes:
        """The pre-shared key of the channel to the table (SPEC 4.4)."""
        return tagged_hash(Tag.CHANNEL, self.secret)

    @property
    def room(self) -> bytes:
        """The room at a relay where the host waits for its guest (SPEC 4.15); 16 bytes."""
        return tagged_hash(Tag.ROOM, self.secret, self.host)[:ROOM_SIZE]

    @property
    def watching(self) -> "Invitation":
        """The invitation to watch at the same table, which leads to nothing else; itself, if it is one."""
        if self.is_to_watch:
            return self
        secret = tagged_hash(Tag.WATCHING, self.secret, self.host)[:INVITATION_SIZE]
        return Invitation(secret, self.host, is_to_watch=True)

    def mac(self, seat: int, hellos: tuple[bytes, bytes]) -> bytes:
        """Return the MAC that shows that `seat` knows the secret, bound to both hellos."""
        return mac(self.secret, tagged_hash(Tag.INVITATION, seat, self.host, *hellos))


def open_session(hellos: tuple[bytes, bytes], games: Mapping[str, type[Game[Any]]]) -> Session:
    """Return the new session of two hellos.

    Raises Malformed, or CannotConnect for a game, its rules or its data that are not known here.
    """
    host, guest = parse_hello(hellos[0], Role.HOST), parse_hello(hellos[1], Role.GUEST)
    if host.nonce == guest.nonce:
        raise Malformed(FairplayCode.REFLECTED_NONCE)
    if host.resumes is not None or guest.resumes is not None:
        raise Malformed(FairplayCode.BAD_OPENING)
    kind = games.get(host.game or "")
    if kind is None:
        raise Unplayable(FairplayCode.GAME_UNKNOWN, game=host.game, rules=host.rules)
    if host.rules != kind.RULES_VERSION:
        raise Unplayable(FairplayCode.RULES_UNKNOWN, game=host.game, rules=host.rules, ours=kind.RULES_VERSION)
    names, declared = [name for name, _ in host.settings], [setting.name for setting in kind.SETTINGS]
    # before the data are looked up; the game itself reports an unknown setting
    if set(names) <= set(declared) and names != declared:
        raise Malformed(FairplayCode.BAD_SETTING)
    game = kind.from_settings(dict(host.settings))
    if game.settings != host.settings:
        raise Malformed(FairplayCode.BAD_SETTING)
    return Session(Hellos(*hellos).session, game, (host.key, guest.key), (host.name, guest.name), host.watchable)
