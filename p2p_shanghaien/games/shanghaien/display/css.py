"""The style of Shanghaien's pictures, besides the shared one: cards, numbers, captains and their way."""

from typing import Final

from p2p_shanghaien.ui.palette import CssClass

FLAGS: Final = {
    die: CssClass(f"flag-{die}", {"fill": die, "stroke": "edge", "stroke-width": 2, "stroke-linejoin": "round"})
    for die in ("light", "dark")
}
"""The style of each colour of a player's dice."""
CARD: Final = CssClass("card", {"stroke": "#1d2630", "stroke-width": 1.5})
OUT: Final = CssClass("out", {"opacity": 0.38})
SEA: Final = CssClass("sea", {"fill": "#2f343b", "stroke": "#8d959e", "stroke-width": 1.5})
ONSEA: Final = CssClass("onsea", {"fill": "#ffffff", "stroke": "#ffffff"})
BAND: Final = CssClass("band", {"fill": "#ffffff"})
PLATE: Final = CssClass("plate", {"fill": "brass"})
PLATE_OPEN: Final = CssClass("plate-open", {"fill": "none", "stroke": "brass", "stroke-width": 2})
CAPTAIN_OPEN: Final = CssClass("captain-open", {"opacity": 0.35})
MEDAL: Final = CssClass("medal", {"fill": "brass", "stroke": "ink", "stroke-width": 2})
MEDAL_USED: Final = CssClass(
    "medal-used", {"fill": "none", "stroke": "ink", "stroke-width": 2, "stroke-dasharray": "5 4"}
)
CAP: Final = CssClass("cap", {"fill": "cloth", "stroke": "cloth"})
CAP_USED: Final = CssClass("cap-used", {"fill": "faint", "stroke": "faint"})
COURSE: Final = CssClass("course", {"fill": "none", "stroke": "brass", "stroke-width": 3})
HEAD: Final = CssClass("head", {"fill": "brass"})

CSS_CLASSES: Final = (
    *FLAGS.values(),
    CARD,
    OUT,
    SEA,
    ONSEA,
    BAND,
    PLATE,
    PLATE_OPEN,
    CAPTAIN_OPEN,
    MEDAL,
    MEDAL_USED,
    CAP,
    CAP_USED,
    COURSE,
    HEAD,
)
