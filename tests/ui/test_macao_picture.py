"""Shadows of Macao as a picture: every card and tile is drawn, what can be paid is marked, and all of it fits."""

import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest
from rich.cells import cell_len

from p2p_shanghaien.games.api import Terminal
from p2p_shanghaien.games.macao.display import names
from p2p_shanghaien.games.macao.display.css import PAYABLE, RESOURCES
from p2p_shanghaien.games.macao.display.table import TABLE
from p2p_shanghaien.games.macao.display.view import payable, tile_reach
from p2p_shanghaien.games.macao.rules import Phase, State
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.picture import svg
from p2p_shanghaien.ui.view import viewpoint
from tests.games.macao.test_worked_examples import position as laid_out
from tests.games.macao.test_worked_examples import side
from tests.ui.test_macao_table import SITTING, games

FULL = laid_out(
    side(
        "policeman-j policeman-m policeman-a politician-w politician-w politician-m croupier-w croupier-m "
        "trader-j trader-m killer-w widow",
        "innkeeper-a innkeeper-a innkeeper-w innkeeper-m innkeeper-j innkeeper-j politician-a",
        opened="casino",
        reserved="restaurant",
    ),
    side("policeman-j politician-w croupier-w trader-j widow", "croupier-a trader-a dancer-m killer-m sailor-a"),
    centre="gallery black-market",
)
"""Twelve blue cards, as many as can lie there, and seven red ones."""


def table(state: State, who: tuple[str, str] = ("Ada", "Ben")) -> ET.Element:
    (panel,) = TABLE.picture(state, viewpoint(who, None)).panels
    return ET.fromstring(f"<svg>{''.join(part.markup for part in panel.parts)}</svg>")


def texts(root: ET.Element) -> Counter[str]:
    return Counter(text.text or "" for text in root.iter("text"))


def test_all_cards_and_tiles_are_drawn() -> None:
    for _, _, state in games()[::5]:
        seen, deck = texts(table(state)), state.deck
        lying = [card for own in state.sides for card in (*own.red, *own.blue)]
        kinds = Counter(deck.card[card].kind for card in (*lying, *(pile.top for pile in state.piles if pile.top)))
        for kind, count in kinds.items():
            assert seen[names.kind(kind)] == count
        for tile in state.centre:
            assert seen[names.tile(tile)] == 1
        below = " ".join(seen)
        for own in state.sides:
            assert all(names.tile(tile) in below for tile in (*own.reserved, *own.opened))


def test_what_can_be_paid_is_marked() -> None:
    found = set()
    for _, _, state in games()[::5]:
        if state.phase == Phase.SET_UP:
            continue
        marked = sum(each.get("class") == PAYABLE.name for each in table(state).iter("rect"))
        wanted = 0
        if not isinstance(state.node, Terminal):
            for player, own in enumerate(state.sides):
                ready = set(payable(state, player))
                wanted += sum(card in ready for card in own.blue)
            tiles = map(state.deck.tile.__getitem__, state.centre)
            wanted += sum(any(tile_reach(state, player, tile).is_met for player in (0, 1)) for tile in tiles)
        assert marked == wanted
        found.add(bool(wanted))
    assert found == {False, True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_stays_within_the_panel_and_can_be_read(language: str) -> None:
    choose(language)
    (panel,) = TABLE.picture(FULL, SITTING).panels
    root = table(FULL, ("W" * 32, "漢" * 32))
    for text in root.iter("text"):
        size = float(text.get("font-size", ""))
        assert size > 5, text.text
        width = 0.55 * size * cell_len(text.text or "")
        kind = text.get("class", "").split()
        left = float(text.get("x", "")) - (width if "end" in kind else width / 2 if "middle" in kind else 0)
        assert left >= 0, text.text
        assert left + width <= panel.width, text.text
    for piece in root.iter("rect"):
        assert float(piece.get("x", "")) >= 0
        assert float(piece.get("x", "")) + float(piece.get("width", "")) <= panel.width
        assert float(piece.get("y", "")) + float(piece.get("height", "")) <= panel.height


def test_the_whole_picture_has_every_resource(tmp_path: Path) -> None:
    picture = TABLE.picture(FULL, SITTING)
    whole = svg(picture, "Ada against Ben", "", "")
    (tmp_path / "picture.svg").write_text(whole)
    ET.fromstring(whole)
    assert {style.name for style in RESOURCES.values()} <= {style.name for style in picture.looks}
    drawn = {each.get("class") for each in table(FULL).iter("rect")}
    assert {style.name for style in RESOURCES.values()} <= drawn
