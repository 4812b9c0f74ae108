"""Shadows of Macao at the full screen: the table as in plain mode, and the choices by letters and digits."""

from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from p2p_shanghaien.games.api import Action, Step
from p2p_shanghaien.games.macao.display import choices, draw, names
from p2p_shanghaien.games.macao.rules import State
from p2p_shanghaien.ui.full.drawing import BoardView, Canvas, Drawing, MenuItem
from p2p_shanghaien.ui.view import Seating
from p2p_shanghaien.ui.words import say

KEYS: Final = "abcdefgijnprstwxyzABCDEFGIJNPRSTWXYZ"
"""The letters of what can be done: those that no other key of the screen has."""


class MacaoBoardView(BoardView[State]):
    """Shadows of Macao in full-screen mode."""

    def heading(self, state: State, seating: Seating) -> str:
        first, _, kind = draw.heading(state, seating)
        return say("between_parts").join(filter(None, (first, kind)))

    def offers(self, state: State, player: int, legal: Sequence[str], seating: Seating) -> Sequence[MenuItem]:  # noqa: ARG002
        things: dict[tuple[str, str], list[Action]] = {}
        for action in legal:
            verb, thing, _ = choices.parts(action)
            things.setdefault((verb, thing), []).append(action)
        letters = iter(KEYS)
        return [_item(state, verb, thing, actions, letters) for (verb, thing), actions in things.items()]

    def board(
        self,
        state: State,
        seating: Seating,
        offers: Sequence[MenuItem],  # noqa: ARG002
        picked: str | None,  # noqa: ARG002
        canvas: Canvas,
        *,
        ended: bool = False,  # noqa: ARG002
    ) -> Drawing:
        lines: list[Text] = [
            *draw.side(state, seating.far, seating),
            *draw.middle(state, seating),
            *draw.side(state, seating.near, seating),
        ]
        if len(lines) > canvas.height:
            lines = list(draw.compact(state, seating))
        return Drawing([each[: canvas.width] for each in lines])

    def scores(self, state: State, seating: Seating, canvas: Canvas) -> Sequence[Text]:
        lines = []
        for player, style in ((seating.far, canvas.text_styles.far), (seating.near, canvas.text_styles.near)):
            line = Text.assemble((seating.charset.cut(seating.who(player), 20), style))
            line.align("left", 21)
            lines.append(line.append(str(state.scores[player])))
        return lines

    def overview(self, before: State, step: Step, seating: Seating, canvas: Canvas) -> Sequence[Text]:  # noqa: ARG002
        return ()

    def frames(self, before: State, step: Step, after: State) -> Iterator[State]:  # noqa: ARG002
        return iter(())


def _item(state: State, verb: str, thing: str, actions: Sequence[Action], letters: Iterator[str]) -> MenuItem:
    """Return the menu item of a thing that can be done; its payments are the second half, if there are several."""
    group = say(f"macao:offers_{verb}")
    if verb == "take":
        return MenuItem(actions[0], thing, group, names.informant(state.deck.card[state.piles[int(thing) - 1].top]))
    label = thing if verb in ("reserve", "open") else names.informant(state.deck.card[thing])
    if len(actions) == 1:
        return MenuItem(actions[0], next(letters), group, label)
    paid = [
        MenuItem(action, "", say("macao:offers_paid"), names.cards(choices.parts(action)[2]), typed=str(number))
        for number, action in enumerate(actions, start=1)
    ]
    return MenuItem(f"{verb}:{thing}", next(letters), group, label, then=tuple(paid))


BOARD_VIEW: Final = MacaoBoardView()
