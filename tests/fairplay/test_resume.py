"""Two peers that lose their connection, their memory, or part of their logs, and go on (fair-play rules, "Resume")."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from p2p_shanghaien.errors import Illegal, Malformed
from p2p_shanghaien.fairplay.canonical import decode, encode
from p2p_shanghaien.fairplay.effects import Regained, Send, ViolationProved
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.handshake import Handshake
from p2p_shanghaien.fairplay.hello import Head
from p2p_shanghaien.fairplay.phases import Phase
from p2p_shanghaien.fairplay.preface import VERSIONS
from p2p_shanghaien.fairplay.transcript import length_prefixed
from p2p_shanghaien.fairplay.verify import KeptHandshake, Verdict, verify
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.cheater import entry_frame, forged
from tests.pair import GAMES, Pair, guest_hello, host_hello, make_pair, shake_hands
from tests.sweeps import sweep
from tests.toy import Toy

GAMES_PLAYED = [Toy(2), Toy(2, opening="turn"), Shanghaien()]


def named(game: object) -> str:
    return game.NAME if isinstance(game, Shanghaien) else str(game)


def begun(seed: int, game: Game[Any]) -> Pair:
    return make_pair(random.Random(seed), game)


def play_frames(pair: Pair, rng: random.Random, frames: int | None) -> bool:
    """Play until `frames` frames have been handed over; whether there were as many."""
    while frames is None or frames:
        for seat in (0, 1):
            if pair.wires[seat]:
                pair.hand_over(seat)
                break
            if pair.sides[seat].asked and not any(pair.wires):
                pair.act_at_random(seat, rng)
                break
        else:
            return False
        if frames is not None:
            frames -= 1
    return True


def check_finished(pair: Pair) -> None:
    assert pair.logs[0] == pair.logs[1]
    assert verify(pair.logs[0], GAMES).verdict == Verdict.COMPLETE
    assert pair.finished(0)
    assert pair.finished(1)


def nothing(_: Pair) -> None:
    """Only the connection is lost."""


def host_restarts(pair: Pair) -> None:
    pair.restart(0)


def guest_restarts(pair: Pair) -> None:
    pair.restart(1)


def both_restart(pair: Pair) -> None:
    pair.restart(0)
    pair.restart(1)


@pytest.mark.parametrize("accident", [nothing, host_restarts, guest_restarts, both_restart])
@pytest.mark.parametrize("game", GAMES_PLAYED, ids=named)
def test_cut_off_at_any_frame_the_game_goes_on_from_where_it_was(
    game: Game[Any], accident: Callable[[Pair], None], thorough: bool
) -> None:
    stride = (11 if isinstance(game, Shanghaien) else 1) * (1 if thorough else 5)
    cut = 0
    while True:
        rng = random.Random(cut)
        pair = begun(5, game)
        if not play_frames(pair, rng, cut):
            break
        before = [side.endpoint.entries[:] for side in pair.sides]
        accident(pair)
        pair.resume(rng)
        play_frames(pair, rng, None)
        for side, stored in zip(pair.sides, before, strict=True):
            assert side.endpoint.entries[: len(stored)] == stored, "nothing that was stored is taken back"
        check_finished(pair)
        cut += stride
    assert cut > 12


@pytest.mark.parametrize("seat", [0, 1])
@sweep("kept", range(0, 60, 3), every=4)
def test_a_log_put_back_to_an_older_one_takes_its_own_later_entries_back(seat: int, kept: int) -> None:
    rng = random.Random(kept)
    pair = begun(3, Shanghaien())
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 60)
    before = pair.sides[seat].endpoint.entries[:]
    pair.restart(seat, kept)
    pair.resume(rng)
    pair.settle()
    assert pair.sides[seat].endpoint.entries[: len(before)] == before, "no roll was had twice"
    pair.play(rng)
    check_finished(pair)


def lied_to(seat: int, kept: int, seed: int, given_back: int = 0) -> tuple[Pair, list[Entry]]:
    """Restore `seat` to `kept` entries; the peer claims to have no more, or returns a few."""
    rng = random.Random(seed)
    pair = begun(3, Shanghaien())
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 60)
    signed = [entry for entry in pair.sides[seat].endpoint.entries if entry.seat == seat]
    pair.restart(seat, kept)
    pair.restart(1 - seat, kept + given_back)
    pair.resume(rng)
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 60)
    return pair, signed


def share(entry: Entry) -> bytes:
    """Return what a share or a reveal says."""
    content = decode(entry.content, 1024)
    assert isinstance(content, tuple)
    assert isinstance(content[0], bytes)
    return content[0]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_liar_about_the_head_knows_no_share_beforehand(seat: int, thorough: bool) -> None:
    """The peer claims the lower head to repeat a roll, as if it knew the share: it does not.

    (But for the one share to which the old log already holds the commitment: THREATS names it.)
    """
    for kept in range(5, 50, 1 if thorough else 7):
        pair, signed = lied_to(seat, kept, kept)
        known = {share(entry) for entry in signed if entry.kind in ("draw_contribution", "draw_reveal")}
        for entry in pair.sides[seat].endpoint.entries[kept:]:
            made_at = {"draw_contribution": entry.number, "draw_reveal": entry.number - 2}.get(entry.kind, 0)
            if entry.seat == seat and made_at >= kept:
                assert share(entry) not in known


@pytest.mark.parametrize("seat", [0, 1])
def test_a_liar_that_gives_back_a_part_knows_one_share_at_most(seat: int, thorough: bool) -> None:
    """It is the committed share of the last returned entry: the same exception, and no further roll."""
    exposed = set()
    for kept in range(5, 50, 2 if thorough else 7):
        for given_back in (1, 2, 3):
            pair, signed = lied_to(seat, kept, kept, given_back)
            known = {share(entry) for entry in signed if entry.kind in ("draw_contribution", "draw_reveal")}
            fresh = [entry for entry in pair.sides[seat].endpoint.entries[kept + given_back :] if entry.seat == seat]
            told = [
                entry for entry in fresh if entry.kind in ("draw_contribution", "draw_reveal") and share(entry) in known
            ]
            assert [entry.kind for entry in told] in ([], ["draw_reveal"])
            exposed |= {entry.number - 2 - kept - given_back for entry in told}
    assert exposed <= {-1, -2}, "the commitment is the last entry that was given back, or its answer is"
    assert exposed


def forked(old: Entry, entries: list[Entry]) -> bool:
    """Return whether another entry stands now in the place of `old`."""
    place = (old.number, old.parent, old.seat)
    return any((new.number, new.parent, new.seat) == place and new.hash != old.hash for new in entries)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_liar_about_the_head_signed_its_own_rebuttal(seat: int) -> None:
    """The later half of the fork names a handshake in which the accuser itself proved a length not above it."""
    # the old log ends where the side that was put back had signed the next entry
    tries = (lied_to(seat, kept, 30) for kept in range(30, 45))
    pair, signed = next((p, s) for p, s in tries if any(forked(old, p.sides[seat].endpoint.entries) for old in s))
    handshake = pair.established[seat]
    kept = KeptHandshake(handshake.hellos, handshake.proofs, handshake.theirs)
    for old in (old for old in signed if forked(old, pair.sides[seat].endpoint.entries)):
        accusation = pair.sides[1 - seat].log + length_prefixed(old.data)
        report = verify(accusation, GAMES)
        assert (report.verdict, report.violator) == (Verdict.VIOLATION, seat)
        report = verify(accusation, GAMES, [kept])
        assert report.verdict == Verdict.INVALID_FILE
        assert report.error is not None
        assert report.error.code == "fork_rebutted"
        # a handshake that is forged, or that shows the accuser to have had the entry, rebuts nothing
        for spoilt in (
            kept._replace(proofs=(bytes(64), bytes(64))),
            kept._replace(theirs=handshake.theirs._replace(length=old.number + 1)),
            kept._replace(hellos=(handshake.hellos[0], b"x")),
        ):
            assert verify(accusation, GAMES, [spoilt]).verdict == Verdict.VIOLATION


@pytest.mark.parametrize("seat", [0, 1])
def test_two_entries_under_one_connection_are_excused_by_no_handshake(seat: int) -> None:
    """After an honest reconnection the accuser has, of course, proved a length below the fork's."""
    rng = random.Random(1)
    pair = begun(1, Toy(2))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 6)
    pair.resume(rng)
    length = len(pair.sides[0].endpoint.entries)
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 14)
    handshake = pair.established[seat]
    kept = KeptHandshake(handshake.hellos, handshake.proofs, handshake.theirs)
    signed = [entry for entry in pair.sides[seat].endpoint.entries if entry.seat == seat and entry.number >= length]
    assert len(signed) > 1
    for entry in signed:
        fork = forged(pair.identities[seat], entry, content=encode(("another",)))
        report = verify(pair.sides[1 - seat].log + length_prefixed(fork), GAMES, [kept])
        assert (report.verdict, report.violator) == (Verdict.VIOLATION, seat)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_side_that_signed_something_else_meanwhile_is_proved_guilty_by_both(seat: int) -> None:
    """Two copies of one seat have played on: the peer and the copy itself learn of it, and both have proof."""

    def far(pair: Pair) -> bool:
        # a copy without its secret cannot open what it has committed to
        match = pair.sides[0].endpoint.match
        return match.number > 6 and match.pending is None

    pair, other = begun(4, Toy(2)), begun(4, Toy(2))
    pair.play(random.Random(8), until=far)
    other.play(random.Random(8), until=far)
    assert other.logs == pair.logs
    # the same seat plays on twice, each time otherwise
    pair.play(random.Random(1))
    other.sides[1 - seat].secret = bytes(32)
    other.restart(1 - seat)
    other.resume(random.Random(77))
    other.play(random.Random(2))
    assert other.logs != pair.logs
    pair.sides[seat].endpoint = other.sides[seat].endpoint
    pair.sides[seat].log = other.sides[seat].log
    pair.resume(random.Random(9))
    while any(pair.wires):
        pair.deliver()
    verdicts = [verify(log, GAMES) for log in pair.logs]
    proved = [next(e for e in reversed(side.effects) if isinstance(e, ViolationProved)) for side in pair.sides]
    assert proved[0].number == proved[1].number
    assert proved[0].seat == proved[1].seat
    for report in verdicts:
        assert report.verdict == Verdict.VIOLATION
        assert (report.number, report.violator) == (proved[0].number, proved[0].seat)
        assert report.error is not None
        assert report.error.code == "fork"


@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_is_signed_before_all_that_the_other_has_is_known(seat: int) -> None:
    rng = random.Random(6)
    pair = begun(6, Toy(1))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 10)
    length = len(pair.sides[seat].endpoint.entries)
    claimed = Head(length + 4, b"\x01" * 32)
    for kept in range(length + 1):
        pair.restart(seat, kept)
        endpoint = pair.sides[seat].endpoint
        assert endpoint.resume(*pair.connection(seat), claimed) == []
        assert not any(isinstance(effect, Send) for effect in pair.sides[seat].endpoint.begin(*pair.connection(seat)))


def test_a_head_that_was_claimed_must_be_reached() -> None:
    rng = random.Random(6)
    pair = begun(6, Toy(1))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 10)
    entries = pair.sides[0].endpoint.entries[:]
    pair.restart(1, 5)
    endpoint = pair.sides[1].endpoint
    endpoint.resume(*pair.connection(1), Head(len(entries), b"\x01" * 32))
    for entry in entries[5:-1]:
        endpoint.receive(entry_frame(entry.data))
    with pytest.raises(Malformed, match="head_not_reached"):
        endpoint.receive(entry_frame(entries[-1].data))


def test_the_last_signature_is_delivered_again() -> None:
    """Seat 1 signs last; if that is lost, seat 0 gets it on the next connection, and both know."""
    rng = random.Random(2)
    pair = begun(2, Toy(1))
    while pair.sides[1].endpoint.match.expected is not None:
        assert play_frames(pair, rng, 1)
    assert not pair.finished(0)
    pair.resume(rng)
    pair.settle()
    check_finished(pair)


def test_a_resignation_that_was_lost_is_said_again() -> None:
    rng = random.Random(2)
    for seat in (0, 1):
        pair = begun(2, Toy(3))
        pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 6)
        pair.resign(seat)
        pair.resume(rng)
        pair.settle()
        check_finished(pair)
        assert verify(pair.logs[0], GAMES).record().ended is not None


@pytest.mark.parametrize("kept", [10, 11, 12, None])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_resignation_of_a_restarted_program_waits_for_the_other_side(seat: int, kept: int | None) -> None:
    """It signs nothing before it knows the other's position (SPEC 11.1), least of all when put back to an older log."""
    rng = random.Random(2)
    pair = begun(2, Toy(3))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 20)
    before = pair.sides[1 - seat].endpoint.entries[:]
    pair.restart(seat, kept)
    log = pair.sides[seat].log
    pair.resign(seat)
    assert pair.sides[seat].log == log
    assert not pair.wires[1 - seat]
    pair.resume(rng)
    pair.settle()
    check_finished(pair)
    assert pair.sides[seat].endpoint.entries[: len(before)] == before
    assert verify(pair.logs[0], GAMES).record().ended == Ended(pair.sides[seat].endpoint.player)


@pytest.mark.parametrize("seat", [0, 1])
def test_old_frames_repeated_on_a_new_connection_change_nothing(seat: int) -> None:
    rng = random.Random(2)
    pair = begun(2, Toy(1))
    frames: list[bytes] = []
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 9)
    frames = [effect.frame for effect in pair.sides[seat].effects if isinstance(effect, Send)]
    pair.resume(rng)
    pair.settle()
    victim = pair.sides[1 - seat]
    log = victim.log
    for frame in frames:
        try:
            effects = victim.endpoint.receive(frame)
        except Malformed:
            continue
        assert effects == []
    assert victim.log == log


@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_has_no_other_head_than_the_session(seat: int) -> None:
    pair = begun(3, Toy(1))
    pair.play(random.Random(3), until=lambda pair: pair.sides[0].endpoint.match.number > 5)
    session = pair.sides[0].endpoint.match.session
    hellos = (
        host_hello(pair.identities[0], bytes([1] * 32), session.game, resumes=session.id),
        guest_hello(pair.identities[1], bytes([2] * 32), resumes=session.id),
    )
    heads = [Head(0, session.id), Head(0, session.id)]
    heads[seat] = Head(0, b"\x03" * 32)
    hands = [Handshake(pair.identities[at], hellos[at], VERSIONS, head=heads[at]) for at in (0, 1)]
    with pytest.raises(Malformed, match="not_a_proof"):
        shake_hands(hands[0], hands[1])


@pytest.mark.parametrize("seat", [0, 1])
def test_a_claim_that_fits_nothing_binds_nobody_in_the_next_handshake(seat: int) -> None:
    """Whatever an opponent has claimed, once it comes with what it has, the match goes on."""
    rng = random.Random(3)
    pair = begun(3, Toy(2))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 5)
    endpoint = pair.sides[1 - seat].endpoint
    length = endpoint.head.length
    for claimed in (1, length - 1, length, length + 1, length + 9):
        endpoint.resume(*pair.connection(1 - seat), Head(claimed, b"\x03" * 32))
        assert endpoint.awaits_program, "it has to show what it claims"
        assert endpoint.phase is (Phase.PARTED if claimed <= length else Phase.CATCHING_UP)
        legal = endpoint.match.state.legal(endpoint.player)
        with pytest.raises(Illegal, match="not_your_turn"):
            endpoint.act(next(iter(legal), "roll"))
    pair.resume(rng)
    assert endpoint.phase is not Phase.PARTED
    pair.play(rng)
    check_finished(pair)


def test_entries_taken_back_over_two_connections_are_told_once() -> None:
    rng = random.Random(3)
    pair = begun(3, Shanghaien())
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 30)
    whole = pair.sides[0].endpoint.entries[:]
    kept = len(whole) - 6
    own = sum(entry.seat == 0 for entry in whole[kept : kept + 4])
    pair.restart(0, kept)
    endpoint = pair.sides[0].endpoint
    effects = endpoint.resume(*pair.connection(0), Head(len(whole), whole[-1].hash))
    for entry in whole[kept : kept + 4]:
        effects += endpoint.receive(encode(("entry", entry.data)))
    assert not [effect for effect in effects if isinstance(effect, Regained)]
    # the connection breaks, and its next proof claims no more than what has come
    effects = endpoint.resume(*pair.connection(0), Head(kept + 4, whole[kept + 3].hash))
    assert [effect for effect in effects if isinstance(effect, Regained)] == [Regained(own)]
