"""A player accused of a fork after a backup and a lie shows a third party what the peer hid."""

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from p2p_shanghaien.fairplay.transcript import length_prefixed, opening, read
from p2p_shanghaien.store.home import Home
from p2p_shanghaien.store.logs import GameLog, Sidecar
from p2p_shanghaien.store.paths import log_path
from tests.cli.program import shanghaien
from tests.fairplay.test_resume import forked, lied_to
from tests.pair import NAMES, Pair, make_pair


class Dispute(NamedTuple):
    """The files of a game in which one side was lied to: the log of the accused in its home, and the accusation."""

    home: Path
    log: Path
    accusation: Path
    name: str
    secret: bytes


def kept_log(home: Path, pair: Pair, seat: int) -> Path:
    """Return the log of `seat`, with its sidecar file, as its program keeps them."""
    side, whole = pair.sides[seat], read(pair.logs[seat])
    path = log_path(Home(home).games, side.endpoint.match.session.id, seat)
    first = opening(whole.hellos, whole.proofs)
    log = GameLog.start(path, first, Sidecar(side.secret, "identity", "192.0.2.7"))
    rng = random.Random(4)
    last = pair.established[seat]
    for _ in range(20):
        # connections under which nothing was signed
        pair.resume(rng)
        log.add_handshake(pair.established[seat])
    log.add_handshake(last)
    for entry in whole.entries:
        log.append(entry)
    log.close()
    return path


@pytest.fixture(params=[0, 1], ids=["host", "guest"])
def dispute(tmp_path: Path, request: pytest.FixtureRequest) -> Dispute:
    seat: int = request.param
    tries = (lied_to(seat, kept, 30) for kept in range(30, 45))
    pair, old = next(
        (pair, entry) for pair, signed in tries for entry in signed if forked(entry, pair.sides[seat].endpoint.entries)
    )
    accusation = tmp_path / "accusation.shlog"
    accusation.write_bytes(pair.logs[1 - seat] + length_prefixed(old.data))
    home = tmp_path / "accused"
    return Dispute(home, kept_log(home, pair, seat), accusation, NAMES[seat], pair.sides[seat].secret)


def test_an_accusation_is_rebutted_by_what_the_accused_hands_over(dispute: Dispute, tmp_path: Path) -> None:
    stranger, shown = tmp_path / "stranger", tmp_path / "shown"
    accused = shanghaien(stranger, "verify", dispute.accusation)
    assert accused.returncode == 6
    assert f"VIOLATION ({dispute.name}, entry " in accused.stdout
    exported = shanghaien(dispute.home, "export", dispute.log.name[:12], "--handshakes", "-o", shown)
    assert (exported.returncode, exported.stdout, exported.stderr) == (0, "", "")
    cleared = shanghaien(stranger, "verify", dispute.accusation, dispute.log, "--handshakes", shown)
    assert cleared.returncode == 3
    first, second = cleared.stdout.splitlines()
    assert "INVALID FILE (entry " in first
    assert "proves no violation" in first
    assert "INCOMPLETE" in second, "the log of the accused says what it says without them"
    assert dispute.secret.hex() not in shown.read_text()
    assert "192.0.2.7" not in shown.read_text()
    assert shanghaien(dispute.home, "export", dispute.log, "--handshakes").stdout == shown.read_text()


def test_handshakes_of_another_game_rebut_nothing(dispute: Dispute, tmp_path: Path) -> None:
    other, shown = tmp_path / "other", tmp_path / "shown"
    pair, _ = lied_to(0, 30, 31)
    path = kept_log(other, pair, 0)
    assert shanghaien(other, "export", path, "--handshakes", "-o", shown).returncode == 0
    accused = shanghaien(tmp_path, "verify", dispute.accusation, "--handshakes", shown)
    assert accused.returncode == 6
    # of several files, each handshake counts
    theirs = dispute.log.with_suffix(".private")
    both = shanghaien(tmp_path, "verify", dispute.accusation, "--handshakes", shown, "--handshakes", theirs)
    assert both.returncode == 3


def test_a_game_that_was_never_resumed_has_no_handshakes_to_show(tmp_path: Path) -> None:
    pair = make_pair(random.Random(1))
    side = pair.sides[0]
    path = log_path(Home(tmp_path).games, side.endpoint.match.session.id, 0)
    GameLog.start(path, side.log, Sidecar(side.secret, "identity", "192.0.2.7")).close()
    for _ in range(2):
        refused = shanghaien(tmp_path, "export", path, "--handshakes", "-o", tmp_path / "shown")
        assert refused.returncode == 1
        assert "There are no handshakes beside" in refused.stderr
        assert not (tmp_path / "shown").exists()
        path.with_suffix(".private").unlink(missing_ok=True)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"hellos": ["00", "00"], "proofs": ["00", "00"], "theirs": [Infinity, "%s"]}' % (b"00" * 32),
        b'{"hellos": ["00", "00"], "proofs": ["00", "00"], "theirs": [4294967296, "%s"]}' % (b"00" * 32),
        b'{"hellos": ["00", "00"], "proofs": ["00", "00"], "theirs": [-1, "%s"]}' % (b"00" * 32),
        b'{"hellos": ["00", "00"], "proofs": ["00", "00"], "theirs": [1, "00"]}',
        b'{"hellos": ["zz", "00"], "proofs": ["00", "00"], "theirs": [1, "%s"]}' % (b"00" * 32),
        b'{"secret": "00"}',
    ],
)
def test_a_file_without_handshakes_is_said_so(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "shown"
    path.write_bytes(line + b"\n")
    refused = shanghaien(tmp_path, "verify", "examples/sample.shlog", "--handshakes", path)
    assert refused.returncode == 1
    assert "COMPLETE" in refused.stdout, "the log has its verdict all the same"
    assert "contains no handshakes" in refused.stderr
    assert "Traceback" not in refused.stderr
