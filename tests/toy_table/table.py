"""The toy game's table, as `ui.view.Table` asks for it."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from p2p_shanghaien.games.api import Acted, Chosen, Drawn, Step
from p2p_shanghaien.ui.picture import Panel, Part, Picture, join, label
from p2p_shanghaien.ui.view import Choice, News, Table, Viewpoint
from p2p_shanghaien.ui.words import say
from tests.toy import State


def standing(state: State, viewpoint: Viewpoint) -> str:
    first, second = viewpoint.labels
    return viewpoint.charset.say(
        "toy:standing", left=state.left, first=first, score=state.scores[0], second=second, other=state.scores[1]
    )


class ToyTable(Table[State]):
    def news(self, before: State, step: Step, after: State, viewpoint: Viewpoint) -> Iterator[News]:
        match step:
            case Acted(player, action):
                yield viewpoint.news("toy:acted", player, action=action)
            case Chosen(actions):
                yield News("toy:bids", {"bids": " ".join(actions)})
            case Drawn(indices):
                yield News("toy:drawn", {"indices": " ".join(map(str, indices))})

    depth = 1

    def opens(self, before: State, step: Step) -> int | None:
        return 0 if isinstance(step, Chosen) else None

    def position(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return [Text(standing(state, viewpoint))]

    def ending(self, state: State, viewpoint: Viewpoint) -> Sequence[Text]:
        return [Text(standing(state, viewpoint))]

    def picture(
        self, state: State, viewpoint: Viewpoint, before: State | None = None, *, ended: bool = False
    ) -> Picture:
        words = standing(state, viewpoint)
        panel = Panel("toy:panel", 640, 40, (Part(label(10, 25, words, 20, 620), words),))
        return Picture(join(()), (panel,))

    def choices(self, state: State, player: int, viewpoint: Viewpoint) -> Sequence[Choice]:
        return [Choice(action, say("toy:do", action=action)) for action in state.legal(player)]

    def refusal(self, state: State, player: int, text: str) -> News:
        return News("toy:refused", {"text": text})

    def legend(self, viewpoint: Viewpoint) -> Sequence[str]:
        return (say("toy:legend"),)

    rules = ("rules",)


TABLE = ToyTable()
