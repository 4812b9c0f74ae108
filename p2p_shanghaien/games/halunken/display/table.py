"""Halunken's table, a `ui.view.Table`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from rich.text import Text

from p2p_shanghaien.games.api import Drawn, Step
from p2p_shanghaien.games.halunken.display import answers, choices, draw, panels, picture, story, view
from p2p_shanghaien.games.halunken.happenings import DensFilled, HandScored, RoundBegan
from p2p_shanghaien.games.halunken.rogues import score
from p2p_shanghaien.games.halunken.rulebook import RULES
from p2p_shanghaien.games.halunken.rules import ROUNDS, Phase, State, happenings
from p2p_shanghaien.ui.picture import Picture
from p2p_shanghaien.ui.view import Choice, News, Question, Table, Viewpoint
from p2p_shanghaien.ui.words import say


class HalunkenTable(Table[State]):
    """Halunken & Spelunken in plain mode and as a picture."""

    def news(self, before: State, step: Step, after: State, viewpoint: Viewpoint) -> Iterator[News]:  # noqa: ARG002
        return story.news(before, step, viewpoint)

    depth: ClassVar[int] = 3
    """Hands, rounds (0 is the setup), and decisions."""
    first: ClassVar[int] = 1

    def opens(self, before: State, step: Step) -> int | None:
        if isinstance(step, Drawn):
            return None
        if before.phase == Phase.PLACE and before.captains == (0, 0):
            return 0
        auction = before.phase == Phase.AUCTION and not before.bid and before.player == before.opener
        simple = before.phase == Phase.CHOICE and not before.options.blackjack
        return 1 if auction or simple else 2

    def position(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return list(draw.position(view.view(state), viewpoint))

    def overview(self, before: State, step: Step, viewpoint: Viewpoint) -> Sequence[Text]:
        scored = _scored(before, step)
        if scored is None or scored.hand == before.options.hands:
            return ()
        return list(draw.scoring(_scoring(before, scored), viewpoint))

    def ending(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return list(draw.scoring(view.scoring(state.crews, state.hand, state.options.hands, state.scores), viewpoint))

    def picture(
        self, state: State, viewpoint: Viewpoint, before: State | None = None, *, ended: bool = False
    ) -> Picture:
        return picture.picture(state, before, viewpoint, ended=ended)

    def choices(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:
        return choices.choices(state, player, viewpoint)

    def summary(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[str]:
        return list(choices.summary(state, player, viewpoint))

    def task(self, state: State, player: int, viewpoint: Viewpoint) -> str:  # noqa: ARG002
        awaited = panels.awaited(state, viewpoint)
        return say("sentence", start=awaited[:1], rest=awaited[1:])

    def is_untold(self, before: State, step: Step, after: State) -> bool:  # noqa: ARG002
        """True once the dens are turned up, and where a further round begins."""
        follow = happenings(before, step)
        return any(
            isinstance(each, DensFilled) or (isinstance(each, RoundBegan) and each.state.round > 1) for each in follow
        )

    questions: ClassVar[Sequence[Question]] = answers.QUESTIONS

    def points(self, state: State) -> tuple[int, int]:
        first, second = (state.scores[player] + score(state.crews[player]).points for player in (0, 1))
        return first, second

    def refusal(self, state: State, player: int, text: str) -> News:
        return choices.refusal(state, player, text)

    def legend(self, viewpoint: Viewpoint) -> Sequence[str]:
        sides = {"near": viewpoint.who(viewpoint.near), "far": viewpoint.who(viewpoint.far)}
        marks = {"near_mark": viewpoint.charset.near, "far_mark": viewpoint.charset.far}
        return (
            say("halunken:legend_ring", **sides, **marks),
            say("halunken:legend_dens", nothing=viewpoint.charset.nothing),
            say("halunken:legend_colours"),
            say("halunken:legend_cards", nothing=viewpoint.charset.nothing),
            say("halunken:legend_points"),
        )

    rules: ClassVar[Iterable[str]] = RULES


def _scored(before: State, step: Step) -> HandScored | None:
    """Return the outcome of the hand that `step` ended, if it ended one."""
    if before.round != ROUNDS:
        return None
    return next((each for each in happenings(before, step) if isinstance(each, HandScored)), None)


def _scoring(before: State, scored: HandScored) -> view.Scoring:
    first, second = (before.scores[player] + scored.points[player] for player in (0, 1))
    return view.scoring(scored.crews, scored.hand, before.options.hands, (first, second))


TABLE: Final = HalunkenTable()
