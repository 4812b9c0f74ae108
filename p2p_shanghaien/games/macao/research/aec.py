"""Shadows of Macao for PettingZoo (`p2p_shanghaien.research.aec`); actions are those of `numbers.ACTIONS`.

A payment is made card by card (`steps`): the same agent decides several times in a row.
"""

from typing import Any, ClassVar

from gymnasium.utils import EzPickle

from p2p_shanghaien.games.macao.research.numbers import NUMBERED
from p2p_shanghaien.games.macao.research.steps import MacaoInSteps
from p2p_shanghaien.research.aec import AGENTS, GameEnv, checked

__all__ = ["AGENTS", "MacaoEnv", "env"]


def env(**options: Any) -> Any:
    """Return the environment with PettingZoo's checks around it: an illegal action ends the game, and loses it."""
    return checked(MacaoEnv(**options))


class MacaoEnv(GameEnv, EzPickle):
    """Make the environment, with the reconstructed cards."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "macao_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(self, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, render_mode)
        super().__init__(MacaoInSteps(), NUMBERED, render_mode)
