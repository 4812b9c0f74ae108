"""The games that can be shown, each a package of its own: one line here, loaded when it is first asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from p2p_shanghaien.ui.full.parts import Spread
    from p2p_shanghaien.ui.view import Table
    from p2p_shanghaien.ui.words import Template

_PLACES: Final = {"shanghaien": "p2p_shanghaien.ui.tables.shanghaien"}
"""By game name: a package with `table.TABLE` (see `ui.view.Table`), `full.SPREAD` (`ui.full.parts.Spread`) and
`words.WORDS`."""


def table(game: str) -> "Table":
    """The table of the game of that name. Raises KeyError where it has none."""
    found: Table = _part(game, "table").TABLE
    return found


def spread(game: str) -> "Spread":
    """The full screen's table of the game of that name. Raises KeyError where it has none."""
    found: Spread = _part(game, "full").SPREAD
    return found


def words() -> Iterator[Mapping[str, "Template"]]:
    """The words of each game's own, without what draws it."""
    for game in _PLACES:
        yield _part(game, "words").WORDS


def _part(game: str, name: str) -> Any:
    return import_module(f"{_PLACES[game]}.{name}")
