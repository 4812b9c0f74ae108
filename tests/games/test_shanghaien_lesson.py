"""The lesson of Shanghaien: every rule is told, and comes up where the learner sees it."""

from collections.abc import Callable
from typing import Any

import pytest

from p2p_shanghaien.app.learning import lesson_of
from p2p_shanghaien.games.api import Acted, Terminal, action_of
from p2p_shanghaien.games.lesson import Script
from p2p_shanghaien.games.shanghaien.cards import NATIONALITIES
from p2p_shanghaien.games.shanghaien.rules import SHANGHAI, Phase, State
from p2p_shanghaien.games.shanghaien.scoring import Contest, contests, strengths
from p2p_shanghaien.ui.words import has_words


def shown(script: Script[State]) -> list[tuple[State, Any, State]]:
    """Return the steps that the learner sees."""
    seen = [at for at in range(len(script.steps)) if script.shown_from(at) == at]
    return [(script.positions[at], script.steps[at], script.positions[at + 1]) for at in seen]


def acts(test: Callable[[State, str], bool]) -> Callable[[Script[State]], bool]:
    """Return whether somebody, where the learner sees it, does something for which the test holds."""
    return lambda script: any(
        isinstance(step, Acted) and test(before, step.action) for before, step, _ in shown(script)
    )


def judged(test: Callable[[int, Contest], bool]) -> Callable[[Script[State]], bool]:
    """Return whether a card is given away, at its number, in the way for which the test holds."""

    def found(script: Script[State]) -> bool:
        ends = [before for before, step, _ in shown(script) if step in (Acted(0, "#"), Acted(1, "#"))]
        return any(test(number, each) for end in ends for number, each in enumerate(contests(end.placed), start=1))

    return found


def ends(script: Script[State]) -> State:
    return script.positions[-1]


def crews(test: Callable[[int, int], bool]) -> Callable[[Script[State]], bool]:
    """Return whether the test holds for the strengths of both crews of some nation at the end."""

    def found(script: Script[State]) -> bool:
        first, second = map(strengths, ends(script).crews)
        return any(test(first.get(nation, 0), second.get(nation, 0)) for nation in NATIONALITIES)

    return found


SHANGHAIEN_RULES: dict[str, tuple[str, Callable[[Script[State]], bool]]] = {
    "the starter is drawn by lot": ("roll_do", lambda script: script.positions[1].starter == script.player),
    "eight rounds of six cards": ("aim", lambda script: len(script.positions[1].row) == 6),
    "nations and values": ("cards", lambda script: any(card[0] == "F" for card in script.positions[1].row)),
    "roll two of the dice in the supply": ("roll", acts(lambda state, action: action == "roll")),
    "place one of them": ("roll", acts(lambda state, action: action[0] == "-")),
    "the first die fixes number 1": ("place", acts(lambda state, action: action.endswith(("<", ">")))),
    "more dice take a card": ("shanghai", judged(lambda _, c: c.taker is not None and 0 in c.dice)),
    "a tie is decided by the neighbours": ("tie", judged(lambda _, c: c.dice[0] == c.dice[1] and c.taker is not None)),
    "an end card has one neighbour": (
        "end_card",
        judged(lambda number, c: number in (1, 6) and c.dice[0] == c.dice[1] and c.taker is not None),
    ),
    "equal sums: the card leaves the game": (
        "deny",
        judged(lambda _, c: c.dice[0] == c.dice[1] > 0 and c.taker is None),
    ),
    "no dice: the card leaves the game": ("taken", judged(lambda _, c: c.dice == (0, 0) and c.taker is None)),
    "Shanghai after two dice, before a roll": (
        "shanghai",
        acts(lambda state, action: action == SHANGHAI and "roll" in state.legal(state.player)),
    ),
    "with one die left only Shanghai": (
        "only_shanghai",
        acts(lambda state, action: action == SHANGHAI and state.legal(state.player) == ("#",)),
    ),
    "who did not call starts the next round": (
        "again",
        lambda script: any(
            after.phase == Phase.ROW and after.starter != before.player
            for before, step, after in shown(script)
            if action_of(step, before.player) == SHANGHAI
        ),
    ),
    "a trick right after the roll, one a round, held when it began": (
        "turn_die",
        acts(lambda state, action: action[0] == "!" and state.phase == Phase.ROLLED),
    ),
    "die +/-1": ("turn_die", acts(lambda state, action: action[:2] == "!p" and action[2] in "+-")),
    "then either die is placed": ("end_card", acts(lambda state, action: state.phase == Phase.PLACE)),
    "both dice": ("both", acts(lambda state, action: action.startswith("!b") and "=" not in action)),
    "roll again": ("again", acts(lambda state, action: action == "!r")),
    "a joker of strength 2": ("joker", acts(lambda state, action: "=" in action)),
    "tricks are kept until used": (
        "called",
        lambda script: any("b" in state.tricks[0] and state.round == 8 for state, _, _ in shown(script)),
    ),
    "the stronger scores the weaker": (
        "scoring",
        crews(lambda mine, other: 0 < mine < other or 0 < other < mine),
    ),
    "equal crews score nothing": ("scoring", crews(lambda mine, other: mine == other > 0)),
    "without a rival: the own strength": ("unrivalled", crews(lambda mine, other: (mine == 0) != (other == 0))),
    "an unused trick scores a point, also one won in round 8": (
        "points",
        lambda script: ends(script).tricks == ("pp", "b"),
    ),
    "a joker counts in its crew only": ("points", lambda script: "Dr" in ends(script).crews[1]),
    "the higher score wins": ("points", lambda script: ends(script).node == Terminal((17, 14), 0)),
}
"""Each rule with the note that tells it, and whether it comes up where the learner sees it."""


@pytest.mark.parametrize("rule", SHANGHAIEN_RULES)
def test_every_rule_of_shanghaien_comes_up_and_is_told(rule: str) -> None:
    script = lesson_of("shanghaien")
    note, comes_up = SHANGHAIEN_RULES[rule]
    assert f"lesson_{note.removesuffix('_do')}" in {script.page(number).rule for number in range(len(script))}
    assert has_words(f"shanghaien:lesson_{note}")
    assert comes_up(script)
