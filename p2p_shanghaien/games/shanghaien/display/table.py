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
from p2p_shanghaien.ui.view import Choice, News, Question, Seating, Table
from p2p_shanghaien.ui.words import say


class ShanghaienTable(Table[State]):
    """Shanghaien in plain mode and as a picture."""

    def news(self, before: State, step: Step, after: State, seating: Seating) -> Iterator[News]:
        return story.news(before, step, after, seating)

    depth: ClassVar[int] = 2

    def opens(self, before: State, step: Step) -> int | None:
        if isinstance(step, Drawn):
            return 0 if before.phase == Phase.ROW else None
        return 1 if before.phase == Phase.TURN else None

    def position(self, state: State, seating: Seating) -> Sequence[Text]:
        return list(draw.position(view.view(state), seating))

    def overview(self, before: State, step: Step, seating: Seating) -> Sequence[Text]:
        if not isinstance(step, Acted) or step.action != SHANGHAI:
            return ()
        return list(draw.overview(view.overview(before), seating))

    def ending(self, state: State, seating: Seating) -> Sequence[Text]:
        return list(draw.ending(view.scoring(state), seating))

    def picture(self, state: State, seating: Seating, before: State | None = None, *, ended: bool = False) -> Picture:
        round_ended = None
        if before is not None and before.row and not state.row:
            round_ended = view.view(before)
        return picture.picture(view.view(state, ended=ended), round_ended, seating)

    def choices(self, state: State, player: int, seating: Seating) -> Sequence[Choice]:
        return list(choices.choices(state, player, seating))

    def task(self, state: State, player: int, seating: Seating) -> str:
        return str(seating.news("shanghaien:has_turn", player)) if state.phase == Phase.TURN else ""

    questions: ClassVar[Sequence[Question]] = answers.QUESTIONS

    def points(self, state: State) -> tuple[int, int]:
        return scores(state.crews, state.tricks)

    def refusal(self, state: State, player: int, text: str) -> News:
        return choices.refusal(state, player, text)

    def legend(self, seating: Seating) -> Sequence[str]:
        sides = {"near": seating.who(seating.near), "far": seating.who(seating.far)}
        return (
            say("shanghaien:legend_sides", **sides),
            say("shanghaien:legend_open"),
            say("shanghaien:legend_arrows", far_arrow=seating.charset.far, near_arrow=seating.charset.near, **sides),
            say("shanghaien:legend_overview"),
            say("shanghaien:legend_scores"),
            say("shanghaien:legend_points"),
        )

    rules: ClassVar[Iterable[str]] = RULES


TABLE: Final = ShanghaienTable()
