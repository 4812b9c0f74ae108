"""The worked examples of the rules. A is player 0, B is player 1."""

from collections.abc import Iterable
from typing import Any

import pytest

from p2p_shanghaien.games.api import Acted, Chance, Chosen, Drawn, Step, Terminal, Turn, advance
from p2p_shanghaien.games.halunken.game import Halunken
from p2p_shanghaien.games.halunken.rules import State
from tests.games.halunken.table import CARDS, DECK, SPACES, in_order

A, B = 0, 1
CHOICES, TURN_UP, ROB_CAPTAIN, ON_JACK, BY_JACK, LOSE = 4, 6, 7, 8, 12, 13
"""Phases."""


def before_the_cards(
    captains: tuple[int, int],
    jack: int,
    crews: tuple[str, str],
    boat: str = "",
    hirer: int | None = None,
    empty: Iterable[int] = (),
    blackjack: str = "on",
    theft: str = "takes",
) -> State:
    """Return a position of round 1 in which the cards are chosen; `empty` are the dens without a rogue."""
    crew_a, crew_b, beside = (in_order(rogues.split()) for rogues in (*crews, boat))
    seen = {*crew_a, *crew_b, *beside}
    unseen = [rogue for rogue in DECK if rogue not in seen]
    left = [0 if den in empty else 2 for den in range(1, SPACES + 1)]
    tops = [unseen.pop(0) if rogues else "" for rogues in left]
    return (
        Halunken.from_settings({"blackjack": blackjack, "theft": theft})
        .start()
        ._replace(
            phase=CHOICES,
            round=1,
            opener=A if hirer is None else hirer,
            hirer=hirer,
            captains=captains,
            jack=jack,
            crews=(crew_a, crew_b),
            boat=beside,
            tops=tuple(tops),
            left=tuple(left),
            pile=tuple(unseen),
        )
    )


def follow(state: State, *steps: Step | str) -> tuple[State, list[dict[str, Any]]]:
    """Return the position after `steps`, actions as strings, and the events on the way.

    Where a den's next rogue is turned up, it is any rogue.
    """
    game = Halunken.from_settings({})
    events: list[dict[str, Any]] = []
    waiting = list(steps)
    while waiting or state.phase == TURN_UP:
        if state.phase == TURN_UP:
            assert isinstance(state.node, Chance)
            step: Step | str = Drawn((0,) * len(state.node.bounds))
        else:
            step = waiting.pop(0)
        if isinstance(step, str):
            step = Acted(state.player, step)
        after = advance(state, step)
        events += [*game.events(state, step, after, events)]
        state = after
    return state, events


def jacks_card(card: str) -> Drawn:
    """Return the draw of one of his eight cards."""
    return Drawn((CARDS.index(card),))


def displaced(events: Iterable[dict[str, Any]]) -> list[tuple[int | None, int, int]]:
    return [(each["captain"], each["from"], each["to"]) for each in events if each["event"] == "displaced"]


@pytest.mark.parametrize("theft", ["takes", "may"])
def test_1_displaced_before_moving_past_black_jack(theft: str) -> None:
    table = before_the_cards((3, 5), 6, ("r4", "v3 v4 v5"), theft=theft)
    top = table.tops[5 - 1]
    robbing, _ = follow(table, Chosen(("2", "4")))
    assert robbing.phase == ROB_CAPTAIN
    assert robbing.captains == (5, 5)
    assert robbing.crews[A] == in_order(["r4", top])
    assert {*robbing.legal(A)} == {"take:v3", "take:v4", "take:v5"} | ({"leave"} if theft == "may" else set())
    moved, _ = follow(robbing, "take:v4")
    assert moved.captains == (5, 11)
    assert moved.jack == 6
    assert moved.crews[B] == in_order(["v3", "v5", robbing.tops[11 - 1]])
    if theft == "may":
        left, _ = follow(robbing, "leave")
        assert left.captains == (5, 11)
        assert left.crews[A] == robbing.crews[A]


def test_1_displaced_though_not_robbed() -> None:
    table = before_the_cards((3, 5), 6, ("r4 r5 r6", "v3"))
    moved, events = follow(table, Chosen(("2", "4")))
    assert displaced(events) == [(B, 5, 7)]
    moves = [(each["player"], each["from"], each["to"]) for each in events if each["event"] == "move"]
    assert moves == [(A, 3, 5), (B, 7, 11)]
    assert moved.captains == (5, 11)


def test_2_hired_with_the_own_captain_on_the_way() -> None:
    table = before_the_cards((5, 7), 4, ("r4", "v3"), boat="y1", hirer=A)
    robbing, events = follow(table, Chosen(("1+3", "1")))
    assert [each["met"] for each in events if each["event"] == "jack"] == [[A, B]]
    assert robbing.phase == BY_JACK
    assert robbing.node == Turn(A)
    assert {*robbing.legal(A)} == {f"take:{rogue}" for rogue in robbing.crews[B]}
    assert len(robbing.crews[A]) == len(robbing.crews[B]) == 2
    moved, _ = follow(robbing, "take:v3")
    assert moved.jack == 8
    assert "v3" in moved.crews[A]
    assert moved.round == 2


def test_2_hired_by_the_larger_crew() -> None:
    moved, _ = follow(before_the_cards((5, 7), 4, ("r4 r5", "v3"), boat="y1", hirer=A), Chosen(("1+3", "1")))
    assert moved.round == 2
    assert moved.jack == 8
    assert [*map(len, moved.crews)] == [3, 2]


def test_3_not_hired_and_put_past_the_second_captain() -> None:
    table = before_the_cards((7, 8), 4, ("r4", "v3"))
    losing, events = follow(table, Chosen(("1", "1")), jacks_card("3"))
    assert [(each["met"], each["to"]) for each in events if each["event"] == "jack"] == [([A], 9)]
    assert losing.phase == LOSE
    assert losing.node == Turn(A)
    crew = losing.crews[B]
    lost, _ = follow(losing, "lose:r4")
    assert (lost.round, lost.jack, lost.boat) == (2, 9, ("r4",))
    assert lost.crews[B] == crew


def test_4_not_hired_with_both_on_the_way() -> None:
    table = before_the_cards((7, 5), 4, ("r4", "v3"))
    second, events = follow(table, Chosen(("1", "1")), jacks_card("6"))
    assert [each["met"] for each in events if each["event"] == "jack"] == [[B, A]]
    assert second.node == Turn(B)
    assert {*second.legal(B)} == {f"lose:{rogue}" for rogue in second.crews[B]}
    first, _ = follow(second, "lose:v3")
    assert (first.phase, first.node, first.boat) == (LOSE, Turn(A), ("v3",))
    moved, _ = follow(first, "lose:r4")
    assert (moved.round, moved.jack, moved.boat) == (2, 10, ("r4", "v3"))


def test_5_sizes() -> None:
    robbing, _ = follow(before_the_cards((3, 5), 12, ("r4 r5 r6", "v3 v4 v5 v6")), Chosen(("2", "7")))
    assert [*map(len, robbing.crews)] == [4, 4]
    assert robbing.node == Turn(A)
    # what is next is the rogue that B takes on 13
    robbed = robbing.apply("take:v3")
    assert robbed.phase == TURN_UP
    assert [*map(len, robbed.crews)] == [5, 3 + 1]


def test_5_sizes_with_one_more() -> None:
    moved, events = follow(before_the_cards((3, 5), 12, ("r4 r5 r6 r7", "v3 v4 v5 v6")), Chosen(("2", "7")))
    assert displaced(events) == [(B, 5, 6)]
    assert not any(each["event"] == "theft" for each in events)
    assert [*map(len, moved.crews)] == [5, 4 + 1]
    assert moved.captains == (5, 13)


@pytest.mark.parametrize(
    ("hirer", "crews", "legal"),
    [
        (B, ("r4", "y1 y2"), {"take:v9", "take:y1", "take:y2", "leave"}),
        (B, ("r4 r5", "y1 y2"), {"take:v9", "leave"}),
        (A, ("r4", "y1 y2"), {"take:v9", "leave"}),
        (None, ("r4", "y1 y2"), {"take:v9", "leave"}),
        (None, ("r4 r5", "y1"), {"take:v9", "leave"}),
    ],
)
def test_6_on_black_jack(hirer: int | None, crews: tuple[str, str], legal: set[str]) -> None:
    choices = {None: ("2", "7"), A: ("2+1", "7"), B: ("2", "7+1")}[hirer]
    table = before_the_cards((3, 10), 5, crews, boat="v9", hirer=hirer)
    robbing, _ = follow(table, Chosen(choices))
    assert robbing.phase == ON_JACK
    assert robbing.node == Turn(A)
    assert {*robbing.legal(A)} == legal
    for action in robbing.legal(A):
        moved, _ = follow(robbing, action)
        rogue = action.removeprefix("take:")
        assert moved.crews[A] == in_order([*robbing.crews[A], *([] if action == "leave" else [rogue])])
        assert moved.boat == (() if rogue == "v9" else ("v9",))
        assert moved.captains == (5, 3)


@pytest.mark.parametrize(("hirer", "crews"), [(B, ("r4 r5", "y1 y2")), (None, ("r4", "y1 y2")), (A, ("r4", "y1 y2"))])
def test_6_on_black_jack_with_nothing_to_decide(hirer: int | None, crews: tuple[str, str]) -> None:
    choices = {None: ("2", "7"), A: ("2+1", "7"), B: ("2", "7+1")}[hirer]
    moved, events = follow(before_the_cards((3, 10), 5, crews, hirer=hirer), Chosen(choices))
    assert displaced(events) == [(None, 5, 6)]
    assert moved.captains == (5, 3)
    assert [*map(len, moved.crews)] == [len(crews[A].split()) + 1, len(crews[B].split()) + 1]


def test_7_rum() -> None:
    naming, _ = follow(before_the_cards((3, 10), 5, ("r4", "y1"), boat="v9", hirer=B), Chosen(("r", "3+5")))
    assert naming.node == Turn(A)
    assert {*naming.legal(A)} == {"=1", "=2", "=4", "=5", "=6", "=7"}


@pytest.mark.parametrize(
    ("crews", "scores", "doubled"),
    [
        (("v14 v11 y1 y2", "r15"), (53, 30), ["v", "r"]),
        (("v14 v11 y1 y2 y3", "r4 v4"), (37, 12), ["y", "r"]),
        (("r4 v3", ""), (11, 0), ["r", None]),
        (("", "v3 y4"), (0, 11), [None, "y"]),
        (("", ""), (0, 0), [None, None]),
    ],
)
def test_8_scoring(crews: tuple[str, str], scores: tuple[int, int], doubled: list[str | None]) -> None:
    """The last cards of the simple game cancel each other, on empty dens."""
    last = before_the_cards((1, 2), 0, crews, empty=(1, 2), blackjack="off")
    last = last._replace(round=8, opener=None, cards=("1", "1", ""))
    over, events = follow(last, Chosen(("1", "1")))
    winner = None if scores[A] == scores[B] else int(scores[B] > scores[A])
    assert over.node == Terminal(scores, winner)
    assert over.scores == scores
    found = {each["event"]: each for each in events}
    assert found["scored"]["points"] == [*scores]
    assert found["scored"]["doubled"] == doubled
    assert found["result"] == {"event": "result", "scores": [*scores], "winner": winner, "hands": [[*scores]]}


@pytest.mark.parametrize(
    ("first", "second", "stronger"), [("g7", "y7", B), ("y7", "g7", A), ("v11", "y12", B), ("r15", "y12", A)]
)
def test_9_first_rogues(first: str, second: str, stronger: int) -> None:
    state = Halunken.from_settings({}).start().apply("at:1")
    state = state.apply_chance([state.pile.index(first)]).apply("at:2")
    state = state.apply_chance([state.pile.index(second), *(0 for _ in range(SPACES))])
    assert state.node == Turn(1 - stronger)
    assert state.opener == stronger
    assert {*state.legal(1 - stronger)} == {f"at:{space}" for space in range(3, SPACES + 1)}
    assert state.apply("at:3").node == Turn(stronger)


def test_10_no_rogues() -> None:
    table = before_the_cards((12, 7), 4, ("", "v3"), boat="y1", hirer=A, empty=(12, 7))
    robbing, _ = follow(table, Chosen(("1+3", "1")))
    assert robbing.node == Turn(A)
    assert robbing.legal(A) == ("take:v3",)
    robbed, _ = follow(robbing, "take:v3")
    assert robbed.crews == (("v3",), ())
    table = before_the_cards((12, 7), 4, ("", ""), boat="y1", hirer=A, empty=(12, 7))
    nothing, _ = follow(table, Chosen(("1+3", "1")))
    assert (nothing.round, nothing.jack) == (2, 8)
