"""The games there are. A name from a peer or a file is looked up here; it never becomes an import path by itself."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from p2p_shanghaien.games.api import Game

_PLACES: Final = {"shanghaien": ("p2p_shanghaien.games.shanghaien", "Shanghaien")}


class Catalogue(Mapping[str, type[Game]]):
    """Name to game; a game's package is imported when it is first asked for."""

    def __getitem__(self, name: str) -> type[Game]:
        module, attribute = _PLACES[name]
        game: type[Game] = getattr(import_module(module), attribute)
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


CATALOGUE: Final = Catalogue()
