"""Shadows of Macao for OpenSpiel: importing this module registers the game `python_macao`.

It has no parameters: the cards are the reconstructed ones. Actions are indices into `numbers.ACTIONS`; a payment is
made card by card (`steps`). Each tile and each card that is drawn is one chance event: its outcome is the place of the
tile or the card in file order, and its probability that of any of its copies.
"""

from collections import Counter
from typing import Any, Final

import pyspiel

from p2p_shanghaien.games.macao.research.numbers import CARDS, NUMBERED, TILES
from p2p_shanghaien.games.macao.research.steps import MacaoInSteps
from p2p_shanghaien.games.macao.rules import LAST_ROUND, OFFERED, PILES, Phase
from p2p_shanghaien.research.spiel import GameState, Limits, SpielGame, game_type

SHORT_NAME: Final = "python_macao"
_GAME_TYPE: Final = game_type(SHORT_NAME, "Shadows of Macao", pyspiel.GameType.Dynamics.SEQUENTIAL, {})
_MOST_IN_A_TURN: Final = 7
"""The most decisions of a turn: a recruit, four cards that pay, and a dancer's card with a discard."""


class MacaoGame(SpielGame):
    """The game with the reconstructed cards."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        limits = Limits(
            outcomes=len(CARDS),
            decisions=2 * LAST_ROUND * _MOST_IN_A_TURN,
            # each card comes up once at most
            events=OFFERED + sum(PILES),
        )
        super().__init__(_GAME_TYPE, MacaoInSteps(), NUMBERED, limits, params or {})

    def new_initial_state(self) -> "MacaoState":
        return MacaoState(self)


class MacaoState(GameState):
    """A position, and the part of the set-up that has been drawn."""

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left, names = self._left(), self._names()
        return [
            (names.index(name), count / len(left))
            for name, count in sorted(Counter(left).items(), key=lambda at: names.index(at[0]))
        ]

    def indices(self, outcome: int) -> tuple[int, ...]:
        return (self._left().index(self._names()[outcome]),)

    def outcome_to_string(self, outcome: int) -> str:
        name = self._names()[outcome]
        if self._is_tile:
            return f"tile:{name}"
        state = self.position.position
        at = state.pile if state.phase == Phase.TURN_UP else len(self.drawn) - OFFERED
        return f"{at + 1}:{name}"

    @property
    def _is_tile(self) -> bool:
        return self.position.position.phase == Phase.SET_UP and len(self.drawn) < OFFERED

    def _names(self) -> tuple[str, ...]:
        return TILES if self._is_tile else CARDS

    def _left(self) -> list[str]:
        """Return the tiles, or the cards, of which the next one is drawn."""
        is_set_up = self.position.position.phase == Phase.SET_UP
        tiles, cards = list(TILES), list(self.position.position.unseen)
        for number, index in enumerate(self.drawn if is_set_up else ()):
            del (tiles if number < OFFERED else cards)[index]
        return tiles if self._is_tile else cards

    def __str__(self) -> str:
        fields = self.position.position._asdict()
        del fields["deck"]
        fields |= {"unseen": " ".join(fields["unseen"]), "begun": self.position.begun, "drawn": self.drawn}
        return "\n".join(f"{name}: {value}" for name, value in fields.items())


pyspiel.register_game(_GAME_TYPE, MacaoGame)
