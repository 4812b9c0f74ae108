"""The home folder of the program, and the files directly in it."""

import json
import os
import secrets
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from p2p_shanghaien.errors import LocalError, Malformed, StoreCode
from p2p_shanghaien.fairplay.challenge import Challenge, parse_challenge
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.store.files import (
    alone,
    create,
    explained,
    keep_copy,
    make_folder,
    parse_json,
    read_bytes,
    replace,
)
from p2p_shanghaien.store.lessons import Lessons
from p2p_shanghaien.store.paths import games_folder, home_folder, practice_folder, settings_file, watched_folder
from p2p_shanghaien.store.settings import Loaded, keep, load, read_table, save
from p2p_shanghaien.text import MAX_NAME, is_name

_KEY_SIZE: Final = 32
_MAX_KEY_FILE: Final = 1 << 10
_MAX_PLAYERS: Final = 1 << 24
"""The limit of bytes of the contact list: room for a hundred thousand players."""
_MAX_GAMES: Final = 1 << 32
"""The limit of games with one player; far more than anybody plays, and a number that can be shown."""

IDENTITY: Final = "identity"
"""The name of the user's own key."""
COMPUTER: Final = "computer"
"""The name of the key that the computer plays with, so that a log distinguishes the two."""


class Known(NamedTuple):
    """A contact: the name last used, the date of the first game, and the number of games begun.

    `challenge` is the user's challenge to a rematch, if there is one.
    """

    name: str
    since: date
    games: int
    challenge: Challenge | None = None


class Home:
    """The home folder `root` and its files."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def of_user(cls) -> "Home":
        """Return the home folder that the environment names."""
        return cls(home_folder())

    @property
    def games(self) -> Path:
        """The folder of the logs: `<session id>-<host|guest>.shlog`."""
        return games_folder(self.root)

    @property
    def practice(self) -> Path:
        """The folder of the records of practice games: `<game>-<date and time>.shrec`."""
        return practice_folder(self.root)

    @property
    def watched(self) -> Path:
        """The folder of the logs of games that were watched: `<session id>-watched.shlog`."""
        return watched_folder(self.root)

    @property
    def settings_file(self) -> Path:
        """The file of the name and the settings."""
        return settings_file(self.root)

    @property
    def lessons(self) -> Lessons:
        """The progress of lessons."""
        return Lessons(self.root / "lessons.json")  # pragma: no cover - as store/lessons.py

    def identity(self, name: str = IDENTITY) -> Identity:
        """Return the key kept under `name`, made on first use. Raises LocalError."""
        path = self._key_file(name)
        make_folder(self.root)
        if not os.path.lexists(path):
            create(path, _key_text(secrets.token_bytes(_KEY_SIZE)))
        return read_key(path)

    def holder(self, public: bytes, name: str = IDENTITY) -> Identity | None:
        """Return the key kept under `name`, or once kept there, that has this public key.

        Raises LocalError if it is not found and one of these files cannot be read.
        """
        current, trouble = self._key_file(name), None
        for path in ([current] if os.path.lexists(current) else []) + sorted(self.root.glob(f"{current.name}.old-*")):
            try:
                identity = read_key(path)
            except LocalError as error:
                trouble = trouble or error
                continue
            if identity.public == public:
                return identity
        if trouble:
            raise trouble
        return None

    def owner(self, public: bytes, name: str) -> Identity:
        """Return the key of a game, as `holder`. Raises LocalError, also if it is not found."""
        identity = self.holder(public, name)
        if identity is None:
            raise LocalError(StoreCode.KEY_OF_GAME_MISSING, key=name)
        return identity

    def adopt(self, identity: Identity, *, in_place: bool) -> Path | None:
        """Make `identity` the user's own.

        Another one is replaced only `in_place`, and never lost: returns where it is kept from now on. Raises
        LocalError.
        """
        path, text = self._key_file(IDENTITY), _key_text(identity.private_bytes())
        make_folder(self.root)
        if create(path, text):
            return None
        if read_bytes(path, _MAX_KEY_FILE).strip() == text.strip():
            return None
        if not in_place:
            raise LocalError(StoreCode.OTHER_KEY_THERE, path=path)
        aside = keep_copy(path)
        replace(path, text)
        return aside

    @property
    def own_name(self) -> str | None:
        """Return the name that the user plays under, if one was saved. Raises LocalError."""
        name = read_table(self.settings_file).get("name")
        if name is not None and not (isinstance(name, str) and is_name(name)):
            # no other name is substituted: the peer would see it
            raise LocalError(StoreCode.BAD_KEPT_NAME, path=self.settings_file)
        return name

    def keep_own_name(self, name: str) -> Path | None:
        """Play under `name` from now on; return the new path of a settings file that held no settings.

        Raises LocalError.
        """
        return keep(self.settings_file, {"name": name})

    def settings(self) -> Loaded:
        """Return the user's settings; invalid ones have their defaults, and are named."""
        return load(self.settings_file)

    def keep_settings(self, settings: Settings) -> None:
        """Save `settings` for later games. Raises LocalError."""
        save(self.settings_file, settings)

    @property
    def has_met_nobody(self) -> bool:
        """Return whether there is no contact yet; False if nobody can tell."""
        try:
            return not self.known_players()
        except LocalError:
            return False

    def known_players(self) -> dict[bytes, Known]:
        """Return all contacts, by public key. Raises LocalError."""
        path = self._players
        if not os.path.lexists(path):
            return {}
        try:
            table = parse_json(read_bytes(path, _MAX_PLAYERS))
            return dict(_known(key, item) for key, item in table.items())
        except (ValueError, KeyError, TypeError, AttributeError, Malformed):
            raise LocalError(StoreCode.BAD_PLAYERS_FILE, path=path) from None

    def remember(self, key: bytes, name: str, today: date) -> None:
        """Record that a game with this player has begun. Raises LocalError."""
        make_folder(self.root)
        with alone(self._players_lock):
            known = self.known_players()
            before = known.get(key, Known(name, today, 0))
            known[key] = before._replace(name=name, games=before.games + 1)
            self._keep_players(known)

    def challenge_to(self, opponent: bytes) -> Challenge | None:
        """Return the user's challenge to the player with this key, if there is one. Raises LocalError."""
        known = self.known_players().get(opponent)
        return known and known.challenge

    def keep_challenge(self, opponent: bytes, name: str, challenge: Challenge | None) -> None:
        """Save a challenge in place of an earlier one, or drop that. Raises LocalError."""
        make_folder(self.root)
        with alone(self._players_lock):
            known = self.known_players()
            known[opponent] = known.get(opponent, Known(name, date.today(), 0))._replace(challenge=challenge)
            self._keep_players(known)

    def forget(self, key: bytes) -> None:
        """Remove the contact with this key. Raises LocalError."""
        if not os.path.lexists(self._players):
            return
        with alone(self._players_lock):
            known = self.known_players()
            if known.pop(key, None):
                self._keep_players(known)

    def _keep_players(self, known: dict[bytes, Known]) -> None:
        table = {key.hex(): _item(player) for key, player in known.items()}
        replace(self._players, json.dumps(table, indent=1, ensure_ascii=False).encode() + b"\n")

    def _key_file(self, name: str) -> Path:
        return self.root / f"{name}.key"

    @property
    def _players(self) -> Path:
        return self.root / "players.json"

    @property
    def _players_lock(self) -> Path:
        """The file that is locked while the list is read and rewritten; not the list's own, which is replaced each
        time.
        """
        return self.root / "players.lock"


def _item(player: Known) -> dict[str, object]:
    """Return one contact as the list holds it."""
    item: dict[str, object] = {"name": player.name, "since": player.since.isoformat(), "games": player.games}
    if player.challenge:
        session, terms, signature = player.challenge
        item["challenge"] = [session.hex(), *terms, signature.hex()]
    return item


def _known(key: str, item: Any) -> tuple[bytes, Known]:
    """Return one contact of the list. Raises ValueError, KeyError, TypeError."""
    public, name, games = bytes.fromhex(key), item["name"], item["games"]
    if len(public) != _KEY_SIZE or type(games) is not int or not 0 <= games <= _MAX_GAMES:
        raise ValueError
    # a name that was clean for an older program may not be for this one, but it can be encoded
    if not 0 < len(name.encode()) <= 4 * MAX_NAME:
        raise ValueError
    return public, Known(name, date.fromisoformat(item["since"]), games, _challenge(item.get("challenge")))


def _challenge(item: Any) -> Challenge | None:
    """Return a challenge of the list. Raises ValueError, TypeError and Malformed."""
    if item is None:
        return None
    session, game, rules, settings, signature = item
    words = bytes.fromhex(session), game, rules, tuple(map(tuple, settings)), bytes.fromhex(signature)
    return parse_challenge(words)


def read_key(path: Path) -> Identity:
    """Return the key in a file of ours. Raises LocalError."""
    try:
        return Identity(bytes.fromhex(read_bytes(path, _MAX_KEY_FILE).decode("ascii").strip()))
    except ValueError:
        raise LocalError(StoreCode.BAD_KEY_FILE, path=path) from None


def write_key(path: Path, identity: Identity) -> None:
    """Write the private key to a new file, readable by its owner alone. Raises LocalError.

    This does not use a second name as `create` does: a memory stick may allow files one name each.
    """
    with explained(path):
        try:
            file = open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")  # noqa: SIM115
        except FileExistsError:
            raise LocalError(StoreCode.NOT_OVERWRITTEN, path=path) from None
        try:
            with file:
                file.write(_key_text(identity.private_bytes()))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise


def _key_text(private: bytes) -> bytes:
    return private.hex().encode() + b"\n"
