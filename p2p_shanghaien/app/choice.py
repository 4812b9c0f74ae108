"""The choice of a game and of its options, as far as the user has named them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from p2p_shanghaien.errors import AppCode, Malformed, UsageError
from p2p_shanghaien.games.api import DataMissing, Game, GameSpec, InvalidSetting, Reading, ReadsData
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.session.negotiation import GAME
from p2p_shanghaien.store.data import MAX_DATA, keep_data
from p2p_shanghaien.store.files import read_bytes
from p2p_shanghaien.store.paths import existing_file, expanded
from p2p_shanghaien.text import Listed

DEFAULT_GAME: Final = "shanghaien"
"""The game if none is named, and not in the settings either."""


class GameChoice(NamedTuple):
    """A game by its name, or None, and the options of its own that are given."""

    name: str | None
    settings: Mapping[str, str]
    usual: Callable[[], str | None] = lambda: None
    """A function that returns the game of the user's settings, if they name one."""
    folder: Callable[[], Path] | None = None
    """A function that returns the folder in which data from the user's files are kept; None: options name no files."""

    def game(self) -> Game[Any]:
        """Return the game that the options ask for. Raises UsageError."""
        return self._game(self._spec())

    def open(self) -> tuple[str, ...]:
        """Return the names of the games that a person can pick from, the default game first.

        There are none if the options or the settings name a game or imply one.
        """
        if self.name is not None or self.settings or self.usual() in GAMES:
            return ()
        return tuple(sorted(GAMES, key=lambda name: name != DEFAULT_GAME))

    def insisted(self) -> tuple[tuple[str, str], ...]:
        """Return the demands of a guest: the game, if the options name or imply one, and the given options.

        Values are in canonical spelling. Raises UsageError.
        """
        if self.name is None and not self.settings:
            return ()
        spec = self._spec()
        given = ((name, value) for name, value in self._game(spec).settings if name in self.settings)
        return ((GAME, spec.name), *given)

    def _game(self, spec: GameSpec) -> Game[Any]:
        given: dict[str, bytes] = {}
        settings = dict(self.settings)
        for setting in spec.settings:
            file = settings.get(setting.name, "")
            if setting.names_data and self.folder and existing_file(file):
                data = self._read(spec, setting.name, expanded(file))
                settings[setting.name] = keep_data(self.folder(), data)
                given[settings[setting.name]] = data
        rules = Reading(RULES, lambda digest: given.get(digest, RULES.data(digest))) if given else RULES
        try:
            return rules[spec.name].from_settings(settings)
        except (InvalidSetting, DataMissing) as error:
            raise UsageError(error.code, **error.details) from None

    def _read(self, spec: GameSpec, setting: str, file: Path) -> bytes:
        """Return the data in the user's file for that setting. Raises UsageError and LocalError."""
        try:
            return cast(type[ReadsData], RULES[spec.name]).canonical_data(setting, read_bytes(file, MAX_DATA))
        except Malformed as error:
            raise UsageError(AppCode.BAD_DATA_FILE, option=f"--{setting}", path=file, reason=error) from None

    def _spec(self) -> GameSpec:
        """Return the game that is named, or the one that has the given options; else the usual one."""
        if not GAMES:
            raise UsageError(AppCode.NO_GAMES_INSTALLED)
        if self.name is not None:
            spec = GAMES[self.name]
            if foreign := [name for name in self.settings if name not in option_names(spec)]:
                known = Listed(f"--{name}" for name in option_names(spec))
                raise UsageError(AppCode.OPTION_OF_OTHER_GAME, option=f"--{foreign[0]}", game=spec.name, known=known)
            return spec
        fitting = [spec for spec in GAMES.values() if set(self.settings) <= set(option_names(spec))]
        usual = [spec for spec in fitting if spec.name in (self.usual(), DEFAULT_GAME)]
        if self.settings and len(fitting) != 1 and not usual:
            options = Listed(f"--{name}" for name in self.settings)
            code = AppCode.OPTIONS_OF_MANY_GAMES if fitting else AppCode.OPTIONS_OF_NO_GAME
            raise UsageError(code, options=options, known=", ".join(spec.name for spec in fitting or GAMES.values()))
        # the settings' game comes before the default one
        usual.sort(key=lambda spec: spec.name == DEFAULT_GAME)
        return (fitting if self.settings and len(fitting) == 1 else usual or fitting)[0]


def option_names(spec: GameSpec) -> tuple[str, ...]:
    """Return the names of the game's options."""
    return tuple(setting.name for setting in spec.settings)
