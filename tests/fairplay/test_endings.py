"""Violations at the end of a game: false resignations, offers and results (SPEC 5.9, 5.10)."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from p2p_shanghaien.errors import Malformed
from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.effects import Closed
from p2p_shanghaien.fairplay.entries import Entry
from p2p_shanghaien.fairplay.match import Ending
from p2p_shanghaien.fairplay.notes import NoteKind
from p2p_shanghaien.fairplay.verify import Verdict
from p2p_shanghaien.games.api import Game
from p2p_shanghaien.games.record import Ended
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.cheater import (
    Table,
    catch,
    caught,
    certificate,
    check_dropped,
    check_proved,
    entry_frame,
    offer,
    words,
)
from tests.pair import Pair, make_pair
from tests.sweeps import sweep, together
from tests.toy import Toy

SHANGHAIEN, TOY = Shanghaien(), Toy(rounds=9)
ELSEWHERE = bytes(range(32))


def resignations(table: Table) -> Iterator[tuple[str, tuple[Any, ...], str]]:
    """Yield false certificates: the error, the content, the violation."""
    own, other, session, head = table.own, table.other, table.session, table.due.parent
    me, you = table.seat, 1 - table.seat
    unknown = bytes(32)
    yield "for the other, signed by the cheater", (you, head, certificate(own, session, you, head)), "false_resignation"
    yield (
        "the cheater's passed off as the other's",
        (you, head, certificate(own, session, me, head)),
        "false_resignation",
    )
    yield "the other's for itself", (me, head, certificate(other, session, you, head)), "false_resignation"
    yield "of another session", (you, head, certificate(other, unknown, you, head)), "false_resignation"
    yield "head not in the chain", (you, unknown, certificate(other, session, you, unknown)), "false_resignation"
    yield (
        "head of another session",
        (you, ELSEWHERE, certificate(other, ELSEWHERE, you, ELSEWHERE)),
        "false_resignation",
    )
    yield "head changed", (you, session, certificate(other, session, you, head)), "false_resignation"
    yield (
        "head of the entry itself",
        (me, table.due.hash, certificate(own, session, me, table.due.hash)),
        "false_resignation",
    )
    yield "no signature", (me, head, b""), "false_resignation"
    yield "half a signature", (me, head, certificate(own, session, me, head)[:63]), "false_resignation"
    yield "a byte more", (me, head, certificate(own, session, me, head) + b"\x00"), "false_resignation"
    yield "a seat that is not there", (2, head, certificate(own, session, 2, head)), "malformed_content"
    yield "a negative seat", (-1, head, certificate(own, session, -1, head)), "malformed_content"
    yield "true for seat 1", (True, head, certificate(own, session, 1, head)), "malformed_content"
    yield "false for seat 0", (False, head, certificate(own, session, 0, head)), "malformed_content"
    yield "nil for a seat", (None, head, certificate(own, session, me, head)), "malformed_content"
    yield "text for a head", (me, "head", certificate(own, session, me, head)), "malformed_content"
    yield "two items", (me, head), "malformed_content"
    yield "four items", (me, head, certificate(own, session, me, head), None), "malformed_content"
    signed_note = table.own.sign(head)
    yield "a signature of something else", (me, head, signed_note), "false_resignation"


RESIGNATIONS = [name for name, _, _ in resignations(caught("draw_contribution", 1))]


@together("name", RESIGNATIONS)
@together(
    ("kind", "seat"),
    [
        ("draw_commit", 0),
        ("draw_contribution", 1),
        ("draw_contribution", 0),
        ("draw_reveal", 0),
        ("action", 0),
        ("action", 1),
    ],
)
def test_false_resignations(name: str, kind: str, seat: int) -> None:
    table = caught(kind, seat)
    content, code = next((content, code) for each, content, code in resignations(table) if each == name)
    if name == "head changed" and table.due.parent == table.session:
        content = (1 - seat, table.session, certificate(table.other, bytes(32), 1 - seat, table.session))
    check_proved(table, table.forged(*content, kind="resignation"), code)


def offers(table: Table) -> Iterator[tuple[str, tuple[Any, ...], str]]:
    own, other, session, number = table.own, table.other, table.session, table.due.number
    me, you = table.seat, 1 - table.seat
    yield "never made", (offer(own, session, you, number),), "false_offer"
    yield "the cheater's own", (offer(own, session, me, number),), "false_offer"
    yield "for the next entry", (offer(other, session, you, number + 1),), "false_offer"
    yield "for the entry before", (offer(other, session, you, number - 1),), "false_offer"
    yield "in another session", (offer(other, bytes(32), you, number),), "false_offer"
    yield "by the other seat", (offer(other, session, me, number),), "false_offer"
    yield "a resignation instead", (certificate(other, session, you, table.due.parent),), "false_offer"
    yield "no signature", (b"",), "false_offer"
    yield "half a signature", (offer(other, session, you, number)[:32],), "false_offer"
    yield "a byte more", (offer(other, session, you, number) + b"\x00",), "false_offer"
    yield "nil", (None,), "malformed_content"
    yield "text", ("x" * 64,), "malformed_content"
    yield "nothing", (), "malformed_content"
    yield "two items", (offer(other, session, you, number), None), "malformed_content"


OFFERS = [name for name, _, _ in offers(caught("draw_contribution", 1))]


@together("name", OFFERS)
@together(
    ("kind", "seat"),
    [("draw_commit", 0), ("draw_contribution", 1), ("draw_contribution", 0), ("action", 0), ("action", 1)],
)
def test_false_offers(name: str, kind: str, seat: int) -> None:
    table = caught(kind, seat)
    content, code = next((content, code) for each, content, code in offers(table) if each == name)
    data = table.forged(content=encode(content), kind="abandonment")
    check_proved(table, data, code)


@pytest.mark.parametrize(
    ("kind", "seat", "game"),
    [
        ("draw_reveal", 0, SHANGHAIEN),
        ("draw_reveal", 1, SHANGHAIEN),
        ("choice_reveal", 0, TOY),
        ("draw_reveal", 1, TOY),
    ],
)
def test_a_genuine_offer_accepted_in_place_of_a_reveal(kind: str, seat: int, game: Game[Any]) -> None:
    """Whoever knows the roll already may not run from it by consent."""
    table = caught(kind, seat, game=game)
    signature = offer(table.other, table.session, 1 - seat, table.due.number)
    check_proved(table, table.forged(signature, kind="abandonment"), "abandoned_instead_of_reveal")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", ["resignation", "abandonment"])
def test_ending_what_has_ended(seat: int, kind: str) -> None:
    """The loser resigns after the last round, or takes an offer up in place of signing the result."""
    table = caught("result", seat)
    head = table.due.parent
    content: dict[str, tuple[Any, ...]] = {
        "resignation": (seat, head, certificate(table.own, table.session, seat, head)),
        "abandonment": (offer(table.other, table.session, 1 - seat, table.due.number),),
    }
    check_proved(table, table.forged(*content[kind], kind=kind), "already_ended")


# Results


def false_results(table: Table) -> Iterator[tuple[Any, ...]]:
    reason, scores, winner = words(table.due)
    first, second = scores
    yield reason, (second + 1, first), winner
    yield reason, (first + 1, second), winner
    yield reason, (first, second), None if winner is not None else 0
    yield reason, (first, second), 1 - (winner or 0)
    yield reason, (first, second), bool(winner)
    yield reason, (first, second), 2
    yield reason, (first, second), str(winner)
    yield reason, None, winner
    yield reason, (first,), winner
    yield reason, (first, second, 0), winner
    yield reason, first, winner
    yield reason, (str(first), second), winner
    yield reason, (first, second), winner, None
    yield reason, (first, second)
    yield "", (first, second), winner
    yield None, (first, second), winner
    yield reason.encode(), (first, second), winner
    yield "resigned", None, table.seat
    yield "abandoned", None, None
    yield "resigned", (first, second), winner


@sweep("seat, winner, number", product([0, 1], [0, 1], range(20)), every=3)
def test_a_result_that_does_not_follow(seat: int, winner: int, number: int) -> None:
    table = caught("result", seat, game=TOY, when=lambda pair, entry: words(entry)[2] == winner)
    results = list(false_results(table))
    assert len(results) == 20
    check_proved(table, table.forged(*results[number]), "wrong_result")


@pytest.mark.parametrize("seat", [0, 1])
def test_false_is_not_zero_and_true_is_not_one(seat: int) -> None:
    """In Python they are equal; in a result they are not the same."""

    def small(pair: Pair, entry: Entry) -> bool:
        return 0 in words(entry)[1]

    table = caught("result", seat, game=TOY, when=small)
    reason, scores, winner = words(table.due)
    booleans = tuple(False if score == 0 else score for score in scores)
    assert booleans == scores
    check_proved(table, table.forged(reason, booleans, winner), "wrong_result")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("loser", [0, 1])
@pytest.mark.parametrize("game", [SHANGHAIEN, TOY], ids=["shanghaien", "toy"])
def test_a_false_result_after_a_resignation(seat: int, loser: int, game: Game[Any]) -> None:
    others: list[tuple[Any, ...]] = [("resigned", None, false) for false in (loser, None, bool(1 - loser))]
    others += [("abandoned", None, None), ("over", (1, 0), 1 - loser), ("resigned", (0, 0), 1 - loser)]
    for false in others:
        rng = random.Random(loser)
        pair = make_pair(rng, game)
        pair.play(rng, until=lambda pair: pair.sides[0].endpoint.match.number > 9)
        pair.resign(loser)
        table = catch(pair, "result", seat, rng)
        assert table is not None
        assert words(table.due) == ("resigned", None, 1 - loser)
        check_proved(table, table.forged(*false), "wrong_result")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", ["draw_commit", "draw_contribution", "action", "choice_commit", "choice_contribution"])
def test_a_genuine_offer_ends_the_game_by_consent(seat: int, kind: str) -> None:
    if (kind, seat) in (("draw_commit", 1), ("choice_commit", 1), ("choice_contribution", 0)):
        seat = 1 - seat
    for false in (None, ("resigned", None, seat), ("over", (1, 0), 0), ("abandoned", None, 0), ("abandoned", (), None)):
        table = caught(kind, seat, game=TOY)
        signature = offer(table.other, table.session, 1 - seat, table.due.number)
        effects = table.deliver(entry_frame(table.next("abandonment", signature)))
        assert Closed(Ending("abandoned")) in effects
        if false:
            number = table.victim.endpoint.match.number
            check_proved(table, table.next("result", *false), "wrong_result", number=number)
        else:
            table.deliver(entry_frame(table.next("result", "abandoned", None, None)))
            report = table.verdict()
            assert report.verdict == Verdict.COMPLETE
            assert report.record().ended == Ended(None)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_false_resignation_beside_the_chain_is_dropped(seat: int) -> None:
    """It is no entry, so it proves no violation; but the honest peer neither embeds it nor continues."""
    for owed_by in (0, 1):
        table = caught("action", owed_by)
        if owed_by != seat:
            table.deliver(entry_frame(table.due.data))
            table = Table(table.pair, seat, table.due)
            table.pair.wires[1 - seat].clear()
        head = table.victim.endpoint.match.head
        notes = table.pair.sides[seat].endpoint
        for wrong in (
            (head, bytes(64)),
            (head, certificate(table.own, table.session, 1 - seat, head)),
            (head, certificate(table.other, table.session, seat, head)),
            (bytes(32), certificate(table.own, table.session, seat, bytes(32))),
            (head, certificate(table.own, bytes(32), seat, head)),
        ):
            check_dropped(table, notes.note(NoteKind.RESIGN, *wrong).frame, "false_resignation")


def test_a_resignation_is_embedded_by_whoever_owes_the_next_entry() -> None:
    for seat in (0, 1):
        for kind in ("draw_contribution", "draw_reveal", "action"):
            for resigns in (0, 1):
                rng = random.Random(f"{seat} {kind} {resigns}")
                table = caught(kind, seat, seed=rng.random())
                table.pair.wires[1 - seat].appendleft(entry_frame(table.due.data))
                table.pair.resign(resigns)
                table.pair.settle()
                report = table.verdict()
                assert report.verdict == Verdict.COMPLETE
                assert report.match is not None
                assert report.match.ending == Ending("resigned", resigns)
                assert table.pair.sides[0].log == table.pair.sides[1].log


def test_an_offer_that_was_never_taken_up_changes_nothing() -> None:
    table = caught("action", 0)
    offered = offer(table.own, table.session, 0, table.due.number)
    table.deliver(table.pair.sides[0].endpoint.note(NoteKind.OFFER, table.due.number, offered).frame)
    table.go_on(random.Random(2))
    assert table.verdict().verdict == Verdict.COMPLETE


def test_an_offer_is_no_resignation() -> None:
    table = caught("action", 0)
    offered = offer(table.own, table.session, 0, table.due.number)
    note = table.pair.sides[0].endpoint.note(NoteKind.RESIGN, table.due.parent, offered).frame
    with pytest.raises(Malformed, match="false_resignation"):
        table.deliver(note)
