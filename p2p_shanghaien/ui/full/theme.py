"""The look and the pace of full screens, as the settings have them."""

import os
from typing import Final

from p2p_shanghaien.settings import CHOICES, Settings
from p2p_shanghaien.ui.full.drawing import DARK, LIGHT, PLAIN, TextStyles
from p2p_shanghaien.ui.language import LANGUAGES

EDITABLE_SETTINGS: Final[dict[str, tuple[object, ...]]] = {
    **{name: CHOICES[name] for name in ("theme", "ascii", "speed", "bell")},
    "tutor_loss": (1, 2, 4, 8),
    "language": (None, *LANGUAGES),
}
"""The settings that can be changed at a full screen, and the values that each is offered, in their order."""

FRAME: Final = {"off": 0.0, "slow": 0.14, "normal": 0.07, "fast": 0.03}
"""Seconds that a frame stays, such as of falling dice, by the speed that is set."""
HOLD: Final = 9
"""So many frames long what the other player has done stays before anything else happens."""


def shade(settings: Settings) -> str:
    """Return `dark`, `light` or `none`; the terminal says which where the person does not, if it says anything."""
    if os.environ.get("NO_COLOR"):
        return "none"
    if settings.theme != "auto":
        return settings.theme
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if background in ("7", "15") else "dark"


def text_styles(settings: Settings) -> TextStyles:
    """Return the styles of text."""
    return {"dark": DARK, "light": LIGHT, "none": PLAIN}[shade(settings)]
