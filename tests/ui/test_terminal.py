"""A person at a terminal, seen from outside: what the keys do and what stands on the screen."""

import re
import time
from functools import partial
from operator import ne

import pytest

from tests.ui.terminal import Terminal

ASKING = "Your choice (1-4, ? explains):"
WAITING = "Waiting for Ben (say, resign, offer, leave; ? explains):"


def test_deciding_by_number() -> None:
    with Terminal("decide") as terminal:
        screen = terminal.until(ASKING)
        assert "rolled 2 and 5" in screen
        assert " 3. place 5 on A3, number 1 left [-5<]" in screen
        assert screen.startswith("Shanghaien")
        terminal.type("3\r")
        assert "chosen: -5<" in terminal.finish()
        assert terminal.echoes


def test_deciding_by_notation_after_mistakes_and_help() -> None:
    with Terminal("decide") as terminal:
        terminal.until(ASKING)
        terminal.type("nonsense\r")
        terminal.until('"nonsense" is none of the choices')
        terminal.type("7\r")
        terminal.until("There is no choice 7")
        terminal.type("?\r")
        terminal.until("Tab completes")
        terminal.type("-2>\r")
        assert "chosen: -2>" in terminal.finish()


def test_completion_lists_what_is_legal_and_completes_it() -> None:
    with Terminal("decide") as terminal:
        terminal.until(ASKING)
        terminal.type("\t")
        listed = terminal.until(lambda text: text.count(ASKING) == 2).splitlines()
        (line,) = (line for line in listed if line.startswith("-2<"))
        assert line.split() == ["-2<", "-2>", "-5<", "-5>", "?", "rules"]
        terminal.type("ru\t\r")
        terminal.until("leaves the table; the log keeps")
        terminal.type("-5\t")
        terminal.until(lambda text: "-5< -5>" in text)
        terminal.type(">\r")
        assert "chosen: -5>" in terminal.finish()


@pytest.mark.parametrize("how", ["end of input", "interrupt"])
def test_leaving(how: str) -> None:
    with Terminal("decide") as terminal:
        terminal.until(ASKING)
        if how == "interrupt":
            terminal.type("-5\x03")
        else:
            terminal.type("\x04")
        assert "chosen: to leave" in terminal.finish()
        assert "Traceback" not in terminal.raw


def test_what_is_half_typed_survives_news() -> None:
    with Terminal("news") as terminal:
        terminal.until(ASKING)
        terminal.type("-5")
        terminal.until("news: 5")
        screen = terminal.until(lambda text: "news: 9" in text and text.endswith(f"{ASKING} -5")).splitlines()
        assert screen[-2].startswith("news: ")
        terminal.type("<\r")
        screen = terminal.finish().splitlines()
        assert "chosen: -5<" in screen
        news = [int(line.split()[1]) for line in screen if line.startswith("news: ")]
        assert news == list(range(news[0], news[0] + len(news)))


def test_a_lost_connection_takes_the_prompt_away_and_leaves_the_terminal_as_it_was() -> None:
    with Terminal("hung_up") as terminal:
        terminal.until(ASKING)
        terminal.type("-5")
        terminal.until("The connection broke off.")
        terminal.until("yes or no:")
        terminal.type("yes\r")
        assert "again: True" in terminal.finish()
        assert terminal.echoes


def test_impatient_keys_do_not_move() -> None:
    with Terminal("busy") as terminal:
        terminal.until("Waiting")
        terminal.type("1\r1\r")
        terminal.until(ASKING)
        terminal.type("4\r")
        assert "chosen: -5>" in terminal.finish()


def test_talking_while_the_other_side_thinks() -> None:
    with Terminal("talking 60") as terminal:
        terminal.until(WAITING)
        terminal.type("say hel\t lo\r")
        terminal.until("said word_say: hel lo")
        terminal.type("1\r")
        terminal.until("It is not your turn")
        terminal.type("of\t\r")
        terminal.until("said word_offer:")
        terminal.type("resign\r")
        terminal.until("Resign this game? y/n:")
        terminal.type("y\r")
        terminal.until("said word_resign:")
        terminal.type("leave\r")
        assert "chosen: to leave" in terminal.finish()
        assert terminal.echoes


def test_a_half_typed_remark_survives_the_change_of_turns() -> None:
    with Terminal("talking 3") as terminal:
        terminal.until(WAITING)
        terminal.type("say 1")
        # the prompt may change a moment before the table above it is there
        last_choice = " 4. place 5 on A1, number 1 right [-5>]"
        screen = terminal.until(lambda text: text.endswith(f"{last_choice}\n{ASKING} say 1"))
        assert WAITING not in screen, "one prompt, and it has changed"
        terminal.type("23\r")
        terminal.until("said word_say: 123")
        terminal.type("4\r")
        screen = terminal.finish()
        assert "chosen: -5>" in screen
        assert WAITING not in screen, "nor is a prompt left that nobody has answered"


def test_a_half_typed_answer_does_not() -> None:
    with Terminal("talking 3") as terminal:
        terminal.until(WAITING)
        terminal.type("1")
        terminal.until(f"{WAITING} 1")
        terminal.until(lambda text: text.endswith(ASKING))
        terminal.type("\r4\r")
        assert "chosen: -5>" in terminal.finish()


@pytest.mark.parametrize("how", ["end of input", "interrupt", "leave"])
@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_leaving_while_the_other_side_thinks(how: str, term: str) -> None:
    with Terminal("talking 60", TERM=term) as terminal:
        terminal.until(WAITING)
        if how == "interrupt":
            terminal.interrupt()
        else:
            terminal.type("\x04" if how == "end of input" else "leave\r")
        assert "chosen: to leave" in terminal.finish()
        assert "Traceback" not in terminal.raw
        assert terminal.echoes


def test_talking_on_a_terminal_that_cannot_move_its_cursor() -> None:
    with Terminal("talking 3", TERM="dumb") as terminal:
        terminal.until(WAITING)
        terminal.type("say hello\r")
        terminal.until("said word_say: hello")
        terminal.type("1\r")
        terminal.until("It is not your turn")
        terminal.until(ASKING)
        terminal.type("say bye\r")
        terminal.until("said word_say: bye")
        terminal.type("4\r")
        assert "chosen: -5>" in terminal.finish()
        assert "\x1b" not in terminal.raw


def test_pasted_lines_do_not_move_one_by_one() -> None:
    with Terminal("decide") as terminal:
        terminal.until(ASKING)
        terminal.type("\x1b[200~2\n3\n\x1b[201~")
        terminal.type("\r")
        terminal.until("none of the choices")
        terminal.type("4\r")
        assert "chosen: -5>" in terminal.finish()


def test_no_question_is_put_to_the_terminal() -> None:
    """Some terminals do not answer where the cursor is; nothing may wait for that, or warn of it."""
    with Terminal("decide") as terminal:
        terminal.until(ASKING)
        terminal.type("1\r")
        terminal.finish()
        assert "\x1b[6n" not in terminal.raw
        assert "CPR" not in terminal.raw


def test_colours_are_there_and_gone_on_request() -> None:
    with Terminal("decide") as terminal:
        terminal.until(ASKING)
        assert re.search(r"\x1b\[[0-9;]*48;", terminal.raw)
    with Terminal("decide", NO_COLOR="1") as terminal:
        terminal.until(ASKING)
        before = terminal.raw[: terminal.raw.index(ASKING[:11])]
        assert "place 5" in before
        assert not re.search(r"\x1b\[[0-9;]*m", before.rpartition("[-5>]")[0])


def test_a_terminal_that_cannot_move_its_cursor() -> None:
    with Terminal("news", TERM="dumb") as terminal:
        terminal.until(ASKING)
        terminal.type("nonsense\r")
        terminal.until("none of the choices")
        terminal.type("-5<\r")
        assert "chosen: -5<" in terminal.finish()
        assert "\x1b" not in terminal.raw


def test_interrupting_on_a_terminal_that_cannot_move_its_cursor() -> None:
    with Terminal("decide", TERM="dumb") as terminal:
        terminal.until(ASKING)
        terminal.interrupt()
        assert "chosen: to leave" in terminal.finish()
        assert "Traceback" not in terminal.raw


def test_impatient_lines_do_not_move_there_either() -> None:
    with Terminal("busy", TERM="dumb") as terminal:
        terminal.until("Waiting")
        terminal.type("1\r1\r")
        terminal.until(ASKING)
        terminal.type("4\r")
        assert "chosen: -5>" in terminal.finish()


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_asking_never_holds_up_the_event_loop(term: str) -> None:
    with Terminal("alive", TERM=term) as terminal:
        terminal.until(ASKING)
        terminal.type("?\r")
        later = time.monotonic() + 2
        terminal.until(lambda _: time.monotonic() > later)
        terminal.type("1\r")
        (ticks,) = re.findall(r"ticks: (\d+)", terminal.finish())
        assert int(ticks) > 50


def test_a_whole_game() -> None:
    with Terminal("game") as terminal:
        rounds = set()
        while "The game is over" not in terminal.text():
            screen = terminal.until(lambda text: text.endswith("explains):") or "The game is over" in text)
            rounds |= set(re.findall(r"Round (\d) of 8", screen))
            last = screen.splitlines()[-2]
            terminal.type("#\r" if "[#]" in last else "1\r")
            terminal.until(partial(ne, screen))
        assert rounds == set("12345678")
        assert re.search(r"The game is over, \d+ to \d+: ", terminal.finish())
