"""Mistakes: what they cost, and what a round would bring after either choice."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from p2p_shanghaien.app.practice import begin, seeded
from p2p_shanghaien.games.api import GameSpec, State, Terminal
from p2p_shanghaien.games.outlook import Outlook, Prospect
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.games.shanghaien.rules import Phase, start
from p2p_shanghaien.games.shanghaien.rules import State as Position
from p2p_shanghaien.players import Option, PositionValue, computer_player, evaluator
from p2p_shanghaien.players.options import options
from p2p_shanghaien.players.tutoring import Mistake, look_ahead, mistake, outlook
from p2p_shanghaien.players.uniform import choose as at_random
from tests import toy
from tests.practised import answered, by_level, choose
from tests.sweeps import sweep
from tests.toy import Toy

OPTIONS = [Option("a", PositionValue(0.5, 1)), Option("b", PositionValue(0.6, 0)), Option("c", PositionValue(0.59, 9))]


def state_of(game: Any) -> State:
    found: State = game.start()
    return found


@pytest.mark.parametrize(
    ("action", "least", "expected"),
    [("a", 0.02, "b"), ("a", 0.1, "b"), ("a", 0.11, None), ("b", 0, None), ("c", 0.02, None), ("c", 0.01, "b")],
)
def test_a_mistake_costs_as_much_as_asked_for(action: str, least: float, expected: str | None) -> None:
    """By the win probability alone: c has the best margin, and is no better for that."""
    found = mistake(state_of(Toy()), 1, action, OPTIONS, least - 1e-9 if least else 0)
    assert (found.best.action if found else None) == expected
    if found:
        assert found.chosen.action == action
        assert found.cost == pytest.approx(found.best.value.chance - found.chosen.value.chance)


def test_equal_choices_are_no_mistakes() -> None:
    equal = [Option("a", PositionValue(0.5, 1)), Option("b", PositionValue(0.5 + 1e-7, 1))]
    assert mistake(state_of(Toy()), 0, "a", equal, 0) is None
    assert mistake(state_of(Toy()), 0, "unknown", OPTIONS, 0) is None
    assert mistake(state_of(Toy()), 0, "a", [], 0) is None


def test_only_games_that_declare_an_outlook_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    spec: GameSpec = toy.SPEC
    monkeypatch.setattr(type(GAMES), "__getitem__", lambda _, name: spec)
    assert outlook("toy") is None


def last_round() -> Position:
    """Return a position in round 8: player 0 has rolled, and the other has four dice on the first card."""
    state = start(("F4", "G1", "C1", "D1", "T1", "S1"), "")
    state = state.apply_chance((0, 0, 0, 0, 0, 0))
    return state._replace(
        round=8, phase=Phase.ROLLED, dice=(1, 6), direction="<", placed=((3, 0, 0, 0, 0, 1), (3, 0, 0, 0, 0, 1))
    )


def test_the_outlook_of_a_round_is_who_takes_its_cards() -> None:
    """Both have three dice on F4 and one on S1, and the first has a 1 and a 6: with the 6 it takes S1 for the time."""
    state = last_round()
    last = state.apply("-6")
    end = last._replace(player=0, phase=Phase.TURN).apply("#")
    own = set(GAMES["shanghaien"].outlook.load().outcome(state, last, end, 0))  # type: ignore[union-attr]
    other = set(GAMES["shanghaien"].outlook.load().outcome(state, last, end, 1))  # type: ignore[union-attr]
    assert own == {Prospect("own", "S1")}
    assert other == {Prospect("other", "S1")}


def judged(state: State, player: int, action: str, name: str) -> Mistake:
    value = evaluator(name)
    found = mistake(state, player, action, options(state, player, value), 0)
    assert found is not None
    return found


def test_looking_ahead_says_what_the_better_choice_brings() -> None:
    """The French 4 is worth more than the Spanish 1: it should be fought for."""
    state = last_round()
    found = judged(state, 0, "-6", "shanghaien")
    assert found.best.action == "-1"
    value = evaluator("shanghaien")
    forecasts = look_ahead(found, value, GAMES["shanghaien"].outlook.load())  # type: ignore[union-attr]
    shares = {each.prospect: each for each in forecasts}
    assert shares[Prospect("own", "F4")].best > shares[Prospect("own", "F4")].chosen
    assert look_ahead(found, value, GAMES["shanghaien"].outlook.load()) == forecasts  # type: ignore[union-attr]


@sweep("name, seed", [(name, seed) for name in ("shanghaien", "halunken", "macao") for seed in range(4)], every=4)
def test_forecasts_are_shares_that_differ(name: str, seed: int) -> None:
    """Of every bad decision of a game at random, by what the game itself says."""
    rng, value, ahead = Random(seed), evaluator(name), GAMES[name].outlook
    assert ahead is not None
    reply = by_level(computer_player(name, "easy"), str(seed))
    practice = answered(begin(RULES[name].from_settings({}), seeded(str(seed)), seed % 2), reply)
    seen = 0
    while practice.deciders and seen < 3:
        me, state = practice.me, practice.state
        action = rng.choice(state.legal(me))
        found = mistake(state, me, action, options(state, me, value), 0.03)
        if found:
            forecasts = look_ahead(found, value, ahead.load(), trials=6)
            seen += bool(forecasts)
            assert len(forecasts) <= 3
            assert all(0 <= share <= 1 for each in forecasts for share in each[1:])
            differences = [abs(each.best - each.chosen) for each in forecasts]
            assert differences == sorted(differences, reverse=True)
            assert all(difference > 0.1 for difference in differences)
        practice = choose(practice, action, reply)
    assert seen or not practice.deciders


def test_rogues_that_were_won_and_lost() -> None:
    """Through a game at random, the outlook of Halunken is the change of both crews."""
    reply = by_level(at_random, "x")
    practice = answered(begin(RULES["halunken"].from_settings({}), seeded("x")), reply)
    found = GAMES["halunken"].outlook
    assert found is not None
    ahead: Outlook[Any] = found.load()
    rng = Random(4)
    seen: Sequence[Prospect] = ()
    while practice.deciders:
        before = practice
        practice = choose(practice, rng.choice(practice.state.legal(0)), reply)
        for last, _, end in practice.since(len(before.steps)):
            if ahead.is_over(before.state, end) or isinstance(end.node, Terminal):
                now: Any = before.state
                after: Any = end
                codes = [*ahead.outcome(now, last, after, 0)]
                own = {item for code, item in codes if code == "own"}
                lost = {item for code, item in codes if code == "lost"}
                assert set(after.crews[0]) == (set(now.crews[0]) | own) - lost
                assert not own & set(now.crews[0])
                seen = [*seen, *codes]
                break
    assert {prospect.code for prospect in seen} >= {"own", "other"}
