"""Games for PettingZoo, as its documentation describes environments.

The agents are `player_0`, who begins, and `player_1`. An action is the number of one of the game's; an observation has
the position of the agent and an `action_mask` of the legal ones. The environment draws by itself, from the seed it is
reset with. At the end the reward is 1 for the winner and -1 for the other, and 0 for both in a draw.

Where both choose at the same time, `player_0` is asked first. What it has chosen is in no observation before `player_1`
has chosen as well.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.spaces import Dict as DictSpace
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from p2p_shanghaien.errors import GameCode, Illegal
from p2p_shanghaien.games.api import Action, Chance, Simultaneous, Terminal, Turn
from p2p_shanghaien.research.numbers import Numbers, Startable

__all__ = ["AGENTS", "GameEnv", "Observation", "checked"]

AGENTS: Final = ("player_0", "player_1")

Observation: TypeAlias = dict[str, Any]


def checked(environment: "GameEnv") -> Any:
    """Return the environment with PettingZoo's checks around it: an illegal action ends the game, and loses it."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1))
    )


class GameEnv(AECEnv[str, Observation, int]):
    """A game; with `render_mode` `ansi`, `render` returns text."""

    def __init__(self, game: Startable, numbers: Numbers, render_mode: str | None) -> None:
        super().__init__()
        self._game = game
        self._numbers = numbers
        self._number = {action: number for number, action in enumerate(numbers.actions)}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        count = len(numbers.actions)
        self.action_spaces = {agent: Discrete(count) for agent in AGENTS}
        self.observation_spaces = {
            agent: DictSpace(
                {"observation": Box(0, 1, (numbers.size,), np.float32), "action_mask": Box(0, 1, (count,), np.int8)}
            )
            for agent in AGENTS
        }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        if seed is not None or not hasattr(self, "np_random"):
            self.np_random, self.np_random_seed = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._chosen: Action | None = None
        """The choice of `player_0`, while `player_1` chooses."""
        self.position = self._game.start()
        """The position."""
        self._go_on()

    def step(self, action: int | None) -> None:
        """Apply the action of that number for `agent_selection`. Raises Illegal."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._act(self._numbers.actions[action])
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        player = AGENTS.index(agent)
        mask = np.zeros(len(self._number), np.int8)
        if agent == self.agent_selection and not self.terminations[agent]:
            mask[[self._number[action] for action in self.position.legal(player)]] = 1
        return {"observation": self._numbers.observation(self.position, player), "action_mask": mask}

    def observation_space(self, agent: str) -> DictSpace:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        return repr(self.position) if self.render_mode == "ansi" else None

    def _act(self, action: Action) -> None:
        if not isinstance(self.position.node, Simultaneous):
            self.position = self.position.apply(action)
        elif self._chosen is None:
            if action not in self.position.legal(0):
                raise Illegal(GameCode.ILLEGAL_ACTION, action=action)
            self._chosen = action
            self.agent_selection = AGENTS[1]
            return
        else:
            self.position = self.position.apply_joint((self._chosen, action))
            self._chosen = None
        self._go_on()

    def _go_on(self) -> None:
        """Draw until somebody is to decide, or the game is over."""
        while isinstance(node := self.position.node, Chance):
            self.position = self.position.apply_chance([int(self.np_random.integers(bound)) for bound in node.bounds])
        match node:
            case Turn(player):
                self.agent_selection = AGENTS[player]
            case Simultaneous():
                self.agent_selection = AGENTS[0]
            case Terminal(_, winner):
                self.terminations = dict.fromkeys(AGENTS, True)
                if winner is not None:
                    self.rewards = {agent: 1.0 if player == winner else -1.0 for player, agent in enumerate(AGENTS)}
