"""Halunken & Spelunken for PettingZoo (`p2p_shanghaien.research.aec`); actions are those of `numbers.ACTIONS`.

At a secret choice `player_0` chooses first, and `player_1` without seeing it.
"""

from typing import Any, ClassVar

from gymnasium.utils import EzPickle

from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.research.numbers import NUMBERED
from p2p_shanghaien.research.aec import AGENTS, GameEnv, checked

__all__ = ["AGENTS", "HalunkenEnv", "env"]


def env(**options: Any) -> Any:
    """Return the environment with PettingZoo's checks around it: an illegal action ends the game, and loses it."""
    return checked(HalunkenEnv(**options))


class HalunkenEnv(GameEnv, EzPickle):
    """Make the environment; `blackjack`, `hands` and `theft` are the game's options, as words."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "halunken_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, blackjack: str = "on", hands: str = "1", theft: str = "takes", render_mode: str | None = None
    ) -> None:
        EzPickle.__init__(self, blackjack, hands, theft, render_mode)
        super().__init__(Halunken(blackjack, hands, theft), NUMBERED, render_mode)
