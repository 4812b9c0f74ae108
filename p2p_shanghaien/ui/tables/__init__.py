"""Tables and words of the installed games, loaded when first asked for."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.games.registry import GAMES

if TYPE_CHECKING:
    from p2p_shanghaien.ui.full.parts import Spread
    from p2p_shanghaien.ui.view import Table
    from p2p_shanghaien.ui.words import Template


def table(game: str) -> "Table":
    """Return the table of the game of that name. Raises KeyError for an unknown one, LocalError for a broken one."""
    found: Table = GAMES[game].table.load()
    return found


def spread(game: str) -> "Spread":
    """Return the full screen's table of the game of that name. Raises as `table`."""
    found: Spread = GAMES[game].board.load()
    return found


def words() -> Iterator[Mapping[str, "Template"]]:
    """Return the words of each game that has any, without what draws it."""
    for spec in GAMES.values():
        try:
            yield spec.words.load()
        except LocalError:
            # a game without words is told of where it is played, and takes no other game's
            continue
