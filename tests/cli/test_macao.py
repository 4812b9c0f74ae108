"""Shadows of Macao between two whole programs, and by a deck from outside."""

import json
from pathlib import Path

import pytest

from p2p_shanghaien.games.macao import deck
from tests.cli.program import RANDOM, Host, check_finished, logs, shanghaien

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

GAME = ("--game", "macao")


def test_a_game_between_two_programs(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with Host(here, *GAME, "--player", "greedy", "--name", "Hanna") as host:
        guest = shanghaien(there, "join", host.address, "--player", "easy", "--name", "Gustav")
        assert host.exit_code() == guest.returncode == 0, host.output + guest.stdout + guest.stderr
    check_finished(here, there)
    for output, own, other in ((host.output, "Hanna", "Gustav"), (guest.stdout, "Gustav", "Hanna")):
        text = " ".join(output.split())
        assert "Shadows of Macao (deck reconstruction-1)" in text
        assert "reconstructed cards" in text
        assert f"you are {own} and play against {other}" in text
    (log,) = logs(here)
    assert "COMPLETE" in shanghaien(here, "verify", log).stdout
    replayed = shanghaien(here, "replay", "--plain", log)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    events = [json.loads(line) for line in shanghaien(here, "replay", "--json", log).stdout.splitlines()]
    near, far = events[-1]["scores"]
    assert f"The game is over, {near} to {far}: " in replayed.stdout
    record = tmp_path / "game.shrec"
    record.write_text(shanghaien(here, "export", log).stdout, "utf-8")
    again = shanghaien(here, "replay", "--json", record)
    assert json.loads(again.stdout.splitlines()[-1]) == events[-1]


def test_a_deck_of_ones_own_between_two_programs(tmp_path: Path) -> None:
    """The owner of a box names a file; the guest, who has none, hears what differs, and agrees or not."""
    here, there, box = tmp_path / "here", tmp_path / "there", tmp_path / "box.json"
    cards = json.loads(Path(deck.__file__).with_name("macao-cards.json").read_text("utf-8"))
    cards["cards"][0]["coins"] += 1
    cards["tiles"][-1]["cost"] = "wwmmm"
    box.write_text(json.dumps(cards), "utf-8")
    with Host(here, *GAME, "--deck", box, *RANDOM, "--name", "Hanna") as host:
        declining = shanghaien(there, "join", host.address, "--plain", "--name", "Gustav", stdin="no\n")
        text = " ".join(declining.stdout.split())
        assert declining.returncode == 4, text
        assert "Hanna has handed over data for this game which your program lacked." in text
        assert "The deck is not reconstruction-1: 2 of the 52 cards in its box and 1 of its 10 tiles" in text
        assert not list(there.glob("games/*"))
        guest = shanghaien(there, "join", host.address, *RANDOM)
        assert host.exit_code() == guest.returncode == 0, host.output + guest.stdout + guest.stderr
    (ours,), (theirs,) = logs(here), logs(there)
    assert ours.read_bytes() == theirs.read_bytes()
    (data,) = there.glob("games/*.shdata")
    assert "COMPLETE" in shanghaien(tmp_path / "elsewhere", "verify", theirs).stdout
    for looked_at in (("replay", "--json"), ("dice",)):
        assert shanghaien(tmp_path / "elsewhere", *looked_at, theirs).returncode == 0
    assert "reconstructed cards" not in host.output
    assert f"Shadows of Macao (deck {data.stem[:8]}…)" in " ".join(host.output.split())
    assert data.stem not in host.output
    exported = shanghaien(there, "export", "--data", theirs)
    assert exported.stdout.encode() == data.read_bytes()
    assert json.loads(exported.stdout)[0] == "macao-cards-1"
    lonely = tmp_path / "lonely.shlog"
    lonely.write_bytes(ours.read_bytes())
    without = shanghaien(tmp_path / "elsewhere", "verify", lonely)
    assert (without.returncode, "UNSUPPORTED" in without.stdout) == (1, True)
    assert data.name in without.stdout
    (tmp_path / data.name).write_text(exported.stdout, "utf-8")
    assert "COMPLETE" in shanghaien(tmp_path / "elsewhere", "verify", lonely).stdout
    for named in (data, data.stem):
        played = shanghaien(there, "tournament", "easy", "random", *GAME, "--deck", named, "--games", "2")
        assert played.returncode == 0, played.stderr


def test_mistakes_in_a_deck_are_named(tmp_path: Path) -> None:
    box = tmp_path / "box.json"
    cards = json.loads(Path(deck.__file__).with_name("macao-cards.json").read_text("utf-8"))
    cards["cards"][11]["cost"] = ""
    box.write_text(json.dumps(cards), "utf-8")
    for command in (("play", "--plain"), ("host",), ("join", "127.0.0.1"), ("tournament", "easy", "easy")):
        refused = shanghaien(tmp_path / "home", *command, *GAME, "--deck", box)
        assert refused.returncode == 2
        assert 'box.json cannot be used for --deck: card 12 (policeman-j): "cost" must be' in refused.stderr
        assert "Correct the file" in refused.stderr
    assert not list(tmp_path.glob("home/games/*"))
    none = shanghaien(tmp_path / "home", "export", "--data", "examples/sample.shlog")
    assert none.returncode == 1
    assert "no data from outside" in none.stderr


def test_a_broken_record_is_named_by_its_place(tmp_path: Path) -> None:
    record = tmp_path / "game.shrec"
    record.write_text('[Game "macao"]\n\ntile:casino tile:saloon', "utf-8")
    refused = shanghaien(tmp_path, "replay", "--json", record)
    assert refused.returncode == 3
    assert "Line 3, column 13" in refused.stderr
    assert "there is no tile saloon" in refused.stderr
