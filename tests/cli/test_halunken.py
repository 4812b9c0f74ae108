"""Halunken & Spelunken between two whole programs, and at one by itself."""

import json
import re
from pathlib import Path

import pexpect
import pytest

from tests.cli.program import RANDOM, Host, check_finished, logs, shanghaien
from tests.cli.test_person import CHOICE, ESCAPES, Person

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

GAME = ("--game", "halunken")


@pytest.mark.parametrize("options", [(), pytest.param(("--hands", "3", "--theft", "may"), marks=pytest.mark.thorough)])
def test_a_game_between_two_programs(tmp_path: Path, options: tuple[str, ...]) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, *GAME, *options, *RANDOM, "--name", "Hanna") as host:
        guest = shanghaien(there, "join", host.address, *RANDOM, "--name", "Gustav")
        assert host.exit_code() == guest.returncode == 0, host.output + guest.stdout + guest.stderr
    check_finished(here, there)
    hands = 3 if options else 1
    for output, own, other in ((host.output, "Hanna", "Gustav"), (guest.stdout, "Gustav", "Hanna")):
        text = " ".join(output.split())
        assert f"Halunken & Spelunken (blackjack on, hands {hands}" in text
        assert text.count("The cards are shown: you ") == 8 * hands
        assert f"you are {own} and play against {other}" in text
    assert " ".join(guest.stdout.split()).count("Hanna has chosen in secret.") == 8 * hands
    (log,) = logs(here)
    replayed = shanghaien(here, "replay", "--plain", log)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    events = [json.loads(line) for line in shanghaien(here, "replay", "--json", log).stdout.splitlines()]
    near, far = events[-1]["scores"]
    assert f"The game is over, {near} to {far}: " in replayed.stdout
    record = shanghaien(here, "export", log).stdout
    assert record.startswith('[Game "halunken"]\n')
    assert record.count("/") == 8 * hands


def test_a_secret_choice_does_not_show(tmp_path: Path) -> None:
    host = Person(tmp_path / "here", "host", *GAME, "--blackjack", "off", "--bind", "127.0.0.1", "--port", "0")
    port = host.find(r"shanghaien join '?127\.0\.0\.1:(\d+)")
    guest = Person(tmp_path / "there", "join", f"127.0.0.1:{port}", "--name", "Gustav")
    host.expect("Play with")
    host.type("y")
    guest.expect("Play\\?")
    guest.type("y")
    # whoever goes first was drawn; then the other puts a captain on another space
    first, second = (host, guest) if is_asked(host, guest) else (guest, host)
    first.type("3")
    second.expect(CHOICE)
    second.type("9")
    host.expect("both choose in secret")
    host.expect(CHOICE)
    host.type("5")
    host.expect("Your choice stays secret until Gustav has chosen")
    guest.expect("has chosen in secret")
    guest.expect("both choose in secret")
    guest.expect("1\\. to ")
    seen = ESCAPES.sub("", guest.child.before or "")
    assert seen.count("cards 1 2 3 4 5 6 7 rum;") == 2, "those of both are complete, as before"
    assert "shows" not in seen
    guest.type("6")
    for person, words in ((host, "you 5, Gustav 6"), (guest, r"you 6, \S+ 5")):
        person.expect(f"The cards are shown: {words}")
        person.child.close(force=True)


def is_asked(host: Person, guest: Person) -> bool:
    """Return whether it is the host who is asked first, and not the guest."""
    while True:
        for person in (host, guest):
            if person.child.expect([CHOICE, pexpect.TIMEOUT], timeout=0.2) == 0:
                return person is host


def test_a_person_plays_a_whole_hand_by_what_stands_before_the_choices(tmp_path: Path) -> None:
    """By the first choice of a list, and where there is none, by a space or a pair of cards."""
    person = Person(tmp_path, "play", *GAME, "--against", "random", "--name", "Ada")
    decisions = taken = 0
    while (found := person.child.expect([CHOICE, "Another game", pexpect.TIMEOUT], timeout=10)) != 1:
        if found:
            person.type("")  # news came above the question while it was answered: it is asked again
            continue
        shown = ESCAPES.sub("", person.child.before or "")
        if "is taken: a captain stands there" in shown:
            taken += 1
            person.type(str(2 + taken))
            person.expect("\n")
            continue
        listed = re.findall(r"^ *(\w+)\. \S", shown, re.MULTILINE)
        if not listed and "type its number" not in shown and "with a plus" not in shown:
            continue  # the prompt drawn once more, with what was typed
        decisions += 1
        if listed:
            person.type(listed[0])
        elif "with a plus" in shown:
            own, his = (re.findall(r"\[(\w)\]", part)[0] for part in shown.split("Your cards")[-1].split("His cards"))
            person.type(f"{own}+{his}")
        else:
            person.type(str(1 + decisions % 2))
        person.expect("\n")
    person.type("n")
    assert person.exit_code() == 0
    assert decisions >= 10
    for log in logs(tmp_path):
        assert "COMPLETE" in shanghaien(tmp_path, "verify", log).stdout


def test_rules_and_mistyped_options(tmp_path: Path) -> None:
    rules = shanghaien(tmp_path, "rules", "halunken")
    assert rules.stdout.startswith("HALUNKEN & SPELUNKEN\n")
    wrong = shanghaien(tmp_path, "play", *GAME, "--theft", "take")
    assert wrong.returncode == 2
    assert 'There is no theft "take". Known: takes, may. Did you mean takes?' in wrong.stderr
    foreign = shanghaien(tmp_path, "play", *GAME, "--tricks", "p3,b3,r2")
    assert foreign.returncode == 2
    assert "Halunken & Spelunken" in foreign.stderr
