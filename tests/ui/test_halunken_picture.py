"""Pictures of Halunken & Spelunken: valid, within their panels, and with the same content as the board."""

import json
import re
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

from rich.cells import cell_len

from p2p_shanghaien.games.halunken.display.draw import STYLES
from p2p_shanghaien.games.halunken.display.table import TABLE
from p2p_shanghaien.games.halunken.rules import Phase, State
from p2p_shanghaien.ui.page import Proof, drawn, page
from p2p_shanghaien.ui.palette import LIGHT
from p2p_shanghaien.ui.picture import Panel
from p2p_shanghaien.ui.snapshots import snapshots
from p2p_shanghaien.ui.view import Viewpoint, viewpoint
from tests.games.halunken.table import COLOURS, Table, points, value
from tests.games.halunken.table import after as space_after
from tests.sweeps import sweep
from tests.ui.halunken import CORNERS, GAMES, load, moves, positions, states
from tests.ui.test_picture import SVG, element, rendered, rgb, texts, told

NAMES = ("Ada", "Ben")
PAWNS = ("captain-light", "captain-dark", "jack")


def panels(state: State, me: int | None, before: State | None = None) -> tuple[Panel, Panel]:
    ring, crews = TABLE.picture(state, viewpoint(NAMES, me), before).panels
    return ring, crews


@sweep("path, me", product(GAMES, [0, 1, None]), every=13, ids=lambda value: getattr(value, "stem", str(value)))
def test_every_position_of_a_record(path: Path, me: int | None) -> None:
    sitting = viewpoint(NAMES, me)
    for state, table in positions(path):
        ring, crews = panels(state, me)
        check_ring(ring, table, sitting)
        check_crews(crews, table, sitting)


def check_ring(ring: Panel, table: Table, sitting: Viewpoint) -> None:
    said = told(ring)
    assert table.waits == "over" or (f"Round {table.round} of 8" if table.round else "Setup") in said[0]
    dens = {int(line.split()[1].strip(":")): line for line in said if line.startswith("Space ")}
    assert list(dens) == list(range(1, 15))
    spaces = [*table.captains, jack_space(table)]
    for space, line in dens.items():
        if table.tops[space]:
            assert f"{table.tops[space]} lies open, below it {table.left[space] - 1}." in line
        else:
            assert ("empty" if not table.left[space] else "not turned up") in line
        names = [*(sitting.who(player) for player in (0, 1)), "Black Jack"]
        standing = [name for name, at in zip(names, spaces, strict=True) if at == space]
        assert re.findall(r"\. (\w[\w ]*) stands? there", line) == standing
    if table.blackjack:
        (boat,) = (line for line in said if line.startswith("Beside the boat: "))
        assert re.findall("[rvgy][0-9]+", boat) == list(table.encoded()[13])
        assert f"Black Jack: cards {' '.join(table.cards[2]).replace('r', 'rum') or 'nothing'}." in "\n".join(said)
    check_drawn(ring, table, sitting, spaces)


def check_drawn(ring: Panel, table: Table, sitting: Viewpoint, spaces: list[int]) -> None:
    """The figures and the top rogues stand in the den's place; letters and values are written out."""
    groups = [group for group in element(ring).iter("g") if group.get("transform")]
    assert len(groups) == 14
    for space, group in enumerate(groups, start=1):
        pawns = [use.get("href", "")[1:] for use in group.iter("use")]
        wanted = ["captain-light" if who == sitting.near else "captain-dark" for who in (0, 1)]
        expected = [name for name, at in zip([*wanted, "jack"], spaces, strict=True) if at == space]
        assert pawns == expected
        written = [text.text for text in group.iter("text")]
        if top := table.tops[space]:
            assert top[0] in written
            assert top[1:] in written
            fills = [rect.get("fill") for rect in group.iter("rect")]
            assert STYLES[top[0]].split()[-1] in fills


def jack_space(table: Table) -> int:
    """Return where Black Jack is seen: in the thefts and losses of his move he has gone there already."""
    if table.phase not in (Phase.JACK_ROB, Phase.LOSE):
        return table.jack
    goal = space_after(table.jack, table.numbers[2])
    while goal in table.captains:
        goal = space_after(goal, 1)
    return goal


def check_crews(crews: Panel, table: Table, sitting: Viewpoint) -> None:
    said = told(crews)
    for player, line in zip((sitting.far, sitting.near), said, strict=True):
        crew = table.crew(player)
        assert line.startswith(f"{sitting.who(player)}: ")
        first = line.partition(".")[0]
        assert re.findall("[rvgy][0-9]+", first) == list(crew)
        total = table.scores[player] + (0 if table.waits == "over" else points(crew))
        assert f"{total} point{'' if total == 1 else 's'}" in line
        assert f"cards {' '.join(table.cards[player]).replace('r', 'rum') or 'nothing'}." in line
        acts = table.waits == f"turn {player}" or table.waits == "simultaneous"
        assert line.endswith("turn.") == acts
    written = texts(crews)
    for letter in COLOURS:
        for player in (0, 1):
            held = [rogue for rogue in table.crew(player) if rogue[0] == letter]
            if held:
                assert " ".join(rogue[1:] for rogue in held) in written
                assert str(sum(map(value, held))) in written


def test_the_cards_of_the_round_and_the_auction_are_shown() -> None:
    found = set()
    for path in (*GAMES[:3], *CORNERS):
        for state, table in positions(path):
            said = " ".join(told(panels(state, 0)[0]))
            for shows, card in zip(("You show", "Ben shows", "Black Jack shows"), table.shown, strict=True):
                assert (shows in said) == bool(card)
                if card:
                    assert f"{shows} {'rum' if card == 'r' else card}" in said
            if table.bid:
                found.add("bid")
                assert re.search(rf"(you bid|Ben bids)\. {table.bid}\.", said)
            if table.shown[0] == table.shown[1] != "":
                found.add("cancelled")
                assert said.count("cancelled") == 2
    assert found == {"bid", "cancelled"}


def test_a_hand_that_has_ended_is_shown_with_its_points() -> None:
    path = next(path for path in GAMES if list(states(path))[-1].hand == 3)
    events = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    scored = [event["points"] for event in events if event["event"] == "scored"]
    seen = []
    for before, _, after in moves(path):
        heading = told(panels(after, None, before)[0])[0]
        if found := re.search(r"Hand \d is over: Ada (\d+) points?, Ben (\d+)", heading):
            seen.append([int(found[1]), int(found[2])])
    assert seen == scored[:-1]


def test_who_wins_is_said_at_the_end() -> None:
    for path in GAMES:
        *_, last = states(path)
        first, second = last.scores
        (_, crews) = panels(last, None)
        assert texts(crews).count("wins") == (first != second)
        assert "to move" not in texts(crews)


def test_everything_stays_within_its_panel() -> None:
    """The longest names, and as many rogues in a crew and beside the boat as there are."""
    state = next(state for state in states(GAMES[1]) if state.phase == Phase.AUCTION and state.bid)
    deck = [f"{colour}{number}" for colour, values in COLOURS.items() for number in values]
    full = state._replace(
        crews=(tuple(deck), tuple(deck)), boat=tuple(deck[:16]), captains=(1, 1), jack=1, scores=(400, 400), hand=3
    )
    for shown_state in (full, full._replace(phase=Phase.LOSE, shown=("r", "7", "r"), numbers=(4, 7, 3))):
        inside = [text for text in element(panels(shown_state, None)[0]).findall("text") if text.text]
        assert all(float(text.get("y", "")) < 42 + 3 * 134 for text in inside), "above the lowest dens"
        for panel in TABLE.picture(shown_state, viewpoint(("W" * 32, "漢" * 32), None)).panels:
            root = element(panel)
            offsets = {text: group for group in root.iter("g") if group.get("transform") for text in group.iter("text")}
            for text in root.iter("text"):
                size = float(text.get("font-size", ""))
                assert size > 3, text.text
                shift = 0.0
                if text in offsets:
                    found = re.fullmatch(r"translate\((\d+) (\d+)\)", offsets[text].get("transform", ""))
                    assert found
                    shift = float(found[1])
                width = 0.55 * size * cell_len(text.text or "")
                kind = text.get("class", "").split()
                left = float(text.get("x", "")) - (width if "end" in kind else width / 2 if "middle" in kind else 0)
                assert left + shift >= -1, text.text
                assert left + shift + width <= panel.width, text.text
            for piece in (*root.iter("rect"), *root.iter("use")):
                assert float(piece.get("x", "")) >= 0
                assert float(piece.get("x", "")) + float(piece.get("width", "")) <= panel.width
                assert float(piece.get("y", "")) + float(piece.get("height", "")) <= panel.height


def test_a_picture_is_valid_and_shows_every_colour(tmp_path: Path) -> None:
    record = load(GAMES[2])
    seen = tuple(snapshots(record))
    text = drawn(record, seen[:-4], "COMPLETE")
    root = ET.fromstring(text)
    ids = {found.get("id") for found in root.iter() if found.get("id")}
    assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} <= ids
    assert set(PAWNS) <= ids
    image = rendered(text, tmp_path)
    colours = {colour for _, colour in image.getcolors(maxcolors=2**24) or ()}
    for shade in (*(style.split()[-1] for style in STYLES.values()), LIGHT["brass"], LIGHT["acting"], LIGHT["cloth"]):
        assert rgb(shade) in colours, shade


def test_a_page_replays_it() -> None:
    record = load(GAMES[2])
    made = page(record, Proof("verified", ("verified",)))
    assert made.count("Beside the boat: ") > 10
    assert len(made) < 1_500_000
