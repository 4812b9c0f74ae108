"""The lesson of Shadows of Macao: every rule is told, and comes up where the learner sees it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from p2p_shanghaien.app.learning import lesson_of
from p2p_shanghaien.games.api import Acted, Step, Terminal
from p2p_shanghaien.games.lesson import Script
from p2p_shanghaien.games.macao.deck import CROUPIER, DANCER, INNKEEPER, KILLER, POLITICIAN, SAILOR, TRADER, WIDOW
from p2p_shanghaien.games.macao.happenings import Discarded, Happening, Opened, Recruited, Reserved, Taken, TurnedUp
from p2p_shanghaien.games.macao.rules import MEMBERS, OFFERED, PILES, PLACES, Phase, Side, State, happenings
from p2p_shanghaien.ui.words import has_words


class Moment(NamedTuple):
    """A step that the learner sees."""

    before: State
    step: Step
    after: State
    happenings: list[Happening]

    @property
    def side(self) -> Side:
        """The cards and tiles of the player whose turn it is."""
        return self.before.sides[self.before.player]


Test = Callable[[Moment], bool]


def moments(script: Script[State]) -> Iterator[Moment]:
    for at, step in enumerate(script.steps):
        if script.shown_from(at) == at:
            before = script.positions[at]
            yield Moment(before, step, script.positions[at + 1], list(happenings(before, step)))


def recruits(kind: str, test: Callable[[Moment, Recruited], bool] = lambda *_: True) -> Test:
    """Return whether somebody recruits a card of that kind, and the test holds."""
    return lambda moment: any(
        isinstance(each, Recruited) and moment.before.deck.card[each.card].kind == kind and test(moment, each)
        for each in moment.happenings
    )


def does(action: str, test: Callable[[Moment], bool] = lambda _: True) -> Test:
    """Return whether somebody does what begins so, and the test holds."""
    return lambda moment: isinstance(moment.step, Acted) and moment.step.action.startswith(action) and test(moment)


def kinds(state: State, cards: tuple[str, ...]) -> list[str]:
    return [state.deck.card[card].kind for card in cards]


def costs_less(moment: Moment, recruited: Recruited) -> bool:
    """Return whether a red croupier takes something off: without him the red cards would not do."""
    return CROUPIER in kinds(moment.before, moment.side.red) and not recruited.paid


def exchanges(moment: Moment, recruited: Recruited) -> bool:
    """Return whether a red trader has the card that pays stand for another resource."""
    (paid,) = recruited.paid
    cost = moment.before.deck.card[recruited.card].cost
    return TRADER in kinds(moment.before, moment.side.red) and moment.before.deck.card[paid].blue not in cost


def comes_up_known(moment: Moment) -> bool:
    """Return whether a card that was discarded comes up, and nobody draws it."""
    taken, *others = moment.happenings
    return isinstance(taken, Taken) and any(isinstance(each, TurnedUp) for each in others)


def killed(moment: Moment) -> bool:
    return any(isinstance(each, Discarded) and each.why == "killer" for each in moment.happenings)


def ends(moment: Moment) -> bool:
    return isinstance(moment.after.node, Terminal)


RULES: dict[str, tuple[str, Test]] = {
    "the higher sum of coins and points wins": ("aim", ends),
    "the starter is drawn by lot": ("take", lambda moment: moment.before.player == 0),
    "four piles, only the top cards known": ("piles", lambda moment: moment.before.phase == Phase.SET_UP),
    "four tiles in the centre": ("piles", lambda moment: len(moment.after.centre) == OFFERED),
    "both begin with a widow": ("blue", lambda moment: moment.before.sides == (Side(), Side())),
    "taking, and the next card turned up": ("blue", lambda moment: moment.before.phase == Phase.TURN_UP),
    "recruiting, paid with blue cards": ("recruit", recruits(DANCER, lambda _, each: len(each.paid) == 2)),
    "discarded cards go under the smallest pile": (
        "dancer",
        lambda moment: any(
            isinstance(each, Discarded)
            and moment.before.piles[each.pile - 1].size == min(pile.size for pile in moment.before.piles)
            for each in moment.happenings
        ),
    ),
    "the leftmost of equal ones": (
        "dancer",
        lambda moment: any(
            isinstance(each, Discarded)
            and [pile.size for pile in moment.before.piles].count(moment.before.piles[each.pile - 1].size) > 1
            for each in moment.happenings
        ),
    ),
    "dancer": ("dancer", does("take", lambda moment: moment.before.phase == Phase.DANCER)),
    "killer": ("killer", killed),
    "of several blue cards the victim chooses": ("killer", lambda m: killed(m) and len(m.before.sides[0].blue) > 1),
    "a widow that pays dies": ("killer", recruits(KILLER, lambda _, each: each.died == 1)),
    "five places": ("middle", lambda moment: moment.side.crowd == PLACES == moment.side.places(moment.before.deck)),
    "innkeeper: one more place": (
        "middle",
        lambda m: (
            m.side.crowd == PLACES + 1 == m.side.places(m.before.deck) and INNKEEPER in kinds(m.before, m.side.red)
        ),
    ),
    "one card over the limit is discarded": ("limit", lambda moment: moment.before.phase == Phase.LIMIT),
    "the next card is turned up before": ("limit", lambda moment: moment.before.piles[2].top == "politician-w"),
    "politicians bring most coins": ("discard", does("discard:politician")),
    "red cards give in every payment": (
        "red",
        recruits(CROUPIER, lambda m, each: len(each.paid) < len(m.before.deck.card[each.card].cost)),
    ),
    "trader": ("trader", recruits(CROUPIER, exchanges)),
    "a payment that is not proposed": ("trader", does("recruit:croupier-j=innkeeper-j")),
    "Temple Bar, dead widows included": ("conditions", does("open:temple-bar", lambda moment: moment.side.dead > 0)),
    "Harbour Restaurant, blue and red together": (
        "conditions",
        does("open:restaurant", lambda m: kinds(m.before, m.side.red).count(POLITICIAN) == 2),
    ),
    "nothing is discarded for a condition": (
        "conditions",
        does("open:restaurant", lambda moment: moment.before.sides[1].blue == moment.after.sides[1].blue),
    ),
    "croupier": ("croupier", recruits("policeman", costs_less)),
    "a widow is recruited": ("widow", recruits(WIDOW)),
    "she costs two coins": ("widow", lambda m: m.after.scores[0] == m.before.scores[0] - 2),
    "a red widow gives a diamond": (
        "free",
        recruits("policeman", lambda m, each: WIDOW in m.side.red and not each.paid),
    ),
    "red cards alone": ("free", recruits("policeman", lambda _, each: not each.paid)),
    "policeman": ("policeman", lambda moment: any(isinstance(each, Reserved) for each in moment.happenings)),
    "a reserved tile has left the centre": (
        "policeman",
        does("reserve", lambda m: len(m.after.centre) == len(m.before.centre) - 1),
    ),
    "sailor: twice": (
        "late",
        does("open:officers", lambda moment: SAILOR in kinds(moment.before, moment.side.red)),
    ),
    "opening for a cost": (
        "open",
        lambda m: any(isinstance(each, Opened) and m.before.deck.tile[each.tile].cost for each in m.happenings),
    ),
    "known cards come up again": ("known", comes_up_known),
    "Black Market, itself reserved": (
        "market",
        does("open:black-market", lambda moment: moment.side.reserved == ("black-market",)),
    ),
    "seven red cards, a widow among them": (
        "seven",
        lambda m: ends(m) and len(m.after.sides[0].red) == MEMBERS and WIDOW in m.after.sides[0].red,
    ),
    "no tile left in the centre": ("seven", lambda moment: ends(moment) and not moment.after.centre),
    "who did not start has one more turn": (
        "last_turn",
        lambda moment: ends(moment) and moment.before.player == 1 and moment.before.is_last_round,
    ),
    "coins and values": ("score", lambda moment: ends(moment) and moment.after.scores == (27, 27)),
    "equal scores: more opened tiles": (
        "score",
        lambda moment: ends(moment) and [len(side.opened) for side in moment.after.sides] == [2, 2],
    ),
    "then more red cards": (
        "result",
        lambda moment: ends(moment) and [len(side.red) for side in moment.after.sides] == [7, 4],
    ),
    "the winner": ("result", lambda moment: moment.after.node == Terminal((27, 27), 0)),
}
"""Each rule with the note that tells it, and whether it comes up in a step that the learner sees."""

ONLY_TOLD = {
    "China Club": "conditions",
    "a payment without a card too many": "recruit",
    "traders chain": "trader",
    "croupiers take nothing off tiles": "croupier",
    "powers without an object do nothing": "policeman",
    "an empty pile": "known",
    "round 40 is the last": "seven",
    "a draw": "result",
}
"""Rules that the learner cannot see in this game, with the note that tells each."""


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_comes_up_and_is_told(rule: str) -> None:
    script = lesson_of("macao")
    note, comes_up = RULES[rule]
    assert f"lesson_{note}" in {script.page(number).rule for number in range(len(script))}
    assert has_words(f"macao:lesson_{note}")
    assert any(map(comes_up, moments(script)))


def test_other_rules_are_told() -> None:
    script = lesson_of("macao")
    told = {script.page(number).rule for number in range(len(script))}
    assert {f"lesson_{note}" for note in ONLY_TOLD.values()} <= told


def test_what_it_says_of_the_table_is_so() -> None:
    script = lesson_of("macao")
    state = script.positions
    at = {script.page(number).rule.removeprefix("lesson_"): script.at(number) for number in range(len(script))}
    first = state[at["take"]]
    assert sum(PILES) == 46 == len(first.unseen) + len(first.piles)
    assert first.piles[0].top == "dancer-w"
    assert all(pile.top[-1] != "m" for pile in state[at["blue"]].piles[:3]), "only pile 4 has money"
    assert [pile.top[-1] for pile in state[at["blue"]].piles[:3]] == ["j"] * 3
    middle = state[at["middle"]]
    assert middle.round - state[at["killer"]].round == 9
    assert "trader-m" in middle.sides[0].red
    assert "w" not in "".join(middle.deck.card[card].red for card in state[at["policeman"]].sides[1].red)
    mine = state[at["policeman"]].sides[0]
    found = kinds(middle, (*mine.blue, *mine.red))
    assert len(found) == len(set(found)), "no two of yours are of one kind"
    late = state[at["late"]]
    assert "sailor-w" in late.sides[0].red
    assert late.sides[0].blue == ("innkeeper-w",)
    assert len(late.sides[0].red) == MEMBERS - 1
    assert state[at["known"]].piles[2].top == "croupier-a"
    assert state[at["known"]].piles[2].unseen == 0
