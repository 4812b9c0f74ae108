"""A person at a terminal, seen from outside: what the keys do and what stands on the screen."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from operator import ne

import pytest

from tests.ui.terminal import Terminal

ASKING = "Your choice (1-4, ? for help):"
TERMS = ["xterm-256color", "dumb"]
"""A terminal as they are, and one that cannot move its cursor."""
WAITING = "Waiting for Ben (say, resign, offer, leave; ? for help):"


@contextmanager
def asked(scene: str = "decide", **environment: str) -> Iterator[Terminal]:
    """The terminal of a scene that has come to the question."""
    with Terminal(scene, **environment) as terminal:
        terminal.until(ASKING)
        yield terminal


def choose(terminal: Terminal, keys: str, action: str) -> None:
    """Type an answer that means `action`, which ends the scene."""
    terminal.type(keys)
    assert f"chosen: {action}" in terminal.finish()


def test_deciding_by_number() -> None:
    with Terminal("decide") as terminal:
        screen = terminal.until(ASKING)
        assert "rolled 2 and 5" in screen
        assert " 3. place 5 on A3, number 1 left [-5<]" in screen
        assert screen.startswith("Shanghaien")
        choose(terminal, "3\r", "-5<")
        assert terminal.echoes


def test_deciding_by_notation_after_mistakes_and_help() -> None:
    with asked() as terminal:
        terminal.type("nonsense\r")
        terminal.until('"nonsense" is not one of the choices')
        terminal.type("7\r")
        terminal.until("There is no choice 7")
        terminal.type("?\r")
        terminal.until("Tab completes")
        choose(terminal, "-2>\r", "-2>")


def test_nothing_is_drawn_over_but_the_line_that_is_typed() -> None:
    """For a screen reader: the cursor never goes up, nor to a place of its own, and nothing is drawn with lines."""
    with asked() as terminal:
        for answer, shown in (("nonsense", "not one of the choices"), ("?", "Tab completes")):
            terminal.type(f"{answer}\r")
            terminal.until(shown)
        choose(terminal, "3\r", "-5<")
        moves = re.findall(r"\x1b\[[0-9;?]*([A-Za-ln-z])", terminal.raw)
        assert set(moves) <= set("CDJKhl")
        assert "\x1b[2J" not in terminal.raw
        assert "\x1b[?1049" not in terminal.raw
        assert not re.search("[\u2500-\u259f]", terminal.raw)


def test_completion_lists_what_is_legal_and_completes_it() -> None:
    with asked() as terminal:
        terminal.type("\t")
        _, listed, _ = terminal.until(lambda text: text.count(ASKING) == 2).split(ASKING)
        words = ["-2<", "-2>", "-5<", "-5>", "?", "help", "quit", "exit", "rules"]
        assert sorted(listed.split()) == sorted([*words, "row", "card", "crew", "score", "last", "moves", "table"])
        terminal.type("ru\t\r")
        terminal.until("leaves the table; the game is saved")
        terminal.type("-5\t")
        terminal.until(lambda text: "-5< -5>" in text)
        choose(terminal, ">\r", "-5>")


def leave(terminal: Terminal, how: str) -> None:
    """Leave, be it by what is typed or, in the middle of a line, by Ctrl-C."""
    if how == "interrupt":
        terminal.type("-5")
        terminal.interrupt()
    else:
        terminal.type("\x04" if how == "end of input" else "leave\r")
    assert "chosen: to leave" in terminal.finish()
    assert "Traceback" not in terminal.raw
    assert terminal.echoes


@pytest.mark.parametrize("how", ["end of input", "interrupt"])
@pytest.mark.parametrize("term", TERMS)
def test_leaving(how: str, term: str) -> None:
    with asked(TERM=term) as terminal:
        leave(terminal, how)


@pytest.mark.thorough
def test_what_is_half_typed_survives_news() -> None:
    with asked("news") as terminal:
        terminal.type("-5")
        terminal.until("news: 5")
        screen = terminal.until(lambda text: "news: 9" in text and text.endswith(f"{ASKING} -5")).splitlines()
        assert screen[-2].startswith("| news: ")
        terminal.type("<\r")
        screen = terminal.finish().splitlines()
        assert "| chosen: -5<" in screen
        news = [int(line.split()[2]) for line in screen if line.startswith("| news: ")]
        assert news == list(range(news[0], news[0] + len(news)))


def test_a_lost_connection_takes_the_prompt_away_and_leaves_the_terminal_as_it_was() -> None:
    with asked("hung_up") as terminal:
        terminal.type("-5")
        terminal.until("The connection was lost.")
        terminal.until("yes or no:")
        terminal.type("yes\r")
        assert "again: True" in terminal.finish()
        assert terminal.echoes


@pytest.mark.thorough
@pytest.mark.parametrize("term", TERMS)
def test_impatient_keys_do_not_move(term: str) -> None:
    with Terminal("busy", TERM=term) as terminal:
        terminal.until("Waiting")
        terminal.type("1\r1\r")
        terminal.until(ASKING)
        choose(terminal, "4\r", "-5>")


def test_talking_while_the_other_side_thinks() -> None:
    with Terminal("talking 60") as terminal:
        terminal.until(WAITING)
        terminal.type("say hel\t lo\r")
        terminal.until("said Chat: hel lo")
        terminal.type("1\r")
        terminal.until("It is not your turn")
        terminal.type("of\t\r")
        terminal.until("said Offer:")
        terminal.type("resign\r")
        terminal.until("Resign this game? y/n:")
        terminal.type("y\r")
        terminal.until("said Resign:")
        terminal.type("leave\r")
        assert "chosen: to leave" in terminal.finish()
        assert terminal.echoes


@pytest.mark.thorough
def test_a_half_typed_remark_survives_the_change_of_turns() -> None:
    with Terminal("talking 3") as terminal:
        terminal.until(WAITING)
        terminal.type("say 1")
        # the prompt may change a moment before the table above it is there
        last_choice = " 4. place 5 on A1, number 1 right [-5>]"
        screen = terminal.until(lambda text: text.endswith(f"{last_choice}\n{ASKING} say 1"))
        assert WAITING not in screen, "one prompt, and it has changed"
        terminal.type("23\r")
        terminal.until("said Chat: 123")
        terminal.type("4\r")
        screen = terminal.finish()
        assert "chosen: -5>" in screen
        assert WAITING not in screen, "nor is a prompt left that nobody has answered"


@pytest.mark.thorough
def test_a_half_typed_answer_does_not() -> None:
    with Terminal("talking 3") as terminal:
        terminal.until(WAITING)
        terminal.type("1")
        terminal.until(f"{WAITING} 1")
        terminal.until(lambda text: text.endswith(ASKING))
        choose(terminal, "\r4\r", "-5>")


@pytest.mark.parametrize("how", ["end of input", "interrupt", "leave"])
@pytest.mark.parametrize("term", TERMS)
def test_leaving_while_the_other_side_thinks(how: str, term: str) -> None:
    with Terminal("talking 60", TERM=term) as terminal:
        terminal.until(WAITING)
        leave(terminal, how)


@pytest.mark.thorough
def test_talking_on_a_terminal_that_cannot_move_its_cursor() -> None:
    with Terminal("talking 3", TERM="dumb") as terminal:
        terminal.until(WAITING)
        terminal.type("say hello\r")
        terminal.until("said Chat: hello")
        terminal.type("1\r")
        terminal.until("It is not your turn")
        terminal.until(ASKING)
        terminal.type("say bye\r")
        terminal.until("said Chat: bye")
        choose(terminal, "4\r", "-5>")
        assert "\x1b" not in terminal.raw


def test_pasted_lines_do_not_move_one_by_one() -> None:
    with asked() as terminal:
        terminal.type("\x1b[200~2\n3\n\x1b[201~")
        terminal.type("\r")
        terminal.until("not one of the choices")
        choose(terminal, "4\r", "-5>")


def test_no_question_is_put_to_the_terminal() -> None:
    """Some terminals do not answer where the cursor is; nothing may wait for that, or warn of it."""
    with asked() as terminal:
        terminal.type("1\r")
        terminal.finish()
        assert "\x1b[6n" not in terminal.raw
        assert "CPR" not in terminal.raw


def test_colours_are_there_and_gone_on_request() -> None:
    with asked() as terminal:
        assert re.search(r"\x1b\[[0-9;]*48;", terminal.raw)
    with asked(NO_COLOR="1") as terminal:
        before = terminal.raw[: terminal.raw.index(ASKING[:11])]
        assert "place 5" in before
        assert not re.search(r"\x1b\[[0-9;]*m", before.rpartition("[-5>]")[0])


def red(terminal: Terminal) -> list[str]:
    """Return what stands on red ground."""
    rows = [terminal.screen.buffer[line] for line in range(terminal.screen.lines)]
    texts = ("".join(cell.data for _, cell in sorted(row.items()) if cell.bg == "red") for row in rows)
    return [text for text in texts if text]


def test_a_warning_strikes_the_eye() -> None:
    with Terminal("warned") as terminal:
        terminal.until("no:")
        shown = " ".join(" ".join(red(terminal)).split())
        assert shown.startswith("WARNING: somebody called Ben connected")
        assert shown.endswith("The fingerprint of the key here: 0123 4567 Play with this Ben despite the warning?")
        terminal.type("y\r")
        terminal.until('"y" is neither')
        terminal.type("yes\r")
        assert "agreed: True" in terminal.finish()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_warning_is_plain_where_colour_is_unwanted(environment: dict[str, str]) -> None:
    with Terminal("warned", **environment) as terminal:
        terminal.until("no:")
        assert "WARNING" in terminal.text()
        assert not red(terminal)
        before, _, _ = terminal.raw.partition("Type the whole word")
        assert not re.search(r"\x1b\[[0-9;]*m", before.rpartition("warning?")[0])
        terminal.type("no\r")
        assert "agreed: False" in terminal.finish()


def test_a_terminal_that_cannot_move_its_cursor() -> None:
    with asked("news", TERM="dumb") as terminal:
        terminal.type("nonsense\r")
        terminal.until("not one of the choices")
        choose(terminal, "-5<\r", "-5<")
        assert "\x1b" not in terminal.raw


@pytest.mark.parametrize("term", TERMS)
def test_asking_never_holds_up_the_event_loop(term: str) -> None:
    with asked("alive", TERM=term) as terminal:
        terminal.type("?\r")
        later = time.monotonic() + 2
        terminal.until(lambda _: time.monotonic() > later)
        terminal.type("1\r")
        (ticks,) = re.findall(r"ticks: (\d+)", terminal.finish())
        assert int(ticks) > 50


@pytest.mark.thorough
def test_a_whole_game() -> None:
    with Terminal("game") as terminal:
        rounds = set()
        while "The game is over" not in terminal.text():
            screen = terminal.until(lambda text: text.endswith("for help):") or "The game is over" in text)
            rounds |= set(re.findall(r"Round (\d) of 8", screen))
            last = screen.splitlines()[-2]
            terminal.type("#\r" if "[#]" in last else "1\r")
            terminal.until(partial(ne, screen))
        assert rounds == set("12345678")
        assert re.search(r"The game is over, \d+ to \d+: ", terminal.finish())
