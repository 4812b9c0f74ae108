"""The installed games, found by the entry-point group `p2p_shanghaien.games`; ours are registered in the same way.

An entry point has the name of its game and points to a `GameSpec`. A name from a peer or a file is looked up among the
entry points; it never becomes an import path. A broken entry point is left out, and `unusable` says why.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from p2p_shanghaien.errors import GameCode, LocalError, ShanghaienError
from p2p_shanghaien.games.api import RANDOM, Data, Game, GameSpec, Reading

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GAMES", "GROUP", "RULES", "GameFailed", "Registry", "Rules", "Unusable"]

GROUP: Final = "p2p_shanghaien.games"
OURS: Final = "p2p-shanghaien"
"""The distribution whose game names no other may take."""

_NAME: Final = re.compile("[a-z][a-z0-9-]{0,31}")


class GameFailed(LocalError):
    """A game's own code failed: a bug of its author's."""

    def __init__(self, game: str, distribution: str, error: Exception) -> None:
        super().__init__(GameCode.GAME_FAILED, game=game, distribution=distribution, error=repr(error))


class Unusable(NamedTuple):
    """An entry point that is left out: its name, its distribution, and the reason."""

    entry: str
    distribution: str
    reason: GameCode
    details: Mapping[str, object]


class Registry(Mapping[str, GameSpec]):
    """Installed games by name. The declaration of a game is imported when the game is first asked for.

    Any thread may ask. If several find games at once, they find the same.
    """

    def __init__(self, find: "Callable[[], Iterable[EntryPoint]]") -> None:
        self._find = find
        self._points: dict[str, EntryPoint] | None = None
        self._specs: dict[str, GameSpec] = {}
        self._unusable: list[Unusable] = []

    def __getitem__(self, name: str) -> GameSpec:
        if name not in self._specs:
            point = self._found()[name]
            spec = self._loaded(point)
            if spec is None:
                self._found().pop(name, None)
                raise KeyError(name)
            self._specs[name] = spec
        return self._specs[name]

    def __iter__(self) -> Iterator[str]:
        return iter([name for name in list(self._found()) if name in self])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def refresh(self) -> None:
        """Search for installed games again on the next request."""
        self._points = None
        self._specs.clear()
        self._unusable.clear()

    @contextmanager
    def only(self, *distributions: str) -> Iterator[None]:
        """Find only the games of these distributions in the block, whatever else is installed."""
        find = self._find
        self._find = lambda: [point for point in find() if _distribution(point) in distributions]
        self.refresh()
        try:
            yield
        finally:
            self._find = find
            self.refresh()

    @property
    def unusable(self) -> tuple[Unusable, ...]:
        """The broken entry points among the games that have been asked for."""
        return tuple(self._unusable)

    @contextmanager
    def named_in_errors(self) -> Iterator[None]:
        """Raise whatever a game's own code fails with in the block as GameFailed.

        A game's code is what the module that declares it holds, or one of its parts, or what is below them. An error of
        ours passes, and so does an exception that came about without that code.
        """
        try:
            yield
        except ShanghaienError:
            raise
        except Exception as error:
            for frame, _ in walk_tb(error.__traceback__):
                if name := self._owner(str(frame.f_globals.get("__name__"))):
                    raise self.failed(name, error) from error
            raise

    def failed(self, name: str, error: Exception) -> GameFailed:
        """Return the error for the failure `error` of that game, which has been asked for."""
        return GameFailed(name, _distribution(self._found()[name]), error)

    def _owner(self, module: str) -> str | None:
        """Return the game to whose code the module of that name belongs, among the games that have been asked for."""
        for name, spec in list(self._specs.items()):
            for place in (self._found()[name].module, *(part.module for part in spec.parts)):
                if module == place or module.startswith(f"{place}."):
                    return name
        return None

    def _found(self) -> "dict[str, EntryPoint]":
        """Return one entry point for each name, ours first, the others by name."""
        if self._points is None:
            found: dict[str, EntryPoint] = {}
            for point in sorted(self._find(), key=_order):
                if not _NAME.fullmatch(point.name):
                    self._leave_out(point, GameCode.GAME_NAME_BAD)
                elif point.name in found and point.value != found[point.name].value:
                    self._leave_out(point, GameCode.GAME_NAME_TAKEN, owner=_distribution(found[point.name]))
                else:
                    found[point.name] = point
            # not before it is complete: another thread may look
            self._points = found
        return self._points

    def _loaded(self, point: "EntryPoint") -> GameSpec | None:
        """Return the game's declaration, or None if it is broken."""
        try:
            spec = point.load()
        except Exception as error:  # noqa: BLE001 - the code of others: whatever it raises must stop no other game
            self._leave_out(point, GameCode.GAME_NOT_LOADED, error=repr(error))
            return None
        if not isinstance(spec, GameSpec):
            self._leave_out(point, GameCode.GAME_NOT_DECLARED, found=type(spec).__name__)
        elif spec.name != point.name:
            self._leave_out(point, GameCode.GAME_NAMED_OTHERWISE, name=spec.name)
        elif spec.opponent not in (RANDOM, *spec.levels):
            self._leave_out(point, GameCode.GAME_LACKS_OPPONENT, level=spec.opponent)
        else:
            return spec
        return None

    def _leave_out(self, point: "EntryPoint", reason: GameCode, **details: object) -> None:
        unusable = Unusable(point.name, _distribution(point), reason, details)
        if unusable not in self._unusable:
            self._unusable.append(unusable)


class Rules(Reading):
    """The rules of installed games by name, imported when they are first asked for.

    `data` is where games find data from outside them; there are none until a program sets it.
    """

    def __init__(self, games: Mapping[str, GameSpec]) -> None:
        super().__init__({}, self._find)
        self._games = games
        self.data: Data = lambda _: None

    def _class(self, name: str) -> type[Game[Any]]:
        game: type[Game[Any]] = self._games[name].game.load()
        return game

    def _find(self, digest: str) -> bytes | None:
        return self.data(digest)


def _order(point: "EntryPoint") -> tuple[bool, str, str]:
    distribution = _distribution(point)
    return distribution != OURS, point.name, distribution


def _distribution(point: "EntryPoint") -> str:
    return point.dist.name if point.dist else "?"


def _installed() -> "Iterable[EntryPoint]":
    # a slow import, which commands without games skip
    found: Iterable[EntryPoint] = import_module("importlib.metadata").entry_points(group=GROUP)
    return found


GAMES: Final = Registry(_installed)
RULES: Final = Rules(GAMES)
