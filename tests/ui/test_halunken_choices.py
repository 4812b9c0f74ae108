"""The choices at Halunken's table: in words, as it may be typed, and why anything else is not."""

import asyncio
from collections.abc import Sequence

from p2p_shanghaien.games.api import Chosen, deciders
from p2p_shanghaien.games.halunken.display.table import TABLE
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import State
from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.view import ASCII, Choice, viewpoint
from tests.games.halunken.test_worked_examples import before_the_cards, follow
from tests.sweeps import sweep, together
from tests.ui.desk import Desk
from tests.ui.harbour import RECORDS, moments

NAMES = ("Ada", "Ben")
SETUP = "hand:1 at:2 2:y1 at:6 6:r5 1:y5 2:v8 3:v10 4:r4 5:v11 6:v6 7:g13 8:v9 9:g3 10:v3 11:y6 12:v5 13:v7 14:y2"


def after(moves: str, tags: str = "") -> State:
    """Return the position after these tokens, which Ada (2:y1) and Ben (6:r5, the stronger) have reached."""
    record = read(f'[Game "halunken"]\n[First "Ada"]\n[Second "Ben"]\n{tags}\n{SETUP} {moves}'.encode(), RULES)
    state = record.last()
    assert isinstance(state, State)
    return state


def words(state: State, player: int) -> list[tuple[str, str]]:
    """Return each choice of `player` with its meaning, in the order of the list."""
    sitting = viewpoint(NAMES, player, ASCII)
    return [(each.action, each.words) for each in TABLE.choices(state, player, sitting)]


def typed(state: State, lines: Sequence[str]) -> tuple[str, list[str]]:
    """Return the action of whoever decides there and types these lines, and what is shown after the first prompt."""
    player = deciders(state.node)[-1]
    desk = Desk(lines)
    desk.table.begun(Halunken(), NAMES, player)
    action = asyncio.run(desk.table.decide(state, player))
    shown = desk.shown()
    first = next(number for number, line in enumerate(shown) if line.startswith("Your choice"))
    return action, [line for line in shown[first:] if not line.startswith("Your choice")]


AUCTION = after("at:9 1. bid:r5")
"""Ben bids r5; Ada has y1 alone."""
THEFT, _ = follow(before_the_cards((3, 5), 12, ("r4", "g5 g6 y12")), Chosen(("2", "7")))
LOOT, _ = follow(before_the_cards((3, 9), 5, ("r4", "g5 g6"), boat="y3 y9", hirer=1), Chosen(("2", "7+1")))
NAMING = before_the_cards((3, 9), 12, ("r4", "g5")).apply_joint(("r", "3"))
CARDS = before_the_cards((3, 9), 12, ("r4", "g5"))._replace(cards=("123567r", "123567r", "1234567r"))
HIRED = before_the_cards((3, 9), 12, ("r4", "g5"), hirer=1)._replace(cards=("123567r", "123567r", "234567r"))


@sweep("path", RECORDS, every=3, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_legal_action_is_offered_once_and_taken_as_it_is_typed(path: object) -> None:
    for moment in moments(path):  # type: ignore[arg-type]
        for player in deciders(moment.before.node):
            legal = moment.before.legal(player)
            choices = TABLE.choices(moment.before, player, viewpoint(NAMES, player, ASCII))
            assert sorted(choice.action for choice in choices) == sorted(legal)
            spelled = [text for choice in choices for text in {choice.action, choice.key, *choice.spellings} - {""}]
            assert len(spelled) == len(set(spelled)), "no input means two actions"


@together(
    ("state", "text", "action"),
    [
        (after("")._replace(phase=0, captains=(0, 0)), "9", "at:9"),
        (after(""), "13", "at:13"),
        (after(""), "at 13", "at:13"),
        (after(""), "AT:13", "at:13"),
        (AUCTION, "pass", "pass"),
        (after("at:9 1."), "r5", "bid:r5"),
        (after("at:9 1."), "bid  r5", "bid:r5"),
        (after("at:9 1."), "BID:R5", "bid:r5"),
        (CARDS, "5", "5"),
        (CARDS, "7", "7"),
        (CARDS, "r", "r"),
        (CARDS, "rum", "r"),
        (HIRED, "5+r", "5+r"),
        (HIRED, "R+4", "r+4"),
        (NAMING, "4", "=4"),
        (NAMING, "=7", "=7"),
        (THEFT, "y12", "take:y12"),
        (THEFT, "take g5", "take:g5"),
        (LOOT, "y9", "take:y9"),
        (LOOT, "g6", "take:g6"),
        (LOOT, "leave", "leave"),
        (LOOT, "1", "take:g6"),
    ],
)
def test_what_is_typed(state: State, text: str, action: str) -> None:
    assert typed(state, [text])[0] == action


def test_a_typed_number_is_the_card_and_not_a_place_in_the_list() -> None:
    """The fifth card that is left is 6."""
    player = 1
    assert words(CARDS, player)[4][0] == "6"
    assert typed(CARDS, ["5"])[0] == "5"


@together(
    ("state", "text", "answer"),
    [
        (after(""), "2", "Space 2 is taken: a captain stands there."),
        (after(""), "at:15", "There is no space 15: they go from 1 to 14."),
        (after(""), "0", "There is no space 0: they go from 1 to 14."),
        (AUCTION, "y1", "y1 (yellow) is too low: a bid must have a higher value than r5 (red)."),
        (AUCTION, "bid y1", "y1 (yellow) is too low: a bid must have a higher value than r5 (red)."),
        (AUCTION, "bid:v14", "v14 (violet) is not in your crew, which is y1."),
        (AUCTION, "v1", "There is no rogue v1."),
        (AUCTION, "leave", '"leave" is not one of the choices; type ? for help.'),
        (CARDS, "4", "You have used your card 4; left are 1 2 3 5 6 7 rum."),
        (CARDS, "8", "There is no card 8: they are 1 to 7 and r for rum."),
        (CARDS, "5+3", "Only the hirer chooses a card for Black Jack; type 5 alone."),
        (HIRED, "5", "You have hired Black Jack: add a plus and his card, such as 5+4."),
        (HIRED, "4+2", "You have used your card 4; left are 1 2 3 5 6 7 rum."),
        (HIRED, "5+1", "Black Jack's card 1 is used; left are 2 3 4 5 6 7 rum."),
        (HIRED, "5+9", "There is no card 9: they are 1 to 7 and r for rum."),
        (NAMING, "3", "Your rum may not name 3, which the other card shows."),
        (NAMING, "=8", "Rum cannot be 8: name a number from 1 to 7."),
        (THEFT, "leave", "Here a rogue must be taken."),
        (THEFT, "r4", "r4 (red) is in your own crew."),
        (THEFT, "take:v9", "v9 (violet) is not there to take, but g5 g6 y12."),
        (THEFT, "r99", "There is no rogue r99."),
    ],
)
def test_why_something_is_not_open(state: State, text: str, answer: str) -> None:
    player = deciders(state.node)[-1]
    desk = Desk([text, state.legal(player)[0]])
    desk.table.begun(Halunken(), NAMES, player)
    asyncio.run(desk.table.decide(state, player))
    assert answer in desk.shown()


def test_bids_stand_from_the_lowest_to_the_highest_behind_passing() -> None:
    state = after("at:9 1.")._replace(crews=(("y1",), ("r5", "r9", "g2", "y8")))
    assert words(state, 1) == [
        ("pass", "pass"),
        ("bid:g2", "bid g2: 36 points left"),
        ("bid:r5", "bid r5: 28 points left"),
        ("bid:y8", "bid y8: 30 points left"),
        ("bid:r9", "bid r9: 23 points left"),
    ]
    assert words(AUCTION, 0) == [("pass", "pass: Ben hires him")]


def test_the_best_theft_stands_first() -> None:
    """Ada has r4 and the rogue of den 5; Ben g5 g6 y12: without g6 he has 17 + 12, without g5 18 + 12."""
    own = THEFT.crews[0]
    assert len(own) == 2
    found = words(THEFT, 0)
    margins = []
    for _, text in found:
        _, _, points = text.partition(": ")
        mine, theirs = points.split(" points to ")
        margins.append(int(mine) - int(theirs))
    assert margins == sorted(margins, reverse=True)
    without = {"take:g5": 6 + 12 + 12, "take:g6": 5 + 12 + 12, "take:y12": 11 + 11}
    assert {action: int(text.rpartition(" ")[2]) for action, text in found} == without


def test_the_cheapest_loss_stands_first() -> None:
    state = before_the_cards((3, 9), 12, ("r4", "g5 g6 y12 y1"))._replace(phase=13, player=1)
    assert words(state, 1) == [
        ("lose:y1", "lose y1: 34 points left"),
        ("lose:g5", "lose g5: 32 points left"),
        ("lose:g6", "lose g6: 31 points left"),
        ("lose:y12", "lose y12: 23 points left"),
    ]


def test_a_card_says_where_it_leads() -> None:
    state = before_the_cards((3, 9), 12, ("r4", "g5"), empty=[5])
    tops = state.tops
    own = dict(words(state, 1))
    assert own["1"] == f"to 10: {tops[9]}"
    assert own["3"] == f"to 12: {tops[11]}, Jack"
    assert own["7"] == f"to 2: {tops[1]}"
    assert dict(words(state, 0))["2"] == "to 5: empty den"
    assert dict(words(state, 0))["6"] == f"to 9: {tops[8]}, Ben"


def test_the_hirer_sees_both_hands_of_cards_in_place_of_all_pairs() -> None:
    player = 1
    first, own, his = TABLE.summary(HIRED, player, viewpoint(NAMES, player, ASCII))
    assert "such as 1+r" in first
    assert [part.split("]")[0] for part in own.split("[")[1:]] == list("123567r")
    assert [part.split("]")[0] for part in his.split("[")[1:]] == list("234567r")
    assert "[5] to 3, meets Ada" in his
    assert "[4] to 2;" in his
    assert TABLE.summary(HIRED, 0, viewpoint(NAMES, 0, ASCII)) == []


def test_a_choice_with_a_key_is_listed_by_it() -> None:
    """No number in the list that would mean another choice."""
    desk = Desk(["6"])
    desk.table.begun(Halunken(), NAMES, 0)
    asyncio.run(desk.table.decide(CARDS, 0))
    shown = "\n".join(desk.shown())
    assert " 5. to 8: " in shown
    assert " r. rum: any number" in shown
    assert " 4. " not in shown
    assert desk.script.prompts == ["Your choice (? for help): "]


def test_a_rogue_is_chosen_by_its_place_in_the_list_as_well() -> None:
    choices = TABLE.choices(THEFT, 0, viewpoint(NAMES, 0, ASCII))
    assert all(isinstance(choice, Choice) and not choice.key for choice in choices)
    assert typed(THEFT, ["3"])[0] == choices[2].action
