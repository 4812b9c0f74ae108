"""The last signature, and the word that it has arrived: either may be lost, and nobody waits for ever."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.channel import BLOCK
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.noise import TAG_SIZE
from p2p_shanghaien.fairplay.transcript import length_prefixed
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.registry import RULES
from p2p_shanghaien.store.logs import read_sidecar
from tests.cheater import entry_frame
from tests.cli.program import Host, Running, logs, shanghaien
from tests.faults.proxy import Plan
from tests.faults.sitting import check_finished, game, play, seats
from tests.pair import GAMES, make_pair
from tests.toy import Toy

RANDOM = ("--player", "random")


def finished_elsewhere(tmp_path: Path) -> tuple[Path, Path]:
    """Two homes with one finished game, of which the guest's last signature did not reach the host."""
    here, there = tmp_path / "here", tmp_path / "there"
    host = Host(here, *RANDOM)
    try:
        joined = shanghaien(there, "join", host.address, *RANDOM)
        assert joined.returncode == host.exit_code() == 0, joined.stderr + host.output
    finally:
        host.stop()
    (ours,), (theirs,) = logs(here), logs(there)
    whole = theirs.read_bytes()
    assert ours.read_bytes() == whole
    assert read_sidecar(ours).delivered
    assert read_sidecar(theirs).delivered
    last = verify(whole, RULES).entries[-1]
    ours.write_bytes(whole.removesuffix(length_prefixed(last.data)))
    assert verify(ours.read_bytes(), RULES).verdict == Verdict.DECIDED
    for log in (ours, theirs):
        private = log.with_suffix(".private")
        lines = [line for line in private.read_text().splitlines() if line and "delivered" not in json.loads(line)]
        first = {**json.loads(private.read_text().splitlines()[0]), "delivered": False}
        private.write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")
        assert not read_sidecar(log).delivered
    return here, there


@pytest.mark.thorough
@pytest.mark.enable_socket
@pytest.mark.sockets
def test_a_guest_killed_before_its_last_signature_arrived_says_it_again(tmp_path: Path) -> None:
    here, there = finished_elsewhere(tmp_path)
    host = Running(here, "resume", *RANDOM)
    try:
        host.wait_for("Resuming")
        guest = shanghaien(there, "resume", *RANDOM)
        assert guest.returncode == host.exit_code() == 0, guest.stdout + guest.stderr + host.output
    finally:
        host.stop()
    (ours,), (theirs,) = logs(here), logs(there)
    assert ours.read_bytes() == theirs.read_bytes()
    assert verify(ours.read_bytes(), RULES).verdict == Verdict.COMPLETE
    for home in (here, there):
        nothing = shanghaien(home, "resume", *RANDOM)
        assert nothing.returncode == 1
        assert "no unfinished game" in nothing.stderr


@pytest.mark.enable_socket
@pytest.mark.sockets
async def test_who_signed_last_and_hears_nothing_more_has_a_finished_game() -> None:
    """The host has everything and has left; its word for it was lost on the way."""
    host, guest = seats(0)
    (line,) = await play(host, guest, game(0))
    length = line.passed[1]
    host, guest = seats(0)
    guest.side = replace(guest.side, last_word=0.5)
    # what follows that word is its `again` and its `bye`, each in one message of this length
    cut = length - 2 * (4 + BLOCK + TAG_SIZE) - 100
    lines = await play(host, guest, game(0), [Plan(cut=(None, cut))])
    assert lines[0].passed[1] == cut
    check_finished(host, guest)
    assert host.logs[0].is_delivered
    assert not guest.logs[0].is_delivered


def test_an_entry_that_is_refused_is_neither_known_nor_stored() -> None:
    """Its sender had claimed another head than the one it comes to: the log must not go on behind a gap."""
    rng = random.Random(3)
    pair = make_pair(rng, Toy(1))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 5)
    entries = pair.sides[0].endpoint.entries[:]
    pair.restart(1, 3)
    endpoint = pair.sides[1].endpoint
    pair.carry_out(1, endpoint.resume(*pair.connection(1), Head(4, bytes(32))))
    with pytest.raises(Malformed):
        endpoint.receive(entry_frame(entries[3].data))
    assert endpoint.entries == entries[:3]
    assert endpoint.match.number == 3
    pair.resume(rng)
    pair.play(rng)
    assert pair.logs[0] == pair.logs[1]
    assert verify(pair.logs[1], GAMES).verdict == Verdict.COMPLETE
