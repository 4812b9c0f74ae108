"""Shanghaien for PettingZoo: `env()` as its documentation describes environments.

The agents are `player_0`, who starts round 1, and `player_1`. An action is an index into `numbers.ACTIONS`; an
observation has the `numbers.observation` of the agent and an `action_mask` of the legal ones. The environment rolls and
draws by itself, from the seed it is reset with. At the end the reward is 1 for the winner and -1 for the other, and 0
for both in a draw.
"""

from typing import Any, ClassVar, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.spaces import Dict as DictSpace
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from p2p_shanghaien.games.api import Chance, Terminal, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.research.numbers import ACTIONS, SIZE, number, observation

AGENTS = ("player_0", "player_1")

Observation: TypeAlias = dict[str, Any]


def env(**options: Any) -> Any:
    """Return the environment with PettingZoo's checks around it: an illegal action ends the game, and loses it."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(ShanghaienEnv(**options), illegal_reward=-1))
    )


class ShanghaienEnv(AECEnv[str, Observation, int], EzPickle):
    """Make the environment.

    `variant` and `tricks` are the game's options, as words; with `render_mode` `ansi`, `render` returns text.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "shanghaien_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, variant: str = "standard", tricks: str = "p3 b3 r2", render_mode: str | None = None) -> None:
        super().__init__()
        EzPickle.__init__(self, variant, tricks, render_mode)
        self._game = Shanghaien.from_settings({"variant": variant, "tricks": tricks})
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.action_spaces = {agent: Discrete(len(ACTIONS)) for agent in AGENTS}
        self.observation_spaces = {
            agent: DictSpace(
                {
                    "observation": Box(0, 1, (SIZE,), np.float32),
                    "action_mask": Box(0, 1, (len(ACTIONS),), np.int8),
                }
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
        self.position = self.position.apply(ACTIONS[action])
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        player = AGENTS.index(agent)
        mask = np.zeros(len(ACTIONS), np.int8)
        if agent == self.agent_selection and not self.terminations[agent]:
            mask[[number(action) for action in self.position.legal(player)]] = 1
        return {"observation": observation(self.position, player), "action_mask": mask}

    def observation_space(self, agent: str) -> DictSpace:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        return repr(self.position) if self.render_mode == "ansi" else None

    def _go_on(self) -> None:
        """Roll and draw until somebody is to decide, or the game is over."""
        while isinstance(node := self.position.node, Chance):
            self.position = self.position.apply_chance([int(self.np_random.integers(bound)) for bound in node.bounds])
        if isinstance(node, Turn):
            self.agent_selection = AGENTS[node.player]
        elif isinstance(node, Terminal):
            self.terminations = dict.fromkeys(AGENTS, True)
            if node.winner is not None:
                self.rewards = {agent: 1.0 if player == node.winner else -1.0 for player, agent in enumerate(AGENTS)}
