"""Two people at two terminals: one leaves, the other's challenge to a rematch is told when they next meet."""

import json
import re
from pathlib import Path

import pytest

from p2p_shanghaien.errors import CannotConnect
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from tests.cli.program import logs, shanghaien
from tests.cli.test_command_input import WAITING
from tests.cli.test_person import CHOICE, ESCAPES, Person

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]


def seen(person: Person, text: str) -> None:
    """Wait for a sentence, however it is wrapped."""
    person.expect(r"\s+".join(map(re.escape, text.split())))


def meeting(tmp_path: Path, *options: str) -> tuple[Person, Person]:
    """Return Hanna, who hosts, and Ben, who joins her."""
    host = Person(tmp_path / "hanna", "host", "--bind", "127.0.0.1", "--port", "0", "--name", "Hanna", *options)
    port = host.find(r"shanghaien join '?127\.0\.0\.1:(\d+)")
    return host, Person(tmp_path / "ben", "join", f"127.0.0.1:{port}", "--name", "Ben")


def test_a_challenge_from_the_end_of_one_evening_to_the_next(tmp_path: Path) -> None:
    hanna, ben = meeting(tmp_path)
    hanna.expect("Play with")
    hanna.type("y")
    ben.expect(r"Play\?")
    ben.type("y")
    ben.expect(CHOICE, WAITING)
    ben.type("resign")
    ben.expect("Resign this game")
    ben.type("y")
    for person in (hanna, ben):
        person.expect("Another game")
    ben.type("n")
    assert ben.exit_code() == 0
    seen(hanna, "Your opponent does not want another game.")
    seen(hanna, "Challenge Ben to a rematch, for when you next meet?")
    hanna.type("y")
    seen(hanna, "Your challenge to a rematch is saved")
    assert hanna.exit_code() == 0
    for log in logs(tmp_path / "hanna"):
        assert verify(log.read_bytes(), RULES).verdict == Verdict.COMPLETE

    listed = shanghaien(tmp_path / "hanna", "players").stdout
    assert "you have challenged this player to a rematch at Shanghaien" in " ".join(listed.split())
    (player,) = json.loads(shanghaien(tmp_path / "hanna", "players", "--json").stdout)["players"]
    assert player["challenged"]["game"] == "shanghaien"
    assert player["challenged"]["session"] in {log.name[:64] for log in logs(tmp_path / "hanna")}

    hanna, ben = meeting(tmp_path, "--game", "halunken")
    seen(ben, "Hanna challenges you to a rematch at Shanghaien (variant standard, tricks p3 b3 r2).")
    seen(hanna, "Ben is told of your challenge to a rematch at Shanghaien")
    ben.expect("yes or no")
    ben.type("n")
    assert ben.exit_code() == CannotConnect.exit_code
    hanna.child.close(force=True)

    hanna, ben = meeting(tmp_path)
    seen(ben, "Hanna challenges you to a rematch. This table plays it.")
    ben.expect("yes or no")
    ben.type("y")
    hanna.expect("Play with")
    hanna.type("y")
    hanna.expect(CHOICE, WAITING)
    for person in (hanna, ben):
        person.child.close(force=True)
    assert "challenged" not in ESCAPES.sub("", shanghaien(tmp_path / "hanna", "players").stdout)
