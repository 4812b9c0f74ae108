"""Shanghaien's table in real games shows the position."""

from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path

import pytest
from rich.color import ColorSystem
from rich.style import Style

from p2p_shanghaien.games.api import Acted
from p2p_shanghaien.games.shanghaien.cards import deck
from p2p_shanghaien.games.shanghaien.display.draw import STYLES
from p2p_shanghaien.games.shanghaien.display.table import TABLE
from p2p_shanghaien.games.shanghaien.rules import State, start
from p2p_shanghaien.ui.view import ASCII, Viewpoint, opens_stage, viewpoint
from tests.sweeps import sweep
from tests.ui.ledger import NATIONALITIES, RECORDS, TRICKS, Ledger, load, moments

NAMES = ("Ada", "Ben")


def seat(me: int | None) -> Viewpoint:
    return viewpoint(NAMES, me, ASCII)


def position(state: State, sitting: Viewpoint) -> list[str]:
    return [line.plain for line in TABLE.position(state, sitting)]


def cells(line: str) -> list[str]:
    """Return the six columns around the tavern row."""
    return [line[13 + 11 * i : 24 + 11 * i].strip() for i in range(6)]


def scores(line: str) -> list[str]:
    """Return the ten columns of the score table."""
    edges = [6 + 8 * i for i in range(9)] + [76, 80]
    return [line[a:b].strip() for a, b in pairwise(edges)]


@sweep("path, me", product(RECORDS, [0, 1, None]), every=13, ids=lambda value: getattr(value, "stem", str(value)))
def test_every_position_of_a_record(path: Path, me: int | None) -> None:
    near = me or 0
    labels = ["You" if player == me else NAMES[player] for player in (0, 1)]
    for moment in moments(path):
        lines = position(moment.after, seat(me))
        if not moment.ledger.row:
            check_scores(lines[1:], moment.ledger, labels, near)
            continue
        assert f"Round {moment.ledger.round} of 8" in lines[0]
        assert f"{len(moment.ledger.unseen)} cards in the pile" in lines[0]
        open_ends = moment.ledger.left_is_one is None
        check_row(lines[1 : 9 if open_ends else 8], moment.ledger, moment.after, labels, near)
        check_scores(lines[9 if open_ends else 8 :], moment.ledger, labels, near)


def check_row(lines: Sequence[str], ledger: Ledger, state: State, labels: Sequence[str], near: int) -> None:
    far_side, far_dice, *numbers, cards, words, near_dice, near_side = lines
    if ledger.left_is_one is None:
        left, right = numbers
        assert left.startswith("1 at left  <")
        assert right.startswith("1 at right >")
        assert cells(left) == list("123456")
        assert cells(right) == list("654321")
    else:
        (line,) = numbers
        assert cells(line) == [str(number) for number in ledger.numbers()]
    assert [cell.lstrip("^v ") for cell in cells(cards)] == ledger.row
    assert cells(words) == [TRICKS[c[1]] if c[0] == "X" else NATIONALITIES[c[0]] for c in ledger.row]
    for player, side, dice in ((near, near_side, near_dice), (1 - near, far_side, far_dice)):
        for cell, number in zip(cells(dice), ledger.numbers(), strict=True):
            assert cell == (" ".join([str(number)] * ledger.placed[player].count(number)) or ".")
        assert side.startswith(labels[player])
        rolled = ledger.rolled if state.node == (player,) else []
        assert f" {6 - len(ledger.placed[player]) - len(rolled)} di" in side
        if rolled:
            assert f"rolled {rolled[0]} and {rolled[1]}" in side
        for letter, word in TRICKS.items():
            count = ledger.tricks[player].count(letter)
            assert (word in side) == (count > 0)
            assert (f"{count} {word}" in side) == (count > 1)
        assert ("no tricks" in side) == (not ledger.tricks[player])
        assert ("trick played" in side) == ledger.tricked[player]
    for cell, number in zip(cells(cards), ledger.numbers(), strict=True):
        assert (cell[0] if cell[0] in "^v" else None) == leader(ledger, number, near)


def leader(ledger: Ledger, number: int, near: int) -> str | None:
    here = [own.count(number) for own in ledger.placed]
    if here[0] == here[1]:
        if not here[0]:
            return None
        here = [sum(die for die in own if abs(die - number) == 1) for own in ledger.placed]
    if here[0] == here[1]:
        return None
    return "v" if here[near] > here[1 - near] else "^"


def check_scores(lines: Sequence[str], ledger: Ledger, labels: Sequence[str], near: int) -> None:
    head, far_crew, far_points, near_crew, near_points, tavern, pile = lines
    assert scores(head) == [*NATIONALITIES.values(), "Trick", "Sum"]
    for player, crew, points in ((1 - near, far_crew, far_points), (near, near_crew, near_points)):
        assert crew[:6].strip() == labels[player]
        assert points[:6] == "points"
        for cell, score, nationality in zip(scores(crew)[:8], scores(points)[:8], NATIONALITIES, strict=True):
            strength = ledger.strength(player, nationality)
            assert cell == (f"{ledger.marks(player, nationality)}={strength}" if strength else "")
            assert score == (str(ledger.points(player, nationality)) if strength else ".")
        assert scores(crew)[8] == "".join(sorted(ledger.tricks[player]))
        assert scores(points)[8:] == [str(len(ledger.tricks[player])), str(ledger.total(player))]
    for line, cards in ((tavern, ledger.row), (pile, ledger.unseen)):
        for cell, nationality in zip(scores(line)[:8], NATIONALITIES, strict=True):
            assert cell == ("".join(sorted(c[1] for c in cards if c[0] == nationality)) or ".")
        assert scores(line)[8] == str(sum(c[0] == "X" for c in cards))


@pytest.mark.parametrize("near", [0, 1])
@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_every_overview_of_a_record(path: Path, near: int) -> None:
    placed: list[list[int]] = [[], []]
    rounds = 0
    for moment in moments(path):
        lines = [line.plain for line in TABLE.overview(moment.before, moment.step, seat(near))]
        if moment.events[-1]["event"] not in ("distribution", "result"):
            assert lines == []
            placed = [list(own) for own in moment.ledger.placed]
            continue
        rounds += 1
        distribution = moment.events[1]
        cards, far, own, taken = lines
        assert cards.startswith(f"Round {rounds} ")
        assert [cell.split() for cell in cells(cards)] == [[str(i), c] for i, c in enumerate(distribution["row"], 1)]
        assert far.startswith(NAMES[1 - near])
        assert own.startswith("You")
        for number in range(1, 7):
            counts = [own.count(number) for own in placed]
            sums = [sum(die for die in own if abs(die - number) == 1) for own in placed]
            tied = counts[0] == counts[1] > 0
            for player, line in ((near, own), (1 - near, far)):
                expected = f"{counts[player]} (sum {sums[player]})" if tied else str(counts[player])
                assert cells(line)[number - 1] == expected
        takers = {near: "v You", 1 - near: f"^ {NAMES[1 - near]}", None: "nobody"}
        assert cells(taken) == [takers[taker] for taker in distribution["taken_by"]]
    assert rounds == 8


@pytest.mark.parametrize("near", [0, 1])
@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_the_ending_of_every_record(path: Path, near: int) -> None:
    *_, last = moments(path)
    result = last.events[-1]
    head, *nationalities, tricks, total = [line.plain for line in TABLE.ending(last.after, seat(near))]
    order = (1 - near, near)
    assert head.split() == ["Scoring", *("You" if player == near else NAMES[player] for player in order)]
    assert [line.split()[0] for line in nationalities] == list(NATIONALITIES.values())
    for line, nationality in zip(nationalities, NATIONALITIES, strict=True):
        crews = [line[14:23].strip(), line[27:36].strip()]
        points = [line[23:27].strip(), line[36:40].strip()]
        strengths = [result["crews"][player].get(nationality, 0) for player in order]
        assert [int(crew.partition("=")[2] or 0) for crew in crews] == strengths
        assert [int(p) if p != "." else 0 for p in points] == [last.ledger.points(p, nationality) for p in order]
    assert [int(number) for number in tricks[14:40].split()] == [len(last.ledger.tricks[p]) for p in order]
    assert [int(number) for number in total[14:].split()] == [result["scores"][p] for p in order]


def worked_round() -> State:
    """Return the rulebook's round: A has 2, 2, 3, 6, 6 on the cards, B 3, 4, 5, 6, 6."""
    state = start(deck((3, 3, 2)), "").apply_chance((0, 5, 10, 15, 20, 25))
    return state._replace(direction="<", placed=((0, 2, 1, 0, 0, 2), (0, 0, 1, 1, 1, 2)))


def test_the_worked_round() -> None:
    lines = [line.plain for line in TABLE.overview(worked_round(), Acted(0, "#"), seat(0))]
    _, ben, ada, taken = lines
    assert cells(ada) == ["0", "2", "1 (sum 4)", "0", "0", "2 (sum 0)"]
    assert cells(ben) == ["0", "0", "1 (sum 4)", "1", "1", "2 (sum 5)"]
    assert cells(taken) == ["nobody", "v You", "nobody", "^ Ben", "^ Ben", "^ Ben"]


def test_the_worked_scoring() -> None:
    crews = (("S3", "Sp", "Sb", "F1", "F4", "A1", "A2", "A3", "C1"), ("F2", "F3", "A3", "A4", "C3", "C3", "C4"))
    state = start(deck((3, 3, 2)), "")._replace(crews=crews, tricks=("", "r"))
    lines = [line.plain for line in TABLE.ending(state, seat(None))]
    assert lines[-1].split() == ["Total", "8", "7"]
    reasons = {line.split()[0]: line[40:].strip() for line in lines[1:-2]}
    assert reasons["Spanish"] == "no rival: scores its own strength"
    assert reasons["French"] == "equal: both leave the game"
    assert reasons["American"] == "the stronger scores the weaker's 6"
    assert reasons["Chinese"] == "the stronger scores the weaker's 1"
    assert reasons["German"] == "nobody has any"


@pytest.mark.parametrize("me", [0, 1, None])
@sweep("path", RECORDS, every=3, ids=lambda path: path.stem)
def test_every_event_is_told(path: Path, me: int | None) -> None:
    who = ["You" if player == me else name for player, name in enumerate(NAMES)]
    for moment in moments(path):
        said = " ".join(map(str, TABLE.news(moment.before, moment.step, moment.after, seat(me))))
        event = moment.events[0]
        match event["event"]:
            case "round":
                assert said.startswith(f"Round {event['round']}: ")
                assert "you start." in said if event["starter"] == me else f"{NAMES[event['starter']]} starts." in said
                row = [f"{c} ({TRICKS[c[1]] if c[0] == 'X' else NATIONALITIES[c[0]]})" for c in event["row"]]
                assert said.endswith(f"left to right: {', '.join(row)}.")
            case "dice":
                first, second = event["dice"]
                assert said.startswith(f"{who[event['player']]} rolled ")
                assert f"{first} and {second}." in said
            case "decision":
                check_decision(event, moment.events[1:], said, who)


def check_decision(event: dict[str, object], rest: Sequence[dict[str, object]], said: str, who: Sequence[str]) -> None:
    action, player = str(event["action"]), int(str(event["player"]))
    if action == "roll":
        assert said == ""
    elif action == "#":
        assert said.startswith(f"{who[player]} called Shanghai")
        distribution = rest[0]
        for card, taker in zip(distribution["row"], distribution["taken_by"], strict=True):  # type: ignore[call-overload]
            sentences = said.split(". ")
            start_ = "Out of the game: " if taker is None else f"{who[taker]} took "
            assert any(sentence.startswith(start_) and card in sentence for sentence in sentences)
    elif action[0] == "-":
        assert said.startswith(f"{who[player]} placed the {action[1]} on ")
        assert ("number 1 is at the left end" in said) == action.endswith("<")
        assert ("number 1 is at the right end" in said) == action.endswith(">")
    else:
        assert TRICKS[action[1]] in said
        assert (NATIONALITIES[action[3]] in said) if "=" in action else True
        assert who[player] in said or "you" in said


def test_die_and_card_fit_in_what_is_told() -> None:
    """A placement names the card that lies where the die's number is."""
    for path in RECORDS:
        row: list[str] = []
        for moment in moments(path):
            row = moment.ledger.row or row
            event = moment.events[0]
            if event["event"] == "decision" and event["action"][0] == "-":
                numbers = moment.ledger.numbers()
                card = row[numbers.index(int(event["action"][1]))]
                said = " ".join(map(str, TABLE.news(moment.before, moment.step, moment.after, seat(None))))
                assert f" on {card} (" in said


def test_a_round_opens_where_a_row_is_laid_out() -> None:
    for moment in moments(RECORDS[0]):
        assert opens_stage(TABLE, moment.before, moment.step) == (moment.events[0]["event"] == "round")


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT, ColorSystem.TRUECOLOR])
def test_cards_can_be_read_in_every_colour_system(system: ColorSystem) -> None:
    for key, style in STYLES.items():
        if key == "X":
            continue
        parsed = Style.parse(style)
        assert parsed.color
        assert parsed.bgcolor
        shades = sorted(luminance(color.downgrade(system).get_truecolor()) for color in (parsed.color, parsed.bgcolor))
        assert (shades[1] + 0.05) / (shades[0] + 0.05) > 4


def luminance(color: tuple[int, int, int]) -> float:
    """Relative luminance (WCAG 2)."""
    red, green, blue = ((c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_each_nationality_has_a_colour_of_its_own() -> None:
    assert len({style.split(" on ")[-1] for style in STYLES.values()}) == len(NATIONALITIES) + 1


def test_records_are_there() -> None:
    assert len(RECORDS) == 12
    assert load(RECORDS[0]).names == NAMES
