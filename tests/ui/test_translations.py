"""Nothing is left in English, nothing says less than the English, and everything fits its place."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from rich.cells import cell_len

from p2p_shanghaien.games.api import Turn
from p2p_shanghaien.games.halunken.rulebook import RULES as HALUNKEN_RULES
from p2p_shanghaien.games.macao.rulebook import RULES as MACAO_RULES
from p2p_shanghaien.games.shanghaien.display.story import kind
from p2p_shanghaien.games.shanghaien.display.table import TABLE
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.games.shanghaien.rulebook import RULES as SHANGHAIEN_RULES
from p2p_shanghaien.games.shanghaien.rules import Phase
from p2p_shanghaien.ui import command_sentences
from p2p_shanghaien.ui.command_input import Word
from p2p_shanghaien.ui.language import LANGUAGES, PROGRAM, Domain, choose
from p2p_shanghaien.ui.stepper import CODES
from p2p_shanghaien.ui.view import ASCII, UNICODE, Charset, rules_of, viewpoint
from p2p_shanghaien.ui.words import say
from tests import kinds
from tests.sweeps import sweep
from tests.ui.desk import Desk
from tests.ui.ledger import NATIONALITIES, RECORDS, TRICKS, moments
from tools import catalogues
from tools.catalogues import Entry, domains, missing, path_of, read, updated

RULES = SHANGHAIEN_RULES.keys() | HALUNKEN_RULES.keys() | MACAO_RULES.keys()
OTHERS = [code for code in LANGUAGES if code != "en"]
SHANGHAIEN = next(domain for domain in domains() if domain.folder.parent.name == "shanghaien")
NAMES = ("Abdul-Rahman Al-Sufi", "Wilhelmina Vandermeer")
"""Names as long as a label gets."""

FEWER_DETAILS: dict[str, set[str]] = {
    "silent": {"name"},
    # the name of a type in click: "integer range"
    "{value!r} is not a valid {number_type}.": {"number_type"},
}
"""Codes whose translation may leave out details that the English has."""

AS_IN_ENGLISH = {"error", "chat", "verdict_line", "name", "rules_title", "choose_shanghai", "step_quit"}
AS_IN_ENGLISH |= {"program_version", "metavar_hex", "step_last_round", "step_next_round", "jack", "short_jack"}
"""Codes, and words of click, that may be the same in several languages: names, letters to be typed."""


@pytest.fixture(params=OTHERS)
def code(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


# those whose words need the most room, and in a thorough run the others too
@pytest.fixture(params=[pytest.param(each, marks=[pytest.mark.thorough] * (each != "de")) for each in LANGUAGES])
def wide_code(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


@pytest.fixture(params=LANGUAGES)
def any_code(request: pytest.FixtureRequest) -> Iterator[str]:
    choose(request.param)
    yield request.param
    choose("en")


@pytest.fixture(params=domains(), ids=lambda domain: str(domain.folder.parent.name))
def domain(request: pytest.FixtureRequest) -> Domain:
    found: Domain = request.param
    return found


@pytest.fixture
def catalogue(domain: Domain, code: str) -> Catalog:
    return _updated(domain, code)


@cache
def _updated(domain: Domain, code: str) -> Catalog:
    return updated(domain, read(domain, code))


def pairs(catalogue: Catalog) -> Iterator[tuple[str, str, str]]:
    """Context or English, English, and translation; every plural form by itself."""
    for message in catalogue:
        if message.id:
            english = (message.id,) if isinstance(message.id, str) else tuple(message.id)
            strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            for index, string in enumerate(strings):
                yield message.context or english[0], english[min(index, len(english) - 1)], string


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_everything_is_translated(catalogue: Catalog, domain: Domain, code: str) -> None:
    assert not missing(catalogue), (
        f"{LANGUAGES[code]}: run python -m tools.catalogues, then translate in {path_of(domain, code)}"
    )


def test_every_error_is_translated(domain: Domain, catalogue: Catalog) -> None:
    translated = {message.context: message.string for message in catalogue if not message.fuzzy}
    owner = "" if domain == PROGRAM else domain.name
    codes = [code for enum in kinds.codes() for code in enum if code.rpartition(":")[0] == owner]
    assert not [code for code in codes if not translated.get(code.unqualified)]
    assert codes


def test_no_sentence_is_left_in_english(catalogue: Catalog) -> None:
    """One word or two may be the same in a language; a sentence may not."""
    same = {context for context, english, string in pairs(catalogue) if english == string and _words(english) > 2}
    assert not same - AS_IN_ENGLISH


def test_no_word_is_the_same_in_every_language(domain: Domain) -> None:
    same = [
        {
            context
            for context, english, string in pairs(updated(domain, read(domain, code)))
            if english == string and _words(english)
        }
        for code in OTHERS
    ]
    # languages are listed under their own names
    left = {context for context in set.intersection(*same) if not context.startswith("setting_language_")}
    assert not left - AS_IN_ENGLISH


def test_what_stands_for_something_typed_has_one_name_in_a_language(catalogue: Catalog) -> None:
    placeholders = [code for code in command_sentences.WORDS if code.startswith("metavar_")]
    for placeholder in placeholders:
        for word in re.findall(r"[A-Z]+(?:-[A-Z]+)*", str(command_sentences.WORDS[placeholder])):
            if word not in say(placeholder):
                left = [context for context, _, string in pairs(catalogue) if re.search(rf"\b{word}\b", string)]
                assert left == [], word


def _words(template: str) -> int:
    """Return how many words a template has besides its details."""
    return sum(
        any(letter.isalpha() for letter in word)
        for text, *_ in Formatter().parse(template.replace("%(", "").replace(")s", ""))
        for word in text.split()
    )


def test_translations_have_the_details_of_the_english(catalogue: Catalog) -> None:
    for context, english, string in pairs(catalogue):
        given, shown = fields(english), fields(string)
        assert shown <= given | {"count"}, f"{context}: {shown - given} is not known"
        assert given - shown <= FEWER_DETAILS.get(context, set()), f"{context}: {given - shown} is not said"
        assert english.count("%(") == string.count("%(")


def test_spaces_and_line_ends_are_those_of_the_english(catalogue: Catalog) -> None:
    for context, english, string in pairs(catalogue):
        assert string.startswith(" ") == english.startswith(" "), context
        assert string.endswith(" ") == english.endswith(" "), context
        if context not in RULES:
            assert string.count("\n") == english.count("\n"), context


def test_marks_are_those_of_the_language(catalogue: Catalog, code: str) -> None:
    opening, closing = ("„", "“") if code == "de" else ("«", "»")
    for context, _, string in pairs(catalogue):
        assert string.count(opening) == string.count(closing), context
        for index, mark in enumerate(string):
            before, after = string[:index][-1:], string[index + 1 :][:1]
            if code == "fr" and mark in "?!:;»" and after in ("", " ", ".", ",", ")", "\n", "\xa0"):
                # a place of its own in a line of help, a key, or the end of a command
                assert before in ("\xa0", "(", " ", "", "/", '"') or context in RULES, f"{context}: {string}"
                assert not (before == " " and mark != "?"), f"{context}: {string}"
            if code == "fr" and mark == "«":
                assert after == "\xa0", f"{context}: {string}"
            if code != "fr":
                assert mark not in "\xa0\u202f", context
        if code in ("de", "fr"):
            assert "}%" not in string, context


def test_everything_can_be_shown_in_ascii(any_code: str, domain: Domain) -> None:
    if any_code == "en":
        return
    for context, _, string in pairs(updated(domain, read(domain, any_code))):
        assert "\\" not in ASCII.transliterate(string).replace("\\\\", "").replace('\\"', ""), context


def test_the_catalogue_on_file_is_up_to_date(catalogue: Catalog, domain: Domain, code: str) -> None:
    kept = read(domain, code)
    assert [(m.context, m.id) for m in kept] == [(m.context, m.id) for m in catalogue], "run python -m tools.catalogues"


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_the_rules_fit_their_columns_and_name_what_can_be_typed(any_code: str, charset: Charset) -> None:
    # how to learn them stands below, in a sentence that is folded
    rules = charset.transliterate(rules_of("shanghaien").rpartition("\n\n\n")[0])
    # as they stand in a panel with a scroll bar on a screen of 80 cells
    assert all(cell_len(line) <= 74 for line in rules.splitlines())
    for code in (*Word, "ask_rules", "question_table"):
        word = ASCII.transliterate(say(code)).split()[0]
        assert f" {word} " in ASCII.transliterate(rules)
    for letter in NATIONALITIES:
        assert (
            f"{letter} {say(f'shanghaien:heading_{letter}').removeprefix(letter + ' ')}" in rules_of("shanghaien")
            or any_code == "en"
        )


@pytest.mark.parametrize("step", CODES)
def test_the_help_for_looking_through_a_record_names_every_letter(any_code: str, step: str) -> None:
    sentences = say("step_help", next=say("shanghaien:stage_next"), back=say("shanghaien:stage_back"), places="")
    words = re.split(r"[\s,;:]+", sentences)
    assert say(step) in words


def test_headings_begin_with_their_letter_and_fit(any_code: str) -> None:
    for letter, form in product(NATIONALITIES, ("heading", "short_heading")):
        for fitted in (say(f"shanghaien:{form}_{letter}"), ASCII.transliterate(say(f"shanghaien:{form}_{letter}"))):
            assert fitted.startswith(letter)
            assert any_code == "en" or fitted[1] == " "
            assert cell_len(fitted) <= (13 if form == "heading" else 8)


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_labels_fit_their_columns(any_code: str, charset: Charset) -> None:
    for label in ("number", "one_left", "one_right", "taken_by"):
        assert cell_len(charset.say(f"shanghaien:{label}")) < 13, label
    assert cell_len(charset.say("shanghaien:round_was", round=8)) < 13
    for label in ("scoring", "unused_tricks", "total"):
        assert cell_len(charset.say(f"shanghaien:{label}")) < 14, label
    for label in ("points", "on_table", "to_come"):
        assert cell_len(charset.say(f"shanghaien:{label}")) <= 6, label
    assert cell_len(charset.say("shanghaien:trick")) < 6
    assert cell_len(charset.say("shanghaien:sum")) < 4
    assert cell_len(charset.say("shanghaien:nobody")) <= 11
    assert cell_len(charset.say("shanghaien:beside", count=3, sum=12)) <= 11
    for reason in ("held_by_none", "held_alone", "equal_crews", "trick_scores"):
        assert cell_len(charset.say(f"shanghaien:{reason}")) <= 38, reason
    assert cell_len(charset.say("shanghaien:stronger_leaves", points=12)) <= 38


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_words_of_the_full_screen_fit_their_places(any_code: str, charset: Charset) -> None:
    keys = [f"key_{key}" for key in ("help", "say", "menu", "scores", "log", "fair", "leave")]
    assert cell_len(" " + "  ".join(f"? {charset.say(key)}" for key in (*keys, "shanghaien:overview_key"))) <= 80
    for code, cells in (("scores_row", 4), ("scores_pile", 5), ("scores_tricks", 9), ("scores_sum", 9)):
        assert cell_len(charset.say(f"shanghaien:{code}")) <= cells, code


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
def test_kinds_of_cards_stand_apart_in_the_row(any_code: str, charset: Charset) -> None:
    start, sitting = Shanghaien().start(), viewpoint(NAMES, 0, charset)
    cards = [f"{letter}1" for letter in NATIONALITIES] + [f"X{letter}" for letter in TRICKS]
    for one, others in product(cards, zip(cards[::3], cards[1::3], cards[2::3], strict=True)):
        row = tuple(card for other in others for card in (one, other))
        state = start._replace(row=row, round=1, phase=Phase.TURN)
        lines = [line.plain.ljust(80) for line in TABLE.position(state, sitting)]
        below = next(index for index, line in enumerate(lines, start=1) if line.split() == list(row))
        cells = [lines[below][at : at + 11] for at in range(13, 79, 11)]
        for card, cell in zip(row, cells, strict=True):
            word = charset.transliterate(kind(card))
            # only where the next one is as long
            assert cell.strip() in (word, charset.cut(word, 10))
        assert all(left.endswith(" ") or right.startswith(" ") for left, right in pairwise(cells))


@sweep("charset", [UNICODE, ASCII], every=2)
@sweep("path", RECORDS[::4], every=4, ids=lambda path: path.stem)
def test_every_drawing_fits_the_screen(wide_code: str, path: Path, charset: Charset) -> None:
    for me in (0, None):
        sitting = viewpoint(NAMES, me, charset)
        for moment in moments(path):
            drawn = [
                *TABLE.position(moment.after, sitting),
                *TABLE.overview(moment.before, moment.step, sitting),
            ]
            assert all(line.cell_len <= 80 for line in drawn), [line.plain for line in drawn]
            assert not charset.ascii_only or all(line.plain.isascii() for line in drawn)
        *_, last = moments(path)
        ending = TABLE.ending(last.after, sitting)
        assert all(line.cell_len <= 80 for line in ending), [line.plain for line in ending]
        assert not charset.ascii_only or all(line.plain.isascii() for line in ending)


@sweep("ascii_only", [False, True], every=2)
@sweep("path", RECORDS[::4], every=4, ids=lambda path: path.stem)
async def test_a_decision_fits_on_a_small_screen(wide_code: str, path: Path, ascii_only: bool) -> None:
    """Position, choices and prompt in 24 lines of 80 cells."""
    for moment in moments(path):
        if isinstance(moment.before.node, Turn):
            player = moment.before.node.player
            desk = Desk(["1"], ascii_only=ascii_only)
            desk.table.begun(Shanghaien(), ("Ada", "Ben"), player)
            desk.shown()
            await desk.table.decide(moment.before, player)
            shown = desk.shown()
            assert len(shown) <= 24, "\n".join(shown)
            assert all(cell_len(line) <= 80 for line in shown)


@pytest.mark.parametrize("charset", [UNICODE, ASCII])
@sweep("tricks", ["", "p", "bp", "bpr", "bbpprw", "bbbppprrw"], every=2)
def test_dice_and_tricks_of_a_player_fit_in_a_line(any_code: str, tricks: str, charset: Charset) -> None:
    """Even with a roll, and with a trick played before."""
    start = Shanghaien().start()
    state = start._replace(row=start.pile[:6], round=1, phase=Phase.PLACE, dice=(6, 6), tricked=(True, True))
    lines = TABLE.position(state._replace(tricks=(tricks, tricks)), viewpoint(NAMES, 0, charset))
    assert [line.plain for line in lines if line.cell_len > 80] == []


def test_tricks_are_called_by_their_names(code: str) -> None:
    for _, english, string in pairs(_updated(SHANGHAIEN, code)):
        for trick, name in TRICKS.items():
            assert f'"{name}"' not in english or say(f"shanghaien:trick_{trick}") in string, string


def test_trick_cards_cannot_be_read_as_cheating_in_french() -> None:
    """The printed rules call them "cartes Triche"."""
    for _, _, string in pairs(_updated(SHANGHAIEN, "fr")):
        for before in re.split("triche", string, flags=re.IGNORECASE)[:-1]:
            assert re.search(r"(\b[Cc]artes?|^C\.)\s+$", before), string
        assert "triche" not in string, string


def test_french_has_no_word_before_a_name_that_a_vowel_would_elide(domain: Domain) -> None:
    """The computer is called "Ordinateur"."""
    player = re.compile(r"\b(?:de|que) \{(?:who|name|other|host|guest|a|b|victim|before|awaited)\}", re.IGNORECASE)
    # names of games and files, which begin with a digit or another character
    others = {"bad_kept_address", "bad_kept_relay", "dice_left_same_game"}
    assert not [
        context
        for context, _, string in pairs(_updated(domain, "fr"))
        if player.search(string) and context not in others
    ]


def test_words_that_stand_in_narrow_places_need_no_cut(any_code: str) -> None:
    """On a card, in the score table, before the choices."""
    places = {f"short_nationality_{nationality}": 9 for nationality in NATIONALITIES}
    places |= {"scores_row": 4, "scores_pile": 5, "offers_place": 11, "offers_joker": 11}
    places |= {f"trick_{trick}": 11 for trick in TRICKS}
    assert not [code for code, cells in places.items() if cell_len(say(f"shanghaien:{code}")) > cells]
    assert not [
        word for trick in TRICKS for word in say(f"shanghaien:trick_{trick}").split(" ", 1) if cell_len(word) > 9
    ]


@pytest.mark.thorough
def test_the_tool_tells_whether_something_is_to_be_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("write", "compile_in_place"):
        monkeypatch.setattr(catalogues, name, lambda *_: None)
    assert catalogues.main()
    entries = catalogues.entries
    monkeypatch.setattr(
        catalogues, "entries", lambda of: [*entries(of), Entry("new_code", "Nobody has translated this.")]
    )
    assert not catalogues.main()
