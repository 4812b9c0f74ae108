"""The lesson of Pig is a game by its rules, and there is a sentence for all that it says."""

from p2p_shanghaien.games.api import Terminal
from shanghaien_pig.game import Pig
from shanghaien_pig.lesson import LESSON
from shanghaien_pig.words import WORDS

SCRIPT = LESSON.script(Pig.from_settings(LESSON.settings))


def test_the_learner_wins() -> None:
    assert SCRIPT.positions[-1].node == Terminal((20, 9), 0)


def test_both_roll_a_1() -> None:
    assert {state.player for state in SCRIPT.positions if state.die == 1} == {0, 1}


def test_every_note_has_its_sentences() -> None:
    said = set()
    for number in range(len(SCRIPT)):
        page = SCRIPT.page(number)
        others = [a for a in SCRIPT.positions[SCRIPT.at(number)].legal(0) if page.task and a != SCRIPT.wanted(number)]
        said |= {page.rule, *filter(None, [page.task]), *(str(SCRIPT.mistake(number, each)) for each in others)}
    assert said == {code for code in WORDS if code.startswith("lesson_")}
