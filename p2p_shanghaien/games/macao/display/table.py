"""The table of Shadows of Macao, a `ui.view.Table`."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from rich.text import Text

from p2p_shanghaien.games.api import Acted, Step
from p2p_shanghaien.games.macao.display import answers, choices, draw, picture, story
from p2p_shanghaien.games.macao.happenings import RoundBegan
from p2p_shanghaien.games.macao.rulebook import RULES
from p2p_shanghaien.games.macao.rules import Phase, State, happenings
from p2p_shanghaien.ui.picture import Picture
from p2p_shanghaien.ui.view import Choice, News, Question, Table, Viewpoint
from p2p_shanghaien.ui.words import say


class MacaoTable(Table[State]):
    """Shadows of Macao in plain mode and as a picture."""

    def news(self, before: State, step: Step, after: State, viewpoint: Viewpoint) -> Iterator[News]:
        return story.news(before, step, after, viewpoint)

    depth: ClassVar[int] = 2
    """Rounds, and decisions in them."""
    first: ClassVar[int] = 1

    def opens(self, before: State, step: Step) -> int | None:
        if not isinstance(step, Acted):
            return None
        return 0 if before.phase == Phase.ACTION and before.player == 0 else 1

    def position(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return list(draw.position(state, viewpoint))

    def ending(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return [line for player in (viewpoint.far, viewpoint.near) for line in draw.side(state, player, viewpoint)]

    def picture(
        self,
        state: State,
        viewpoint: Viewpoint,
        before: State | None = None,  # noqa: ARG002
        *,
        ended: bool = False,
    ) -> Picture:
        return picture.picture(state, viewpoint, ended=ended)

    def choices(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:
        return choices.choices(state, player, viewpoint)

    def summary(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[str]:  # noqa: ARG002
        return list(choices.summary(state, player))

    def task(self, state: State, player: int, viewpoint: Viewpoint) -> str:  # noqa: ARG002
        text = draw.status(state, viewpoint)
        return say("sentence", start=text[:1].upper(), rest=text[1:])

    def is_untold(self, before: State, step: Step, after: State) -> bool:  # noqa: ARG002
        """True where a round begins."""
        return any(isinstance(each, RoundBegan) for each in happenings(before, step))

    questions: ClassVar[Sequence[Question]] = answers.QUESTIONS

    def points(self, state: State) -> tuple[int, int]:
        return state.scores

    def refusal(self, state: State, player: int, text: str) -> News:
        return choices.refusal(state, player, text)

    def legend(self, viewpoint: Viewpoint) -> Sequence[str]:
        sides = {
            "near": viewpoint.who(viewpoint.near),
            "far": viewpoint.who(viewpoint.far),
            "near_mark": viewpoint.charset.near,
            "far_mark": viewpoint.charset.far,
        }
        return (
            say("macao:legend_blue"),
            say("macao:legend_red"),
            say("macao:legend_tiles"),
            say("macao:legend_piles", nothing=viewpoint.charset.nothing),
            say("macao:legend_board", **sides, mark="+" if viewpoint.charset.ascii_only else "✓"),
            say("macao:legend_letters"),
            say("macao:legend_deck"),
        )

    rules: ClassVar[Iterable[str]] = RULES


TABLE: Final = MacaoTable()
