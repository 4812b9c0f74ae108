"""Pig at the full screen: for each player a track to the goal, and between them the die."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.games.api import Drawn, Step
from p2p_shanghaien.ui.full.drawing import ActionMenu, BoardView, Canvas, MenuItem, clickable, large_die
from p2p_shanghaien.ui.view import Viewpoint
from shanghaien_pig.rules import HOLD, ROLL, State
from shanghaien_pig.table import meaning

KEYS: Final = {ROLL: "r", HOLD: "b"}
"""`b` for bank: `h` asks for a hint."""

MARGIN: Final = "   "
TRACK: Final = 73
"""Cells of the whole way to the goal."""
TALL: Final = 20
"""Lines of the screen from which on tracks are two lines high."""

_TUMBLES: Final = (3, 5, 1, 6, 2, 4)
"""The faces that the die shows while it falls."""


class PigBoard(BoardView[State]):
    """Pig at the full screen."""

    def heading(self, state: State, viewpoint: Viewpoint) -> str:
        return viewpoint.charset.say("pig:first_to", goal=state.goal)

    def menu_items(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[MenuItem]:  # noqa: ARG002
        return [MenuItem(action, KEYS[action], "", meaning(state, action)) for action in state.legal(player)]

    def board(
        self, state: State, viewpoint: Viewpoint, menu: ActionMenu, canvas: Canvas, *, ended: bool = False
    ) -> Sequence[Text]:
        looks = {action: canvas.text_styles.marked(menu.mark(action), "") for action in menu.actions}
        lines = [Text(), *_side(state, viewpoint.far, viewpoint, {}, canvas), Text()]
        for action, part in (
            (ROLL, [] if ended else _die(state.die, looks.get(ROLL, canvas.text_styles.object), canvas)),
            (HOLD, _side(state, viewpoint.near, viewpoint, looks, canvas)),
        ):
            lines += [*(clickable(line, action) if action in looks else line for line in part), Text()]
        return lines

    def scores(self, state: State, viewpoint: Viewpoint, canvas: Canvas) -> Sequence[Text]:
        lines = []
        for player in (viewpoint.far, viewpoint.near):
            name = viewpoint.charset.cut(viewpoint.who(player), 20)
            line = Text.assemble((name, canvas.text_styles.side(player, viewpoint)))
            line.align("left", 21)
            lines.append(line.append(_points(state, player)))
        return lines

    def frames(self, before: State, step: Step, after: State) -> Iterator[State]:  # noqa: ARG002
        if isinstance(step, Drawn):
            for face in _TUMBLES:
                yield before._replace(die=face)


def _side(state: State, player: int, viewpoint: Viewpoint, looks: Mapping[str, str], canvas: Canvas) -> list[Text]:
    """Draw a player's name and points, and the track: banked points solid, those of this turn lighter behind them."""
    style = canvas.text_styles.side(player, viewpoint)
    name = Text.assemble((f" {viewpoint.mark(player)} {viewpoint.charset.cut(viewpoint.who(player), 40)}", style))
    points = Text.assemble((_points(state, player), looks.get(HOLD, canvas.text_styles.strong)))
    points.align("right", len(MARGIN) + TRACK - name.cell_len)
    solid, lighter, empty = "#+." if canvas.charset.ascii_only else "█▒·"
    banked = min(TRACK * state.scores[player] // state.goal, TRACK)
    reached = min(TRACK * state.reach // state.goal, TRACK) if player == state.player else banked
    track = Text.assemble(
        MARGIN,
        (solid * banked, style),
        (lighter * (reached - banked), style),
        (empty * (TRACK - reached), canvas.text_styles.quiet),
    )
    return [name.append_text(points), *[track] * (2 if canvas.height >= TALL else 1)]


def _points(state: State, player: int) -> str:
    """Return the banked points, and those of this turn behind them."""
    more = f" + {state.total}" if player == state.player and state.total else ""
    return f" {state.scores[player]}{more} "


def _die(face: int, style: str, canvas: Canvas) -> list[Text]:
    return [Text.assemble(MARGIN, row) for row in large_die(face, canvas, style)]


BOARD: Final = PigBoard()
