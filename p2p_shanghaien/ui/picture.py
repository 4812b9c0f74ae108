"""Pictures of a table: the parts that a game draws, and the means to draw them.

A game's picture is made of independent parts. Two positions share most of theirs, so that a page with every position of
a game contains each part once. Each part also has a description in words.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final, NamedTuple, NewType

from rich.cells import cell_len

from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.palette import CssClass, attributes, style
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.words import say

__all__ = ["Markup", "Panel", "Part", "Picture", "box", "dice_symbols", "join", "label", "svg", "tag", "use", "words"]

Markup = NewType("Markup", str)
"""Elements of SVG or HTML. Text is escaped in `words` and in attributes only, so that no name is taken for markup."""

MARGIN: Final = 20
"""Units around the panels of a picture and between them."""
LETTER: Final = 0.62
BOLD_LETTER: Final = 0.7
"""The width of a letter in the widest of the usual fonts, relative to its size."""

_PIPS: Final = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}
"""The pips of a die, as places in a square of three by three."""


class Part(NamedTuple):
    """A part of a picture, and its description in words (none if it says nothing)."""

    markup: Markup
    words: str = ""


class Panel(NamedTuple):
    """Parts that belong together, in a plane of `width` by `height` units; `name` is a code of `ui.words`."""

    name: str
    width: int
    height: int
    parts: tuple[Part, ...]


class Picture(NamedTuple):
    """Panels to be shown beside or below each other.

    `symbols` are the shapes (by id) that their parts use, `looks` the classes of the game's own; all pictures of a game
    have the same.
    """

    symbols: Markup
    panels: tuple[Panel, ...]
    looks: tuple[CssClass, ...] = ()


def tag(name: str, /, *content: Markup, **given: object) -> Markup:
    """Return an element. In names of attributes `_` means `-`, and one at the end nothing (`class_`).

    Classes of `ui.palette` bring their attributes along; so does a `CssClass`.
    """
    named = {key.rstrip("_").replace("_", "-"): value for key, value in given.items()}
    classes = given.get("class_", "")
    every = {**attributes(classes if isinstance(classes, CssClass) else str(classes)), **named}
    text = "".join(f' {key}="{escape(_value(value))}"' for key, value in every.items())
    return Markup(f"<{name}{text}>{''.join(content)}</{name}>")


def words(text: object) -> Markup:
    """Return `text`, whatever it contains, escaped."""
    return Markup(escape(printable(text)))


def join(parts: Sequence[Markup] | Iterator[Markup]) -> Markup:
    """Return the parts one after the other."""
    return Markup("".join(parts))


def label(x: float, y: float, text: str, size: float, room: float = 0, *, class_: str = "") -> Markup:
    """Return a line of text at (x, y), its size in units; made smaller if it would be wider than `room`."""
    widest = cell_len(text) * (BOLD_LETTER if "strong" in class_ else LETTER)
    if room and widest * size > room:
        size = room / widest
    return tag("text", words(text), x=x, y=y, font_size=size, class_=class_)


def box(x: float, y: float, width: float, height: float, round_: float, **attributes: object) -> Markup:
    """Return a rectangle with rounded corners."""
    return tag("rect", x=x, y=y, width=width, height=height, rx=round_, **attributes)


def use(name: str, x: float, y: float, width: float, height: float = 0) -> Markup:
    """Return the symbol `name`, `width` by `height` units (a square without height)."""
    return tag("use", href=f"#{name}", x=x, y=y, width=width, height=height or width)


def dice_symbols(sides: Sequence[str]) -> Markup:
    """Return the symbols of the dice of each of `sides` (a class name).

    They are `side1` to `side6`, and `side0` for a die that is not rolled.
    """
    return join(_die(side, number) for side in sides for number in range(7))


def _die(side: str, number: int) -> Markup:
    pips = [
        tag("circle", cx=12 + 12 * (int(place) % 3), cy=12 + 12 * (int(place) // 3), r=4.4, class_=f"pip-{side}")
        for place in _PIPS.get(number, "")
    ]
    face = box(1.5, 1.5, 45, 45, 10, class_=f"face-{side}" if number else f"face-{side} unrolled")
    return tag("symbol", face, *pips, id=f"{side}{number}", viewBox="0 0 48 48")


def svg(picture: Picture, title: str, caption: str, verdict: str) -> str:
    """Return a self-contained picture: its panels in a row, under `title`, `caption` and the `verdict`."""
    width = sum(panel.width + MARGIN for panel in picture.panels) + MARGIN
    head = [
        *_lines(title, 26, width, class_="strong"),
        *_lines(caption, 17, width, class_="faint"),
        *_lines(verdict, 17, width, class_="strong verdict"),
    ]
    top = MARGIN + sum(line.height for line in head) + MARGIN
    height = top + max(panel.height for panel in picture.panels) + MARGIN
    description = " ".join(part.words for panel in picture.panels for part in panel.parts if part.words)
    at = MARGIN
    drawn = []
    for panel in picture.panels:
        parts = join(part.markup for part in panel.parts)
        drawn.append(tag("g", parts, transform=f"translate({at} {top})"))
        at += panel.width + MARGIN
    content = (
        tag("title", words(title), id="title"),
        tag("desc", words(f"{caption} {verdict} {description}"), id="desc"),
        tag("style", Markup(style(picture.looks))),
        tag("defs", picture.symbols),
        box(0, 0, width, height, 18, class_="ground"),
        *_stacked(head),
        *drawn,
    )
    whole = {
        "xmlns": "http://www.w3.org/2000/svg", "class_": "table", "viewBox": f"0 0 {width} {height}", "width": width,
        "height": height, "role": "img", "aria_labelledby": "title desc", "xml:lang": say("language"),
    }  # fmt: skip
    return tag("svg", Markup("\n"), *(Markup(f"{piece}\n") for piece in content), **whole) + "\n"


class _Line(NamedTuple):
    """A line above the panels, and the size of its letters in units."""

    text: str
    size: int
    class_: str

    @property
    def height(self) -> int:
        return self.size + 8


def _lines(text: str, size: int, width: int, *, class_: str) -> Iterator[_Line]:
    """Yield `text` broken between words if it is wider than a picture of `width` units: it is never made smaller."""
    letter = BOLD_LETTER if "strong" in class_ else LETTER
    for line in folded(printable(text), int((width - 2 * (MARGIN + 4)) / (letter * size))):
        yield _Line(line.strip(), size, class_)


def _stacked(head: Sequence[_Line]) -> Iterator[Markup]:
    """Yield the lines, drawn below each other."""
    below = MARGIN
    for line in head:
        below += line.height
        yield label(MARGIN + 4, below - 8, line.text, line.size, class_=line.class_)


def _value(value: object) -> str:
    """Return an attribute's value; numbers with as many digits as are visible."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else printable(value)
