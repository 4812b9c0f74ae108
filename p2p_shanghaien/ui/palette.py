"""Colours of pictures: attributes that every viewer understands, and a style sheet for dark screens and for print.

Many viewers know neither CSS variables nor media queries. So each element carries its colours for light surroundings as
attributes, and the style sheet replaces them by class where a browser asks for other ones. A game has classes of its
own, `CssClass`s.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

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
"""The palettes, by the names that `CSS_CLASSES` uses."""

CSS_CLASSES: Final[Mapping[str, Mapping[str, str | float]]] = {
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
    # shapes in the colours of what uses them: outlines, and filled ones
    "stroke": {"fill": "none", "stroke-width": 3.6, "stroke-linecap": "round", "stroke-linejoin": "round"},
    "solid": {"stroke": "none"},
    # lines
    "rule": {"fill": "none", "stroke": "rule", "stroke-width": 1.5},
}
"""The attributes of the elements of each class, with colours of their own or by name.

Of an element's classes no two set the same attribute.
"""


class CssClass(NamedTuple):
    """A class of a game's own: its name, and its attributes as in `CSS_CLASSES`."""

    name: str
    attributes: Mapping[str, str | float]

    def __str__(self) -> str:
        return self.name


def attributes(classes: str | CssClass) -> dict[str, object]:
    """Return the attributes of an element of `classes`, in the colours for light surroundings."""
    looks = (
        [classes.attributes]
        if isinstance(classes, CssClass)
        else [CSS_CLASSES.get(name, {}) for name in classes.split()]
    )
    return {name: LIGHT.get(str(value), value) for look in looks for name, value in look.items()}


def style(own: Iterable[CssClass] = ()) -> str:
    """Return the style sheet for browsers; `own` are a game's own classes."""
    looks = [*(CssClass(name, look) for name, look in CSS_CLASSES.items()), *own]
    return (
        ".table { color-scheme: light dark; }\n"
        ".table text { font-variant-numeric: tabular-nums; unicode-bidi: isolate; }\n"
        f"@media (prefers-color-scheme: dark) {{\n{_recoloured(looks, DARK)}}}\n"
        f"@media print {{\n  .table {{ print-color-adjust: exact; }}\n{_recoloured(looks, PRINT)}}}\n"
    )


def _recoloured(looks: Iterable[CssClass], palette: Mapping[str, str]) -> str:
    """Return the rules that replace the colours of `LIGHT` by those of `palette`."""
    rules = []
    for look in looks:
        colours = [f"{name}: {palette[str(value)]};" for name, value in look.attributes.items() if value in palette]
        if colours:
            rules.append(f"  .{look} {{ {' '.join(colours)} }}\n")
    return "".join(rules)
