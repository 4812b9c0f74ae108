"""The lesson of Halunken & Spelunken: every rule is told, and comes up where the learner sees it."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from p2p_shanghaien.app.learning import lesson_of
from p2p_shanghaien.games.api import Acted, Chosen, Step
from p2p_shanghaien.games.halunken.happenings import (
    BlackJackMoved,
    CardDrawn,
    Displaced,
    FirstRogue,
    Happening,
    Hired,
    Lost,
    Moved,
    Revealed,
    Stolen,
    TurnedUp,
)
from p2p_shanghaien.games.halunken.rogues import score
from p2p_shanghaien.games.halunken.rules import DEPTH, Phase, State, happenings
from p2p_shanghaien.games.lesson import Script
from p2p_shanghaien.ui.words import has_words

Test = Callable[[Script[State]], bool]


def moments(script: Script[State]) -> list[tuple[State, Step, list[Happening]]]:
    """Return each step with the position before it and what it brings about."""
    assert all(script.shown_from(at) == at for at in range(len(script.steps))), "nothing is skipped"
    positions = zip(script.positions, script.steps, strict=False)
    return [(before, step, list(happenings(before, step))) for before, step in positions]


def happens(test: Callable[[State, Happening], bool]) -> Test:
    """Return whether something happens, after a position, for which the test holds."""
    return lambda script: any(test(before, each) for before, _, all_ in moments(script) for each in all_)


def acts(test: Callable[[State, str], bool]) -> Test:
    """Return whether somebody does something, in a position, for which the test holds."""
    return lambda script: any(
        isinstance(step, Acted) and test(before, step.action) for before, step, _ in moments(script)
    )


def in_order(script: Script[State]) -> bool:
    """Return whether the captain with the lower number moves before the other, who moves by a higher one."""
    moved = [each for _, _, all_ in moments(script) for each in all_ if isinstance(each, Moved) and each.number]
    return any(one.player != other.player and one.number < other.number for one, other in pairwise(moved))


def spared(script: Script[State]) -> bool:
    """Return whether hired Black Jack meets the other captain, and does not steal."""
    return any(
        isinstance(each, BlackJackMoved) and each.hirer is not None and 1 - each.hirer in each.met
        for at, (_, _, all_) in enumerate(moments(script), start=1)
        for each in all_
        if script.positions[at].phase != Phase.JACK_ROB
    )


RULES: dict[str, tuple[str, Test]] = {
    "first player by lot": ("place", lambda script: script.positions[0].player == script.player),
    "42 rogues, three in a den": ("rogues", lambda script: script.positions[0].left == (DEPTH,) * 14),
    "a captain takes the first rogue": ("place", happens(lambda _, each: isinstance(each, FirstRogue))),
    "the stronger first rogue opens, the other places Black Jack": (
        "jack",
        acts(lambda state, action: state.phase == Phase.PLACE_JACK and state.player != state.opener),
    ),
    "of equal values the colour counts": (
        "first",
        lambda script: (
            {"y9", "g9"}
            == {each.rogue for _, _, all_ in moments(script) for each in all_ if isinstance(each, FirstRogue)}
        ),
    ),
    "passing; nobody hires": ("auction", happens(lambda _, each: isinstance(each, Hired) and each.player is None)),
    "a higher bid": ("outbid", acts(lambda state, action: bool(state.bid) and action.startswith("bid:"))),
    "the last rogue may be bid": (
        "bid",
        acts(lambda state, action: action.startswith("bid:") and len(state.crews[state.player]) == 1),
    ),
    "a losing bid stays": ("bid", lambda script: "y9" in script.positions[-1].crews[0]),
    "the opener passes, the other hires with any rogue": (
        "hire",
        happens(lambda state, each: isinstance(each, Hired) and each.player is not None and not state.bid),
    ),
    "the hirer's bid goes beside the boat": ("hired", lambda script: "v9" in script.positions[-1].boat),
    "who hired last opens": ("hire", lambda script: script.positions[-1].opener == 0),
    "both choose in secret": ("choice", lambda script: any(isinstance(step, Chosen) for step in script.steps)),
    "the hirer chooses Black Jack's card too": (
        "hired",
        happens(lambda _, each: isinstance(each, Revealed) and bool(each.jack)),
    ),
    "equal cards cancel each other": ("lose", happens(lambda _, each: isinstance(each, Revealed) and each.cancelled)),
    "rum is named": ("rum", acts(lambda _, action: action.startswith("="))),
    "Black Jack's rum is named": ("name_jack", acts(lambda _, action: action.startswith("J="))),
    "the lower number moves first": ("boat", in_order),
    "the top rogue is taken, the next turned up": ("boat", happens(lambda _, each: isinstance(each, TurnedUp))),
    "a captain on a captain steals": (
        "robbed",
        happens(lambda state, each: isinstance(each, Stolen) and state.phase == Phase.ROB_CAPTAIN),
    ),
    "the captain there is displaced": (
        "robbed",
        happens(lambda _, each: isinstance(each, Displaced) and each.captain == 0),
    ),
    "a captain on Black Jack takes from the boat": (
        "boat",
        happens(lambda state, each: isinstance(each, Stolen) and state.phase == Phase.ROB_JACK and each.victim is None),
    ),
    "Black Jack is displaced": ("boat", happens(lambda _, each: isinstance(each, Displaced) and each.captain is None)),
    "hired Black Jack steals": (
        "steal",
        happens(lambda state, each: isinstance(each, Stolen) and state.phase == Phase.JACK_ROB),
    ),
    "but not for the larger crew": ("too_many", spared),
    "he ignores his hirer's captain": (
        "name_jack",
        happens(lambda _, each: isinstance(each, BlackJackMoved) and each.hirer in each.met),
    ),
    "unhired, he moves by a drawn card": ("lose", happens(lambda _, each: isinstance(each, CardDrawn))),
    "unhired, whom he meets loses a rogue": ("lose", happens(lambda _, each: isinstance(each, Lost))),
    "ending on a captain he is put further": (
        "displaced",
        lambda script: script.positions[-1].jack == 12 and 11 in script.positions[-1].captains,
    ),
    "the largest colour counts twice": ("scoring", lambda script: score(script.positions[-1].crews[0]).points == 60),
    "eight rounds": ("scoring", lambda script: script.positions[-1].round == 4),
    "rogues beside the boat score for nobody": ("end", lambda script: len(script.positions[-1].boat) == 2),
}
"""Each rule with the note that tells it, and whether it comes up where the learner sees it."""


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_comes_up_and_is_told(rule: str) -> None:
    script = lesson_of("halunken")
    note, comes_up = RULES[rule]
    assert f"lesson_{note}" in {script.page(number).rule for number in range(len(script))}
    assert has_words(f"halunken:lesson_{note}")
    assert comes_up(script)


def test_what_it_says_of_the_points_is_so() -> None:
    last = lesson_of("halunken").positions[-1]
    assert [score(crew).points for crew in last.crews] == [60, 56]
    assert last.round == 4, "after three rounds"
