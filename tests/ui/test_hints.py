"""Hints in lines: what each choice is worth; they never decide, never come late, and come only where they may."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_shanghaien.app.hints import hints as of_games
from p2p_shanghaien.games.record import read
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.players import Option, PositionValue
from p2p_shanghaien.ui.advice import Advice, heading, hints, lead
from p2p_shanghaien.ui.stepper import step_through
from p2p_shanghaien.ui.view import Choice, viewpoint
from p2p_shanghaien.waiting import LONG
from tests.ui.advisers import Adviser, silent
from tests.ui.desk import Desk
from tests.ui.ledger import RECORDS, load
from tests.ui.sitting import rolled
from tests.ui.test_command_input import Game, quiet

REFUSED = "There are no hints in a game between two people until it is over"
INTRODUCED = "Your choices, best first"
ASKS = pytest.mark.parametrize("asks", ["h", "H", "hint", "HINT"])
Play = Callable[[Game, Adviser], Coroutine[Any, Any, None]]


def advised(play: Play, failure: str = "") -> None:
    """Play with a person at a terminal who has hints; 2 and 5 are rolled, and placing either is open."""

    async def run() -> None:
        adviser = Adviser(failure)
        game = Game(advise=adviser)
        async with asyncio.timeout(10):
            await play(game, adviser)
        game.listening.cancel()
        await asyncio.gather(game.listening, return_exceptions=True)

    asyncio.run(run())


@ASKS
def test_each_choice_is_a_sentence_best_first(asks: str) -> None:
    async def play(game: Game, adviser: Adviser) -> None:
        question = game.asks()
        await game.wait()
        game.shown()
        await game.keyboard.type(asks)
        lines = game.desk.shown()
        text = " ".join(" ".join(lines).split())
        assert text.startswith(INTRODUCED)
        told = [text.index(f"[{action}]: {figures}") for action, figures in expected.items()]
        assert told == sorted(told)
        assert not question.done()
        question.cancel()

    expected = {
        "-5>": "win probability 70.0%, the best; 1.5 points ahead.",
        "-5<": "win probability 60.0%, 10.0 percentage points less than the best; 0.5 points ahead.",
        "-2>": "win probability 50.0%, 20.0 percentage points less than the best; 0.5 points behind.",
        "-2<": "win probability 40.0%, 30.0 percentage points less than the best; 1.5 points behind.",
    }
    advised(play)


def test_the_question_stays_as_it_was_asked_and_only_an_answer_answers_it() -> None:
    async def play(game: Game, adviser: Adviser) -> None:
        question = game.asks()
        await game.wait()
        asked = game.keyboard.prompt, game.keyboard.completions
        await game.keyboard.type("h", "h", "hint")
        assert (game.keyboard.prompt, game.keyboard.completions) == asked
        assert not question.done()
        assert game.commands == []
        await game.keyboard.type("2")
        assert await question == "-2>"

    advised(play)


def test_asked_for_in_fast_succession_they_come_once() -> None:
    async def play(game: Game, adviser: Adviser) -> None:
        adviser.hold()
        question = game.asks()
        await game.wait()
        await game.keyboard.type(*["h"] * 9)
        assert adviser.asked == 1
        assert not game.shown().count(INTRODUCED)
        adviser.answer()
        await quiet()
        assert game.shown().count(INTRODUCED) == 1
        await game.keyboard.type("h")
        assert game.shown().count(INTRODUCED) == 1
        question.cancel()

    advised(play)


def test_nothing_is_shown_once_the_decision_is_made() -> None:
    async def play(game: Game, adviser: Adviser) -> None:
        adviser.hold()
        question = game.asks()
        await game.wait()
        await game.keyboard.type("h", "-5<")
        assert await question == "-5<"
        game.shown()
        adviser.answer()
        await asyncio.sleep(2 * LONG)
        assert game.shown() == ""

    advised(play)


def test_a_sign_is_given_where_it_takes_long_and_only_there() -> None:
    async def play(game: Game, adviser: Adviser) -> None:
        question = game.asks()
        await game.wait()
        await game.keyboard.type("h")
        await asyncio.sleep(2 * LONG)
        assert "Computing the win probabilities." not in game.shown()
        adviser.hold()
        await game.keyboard.type("h")
        await asyncio.sleep(2 * LONG)
        assert game.shown().count("Computing the win probabilities.") == 1
        question.cancel()

    advised(play)


def test_a_failure_is_told_and_the_game_goes_on() -> None:
    async def play(game: Game, adviser: Adviser) -> None:
        question = game.asks()
        await game.wait()
        await game.keyboard.type("h")
        assert "The win probabilities cannot be computed because of a bug in the program (boom)." in game.shown()
        await game.keyboard.type("1")
        assert await question == "-2<"

    advised(play, "boom")


def test_while_the_other_side_decides_there_is_nothing_to_hint_at() -> None:
    async def play(game: Game, adviser: Adviser) -> None:
        await game.wait()
        await game.keyboard.type("h")
        assert "You have no choice to make now, so there is no hint." in game.shown()
        assert adviser.asked == 0

    advised(play)


@ASKS
@pytest.mark.parametrize("interactive", [False, True])
def test_they_are_refused_where_there_are_none(asks: str, interactive: bool) -> None:
    desk = Desk([asks, "1"], interactive=interactive)
    desk.table.begun(Shanghaien(), ("Ada", "Ben"), 0)
    state = rolled()
    assert asyncio.run(desk.table.decide(state, 0)) == "-2<"
    assert REFUSED in " ".join(desk.shown())
    assert "hint" not in desk.script.completions


def test_from_a_pipe_they_come_before_the_next_line_is_read() -> None:
    async def play() -> str:
        return await desk.table.decide(state, 0)

    desk, state = Desk(["h", "1"], interactive=False, advise=Adviser()), rolled()
    desk.table.begun(Shanghaien(), ("Ada", "Ben"), 0)
    assert asyncio.run(play()) == "-2<"
    assert INTRODUCED in " ".join(desk.shown())


def test_the_help_names_them_only_where_there_are_any() -> None:
    for adviser in (None, silent):
        desk, state = Desk(["?", "h", "1"], interactive=False, advise=adviser), rolled()
        desk.table.begun(Shanghaien(), ("Ada", "Ben"), 0)
        asyncio.run(desk.table.decide(state, 0))
        text = " ".join(desk.shown())
        assert ("Type hint (or h) to see" in text) == (adviser is not None)
        assert ("There are no hints for this game." in text) == (adviser is not None)


def test_differences_that_one_does_not_see_are_none() -> None:
    advice = [
        Option("a", PositionValue(0.5, 0)),
        Option("b", PositionValue(0.50001, 0)),
        Option("c", PositionValue(0.49, 0)),
    ]
    found = hints(advice, [Choice(letter, letter) for letter in "abcd"], "c")
    assert [hint.choice.action for hint in found] == ["b", "a", "c"]
    assert [hint.is_best for hint in found] == [True, True, False]
    assert [hint.chosen for hint in found] == [False, False, True]
    assert (lead(0.04), lead(-0.04), lead(-0.06)) == ("level", "level", "0.1 points behind")


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=9).filter(any))
def test_shares_in_percent_add_up_to_100_and_are_off_by_less_than_one(weights: list[int]) -> None:
    exact = [100 * weight / sum(weights) for weight in weights]
    advice = [Option(str(n), PositionValue(0.5, 0.0), share / 100) for n, share in enumerate(exact)]
    found = hints(advice, [Choice(each.action, each.action) for each in advice])
    shares = [hint.share for hint in found]
    assert shares == sorted(shares, key=lambda share: -(share or 0))
    assert sum(share or 0 for share in shares) == 100
    for hint in found:
        assert hint.share is not None
        assert abs(hint.share - exact[int(hint.choice.action)]) < 1
        assert hint.share == 0 or exact[int(hint.choice.action)] > 0


def test_a_mixture_is_a_sentence_without_what_is_never_taken() -> None:
    advice = [
        Option("a", PositionValue(0.52, 1.0), 0.25),
        Option("b", PositionValue(0.1, -9.0), 0.0),
        Option("c", PositionValue(0.52, 1.5), 0.40),
        Option("d", PositionValue(0.52, 0.5), 0.35),
    ]
    choices = [Choice(letter, f"bid {letter}") for letter in "abcd"]
    mixture = (
        "bid c [c] 40% of the time, bid d [d] 35% of the time, bid a [a] 25% of the time: "
        "win probability 52.0%; 1.5 points ahead."
    )
    assert Advice("How often:", hints(advice, choices)).told() == ["How often:", mixture]
    bad = "Chosen: bid b [b]: win probability 10.0%, 42.0 percentage points less than the best; 9.0 points behind."
    assert Advice("How often:", hints(advice, choices, "b")).told() == ["How often:", mixture, bad]
    (only,) = Advice("", hints([Option("a", PositionValue(0.5, 0.0), 1.0)], choices)).told()[1:]
    assert only == "bid a [a]: win probability 50.0%; level."


@pytest.mark.parametrize("me", [0, 1, None])
def test_of_a_single_choice_a_hint_says_what_it_leads_to(me: int | None) -> None:
    """It is not called the best, and nothing is said of how often to take it, also where both choose at once."""
    sitting = viewpoint(("Ada", "Ben"), me)
    state = Shanghaien().start()
    for share in (None, 1.0):
        advice = [Option("roll", PositionValue(0.625, 1.0), share)]
        said = Advice(heading(advice, state, 0, sitting), hints(advice, [Choice("roll", "roll two dice")])).told()
        whose = "You have only one choice; your" if me == 0 else "Ada has only one choice; the"
        assert said[0].startswith(f"{whose} win probability")
        assert said[1:] == ["roll two dice [roll]: win probability 62.5%; 1.0 points ahead."]


def replayed(*keys: str, adviser: Any = None, moves: str = "", game: str = "shanghaien") -> str:
    tags = f'[Game "{game}"]\n[First "Ada"]\n[Second "Ben"]'
    record = read(f"{tags}\n\n{moves}".encode(), RULES) if moves else load(RECORDS[0])

    desk = Desk(keys, advise=adviser and adviser())
    asyncio.run(step_through(record, desk.table))
    return " ".join(" ".join(desk.shown()).split())


def test_in_a_replay_what_was_chosen_is_marked() -> None:
    text = replayed("", "h", "q", adviser=Adviser, moves="1. F3 I2 A4 C2 F3 S2 56-5< 36")
    assert text.count("Chosen: place 5 on F3, number 1 left [-5<]: win probability 40.0%, 30.0 percentage points") == 1
    assert text.count("Chosen: ") == 1
    assert "Choices for Ada, best first" in text


def test_in_a_replay_a_decision_that_is_not_made_yet_has_hints_too() -> None:
    text = replayed("e", "h", "q", adviser=Adviser, moves="1. F3 I2 A4 C2 F3 S2 56-5< 36")
    assert "Choices for Ben, best first" in text
    assert "Chosen: " not in text


def test_in_a_replay_nobody_decides_at_the_end() -> None:
    assert "Nobody has a choice to make here." in replayed("e", "h", "q", adviser=Adviser)


def test_in_a_replay_they_are_refused_where_there_are_none() -> None:
    assert REFUSED in replayed("h", "q")


@pytest.mark.usefixtures("_toy_is_installed")
def test_in_a_replay_both_have_hints_where_both_chose() -> None:
    text = replayed("h", "q", adviser=lambda: of_games("toy"), moves="2:2 3:1 take 1:2", game="toy")
    for name, other in (("Ada", "Ben"), ("Ben", "Ada")):
        assert f"How often {name} should choose each action while {other} chooses at the same time" in text
    assert text.count("Chosen: ") == 2
    assert "Chosen: do: 3 [3]: " in text
    assert "Chosen: do: 1 [1]: " in text
    assert "Nobody has a choice" not in text


@pytest.mark.usefixtures("_toy_is_installed")
def test_in_a_replay_they_are_refused_once_where_both_chose() -> None:
    assert replayed("s", "h", "q", moves="2:2 3:1", game="toy").count(REFUSED) == 1


@pytest.mark.parametrize("adviser", [None, lambda: of_games("toy")])
def test_a_game_without_an_evaluator_offers_none(toy_as: Callable[[str], None], adviser: Any) -> None:
    """Neither the help nor completion, whoever is there to be asked; and it is said why."""
    toy_as("tests.toy_values:WITHOUT_VALUES")
    text = replayed("s", "?", "h", "q", adviser=adviser, moves="2:2 3:1", game="toy")
    assert text.count("There are no hints for this game.") == 1
    assert "Type hint" not in text
    desk = Desk([], advise=adviser and adviser())
    desk.table.begun(RULES["toy"].from_settings({}), ("Ada", "Ben"), 0)
    assert not desk.table.has_hints


@pytest.mark.usefixtures("_toy_is_installed")
def test_a_game_with_an_evaluator_offers_them() -> None:
    text = replayed("s", "?", "q", adviser=lambda: of_games("toy"), moves="2:2 3:1", game="toy")
    assert "Type hint (or h)" in text


def test_without_mixtures_they_are_averaged(toy_as: Callable[[str], None]) -> None:
    toy_as("tests.toy_values:WITHOUT_MIXTURES")
    text = replayed("s", "h", "q", adviser=lambda: of_games("toy"), moves="2:2 3:1", game="toy")
    assert "averaged over what Ben may choose at the same time" in " ".join(text.split())
    assert "do: 1 [1]: " in text
    assert "Chosen: do: 3 [3]: " in text
