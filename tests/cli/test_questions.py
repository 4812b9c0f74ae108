"""Whole programs in plain mode: questions, leaving by any word, and calls to one's turn outside the terminal."""

import json
import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import PROGRAM, RANDOM, Running, experienced, logs, shanghaien
from tests.cli.test_command_input import WAITING, Two
from tests.cli.test_person import CHOICE, ESCAPES, Person
from tests.ui.terminal import Terminal

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

NOTE = "import os, sys; open(sys.argv[1], 'a').write(os.environ['SHANGHAIEN_OPPONENT'] + '|' + sys.argv[2] + '\\n')"


def noting(home: Path, *, fails: bool = False) -> Path:
    """Set a command for one's turn in `home` that notes each time down in a file; return the file."""
    notes = home / "notes.txt"
    home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", NOTE + ("; sys.exit(3)" if fails else ""), str(notes), "{opponent} at {game}"]
    (home / "settings.json").write_text(json.dumps({"on_turn": shlex.join(command)}))
    return notes


def noted(notes: Path, count: int) -> list[str]:
    """Return what has been noted, once it is as much as that; a moment later, if it is nothing."""
    end = time.monotonic() + (30 if count else 1)
    while time.monotonic() < end:
        if count and notes.exists() and len(notes.read_text().splitlines()) >= count:
            break
        time.sleep(0.05)
    return notes.read_text().splitlines() if notes.exists() else []


@pytest.fixture(params=["xterm-256color", pytest.param("dumb", marks=pytest.mark.thorough)])
def two(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Two]:
    pair = Two(tmp_path, request.param)
    yield pair
    pair.close()


def test_both_may_ask_and_the_game_is_as_it_was(two: Two) -> None:
    """At a terminal, in one's own turn and while the other thinks."""
    decides, waits = two.names
    for person, other in ((two.deciding, waits), (two.waiting, decides)):
        for line, told in (
            ("row", "The row, left to right: "),
            ("card 3", "number 3 from the left"),
            (f"crew {other[:3].lower()}", f"{other} has no sailors yet"),
            ("crew me", "You have no sailors yet"),
            ("score", "the score would be 0 for you and 0 for"),
            ("last", "Round 1: "),
            ("scroe", "Did you mean score"),
            ("table", "Round 1 of 8; "),
            ("help", "say TEXT sends"),
        ):
            person.type(line)
            person.expect(told)
    two.waiting.type("moves")
    two.waiting.expect("no choice to make now")
    two.deciding.type("roll")
    two.deciding.expect("You rolled")
    two.waiting.expect(f"{decides} rolled")
    two.waiting.type("exit")
    two.waiting.expect("saved")
    assert two.waiting.exit_code() == 5
    two.deciding.expect("left the table")
    two.deciding.type("quit")
    assert two.deciding.exit_code() == 5
    (ours,), (theirs,) = map(logs, two.homes)
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify(ours.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_questions_and_leaving_at_a_terminal(tmp_path: Path, term: str) -> None:
    person = Person(tmp_path, "play", "--game", "halunken", "--against", "random", term=term)
    person.expect(CHOICE)
    for line, told in (("ring", "not on a space"), ("space 5", "Space 5: "), ("cards", "Black Jack: cards 1 2 3")):
        person.type(line)
        person.expect(told)
        person.expect(CHOICE)
    person.type("quit")
    person.expect("saved")
    assert person.exit_code() == 5


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_questions_in_other_languages_from_a_pipe(tmp_path: Path, language: str) -> None:
    lines = {
        "de": ("kneipe", "karte 3", "mannschaft ich", "stand", "zuletzt", "züge", "tisch", "hilfe", "beenden"),
        "fr": ("taverne", "carte 3", "équipage moi", "score", "dernier", "coups", "table", "aide", "quitter"),
        "it": ("taverna", "carta 3", "ciurma io", "punti", "ultimo", "mosse", "tavolo", "aiuto", "esci"),
    }[language]
    done = shanghaien(tmp_path, "--lang", language, "play", stdin="\n".join([*lines, "roll"]))
    assert done.returncode == 5
    assert done.stderr == ""
    told = {
        "de": ("von links nach rechts", "Nummer 3", "Du hast noch keine Matrosen", "stünde es 0 für dich"),
        "fr": ("de gauche à droite", "uméro 3", "avez pas encore de marins", "de 0 pour vous"),
        "it": ("da sinistra a destra", "umero 3", "Non hai ancora marinai", "sarebbe 0 per te"),
    }[language]
    text = " ".join(done.stdout.split())
    for words in told:
        assert words in text
    assert "question_" not in text


@pytest.mark.thorough
def test_a_replay_is_asked_and_left_in_the_same_way(tmp_path: Path) -> None:
    played = shanghaien(tmp_path, "play", "--player", "random", "--against", "random")
    assert played.returncode == 0
    log = next(log for log in logs(tmp_path) if shanghaien(tmp_path, "verify", log).returncode == 0)
    notes = noting(tmp_path)
    person = Person(tmp_path, "replay", str(log))
    person.expect("Step 1 of")
    for line, told in (
        ("row", "The row, left to right"),
        ("crew comp", "no sailors yet"),
        ("lsat", "Did you mean last"),
    ):
        person.type(line)
        person.expect(told)
        person.expect("Step 1 of")
    person.type("exit")
    assert person.exit_code() == 0
    assert noted(notes, 0) == [], "nobody is called in a replay"


# Calls


def test_each_turn_against_a_person_calls_and_the_name_is_data(tmp_path: Path) -> None:
    notes = noting(tmp_path / "here")
    host = Person(tmp_path / "here", "host", "--bind", "127.0.0.1", "--port", "0", "--name", "Hanna")
    port = host.find(r"shanghaien join '?127\.0\.0\.1:(\d+)")
    evil = "-x $(touch pwned) {game}"
    guest = Person(tmp_path / "there", "join", f"127.0.0.1:{port}", "--name", evil, "--no-bell")
    host.expect("Play with")
    host.type("y")
    guest.expect("Play\\?")
    guest.type("y")
    if host.expect(CHOICE, WAITING):
        guest.expect(CHOICE)
        guest.type("roll")
        guest.expect("You rolled")
        guest.expect(CHOICE)
        guest.type("1")
        host.expect(CHOICE)
    host.expect_sent("\x07")
    (line,) = noted(notes, 1)
    name, _, argument = line.partition("|")
    assert "-x $(touch" in name
    assert not argument.startswith("-")
    assert not set(argument) & set("$()")
    assert argument.endswith(" at Shanghaien")
    host.type("roll")
    host.expect("You rolled")
    assert len(noted(notes, 1)) == 1, "the same turn"
    for person in (host, guest):
        person.child.close(force=True)


def test_no_bell_is_silent_and_a_computer_that_answers_at_once_calls_nobody(tmp_path: Path) -> None:
    notes = noting(tmp_path)
    person = Person(tmp_path, "play", "--against", "random", term="xterm-kitty")
    for _ in range(3):
        person.expect("\\[roll\\]")
        person.type("roll")
        person.expect("You rolled")
        person.expect(CHOICE)
        person.type("1")
    person.child.close(force=True)
    text = person.child.before or ""
    assert "\x07" not in text
    assert "\x1b]9;" not in text
    assert noted(notes, 0) == []


@pytest.mark.parametrize(("term", "rings"), [("xterm-kitty", True), ("xterm-256color", True), ("silent", False)])
def test_the_bell_and_the_notification_call_against_a_person(tmp_path: Path, term: str, rings: bool) -> None:
    options = () if rings else ("--no-bell",)
    term = "xterm-kitty" if term == "silent" else term
    host = Person(
        tmp_path / "here", "host", "--bind", "127.0.0.1", "--port", "0", "--name", "Hanna", *options, term=term
    )
    port = host.find(r"shanghaien join '?127\.0\.0\.1:(\d+)")
    guest = Person(tmp_path / "there", "join", f"127.0.0.1:{port}", "--name", "Gustav", "--player", "random")
    host.expect("Play with")
    host.type("y")
    host.expect(CHOICE)
    calls = {"\x07": rings, "\x1b]9;Shanghaien: it is your turn": rings and term == "xterm-kitty"}
    for call in (call for call, is_made in calls.items() if is_made):
        host.expect_sent(call)
    host.type("roll")
    host.expect("You rolled")
    for call in (call for call, is_made in calls.items() if not is_made):
        assert not host.was_sent(call)
    for person in (host, guest):
        person.child.close(force=True)


@pytest.mark.thorough
def test_a_command_that_fails_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    notes = noting(tmp_path / "here", fails=True)
    host = Person(tmp_path / "here", "host", "--bind", "127.0.0.1", "--port", "0", "--name", "Hanna")
    port = host.find(r"shanghaien join '?127\.0\.0\.1:(\d+)")
    guest = Person(tmp_path / "there", "join", f"127.0.0.1:{port}", "--name", "Gustav", "--no-bell")
    host.expect("Play with")
    host.type("y")
    guest.expect("Play\\?")
    guest.type("y")
    people = [host, guest] if host.expect(CHOICE, WAITING) == 0 else [guest, host]
    seen, turns = "", int(people[0] is host)
    for turn in range(5):
        person = people[turn % 2]
        if turn:
            person.expect("It is your turn")
            turns += person is host
        if person is host:
            assert len(noted(notes, turns)) == turns
        # who has just decided is not called
        time.sleep(1.1)
        person.type("roll")
        person.expect("You rolled")
        if person is host:
            seen += ESCAPES.sub("", host.child.before or "")
        person.expect(CHOICE)
        person.type("1")
        person.expect("You placed")
        if person is host:
            seen += ESCAPES.sub("", host.child.before or "")
    assert " ".join(seen.split()).count("ended with exit status 3") == 1
    for each in people:
        each.child.close(force=True)


@pytest.mark.parametrize("term", ["xterm-kitty", "xterm-256color"])
def test_the_full_screen_calls_as_well(tmp_path: Path, term: str) -> None:
    home = experienced(tmp_path / "here")
    notes = noting(home)
    host = "host --bind 127.0.0.1 --port 0 --no-announce --game shanghaien --name Hanna"
    with Terminal(host, program=PROGRAM, TERM=term, SHANGHAIEN_HOME=str(home), TERM_PROGRAM="") as terminal:
        text = terminal.until(lambda text: re.search(r"127\.0\.0\.1:\d+", text))
        found = re.search(r"127\.0\.0\.1:(\d+)", text)
        assert found
        with Running(tmp_path / "there", "join", f"127.0.0.1:{found[1]}", "--name", "Gustav", *RANDOM):
            terminal.until(lambda text: "Play with Gustav?" in text)
            terminal.type("y")
            (line,) = noted(notes, 1)
            assert line == "Gustav|Gustav at Shanghaien"
            terminal.until(lambda text: "Round 1 of 8" in text)
            sent = "\a" + ("\x1b]9;Shanghaien: it is your turn against Gustav.\x1b\\" if term == "xterm-kitty" else "")
            assert sent in terminal.raw
            assert ("\x1b]9;" in terminal.raw) is (term == "xterm-kitty")


@pytest.mark.parametrize("value", ['"\'open"', '""', "7", '["true"]', '"{opponent}"'])
def test_a_bad_command_is_named_as_any_other_bad_setting(tmp_path: Path, value: str) -> None:
    (tmp_path / "settings.json").write_text(f'{{"on_turn": {value}}}')
    done = shanghaien(tmp_path, "play", stdin="quit\n")
    assert done.returncode == 5
    assert done.stderr.count("on_turn cannot be") == 1
    assert "Traceback" not in done.stderr
