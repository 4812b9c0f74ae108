"""Halunken's table in whole games says what happens, shows what lies there, and fits the screen."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from p2p_shanghaien.games.api import Acted, Chosen, Terminal, deciders
from p2p_shanghaien.games.halunken.display.draw import STYLES
from p2p_shanghaien.games.halunken.display.table import TABLE
from p2p_shanghaien.games.halunken.rules import State
from p2p_shanghaien.ui.characters import ASCII, UNICODE, Charset
from p2p_shanghaien.ui.snapshots import snapshots, until
from p2p_shanghaien.ui.view import Viewpoint, rules_of, viewpoint
from tests.games.halunken.test_worked_examples import before_the_cards, follow
from tests.sweeps import sweep, together
from tests.ui.desk import Desk
from tests.ui.harbour import COLOURS, RECORDS, Moment, crew_words, load, moments, named, parse, points

NAMES = ("Ada", "Ben")
WIDE = ("Abdul-Rahman Al-Sufi", "漢字漢字漢字漢字漢字漢字")
"""Names as wide as a label gets, one of them in characters of two cells."""


def seat(me: int | None, names: tuple[str, str] = NAMES) -> Viewpoint:
    return viewpoint(names, me, ASCII)


def news(moment: Moment, sitting: Viewpoint) -> str:
    return " ".join(map(str, TABLE.news(moment.before, moment.step, moment.after, sitting)))


def position(state: State, sitting: Viewpoint) -> list[str]:
    return [line.plain for line in TABLE.position(state, sitting)]


def told(event: dict[str, Any], who: Sequence[str]) -> str:
    """Return how an event is told to somebody who does not play."""
    match event["event"]:
        case "first":
            return f"{who[event['player']]} put the captain on space {event['space']}; {named(event['rogue'])} begins"
        case "dens":
            return "The top rogue of every den is turned up."
        case "round" if event["opener"] is None:
            return f"Round {event['round']} begins."
        case "round":
            return f"Round {event['round']}: {who[event['opener']]} opens the auction."
        case "hired" if event["player"] is None:
            return "Nobody hired Black Jack."
        case "hired":
            return f"{who[event['player']]} hired Black Jack: {named(event['rogue'])} goes beside the boat."
        case "reveal":
            first, second = (card.replace("r", "rum") for card in event["cards"])
            jack = f" Black Jack's card: {event['jack'].replace('r', 'rum')}." if event["jack"] else ""
            return f"The cards are shown: {who[0]} {first}, {who[1]} {second}.{jack}"
        case "move":
            moved = f"moved {event['number']} to" if event["number"] else "stayed on"
            taken = f" and took {named(event['rogue'])}." if event["rogue"] else ", where the den is empty."
            return f"{who[event['player']]} {moved} space {event['to']}{taken}"
        case "turned":
            return f"Den {event['space']} now shows {named(event['rogue'])}."
        case "theft" if event["victim"] is None:
            return f"{who[event['thief']]} took {named(event['rogue'])} from beside the boat."
        case "theft":
            return f"stole {named(event['rogue'])} from {who[event['victim']]}"
        case "displaced":
            figure = "Black Jack" if event["captain"] is None else who[event["captain"]]
            return f"{figure} was put on space {event['to']}."
        case "drawn":
            return f"Black Jack's card is drawn: {event['card'].replace('r', 'rum')}."
        case "jack":
            met = " and ".join(who[player] for player in event["met"]) or "nobody"
            number = event["number"]
            # where his number ends; on a captain he is put on a space behind
            return f"Black Jack moved {number} to space {event['to']} and met {met}."
        case "lost":
            return f"{who[event['player']]} lost {named(event['rogue'])}, which goes beside the boat."
        case "scored":
            return f"Hand {event['hand']} is over: {who[0]} {event['points'][0]} points, {who[1]} {event['points'][1]}."
        case _:
            return ""


@sweep("path", RECORDS, every=3, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_everything_that_happens_is_told_in_order(path: Path) -> None:
    for moment in moments(path):
        text, at = news(moment, seat(None)), 0
        for event in moment.events:
            expected = told(event, NAMES)
            if event["event"] == "scored" and moment.before.options.hands == 1:
                assert expected not in text, "the game is over, which is said anyway"
                continue
            assert expected in text[at:], f"{event}: {text}"
            at = text.index(expected, at) + len(expected)


@sweep("path", RECORDS, every=3, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("me", [0, 1])
def test_a_player_is_never_told_of_under_the_own_name(path: Path, me: int) -> None:
    for moment in moments(path):
        text = news(moment, seat(me))
        assert NAMES[me] not in text
        about = {event.get(key) for event in moment.events for key in ("player", "thief", "victim", "captain")}
        if moment.events and me in about - {None}:
            assert "you" in text.lower()


@sweep("path", RECORDS, every=3, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_decision_that_has_no_event_is_told_as_well(path: Path) -> None:
    for moment in moments(path):
        if not isinstance(moment.step, Acted):
            continue
        player, action = moment.step
        thing = action.partition(":")[2]
        name = NAMES[player]
        text = news(moment, seat(None))
        if action == "pass":
            assert text.startswith(f"{name} passed.")
        elif action == "leave":
            assert text.startswith(f"{name} stole nothing.")
        elif action.startswith("bid:"):
            assert text.startswith(f"{name} bid {named(thing)}.")
        elif action.startswith("="):
            assert text.startswith(f"{name} named {action[1:]} for the rum.")
        elif action.startswith("J="):
            assert text.startswith(f"{name} named {action[2:]} for Black Jack's rum.")
        elif action.startswith("at:") and moment.before.captains[0] and moment.before.captains[1]:
            assert text.startswith(f"{name} put Black Jack on space {thing}.")


@together("me", [0, 1, None])
@sweep("path", RECORDS, every=3, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_round_begins_with_everything_on_the_table(path: Path, me: int | None) -> None:
    near = me or 0
    rounds = 0
    for moment in moments(path):
        for event in moment.events:
            if event["event"] == "round":
                rounds += 1
                check_table(event, position(moment.after, seat(me)), me, near)
    assert rounds >= 1


def check_table(event: dict[str, Any], lines: Sequence[str], me: int | None, near: int) -> None:
    shown = parse(lines)
    names = ["You" if player == me else NAMES[player] for player in (0, 1)]
    marks = ["v" if player == near else "^" for player in (0, 1)]
    assert f"ound {event['round']} of 8" in shown.heading
    for player, line, crew in ((near, shown.near, shown.near_crew), (1 - near, shown.far, shown.far_crew)):
        assert line.startswith(f"{marks[player]} {names[player]} ")
        left = " ".join(card if card in event["cards"][player] else "." for card in "1234567r").replace("r", "rum")
        assert f"cards {left};" in line
        total, doubled = points(event["crews"][player])
        assert f"{total} point" in line or f"+ {total} points" in line
        assert any(crew == crew_words(event["crews"][player], colour) for colour in doubled or {""})
    assert [shown.tops[space] for space in range(1, 15)] == [top or "." for top in event["tops"]]
    below = [left - bool(top) for left, top in zip(event["left"], event["tops"], strict=True)]
    assert [shown.below[space] for space in range(1, 15)] == below
    figures = dict.fromkeys(range(1, 15), "")
    for player, space in enumerate(event["captains"]):
        figures[space] = f"{marks[player]} {names[player]}"
    if event["jack"]:
        figures[event["jack"]] = "Black Jack"
        left = " ".join(card if card in event["cards"][2] else "." for card in "1234567r").replace("r", "rum")
        assert f"Black Jack's cards {left}" in shown.middle
        words = crew_words(event["boat"], "") if event["boat"] else []
        assert shown.middle.partition("boat:")[2].split() == words
    else:
        assert shown.middle == ""
    assert shown.figures == figures


def test_cards_are_shown_beside_their_players_until_the_round_ends() -> None:
    state = before_the_cards((3, 9), 12, ("r4", "g5"), hirer=1)
    heading = position(state, seat(0))[0]
    assert heading.endswith("; both choose in secret")
    shown = parse(position(state.apply_joint(("r", "6+2")), seat(0)))
    assert "shows rum" in shown.near
    assert "shows 6" in shown.far
    assert shown.middle.startswith("Black Jack's cards 1 . 3 4 5 6 7 rum; shows 2 Ben has hired him this round.")
    assert shown.heading.endswith("; you name a number")
    state = state.apply_joint(("r", "6+2")).apply("=7")
    assert "shows rum: 7" in parse(position(state, seat(0))).near


def test_only_rogues_have_the_colour_of_rogues() -> None:
    """Neither does the word behind those that count twice, nor a number."""
    console = Console(color_system="truecolor", width=80)
    coloured = []
    for line in TABLE.position(before_the_cards((3, 9), 12, ("r4 r5 v3", "g5"), boat="y3"), seat(0)):
        pieces = [(piece.text.strip(), piece.style) for piece in line.render(console)]
        coloured += [text for text, style in pieces if text and style and style.bgcolor]
    assert {"r 4 5", "v 3", "g 5", "y 3"} < set(coloured)
    assert all(re.fullmatch("[rvgy]( ?[0-9]+)+", text) for text in coloured), coloured


def test_who_stands_on_one_space_during_a_theft_is_seen() -> None:
    state, _ = follow(before_the_cards((3, 5), 12, ("r4", "g5 g6")), Chosen(("2", "7")))
    shown = parse(position(state, seat(0)))
    assert shown.figures[5].split() == ["v", "You", "^", "Ben"]
    assert shown.heading.endswith("; you are to steal")
    state, _ = follow(before_the_cards((3, 9), 5, ("r4", "g5"), boat="y3"), Chosen(("2", "7")))
    assert parse(position(state, seat(0))).figures[5].split() == ["v", "You", "Jack"]


@pytest.mark.parametrize(
    ("crews", "me", "words"),
    [
        (("r4 r5", "g5"), None, "No theft: Ada has 3 rogues, Ben only 1. Ben was put on space 6."),
        (("r4 r5", "g5"), 0, "No theft: you have 3 rogues, Ben only 1. Ben was put on space 6."),
        (("r4 r5", "g5"), 1, "No theft: Ada has 3 rogues, you only 1. You were put on space 6."),
        (("r4 r5", ""), 1, "No theft: you have no rogue."),
        (("r4 r5", ""), None, "No theft: Ben has no rogue."),
    ],
)
def test_why_a_captain_steals_nothing_is_told(crews: tuple[str, str], me: int | None, words: str) -> None:
    before = before_the_cards((3, 5), 12, crews, empty=[8])
    chosen = Chosen(("2", "7"))
    state = before.apply_joint(chosen.actions)
    told_ = " ".join(map(str, TABLE.news(before, chosen, state, seat(me))))
    after, _ = follow(before, chosen)
    assert after.captains[0] == 5
    step = turned_up(state)
    told_ += " ".join(map(str, TABLE.news(state, step, state.apply_chance(step.indices), seat(me))))
    assert words in told_


def turned_up(state: State) -> Any:
    from p2p_shanghaien.games.api import Drawn

    return Drawn((0,) * len(state.node.bounds))  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("me", "words"),
    [
        (None, "Black Jack stole g5 (grey) from Ben for Ada."),
        (0, "Black Jack stole g5 (grey) from Ben for you."),
        (1, "Black Jack stole g5 (grey) from you for Ada."),
    ],
)
def test_what_black_jack_steals_is_told_to_each(me: int | None, words: str) -> None:
    before = before_the_cards((5, 13), 12, ("", "g5 g6"), hirer=0, empty=range(1, 15))
    state, _ = follow(before, Chosen(("1+7", "2")))
    step = Acted(0, "take:g5")
    text = " ".join(map(str, TABLE.news(state, step, state.apply("take:g5"), seat(me))))
    assert text.startswith(words)


def test_a_hirer_who_may_not_steal_is_told_why() -> None:
    before = before_the_cards((5, 13), 12, ("r4 r5 r6", "g5"), hirer=0, empty=range(1, 15))
    step = Chosen(("1+7", "2"))
    text = " ".join(map(str, TABLE.news(before, step, before.apply_joint(step.actions), seat(0))))
    assert "Black Jack moved 7 to space 5 and met Ben. No theft: you have 3 rogues, Ben only 1." in text


@sweep("path", RECORDS, every=3, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_scoring_adds_up(path: Path) -> None:
    hands = 0
    for moment in moments(path):
        scored = [event for event in moment.events if event["event"] == "scored"]
        overview = [line.plain for line in TABLE.overview(moment.before, moment.step, seat(0))]
        if not scored:
            assert overview == []
            continue
        (event,) = scored
        hands += 1
        last = isinstance(moment.after.node, Terminal)
        assert bool(overview) == (not last)
        lines = [line.plain for line in TABLE.ending(moment.after, seat(0))] if last else overview
        assert lines[0].split()[-2:] == ["Ben", "You"]
        for player, cells in ((1, slice(20, 50)), (0, slice(50, 80))):
            rows = {line[:20].strip(): line[cells].split() for line in lines}
            for colour, word in COLOURS.items():
                values = [int(rogue[1:]) for rogue in event["crews"][player] if rogue[0] == colour]
                assert rows[word][-1] == (str(sum(values)) if values else ".")
            twice = [COLOURS[event["doubled"][player]]] if event["doubled"][player] else []
            assert rows["counts twice"][:-1] == twice or event["doubled"][player] is None
            if last and moment.after.options.hands == 1:
                assert rows["Total"] == [str(event["points"][player])]
            elif hands == 1:
                assert rows["this hand"] == rows["Total"] == [str(event["points"][player])]
            else:
                assert int(rows["this hand"][0]) + int(rows["earlier hands"][0]) == int(rows["Total"][0])


@sweep("charset", [UNICODE, ASCII], every=2, ids=["unicode", "ascii"])
@sweep("path", RECORDS, every=9, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_drawing_fits_the_screen(path: Path, charset: Charset) -> None:
    for me in (0, 1, None):
        sitting = viewpoint(WIDE, me, charset)
        for moment in moments(path):
            drawn = [*TABLE.position(moment.after, sitting), *TABLE.overview(moment.before, moment.step, sitting)]
            assert all(line.cell_len <= 80 for line in drawn), [line.plain for line in drawn]
            assert not charset.ascii_only or all(line.plain.isascii() for line in drawn)
        ending = TABLE.ending(moment.after, sitting)
        assert all(line.cell_len <= 80 for line in ending)


@sweep("path", RECORDS, every=4, ids=lambda path: f"{path.parent.name}-{path.stem}")
async def test_a_decision_fits_on_a_small_screen(path: Path) -> None:
    """Position, choices and prompt in 24 lines of 80 cells."""
    record = load(path)
    for moment in moments(path):
        for player in deciders(moment.before.node):
            desk = Desk([moment.before.legal(player)[0]])
            desk.table.begun(record.game, WIDE, player)
            desk.shown()
            await desk.table.decide(moment.before, player)
            shown = desk.shown()
            assert len(shown) <= 24, "\n".join(shown)
            assert all(cell_len(line) <= 80 for line in shown)


@sweep("path", RECORDS, every=3, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_place_is_a_hand_a_round_and_a_decision_of_it(path: Path) -> None:
    """A place with a decision is the position before the next one; one without, before the round's first."""
    record = load(path)
    whole = tuple(snapshots(record))
    decisions: dict[tuple[int, int], int] = {}
    last = None
    for moment in moments(path):
        if isinstance(moment.step, Acted | Chosen):
            place = moment.before.hand, moment.before.round
            if last is not None:
                count = decisions[last]
                name = f"{last[0]}:{last[1]}.{count}"
                assert until(whole, name, "halunken")[-1].after == moment.before, name
                if last[0] == 1:
                    assert until(whole, name.removeprefix("1:"), "halunken") == until(whole, name, "halunken")
            if place not in decisions and last is not None:
                assert until(whole, f"{place[0]}:{place[1]}", "halunken")[-1].after == moment.before
            decisions[place] = decisions.get(place, 0) + 1
            last = place
    assert until(whole, "end", "halunken")[-1].after == record.last()


def test_the_rules_fit_and_name_what_can_be_typed() -> None:
    rules = rules_of("halunken")
    # as they stand in a panel with a scroll bar on a screen of 80 cells
    assert all(cell_len(line) <= 74 for line in rules.splitlines())
    for word in ("rules", "say", "resign", "offer", "accept", "leave", "pass", "--hands", "--blackjack", "--theft"):
        assert f" {word} " in rules
    for word in COLOURS.values():
        assert word in rules


def test_the_legend_explains_the_signs() -> None:
    legend = " ".join(TABLE.legend(seat(0)))
    for sign in ("+2", "v11", ". is an empty den", "^ Ben", "v You"):
        assert sign in legend


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR])
def test_rogues_can_be_read_in_every_colour_system(system: ColorSystem) -> None:
    for style in STYLES.values():
        parsed = Style.parse(style)
        assert parsed.color
        assert parsed.bgcolor
        shades = sorted(luminance(color.downgrade(system).get_truecolor()) for color in (parsed.color, parsed.bgcolor))
        assert (shades[1] + 0.05) / (shades[0] + 0.05) > 4


def luminance(color: tuple[int, int, int]) -> float:
    """Relative luminance (WCAG 2)."""
    red, green, blue = ((c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
