"""Colours of pictures: attributes that every viewer understands, and a style sheet for dark screens and for print.

Many viewers know neither CSS variables nor media queries. So each element carries its colours for light surroundings as
attributes, and the style sheet replaces them by class where a browser asks for other ones.
"""

from collections.abc import Mapping
from typing import Final

LIGHT: Final = {
    "paper": "#f7f1e4", "cloth": "#fffdf8", "acting": "#fff1cf", "rule": "#c9bda3", "brass": "#8a5a00",
    "ink": "#1d2630", "faint": "#5b6470", "light": "#ffffff", "dark": "#1d2630", "edge": "#1d2630",
}  # fmt: skip
DARK: Final = {
    "paper": "#14191f", "cloth": "#1e252d", "acting": "#3a3220", "rule": "#46505b", "brass": "#f0c25a",
    "ink": "#eef1f4", "faint": "#aab4be", "light": "#f4f4f2", "dark": "#0b0e11", "edge": "#c4ccd4",
}  # fmt: skip
PRINT: Final = {
    "paper": "#ffffff", "cloth": "#ffffff", "acting": "#ffffff", "rule": "#999999", "brass": "#6b4700",
    "ink": "#000000", "faint": "#444444", "light": "#ffffff", "dark": "#000000", "edge": "#000000",
}  # fmt: skip
"""By the names that `LOOKS` uses."""

LOOKS: Final[Mapping[str, Mapping[str, str | float]]] = {
    "table": {"fill": "ink", "font-family": 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif'},
    "ground": {"fill": "paper"},
    # text
    "strong": {"font-weight": 700},
    "middle": {"text-anchor": "middle"},
    "end": {"text-anchor": "end"},
    "faint": {"fill": "faint"},
    "verdict": {"fill": "brass"},
    "on-pill": {"fill": "paper"},
    "black": {"fill": "#111418"},
    "white": {"fill": "#ffffff"},
    "halo": {"fill": "paper", "stroke": "paper", "stroke-width": 6},
    # the players' strips
    "side": {"fill": "cloth", "stroke": "rule", "stroke-width": 1.5},
    "acting": {"fill": "acting", "stroke": "brass", "stroke-width": 3},
    "pill": {"fill": "brass"},
    # dice
    "face-light": {"fill": "light", "stroke": "edge", "stroke-width": 3},
    "face-dark": {"fill": "dark", "stroke": "edge", "stroke-width": 3},
    "unrolled": {"stroke-dasharray": "5 4"},
    "pip-light": {"fill": "#1d2630"},
    "pip-dark": {"fill": "#ffffff"},
    "flag-light": {"fill": "light", "stroke": "edge", "stroke-width": 2, "stroke-linejoin": "round"},
    "flag-dark": {"fill": "dark", "stroke": "edge", "stroke-width": 2, "stroke-linejoin": "round"},
    # cards
    "card": {"stroke": "#1d2630", "stroke-width": 1.5},
    "out": {"opacity": 0.38},
    "sea": {"fill": "#2f343b", "stroke": "#8d959e", "stroke-width": 1.5},
    "onsea": {"fill": "#ffffff", "stroke": "#ffffff"},
    "band": {"fill": "#ffffff"},
    "plate": {"fill": "brass"},
    "plate-open": {"fill": "none", "stroke": "brass", "stroke-width": 2},
    # shapes in the colours of what uses them: outlines, and filled ones
    "stroke": {"fill": "none", "stroke-width": 3.6, "stroke-linecap": "round", "stroke-linejoin": "round"},
    "solid": {"stroke": "none"},
    # captains
    "captain-open": {"opacity": 0.35},
    "medal": {"fill": "brass", "stroke": "ink", "stroke-width": 2},
    "medal-used": {"fill": "none", "stroke": "ink", "stroke-width": 2, "stroke-dasharray": "5 4"},
    "cap": {"fill": "cloth", "stroke": "cloth"},
    "cap-used": {"fill": "faint", "stroke": "faint"},
    # lines
    "rule": {"fill": "none", "stroke": "rule", "stroke-width": 1.5},
    "course": {"fill": "none", "stroke": "brass", "stroke-width": 3},
    "head": {"fill": "brass"},
}
"""By class: the attributes that its elements have, with colours of their own or by name. Of an element's classes no two
set the same attribute."""


def attributes(classes: str) -> dict[str, object]:
    """The attributes of an element of `classes`, in the colours for light surroundings."""
    return {
        name: LIGHT.get(str(value), value)
        for class_ in classes.split()
        for name, value in LOOKS.get(class_, {}).items()
    }


def _recoloured(palette: Mapping[str, str]) -> str:
    """The rules that replace the colours of `LIGHT` by those of `palette`."""
    rules = []
    for class_, look in LOOKS.items():
        colours = [f"{name}: {palette[str(value)]};" for name, value in look.items() if value in palette]
        if colours:
            rules.append(f"  .{class_} {{ {' '.join(colours)} }}\n")
    return "".join(rules)


STYLE: Final = (
    ".table { color-scheme: light dark; }\n"
    ".table text { font-variant-numeric: tabular-nums; unicode-bidi: isolate; }\n"
    f"@media (prefers-color-scheme: dark) {{\n{_recoloured(DARK)}}}\n"
    f"@media print {{\n  .table {{ print-color-adjust: exact; }}\n{_recoloured(PRINT)}}}\n"
)
"""What a browser adds to the attributes."""
