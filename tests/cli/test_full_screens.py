"""Two people at full screen, each at a terminal of their own, by keys alone: a whole game, and what comes between."""

import json
import random
import re
import signal
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import PATIENCE, check_finished, logs, shanghaien
from tests.cli.tmux import CHIP, CHOOSE, PICKED, Tmux, Window, home

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

LEAVING = "[Enter] leaves the table"
ASKED = "Another game?", "to a rematch"
"""The questions at the end of a game: the first becomes the second once the peer has said no."""
INVITATION = re.compile(r"^ *([0-9A-Z]{5}-){12}[0-9A-Z]{5} *$", re.MULTILINE)


def _over(side: Window, text: str) -> bool:
    return LEAVING in text or side.has_ended or any(asked in text for asked in ASKED)


class Table(NamedTuple):
    """Two programs that are connected."""

    host: Window
    guest: Window

    def turn(self) -> tuple[Window, Window]:
        """Return who is asked, as soon as somebody is, and who is not."""
        self.host.until(lambda text: CHOOSE in text or CHOOSE in self.guest.text())
        return (self.host, self.guest) if CHOOSE in self.host.text() else (self.guest, self.host)

    def check_ended(self) -> None:
        """Both leave, by a key or since they want no other game, and have the same whole game."""
        for side in self:
            while not side.has_ended:
                side.keys("Enter" if LEAVING in side.until(partial(_over, side)) else "n")
        assert [side.exit_code() for side in self] == [0, 0]
        check_finished(self.host.home, self.guest.home)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(tmp_path / "tmux") as server:
        yield server


@pytest.fixture
def table(tmux: Tmux, tmp_path: Path) -> Table:
    """Return a host at 80x24 and a guest at 120x40, before the first decision of their game."""
    listening = ("host", "--bind", "127.0.0.1", "--port", 0, "--no-announce", "--name", "Hanna")
    host = Window(tmux, home(tmp_path / "here"), (80, 24), *listening)
    found = re.search(r"shanghaien join '?(127\.0\.0\.1:\d+)", host.until("shanghaien join 127.0.0.1:"))
    assert found
    guest = Window(tmux, home(tmp_path / "there"), (120, 40), "join", found[1], "--name", "Gustav")
    for side in (host, guest):
        side.answer("[y] Yes", "y")
    table = Table(host, guest)
    table.turn()
    return table


@pytest.mark.thorough
def test_a_whole_game_and_its_scoring(table: Table) -> None:
    rng = random.Random(4)
    overviews = dict.fromkeys(table, 0)
    endings: dict[Window, list[tuple[str, str]]] = {}
    end = time.monotonic() + 3 * PATIENCE
    while len(endings) < len(table):
        assert time.monotonic() < end, "\n".join(side.text() for side in table)
        for side in table:
            text = side.text()
            if "The round  " in text:
                overviews[side] += 1
                side.answer("The round  ", "Enter")
            elif "The end of the game  " in text and side not in endings:
                side.keys("k")  # the scores alone, which fit
                endings[side] = scoring(side.until(" Scoring ", " Total "))
                side.answer("[Esc] closes", "Escape")
            elif CHOOSE in text and (offers := CHIP.findall(text)) and text == side.text():
                calls = [key for key, label in offers if label == "Shanghai:"]
                side.move(calls[0] if calls else rng.choice(offers)[0])
    table.check_ended()
    assert list(overviews.values()) == [7, 7], "the end has the last round"
    ours, theirs = endings[table.host], endings[table.guest]
    assert len(ours) == 10, "eight nationalities, unused tricks, total"
    assert ours == [(far, near) for near, far in theirs]

    (log,) = logs(table.host.home)
    told = shanghaien(table.host.home, "verify", log)
    assert told.returncode == 0
    assert "COMPLETE" in told.stdout
    events = shanghaien(table.host.home, "replay", "--json", log).stdout.splitlines()
    assert sorted(json.loads(events[-1])["scores"]) == sorted(map(int, ours[-1]))


def scoring(text: str) -> list[tuple[str, str]]:
    """Return the points shown at the end of a game, line by line: the far side's and the near side's."""
    lines = text.splitlines()
    (first,) = (number for number, line in enumerate(lines) if " Scoring " in line)
    at = lines[first].index("Scoring")
    return [
        (line[at + 23 : at + 27].strip(), line[at + 36 : at + 40].strip()) for line in lines[first + 1 : first + 11]
    ]


@pytest.mark.thorough
def test_a_private_table_takes_the_invitation_that_it_shows(tmux: Tmux, tmp_path: Path) -> None:
    """It fits on one line of a small screen, so that it can be marked; what is mistyped is asked for again."""
    listening = ("host", "--private", "--bind", "127.0.0.1", "--port", 0, "--no-announce", "--name", "Hanna")
    host = Window(tmux, home(tmp_path / "here"), (80, 24), *listening)
    shown = host.until(INVITATION.search)
    port = re.search(r"shanghaien join '?(127\.0\.0\.1:\d+)", shown)
    invitation = INVITATION.search(shown)
    assert port
    assert invitation
    guest = Window(tmux, home(tmp_path / "there"), (80, 24), "join", port[1], "--name", "Gustav")
    guest.until("[Enter] answers")
    guest.type("ABCDE")
    guest.until("ABCDE")
    guest.keys("Enter")
    guest.until("group 1 of")
    guest.until("[Enter] answers")
    guest.type(invitation[0].strip())
    guest.until(invitation[0].strip()[-20:])
    guest.keys("Enter")
    for side in (host, guest):
        side.answer("[y] Yes", "y")
    Table(host, guest).turn()


@pytest.mark.thorough
def test_something_is_said_and_a_game_is_given_up(table: Table) -> None:
    asked, waiting = table.turn()
    waiting.keys("/")
    waiting.until("[Enter] sends it")
    waiting.type("one moment [bold]")
    waiting.until("one moment [bold]")
    waiting.keys("Enter")
    asked.until(": one moment [bold]")
    waiting.choose("Resign")
    waiting.answer("Resign this game?", "y")
    asked.until("resigns")
    table.check_ended()


def test_an_offer_is_made_and_accepted(table: Table) -> None:
    asked, waiting = table.turn()
    waiting.choose("Offer")
    asked.until("offers to abandon the game")
    asked.choose("Accept")
    asked.until("Another game")
    asked.keys("r")
    asked.until("Verification: COMPLETE")
    asked.keys("q")
    asked.until("Another game", lambda text: "Verification" not in text)
    table.check_ended()


@pytest.mark.thorough
def test_one_side_is_killed_and_goes_on(table: Table, tmux: Tmux) -> None:
    """The other sees that the connection is lost and found again; what it was about to do it can still do."""
    asked, waiting = table.turn()
    asked.keys("r")
    asked.until(PICKED)
    waiting.process.send_signal(signal.SIGKILL)
    asked.until("connection lost")
    again = Window(tmux, waiting.home, (80, 24), "resume")
    for side in (asked, again):
        side.until("● connected")
    assert PICKED in asked.text(), "what was half chosen still is"
    asked.keys("Enter")
    asked.until("You rolled")
    again.until("rolled")
    for side in (asked, again):
        side.keys("C-c")
        assert side.exit_code() == 5
    for side in (asked, again):
        (log,) = logs(side.home)
        assert verify(log.read_bytes(), RULES).verdict == Verdict.INCOMPLETE
