"""The style of the pictures of Shadows of Macao, besides the shared one: cards, tiles and resources."""

from typing import Final

from p2p_shanghaien.games.macao.display.draw import STYLES
from p2p_shanghaien.ui.palette import CssClass

CARD: Final = CssClass("card", {"fill": "cloth", "stroke": "rule", "stroke-width": 1.5})
PAYABLE: Final = CssClass("payable", {"fill": "cloth", "stroke": "brass", "stroke-width": 4})
"""A card or a tile that a player could pay for right now."""
USED: Final = CssClass("used", {"fill": "none", "stroke": "rule", "stroke-width": 1.5, "stroke-dasharray": "4 4"})
"""The place of a card that is not there."""
OTHER: Final = CssClass("resource", {"fill": "cloth", "stroke": "ink", "stroke-width": 1})
"""A resource of another deck than the usual one."""
RESOURCES: Final = {
    letter: CssClass(f"resource-{letter}", {"fill": style.split()[-1], "stroke": "#1d2630", "stroke-width": 1})
    for letter, style in STYLES.items()
}
LETTERS: Final = {letter: "black" if style.startswith("#000000") else "white" for letter, style in STYLES.items()}
"""The class of the writing on each of them."""

CSS_CLASSES: Final = (CARD, PAYABLE, USED, OTHER, *RESOURCES.values())
