"""Tables of the installed games, loaded when first asked for."""

from typing import TYPE_CHECKING, Any

from p2p_shanghaien.games.registry import GAMES

if TYPE_CHECKING:
    from p2p_shanghaien.ui.full.drawing import BoardView
    from p2p_shanghaien.ui.view import Table


def table(game: str) -> "Table[Any]":
    """Return the table of the game of that name. Raises KeyError for an unknown one, LocalError for a broken one."""
    found: Table[Any] = GAMES[game].table.load()
    return found


def board_view(game: str) -> "BoardView[Any]":
    """Return the full screen's table of the game of that name. Raises as `table`."""
    found: BoardView[Any] = GAMES[game].board.load()
    return found
