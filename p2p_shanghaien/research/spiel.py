"""Games for OpenSpiel.

The parameters of a game are its options. Actions are the numbers of the game's; where both players choose at the same
time, the node is simultaneous. Returns are 1 for the winner, -1 for the other, 0 for a draw.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyspiel

from p2p_shanghaien.games.api import Chance, Simultaneous, Terminal, Turn
from p2p_shanghaien.research.numbers import Numbers, Startable

__all__ = ["PLAYERS", "GameObserver", "GameState", "Limits", "SpielGame", "game_type"]

PLAYERS: Final = 2


def game_type(name: str, title: str, dynamics: Any, parameters: Mapping[str, Any]) -> Any:
    """Return the type of a game of draws for two players, in which everything that has happened is open."""
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=dynamics,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=PLAYERS,
        min_num_players=PLAYERS,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class Limits(NamedTuple):
    """The most outcomes of a chance event, and the most decisions and chance events of a game."""

    outcomes: int
    decisions: int
    """Simultaneous ones count once."""
    events: int


class SpielGame(pyspiel.Game):
    """A game, `rules`, with its options `params`."""

    def __init__(
        self, kind: Any, rules: Startable, numbers: Numbers, limits: Limits, params: Mapping[str, Any]
    ) -> None:
        info = pyspiel.GameInfo(
            num_distinct_actions=len(numbers.actions),
            max_chance_outcomes=limits.outcomes,
            num_players=PLAYERS,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=limits.decisions,
        )
        super().__init__(kind, info, params)
        self.rules = rules
        self.numbers = numbers
        self._limits = limits

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "GameObserver":  # noqa: ARG002
        return GameObserver(self.numbers, params)

    def max_chance_nodes_in_history(self) -> int:
        return self._limits.events


class GameState(pyspiel.State):
    """A position, and the part of the next draw that has been drawn: `drawn`, as indices."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._numbers = game.numbers
        self.position = game.rules.start()
        self.drawn: tuple[int, ...] = ()

    @abstractmethod
    def indices(self, outcome: int) -> tuple[int, ...]:
        """Return the indices of the draw that a chance outcome stands for."""

    @abstractmethod
    def outcome_to_string(self, outcome: int) -> str:
        """Return a chance outcome in the game's notation."""

    def current_player(self) -> int:
        match self.position.node:
            case Turn(player):
                return player
            case Simultaneous():
                return int(pyspiel.PlayerId.SIMULTANEOUS)
            case Terminal():
                return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        return isinstance(self.position.node, Terminal)

    def _legal_actions(self, player: int) -> list[int]:
        legal = set(self.position.legal(player))
        return [number for number, action in enumerate(self._numbers.actions) if action in legal]

    def _apply_action(self, action: int) -> None:
        node = self.position.node
        if not isinstance(node, Chance):
            self.position = self.position.apply(self._numbers.actions[action])
            return
        self.drawn += self.indices(action)
        if len(self.drawn) == len(node.bounds):
            self.position, self.drawn = self.position.apply_chance(self.drawn), ()

    def _apply_actions(self, actions: Sequence[int]) -> None:
        first, second = (self._numbers.actions[action] for action in actions)
        self.position = self.position.apply_joint((first, second))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.outcome_to_string(action)
        return self._numbers.actions[action]

    def returns(self) -> list[float]:
        over = self.position.node
        if not isinstance(over, Terminal) or over.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if over.winner == 0 else [-1.0, 1.0]


class GameObserver:
    """The observer for either player, as OpenSpiel's `observation` module requires it."""

    def __init__(self, numbers: Numbers, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self._numbers = numbers
        self.tensor = np.zeros(numbers.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GameState, player: int) -> None:
        self.tensor[:] = self._numbers.observation(state.position, player)

    def string_from(self, state: GameState, player: int) -> str:
        return f"player {player}\n{state}"
