"""The toy game's full screen, as `ui.full.parts.Spread` asks for it."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from p2p_shanghaien.games.api import Step
from p2p_shanghaien.ui.full.parts import Drawing, Offer, Paper, Spread
from p2p_shanghaien.ui.view import Seating
from tests.toy import State
from tests.toy_table.table import standing


class ToySpread(Spread[State]):
    def heading(self, state: State, seating: Seating) -> str:
        return standing(state, seating)

    def offers(self, state: State, player: int, legal: Sequence[str], seating: Seating) -> Sequence[Offer]:
        return [Offer(action, action[0], "", action) for action in legal]

    def board(
        self,
        state: State,
        seating: Seating,
        offers: Sequence[Offer],
        picked: str | None,
        paper: Paper,
        *,
        ended: bool = False,
    ) -> Drawing:
        return Drawing([Text(standing(state, seating)).copy()])

    def scores(self, state: State, seating: Seating, paper: Paper) -> Sequence[Text]:
        return [Text(f"{label} {points}") for label, points in zip(seating.labels, state.scores, strict=True)]

    def overview(self, before: State, step: Step, seating: Seating, paper: Paper) -> Sequence[Text]:
        return ()

    def falling(self, before: State, step: Step, after: State) -> Iterable[State]:
        return ()


SPREAD = ToySpread()
