"""The end of a game in plain mode: what turned it, in a few lines, and what can be typed to look back on it."""

import asyncio
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from p2p_shanghaien.analysis.annotate import Analysis
from p2p_shanghaien.app.analysis import analyse
from p2p_shanghaien.app.hints import hints
from p2p_shanghaien.errors import AppCode, LocalError, Quit
from p2p_shanghaien.fairplay.verify import Report, verify
from p2p_shanghaien.games.record import Record
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.ui.post_game import PostGame
from p2p_shanghaien.ui.stepper import step_through
from p2p_shanghaien.ui.words import say
from tests.ui.desk import Desk


@cache
def report(name: str = "sample") -> Report:
    return verify(Path(f"examples/{name}.shlog").read_bytes(), RULES)


@cache
def analysis() -> Analysis:
    return analyse(report().record())


async def verified() -> tuple[str, Report]:
    return "0123abcd", report()


async def found(record: Record) -> Analysis:
    assert record.steps == report().steps
    return analysis()


async def failing(_: Record) -> Analysis:
    raise LocalError(AppCode.ADVICE_FAILED, reason="boom")


POST_GAME = PostGame(verified, found, hints, step_through)


def ended(lines: Iterable[str], post_game: PostGame | None = POST_GAME, *, interactive: bool = False) -> Desk:
    """Return a desk at which a game has just ended, and these lines will be typed."""
    desk = Desk(lines, interactive=interactive, post_game=post_game)
    record = report().record()
    *_, before, after = record.positions()
    desk.table.begun(record.game, ("Ada", "Ben"), 0, before)
    desk.table.stepped(before, record.steps[-1], after)
    return desk


def told(desk: Desk) -> str:
    return " ".join(" ".join(desk.shown()).split())


@pytest.mark.thorough
def test_what_turned_the_game_is_told_before_the_question_and_the_commands_are_named() -> None:
    desk = ended(["no"])
    assert not asyncio.run(desk.table.rematch())
    text = told(desk)
    result = str(desk.table.presenter.ending)
    parts = (
        say("shanghaien:total"),
        result,
        say("turning_mistakes"),
        say("turning_luck"),
        "shanghaien replay 0123abcd",
        "shanghaien analyse 0123abcd",
        say("play_again", result=result),
    )
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert text.count("Better: ") == 3
    assert text.count("Luck for ") == 3


@pytest.mark.parametrize("word", ["analyse", "ANALYSE"])
def test_analyse_shows_the_analysis_and_asks_again(word: str) -> None:
    desk = ended([word, "yes"])
    assert asyncio.run(desk.table.rematch())
    assert say("review_sums") in told(desk)
    assert len(desk.script.prompts) == 2


def test_replay_steps_through_the_game_and_asks_again() -> None:
    desk = ended(["replay", "n", "q", "no"], interactive=True)
    assert not asyncio.run(desk.table.rematch())
    assert any(prompt.startswith("Step 2 of ") for prompt in desk.script.prompts)
    assert desk.script.prompts[-1] == say("ask_yes_no")


def test_other_words_are_no_answer() -> None:
    desk = ended(["resume", "", "replay it", "no"])
    assert not asyncio.run(desk.table.rematch())
    text = told(desk)
    for word in ("resume", "replay it"):
        assert say("neither_yes_nor_no", text=word) in text


def test_leaving_at_the_question() -> None:
    with pytest.raises(Quit):
        asyncio.run(ended([]).table.rematch())


def test_an_error_is_told_in_place_of_turning_points() -> None:
    desk = ended(["analyse", "no"], POST_GAME._replace(analyse=failing))
    assert not asyncio.run(desk.table.rematch())
    text = told(desk)
    assert text.count("boom") == 2
    assert say("turning_mistakes") not in text


def test_without_a_log_there_is_nothing_to_look_back_on() -> None:
    desk = ended(["replay", "no"], None)
    assert not asyncio.run(desk.table.rematch())
    text = told(desk)
    assert "shanghaien replay" not in text
    assert say("neither_yes_nor_no", text="replay") in text


def test_the_question_does_not_wait_for_the_analysis() -> None:
    async def never(_: Record) -> Analysis:
        return await asyncio.Event().wait()  # type: ignore[return-value]

    desk = ended(["yes"], POST_GAME._replace(analyse=never), interactive=True)
    assert asyncio.run(desk.table.rematch())


def test_an_abandoned_game_is_named_in_the_question() -> None:
    desk = Desk(["no"])
    record = report().record()
    desk.table.begun(record.game, ("Ada", "Ben"), 0, record.game.start())
    desk.table.notify("abandoned")
    assert not asyncio.run(desk.table.rematch())
    assert say("play_again", result=say("abandoned")) in told(desk)
