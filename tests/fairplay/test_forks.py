"""Two entries for one place prove a violation by their signer (SPEC 5.11)."""

import random

import pytest

from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import Kind, parse
from p2p_shanghaien.fairplay.transcript import length_prefixed
from p2p_shanghaien.fairplay.verify import Verdict, verify
from tests.cheater import (
    Table,
    caught,
    check_dropped,
    check_proved,
    check_proves_nothing,
    check_unharmed,
    entry_frame,
    forged,
    with_signature,
)
from tests.fairplay.test_violations import SHARE, each_kind, game_with, late
from tests.pair import GAMES, identity, make_pair


@pytest.mark.parametrize(("kind", "seat"), each_kind())
def test_a_fork(kind: Kind, seat: int) -> None:
    """Of two entries for one place the second proves the violation, whatever its content, and even if it is sound."""
    fresh = caught(kind, seat, game=game_with(kind))
    for changes in ({"state": SHARE}, {"kind": "other"}, {"handshake": SHARE}, {"content": b""}):
        table = caught(kind, seat, game=game_with(kind))
        table.deliver(entry_frame(table.due.data))
        check_proved(table, fresh.forged(**changes), "fork")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_fork_of_an_older_entry(seat: int) -> None:
    """Going back to choose another action once its roll is known."""
    table = caught("action", seat, when=late)
    entries = [entry for entry in table.entries if entry.seat == seat]
    for entry in (entries[0], entries[len(entries) // 2], entries[-1]):
        again = caught("action", seat, when=late)
        check_proved(again, forged(table.own, entry, content=encode(("#", None))), "fork", number=entry.number)


def test_a_fork_after_the_end() -> None:
    for seat in (0, 1):
        table = caught("result", 1)
        table.pair.play(random.Random(0))
        table.go_on(random.Random(0))
        cheated = Table(table.pair, seat, table.due)
        log = cheated.victim.log
        entry = next(
            entry for entry in cheated.victim.endpoint.entries if entry.seat == seat and entry.kind == "action"
        )
        check_proved(cheated, forged(cheated.own, entry, content=encode(("#", None))), "fork", number=entry.number)
        assert cheated.victim.log.startswith(log)


def test_the_first_violation_in_the_chain_proves_a_violation() -> None:
    """Records behind the evidence change nothing, whoever made them."""
    table = caught("action", 0)
    check_proved(table, table.forged("nonsense", None), "illegal_action")
    log, first = table.victim.log, table.verdict()
    for entry in table.entries:
        fork = forged(table.other if entry.seat else table.own, entry, content=b"")
        again = verify(log + length_prefixed(fork), GAMES)
        assert again._replace(error=None) == first._replace(error=None)
        assert str(again.error) == str(first.error)


def test_an_violation_stands_before_a_fork_that_comes_later() -> None:
    """Both prove a violation by the same seat; the log gives the earlier one."""
    table = caught("action", 1, when=late)
    violation = table.forged("nonsense", None)
    own = next(entry for entry in table.entries if entry.seat == 1)
    fork = forged(table.own, own, content=b"")
    report = verify(table.victim.log + length_prefixed(violation) + length_prefixed(fork), GAMES)
    assert (report.verdict, report.number) == (Verdict.VIOLATION, table.due.number)
    report = verify(table.victim.log + length_prefixed(fork) + length_prefixed(violation), GAMES)
    assert (report.verdict, report.number) == (Verdict.VIOLATION, own.number)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_fork_that_its_seat_did_not_sign_is_no_fork(seat: int) -> None:
    """Whoever stands in between, or the other player, can write one."""
    table = caught("action", seat, when=late)
    for entry in [entry for entry in table.entries if entry.seat == seat]:
        for data in (
            forged(table.other, entry, content=b""),
            with_signature(parse(forged(table.own, entry, content=b"")), entry.signature),
            with_signature(parse(forged(table.own, entry, content=b"")), bytes(64)),
        ):
            check_dropped(table, entry_frame(data), "wrong_number")
            check_proves_nothing(table, data)
    check_unharmed(table)


@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_is_proved_guilty_by_a_fork_of_their_own_entries_on_the_wire(seat: int) -> None:
    """With one key at both seats the other can sign one; the honest program knows what it said."""
    rng = random.Random(seat)
    key = identity(rng)
    pair = make_pair(rng, identities=(key, key))
    pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 20)
    table = Table(pair, seat, pair.sides[0].endpoint.entries[-1])
    for entry in [entry for entry in table.entries if entry.seat != seat]:
        check_dropped(table, entry_frame(forged(key, entry, content=b"")), "wrong_number")


@pytest.mark.parametrize("field", ["session", "parent", "seat"])
def test_two_entries_that_do_not_stand_in_one_place_are_no_fork(field: str) -> None:
    table = caught("action", 0, when=late)
    for entry in [entry for entry in table.entries if entry.seat == 0]:
        data = forged(table.own, entry, **{field: 1 if field == "seat" else bytes(32)})
        check_dropped(table, entry_frame(data), "wrong_number")
        check_proves_nothing(table, data)
    check_unharmed(table)
