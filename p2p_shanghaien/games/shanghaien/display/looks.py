"""The looks of Shanghaien's pictures, besides those that every game has: cards, numbers, captains and their way."""

from typing import Final

from p2p_shanghaien.ui.palette import Look

FLAGS: Final = {
    die: Look(f"flag-{die}", {"fill": die, "stroke": "edge", "stroke-width": 2, "stroke-linejoin": "round"})
    for die in ("light", "dark")
}
"""By the colour of a player's dice."""
CARD: Final = Look("card", {"stroke": "#1d2630", "stroke-width": 1.5})
OUT: Final = Look("out", {"opacity": 0.38})
SEA: Final = Look("sea", {"fill": "#2f343b", "stroke": "#8d959e", "stroke-width": 1.5})
ONSEA: Final = Look("onsea", {"fill": "#ffffff", "stroke": "#ffffff"})
BAND: Final = Look("band", {"fill": "#ffffff"})
PLATE: Final = Look("plate", {"fill": "brass"})
PLATE_OPEN: Final = Look("plate-open", {"fill": "none", "stroke": "brass", "stroke-width": 2})
CAPTAIN_OPEN: Final = Look("captain-open", {"opacity": 0.35})
MEDAL: Final = Look("medal", {"fill": "brass", "stroke": "ink", "stroke-width": 2})
MEDAL_USED: Final = Look("medal-used", {"fill": "none", "stroke": "ink", "stroke-width": 2, "stroke-dasharray": "5 4"})
CAP: Final = Look("cap", {"fill": "cloth", "stroke": "cloth"})
CAP_USED: Final = Look("cap-used", {"fill": "faint", "stroke": "faint"})
COURSE: Final = Look("course", {"fill": "none", "stroke": "brass", "stroke-width": 3})
HEAD: Final = Look("head", {"fill": "brass"})

LOOKS: Final = (
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
