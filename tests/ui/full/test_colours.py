"""Colours: text can be read on them, the nationalities' can be told apart, and there are none where none are wanted."""

import re
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.color import Color
from rich.style import Style
from textual.theme import Theme

from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.display.draw import STYLES
from p2p_shanghaien.games.shanghaien.display.pieces import _TRICK
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.ui.full import theme
from p2p_shanghaien.ui.full.base import THEMES
from p2p_shanghaien.ui.full.drawing import DARK, LIGHT, PLAIN, TextStyles
from tests.ui.terminal import Terminal

Vector = NDArray[np.float64]

READABLE = 4.5
"""The contrast that text needs (WCAG 2.2, 1.4.3)."""

TOLD_APART = 9.0
"""Distance in CIE L*a*b*: some four times what is just noticed."""

SEEN = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""The perception of linear RGB: Machado, Oliveira and Fernandes 2009, severity 1."""

TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ @ np.ones(3)


def linear(colour: Color) -> Vector:
    parts = np.array(colour.get_truecolor()) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted((float((TO_XYZ @ linear(colour))[1]) for colour in (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def lab(rgb: Vector) -> Vector:
    parts = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE
    x, y, z = np.where(parts > 216 / 24389, np.cbrt(parts), (24389 / 27 * parts + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("style", [*(STYLES[letter] for letter in NATIONALITIES), _TRICK])
def test_a_card_can_be_read(style: str) -> None:
    card = Style.parse(style)
    assert card.color
    assert card.bgcolor
    assert contrast(card.color, card.bgcolor) >= READABLE


@pytest.mark.parametrize(
    ("theme", "text_styles"),
    list(zip(THEMES, (DARK, LIGHT), strict=True)),
    ids=lambda value: getattr(value, "name", ""),
)
def test_what_is_written_on_the_screen_can_be_read(theme: Theme, text_styles: TextStyles) -> None:
    grounds = [ground for ground in (theme.background, theme.surface, theme.panel) if ground]
    assert len(grounds) == 3
    assert theme.foreground
    texts = [*text_styles, theme.foreground]
    for text in texts:
        style = Style.parse(text)
        assert style.color
        for ground in [style.bgcolor] if style.bgcolor else map(Color.parse, grounds):
            assert contrast(style.color, ground) >= READABLE, (text, ground)


@pytest.mark.parametrize("sight", SEEN)
def test_nationalities_can_be_told_apart(sight: str) -> None:
    """Colour alone is enough; the letter and the word stand beside it all the same."""
    colours = {}
    for letter in NATIONALITIES:
        ground = Style.parse(STYLES[letter]).bgcolor
        assert ground
        colours[letter] = lab(SEEN[sight] @ linear(ground))
    near = {
        first + second: round(float(np.linalg.norm(colours[first] - colours[second])), 1)
        for first, second in combinations(NATIONALITIES, 2)
    }
    assert min(near.values()) >= TOLD_APART, sorted(near.items(), key=lambda item: item[1])[:5]


@pytest.mark.parametrize(("value", "text_styles"), [("1", PLAIN), ("", LIGHT), (None, LIGHT)])
def test_no_color(monkeypatch: pytest.MonkeyPatch, value: str | None, text_styles: TextStyles) -> None:
    """NO_COLOR, where it is set and not empty (no-color.org), is stronger than the settings."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    if value is not None:
        monkeypatch.setenv("NO_COLOR", value)
    assert theme.text_styles(Settings(theme="light")) == text_styles


@pytest.mark.thorough
def test_no_colour_reaches_a_terminal_that_wants_none() -> None:
    with Terminal("evil_full", NO_COLOR="1") as terminal:
        terminal.until("pick with a key")
        terminal.type("\x03")
        terminal.finish()
    styles = {part for code in re.findall(r"\x1b\[([0-9;]*)m", terminal.raw) for part in code.split(";")}
    assert styles <= {"", "0", "1", "7", "39", "49"}, "bold, reverse, and the terminal's own colours"
