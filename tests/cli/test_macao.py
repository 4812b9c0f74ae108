"""Shadows of Macao between two whole programs, and by a deck from outside."""

import json
from pathlib import Path

import pytest

from p2p_shanghaien.games.macao.deck import reconstruction
from p2p_shanghaien.store.data import keep_data
from tests.cli.program import RANDOM, Host, check_finished, logs, shanghaien

pytestmark = [pytest.mark.enable_socket, pytest.mark.sockets]

GAME = ("--game", "macao")
OTHER = reconstruction().canonical().replace(b'"a",3,2,""', b'"a",4,2,""', 1)
"""The canonical bytes of a deck in which a killer brings a coin more."""


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


def test_a_deck_from_outside_that_only_one_has(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    digest = keep_data(here, OTHER)
    with Host(here, *GAME, "--deck", digest, *RANDOM) as host:
        guest = shanghaien(there, "join", host.address, *RANDOM)
        assert guest.returncode == 4
        assert digest in guest.stderr
        keep_data(there, OTHER)
        guest = shanghaien(there, "join", host.address, *RANDOM)
        assert host.exit_code() == guest.returncode == 0, host.output + guest.stdout + guest.stderr
    (ours,), (theirs,) = logs(here), logs(there)
    assert ours.read_bytes() == theirs.read_bytes()
    assert "COMPLETE" in shanghaien(there, "verify", theirs).stdout
    assert "UNSUPPORTED" in shanghaien(tmp_path / "elsewhere", "verify", ours).stdout
    assert "reconstructed cards" not in host.output
    played = shanghaien(here, "tournament", "easy", "random", *GAME, "--deck", digest, "--games", "4")
    assert played.returncode == 0, played.stderr


def test_a_broken_record_is_named_by_its_place(tmp_path: Path) -> None:
    record = tmp_path / "game.shrec"
    record.write_text('[Game "macao"]\n\ntile:casino tile:saloon', "utf-8")
    refused = shanghaien(tmp_path, "replay", "--json", record)
    assert refused.returncode == 3
    assert "Line 3, column 13" in refused.stderr
    assert "there is no tile saloon" in refused.stderr
