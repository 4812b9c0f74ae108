"""Shanghaien's table, a `ui.view.Table`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from rich.text import Text

from p2p_shanghaien.games.api import Acted, Drawn, Step
from p2p_shanghaien.games.shanghaien.display import answers, choices, draw, picture, story, view
from p2p_shanghaien.games.shanghaien.rulebook import RULES
from p2p_shanghaien.games.shanghaien.rules import SHANGHAI, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import scores
from p2p_shanghaien.ui.picture import Picture
from p2p_shanghaien.ui.view import Choice, News, Question, Table, Viewpoint
from p2p_shanghaien.ui.words import say


class ShanghaienTable(Table[State]):
    """Shanghaien in plain mode and as a picture."""

    def news(self, before: State, step: Step, after: State, viewpoint: Viewpoint) -> Iterator[News]:
        return story.news(before, step, after, viewpoint)

    depth: ClassVar[int] = 2

    def opens(self, before: State, step: Step) -> int | None:
        if isinstance(step, Drawn):
            return 0 if before.phase == Phase.ROW else None
        return 1 if before.phase == Phase.TURN else None

    def position(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return list(draw.position(view.view(state), viewpoint))

    def overview(self, before: State, step: Step, viewpoint: Viewpoint) -> Sequence[Text]:
        if not isinstance(step, Acted) or step.action != SHANGHAI:
            return ()
        return list(draw.overview(view.overview(before), viewpoint))

    def ending(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return list(draw.ending(view.scoring(state), viewpoint))

    def picture(
        self, state: State, viewpoint: Viewpoint, before: State | None = None, *, ended: bool = False
    ) -> Picture:
        round_ended = None
        if before is not None and before.row and not state.row:
            round_ended = view.view(before)
        return picture.picture(view.view(state, ended=ended), round_ended, viewpoint)

    def choices(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:
        return list(choices.choices(state, player, viewpoint))

    def task(self, state: State, player: int, viewpoint: Viewpoint) -> str:
        return str(viewpoint.news("shanghaien:has_turn", player)) if state.phase == Phase.TURN else ""

    questions: ClassVar[Sequence[Question]] = answers.QUESTIONS

    def points(self, state: State) -> tuple[int, int]:
        return scores(state.crews, state.tricks)

    def refusal(self, state: State, player: int, text: str) -> News:
        return choices.refusal(state, player, text)

    def legend(self, viewpoint: Viewpoint) -> Sequence[str]:
        sides = {"near": viewpoint.who(viewpoint.near), "far": viewpoint.who(viewpoint.far)}
        return (
            say("shanghaien:legend_sides", **sides),
            say("shanghaien:legend_open"),
            say(
                "shanghaien:legend_arrows", far_arrow=viewpoint.charset.far, near_arrow=viewpoint.charset.near, **sides
            ),
            say("shanghaien:legend_overview"),
            say("shanghaien:legend_scores"),
            say("shanghaien:legend_points"),
        )

    rules: ClassVar[Iterable[str]] = RULES


TABLE: Final = ShanghaienTable()
