"""The folder with everything the program keeps, and what stands directly in it."""

import json
import os
import secrets
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.keys import Identity
from p2p_shanghaien.store.files import create, make_folder, read_bytes, replace

VARIABLE: Final = "SHANGHAIEN_HOME"
_KEY_SIZE: Final = 32

IDENTITY: Final = "identity"
"""The name of the user's own key."""


class Known(NamedTuple):
    """A player met before: the name last used, when first met, and how many games were begun."""

    name: str
    since: date
    games: int


class Home:
    """`root` is SHANGHAIEN_HOME, or the user's data folder by the system's custom."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def of_user(cls) -> "Home":
        """The home that the environment names."""
        named = os.environ.get(VARIABLE)
        return cls(Path(named).expanduser() if named else platformdirs.user_data_path("shanghaien", appauthor=False))

    @property
    def games(self) -> Path:
        """Where logs are: `<session id>-<host|guest>.shlog`."""
        return self.root / "games"

    def identity(self, name: str = IDENTITY) -> Identity:
        """The key kept under `name`, made on first use. Raises LocalError."""
        path = self.root / f"{name}.key"
        make_folder(self.root)
        if not path.exists():
            create(path, secrets.token_bytes(_KEY_SIZE).hex().encode() + b"\n")
        try:
            return Identity(bytes.fromhex(read_bytes(path).decode("ascii").strip()))
        except ValueError:
            raise LocalError("bad_key_file", path=path) from None

    def known_players(self) -> dict[bytes, Known]:
        """Everybody met before, by public key. Raises LocalError."""
        path = self._players
        if not path.exists():
            return {}
        try:
            return {
                bytes.fromhex(key): Known(str(item["name"]), date.fromisoformat(item["since"]), int(item["games"]))
                for key, item in json.loads(read_bytes(path)).items()
            }
        except (ValueError, KeyError, TypeError, AttributeError):
            raise LocalError("bad_players_file", path=path) from None

    def remember(self, key: bytes, name: str, today: date) -> None:
        """Note that a game with this player has begun. Raises LocalError."""
        known = self.known_players()
        before = known.get(key, Known(name, today, 0))
        known[key] = Known(name, before.since, before.games + 1)
        table = {k.hex(): {"name": p.name, "since": p.since.isoformat(), "games": p.games} for k, p in known.items()}
        make_folder(self.root)
        replace(self._players, json.dumps(table, indent=1, ensure_ascii=False).encode() + b"\n")

    @property
    def _players(self) -> Path:
        return self.root / "players.json"
