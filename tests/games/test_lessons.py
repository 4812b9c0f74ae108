"""Every lesson is a game by the rules, has a sentence for all that it says, in every language, and fits the screen."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from p2p_shanghaien.app.learning import lesson_of, taught
from p2p_shanghaien.errors import RecordError
from p2p_shanghaien.games.api import deciders
from p2p_shanghaien.games.lesson import Lesson, Note, Script, Skip
from p2p_shanghaien.games.registry import GAMES, RULES
from p2p_shanghaien.ui.game_words import words
from p2p_shanghaien.ui.language import LANGUAGES, choose
from p2p_shanghaien.ui.lesson import told
from p2p_shanghaien.ui.screen import folded
from p2p_shanghaien.ui.view import table_of, viewpoint
from p2p_shanghaien.ui.view import told as happened
from p2p_shanghaien.ui.words import has_words, say
from tests.toy import Toy

LESSONS = taught()
ROOM = 78, 5
"""The cells and the lines that a lesson takes from a window of 80 by 24, with a table and what is open below it."""

WORDS_A_MINUTE = 200
"""The words a minute that an adult reads, slowly enough to take in something new."""
SECONDS_A_DECISION = 5

every_lesson = pytest.mark.parametrize("game", LESSONS)


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


def mistakes(script: Script[Any], number: int) -> list[str]:
    """Return what the learner could do instead at a note."""
    wanted = script.wanted(number)
    legal = script.positions[script.at(number)].legal(script.player)
    return [action for action in legal if wanted is not None and action != wanted]


def test_our_games_have_lessons() -> None:
    assert set(LESSONS) >= {"shanghaien", "halunken", "macao"}


@every_lesson
def test_what_the_lesson_asks_is_legal_and_is_all_that_the_learner_decides(game: str) -> None:
    script = lesson_of(game)
    asked = [script.at(number) for number in range(len(script)) if script.wanted(number)]
    shown = [at for at in range(len(script.steps)) if script.shown_from(at) == at]
    assert asked == [at for at in shown if script.player in deciders(script.positions[at].node)]
    for number in range(len(script)):
        if wanted := script.wanted(number):
            assert wanted in script.positions[script.at(number)].legal(script.player)


@every_lesson
def test_it_asks_for_two_dozen_decisions_at_most_in_three_parts_of_a_game(game: str) -> None:
    script = lesson_of(game)
    shown = [script.shown_from(at) == at for at in range(len(script.steps))]
    assert sum(here and not before for before, here in pairwise([False, *shown])) <= 3
    assert sum(script.wanted(number) is not None for number in range(len(script))) <= 24


@every_lesson
def test_it_takes_about_ten_minutes(game: str, language: str) -> None:
    """Whoever reads what the lesson tells, and what happens at the table, is done in the time that is promised."""
    script = lesson_of(game)
    table, who = table_of(game), viewpoint(("Ada", say("lesson_computer")), script.player)
    texts = [text for number in range(len(script)) for text in told(game, script.page(number))]
    for at, step in enumerate(script.steps):
        if script.shown_from(at) == at:
            texts.append(happened(table, script.positions[at], step, script.positions[at + 1], who))
    words = sum(len(text.split()) for text in texts)
    decisions = sum(script.wanted(number) is not None for number in range(len(script)))
    minutes = words / WORDS_A_MINUTE + decisions * SECONDS_A_DECISION / 60
    assert 5 <= minutes <= 12, f"{minutes:.1f} minutes: {words} words, {decisions} decisions"


@every_lesson
def test_every_note_has_its_sentences_and_every_sentence_its_note(game: str, language: str) -> None:
    script = lesson_of(game)
    said = set()
    for number in range(len(script)):
        page = script.page(number)
        if page.task:
            assert has_words(f"{game}:{page.task}"), page.task
            said.add(page.task)
        if not page.task or has_words(f"{game}:{page.rule}"):
            assert has_words(f"{game}:{page.rule}"), page.rule
            said.add(page.rule)
        said |= {code for action in mistakes(script, number) if (code := script.mistake(number, action))}
    assert {code for code in words(game) if code.startswith("lesson_")} == said
    for code in said:
        assert say(f"{game}:{code}").strip()


@every_lesson
def test_two_sentences_at_most(game: str, language: str) -> None:
    for code in words(game):
        if code.startswith("lesson_"):
            text = say(f"{game}:{code}")
            assert len(re.findall(r"[.?!](?= |$)", text)) <= 2, text
            assert text.endswith("."), text


@every_lesson
def test_it_fits_the_screen(game: str, language: str) -> None:
    script = lesson_of(game)
    width, height = ROOM
    for number in range(len(script)):
        page = script.page(number)
        lines = [line for text in told(game, page) for line in folded(text, width)]
        assert len(lines) + (page.task is None) <= height, lines
        for action in mistakes(script, number):
            code = script.mistake(number, action)
            explained = folded(say(f"{game}:{code}" if code else "lesson_not"), width)
            assert len(explained) + 1 <= height, explained


@every_lesson
def test_an_explanation_is_for_something_that_the_learner_can_do(game: str) -> None:
    """And where there is one other choice, it has an explanation of its own."""
    script = lesson_of(game)
    part = GAMES[game].lesson
    assert part is not None
    notes = [item for item in part.load().course if isinstance(item, Note)]
    for number, note in enumerate(notes):
        others = mistakes(script, number)
        for start in note.mistakes:
            assert any(action.startswith(start) for action in others), (note.name, start)
        if len(others) == 1:
            assert script.mistake(number, others[0]), (note.name, others)


def test_the_longest_beginning_explains_an_action() -> None:
    note = Note("a", {"": "any", "b": "some", "bc": "one"})
    script = Script(RULES["shanghaien"].from_settings({}), 0, (), [(note, 0)], ())
    assert [script.mistake(0, action) for action in ("a", "bd", "bcd")] == [
        "lesson_not_any",
        "lesson_not_some",
        "lesson_not_one",
    ]


@pytest.mark.parametrize(
    ("course", "error"),
    [
        (["1. F1 A1 A2 A3 A3 A4 roll"], ValueError),
        ([Note("roll"), "1. nonsense"], RecordError),
        (["1. F1 A1 A2 A3 A3 A4 25-5<"], ValueError),
    ],
)
def test_what_is_no_lesson_is_refused(course: list[Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        Lesson(course=course).script(RULES["shanghaien"].from_settings({}))


def test_steps_between_two_notes_and_what_is_skipped() -> None:
    game = RULES["shanghaien"].from_settings({})
    row = "1. F1 A1 A2 A3 A3 A4"
    script = Lesson(course=(row, Note("a"), Note("b"), " 25", Skip("-5< 12-1"), Note("c"))).script(game)
    assert [script.at(number) for number in range(4)] == [1, 1, 7, 7]
    assert [script.wanted(number) for number in range(3)] == [None, "roll", None]
    assert [script.shown_from(at) for at in range(7)] == [0, 1, 2, 7, 7, 7, 7]
    assert script.page(1) == (2, 3, "lesson_b", "lesson_b_do")
    assert Toy.NAME not in LESSONS
