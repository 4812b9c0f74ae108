"""The toy game's full screen, as `ui.full.drawing.BoardView` asks for it."""

from collections.abc import Sequence

from rich.text import Text

from p2p_shanghaien.ui.full.drawing import ActionMenu, BoardView, Canvas, MenuItem
from p2p_shanghaien.ui.view import Viewpoint
from tests.toy import State
from tests.toy_table.table import standing


class ToyBoardView(BoardView[State]):
    def heading(self, state: State, viewpoint: Viewpoint) -> str:
        return standing(state, viewpoint)

    def menu_items(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[MenuItem]:
        return [MenuItem(action, action[0], "", action) for action in state.legal(player)]

    def board(
        self, state: State, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool = False
    ) -> Sequence[Text]:
        return [Text(standing(state, viewpoint))]

    def scores(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        return [Text(f"{label} {points}") for label, points in zip(viewpoint.labels, state.scores, strict=True)]


BOARD_VIEW = ToyBoardView()
