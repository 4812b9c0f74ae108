"""Shanghaien for OpenSpiel: importing this module registers the game `python_shanghaien`.

Its parameters are the game's options, `variant` and `tricks`. Each card is one chance event, distinct as far as cards
differ; a roll is one event, its dice ascending. Actions are indices into `numbers.ACTIONS`. Returns are 1 for the
winner, -1 for the other, 0 for a draw.
"""

from typing import Any, Final

import numpy as np
import pyspiel

from p2p_shanghaien.games.api import Terminal, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.research.numbers import ACTIONS, CARDS, ROLLS, SIZE, number, observation
from p2p_shanghaien.games.shanghaien.rules import DICE, ROUNDS, ROW, Phase

SHORT_NAME: Final = "python_shanghaien"
_PLAYERS: Final = 2
_MOST_ROLLS: Final = DICE - 1
"""The most rolls of a player in a round, each of which leaves a die on a card: the last die cannot be rolled."""
_DEFAULTS: Final = {setting.name: setting.default for setting in Shanghaien.SETTINGS}

_GAME_TYPE: Final = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Shanghaien",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=_PLAYERS,
    min_num_players=_PLAYERS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)
_GAME_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=len(ACTIONS),
    max_chance_outcomes=max(len(CARDS), len(ROLLS)),
    num_players=_PLAYERS,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    # each roll is decided on and placed; a trick each; and Shanghai
    max_game_length=ROUNDS * (_PLAYERS * (2 * _MOST_ROLLS + 1) + 1),
)


class ShanghaienGame(pyspiel.Game):
    """The game with its options."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(_GAME_TYPE, _GAME_INFO, params or {})
        self.rules = Shanghaien.from_settings({**_DEFAULTS, **(params or {})})

    def new_initial_state(self) -> "ShanghaienState":
        return ShanghaienState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "ShanghaienObserver":  # noqa: ARG002
        return ShanghaienObserver(params)

    def max_chance_nodes_in_history(self) -> int:
        return ROUNDS * (ROW + _PLAYERS * (_MOST_ROLLS + 1))


class ShanghaienState(pyspiel.State):
    """A position, and the part of the next row that has been drawn."""

    def __init__(self, game: ShanghaienGame) -> None:
        super().__init__(game)
        self.position = game.rules.start()
        self._drawn: tuple[int, ...] = ()
        self._left = self.position.pile

    def current_player(self) -> int:
        match self.position.node:
            case Turn(player):
                return player
            case Terminal():
                return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        return self.position.phase == Phase.OVER

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if self.position.phase == Phase.ROW:
            counts = [self._left.count(card) for card in CARDS]
            return [(card, count / len(self._left)) for card, count in enumerate(counts) if count]
        return [(roll, (1 if low == high else 2) / DICE**2) for roll, (low, high) in enumerate(ROLLS)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(map(number, self.position.legal(player)))

    def _apply_action(self, action: int) -> None:
        if self.position.phase == Phase.ROW:
            self._draw(CARDS[action])
        elif self.is_chance_node():
            low, high = ROLLS[action]
            self.position = self.position.apply_chance((low - 1, high - 1))
        else:
            self.position = self.position.apply(ACTIONS[action])
            self._left = self.position.pile

    def _draw(self, card: str) -> None:
        index = self._left.index(card)
        self._drawn += (index,)
        self._left = (*self._left[:index], *self._left[index + 1 :])
        if len(self._drawn) == ROW:
            self.position = self.position.apply_chance(self._drawn)
            self._drawn = ()

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return ACTIONS[action]
        return CARDS[action] if self.position.phase == Phase.ROW else "".join(map(str, ROLLS[action]))

    def returns(self) -> list[float]:
        over = self.position.node
        if not isinstance(over, Terminal) or over.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if over.winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        fields = self.position._asdict() | {"pile": " ".join(self._left), "drawn": self._drawn}
        return "\n".join(f"{name}: {value}" for name, value in fields.items())


class ShanghaienObserver:
    """The observer for either player, as OpenSpiel's `observation` module requires it."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self.tensor = np.zeros(SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: ShanghaienState, player: int) -> None:
        self.tensor[:] = observation(state.position, player)

    def string_from(self, state: ShanghaienState, player: int) -> str:
        return f"player {player}\n{state}"


pyspiel.register_game(_GAME_TYPE, ShanghaienGame)
