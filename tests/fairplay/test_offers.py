"""Offers to abandon the game by consent: when they are made, when they may be accepted, when they lapse (SPEC 5.9)."""

import random
from typing import Any

import pytest

from p2p_shanghaien.errors import Illegal
from p2p_shanghaien.fairplay.effects import Closed, Effect, Finished, Lapsed, Offered, Send, ViolationProved
from p2p_shanghaien.fairplay.match import Ending
from p2p_shanghaien.fairplay.notes import NoteKind
from p2p_shanghaien.fairplay.verify import Verdict, verify
from p2p_shanghaien.games.record import Ended
from tests.cheater import caught, check_dropped, entry_frame, offer
from tests.pair import GAMES, Pair, make_pair
from tests.sweeps import together
from tests.toy import Toy


def waiting(seed: int = 0, *, decides: int | None = None, game: Any = None) -> tuple[Pair, int, random.Random]:
    """Return a game some decisions on, and the seat whose decision is expected: `decides` if that is given."""
    rng = random.Random(seed)
    pair = make_pair(rng, game)
    wanted = (decides,) if decides is not None else (0, 1)
    pair.play(
        rng,
        lambda pair: (
            pair.sides[0].endpoint.match.number > 12 and any(pair.sides[seat].asked is not None for seat in wanted)
        ),
    )
    (seat,) = (seat for seat in (0, 1) if pair.sides[seat].asked)
    assert seat in wanted
    return pair, seat, rng


def offers(pair: Pair, seat: int) -> list[Effect]:
    """Let `seat` offer to abandon the game; what it does."""
    effects = pair.sides[seat].endpoint.offer()
    pair.carry_out(seat, effects)
    return effects


def accepts(pair: Pair, seat: int) -> None:
    pair.carry_out(seat, pair.sides[seat].endpoint.accept())
    pair.settle()


def told(pair: Pair, seat: int, kind: type[Offered] | type[Lapsed]) -> list[int]:
    """Whose offers `seat` has been told of: those of the effects that are of this kind."""
    return [effect.seat for effect in pair.sides[seat].effects if isinstance(effect, kind)]


def check_abandoned(pair: Pair) -> None:
    for side in pair.sides:
        report = verify(side.log, GAMES)
        assert report.verdict == Verdict.COMPLETE
        assert report.record().ended == Ended(None)
        assert Closed(Ending("abandoned")) in side.effects
        assert Finished() in side.effects
    assert pair.logs[0] == pair.logs[1]


@pytest.mark.parametrize("decides", [0, 1])
@pytest.mark.parametrize("game", [None, Toy(rounds=9)], ids=["shanghaien", "toy"])
def test_an_offer_to_whoever_decides_is_made_at_once_and_can_be_accepted(decides: int, game: Any) -> None:
    pair, seat, _ = waiting(decides=decides, game=game)
    before = pair.sides[seat].endpoint.match
    made = offers(pair, 1 - seat)
    assert [type(effect) for effect in made] == [Send, Offered]
    pair.settle()
    assert pair.sides[seat].endpoint.match == before, "an offer changes nothing"
    assert told(pair, seat, Offered) == told(pair, 1 - seat, Offered) == [1 - seat]
    accepts(pair, seat)
    check_abandoned(pair)
    assert not told(pair, seat, Lapsed)


@pytest.mark.parametrize("decides", [0, 1])
def test_an_offer_in_ones_own_turn_is_kept_and_made_once_when_the_other_side_decides(decides: int) -> None:
    pair, seat, rng = waiting(decides=decides)
    assert offers(pair, seat) == []
    while not pair.sides[1 - seat].asked:
        assert not told(pair, 1 - seat, Offered)
        pair.act_at_random(seat, rng)
        pair.settle()
    assert told(pair, seat, Offered) == told(pair, 1 - seat, Offered) == [seat]
    accepts(pair, 1 - seat)
    check_abandoned(pair)


@pytest.mark.parametrize("decides", [0, 1])
def test_who_decides_instead_lets_the_offer_lapse_and_both_are_told(decides: int) -> None:
    pair, seat, rng = waiting(decides=decides)
    offers(pair, 1 - seat)
    pair.settle()
    pair.act_at_random(seat, rng)
    pair.settle()
    assert told(pair, seat, Lapsed) == told(pair, 1 - seat, Lapsed) == [1 - seat]
    for each in (0, 1):
        with pytest.raises(Illegal, match="no_offer"):
            pair.sides[each].endpoint.accept()
    pair.play(rng)
    assert told(pair, seat, Offered) == told(pair, seat, Lapsed) == [1 - seat], "it is made once"
    assert verify(pair.logs[0], GAMES).record().ended is None


def test_an_offer_that_crosses_the_decision_has_lapsed_on_arrival() -> None:
    pair, seat, rng = waiting()
    pair.act_at_random(seat, rng)
    offers(pair, 1 - seat)
    pair.settle()
    assert told(pair, seat, Offered) == []
    assert told(pair, seat, Lapsed) == told(pair, 1 - seat, Lapsed) == [1 - seat]
    with pytest.raises(Illegal, match="no_offer"):
        pair.sides[seat].endpoint.accept()
    pair.play(rng)
    assert verify(pair.logs[0], GAMES).verdict == Verdict.COMPLETE


def test_one_offer_at_a_time_and_another_after_it_has_lapsed() -> None:
    pair, seat, rng = waiting()
    for each in (seat, 1 - seat):
        offers(pair, each)
        with pytest.raises(Illegal, match="offered_already"):
            pair.sides[each].endpoint.offer()
    pair.settle()
    pair.act_at_random(seat, rng)
    pair.settle()
    pair.play(rng, lambda pair: pair.sides[seat].asked is not None)
    offers(pair, 1 - seat)
    pair.settle()
    assert told(pair, seat, Offered).count(1 - seat) == 2
    accepts(pair, seat)
    check_abandoned(pair)


def test_nobody_accepts_without_an_offer_nor_ones_own() -> None:
    pair, seat, _ = waiting()
    for each in (0, 1):
        with pytest.raises(Illegal, match="no_offer"):
            pair.sides[each].endpoint.accept()
    offers(pair, 1 - seat)
    pair.settle()
    with pytest.raises(Illegal, match="no_offer"):
        pair.sides[1 - seat].endpoint.accept()


def test_after_the_end_nothing_is_offered() -> None:
    pair, _, rng = waiting()
    pair.play(rng)
    for each in (0, 1):
        with pytest.raises(Illegal, match="already_ended"):
            pair.sides[each].endpoint.offer()
        with pytest.raises(Illegal, match="no_offer"):
            pair.sides[each].endpoint.accept()


@together("seed", range(10))
@together("arrived", [False, True])
def test_a_standing_offer_stands_after_a_lost_connection(seed: int, arrived: bool) -> None:
    pair, seat, rng = waiting(seed)
    offers(pair, 1 - seat)
    if arrived:
        pair.settle()
    pair.resume(rng)
    pair.settle()
    assert told(pair, seat, Offered)[-1:] == [1 - seat]
    accepts(pair, seat)
    check_abandoned(pair)


def test_an_offer_reaches_a_side_that_was_restarted() -> None:
    pair, seat, rng = waiting()
    offers(pair, 1 - seat)
    pair.settle()
    pair.restart(seat)
    pair.resume(rng)
    pair.settle()
    accepts(pair, seat)
    check_abandoned(pair)


def test_an_offer_kept_while_the_connection_is_lost_is_made_afterwards() -> None:
    pair, seat, rng = waiting()
    offers(pair, seat)
    while not pair.sides[1 - seat].asked:
        pair.act_at_random(seat, rng)
        pair.wires[0].clear()
        pair.wires[1].clear()
        pair.resume(rng)
        pair.settle()
    accepts(pair, 1 - seat)
    check_abandoned(pair)


def test_an_acceptance_that_was_lost_arrives_over_the_next_connection() -> None:
    pair, seat, rng = waiting()
    offers(pair, 1 - seat)
    pair.settle()
    pair.carry_out(seat, pair.sides[seat].endpoint.accept())
    pair.resume(rng)
    pair.settle()
    check_abandoned(pair)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_false_offer_beside_the_chain_is_dropped(seat: int) -> None:
    """It is no entry, so it proves no violation; but nobody is notified of an offer that would not count."""
    table = caught("action", seat)
    number, cheater = table.due.number, table.pair.sides[seat].endpoint
    for wrong in (
        (number, bytes(64)),
        (number, offer(table.own, table.session, seat, number + 1)),
        (number, offer(table.own, table.session, 1 - seat, number)),
        (number, offer(table.own, bytes(32), seat, number)),
        (number, offer(table.other, table.session, 1 - seat, number)),
    ):
        check_dropped(table, cheater.note(NoteKind.OFFER, *wrong).frame, "false_offer")


@pytest.mark.parametrize("seat", [0, 1])
def test_accepting_an_offer_that_has_lapsed_proves_a_violation(seat: int) -> None:
    """The cheater held the offer, decided, liked not what came, and wants to accept after all."""
    table = caught("action", seat, when=lambda pair, entry: entry.number > 12)
    signature = offer(table.other, table.session, 1 - seat, table.due.number)
    table.deliver(entry_frame(table.due.data))
    match = table.victim.endpoint.match
    while match.expected is None or match.expected.seat != seat:
        table.pair.act_at_random(1 - seat, random.Random(1))
        match = table.victim.endpoint.match
    *_, proved = table.deliver(entry_frame(table.next("abandonment", signature)))
    assert isinstance(proved, ViolationProved)
    assert proved.violation.code in ("false_offer", "abandoned_instead_of_reveal")
    assert table.verdict().verdict == Verdict.VIOLATION
    assert table.verdict().violator == seat
