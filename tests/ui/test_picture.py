"""A picture shows what lies on the table, is well-formed whatever names hold, and needs nothing else."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html import escape
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from rich.cells import cell_len

from p2p_shanghaien.games.api import State, Terminal
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.shanghaien import rules
from p2p_shanghaien.games.shanghaien.cards import deck
from p2p_shanghaien.games.shanghaien.display.draw import STYLES
from p2p_shanghaien.games.shanghaien.display.table import TABLE
from p2p_shanghaien.games.shanghaien.rules import start
from p2p_shanghaien.text import printable
from p2p_shanghaien.ui.page import Proof, drawn, page
from p2p_shanghaien.ui.palette import DARK, LIGHT, PRINT, style
from p2p_shanghaien.ui.picture import Markup, Panel, Picture, label, svg, tag, words
from p2p_shanghaien.ui.snapshots import closing, picture, snapshots, until
from p2p_shanghaien.ui.view import Viewpoint, viewpoint
from tests import needs
from tests.sweeps import sweep
from tests.ui.ledger import NATIONALITIES, RECORDS, TRICKS, Ledger, load, moments
from tests.ui.test_snapshots import part

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "Ben")
HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "'onload='alert(1)",
    "]]>&amp;<!--",
    "</title></style></svg>",
    "\u202egnp.exe\u200b\u2066",
    "\x00\x1b[2J\x9b",
    "אבג 漢字 🎲",
]


def element(panel: Panel) -> ET.Element:
    return ET.fromstring(f"<svg>{''.join(part.markup for part in panel.parts)}</svg>")


def texts(panel: Panel) -> list[str]:
    return [text.text or "" for text in element(panel).iter("text")]


def told(panel: Panel) -> list[str]:
    return [part.words for part in panel.parts if part.words]


def who(player: int, sitting: Viewpoint) -> str:
    return sitting.who(player)


@sweep("path, me", product(RECORDS, [0, 1, None]), every=36, ids=lambda value: getattr(value, "stem", str(value)))
def test_every_position_of_a_record(path: Path, me: int | None) -> None:
    sitting = viewpoint(NAMES, me)
    for moment in moments(path):
        tavern, scores = TABLE.picture(moment.after, sitting, moment.before).panels
        if moment.ledger.row:
            check_row(tavern, moment.ledger, moment.after, sitting)
        check_scores(scores, moment.ledger, sitting, over=isinstance(moment.after.node, Terminal))


def check_row(tavern: Panel, ledger: Ledger, state: State, sitting: Viewpoint) -> None:
    said = told(tavern)
    assert f"Round {ledger.round} of 8" in said[0]
    assert f"{len(ledger.unseen)} cards in the pile" in said[0]
    for player in (0, 1):
        (side,) = (line for line in said if line.startswith(f"{who(player, sitting)}: "))
        rolled = ledger.rolled if state.node == (player,) else []
        assert f"{6 - len(ledger.placed[player]) - len(rolled)} di" in side
        assert (f"rolled {' and '.join(map(str, rolled))}" in side) == bool(rolled)
        assert ("trick played" in side) == ledger.tricked[player]
        for letter, word in TRICKS.items():
            assert (word in side) == (letter in ledger.tricks[player])
    cards = [line for line in said if re.search(r"\b[A-Z][1-4pbr] \(", line)]
    assert len(cards) == 6
    for card, line in zip(ledger.row, cards, strict=True):
        assert f"{card} ({TRICKS[card[1]] if card[0] == 'X' else NATIONALITIES[card[0]]})" in line
    if ledger.left_is_one is None:
        for left, line in enumerate(cards, start=1):
            assert f"number {left} from the left, {7 - left} from the right" in line
        return
    for number, line in zip(ledger.numbers(), cards, strict=True):
        assert f"Number {number}, " in line
        for player in (0, 1):
            count = ledger.placed[player].count(number)
            assert (f"{who(player, sitting)} {count} di" in line) == (count > 0)
    check_dice(tavern, ledger, sitting)


def check_dice(tavern: Panel, ledger: Ledger, sitting: Viewpoint) -> None:
    """Every die placed lies on its owner's side of the card that has its number."""
    for player, side in ((sitting.near, "light"), (sitting.far, "dark")):
        lying = []
        for group in element(tavern).iter("g"):
            place = re.fullmatch(r"translate\((\d+) 0\)", group.get("transform", ""))
            for use in group.iter("use") if place else ():
                if found := re.fullmatch(rf"#{side}([1-6])", use.get("href", "")):
                    below = float(use.get("y", "")) > 372
                    assert below == (side == "light")
                    assert place
                    lying.append(((int(place[1]) - 60) // 100, int(found[1])))
        numbers = ledger.numbers()
        assert sorted(lying) == sorted((numbers.index(die), die) for die in ledger.placed[player])


def check_scores(scores: Panel, ledger: Ledger, sitting: Viewpoint, *, over: bool) -> None:
    said = told(scores)
    for nationality, line in zip(NATIONALITIES, said, strict=False):
        assert line.startswith(f"{NATIONALITIES[nationality]}: ")
        for player in (0, 1):
            if strength := ledger.strength(player, nationality):
                cards = " ".join(ledger.marks(player, nationality))
                points = ledger.points(player, nationality)
                assert f"{who(player, sitting)} {cards}, strength {strength}, {points} point" in line
        if not over:
            here = [
                "".join(sorted(c[1] for c in cards if c[0] == nationality)) for cards in (ledger.row, ledger.unseen)
            ]
            assert line.endswith(f"; {here[0] or 'nothing'} in the tavern, {here[1] or 'nothing'} in the pile.")
    totals = [f"{who(player, sitting)} {ledger.total(player)}" for player in (sitting.far, sitting.near)]
    assert said[-1] == f"Totals: {', '.join(totals)}."
    assert set(NATIONALITIES.values()) <= set(texts(scores))
    assert set(NATIONALITIES) <= set(texts(scores))


@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_how_every_round_came_out(path: Path) -> None:
    sitting = viewpoint(NAMES, None)
    rounds = 0
    for moment in moments(path):
        for event in moment.events:
            if event["event"] != "distribution":
                continue
            rounds += 1
            tavern = TABLE.picture(moment.after, sitting, moment.before).panels[0]
            assert f"called Shanghai, which ends round {rounds}" in told(tavern)[0]
            for number, (card, taker) in enumerate(zip(event["row"], event["taken_by"], strict=True), start=1):
                (line,) = (line for line in told(tavern) if line.startswith(f"Number {number}, {card} ("))
                rng = "It leaves the game." if taker is None else f"{NAMES[taker]} takes it."
                assert line.endswith(rng)
    assert rounds == 8


def test_colour_never_stands_alone() -> None:
    """Each card has its letter and its word beside its colour, whoever looks."""
    # a row lies there for many moments
    for moment in list(moments(RECORDS[0]))[::4]:
        if moment.ledger.row:
            shown = texts(TABLE.picture(moment.after, viewpoint(NAMES, None), moment.before).panels[0])
            for card in moment.ledger.row:
                letter, word = (card[1], TRICKS[card[1]]) if card[0] == "X" else (card[0], NATIONALITIES[card[0]])
                assert letter in shown
                assert word in shown


def whole(names: tuple[str, str] = NAMES) -> Iterator[str]:
    record = replace(load(RECORDS[6]), names=names)
    seen = tuple(snapshots(record))
    for count in range(0, len(seen) + 1, 9):
        yield drawn(record, seen[:count], "COMPLETE")


def test_a_picture_needs_nothing_else() -> None:
    for text in whole():
        root = ET.fromstring(text)
        ids = {found.get("id") for found in root.iter() if found.get("id")}
        for found in root.iter():
            assert found.tag.startswith(SVG)
            assert found.tag != f"{SVG}script"
            for name, value in found.attrib.items():
                assert not name.startswith("on")
                assert name != "style"
                if name == "href":
                    assert value[0] == "#"
                    assert value[1:] in ids
        assert "url(" not in text
        assert "@import" not in text
        assert text.count("http") == 1


def test_a_picture_can_be_heard() -> None:
    for text in whole():
        root = ET.fromstring(text)
        assert root.get("role") == "img"
        named = root.get("aria-labelledby", "").split()
        title, desc = (root.find(f"{SVG}{name}") for name in ("title", "desc"))
        assert title is not None
        assert desc is not None
        assert named == [title.get("id"), desc.get("id")]
        assert title.text == "Ada against Ben"
        assert "COMPLETE" in (desc.text or "")
        assert "American" in (desc.text or "")
        assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "en"


@sweep("name", HOSTILE, every=4)
def test_names_are_text(name: str) -> None:
    for text, known in zip(whole((name, "Ben")), usual(), strict=True):
        assert tags(ET.fromstring(text)) == tags(known)
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", text)


@cache
def usual() -> list[ET.Element]:
    return [ET.fromstring(text) for text in whole()]


def tags(root: ET.Element) -> list[str]:
    """Return the tags of a picture's elements; the lines above the panels, however many there are, hold none."""
    lines = root.findall(f"{SVG}text")
    assert all(len(line) == 0 for line in lines)
    return [found.tag for child in root if child not in lines for found in child.iter()]


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_names_make_a_picture(first: str, second: str) -> None:
    record = replace(part("1. F3 I2 A4 C2 F3 S2 56-5< 36"), names=(first, second))
    root = ET.fromstring(drawn(record, tuple(snapshots(record)), first))
    assert root.findtext(f"{SVG}title")


@given(st.text(), st.text())
def test_markup_comes_from_elements_alone(text: str, value: str) -> None:
    made = ET.fromstring(tag("text", words(text), class_=value))
    assert (made.text or "") == printable(text)
    assert made.get("class") == printable(value)


def test_a_long_label_is_made_to_fit() -> None:
    sizes = [ET.fromstring(label(0, 0, "x" * count, 20, 100)).get("font-size") for count in (2, 40)]
    assert float(sizes[0] or 0) == 20
    assert float(sizes[1] or 0) * 40 * 0.6 <= 100


def test_an_empty_table_can_be_drawn() -> None:
    for moves in ("", "1."):
        record = part(moves)
        assert tuple(snapshots(record)) == ()
        root = ET.fromstring(drawn(record, (), "not signed"))
        assert "a draw would come next" in (root.findtext(f"{SVG}desc") or "")
        assert [panel.name for panel in picture(record, (), viewpoint(NAMES, None)).panels] == [
            "shanghaien:panel_tavern",
            "shanghaien:panel_scores",
        ]


def test_light_and_dark() -> None:
    assert LIGHT.keys() == DARK.keys() == PRINT.keys()
    assert "prefers-color-scheme: dark" in style()
    for palette in (LIGHT, DARK, PRINT):
        for text, ground, least in [
            ("ink", "paper", 7), ("ink", "cloth", 7), ("ink", "acting", 7), ("faint", "paper", 4.5),
            ("faint", "cloth", 4.5), ("faint", "acting", 4.5), ("brass", "paper", 4.5), ("edge", "paper", 3),
        ]:  # fmt: skip
            assert contrast(palette[text], palette[ground]) >= least, (text, ground)


def test_colours_are_plain_attributes() -> None:
    """Every element has its colours without any style sheet, which only replaces them."""
    for text in whole():
        assert "var(" not in text
        assert "currentColor" not in text
        root = ET.fromstring(text)
        for found in root.iter():
            for name in ("fill", "stroke"):
                assert re.fullmatch("none|#[0-9a-f]{6}", found.get(name, "none")), found.attrib
            if found.tag in {f"{SVG}{shape}" for shape in ("rect", "circle", "path")}:
                assert found.get("fill") or found.get("class") == "solid", found.attrib


def rendered(text: str, folder: Path) -> Image.Image:
    """Return what librsvg makes of a picture, on black."""
    png = folder / "picture.png"
    command = [needs.program("rsvg-convert"), "--background-color=black", f"--output={png}"]
    subprocess.run(command, input=text.encode(), check=True)
    with Image.open(png) as image:
        return image.convert("RGB")


def rgb(colour: str) -> tuple[int, int, int]:
    return (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))


@pytest.mark.parametrize("styled", [True, False])
def test_a_viewer_without_variables_shows_every_colour(tmp_path: Path, styled: bool) -> None:
    """librsvg knows neither CSS variables nor media queries; others ignore the style sheet as a whole."""
    record = load(RECORDS[6])
    seen = until(tuple(snapshots(record)), "3.2", "shanghaien")
    text = drawn(record, seen, "COMPLETE")
    image = rendered(text if styled else re.sub("<style>.*?</style>", "", text, flags=re.DOTALL), tmp_path)
    assert image.getpixel((image.width // 2, 6)) == rgb(LIGHT["paper"])
    colours = {colour: count for count, colour in image.getcolors(maxcolors=2**24) or ()}
    assert len(colours) > 100
    assert max(colours, key=lambda colour: colours[colour]) == rgb(LIGHT["paper"])
    for name in ("cloth", "brass", "ink", "rule", "light"):
        assert rgb(LIGHT[name]) in colours, name
    state = seen[-1].after
    assert isinstance(state, rules.State)
    place = re.search(r'transform="translate\((\d+) (\d+)\)"', text)
    assert place
    left, top = map(int, place.groups())
    for index, card in enumerate(state.row):
        ground = "#2f343b" if card[0] == "X" else STYLES[card[0]].partition(" on ")[2]
        # in the tavern's plane the row begins at 60, a card 8 further; beside what is written on it
        assert image.getpixel((left + 60 + 100 * index + 8 + 4, top + 242 + 64)) == rgb(ground), card


def contrast(one: str, other: str) -> float:
    """WCAG 2's contrast ratio."""
    shades = sorted(luminance(color) for color in (one, other))
    return (shades[1] + 0.05) / (shades[0] + 0.05)


def luminance(color: str) -> float:
    channels = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_game_that_has_ended_waits_for_nobody() -> None:
    """Resigned or abandoned after a roll, and played to its end: no turn, no dice at hand, and the result."""
    moves = "1. F3 I2 A4 C2 F3 S2 56-5< 36"
    going = drawn(part(moves), tuple(snapshots(part(moves))), "signed")
    assert "to move" in going
    for ended in (Ended(0), Ended(None)):
        record = replace(part(moves), ended=ended)
        seen = tuple(snapshots(record))
        text = drawn(record, seen, "signed")
        assert "to move" not in text
        assert "turn." not in text
        assert escape(str(closing(record, viewpoint(record.names, None)))) in text
        assert "to move" not in page(record, Proof("signed", ())).split("<template")[0]
        assert "to move" in drawn(record, seen[:-1], "signed") or len(seen) == 1
    record = load(RECORDS[6])
    text = drawn(record, tuple(snapshots(record)), "COMPLETE")
    for word in ("to move", "dice left", "turn."):
        assert word not in text
    assert str(closing(record, viewpoint(record.names, None))) in text


def test_everything_stays_within_its_panel() -> None:
    """All tricks in one hand, a crew of every card there is, six dice on a card, the longest names."""
    every = tuple(f"{nationality}{mark}" for nationality in NATIONALITIES for mark in "12334")
    state = start(deck((3, 3, 2)), "w").apply_chance((0, 5, 10, 15, 20, 25))
    state = state._replace(
        direction=">",
        placed=((6, 0, 0, 0, 0, 0), (6, 0, 0, 0, 0, 0)),
        tricks=("bbbppprrw", "bbbppprrw"),
        crews=((*every, "Sb", "Sp", "Sr", "Sw"), every),
    )
    for panel in TABLE.picture(state, viewpoint(("W" * 32, "漢" * 32), None)).panels:
        for text in element(panel).iter("text"):
            size = float(text.get("font-size", ""))
            assert size > 4, text.text
            width = 0.55 * size * cell_len(text.text or "")
            kind = text.get("class", "").split()
            left = float(text.get("x", "")) - (width if "end" in kind else width / 2 if "middle" in kind else 0)
            assert left >= -1, text.text
            assert left + width <= panel.width, text.text
        for piece in (*element(panel).iter("rect"), *element(panel).iter("use")):
            assert float(piece.get("x", "")) >= 0
            assert float(piece.get("x", "")) + float(piece.get("width", "")) <= panel.width
            assert float(piece.get("y", "")) + float(piece.get("height", "")) <= panel.height


LONG = ("Computer (optimal)", "not signed (the moves follow the rules; who made them cannot be verified)", "W" * 64)


@pytest.mark.parametrize("width", [200, 720, 1310])
@pytest.mark.parametrize("text", [*LONG, "漢" * 64])
def test_what_stands_above_the_panels_can_be_read_at_any_width(text: str, width: int) -> None:
    root = ET.fromstring(svg(Picture(Markup(""), (Panel("key_help", width, 100, ()),)), text, text, text))
    lines = list(root.iter(f"{SVG}text"))
    written = "".join("".join(line.text or "" for line in lines).split())
    assert written == "".join(text.split()) * 3, "all of it is there"
    above = 0.0
    for line in lines:
        size, x, y = (float(line.get(name, "")) for name in ("font-size", "x", "y"))
        assert size >= 12
        assert x + 0.55 * size * cell_len(line.text or "") <= width + 40, line.text
        assert y - size >= above, "no line lies over another"
        above = y
    (panel,) = root.iter(f"{SVG}g")
    found = re.fullmatch(r"translate\(20 (\d+)\)", panel.get("transform", ""))
    assert found
    assert above < int(found[1])
    assert float(root.get("height", "")) == int(found[1]) + 100 + 20
