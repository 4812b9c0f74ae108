"""The whole program in each language: help, errors, a game; and what no language changes."""

import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import click
import pytest

from p2p_shanghaien.cli.main import shanghaien as command
from p2p_shanghaien.settings import Settings
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.ui.language import LANGUAGES, VARIABLE, choose
from p2p_shanghaien.ui.words import say
from tests.cli.program import PATIENCE, PROGRAM, environment, shanghaien
from tests.sweeps import sweep

EXAMPLES = Path(__file__).parents[2] / "examples"
LOG, RECORD = EXAMPLES / "sample.shlog", EXAMPLES / "sample.shrec"
OTHERS = [code for code in LANGUAGES if code != "en"]
PLAY = {"en": "Play against", "de": "Gegen den Computer", "fr": "Jouer contre", "it": "Gioca contro"}
USAGE = {"en": "Usage:", "de": "Aufruf:", "fr": "Usage\xa0:", "it": "Uso:"}


def spoken(result: "subprocess.CompletedProcess[str]") -> set[str]:
    """Return the languages that a help page is in."""
    return {code for code, words in PLAY.items() if words in result.stdout}


@sweep("code", LANGUAGES, every=2)
def test_help_is_in_the_language_asked_for_and_fits_a_screen(tmp_path: Path, code: str) -> None:
    for arguments in (["--lang", code, "--help"], [f"--lang={code}", "-h"]):
        helped = shanghaien(tmp_path, *arguments, COLUMNS="80")
        assert spoken(helped) == {code}
        assert helped.stdout.startswith(USAGE[code])
        lines = helped.stdout.splitlines()
        assert len(lines) <= 24
        assert all(len(line) <= 80 for line in lines)
        assert all(line[2:12].strip() for line in lines[-12:]), "a line for each command"
    help_of_play = shanghaien(tmp_path, "--lang", code, "play", "--help").stdout
    assert {code} == {each for each, words in PLAY.items() if words in help_of_play}


def test_no_help_names_what_is_to_be_typed_in_the_words_of_a_library(tmp_path: Path) -> None:
    """The manual holds the lines of usage and the options of every command."""
    write = (
        "import json; from p2p_shanghaien.ui.language import LANGUAGES, choose; from tools.manual import manual; "
        "print(json.dumps({code: choose(code) or manual() for code in LANGUAGES}))"
    )
    output = subprocess.run(
        [sys.executable, "-c", write],
        env=environment(tmp_path, PYTHONIOENCODING="utf-8"),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=True,
    ).stdout
    for code, written in json.loads(output).items():
        typed = set(re.findall(r"(?<![\w$])[A-Z]+(?![\w])", written))
        assert not typed & {"TEXT", "INTEGER", "FLOAT", "RANGE", "PATH", "FILENAME", "BOOLEAN"}, code
        assert "[default:" not in written, code
        if code != "en":
            assert not typed & {"ARGS", "COMMAND", "ADDRESS", "GAME", "PLACE", "SECONDS", "NUMBER", "VALUE"}, code


def test_the_language_is_the_one_asked_for_or_set_or_the_locales(tmp_path: Path) -> None:
    home = Home(tmp_path)
    locale = {"LC_ALL": "de_CH.UTF-8", VARIABLE: ""}
    assert spoken(shanghaien(tmp_path, "--help", **locale)) == {"de"}
    home.keep_settings(Settings(language="it"))
    assert spoken(shanghaien(tmp_path, "--help", **locale)) == {"it"}
    assert spoken(shanghaien(tmp_path, "--help", **{**locale, VARIABLE: "fr"})) == {"fr"}
    assert spoken(shanghaien(tmp_path, "--lang", "en", "--help", **{**locale, VARIABLE: "fr"})) == {"en"}
    home.settings_file.write_text("{")
    assert spoken(shanghaien(tmp_path, "--help", **locale)) == {"de"}
    assert spoken(shanghaien(tmp_path, "--help", **locale, LANGUAGE="sv:fr:it")) == {"fr"}
    assert spoken(shanghaien(tmp_path, "--help", **{**locale, VARIABLE: "it"}, LANGUAGE="fr")) == {"it"}


def test_a_language_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    refused = shanghaien(tmp_path, "--lang", "tlh", "games")
    assert refused.returncode == 2
    assert "'tlh'" in refused.stderr
    assert all(f"'{code}'" in refused.stderr for code in LANGUAGES)
    assert shanghaien(tmp_path, "--lang").returncode == 2


@sweep(
    "arguments, code",
    product([["--bad", "--lang={}"], ["--lang={}", "--bad"], ["--lang", "{}", "play", "--bad"]], LANGUAGES),
    every=5,
)
def test_an_error_is_in_the_language_wherever_in_the_line_it_is_named(
    tmp_path: Path, code: str, arguments: list[str]
) -> None:
    refused = shanghaien(tmp_path, *(argument.format(code) for argument in arguments))
    assert refused.returncode == 2
    assert refused.stderr.startswith(USAGE[code])
    helped = shanghaien(tmp_path, "--help", "--lang", code)
    assert spoken(helped) == {code}


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_tab_offers_is_explained_in_the_language(tmp_path: Path, code: str) -> None:
    def offered(*words: str) -> str:
        line = " ".join(("shanghaien", "--lang", code, *words))
        asked = {"_SHANGHAIEN_COMPLETE": "zsh_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
        return shanghaien(tmp_path, **asked).stdout

    choose(code)
    try:
        assert say("help_play") in offered("pla")
        assert say("help_option_no_bell") in offered("play", "--no-b")
        assert say("help_help") in offered("play", "--hel")
    finally:
        choose("en")


def test_help_made_before_does_not_keep_its_language() -> None:
    """Also what a library keeps from the first time on."""
    with click.Context(command, info_name="shanghaien", **command.context_settings) as context:
        play = command.get_command(context, "play")
        assert play is not None
        pages = []
        for code in (*LANGUAGES, "en"):
            choose(code)
            pages.append((command.get_help(context), play.get_help(click.Context(play, context, "play"))))
            for text in (say("help_help"), say("help_play"), say("help_option_no_bell"), say("metavar_seconds")):
                assert " ".join(text.split()) in " ".join(pages[-1][1].split())
    assert pages[0] == pages[-1]
    assert len(set(pages)) == len(LANGUAGES)


def test_what_follows_the_command_is_the_commands_own(tmp_path: Path) -> None:
    refused = shanghaien(tmp_path, "games", "--lang", "de")
    assert refused.returncode == 2
    assert "--lang" in refused.stderr
    assert refused.stderr.startswith("Usage:")


@sweep(
    "arguments, exit_code",
    [
        (["nonsense"], 2),
        (["verify"], 1),
        (["host", "--port", "x"], 2),
        (["host", "--port", "70000"], 2),
        (["host", "--port"], 2),
        (["host", "--tricks", "p9"], 2),
        (["play", "--player", "nobody"], 2),
        (["games", "more"], 2),
        (["join", "[::1"], 2),
        (["replay", "no-such-game"], 1),
        (["resume"], 1),
        (["export", str(LOG), "--move"], 2),
    ],
    every=4,
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_errors_are_in_the_language_and_exit_codes_are_not(
    tmp_path: Path, arguments: list[str], exit_code: int
) -> None:
    said = []
    for code in LANGUAGES:
        refused = shanghaien(tmp_path, "--lang", code, *arguments)
        assert refused.returncode == exit_code
        assert "Traceback" not in refused.stderr
        said.append(refused.stderr)
    assert len(set(said)) == len(LANGUAGES)


@pytest.mark.thorough
def test_records_and_json_are_the_same_in_every_language(tmp_path: Path, thorough: bool) -> None:
    for file in (LOG, RECORD) if thorough else (LOG,):
        for arguments in (["replay", "--json", file], ["export", file]):
            outputs = {shanghaien(tmp_path, "--lang", code, *arguments).stdout for code in LANGUAGES}
            assert len(outputs) == 1
            assert outputs != {""}
    events = shanghaien(tmp_path, "--lang", "de", "replay", "--json", LOG).stdout.splitlines()
    assert all(json.loads(event)["event"].isascii() for event in events)


@pytest.mark.thorough
@sweep("code", OTHERS, every=3)
def test_a_whole_game_is_told_in_the_language(tmp_path: Path, code: str) -> None:
    game = shanghaien(tmp_path, "--lang", code, "play", "--player", "random", "--name", "Ada")
    assert game.returncode == 0, game.stderr
    over = {"de": "Das Spiel ist aus", "fr": "La partie est finie", "it": "La partita è finita"}
    assert over[code] in game.stdout
    assert not any(word in game.stdout for word in (" placed ", " rolled ", " starts", " wins", " pile"))
    (log,) = (tmp_path / "games").glob("*-host.shlog")
    verdicts = [shanghaien(tmp_path, "--lang", each, "verify", log) for each in LANGUAGES]
    assert {verdict.returncode for verdict in verdicts} == {0}
    assert len({verdict.stdout for verdict in verdicts}) == len(LANGUAGES)


@sweep("code, encoding", product(OTHERS, ["ascii", "latin-1", "cp437"]), every=9)
def test_an_output_without_some_letters_has_others_in_their_place(tmp_path: Path, code: str, encoding: str) -> None:
    for arguments in (["rules"], ["replay", str(RECORD)]):
        result = subprocess.run(
            [*PROGRAM, "--lang", code, *arguments],
            env=environment(tmp_path, PYTHONIOENCODING=encoding, PYTHONUTF8="0"),
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        shown = result.stdout.decode(encoding)
        assert len(shown) > 1000
        assert "\\x" not in shown
        assert "\\u" not in shown


def test_the_tests_themselves_speak_english_whatever_the_machine_does() -> None:
    assert os.environ[VARIABLE] == "en"
