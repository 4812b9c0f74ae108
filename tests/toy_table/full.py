"""The toy game's full screen, as `ui.full.drawing.BoardView` asks for it."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from p2p_shanghaien.games.api import Step
from p2p_shanghaien.ui.full.drawing import BoardView, Canvas, MenuItem
from p2p_shanghaien.ui.view import Seating
from tests.toy import State
from tests.toy_table.table import standing


class ToyBoardView(BoardView[State]):
    def heading(self, state: State, seating: Seating) -> str:
        return standing(state, seating)

    def offers(self, state: State, player: int, seating: Seating) -> Sequence[MenuItem]:
        return [MenuItem(action, action[0], "", action) for action in state.legal(player)]

    def board(
        self,
        state: State,
        seating: Seating,
        offers: Sequence[MenuItem],
        picked: str | None,
        canvas: Canvas,
        *,
        ended: bool = False,
    ) -> Sequence[Text]:
        return [Text(standing(state, seating))]

    def scores(self, state: State, seating: Seating, canvas: Canvas) -> Sequence[Text]:
        return [Text(f"{label} {points}") for label, points in zip(seating.labels, state.scores, strict=True)]

    def overview(self, before: State, step: Step, seating: Seating, canvas: Canvas) -> Sequence[Text]:
        return ()

    def frames(self, before: State, step: Step, after: State) -> Iterable[State]:
        return ()


BOARD_VIEW = ToyBoardView()
