"""Pig in words, for plain mode, and what every kind of screen says of it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Final

from rich.text import Text

from p2p_shanghaien.games.api import Acted, Drawn, Step
from p2p_shanghaien.ui.picture import Picture
from p2p_shanghaien.ui.view import Choice, News, Table, Viewpoint, columns
from p2p_shanghaien.ui.words import say
from shanghaien_pig import picture
from shanghaien_pig.rules import HOLD, ROLL, State

COLUMNS: Final = (22, 12, 14, 10)
"""Cells of the columns: a name, banked points, those of this turn, those to go. Translations fit them."""
RULES: Final = ("rules_title", "rules_aim", "rules_turn", "rules_end", "rules_typing")


class PigTable(Table[State]):
    """Pig, line by line and as a picture."""

    depth: ClassVar[int] = 1
    """A place is named by its turn alone."""

    def opens(self, before: State, step: Step) -> int | None:
        return 0 if isinstance(step, Acted) and not before.total else None

    def news(self, before: State, step: Step, after: State, viewpoint: Viewpoint) -> Iterator[News]:
        player = before.player
        match step:
            case Acted(_, action) if action == HOLD:
                yield viewpoint.news("pig:held", player, total=before.total, score=before.reach)
            case Drawn() if after.player != player:
                yield viewpoint.news("pig:bust", player, count=before.total)
            case Drawn():
                yield viewpoint.news("pig:rolled", player, die=after.die, total=after.total)

    def is_untold(self, before: State, step: Step, after: State) -> bool:  # noqa: ARG002
        """False: the news say everything that changes, so plain mode need not repeat the table."""
        return False

    def points(self, state: State) -> tuple[int, int]:
        return state.scores

    def position(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        heads = [viewpoint.charset.say(f"pig:{code}") for code in ("banked", "this_turn", "missing")]
        lines = [
            Text(viewpoint.charset.say("pig:first_to", goal=state.goal), "bold"),
            columns(["", *heads], COLUMNS),
            *(_standing(state, player, viewpoint) for player in (viewpoint.far, viewpoint.near)),
        ]
        return [*lines, Text(viewpoint.charset.say("pig:die_shows", die=state.die))] if state.die else lines

    def ending(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return self.position(state, viewpoint)

    def picture(
        self,
        state: State,
        viewpoint: Viewpoint,
        before: State | None = None,  # noqa: ARG002
        *,
        ended: bool = False,
    ) -> Picture:
        return picture.picture(state, viewpoint, ended=ended)

    def choices(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:  # noqa: ARG002
        return [Choice(action, meaning(state, action)) for action in state.legal(player)]

    def refusal(self, state: State, player: int, text: str) -> News:  # noqa: ARG002
        if text == HOLD:
            return News("pig:refuse_hold")
        if text == ROLL:
            return News("pig:refuse_roll", {"score": state.reach})
        return News("not_a_choice", {"text": text})

    def legend(self, viewpoint: Viewpoint) -> Sequence[str]:  # noqa: ARG002
        return say("pig:legend_banked"), say("pig:legend_missing")

    rules: ClassVar[Iterable[str]] = RULES


def meaning(state: State, action: str) -> str:
    """Return what a legal action does, in words."""
    if action == ROLL:
        return say("pig:choose_roll")
    return say(
        "pig:choose_win" if state.reach >= state.goal else "pig:choose_hold", total=state.total, score=state.reach
    )


def _standing(state: State, player: int, viewpoint: Viewpoint) -> Text:
    score = state.scores[player]
    total = state.total if player == state.player else 0
    name = viewpoint.charset.cut(viewpoint.who(player), COLUMNS[0] - 1)
    cells = [name, str(score), str(total or viewpoint.charset.nothing), str(max(state.goal - score, 0))]
    line = columns(cells, COLUMNS)
    line.stylize("bold", 0, len(name))
    return line


TABLE: Final = PigTable()
