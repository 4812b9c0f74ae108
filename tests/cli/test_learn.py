"""`shanghaien learn`: whole lessons in a pipe and at terminals, leaving, going on, and the offer of a lesson."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

from p2p_shanghaien.app.learning import lesson_of, taught
from tests.cli.program import PROGRAM, Running, environment, logs, shanghaien
from tests.cli.test_person import Person
from tests.cli.tmux import CHOOSE
from tests.sweeps import sweep
from tests.toy import INSTALLED
from tests.ui.terminal import ROOT, Terminal

LESSONS = taught()
OFFER = "You have no games yet."
SENTENCE = "shanghaien learn shanghaien teaches it"
FIRST = "Step 1 of"
HERE = ("--bind", "127.0.0.1", "--port", "0", "--no-announce")


def answers(game: str, first: int = 0, until: int | None = None) -> str:
    """Return what a learner types who does what the lesson says, from a note on."""
    script = lesson_of(game)
    typed = (script.wanted(number) or "" for number in range(first, until or len(script)))
    return "".join(f"{line}\n" for line in typed)


def unfolded(text: str) -> str:
    """Return a text without its line ends."""
    return " ".join(text.split())


def progress(home: Path) -> object:
    return json.loads((home / "lessons.json").read_text())["lessons"]


@pytest.mark.parametrize("game", LESSONS)
def test_a_whole_lesson_in_a_pipe(tmp_path: Path, game: str) -> None:
    count = len(lesson_of(game))
    done = shanghaien(tmp_path, "learn", game, stdin=answers(game))
    assert (done.returncode, done.stderr) == (0, "")
    steps = re.findall(rf"^--- Step (\d+) of {count} ---$", done.stdout, re.MULTILINE)
    assert [*map(int, steps)] == [*range(1, count + 1)]
    assert f"shanghaien play --game {game}" in done.stdout
    assert progress(tmp_path) == {game: [count, count]}
    assert logs(tmp_path) == []
    # what is finished begins again
    assert FIRST in shanghaien(tmp_path, "learn", game).stdout


@pytest.mark.parametrize("language", ["de", "fr", "it"])
def test_a_lesson_is_in_the_language_of_the_program(tmp_path: Path, language: str) -> None:
    done = shanghaien(tmp_path, "--lang", language, "learn", "shanghaien", stdin=answers("shanghaien"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Two captains" not in done.stdout
    assert "lesson_" not in done.stdout


def test_a_mistake_is_explained_and_taken_back(tmp_path: Path) -> None:
    typed = answers("shanghaien", until=3) + "-5<\n\n" + answers("shanghaien", 3)
    done = shanghaien(tmp_path, "learn", "shanghaien", stdin=typed)
    assert done.returncode == 0
    told = unfolded(done.stdout)
    wrong = told.index("You placed the 5 on Xr (roll again): number 1 is at the left end.")
    why = told.index("This time put number 1 at the right.", wrong)
    back = told.index("Enter takes it back", why)
    again = told.index("--- Step 4 of", back)
    assert told.index("You placed the 5 on Xp (die +/-1): number 1 is at the right end.") > again
    assert progress(tmp_path) == {"shanghaien": [len(lesson_of("shanghaien"))] * 2}


def test_what_can_be_typed_besides(tmp_path: Path) -> None:
    typed = "?\nagain\nrules\nhint\n5\n\n" + answers("shanghaien", 1, 2) + "nonsense\n?\nagain\n"
    told = unfolded(shanghaien(tmp_path, "learn", "shanghaien", stdin=typed).stdout)
    assert "This is a lesson." in told
    assert told.count(FIRST) == 3
    assert "SHANGHAIEN" in told
    assert told.count("There is nothing to choose here; press Enter.") == 1
    assert told.count("Do what the line with the arrow says;") == 2
    assert told.count("Step 3 of") == 2
    assert '"nonsense" is not one of the choices' in told
    assert "between two people" not in told


def test_a_lesson_goes_on_where_it_was_left(tmp_path: Path) -> None:
    left = shanghaien(tmp_path, "learn", "shanghaien", stdin=answers("shanghaien", until=6))
    assert left.returncode == 0
    assert "Your lesson is saved. Continue it with: shanghaien learn shanghaien" in left.stdout
    assert "Traceback" not in left.stderr
    on = shanghaien(tmp_path, "learn", stdin=answers("shanghaien", 6))
    assert on.returncode == 0
    assert "goes on where you left it" in on.stdout
    assert re.findall(r"^--- Step (\d+)", on.stdout, re.MULTILINE)[0] == "7"
    assert "You know the rules now." in on.stdout


def test_again_starts_over(tmp_path: Path) -> None:
    shanghaien(tmp_path, "learn", "shanghaien", stdin=answers("shanghaien", until=6))
    assert FIRST in shanghaien(tmp_path, "learn", "shanghaien", "--again").stdout
    assert progress(tmp_path) == {"shanghaien": [0, len(lesson_of("shanghaien"))]}


def test_a_lesson_of_another_length_starts_over(tmp_path: Path) -> None:
    (tmp_path / "lessons.json").write_text('{"lessons": {"shanghaien": [5, 6]}}')
    assert FIRST in shanghaien(tmp_path, "learn", "shanghaien").stdout


@sweep(
    "content",
    [
        *(b"", b"[]", b"{", b"\xff", b"null", b"[" * 100_000, b"1" * 5000),
        *(b'{"lessons": 1}', b'{"lessons": {"shanghaien": [1]}}', b'{"lessons": {"shanghaien": [-1, 2]}}'),
        *(b'{"lessons": {"shanghaien": [3, 2]}}', b'{"lessons": {"shanghaien": ["1", 2]}}'),
        *(b'{"lessons": {"shanghaien": [true, 2]}}', b'{"lessons": {"shanghaien": null}}'),
    ],
    every=5,
    ids=lambda content: content[:30].decode("latin-1"),
)
def test_a_damaged_file_costs_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "lessons.json"
    path.write_bytes(content)
    done = shanghaien(tmp_path, "learn", "shanghaien", stdin=answers("shanghaien", until=2))
    assert done.returncode == 0
    assert FIRST in done.stdout
    assert len(done.stderr.strip().splitlines()) == 1
    assert re.search("(cannot be|not) read", done.stderr)
    assert progress(tmp_path) == {"shanghaien": [2, len(lesson_of("shanghaien"))]}
    again = shanghaien(tmp_path, "learn", "shanghaien")
    assert again.stderr == ""
    assert "Step 3 of" in again.stdout


@pytest.mark.skipif(os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes anywhere")
def test_progress_that_cannot_be_kept_costs_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = shanghaien(tmp_path, "learn", "shanghaien", stdin=answers("shanghaien"))
    tmp_path.chmod(0o700)
    assert done.returncode == 0
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_file_in_the_place_of_the_home_costs_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    done = shanghaien(tmp_path / "home", "learn", "shanghaien", stdin="\n\n")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 2


def test_an_unknown_game_is_named(tmp_path: Path) -> None:
    done = shanghaien(tmp_path, "learn", "shanghaein")
    assert done.returncode == 2
    assert "Did you mean" in done.stderr or "shanghaien" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_game_without_a_lesson_says_which_games_have_one(tmp_path: Path) -> None:
    done = shanghaien(tmp_path, "learn", "toy", PYTHONPATH=os.pathsep.join(map(str, (INSTALLED, ROOT))))
    assert done.returncode == 2
    assert "Toy has no lesson. Games that have one:" in done.stderr
    assert "shanghaien" in done.stderr


def test_games_with_a_lesson_are_completed(tmp_path: Path) -> None:
    done = shanghaien(
        tmp_path,
        _SHANGHAIEN_COMPLETE="bash_complete",
        COMP_WORDS="shanghaien learn ",
        COMP_CWORD="2",
        PYTHONPATH=os.pathsep.join(map(str, (INSTALLED, ROOT))),
    )
    assert {line.partition(",")[2] for line in done.stdout.split()} == set(LESSONS)


# At terminals.


def test_a_person_learns_in_plain_mode_and_leaves_with_ctrl_c(tmp_path: Path) -> None:
    person = Person(tmp_path, "learn", "shanghaien")
    person.expect(FIRST)
    person.expect("Enter goes on")
    person.type("")
    person.expect("Step 2 of")
    person.expect("Enter goes on")
    person.child.send("\x03")
    person.expect("Your lesson is saved")
    assert person.exit_code() == 0
    assert progress(tmp_path) == {"shanghaien": [1, len(lesson_of("shanghaien"))]}


def window(tmp_path: Path, *arguments: str, **settings: object) -> Terminal:
    """Start the program in a terminal, in a home without games that nothing was offered in."""
    tmp_path.mkdir(exist_ok=True)
    usual = {"speed": "off", "bell": False, "game": "shanghaien"}
    (tmp_path / "settings.json").write_text(json.dumps({**usual, **settings}))
    return Terminal("", program=(*PROGRAM, *arguments), **environment(tmp_path, TERM="xterm-256color"))


@pytest.mark.thorough
def test_a_mistake_at_the_full_screen(tmp_path: Path) -> None:
    with window(tmp_path, "learn") as terminal:
        terminal.until(FIRST)
        terminal.type("\r")
        terminal.until("Step 2 of")
        terminal.type("\r")
        terminal.until("Step 3 of", CHOOSE)
        terminal.type("r\r")
        terminal.until("Step 4 of", "rolled 2 and 5", CHOOSE)
        terminal.type("5")
        terminal.until("number 1 left - [Enter]")
        terminal.type("\r")
        screen = terminal.until("[Enter] takes it back")
        assert "This time put number 1" in screen
        terminal.type("\r")
        terminal.until("Step 4 of", "> Place the 5", CHOOSE)
        terminal.type("q")
        terminal.until("Leave the lesson?")
        terminal.type("y")
        assert "Your lesson is saved. Continue it with: shanghaien learn shanghaien" in terminal.finish(0)
        assert terminal.is_plain()
    with window(tmp_path, "learn") as terminal:
        terminal.until("Step 4 of", "> Place the 5", CHOOSE)
        terminal.type("\x03")
        assert "Your lesson is saved." in terminal.finish(0)


def test_learn_asks_which_game_where_the_settings_name_none(tmp_path: Path) -> None:
    if len(LESSONS) < 2:
        pytest.skip("there is one lesson only")
    with window(tmp_path, "learn", game=None) as terminal:
        terminal.until("Which game?", "> 1 Shanghaien")
        terminal.type("\x1b[B\r")
        terminal.until(FIRST, " Halunken & Spelunken · ")
        terminal.type("\x03")
        terminal.finish(0)


def pick_lesson(terminal: Terminal) -> None:
    """Choose to learn Shanghaien before a game is picked."""
    found = re.search(r"(\d) Learn Shanghaien first", terminal.until("Which game?", "Learn Shanghaien first"))
    assert found
    terminal.type(f"{found[1]}\r")


def test_a_game_can_be_learned_where_one_is_picked(tmp_path: Path) -> None:
    """Whoever leaves the lesson leaves; at its end a game is picked after all, and the lesson is not offered again."""
    with window(tmp_path, "play", game=None) as terminal:
        pick_lesson(terminal)
        terminal.until(FIRST)
        terminal.type("\x03")
        assert "Your lesson is saved." in terminal.finish(0)
    count = len(lesson_of("shanghaien"))
    (tmp_path / "lessons.json").write_text(json.dumps({"lessons": {"shanghaien": [count - 1, count]}}))
    with window(tmp_path, "play", game=None) as terminal:
        pick_lesson(terminal)
        terminal.until(f"Step {count} of {count}")
        terminal.type("\r")
        terminal.until("[Enter] leaves the table", "You know the rules now.")
        terminal.type("\r")
        terminal.until("Which game?", "> 1 Shanghaien")
        terminal.type("q")
        assert OFFER not in terminal.raw
        terminal.finish(1)
    assert logs(tmp_path) == []


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP, None])
def test_a_lesson_that_is_asked_to_end_is_kept(tmp_path: Path, end: signal.Signals | None) -> None:
    with window(tmp_path, "learn") as terminal:
        terminal.until(FIRST)
        terminal.type("\r")
        terminal.until("Step 2 of")
        if end:
            os.kill(terminal.pid, end)
            assert "Traceback" not in terminal.finish(0)
        else:
            terminal.vanish()
            assert terminal.status(15) == 0
    assert progress(tmp_path) == {"shanghaien": [1, len(lesson_of("shanghaien"))]}


# The offer.


@pytest.mark.enable_socket
@pytest.mark.sockets
@pytest.mark.parametrize("command", [("play",), ("host", *HERE)])
def test_the_first_game_offers_a_lesson_once(tmp_path: Path, command: tuple[str, ...]) -> None:
    with window(tmp_path, *command) as terminal:
        terminal.until(OFFER, "Learn Shanghaien first")
        terminal.type("n")
        terminal.until(CHOOSE if command == ("play",) else "aiting for a guest")
        terminal.type("\x03")
        terminal.finish(5 if command == ("play",) else 1)
    with window(tmp_path, *command) as terminal:
        terminal.until(CHOOSE if command == ("play",) else "aiting for a guest")
        assert OFFER not in terminal.raw
        terminal.type("\x03")
        terminal.finish(5 if command == ("play",) else 1)


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_lesson_that_is_wanted_comes_first(tmp_path: Path) -> None:
    count = len(lesson_of("shanghaien"))
    (tmp_path / "lessons.json").write_text("{}")
    with window(tmp_path, "play") as terminal:
        terminal.until(OFFER)
        terminal.type("y")
        terminal.until(FIRST)
        terminal.type("\x03")
        assert "Your lesson is saved." in terminal.finish(0)
    assert logs(tmp_path) == []
    assert progress(tmp_path) == {"shanghaien": [0, count]}


@pytest.mark.parametrize("keys", ["\x03"])
def test_an_offer_that_is_not_answered_is_made_again(tmp_path: Path, keys: str) -> None:
    for _ in range(2):
        with window(tmp_path, "play") as terminal:
            terminal.until(OFFER)
            terminal.type(keys)
            assert "You have left the table." in terminal.finish(1)
    assert logs(tmp_path) == []


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_whoever_has_games_is_offered_nothing(tmp_path: Path) -> None:
    shanghaien(tmp_path, "play", "--player", "random", "--game", "shanghaien")
    assert logs(tmp_path)
    assert not (tmp_path / "lessons.json").exists()
    with window(tmp_path, "play") as terminal:
        terminal.until(CHOOSE)
        assert OFFER not in terminal.raw
        terminal.type("\x03")
        terminal.finish(5)


@pytest.mark.enable_socket
@pytest.mark.sockets
def test_plain_mode_says_one_sentence_once_and_asks_nothing(tmp_path: Path) -> None:
    for expected in (True, False):
        home = tmp_path
        person = Person(home, "play", "--name", "Ada")
        person.expect("Your choice")
        before = re.sub(r"\s+", " ", person.child.before or "")
        assert (SENTENCE in before) == expected
        person.child.sendeof()
        person.exit_code()


@pytest.mark.enable_socket
@pytest.mark.sockets
@pytest.mark.parametrize("command", [("play", "--against", "random"), ("host", *HERE)])
def test_without_a_terminal_nothing_is_offered(tmp_path: Path, command: tuple[str, ...]) -> None:
    with Running(tmp_path, *command) as running:
        running.wait_for("Your choice|aiting for a guest")
        assert SENTENCE not in running.output
    assert not (tmp_path / "lessons.json").exists()


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_join_offers_too_and_a_computer_player_is_offered_nothing(tmp_path: Path) -> None:
    with window(tmp_path, "join", "127.0.0.1:1") as terminal:
        terminal.until(OFFER)
        terminal.type("n")
        terminal.finish(4)
    with window(tmp_path / "other", "play", "--player", "random", "--against", "random") as terminal:
        terminal.finish(0)
        assert OFFER not in terminal.raw
