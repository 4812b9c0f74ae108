"""The style of Halunken's pictures, besides the shared one: dens, rogues, figures and movement cards."""

from typing import Final

from p2p_shanghaien.games.halunken.display.draw import STYLES
from p2p_shanghaien.ui.palette import CssClass

DEN: Final = CssClass("den", {"fill": "cloth", "stroke": "rule", "stroke-width": 1.5})
HERE: Final = CssClass("here", {"fill": "acting", "stroke": "brass", "stroke-width": 3})
"""A den at which a figure stands."""
WAY: Final = CssClass("way", {"fill": "brass"})
"""The direction in which figures go."""
ROGUES: Final = {
    letter: CssClass(f"rogue-{letter}", {"fill": style.split()[-1], "stroke": "#1d2630", "stroke-width": 1.2})
    for letter, style in STYLES.items()
}
"""The style of each colour of rogues."""
BACK: Final = CssClass("back", {"fill": "#6b7480", "stroke": "#1d2630", "stroke-width": 1.2})
"""A rogue or a card that lies face down."""
PAWNS: Final = {
    side: CssClass(f"pawn-{side}", {"fill": side, "stroke": "edge", "stroke-width": 2.5, "stroke-linejoin": "round"})
    for side in ("light", "dark")
}
"""The figures: the near side's captain is light, the far side's dark."""
JACK: Final = CssClass("pawn-jack", {"fill": "brass", "stroke": "edge", "stroke-width": 2.5})
SIGNS: Final = {
    "light": CssClass("sign-light", {"fill": "#1d2630"}),
    "dark": CssClass("sign-dark", {"fill": "#ffffff"}),
}
"""The writing on a captain."""
CARD: Final = CssClass("hand", {"fill": "cloth", "stroke": "ink", "stroke-width": 1.5})
USED: Final = CssClass("used", {"fill": "none", "stroke": "rule", "stroke-width": 1.5, "stroke-dasharray": "4 4"})
"""A movement card that is used up."""

CSS_CLASSES: Final = (
    DEN,
    HERE,
    WAY,
    *ROGUES.values(),
    BACK,
    *PAWNS.values(),
    JACK,
    *SIGNS.values(),
    CARD,
    USED,
)
