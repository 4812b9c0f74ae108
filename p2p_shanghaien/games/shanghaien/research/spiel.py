"""Shanghaien for OpenSpiel: importing this module registers the game `python_shanghaien`.

Its parameters are the game's options, `variant` and `tricks`. Each card is one chance event, distinct as far as cards
differ; a roll is one event, its dice ascending. Actions are indices into `numbers.ACTIONS`.
"""

from typing import Any, Final

import pyspiel

from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.research.numbers import CARDS, NUMBERS, ROLLS
from p2p_shanghaien.games.shanghaien.rules import DICE, ROUNDS, ROW, Phase
from p2p_shanghaien.research.spiel import PLAYERS, GameState, Limits, SpielGame, game_type

SHORT_NAME: Final = "python_shanghaien"
_MOST_ROLLS: Final = DICE - 1
"""The most rolls of a player in a round, each of which leaves a die on a card: the last die cannot be rolled."""
_LIMITS: Final = Limits(
    outcomes=max(len(CARDS), len(ROLLS)),
    # each roll is decided on and placed; a trick each; and Shanghai
    decisions=ROUNDS * (PLAYERS * (2 * _MOST_ROLLS + 1) + 1),
    events=ROUNDS * (ROW + PLAYERS * (_MOST_ROLLS + 1)),
)
_DEFAULTS: Final = {setting.name: setting.default for setting in Shanghaien.SETTINGS}
_GAME_TYPE: Final = game_type(SHORT_NAME, "Shanghaien", pyspiel.GameType.Dynamics.SEQUENTIAL, _DEFAULTS)


class ShanghaienGame(SpielGame):
    """The game with its options."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        rules = Shanghaien.from_settings({**_DEFAULTS, **(params or {})})
        super().__init__(_GAME_TYPE, rules, NUMBERS, _LIMITS, params or {})

    def new_initial_state(self) -> "ShanghaienState":
        return ShanghaienState(self)


class ShanghaienState(GameState):
    """A position, and the part of the next row that has been drawn."""

    @property
    def _left(self) -> tuple[str, ...]:
        """The cards that have not been drawn."""
        pile = list(self.position.pile)
        for index in self.drawn:
            del pile[index]
        return tuple(pile)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.position.phase == Phase.ROW:
            left = self._left
            counts = [left.count(card) for card in CARDS]
            return [(card, count / len(left)) for card, count in enumerate(counts) if count]
        return [(roll, (1 if low == high else 2) / DICE**2) for roll, (low, high) in enumerate(ROLLS)]

    def indices(self, outcome: int) -> tuple[int, ...]:
        if self.position.phase == Phase.ROW:
            return (self._left.index(CARDS[outcome]),)
        low, high = ROLLS[outcome]
        return low - 1, high - 1

    def outcome_to_string(self, outcome: int) -> str:
        return CARDS[outcome] if self.position.phase == Phase.ROW else "".join(map(str, ROLLS[outcome]))

    def __str__(self) -> str:
        fields = self.position._asdict() | {"pile": " ".join(self._left), "drawn": self.drawn}
        return "\n".join(f"{name}: {value}" for name, value in fields.items())


pyspiel.register_game(_GAME_TYPE, ShanghaienGame)
