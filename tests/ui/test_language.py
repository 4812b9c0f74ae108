"""The choice of the language, and input and output in it."""

import os
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from p2p_shanghaien.errors import LocalError, StoreCode
from p2p_shanghaien.ui import language
from p2p_shanghaien.ui.command_input import Word, spoken, words
from p2p_shanghaien.ui.language import LANGUAGES, begin, choose, chosen, preferred
from p2p_shanghaien.ui.stepper import CODES
from p2p_shanghaien.ui.view import ASCII
from p2p_shanghaien.ui.words import describe, is_typed, say, typed
from tests.sweeps import together
from tests.ui.desk import Desk

OTHERS = [code for code in LANGUAGES if code != "en"]
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    begin(("en",), None)


@together(
    ("name", "expected"),
    [
        ("de_CH.UTF-8", "de"),
        ("fr", "fr"),
        ("it_IT@euro", "it"),
        ("en_GB.UTF-8", "en"),
        ("German_Germany.1252", "de"),
        ("C", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("ja_JP.UTF-8", "en"),
        ("..", "en"),
    ],
)
def test_the_locale_names_a_language(name: str, expected: str) -> None:
    assert preferred(None, environment={"LANG": name}) == expected


def test_the_first_wish_that_can_be_met_counts_and_then_the_first_locale() -> None:
    environment = dict(zip(LOCALES, ("it_IT", "fr_FR", "de_DE"), strict=True))
    assert preferred("de", "fr", environment=environment) == "de"
    assert preferred(None, "fr", environment=environment) == "fr"
    assert preferred("tlh", None, environment=environment) == "it"
    assert preferred(environment={**environment, "LC_ALL": ""}) == "fr"
    assert preferred(environment={"LANG": "de_DE"}) == "de"


@pytest.mark.parametrize(
    ("environment", "shown", "expected"),
    [
        ({"LANGUAGE": "de:fr", "LANG": "it_IT.UTF-8"}, (), "de"),
        ({"LANGUAGE": "de_AT:fr", "LC_ALL": "en_GB.UTF-8"}, (), "de"),
        ({"LANGUAGE": "sv:fr", "LANG": "it_IT.UTF-8"}, (), "fr"),
        ({"LANGUAGE": "en:de", "LANG": "de_DE.UTF-8"}, (), "en"),
        ({"LANGUAGE": "sv", "LANG": "it_IT.UTF-8"}, (), "it"),
        ({"LANGUAGE": ":::", "LANG": "it_IT.UTF-8"}, (), "it"),
        ({"LANGUAGE": "", "LANG": "it_IT.UTF-8"}, (), "it"),
        # the locale C is English, whatever else is wished
        ({"LANGUAGE": "de", "LANG": "C"}, ("fr-FR",), "en"),
        ({"LANGUAGE": "de", "LC_ALL": "C.UTF-8", "LANG": "it_IT.UTF-8"}, (), "en"),
        ({"LANGUAGE": "de", "LC_ALL": "POSIX"}, (), "en"),
        ({"LANGUAGE": "de"}, (), "en"),
        # where no locale is named, the system's own languages count, and not the format of its dates
        ({}, ("fr-CH", "de-CH"), "fr"),
        ({}, ("ja-JP", "de-CH"), "de"),
        ({}, ("ja-JP",), "en"),
        ({}, ("zh-Hans-CN", "it"), "it"),
        ({"LANGUAGE": "de"}, ("fr-CH",), "de"),
        ({"LANG": "it_IT.UTF-8"}, ("fr-CH",), "it"),
    ],
)
def test_the_environment_is_read_as_gettext_does(
    environment: dict[str, str], shown: tuple[str, ...], expected: str
) -> None:
    assert preferred(None, "", shown=lambda: shown, environment=environment) == expected
    assert preferred("it", shown=lambda: shown, environment=environment) == "it"


@pytest.mark.parametrize(
    ("wishes", "kept", "spoken_at_first", "without_a_setting"),
    [
        ((None, None), None, "fr", "fr"),
        ((None, None), "it", "it", "fr"),
        ((None, "de"), "it", "de", "de"),
        (("en", "de"), "it", "en", "en"),
        (("tlh", None), "xx", "fr", "fr"),
    ],
)
def test_a_setting_that_is_taken_back_leaves_the_language_to_what_else_was_wished(
    monkeypatch: pytest.MonkeyPatch,
    wishes: tuple[str | None, ...],
    kept: str | None,
    spoken_at_first: str,
    without_a_setting: str,
) -> None:
    monkeypatch.setattr(language, "preferred", partial(preferred, environment={"LANG": "fr_CH.UTF-8"}))
    begin(wishes, kept)
    assert chosen() == spoken_at_first
    for code in ("de", "it", "en"):
        choose(code)
        assert chosen() == code
        choose(None)
        assert chosen() == without_a_setting


def test_without_a_choice_everything_is_english() -> None:
    assert chosen() == "en"
    assert say("you") == "You"


@pytest.mark.parametrize(
    ("code", "one", "none", "two"),
    [
        ("en", "1 card in the pile", "0 cards in the pile", "2 cards in the pile"),
        ("de", "1 Karte im Stapel", "0 Karten im Stapel", "2 Karten im Stapel"),
        ("fr", "1 carte dans la pioche", "0 carte dans la pioche", "2 cartes dans la pioche"),
        ("it", "1 carta nel mazzo", "0 carte nel mazzo", "2 carte nel mazzo"),
    ],
)
def test_plurals_follow_the_language(code: str, one: str, none: str, two: str) -> None:
    choose(code)
    assert [say("shanghaien:pile", count=count) for count in (1, 0, 2)] == [one, none, two]


@pytest.mark.parametrize("code", OTHERS)
def test_what_the_system_says_is_translated_and_what_a_peer_says_is_not(code: str) -> None:
    error = LocalError(StoreCode.FILE_TROUBLE, path="x", reason=os.strerror(2))
    english = describe(error)
    choose(code)
    assert os.strerror(2) not in describe(error)
    assert describe(error) != english
    assert "goodbye" in say("peer_hung_up", reason="goodbye")


@pytest.mark.parametrize("code", LANGUAGES)
def test_english_words_and_letters_work_in_every_language(code: str) -> None:
    choose("en")
    english = {each: say(each) for each in (*Word, *CODES, "ask_rules", "answers_yes", "answers_no")}
    choose(code)
    for each, text in english.items():
        for word in text.split():
            assert is_typed(word, each)
            assert is_typed(word.upper(), each)
            assert word in typed(each)
    assert spoken("say Hello") == (Word.SAY, "Hello")
    assert spoken(f"{say('word_say')} Hello") == (Word.SAY, "Hello")
    assert {"say", "resign", "leave"} < set(words())


@together("code", LANGUAGES)
@together("places", [(*CODES,), (*Word, "ask_rules"), ("answers_yes", "answers_no")], ids=str)
def test_no_word_means_two_things(code: str, places: tuple[str, ...]) -> None:
    choose(code)
    for first, second in product(places, places):
        shared = {ASCII.transliterate(word) for word in typed(first)} & {
            ASCII.transliterate(word) for word in typed(second)
        }
        assert first == second or not shared


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_word_is_one_word(code: str) -> None:
    """The rest is the argument; a question for the whole word shows one."""
    choose(code)
    assert all(len(say(each).split()) == 1 for each in (*Word, *CODES, "ask_rules", "answer_yes"))
    assert say("answer_yes") == say("answers_yes").split()[0]


async def confirmed(answer: str, question: str) -> bool:
    return await Desk([answer]).table.confirm(question, name="Ada", game="g", settings="s")


@pytest.mark.parametrize("code", LANGUAGES)
async def test_a_question_is_answered_in_the_language_and_in_english(code: str) -> None:
    choose(code)
    for answer, meant in (("answers_yes", True), ("answers_no", False)):
        for word in {*say(answer).split(), *{"answers_yes": ("yes", "y"), "answers_no": ("no", "n")}[answer]}:
            for spelling in (word, word.upper(), ASCII.transliterate(word)):
                assert await confirmed(spelling, "play_with_guest") is meant
    assert await confirmed(ASCII.transliterate(say("answer_yes")), "play_with_doubtful_guest") is True


@pytest.mark.parametrize("code", LANGUAGES)
async def test_a_hasty_letter_is_no_whole_word(code: str) -> None:
    choose(code)
    for letter in {word for word in (*say("answers_yes").split(), "y") if len(word) == 1}:
        desk = Desk([letter, "no"])
        assert await desk.table.confirm("play_with_doubtful_guest", name="Ada") is False
        assert len(desk.script.prompts) == 2


def test_german_letters_are_spelled_as_german_does() -> None:
    assert ASCII.transliterate("Würfel für Öl, Größe") == "Wurfel fur Ol, Grosse"
    choose("de")
    assert ASCII.transliterate("Würfel für Öl, Größe") == "Wuerfel fuer Oel, Groesse"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("« Ja » ?", '"Ja" ?'), ("„so“", '"so"'), ("d\u2019œuf", "d'oeuf"), ("«\xa0a\xa0»", '"a"')],
)
def test_quotation_marks_in_ascii(text: str, shown: str) -> None:
    assert ASCII.transliterate(text) == shown


def test_a_language_without_a_catalogue_is_english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(language, "PROGRAM", language.Domain("nothing", tmp_path))
    choose("de")
    assert say("you") == "You"
