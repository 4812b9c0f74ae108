"""A person at a real pseudo-terminal: whole games typed in, by number and in notation."""

import random
import re
import signal
from io import StringIO
from pathlib import Path

import pexpect
import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import PROGRAM, environment, logs
from tests.spawned import Spawned
from tests.sweeps import sweep

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

CHOICE = "Your choice"
AGAIN = "Another game"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")


class Person:
    """Types at a terminal of 80 by 24, and reads what is there, line by line."""

    def __init__(self, home: Path, *arguments: str, term: str = "xterm-256color") -> None:
        home.mkdir(parents=True, exist_ok=True)
        self.child = Spawned([*PROGRAM, *arguments, "--plain"], environment(home, TERM=term))
        self.child.logfile_read = self._read = StringIO()

    def expect(self, *patterns: str) -> int:
        """Return which of the patterns comes up first."""
        return int(self.child.expect(list(patterns)))

    def expect_sent(self, text: str) -> None:
        """Wait for what the terminal is sent at some time: a bell may ring just before or after its question stands."""
        if not self.was_sent(text):
            self.child.expect_exact(text)

    def was_sent(self, text: str) -> bool:
        return text in self._read.getvalue()

    def find(self, pattern: str) -> str:
        """Return what stands for the pattern's first group."""
        self.child.expect(pattern)
        assert isinstance(self.child.match, re.Match)
        return str(self.child.match[1])

    def type(self, line: str) -> None:
        self.child.send(line + "\r")

    @property
    def choices(self) -> list[str]:
        """The notation of each choice in the list last shown."""
        return re.findall(r"^ *\d+\. .*\[([^]]+)\]", ESCAPES.sub("", self.child.before or ""), re.MULTILINE)

    def exit_code(self) -> int:
        self.child.expect(pexpect.EOF)
        return self.child.wait()


@pytest.mark.thorough
@sweep("term", ["dumb", "xterm-256color"], every=2)
def test_a_person_plays_a_whole_game_against_the_computer(tmp_path: Path, term: str) -> None:
    rng = random.Random(3)
    person = Person(tmp_path, "play", "--name", "Ada", term=term)
    decisions = 0
    while person.expect(CHOICE, AGAIN) == 0:
        choices = person.choices
        if not choices:
            continue  # the prompt drawn once more, with what was typed
        decisions += 1
        number = rng.randrange(len(choices))
        person.type(choices[number] if decisions % 2 else str(number + 1))
        person.expect("\n")
    person.type("n")
    assert person.exit_code() == 0
    for log in logs(tmp_path):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.COMPLETE
    assert decisions > 16, "two decisions a round at the least"


def test_leaving_in_the_middle_keeps_the_game(tmp_path: Path) -> None:
    person = Person(tmp_path, "play")
    person.expect(CHOICE)
    person.child.sendeof()
    person.expect("saved")
    assert person.exit_code() == 5
    for log in logs(tmp_path):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


@pytest.mark.thorough
def test_another_game_at_a_key_press_and_both_logs_are_kept(tmp_path: Path) -> None:
    person = Person(tmp_path, "play", "--player", "human")
    games = 0
    while games < 2:
        if person.expect(CHOICE, AGAIN) == 0:
            if person.choices:
                person.type("#" if "#" in person.choices else "1")
                person.expect("\n")
            continue
        games += 1
        person.type("y" if games == 1 else "n")
    assert person.exit_code() == 0
    assert len(logs(tmp_path)) == 4


def test_two_people_meet_and_see_the_same_number(tmp_path: Path) -> None:
    host = Person(tmp_path / "here", "host", "--bind", "127.0.0.1", "--port", "0", "--name", "Hanna")
    port = host.find(r"shanghaien join '?127\.0\.0\.1:(\d+)")
    guest = Person(tmp_path / "there", "join", f"127.0.0.1:{port}", "--name", "Gustav")
    number = r"(\d{5} \d{5})"
    assert host.find(number) == guest.find(number)
    host.expect("Play with Gustav")
    host.type("y")
    guest.expect("p3 b3 r2")
    guest.type("y")
    leaving, staying = host, guest
    if host.expect(CHOICE, "Gustav starts"):
        leaving, staying = guest, host
        guest.expect(CHOICE)  # keys typed before the question are dropped
    leaving.child.sendeof()
    assert leaving.exit_code() == 5
    staying.expect("left the table")
    staying.child.sendintr()
    assert staying.exit_code() == 5
    (ours,), (theirs,) = logs(tmp_path / "here"), logs(tmp_path / "there")
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify(ours.read_bytes(), RULES).verdict == Verdict.INCOMPLETE


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_keeps_the_game(tmp_path: Path, ending: signal.Signals) -> None:
    person = Person(tmp_path, "play")
    person.expect(CHOICE)
    person.child.kill(ending)
    person.expect("saved")
    assert person.exit_code() == 5
    for log in logs(tmp_path):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE
