"""How the full screen looks and sounds: what a person can set, and the styles that follow from it."""

import os
from dataclasses import dataclass
from typing import Final

from p2p_shanghaien.ui.full.parts import DARK, LIGHT, PLAIN, Ink

CHOICES: Final[dict[str, tuple[object, ...]]] = {
    "theme": ("auto", "dark", "light", "none"),
    "ascii": (None, False, True),
    "speed": ("off", "slow", "normal", "fast"),
    "bell": (True, False),
    "language": (None, "en", "fr", "it", "de"),
}
"""What the settings dialog offers, in its order."""

FRAME: Final = {"off": 0.0, "slow": 0.14, "normal": 0.07, "fast": 0.03}
"""Seconds that a frame of falling dice stays."""
HOLD: Final = 9
"""So many frames long what the other side has done stays before anything else happens."""


@dataclass(frozen=True)
class Looks:
    """The settings that a person can change at the table; see `CHOICES`."""

    theme: str = "auto"
    ascii: bool | None = None
    speed: str = "normal"
    bell: bool = True
    language: str | None = None

    @property
    def shade(self) -> str:
        """`dark`, `light` or `none`: the terminal says which where the person does not, if it says anything."""
        if os.environ.get("NO_COLOR"):
            return "none"
        if self.theme != "auto":
            return self.theme
        background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
        return "light" if background in ("7", "15") else "dark"

    @property
    def ink(self) -> Ink:
        return {"dark": DARK, "light": LIGHT, "none": PLAIN}[self.shade]

    @property
    def frame(self) -> float:
        return FRAME[self.speed]
