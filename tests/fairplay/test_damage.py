"""A log with a flipped bit anywhere, or with another secret beside it, and what the peer gives back (SPEC 8, 11)."""

import random
from itertools import product
from pathlib import Path

import pytest

from p2p_shanghaien.errors import LocalError
from p2p_shanghaien.fairplay.transcript import read
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from p2p_shanghaien.store.logs import DAMAGED_SUFFIX, TRUNCATED_SUFFIX, GameLog, Sidecar
from p2p_shanghaien.store.paths import log_path
from tests.pair import GAMES, Pair, make_pair
from tests.sweeps import sweep
from tests.toy import Toy

STRIDE = 101


def underway(number: int, game: Shanghaien | Toy | None = None, seed: int = 3) -> Pair:
    pair = make_pair(random.Random(seed), game)
    pair.play(random.Random(4), until=lambda pair: pair.sides[0].endpoint.match.number > number)
    return pair


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("number", [24, 1000])
def test_a_bit_flipped_anywhere_behind_the_opening_is_healed(
    tmp_path: Path, seat: int, number: int, thorough: bool
) -> None:
    """Set aside on a real disk; the peer has the rest, of a game that goes on as of one that is finished."""
    whole = underway(number, Toy(2)).sides[seat].log
    begin = len(read(whole).opening)
    for at in range(begin + seat * STRIDE // 2, len(whole), STRIDE if thorough else 3 * STRIDE):
        pair = underway(number, Toy(2))
        damaged = flipped(whole, at)
        report = verify(damaged, GAMES)
        path = log_path(tmp_path / str(at), bytes(32), seat)
        GameLog.start(path, damaged, Sidecar(bytes(32), "identity", "")).close()
        if report.verdict == Verdict.INVALID_FILE:
            assert report.match is not None
            rest, suffix = report.damaged, DAMAGED_SUFFIX
        else:
            assert report.verdict in (Verdict.INCOMPLETE, Verdict.DECIDED)
            rest, suffix = report.truncated, TRUNCATED_SUFFIX
        GameLog.reopen(path, rest, suffix, size=len(damaged)).close()
        kept = path.read_bytes()
        assert kept + path.with_suffix(suffix).read_bytes() == damaged
        assert whole.startswith(kept)
        pair.restart(seat, len(report.entries))
        assert pair.sides[seat].log == kept
        pair.resume(random.Random(at))
        pair.settle()
        assert pair.sides[seat].log == whole, "every entry of ours is the one that the peer has"
        pair.play(random.Random(at))
        assert pair.logs[0] == pair.logs[1]
        assert verify(pair.logs[0], GAMES).verdict == Verdict.COMPLETE


@pytest.mark.parametrize("seat", [0, 1])
def test_all_that_is_said_before_an_impossible_length_is_reported(seat: int) -> None:
    whole = underway(30).sides[seat].log
    for number in (0, 5, 30):
        log = read(whole)
        sound = verify(underway_until(whole, number), GAMES)
        for length in (bytes(4), b"\xff\xff\xff\xff"):
            report = verify(underway_until(whole, number) + length + whole[-500:], GAMES)
            assert report.verdict == Verdict.INVALID_FILE
            assert report.error is not None
            assert report.error.code == "bad_record_length"
            assert (report.match, report.entries, report.steps) == (sound.match, sound.entries, sound.steps)
            assert report.damaged == 504
        assert len(log.entries) > number


def underway_until(whole: bytes, number: int) -> bytes:
    log = read(whole)
    return whole[: len(log.opening) + sum(4 + len(entry) for entry in log.entries[:number])]


def test_a_log_that_was_played_on_meanwhile_is_not_cut(tmp_path: Path) -> None:
    path = log_path(tmp_path, bytes(32), 0)
    GameLog.start(path, b"opening and what was damaged", Sidecar(bytes(32), "identity", "")).close()
    with pytest.raises(LocalError) as caught:
        GameLog.reopen(path, 7, DAMAGED_SUFFIX, size=20)
    assert caught.value.code == "log_changed"
    assert path.read_bytes() == b"opening and what was damaged"
    GameLog.reopen(path, 7, DAMAGED_SUFFIX, size=28).close()
    assert path.read_bytes() == b"opening and what was "


@sweep("seat, game", product([0, 1], [Toy(2), Shanghaien()]), every=3)
def test_a_wrong_secret_never_signs_a_false_reveal(seat: int, game: Toy | Shanghaien, thorough: bool) -> None:
    """A flipped bit in the file beside the log: what is committed to cannot be opened any more; all else goes on."""
    outcomes: set[tuple[str, bool]] = set()
    for number in range(1, 40, 1 if thorough else 4):
        pair = underway(60, game, seed=7)  # in which each seat has committed by then
        pair.restart(1 - seat, number)
        pair.restart(seat, number)
        pair.sides[seat].secret = flipped(pair.sides[seat].secret, number % 32)
        stored = pair.sides[seat].log
        pair.restart(seat)
        pending = pair.sides[seat].endpoint.match.pending
        try:
            pair.resume(random.Random(number))
            pair.play(random.Random(number))
        except LocalError as error:
            outcomes.add((error.code, pending is not None and pending.seat == seat))
        else:
            assert [verify(log, GAMES).verdict for log in pair.logs] == [Verdict.COMPLETE] * 2
            outcomes.add(("complete", False))
        assert pair.sides[seat].log.startswith(stored)
        assert all(verify(log, GAMES).violator is None for log in pair.logs)
    assert outcomes == {("secret_lost", True), ("complete", False)}


@pytest.mark.parametrize("seat", [0, 1])
def test_whoever_cannot_open_a_commitment_can_still_resign(seat: int) -> None:
    pair = make_pair(random.Random(3))
    rng = random.Random(1)
    while True:
        pending = pair.sides[seat].endpoint.match.pending
        if pending and pending.seat == seat:
            break
        mover = next((s for s in (0, 1) if pair.sides[s].asked), None)
        if any(pair.wires):
            pair.deliver()
        elif mover is not None:
            pair.act_at_random(mover, rng)
    pair.sides[seat].secret = bytes(32)
    pair.restart(seat)
    pair.resign(seat)
    pair.resume(random.Random(2))
    pair.settle()
    assert [verify(log, GAMES).verdict for log in pair.logs] == [Verdict.COMPLETE] * 2
