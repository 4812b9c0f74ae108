"""Halunken & Spelunken between two people at full screen, each at a terminal of their own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.tmux import CHOOSE, PICKED, Tmux, Window, home

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

SECRET = "Both choose in secret"


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    with Tmux(tmp_path / "tmux") as server:
        yield server


def move(side: Window, *keys: str) -> None:
    """Play the choice of these keys."""
    side.until(CHOOSE)
    side.keys(*keys)
    side.until(PICKED)
    side.keys("Enter")
    side.until(lambda text: PICKED not in text)


@pytest.mark.thorough
def test_a_secret_choice_shows_nothing_to_the_other_before_both_are_turned_over(tmux: Tmux, tmp_path: Path) -> None:
    listening = ("host", "--game", "halunken", "--bind", "127.0.0.1", "--port", 0, "--no-announce", "--name", "Hanna")
    host = Window(tmux, home(tmp_path / "here", speed="slow"), (80, 24), *listening)
    found = re.search(r"shanghaien join '?(127\.0\.0\.1:\d+)", host.until("shanghaien join 127.0.0.1:"))
    assert found
    guest = Window(tmux, home(tmp_path / "there", speed="slow"), (120, 40), "join", found[1], "--name", "Gustav")
    sides = (host, guest)
    for side in sides:
        side.answer("[y] Yes", "y")

    def asked() -> Window:
        """Return who is asked, as soon as somebody is."""
        host.until(lambda text: CHOOSE in text or CHOOSE in guest.text())
        return host if CHOOSE in host.text() else guest

    move(asked(), "1", "2")
    move(asked(), "3")
    move(asked(), "9")
    for _ in sides:
        move(asked(), "p")

    # the host commits to a choice before the guest may see anything to choose against
    host.until(SECRET, CHOOSE)
    before = guest.until(SECRET)
    assert "chosen" not in before
    move(host, "6")
    assert "6" not in host.until("Your choice stays secret").splitlines()[6], "not even to who chose"
    after = guest.until("Hanna has chosen in secret.", CHOOSE)
    assert re.search(r" 1  2  3  4  5  6  7  r +chosen", after), "all cards are as likely"
    assert after.count("▒▒▒") == 1
    news = [line for line in after.splitlines() if "6" in line and line not in before.splitlines()]
    assert all(re.search(r"5\W+6\W+7", line) for line in news), news

    move(guest, "2")
    guest.until("The cards are shown: you 2, Hanna 6.")
    host.until("The cards are shown: you 6, Gustav 2.")
    host.until(lambda text: "1  2  3  4  5  ·  7  r" in text)
    for side in sides:
        side.keys("q")
        side.until("[y]")
        side.keys("y")
        assert side.exit_code() == 5
