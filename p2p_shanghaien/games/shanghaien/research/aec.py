"""Shanghaien for PettingZoo (`p2p_shanghaien.research.aec`); actions are those of `numbers.ACTIONS`."""

from typing import Any, ClassVar

from gymnasium.utils import EzPickle

from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.research.numbers import NUMBERS
from p2p_shanghaien.research.aec import AGENTS, GameEnv, checked

__all__ = ["AGENTS", "ShanghaienEnv", "env"]


def env(**options: Any) -> Any:
    """Return the environment with PettingZoo's checks around it: an illegal action ends the game, and loses it."""
    return checked(ShanghaienEnv(**options))


class ShanghaienEnv(GameEnv, EzPickle):
    """Make the environment; `variant` and `tricks` are the game's options, as words."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "shanghaien_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, variant: str = "standard", tricks: str = "p3 b3 r2", render_mode: str | None = None) -> None:
        EzPickle.__init__(self, variant, tricks, render_mode)
        super().__init__(Shanghaien.from_settings({"variant": variant, "tricks": tricks}), NUMBERS, render_mode)
