"""Every violation is caught at once, and the log that ends with it proves it to anybody (SPEC 5.11)."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from p2p_shanghaien.fairplay.canonical import encode
from p2p_shanghaien.fairplay.entries import Entry, Kind
from p2p_shanghaien.fairplay.keys import choice_commitment, commitment
from p2p_shanghaien.games.api import Game, Turn
from p2p_shanghaien.games.shanghaien.game import Shanghaien
from tests.cheater import Table, caught, check_proved, entry_frame, words
from tests.pair import Pair
from tests.sweeps import sweep, together
from tests.toy import Toy

SHANGHAIEN, TOY = Shanghaien(), Toy(rounds=9)
SHARE = bytes(range(32))

When = Callable[[Pair, Entry], bool]


def rolls(pair: Pair, entry: Entry) -> bool:
    return bool(words(entry)[0] == "roll")


def places(pair: Pair, entry: Entry) -> bool:
    return str(words(entry)[0]).startswith("-")


def late(pair: Pair, entry: Entry) -> bool:
    return entry.number > 30


def leads_to_a_draw(pair: Pair, entry: Entry) -> bool:
    return words(entry)[-1] is not None


def leads_to_a_turn(pair: Pair, entry: Entry) -> bool:
    return words(entry)[-1] is None


NOT_CANONICAL = {
    "nothing": b"",
    "bytes to spare": encode(("roll", SHARE)) + b"\xc0",
    "bytes missing": encode(("roll", SHARE))[:-1],
    "a long form": b"\x92\xd9\x04roll\xc4\x20" + SHARE,
    "a long form of an array": b"\xdc\x00\x02\xa4roll\xc4\x20" + SHARE,
    "a map": b"\x82\xa1a\x01\xa1b\x02",
    "a map with a key twice": b"\x82\xa1a\x01\xa1a\x02",
    "a map in an array": b"\x92\xa4roll\x81\xa1a\xc0",
    "a float": b"\x92\xa4roll\xcb" + bytes(8),
    "a timestamp": b"\x92\xa4roll\xd6\xff" + bytes(4),
    "an extension": b"\x92\xa4roll\xd4\x05\x00",
    "an unused type": b"\xc1",
    "text that is not UTF-8": b"\x92\xa4rol\xff\xc4\x20" + SHARE,
    "a surrogate": b"\x92\xa3\xed\xa0\x80\xc4\x20" + SHARE,
    "nine deep": b"\x91" * 9 + b"\xc0",
    "very deep": b"\x91" * 400 + b"\xc0",
    "an array of billions": b"\xdd\xff\xff\xff\xff",
    "bytes of billions": b"\xc6\xff\xff\xff\xff",
    "random bytes": random.Random(1).randbytes(200),
}

WRONG_FORM: dict[str, tuple[Any, ...]] = {
    "no items": (),
    "nil": (None,),
    "true": (True, None),
    "an integer": (1, None),
    "31 bytes": (SHARE[:31],),
    "33 bytes": (SHARE + b"\x00",),
    "31 bytes, nil": (SHARE[:31], None),
    "an array": ((SHARE,), None),
    "five items": (SHARE, SHARE, SHARE, SHARE, SHARE),
    "text, nil, nil": ("roll", None, None),
}


def seats(kind: str) -> tuple[int, ...]:
    """Return who makes entries of a kind."""
    return {
        Kind.DRAW_COMMIT: (0,),
        Kind.CHOICE_COMMIT: (0,),
        Kind.CHOICE_REVEAL: (0,),
        Kind.CHOICE_CONTRIBUTION: (1,),
    }.get(Kind(kind), (0, 1))


def game_with(kind: str) -> Game[Any]:
    return (
        TOY if kind in (Kind.CHOICE_COMMIT, Kind.CHOICE_CONTRIBUTION, Kind.CHOICE_REVEAL, Kind.RESULT) else SHANGHAIEN
    )


OWED = (
    Kind.DRAW_COMMIT,
    Kind.DRAW_CONTRIBUTION,
    Kind.DRAW_REVEAL,
    Kind.ACTION,
    Kind.CHOICE_COMMIT,
    Kind.CHOICE_CONTRIBUTION,
    Kind.CHOICE_REVEAL,
    Kind.RESULT,
)


def each_kind() -> list[tuple[Kind, int]]:
    """Return every kind that can be expected, with every seat that can be expected to make it."""
    return [(kind, seat) for kind in OWED for seat in seats(kind)]


@together(("kind", "seat"), each_kind())
@together("content", NOT_CANONICAL.values(), ids=NOT_CANONICAL)
def test_content_that_is_not_canonical(kind: Kind, seat: int, content: bytes) -> None:
    table = caught(kind, seat, game=game_with(kind))
    check_proved(table, table.forged(content=content), "malformed_content")


@together(("kind", "seat"), each_kind())
@together("content", WRONG_FORM.values(), ids=WRONG_FORM)
def test_content_of_another_form(kind: Kind, seat: int, content: tuple[Any, ...]) -> None:
    table = caught(kind, seat, game=game_with(kind))
    code = "wrong_result" if kind == Kind.RESULT else "malformed_content"
    check_proved(table, table.forged(content=encode(content)), code)


@together(("kind", "seat"), each_kind())
@together("state", ["another", "the one before", "nothing"])
def test_a_wrong_state_hash(kind: Kind, seat: int, state: str) -> None:
    table = caught(kind, seat, game=game_with(kind))
    before = table.entries[-1].state if table.entries else bytes(32)
    hashes = {"another": SHARE, "the one before": before, "nothing": bytes(32)}
    if hashes[state] == table.due.state:  # most kinds leave the state as it is
        hashes[state] = table.due.hash
    check_proved(table, table.forged(state=hashes[state]), "wrong_state")


@together(("kind", "seat"), each_kind())
def test_another_kind_than_the_one_owed(kind: Kind, seat: int) -> None:
    others = [each for each in OWED if each != kind]
    for other in [*others, "", "cheat", "Action", "action ", "\x1b[2J", "é" * 40]:
        table = caught(kind, seat, game=game_with(kind))
        check_proved(table, table.forged(kind=str(other)), "wrong_kind")


def test_a_result_before_the_end() -> None:
    for seat in (0, 1):
        table = caught("action", seat, when=late)
        for content in (("over", (30, 0), 0), ("resigned", None, seat), ("abandoned", None, None)):
            check_proved(caught("action", seat, when=late), table.forged(*content, kind="result"), "wrong_kind")


# Actions


def illegal_actions(table: Table) -> Iterator[str]:
    state = table.victim.endpoint.match.state
    assert isinstance(state.node, Turn)
    legal = set(state.legal(state.node.player))
    all_actions = [
        "roll",
        "#",
        "!b",
        "!b<",
        "!r",
        "",
        " ",
        "roll ",
        "Roll",
        "-7",
        "-0",
        "-1<<",
        "take",
        "1",
        "🎲",
        "-\N{ARABIC-INDIC DIGIT ONE}",
    ]
    all_actions += [f"-{die}{end}" for die in range(1, 7) for end in ("", "<", ">")]
    all_actions += [f"!p{sign_}{die}" for die in range(1, 7) for sign_ in "+-"]
    all_actions += [f"!{trick}={nationality}" for trick in "pbrw" for nationality in "AFGCDTSI"]
    return (action for action in all_actions if action not in legal)


@sweep("seat", [0, 1], every=2)
@pytest.mark.parametrize("when", [rolls, places], ids=["a roll is due", "a placement is due"])
def test_illegal_actions(seat: int, when: When) -> None:
    for carried in (None, SHARE):
        fresh = caught("action", seat, when=when)
        for action in illegal_actions(fresh):
            check_proved(caught("action", seat, when=when), fresh.forged(action, carried), "illegal_action")


@pytest.mark.parametrize("seat", [0, 1])
def test_an_action_that_was_legal_the_last_time(seat: int) -> None:
    def repeats_nothing(pair: Pair, entry: Entry) -> bool:
        """Return whether a placement is expected, and the last one is not legal now."""
        last = [
            words(each)[0]
            for each in pair.sides[seat].endpoint.entries[:-1]
            if (each.kind, each.seat) == ("action", seat)
        ]
        state = pair.sides[1 - seat].endpoint.match.state
        return places(pair, entry) and len(last) > 1 and last[-2] not in state.legal(pair.sides[seat].endpoint.player)

    table = caught("action", seat, when=repeats_nothing)
    earlier = [words(each) for each in table.entries if (each.kind, each.seat) == ("action", seat)]
    assert earlier[-1][0] == "roll"
    check_proved(table, table.forged(*earlier[-2]), "illegal_action")


@pytest.mark.parametrize("seat", [0, 1])
def test_what_only_another_variant_allows(seat: int) -> None:
    """A wild card is played that nobody was given."""

    def holds_a_sailor(pair: Pair, entry: Entry) -> bool:
        state = pair.sides[1 - seat].endpoint.match.state
        crew = state.crews[pair.sides[seat].endpoint.player]  # type: ignore[attr-defined]
        return places(pair, entry) and bool(crew)

    table = caught("action", seat, when=holds_a_sailor)
    crew = table.victim.endpoint.match.state.crews[table.pair.sides[seat].endpoint.player]  # type: ignore[attr-defined]
    check_proved(table, table.forged(f"!w={crew[0][0]}", None), "illegal_action")


# Commitments


MISSING: dict[str, Any] = {
    "nil": None,
    "true": True,
    "false": False,
    "zero": 0,
    "no text": "",
    "text": "x" * 32,
    "no bytes": b"",
    "31 bytes": SHARE[:31],
    "33 bytes": SHARE + b"\x00",
    "an array": (SHARE,),
}

IDLE: dict[str, Any] = {"32 bytes": SHARE, "no bytes": b"", "false": False, "zero": 0, "no text": "", "no items": ()}


def missing(kind: str, seat: int, game: Game[Any]) -> Table:
    return caught(kind, seat, game=game, when=leads_to_a_draw)


@together(
    ("kind", "seat", "game"),
    [
        ("action", 0, SHANGHAIEN),
        ("action", 1, SHANGHAIEN),
        ("action", 0, TOY),
        ("draw_reveal", 0, TOY),
        ("draw_reveal", 1, TOY),
        ("choice_reveal", 0, TOY),
    ],
)
@together("carried", MISSING.values(), ids=MISSING)
def test_a_missing_commitment(kind: str, seat: int, game: Game[Any], carried: Any) -> None:
    table = missing(kind, seat, game)
    *said, _ = words(table.due)
    check_proved(table, table.forged(*said, carried), "no_commitment")


@together(
    ("kind", "seat", "game"),
    [
        ("action", 0, SHANGHAIEN),
        ("action", 1, SHANGHAIEN),
        ("draw_reveal", 0, SHANGHAIEN),
        ("draw_reveal", 1, SHANGHAIEN),
        ("action", 1, TOY),
        ("choice_reveal", 0, TOY),
    ],
)
@together("carried", IDLE.values(), ids=IDLE)
def test_an_idle_commitment(kind: str, seat: int, game: Game[Any], carried: Any) -> None:
    table = caught(kind, seat, game=game, when=leads_to_a_turn)
    *said, _ = words(table.due)
    check_proved(table, table.forged(*said, carried), "idle_commitment")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_changed_share(seat: int) -> None:
    fresh = caught("draw_reveal", seat, when=late)
    share, carried = words(fresh.due)
    flipped = bytes([share[0] ^ 1]) + share[1:]
    answered = words(fresh.entries[-1])[0]
    earlier = [words(entry)[0] for entry in fresh.entries if entry.kind == "draw_reveal"]
    for other in (flipped, bytes(32), answered, fresh.victim.endpoint.match.pending.commitment, *earlier):  # type: ignore[union-attr]
        table = caught("draw_reveal", seat, when=late)
        check_proved(table, table.forged(other, carried), "share_not_committed")


@pytest.mark.parametrize("share", [SHARE[:31], SHARE + b"\x00", b"", "x" * 32, None, True])
def test_a_share_of_another_size(share: Any) -> None:
    for kind in ("draw_contribution", "draw_reveal"):
        for seat in (0, 1):
            table = caught(kind, seat)
            rest = words(table.due)[1:]
            check_proved(table, table.forged(share, *rest), "malformed_content")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("whose", ["the other's", "its own"])
def test_a_copied_commitment_cannot_be_opened(seat: int, whose: str) -> None:
    """It can be made (nobody sees what is in one), but each is bound to its entry and its maker."""
    table = caught("action", seat, when=lambda pair, entry: rolls(pair, entry) and late(pair, entry))
    copied_from = seat if whose == "its own" else 1 - seat
    rolled = [
        entry for entry in table.entries if entry.kind == "action" and entry.seat == copied_from and words(entry)[1]
    ]
    copied = rolled[-1]
    opened = next(entry for entry in table.entries if entry.number > copied.number and entry.kind == "draw_reveal")
    data = table.forged("roll", words(copied)[1])
    table.deliver(entry_frame(data))
    answer = table.entries[-1]
    assert (answer.kind, answer.seat) == ("draw_contribution", 1 - seat)
    data = table.next("draw_reveal", words(opened)[0], None)
    check_proved(table, data, "share_not_committed", number=answer.number + 1)


def test_a_commitment_is_bound_to_session_number_and_key() -> None:
    """The commitment of the very share that will be revealed, made for another place or by another key."""
    for later, key, session in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        table = caught("action", 0, when=rolls)
        hidden = commitment(
            bytes(32) if session else table.session,
            table.due.number + later,
            (table.other if key else table.own).public,
            SHARE,
        )
        table.deliver(entry_frame(table.forged("roll", hidden)))
        number = table.due.number + 2
        check_proved(table, table.next("draw_reveal", SHARE, None), "share_not_committed", number=number)


# Choices made at the same time


def test_an_illegal_answer() -> None:
    for action in ("", "0", "4", "1 ", "take", "pass", "roll", "\N{ARABIC-INDIC DIGIT ONE}"):
        table = caught("choice_contribution", 1, game=TOY)
        check_proved(table, table.forged(action), "illegal_action")


def test_an_answer_that_was_legal_before() -> None:
    """After equal bids that bid is struck out."""

    def both_bid_twice(pair: Pair, _: Entry) -> bool:
        return len(pair.sides[0].endpoint.match.state.bids) == 2  # type: ignore[attr-defined]

    table = caught("choice_contribution", 1, game=TOY, when=both_bid_twice)
    struck = next(bid for bid in "123" if bid not in table.victim.endpoint.match.state.legal(0))
    check_proved(table, table.forged(struck), "illegal_action")


@pytest.mark.parametrize("change", ["action", "salt", "both"])
def test_a_reveal_that_does_not_fit(change: str) -> None:
    fresh = caught("choice_reveal", 0, game=TOY)
    action, salt, _ = words(fresh.due)
    for other in fresh.victim.endpoint.match.state.legal(0):
        if other == action:
            continue
        for carried in (None, SHARE):
            table = caught("choice_reveal", 0, game=TOY)
            said = {"action": (other, salt), "salt": (action, SHARE), "both": (other, SHARE)}[change]
            check_proved(table, table.forged(*said, carried), "choice_not_committed")


@pytest.mark.parametrize("action", ["4", "", "take", "roll", "x" * 300])
def test_choosing_something_illegal_in_secret(action: str) -> None:
    table = caught("choice_commit", 0, game=TOY)
    hidden = choice_commitment(table.session, table.due.number, table.own.public, SHARE, action)
    table.deliver(entry_frame(table.forged(hidden)))
    table.victim.asked = None
    table.pair.act(1, "1")
    data = table.next("choice_reveal", action, SHARE, None)
    check_proved(table, data, "illegal_action", number=table.due.number + 2)


def test_choosing_in_secret_what_was_struck_out() -> None:

    def both_have_bid_twice(pair: Pair, _: Entry) -> bool:
        return len(pair.sides[1].endpoint.match.state.bids) == 2  # type: ignore[attr-defined]

    table = caught("choice_commit", 0, game=TOY, when=both_have_bid_twice)
    struck = next(bid for bid in "123" if bid not in table.victim.endpoint.match.state.legal(0))
    hidden = choice_commitment(table.session, table.due.number, table.own.public, SHARE, struck)
    table.deliver(entry_frame(table.forged(hidden)))
    table.pair.act_at_random(1, random.Random(1))
    data = table.next("choice_reveal", struck, SHARE, None)
    check_proved(table, data, "illegal_action", number=table.due.number + 2)


def test_a_copied_choice_cannot_be_opened() -> None:
    """A commitment of an earlier round, with the action and the salt that opened it then."""
    table = caught("choice_commit", 0, game=TOY, when=lambda pair, entry: entry.number > 6)
    earlier = next(entry for entry in table.entries if entry.kind == "choice_commit")
    action, salt, _ = next(words(entry) for entry in table.entries if entry.kind == "choice_reveal")
    table.deliver(entry_frame(table.forged(*words(earlier))))
    table.pair.act_at_random(1, random.Random(1))
    data = table.next("choice_reveal", action, salt, None)
    check_proved(table, data, "choice_not_committed", number=table.due.number + 2)
